//! The core's learners, chosen by name at run time.

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use pocketron::{
    budget::{
        Compensating, Counts, Everything, FewestErrors, Forget, LargestMargin, LeastLoss, Merging,
        Oldest, OnSupport, Policy, Projecting, ProjectingMargins, Random, Reservoir, Stop,
        Unbounded,
    },
    error::InputError,
    hypothesis::Expansion,
    kernel::Kernel,
    label::Sign,
    perceptron::{KernelPerceptron, Outcome, Perceptron},
    rule::{MarginRule, PassiveAggressive, Rule, Shrinking},
};

use crate::{
    heap::{Heap, HeapPoints},
    kernel::AnyKernel,
};

/// Tightest as the host runs it: the memory for the cache is there.
type CachedLeastLoss = LeastLoss<Heap, pocketron::budget::Cached<Heap>>;

/// An algorithm of the papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    /// Kernel perceptron: keeps every mistake.
    Perceptron,
    /// Learns until the budget is full.
    Stoptron,
    /// Discards at random.
    Random,
    /// Discards the oldest.
    RemoveOldest,
    /// Fixed Budget: discards the largest margin.
    Fixed,
    /// Self-tuned Forgetron.
    Forgetron,
    /// Tighter, validated on the support vectors.
    Tighter0,
    /// Tighter, validated on a sample as large as the budget.
    Tighter,
    /// Tighter, validated on everything seen.
    #[value(name = "tighterfull")]
    TighterFull,
    /// Tightest.
    Tightest,
    /// Projectron.
    Projectron,
    /// Projectron++.
    #[value(name = "projectron++")]
    ProjectronPlus,
    /// Budgeted passive-aggressive, simple removal.
    BpaS,
    /// Merging with unit margin steps.
    Merge,
    /// Merging with shrinking steps.
    Bsgd,
}

/// What a learner is made of.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Similarity of two points.
    pub kernel: AnyKernel,
    /// Support vectors at most; `None` for as many as there are examples.
    pub budget: Option<usize>,
    /// Update while `y f <= margin`.
    pub margin: f32,
    /// Seed of whatever is drawn.
    pub seed: u32,
    /// Squared residual below which Projectron folds in.
    pub tolerance: f32,
    /// Largest step of BPA-S.
    pub aggressiveness: f32,
    /// Regularisation of BSGD; `None` for `10 / examples`.
    pub lambda: Option<f32>,
}

/// A binary learner whose type is forgotten.
pub trait Learner {
    /// Predicts, then learns.
    fn learn(&mut self, x: &[f32], label: Sign) -> Result<Outcome<Sign>, InputError>;

    /// `f(x)`.
    fn score(&self, x: &[f32]) -> Result<f32, InputError>;

    /// Signed coefficients, in slot order.
    fn alphas(&self) -> &[f32];

    /// Tightest's counts, in slot order.
    fn counts(&self) -> Option<&[Counts]>;
}

/// Policies whose insides a trace shows.
trait Shown {
    fn counts(&self) -> Option<&[Counts]> {
        None
    }
}

impl Shown for Unbounded {}
impl Shown for Stop {}
impl Shown for Random {}
impl Shown for Oldest {}
impl Shown for LargestMargin<Heap> {}
impl Shown for Forget {}
impl<V> Shown for FewestErrors<V> {}
impl<P> Shown for Projecting<P, Heap> {}
impl<P> Shown for ProjectingMargins<P, Heap> {}
impl Shown for Compensating {}
impl Shown for Merging {}
impl Shown for CachedLeastLoss {
    fn counts(&self) -> Option<&[Counts]> {
        Some(LeastLoss::counts(self))
    }
}

impl<K, P, R> Learner for KernelPerceptron<K, P, Heap, R>
where
    K: Kernel,
    P: Policy<K, Heap> + Shown,
    R: Rule,
{
    fn learn(&mut self, x: &[f32], label: Sign) -> Result<Outcome<Sign>, InputError> {
        Perceptron::learn(self, x, label)
    }

    fn score(&self, x: &[f32]) -> Result<f32, InputError> {
        Perceptron::score(self, x)
    }

    fn alphas(&self) -> &[f32] {
        self.support().alphas()
    }

    fn counts(&self) -> Option<&[Counts]> {
        let counts = self.hypothesis().policy().counts()?;
        counts.get(..self.alphas().len())
    }
}

/// Assembles `algorithm` for streams of `examples` examples of `dim` features.
pub fn build(
    algorithm: Algorithm,
    settings: &Settings,
    dim: usize,
    examples: usize,
) -> Result<Box<dyn Learner>> {
    use Algorithm as A;
    let Settings { kernel, seed, .. } = *settings;
    let budget = match algorithm {
        A::Perceptron => examples,
        _ => settings.budget.unwrap_or(examples),
    };
    if dim == 0 || budget == 0 {
        bail!("a learner needs at least one feature and a budget of at least one");
    }
    let points = || HeapPoints::new(dim, budget);
    let sample = |size| HeapPoints::new(dim, size);
    let rule = MarginRule::new(1.0).with_margin(settings.margin).checked();
    let rule = rule.context("--beta")?;
    let tolerance = settings.tolerance;

    macro_rules! learner {
        ($policy:expr) => {
            learner!($policy, kernel, rule)
        };
        ($policy:expr, $kernel:expr, $rule:expr) => {{
            let expansion = Expansion::<_, _, Heap>::with_points($kernel, $policy, points());
            Box::new(Perceptron::from_parts(expansion, $rule).checked()?) as Box<dyn Learner>
        }};
    }
    let gaussian = || match kernel {
        AnyKernel::Gaussian(kernel) => Ok(kernel),
        _ => bail!("merging needs a Gaussian kernel (rbf:GAMMA)"),
    };
    Ok(match algorithm {
        A::Perceptron => learner!(Unbounded),
        A::Stoptron => learner!(Stop),
        A::Random => learner!(Random::new(seed)),
        A::RemoveOldest => learner!(Oldest::new()),
        A::Fixed => learner!(LargestMargin::new()),
        A::Forgetron => learner!(Forget::new()),
        A::Tighter0 => learner!(FewestErrors::new(OnSupport)),
        A::Tighter => {
            let validation = Reservoir::<Heap>::with_points(sample(budget), seed);
            learner!(FewestErrors::new(validation))
        }
        A::TighterFull => {
            let validation = Everything::<Heap>::with_points(sample(examples), seed);
            learner!(FewestErrors::new(validation))
        }
        A::Tightest => learner!(CachedLeastLoss::new()),
        A::Projectron => learner!(Projecting::new(Stop, tolerance)?),
        A::ProjectronPlus => learner!(ProjectingMargins::new(Stop, tolerance)?, kernel, {
            MarginRule::new(1.0).with_margin(settings.margin.max(1.0))
        }),
        A::BpaS => {
            let rule = PassiveAggressive::new(settings.aggressiveness).context("--C")?;
            learner!(Compensating, kernel, rule)
        }
        A::Merge => learner!(Merging, gaussian()?, rule),
        A::Bsgd => {
            let lambda = settings.lambda.unwrap_or(10.0 / examples as f32);
            learner!(
                Merging,
                gaussian()?,
                Shrinking::new(lambda).context("--lambda")?
            )
        }
    })
}
