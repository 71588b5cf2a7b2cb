//! Binary learners of any shape.

use pocketron::{
    budget::{
        Cacheable, Cached, Compensating, Everything, FewestErrors, Forget, Kept, LargestMargin,
        LeastLoss, Merging, MergingAny, Nudging, OnSupport, Policy, Projecting, ProjectingMargins,
        Quota, Ranking, Recomputed, Remembering, Reservoir,
    },
    error::InputError,
    hypothesis::{Expansion, Linear},
    image::{ImageError, Persist, Reader, Shape as ShapeWriter, Writer},
    kernel::{Gaussian, KernelIn, Relevance, Uniform},
    label::Sign,
    memory::Blank,
    perceptron::{KernelPerceptron, OnlineClassifier, Outcome, Perceptron, Scorer},
    point::Feature,
    scale::UNCUT,
};

use super::{
    Facts, Shape, UnknownShape,
    parts::{AnyGaussian, AnyHistory, AnyRule, HeapWeights, SlotPolicy, StoredKernel},
};
use crate::{
    heap::{Heap, HeapPoints},
    learner::HostFormat,
    model::parameters,
    scaled::Scaled,
};

/// A binary learner over the heap that can be shown; its features are of the format `F`.
pub trait Binary<F = f32>: Scorer<Input = [F]> + Persist {
    /// What it is and has.
    fn facts(&self) -> Facts;
}

impl<K, P, F> Binary<F> for KernelPerceptron<K, P, Heap<F>, AnyRule, AnyHistory>
where
    K: KernelIn<F> + Persist,
    P: Policy<K, Heap<F>> + Persist,
    F: Feature,
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
        if shape.name == "standardized" {
            return standardized(&Front::of(shape)?);
        }
        let (hypothesis, rest) = parts(shape)?;
        match hypothesis.pattern() {
            ("linear", [dim]) => {
                let (rule, AnyHistory::Last(history)) = rest else {
                    return Err(shape.unknown("learner"));
                };
                let dim = dim.number().filter(|dim| *dim > 0);
                let dim = dim.ok_or_else(|| hypothesis.unknown("hypothesis"))?;
                let weights = Linear::with_weights(HeapWeights::new(dim));
                let learner = Perceptron::with_history(weights, rule, history);
                Ok(AnyBinary(Box::new(learner)))
            }
            ("expansion", [set, ..]) => Ok(AnyBinary(match set.name.as_str() {
                "i8" => Box::new(Scaled::rounding(bytes(shape)?, dim(set))),
                "i16" => Box::new(Scaled::rounding(whole::<i16>(shape)?, dim(set))),
                _ => floating(shape)?,
            })),
            _ => Err(hypothesis.unknown("hypothesis")),
        }
    }

    /// What it is and has.
    pub fn facts(&self) -> Facts {
        self.0.facts()
    }
}

/// Hypothesis, rule and history of a learner.
fn parts(shape: &Shape) -> Result<(&Shape, (AnyRule, AnyHistory)), UnknownShape> {
    let ("perceptron", [hypothesis, rule, history]) = shape.pattern() else {
        return Err(shape.unknown("learner"));
    };
    Ok((hypothesis, (AnyRule::of(rule)?, AnyHistory::of(history)?)))
}

/// Support vectors, kernel and policy of a learner, rule and history.
type Expanded<'a> = ([&'a Shape; 3], (AnyRule, AnyHistory));

fn expanded(shape: &Shape) -> Result<Expanded<'_>, UnknownShape> {
    let (hypothesis, rest) = parts(shape)?;
    match hypothesis.pattern() {
        ("expansion", [set, kernel, policy]) => Ok(([set, kernel, policy], rest)),
        _ => Err(hypothesis.unknown("hypothesis")),
    }
}

/// What makes a learner's features: `standardized(skipped,scale,learner)`, with the place of the cut behind `skipped`
/// where it is not the usual one.
pub struct Front<'a> {
    skipped: u32,
    cut: u32,
    /// What is behind it.
    pub learner: &'a Shape,
}

impl<'a> Front<'a> {
    /// Of that shape.
    pub fn of(shape: &'a Shape) -> Result<Self, UnknownShape> {
        let (skipped, cut, scale, learner) = match shape.parts.as_slice() {
            [skipped, scale, learner] => (skipped, UNCUT, scale, learner),
            [skipped, cut, scale, learner] => (skipped, number(cut)?, scale, learner),
            _ => return Err(shape.unknown("model")),
        };
        let ("recent-scale", [_]) = scale.pattern() else {
            return Err(scale.unknown("scale"));
        };
        Ok(Front {
            skipped: number(skipped)?,
            cut,
            learner,
        })
    }

    /// Puts it before the learner, which has `dim` features.
    pub fn before<L: ?Sized>(&self, learner: Box<L>, dim: usize) -> Scaled<L> {
        Scaled::skipping(self.skipped, learner, dim, self.cut)
    }
}

/// A number in a shape.
fn number(shape: &Shape) -> Result<u32, UnknownShape> {
    let number = shape.number().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| shape.unknown("number"))
}

/// A learner that sees its features standardised.
fn standardized(front: &Front<'_>) -> Result<AnyBinary, UnknownShape> {
    let learner = front.learner;
    let ([set, ..], _) = expanded(learner)?;
    let dim = dim(set);
    Ok(AnyBinary(match set.name.as_str() {
        "i8" => Box::new(front.before(bytes(learner)?, dim)),
        "i16" => Box::new(front.before(whole::<i16>(learner)?, dim)),
        _ => Box::new(front.before(floating(learner)?, dim)),
    }))
}

impl<F: Feature> Binary for Scaled<dyn Binary<F>> {
    fn facts(&self) -> Facts {
        let mut facts = self.learner().facts();
        facts.parts.extend(seen_by_scale(self.seen()));
        facts
    }
}

/// What is told of a scale.
pub fn seen_by_scale(seen: Option<u32>) -> Option<String> {
    seen.map(|seen| format!("scale: seen {seen}"))
}

/// Features of a set of support vectors.
pub fn dim(set: &Shape) -> usize {
    let dim = set.parts.first().and_then(Shape::number);
    dim.unwrap_or(0)
}

/// The points of that shape, `f32(features,slots)` for the format `f32`.
pub fn points<F: Feature>(shape: &Shape) -> Result<HeapPoints<F>, UnknownShape> {
    let sizes = match shape.pattern() {
        (format, [dim, slots]) if format == F::NAME => dim.number().zip(slots.number()),
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

/// A learner over `f32` features.
fn floating(shape: &Shape) -> Result<Box<dyn Binary>, UnknownShape> {
    let ([set, kernel, policy], rest) = expanded(shape)?;
    let set = points(set)?;
    if wants_gaussian(policy) {
        return gaussian_only(AnyGaussian::of(kernel)?, policy, set, rest);
    }
    keeping(StoredKernel::of(kernel)?, policy, set, rest)
}

/// A learner over whole features. Their exponential is our own, whatever the kernel's: only the usual name is known.
fn whole<F: HostFormat>(shape: &Shape) -> Result<Box<dyn Binary<F>>, UnknownShape>
where
    Gaussian: Ranking<F>,
    u16: Kept<Gaussian, F::Number>,
{
    let ([set, kernel, policy], rest) = expanded(shape)?;
    let set = points(set)?;
    if kernel.to_string() != "gaussian(fast)" {
        return Err(kernel.unknown("kernel of whole numbers"));
    }
    let kernel = Gaussian::BLANK;
    if wants_gaussian(policy) {
        return gaussian_only(kernel, policy, set, rest);
    }
    keeping(kernel, policy, set, rest)
}

/// A learner over bytes, the default learner included.
fn bytes(shape: &Shape) -> Result<Box<dyn Binary<i8>>, UnknownShape> {
    let ([set, kernel, policy], rest) = expanded(shape)?;
    if kernel.name != "relevance" {
        return whole(shape);
    }
    let kernel = Relevance::<Heap<i8>>::new().with_features(dim(set));
    let set = points(set)?;
    match policy.to_string().as_str() {
        "nudging(merging-any)" => Ok(learner(kernel, Nudging::new(MergingAny), set, rest)),
        "nudging(quota(merging-any))" => {
            let policy = Nudging::new(Quota::new(MergingAny));
            Ok(learner(kernel, policy, set, rest))
        }
        _ => Err(policy.unknown("budget policy beside weights of features")),
    }
}

fn learner<F, K, P>(
    kernel: K,
    policy: P,
    set: HeapPoints<F>,
    (rule, history): (AnyRule, AnyHistory),
) -> Box<dyn Binary<F>>
where
    F: HostFormat,
    K: KernelIn<F> + Persist + 'static,
    P: Policy<K, Heap<F>> + Persist + 'static,
{
    let expansion = Expansion::<_, _, Heap<F>>::with_points(kernel, policy, set);
    Box::new(Perceptron::with_history(expansion, rule, history))
}

/// Whether a policy asks more of a kernel than others do.
fn wants_gaussian(policy: &Shape) -> bool {
    match policy.pattern() {
        ("merging", []) => true,
        ("least-loss", [_, gram]) => gram.name == HALF,
        _ => false,
    }
}

/// A Gram cache with 16 bits for a similarity.
const HALF: &str = <u16 as Cacheable>::CACHE;

fn gaussian_only<F, K>(
    kernel: K,
    policy: &Shape,
    set: HeapPoints<F>,
    rest: (AnyRule, AnyHistory),
) -> Result<Box<dyn Binary<F>>, UnknownShape>
where
    F: HostFormat,
    K: Ranking<F> + Uniform + Persist + 'static,
    u16: Kept<K, F::Number>,
{
    if policy.name == "merging" {
        return Ok(learner(kernel, Merging, set, rest));
    }
    let policy = LeastLoss::<Heap<F>, Cached<Heap<F>, u16>>::BLANK;
    Ok(learner(kernel, policy, set, rest))
}

fn keeping<F, K>(
    kernel: K,
    policy: &Shape,
    set: HeapPoints<F>,
    rest: (AnyRule, AnyHistory),
) -> Result<Box<dyn Binary<F>>, UnknownShape>
where
    F: HostFormat,
    K: KernelIn<F> + Uniform + Persist + 'static,
{
    // Values that the image brings along are left blank here, or at some value in their domain.
    let tolerance = 1.0;
    let unknown = || policy.unknown("budget policy");
    macro_rules! with {
        ($policy:expr) => {
            Ok(learner(kernel, $policy, set, rest))
        };
    }
    match policy.pattern() {
        ("largest-margin", _) => with!(LargestMargin::<Heap<F>>::BLANK),
        ("forget", _) => with!(Forget::BLANK),
        ("compensating", _) => with!(Compensating),
        ("least-loss", [_, gram]) => match gram.name.as_str() {
            "recomputed" => with!(LeastLoss::<Heap<F>, Recomputed>::BLANK),
            "cached" => with!(LeastLoss::<Heap<F>, Cached<Heap<F>>>::BLANK),
            _ => Err(unknown()),
        },
        ("fewest-errors", [validation]) => match validation.pattern() {
            ("on-support", []) => with!(FewestErrors::new(OnSupport)),
            ("reservoir", [sample]) => {
                let sample = Reservoir::<Heap<F>>::with_points(points(sample)?, 0);
                with!(FewestErrors::new(sample))
            }
            ("everything", [reservoir]) => {
                let [sample] = reservoir.parts.as_slice() else {
                    return Err(unknown());
                };
                let sample = Everything::<Heap<F>>::with_points(points(sample)?, 0);
                with!(FewestErrors::new(sample))
            }
            _ => Err(unknown()),
        },
        ("remembering", [inner]) => {
            with!(Remembering::<_, Heap<F>>::new(SlotPolicy::of(inner)?))
        }
        ("projecting", [inner]) if inner.name == "forget" => {
            with!(Projecting::<Forget, Heap<F>>::BLANK)
        }
        ("projecting", [inner]) => {
            let policy = Projecting::<_, Heap<F>>::new(SlotPolicy::of(inner)?, tolerance);
            with!(policy.map_err(|_| unknown())?)
        }
        ("projecting-margins", [projecting]) => {
            let [inner] = projecting.parts.as_slice() else {
                return Err(unknown());
            };
            let policy = ProjectingMargins::<_, Heap<F>>::new(SlotPolicy::of(inner)?, tolerance);
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

    fn knows(&self, label: Sign) -> bool {
        self.0.knows(label)
    }

    fn accepts(&self, x: &[f32], label: Sign, id: Option<u32>) -> Result<(), InputError> {
        self.0.accepts(x, label, id)
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
