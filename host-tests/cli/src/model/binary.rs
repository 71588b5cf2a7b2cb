//! Binary learners of any shape.

use pocketron::{
    budget::{
        CacheFormat, Cacheable, Cached, Compensating, Everything, FewestErrors, Forget,
        LargestMargin, LeastLoss, Merging, OnSupport, Policy, Projecting, ProjectingMargins,
        Ranking, Recomputed, Reservoir, WithIdentities,
    },
    device::Confidence,
    error::InputError,
    hypothesis::{Expansion, Linear},
    kernel::{Gaussian, KernelIn, Uniform},
    label::Sign,
    learners::perceptron::{KernelPerceptron, Perceptron},
    persist::{Blank, Persist, Restart},
    storage::point::{Feature, MOST_FEATURES},
    wrap::NO_CLAMP,
};

use super::{
    BoxedLearner, Build, DynLearner, ModelInfo, Shape, UnknownShape,
    classes::two_classes,
    parts::{AnyGaussian, AnyHistory, AnyRule, HeapWeights, SlotPolicy, StoredKernel},
};
use crate::{
    heap::{Heap, HeapPoints},
    learner::HostFormat,
    model::parameters,
    scaled::Scaled,
};

impl<K, P, F> DynLearner<Sign, F> for KernelPerceptron<K, P, Heap<F>, AnyRule, AnyHistory>
where
    K: KernelIn<F> + Persist + Clone + 'static,
    P: Policy<K, Heap<F>> + Restart + Persist + Clone + 'static,
    F: HostFormat,
{
    fn model_info(&self) -> Vec<(Option<u32>, ModelInfo)> {
        let (set, hypothesis) = (self.support(), self.hypothesis());
        let model_info = ModelInfo {
            vectors: Some((set.len(), set.capacity())),
            recall: None,
            parts: vec![
                parameters(hypothesis.kernel()),
                parameters(hypothesis.policy()),
                parameters(self.rule()),
            ],
        };
        vec![(None, model_info)]
    }

    fn duplicate(&self) -> BoxedLearner<Sign, F> {
        BoxedLearner::new(self.clone())
    }
}

impl DynLearner<Sign> for Perceptron<Linear<HeapWeights>, AnyRule> {
    fn model_info(&self) -> Vec<(Option<u32>, ModelInfo)> {
        let model_info = ModelInfo {
            vectors: None,
            recall: None,
            parts: vec![parameters(self.rule())],
        };
        vec![(None, model_info)]
    }

    fn duplicate(&self) -> BoxedLearner<Sign> {
        BoxedLearner::new(self.clone())
    }
}

/// Whether a learner without wrappers tells two classes apart by a single score.
pub fn is_binary(shape: &Shape) -> bool {
    match shape.pattern() {
        ("one-vs-rest" | "shared-support", _) => false,
        ("continual", [_, _, columns, ..]) => columns.number() == Some(1),
        _ => true,
    }
}

/// A format of features with its binary learners.
pub trait Leaf: HostFormat {
    /// The learner of that shape, to be restored from an image.
    fn leaf(shape: &Shape) -> Result<BoxedLearner<Sign, Self>, UnknownShape>;
}

impl Leaf for i8 {
    fn leaf(shape: &Shape) -> Result<BoxedLearner<Sign, i8>, UnknownShape> {
        whole(shape)
    }
}

impl Leaf for i16 {
    fn leaf(shape: &Shape) -> Result<BoxedLearner<Sign, i16>, UnknownShape> {
        whole(shape)
    }
}

/// Rows as they come, whatever the learner stores.
impl Leaf for f32 {
    fn leaf(shape: &Shape) -> Result<BoxedLearner<Sign>, UnknownShape> {
        match shape.name.as_str() {
            "standardized" => return standardized(&Front::of(shape)?),
            "continual" => return two_classes(shape),
            _ => {}
        }
        let (hypothesis, rest) = parts(shape)?;
        match hypothesis.pattern() {
            ("linear", [dim]) => {
                let (rule, AnyHistory::Last(history)) = rest else {
                    return Err(shape.unknown("learner"));
                };
                let dim = dim.number().filter(|dim| (1..=MOST).contains(dim));
                let dim = dim.ok_or_else(|| hypothesis.unknown("hypothesis"))?;
                let weights = Linear::with_weights(HeapWeights::new(dim));
                let learner = Perceptron::with_history(weights, rule, history);
                Ok(BoxedLearner::new(learner))
            }
            ("expansion", [set, ..]) => match set.name.as_str() {
                "i8" => Ok(rounding(whole::<i8>(shape)?, set)),
                "i16" => Ok(rounding(whole::<i16>(shape)?, set)),
                _ => floating(shape),
            },
            _ => Err(hypothesis.unknown("hypothesis")),
        }
    }
}

/// A learner of fixed-point features that gets rows in standard deviations.
fn rounding<F: HostFormat>(learner: BoxedLearner<Sign, F>, set: &Shape) -> BoxedLearner<Sign>
where
    Sign: Build<F>,
{
    BoxedLearner::new(Scaled::rounding(Box::new(learner), dim(set)))
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

/// The feature scaling of a learner: `standardized(skipped,scale,learner)`, with the clamp behind `skipped`
/// where it is not the usual one.
pub struct Front<'a> {
    skipped: u32,
    cut: u32,
    dim: usize,
    /// The learner behind it.
    pub learner: &'a Shape,
}

impl<'a> Front<'a> {
    /// Of that shape.
    pub fn of(shape: &'a Shape) -> Result<Self, UnknownShape> {
        let (skipped, cut, scale, learner) = match shape.parts.as_slice() {
            [skipped, scale, learner] => (skipped, NO_CLAMP, scale, learner),
            [skipped, cut, scale, learner] => (skipped, number(cut)?, scale, learner),
            _ => return Err(shape.unknown("model")),
        };
        let dim = match scale.pattern() {
            ("recent-scale", [dim]) => dim.number().filter(|_| dim.number() == learner.features()),
            _ => None,
        };
        Ok(Front {
            skipped: number(skipped)?,
            cut,
            dim: dim.ok_or_else(|| scale.unknown("scale"))?,
            learner,
        })
    }

    /// Puts it before the learner.
    fn before<F: HostFormat>(&self, learner: BoxedLearner<Sign, F>) -> BoxedLearner<Sign>
    where
        Sign: Build<F>,
    {
        let learner = Box::new(learner);
        BoxedLearner::new(Scaled::skipping(self.skipped, learner, self.dim, self.cut))
    }
}

/// A number in a shape.
fn number(shape: &Shape) -> Result<u32, UnknownShape> {
    let number = shape.number().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| shape.unknown("number"))
}

/// A learner that sees its features standardised; it may have wrappers of its own.
fn standardized(front: &Front<'_>) -> Result<BoxedLearner<Sign>, UnknownShape> {
    let learner = front.learner;
    match format(learner) {
        Some("i8") => Ok(front.before::<i8>(Sign::build(learner)?)),
        Some("i16") => Ok(front.before::<i16>(Sign::build(learner)?)),
        _ => Ok(front.before::<f32>(Sign::build(learner)?)),
    }
}

/// The format of the first set of points that a shape names.
fn format(shape: &Shape) -> Option<&str> {
    match shape.name.as_str() {
        name @ ("f32" | "i16" | "i8") => Some(name),
        _ => shape.parts.iter().find_map(format),
    }
}

impl<F: HostFormat> DynLearner<Sign> for Scaled<BoxedLearner<Sign, F>>
where
    Sign: Build<F>,
{
    fn model_info(&self) -> Vec<(Option<u32>, ModelInfo)> {
        let mut model_info = self.learner().model_info();
        let seen = self.seen().map(|seen| format!("scale: seen {seen}"));
        for (_, model_info) in &mut model_info {
            model_info.parts.extend(seen.clone());
        }
        model_info
    }

    fn wrappers(&self) -> Vec<(&'static str, String)> {
        self.learner().wrappers()
    }

    fn confidence(&self, x: &[f32]) -> Result<Confidence, InputError> {
        self.learner().confidence(&self.standardise(x)?)
    }

    fn duplicate(&self) -> BoxedLearner<Sign> {
        BoxedLearner::new(self.clone())
    }
}

/// Features of a set of support vectors.
pub fn dim(set: &Shape) -> usize {
    let dim = set.parts.first().and_then(Shape::number);
    dim.unwrap_or(0)
}

/// Numbers in a model: more than any device has.
const MOST: usize = 1 << 28;

/// The points of that shape, `f32(features,slots)` for the format `f32`.
pub fn points<F: Feature>(shape: &Shape) -> Result<HeapPoints<F>, UnknownShape> {
    let sizes = match shape.pattern() {
        (format, [dim, slots]) if format == F::NAME => dim.number().zip(slots.number()),
        _ => None,
    };
    // Memory is taken when an image says how many slots are in use.
    let sensible = |(dim, slots): &(usize, usize)| {
        (1..=MOST).contains(&dim.saturating_mul(*slots))
            && (F::NAME == f32::NAME || *dim <= MOST_FEATURES)
    };
    match sizes.filter(sensible) {
        Some((dim, slots)) => Ok(HeapPoints::new(dim, slots)),
        _ => Err(shape.unknown("set of support vectors")),
    }
}

/// A learner over `f32` features.
fn floating(shape: &Shape) -> Result<BoxedLearner<Sign>, UnknownShape> {
    let ([set, kernel, policy], rest) = expanded(shape)?;
    let set = points(set)?;
    if wants_gaussian(policy) {
        return gaussian_only(AnyGaussian::of(kernel)?, policy, set, rest);
    }
    keeping(StoredKernel::of(kernel)?, policy, set, rest)
}

/// A learner over fixed-point features. Their exponential is our own, whatever the kernel's: only the usual name is known.
fn whole<F: HostFormat>(shape: &Shape) -> Result<BoxedLearner<Sign, F>, UnknownShape>
where
    Gaussian: Ranking<F>,
    u16: CacheFormat<Gaussian, F::Number>,
{
    let ([set, kernel, policy], rest) = expanded(shape)?;
    let set = points(set)?;
    if kernel.to_string() != "gaussian(fast)" {
        return Err(kernel.unknown("kernel of fixed-point numbers"));
    }
    let kernel = Gaussian::BLANK;
    if wants_gaussian(policy) {
        return gaussian_only(kernel, policy, set, rest);
    }
    keeping(kernel, policy, set, rest)
}

fn learner<F, K, P>(
    kernel: K,
    policy: P,
    set: HeapPoints<F>,
    (rule, history): (AnyRule, AnyHistory),
) -> BoxedLearner<Sign, F>
where
    F: HostFormat,
    K: KernelIn<F> + Persist + Clone + 'static,
    P: Policy<K, Heap<F>> + Restart + Persist + Clone + 'static,
{
    let expansion = Expansion::<_, _, Heap<F>>::with_points(kernel, policy, set);
    BoxedLearner::new(Perceptron::with_history(expansion, rule, history))
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
) -> Result<BoxedLearner<Sign, F>, UnknownShape>
where
    F: HostFormat,
    K: Ranking<F> + Uniform + Persist + Clone + 'static,
    u16: CacheFormat<K, F::Number>,
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
) -> Result<BoxedLearner<Sign, F>, UnknownShape>
where
    F: HostFormat,
    K: KernelIn<F> + Uniform + Persist + Clone + 'static,
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
            with!(WithIdentities::<_, Heap<F>>::new(SlotPolicy::of(inner)?))
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
