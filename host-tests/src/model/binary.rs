//! Binary learners of any shape.

use pocketron::{
    budget::{
        Cached, Compensating, Everything, FewestErrors, Forget, LargestMargin, LeastLoss, Merging,
        OnSupport, Policy, Projecting, ProjectingMargins, Recomputed, Remembering, Reservoir,
    },
    error::InputError,
    hypothesis::{Expansion, Linear},
    image::{ImageError, Persist, Reader, Shape as ShapeWriter, Writer},
    kernel::Kernel,
    label::Sign,
    memory::Blank,
    perceptron::{KernelPerceptron, OnlineClassifier, Outcome, Perceptron, Scorer},
};

use super::{
    Facts, Shape, UnknownShape,
    parts::{AnyGaussian, AnyHistory, AnyRule, HeapWeights, SlotPolicy, StoredKernel},
};
use crate::{
    heap::{Heap, HeapPoints},
    model::parameters,
};

/// A binary learner over the heap that can be shown.
pub trait Binary: Scorer<Input = [f32]> + Persist {
    /// What it is and has.
    fn facts(&self) -> Facts;
}

impl<K, P> Binary for KernelPerceptron<K, P, Heap, AnyRule, AnyHistory>
where
    K: Kernel + Persist,
    P: Policy<K, Heap> + Persist,
{
    fn facts(&self) -> Facts {
        let (set, hypothesis) = (self.support(), self.hypothesis());
        Facts {
            vectors: Some((set.len(), set.capacity())),
            parts: vec![
                parameters(hypothesis.kernel()),
                parameters(hypothesis.policy()),
                parameters(self.rule()),
            ],
        }
    }
}

impl Binary for Perceptron<Linear<HeapWeights>, AnyRule> {
    fn facts(&self) -> Facts {
        Facts {
            vectors: None,
            parts: vec![parameters(self.rule())],
        }
    }
}

/// A binary learner whose type is forgotten.
pub struct AnyBinary(Box<dyn Binary>);

impl AnyBinary {
    /// The learner of that shape, to be restored from an image.
    pub fn of(shape: &Shape) -> Result<Self, UnknownShape> {
        let ("perceptron", [hypothesis, rule, history]) = shape.pattern() else {
            return Err(shape.unknown("learner"));
        };
        let (rule, history) = (AnyRule::of(rule)?, AnyHistory::of(history)?);
        match hypothesis.pattern() {
            ("linear", [dim]) => {
                let AnyHistory::Last(history) = history else {
                    return Err(shape.unknown("learner"));
                };
                let dim = dim.number().filter(|dim| *dim > 0);
                let dim = dim.ok_or_else(|| hypothesis.unknown("hypothesis"))?;
                let weights = Linear::with_weights(HeapWeights::new(dim));
                let learner = Perceptron::with_history(weights, rule, history);
                Ok(AnyBinary(Box::new(learner)))
            }
            ("expansion", [set, kernel, policy]) => expansion(set, kernel, policy, (rule, history)),
            _ => Err(hypothesis.unknown("hypothesis")),
        }
    }

    /// What it is and has.
    pub fn facts(&self) -> Facts {
        self.0.facts()
    }
}

/// The points of that shape: `f32(features,slots)`.
pub fn points(shape: &Shape) -> Result<HeapPoints, UnknownShape> {
    let sizes = match shape.pattern() {
        ("f32", [dim, slots]) => dim.number().zip(slots.number()),
        _ => None,
    };
    // More than any device has: memory is taken when an image says how many slots are in use.
    let sensible =
        |(dim, slots): &(usize, usize)| (1..=1 << 28).contains(&dim.saturating_mul(*slots));
    match sizes.filter(sensible) {
        Some((dim, slots)) => Ok(HeapPoints::new(dim, slots)),
        _ => Err(shape.unknown("set of support vectors")),
    }
}

fn expansion(
    set: &Shape,
    kernel: &Shape,
    policy: &Shape,
    rest: (AnyRule, AnyHistory),
) -> Result<AnyBinary, UnknownShape> {
    fn learner<K, P>(
        kernel: K,
        policy: P,
        set: HeapPoints,
        (rule, history): (AnyRule, AnyHistory),
    ) -> AnyBinary
    where
        K: Kernel + Persist + 'static,
        P: Policy<K, Heap> + Persist + 'static,
    {
        let expansion = Expansion::<_, _, Heap>::with_points(kernel, policy, set);
        AnyBinary(Box::new(Perceptron::with_history(expansion, rule, history)))
    }
    let set = points(set)?;
    // Merging asks more of a kernel than others do.
    if policy.pattern() == ("merging", &[]) {
        return Ok(learner(AnyGaussian::of(kernel)?, Merging, set, rest));
    }
    let kernel = StoredKernel::of(kernel)?;
    // Values that the image brings along are left blank here, or at some value in their domain.
    let tolerance = 1.0;
    let unknown = || policy.unknown("budget policy");
    macro_rules! with {
        ($policy:expr) => {
            Ok(learner(kernel, $policy, set, rest))
        };
    }
    match policy.pattern() {
        ("largest-margin", _) => with!(LargestMargin::<Heap>::BLANK),
        ("forget", _) => with!(Forget::BLANK),
        ("compensating", _) => with!(Compensating),
        ("least-loss", [_, gram]) => match gram.name.as_str() {
            "recomputed" => with!(LeastLoss::<Heap, Recomputed>::BLANK),
            "cached" => with!(LeastLoss::<Heap, Cached<Heap>>::BLANK),
            _ => Err(unknown()),
        },
        ("fewest-errors", [validation]) => match validation.pattern() {
            ("on-support", []) => with!(FewestErrors::new(OnSupport)),
            ("reservoir", [sample]) => {
                let sample = Reservoir::<Heap>::with_points(points(sample)?, 0);
                with!(FewestErrors::new(sample))
            }
            ("everything", [reservoir]) => {
                let [sample] = reservoir.parts.as_slice() else {
                    return Err(unknown());
                };
                let sample = Everything::<Heap>::with_points(points(sample)?, 0);
                with!(FewestErrors::new(sample))
            }
            _ => Err(unknown()),
        },
        ("remembering", [inner]) => {
            with!(Remembering::<_, Heap>::new(SlotPolicy::of(inner)?))
        }
        ("projecting", [inner]) if inner.name == "forget" => {
            with!(Projecting::<Forget, Heap>::BLANK)
        }
        ("projecting", [inner]) => {
            let policy = Projecting::<_, Heap>::new(SlotPolicy::of(inner)?, tolerance);
            with!(policy.map_err(|_| unknown())?)
        }
        ("projecting-margins", [projecting]) => {
            let [inner] = projecting.parts.as_slice() else {
                return Err(unknown());
            };
            let policy = ProjectingMargins::<_, Heap>::new(SlotPolicy::of(inner)?, tolerance);
            with!(policy.map_err(|_| unknown())?)
        }
        _ => with!(SlotPolicy::of(policy)?),
    }
}

impl OnlineClassifier for AnyBinary {
    type Input = [f32];
    type Label = Sign;

    fn predict(&self, x: &[f32]) -> Result<Sign, InputError> {
        self.0.predict(x)
    }

    fn accepts(&self, x: &[f32], id: Option<u32>) -> Result<(), InputError> {
        self.0.accepts(x, id)
    }

    fn learn_known(
        &mut self,
        x: &[f32],
        label: Sign,
        id: Option<u32>,
    ) -> Result<Outcome<Sign>, InputError> {
        self.0.learn_known(x, label, id)
    }
}

impl Scorer for AnyBinary {
    fn score(&self, x: &[f32]) -> Result<f32, InputError> {
        self.0.score(x)
    }
}

impl Persist for AnyBinary {
    fn shape(&self, shape: &mut ShapeWriter<'_>) {
        self.0.shape(shape);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.0.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.0.load(reader)
    }
}
