//! The learners as a device has them: columns inside the model.

use pocketron::{
    budget::{
        Cached, Compensating, Counts, Everything, FewestErrors, Forget, LargestMargin, LeastLoss,
        Merging, NoBudget, Oldest, OnSupport, Policy, Projecting, ProjectingMargins, Random,
        Reservoir, Stop,
    },
    classifier::{OnlineClassifier as _, Outcome, Scorer as _},
    error::InputError,
    kernel::{Gaussian, KernelIn},
    label::Sign,
    learners::perceptron::KernelPerceptron,
    rule::{MarginRule, PassiveAggressive, Rule, Shrinking},
    storage::Inline,
};
use pocketron_cli::learner::{Algorithm, Learner, Settings};
use pocketron_testkit::kernel::AnyKernel;

/// A model with inline memory, taken for a learner of slices.
pub struct Embedded<K, P, const D: usize, const B: usize, R>(
    pub KernelPerceptron<K, P, Inline<D, B>, R>,
);

fn fixed<const D: usize>(x: &[f32]) -> Result<&[f32; D], InputError> {
    x.try_into().map_err(|_| InputError::WrongDimension)
}

impl<K, P, const D: usize, const B: usize, R> Learner for Embedded<K, P, D, B, R>
where
    K: KernelIn<f32>,
    P: Policy<K, Inline<D, B>>,
    R: Rule,
{
    fn learn(&mut self, x: &[f32], label: Sign) -> Result<Outcome<Sign>, InputError> {
        self.0.learn(fixed(x)?, label)
    }

    fn score(&self, x: &[f32]) -> Result<f32, InputError> {
        self.0.score(fixed(x)?)
    }

    fn alphas(&self) -> Vec<f32> {
        self.0.support().alphas().to_vec()
    }

    fn counts(&self) -> Option<&[Counts]> {
        None
    }
}

/// Room for the validation points of Tighter-Full and the mistakes of the unbounded perceptron.
pub const MANY: usize = 400;

/// The twin of `pocketron_cli::learner::build` with `D` features, a budget of `B`, and for `Perceptron` and
/// `TighterFull` room for [`MANY`] points.
pub fn build<const D: usize, const B: usize>(
    algorithm: Algorithm,
    settings: &Settings,
) -> Box<dyn Learner> {
    use Algorithm as A;
    let Some(AnyKernel::Gaussian(kernel)) = settings.kernel else {
        panic!("only the Gaussian is embedded")
    };
    let (seed, tolerance) = (settings.seed, settings.tolerance);
    let rule = MarginRule::new(1.0).with_margin(settings.margin);
    let unit = MarginRule::new(1.0).with_margin(settings.margin.max(1.0));
    let tolerant = |inner| Projecting::new(inner, tolerance).expect("a tolerance");
    let margins = |inner| ProjectingMargins::new(inner, tolerance).expect("a tolerance");
    let passive = PassiveAggressive::new(settings.aggressiveness).expect("C");
    let shrinking = Shrinking::new(settings.lambda.unwrap_or(0.01)).expect("lambda");
    let sample = FewestErrors::new(Reservoir::<Inline<D, B>>::new(seed));
    let all = FewestErrors::new(Everything::<Inline<D, MANY>>::new(seed));
    match algorithm {
        A::Perceptron => embed::<_, D, MANY, _>(kernel, NoBudget, rule),
        A::Stoptron => embed::<_, D, B, _>(kernel, Stop, rule),
        A::Random => embed::<_, D, B, _>(kernel, Random::new(seed), rule),
        A::RemoveOldest => embed::<_, D, B, _>(kernel, Oldest::new(), rule),
        A::Fixed => embed::<_, D, B, _>(kernel, LargestMargin::new(), rule),
        A::Forgetron => embed::<_, D, B, _>(kernel, Forget::new(), rule),
        A::Tighter0 => embed::<_, D, B, _>(kernel, FewestErrors::new(OnSupport), rule),
        A::Tighter => embed::<_, D, B, _>(kernel, sample, rule),
        A::TighterFull => embed::<_, D, B, _>(kernel, all, rule),
        A::Tightest => embed::<LeastLoss<Inline<D, B>>, D, B, _>(kernel, LeastLoss::new(), rule),
        A::TightestU16 => {
            type Halved<const D: usize, const B: usize> =
                LeastLoss<Inline<D, B>, Cached<Inline<D, B>, u16>>;
            embed::<Halved<D, B>, D, B, _>(kernel, LeastLoss::new(), rule)
        }
        A::Projectron => embed::<_, D, B, _>(kernel, tolerant(Stop), rule),
        A::ProjectronPlus => embed::<_, D, B, _>(kernel, margins(Stop), unit),
        A::BpaS => embed::<_, D, B, _>(kernel, Compensating, passive),
        A::Merge => embed::<_, D, B, _>(kernel, Merging, rule),
        A::Bsgd => embed::<_, D, B, _>(kernel, Merging, shrinking),
        _ => panic!("it learns whole numbers"),
    }
}

/// Tightest that remembers all similarities.
pub fn tightest_cached<const D: usize, const B: usize>(settings: &Settings) -> Box<dyn Learner> {
    let Some(AnyKernel::Gaussian(kernel)) = settings.kernel else {
        panic!("only the Gaussian is embedded")
    };
    type WithIdentities<const D: usize, const B: usize> =
        LeastLoss<Inline<D, B>, Cached<Inline<D, B>>>;
    let rule = MarginRule::new(1.0).with_margin(settings.margin);
    embed::<WithIdentities<D, B>, D, B, _>(kernel, LeastLoss::new(), rule)
}

/// A learner around any policy and rule.
pub fn embed<P, const D: usize, const B: usize, R>(
    kernel: Gaussian,
    policy: P,
    rule: R,
) -> Box<dyn Learner>
where
    P: Policy<Gaussian, Inline<D, B>> + 'static,
    R: Rule + 'static,
{
    Box::new(Embedded(KernelPerceptron::with_policy(
        kernel, policy, rule,
    )))
}
