//! Binary learners of any shape.

use std::any::Any;

use pocketron::{
    budget::{CacheFormat, Cached, Counts, LeastLoss, Policy, Ranking, Recomputed},
    device::Confidence,
    error::InputError,
    hypothesis::{Expansion, Linear},
    kernel::{KernelIn, Uniform},
    label::Sign,
    learners::perceptron::{KernelPerceptron, Perceptron},
    persist::{Persist, Restart},
    storage::point::{Feature, MOST_FEATURES},
    wrap::NO_CLAMP,
};

use super::{
    BoxedLearner, Build, DynLearner, ModelInfo, Shape, UnknownShape,
    classes::two_classes,
    parts::{self, AnyHistory, AnyPolicy, AnyRule, GaussianPolicy, HeapWeights, KeepingPolicy},
};
use crate::{
    heap::{Heap, HeapPoints},
    kernel::AnyKernel,
    model::parameters,
    scaled::Scaled,
};

impl<K, P, F> DynLearner<Sign, F> for KernelPerceptron<K, P, Heap<F>, AnyRule, AnyHistory>
where
    K: KernelIn<F> + Persist + Clone + 'static,
    P: Policy<K, Heap<F>> + Restart + Persist + Clone + 'static,
    F: Feature + 'static,
{
    fn alphas(&self) -> Vec<f32> {
        self.support().coefficients().collect()
    }

    fn counts(&self) -> Option<&[Counts]> {
        let policy: &dyn Any = self.hypothesis().policy();
        let cached = || policy.downcast_ref::<LeastLoss<Heap<F>, Cached<Heap<F>>>>();
        let halved = || policy.downcast_ref::<LeastLoss<Heap<F>, Cached<Heap<F>, u16>>>();
        let recomputed = || policy.downcast_ref::<LeastLoss<Heap<F>, Recomputed>>();
        let counts = cached().map(LeastLoss::counts);
        let counts = counts.or_else(|| halved().map(LeastLoss::counts));
        let counts = counts.or_else(|| recomputed().map(LeastLoss::counts))?;
        counts.get(..self.support().len())
    }

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

/// Rule and history of a learner.
pub type RuleAndHistory = (AnyRule, AnyHistory);

/// A format of features with its binary learners.
pub trait Leaf: Feature + 'static {
    /// The learner of that shape, to be restored from an image.
    fn leaf(shape: &Shape) -> Result<BoxedLearner<Sign, Self>, UnknownShape> {
        expansion(shape)
    }

    /// The learner of these parts; `None` if the policy or the format wants another kernel.
    fn assemble(
        kernel: AnyKernel,
        policy: AnyPolicy<Self>,
        set: HeapPoints<Self>,
        rest: RuleAndHistory,
    ) -> Option<BoxedLearner<Sign, Self>>;
}

macro_rules! fixed_point {
    ($($format:ty)*) => { $(
        impl Leaf for $format {
            /// Its exponential is our own, whatever the kernel's: only the usual one is known.
            fn assemble(
                kernel: AnyKernel,
                policy: AnyPolicy<Self>,
                set: HeapPoints<Self>,
                rest: RuleAndHistory,
            ) -> Option<BoxedLearner<Sign, Self>> {
                let AnyKernel::Gaussian(kernel) = kernel else {
                    return None;
                };
                Some(match policy {
                    AnyPolicy::Keeping(policy) => keeping(kernel, policy, set, rest),
                    AnyPolicy::Gaussian(policy) => gaussian(kernel, policy, set, rest),
                })
            }
        }
    )* };
}

fixed_point!(i8 i16);

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
                "i8" => Ok(rounding(i8::leaf(shape)?, set)),
                "i16" => Ok(rounding(i16::leaf(shape)?, set)),
                _ => expansion(shape),
            },
            _ => Err(hypothesis.unknown("hypothesis")),
        }
    }

    fn assemble(
        kernel: AnyKernel,
        policy: AnyPolicy<f32>,
        set: HeapPoints,
        rest: RuleAndHistory,
    ) -> Option<BoxedLearner<Sign>> {
        Some(match policy {
            AnyPolicy::Keeping(policy) => keeping(kernel, policy, set, rest),
            AnyPolicy::Gaussian(policy) => gaussian(kernel.gaussian()?, policy, set, rest),
        })
    }
}

/// A learner of fixed-point features that gets rows in standard deviations.
fn rounding<F: Leaf>(learner: BoxedLearner<Sign, F>, set: &Shape) -> BoxedLearner<Sign>
where
    Sign: Build<F>,
{
    BoxedLearner::new(Scaled::rounding(Box::new(learner), dim(set)))
}

/// Hypothesis, rule and history of a learner.
fn parts(shape: &Shape) -> Result<(&Shape, RuleAndHistory), UnknownShape> {
    let ("perceptron", [hypothesis, rule, history]) = shape.pattern() else {
        return Err(shape.unknown("learner"));
    };
    Ok((hypothesis, (AnyRule::of(rule)?, AnyHistory::of(history)?)))
}

/// The learner with support vectors of that shape.
fn expansion<F: Leaf>(shape: &Shape) -> Result<BoxedLearner<Sign, F>, UnknownShape> {
    let (hypothesis, rest) = parts(shape)?;
    let ("expansion", [set, kernel, policy]) = hypothesis.pattern() else {
        return Err(hypothesis.unknown("hypothesis"));
    };
    let (own, policy) = (parts::kernel(kernel)?, AnyPolicy::of(policy)?);
    let learner = F::assemble(own, policy, points(set)?, rest);
    learner.ok_or_else(|| kernel.unknown("Gaussian kernel"))
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
    fn before<F: Leaf>(&self, learner: BoxedLearner<Sign, F>) -> BoxedLearner<Sign>
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

impl<F: Leaf> DynLearner<Sign> for Scaled<BoxedLearner<Sign, F>>
where
    Sign: Build<F>,
{
    fn alphas(&self) -> Vec<f32> {
        self.learner().alphas()
    }

    fn counts(&self) -> Option<&[Counts]> {
        self.learner().counts()
    }

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

fn learner<F, K, P>(
    kernel: K,
    policy: P,
    set: HeapPoints<F>,
    (rule, history): RuleAndHistory,
) -> BoxedLearner<Sign, F>
where
    F: Feature + 'static,
    K: KernelIn<F> + Persist + Clone + 'static,
    P: Policy<K, Heap<F>> + Restart + Persist + Clone + 'static,
{
    let expansion = Expansion::<_, _, Heap<F>>::with_points(kernel, policy, set);
    BoxedLearner::new(Perceptron::with_history(expansion, rule, history))
}

fn gaussian<F, K>(
    kernel: K,
    policy: GaussianPolicy<F>,
    set: HeapPoints<F>,
    rest: RuleAndHistory,
) -> BoxedLearner<Sign, F>
where
    F: Feature + 'static,
    K: Ranking<F> + Uniform + Persist + Clone + 'static,
    u16: CacheFormat<K, F::Number>,
{
    match policy {
        GaussianPolicy::Merging(policy) => learner(kernel, policy, set, rest),
        GaussianPolicy::HalfCached(policy) => learner(kernel, policy, set, rest),
    }
}

fn keeping<F, K>(
    kernel: K,
    policy: KeepingPolicy<F>,
    set: HeapPoints<F>,
    rest: RuleAndHistory,
) -> BoxedLearner<Sign, F>
where
    F: Feature + 'static,
    K: KernelIn<F> + Uniform + Persist + Clone + 'static,
{
    macro_rules! of_type {
        ($($policy:ident)*) => {
            match policy {
                $( KeepingPolicy::$policy(policy) => learner(kernel, policy, set, rest), )*
            }
        };
    }
    of_type!(Slot LargestMargin Forget Compensating Recomputed Cached OnSupport Reservoir Everything
        WithIdentities ProjectingForget Projecting ProjectingMargins)
}
