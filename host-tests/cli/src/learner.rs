//! The core's learners, chosen by name at run time.

mod format;
mod recalled;

pub use format::{Format, HostFormat};

use std::borrow::Cow;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use pocketron::{
    budget::{
        CacheFormat, Cached, Compensating, Counts, Everything, FewestErrors, Forget, LargestMargin,
        LeastLoss, Merging, NoBudget, Oldest, OnSupport, Policy, Projecting, ProjectingMargins,
        Random, Ranking, Reservoir, Stop,
    },
    classifier::{OnlineClassifier, Outcome, Scorer},
    error::InputError,
    hypothesis::Expansion,
    kernel::{ArdGaussian, Gaussian, KernelIn, Uniform},
    label::Sign,
    learners::{
        continual::{AnnealedSteps, Binary, ContinualLearner, StepRule, Uneven},
        perceptron::{KernelPerceptron, Perceptron},
    },
    persist::Element,
    rule::{Balanced, F1, MarginRule, PassiveAggressive, Rule, Shrinking},
    storage::point::Feature,
};

use recalled::Recalled;

use crate::{
    heap::{Heap, HeapPoints},
    kernel::AnyKernel,
};

/// Tightest as the host runs it: the memory for the cache is there.
type CachedLeastLoss<F, E = <F as Feature>::Number> = LeastLoss<Heap<F>, Cached<Heap<F>, E>>;

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
    #[value(alias = "tighter-0")]
    Tighter0,
    /// Tighter, validated on a sample as large as the budget.
    #[value(alias = "tighter-b")]
    Tighter,
    /// Tighter, validated on everything seen.
    #[value(name = "tighterfull", alias = "tighter-full")]
    TighterFull,
    /// Tightest.
    Tightest,
    /// Tightest, with 16 bits for a similarity in its cache: a matter of memory, not an algorithm to choose.
    #[value(skip)]
    TightestU16,
    /// Projectron.
    Projectron,
    /// Projectron++.
    #[value(name = "projectron++")]
    ProjectronPlus,
    /// Budgeted passive-aggressive, simple removal.
    BpaS,
    /// Merging with unit margin steps.
    #[value(alias = "merging")]
    Merge,
    /// Merging with shrinking steps.
    Bsgd,
    /// The default learner: fixed point, standardised in the stream, nothing to tune.
    Pocketron,
    /// The default learner with margins and steps for few balanced errors.
    PocketronBalanced,
    /// The default learner with margins for a high F1.
    #[value(name = "pocketron-f1")]
    PocketronF1,
}

impl Algorithm {
    /// Whether it is the default learner, or the same for a rare class.
    pub fn is_pocketron(self) -> bool {
        use Algorithm as A;
        matches!(self, A::Pocketron | A::PocketronBalanced | A::PocketronF1)
    }
}

/// Parameters of a learner.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Similarity of two points; `None` for the default learner's own, or the dot product of others.
    pub kernel: Option<AnyKernel>,
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
    fn alphas(&self) -> Cow<'_, [f32]>;

    /// Tightest's counts, in slot order.
    fn counts(&self) -> Option<&[Counts]>;
}

/// Policies whose insides a trace shows.
pub trait Shown {
    /// Tightest's counts.
    fn counts(&self) -> Option<&[Counts]> {
        None
    }
}

impl Shown for NoBudget {}
impl Shown for Stop {}
impl Shown for Random {}
impl Shown for Oldest {}
impl<F: Feature> Shown for LargestMargin<Heap<F>> {}
impl Shown for Forget {}
impl<V> Shown for FewestErrors<V> {}
impl<P, F: Feature> Shown for Projecting<P, Heap<F>> {}
impl<P, F: Feature> Shown for ProjectingMargins<P, Heap<F>> {}
impl Shown for Compensating {}
impl Shown for Merging {}
impl<F: Feature, E: Element> Shown for CachedLeastLoss<F, E> {
    fn counts(&self) -> Option<&[Counts]> {
        Some(LeastLoss::counts(self))
    }
}

impl<K, P, R> Learner for KernelPerceptron<K, P, Heap, R>
where
    K: KernelIn<f32>,
    P: Policy<K, Heap> + Shown,
    R: Rule,
{
    fn learn(&mut self, x: &[f32], label: Sign) -> Result<Outcome<Sign>, InputError> {
        OnlineClassifier::learn(self, x, label)
    }

    fn score(&self, x: &[f32]) -> Result<f32, InputError> {
        Scorer::score(self, x)
    }

    fn alphas(&self) -> Cow<'_, [f32]> {
        self.support().alphas().into()
    }

    fn counts(&self) -> Option<&[Counts]> {
        let counts = self.hypothesis().policy().counts()?;
        counts.get(..self.alphas().len())
    }
}

/// Parameters of a learner, and its problem.
struct Plan<'a> {
    format: Format,
    algorithm: Algorithm,
    settings: &'a Settings,
    dim: usize,
    budget: usize,
    examples: usize,
}

/// Assembles `algorithm` for streams of `examples` examples of `dim` features.
pub fn build(
    algorithm: Algorithm,
    settings: &Settings,
    dim: usize,
    examples: usize,
) -> Result<Box<dyn Learner>> {
    build_in(Format::F32, algorithm, settings, dim, examples)
}

/// The same over features of any format.
pub fn build_in(
    format: Format,
    algorithm: Algorithm,
    settings: &Settings,
    dim: usize,
    examples: usize,
) -> Result<Box<dyn Learner>> {
    let budget = match algorithm {
        Algorithm::Perceptron => examples,
        _ => settings.budget.unwrap_or(examples),
    };
    if dim == 0 || budget == 0 {
        bail!("a learner needs at least one feature and a budget of at least one");
    }
    let plan = Plan {
        format,
        algorithm,
        settings,
        dim,
        budget,
        examples,
    };
    let kernel = settings.kernel.unwrap_or_default();
    let gaussian = || match kernel {
        AnyKernel::Gaussian(kernel) => Ok(kernel),
        _ if format.is_whole() => bail!("fixed-point features need a Gaussian kernel (rbf:GAMMA)"),
        _ => bail!("merging needs a Gaussian kernel (rbf:GAMMA)"),
    };
    use Algorithm as A;
    match (format, algorithm) {
        (_, algorithm) if algorithm.is_pocketron() => pocketron(&plan),
        (Format::F32 | Format::F32Scaled, A::Merge | A::Bsgd) => merging::<f32>(&plan, gaussian()?),
        (Format::F32 | Format::F32Scaled, A::TightestU16) => half_cached::<f32>(&plan, gaussian()?),
        (Format::F32, A::TighterFull) => {
            let rule = margin(settings)?;
            learner::<f32, _, _, _>(&plan, kernel, Recalled::new(dim), rule)
        }
        (Format::F32 | Format::F32Scaled, _) => keeping::<f32, _>(&plan, kernel),
        (Format::I16, A::Merge | A::Bsgd) => merging::<i16>(&plan, gaussian()?),
        (Format::I16, A::TightestU16) => half_cached::<i16>(&plan, gaussian()?),
        (Format::I16, _) => keeping::<i16, _>(&plan, gaussian()?),
        (Format::I8, A::Merge | A::Bsgd) => merging::<i8>(&plan, gaussian()?),
        (Format::I8, A::TightestU16) => half_cached::<i8>(&plan, gaussian()?),
        (Format::I8, _) => keeping::<i8, _>(&plan, gaussian()?),
    }
}

/// Vectors of the default learner that fit into the bytes of so many of Tightest's with `f32` features, `4 D + 13` each:
/// `D + 3` for one of its own, and `12 D + 56` for the rest of the model; a test holds them against the types.
pub fn pocketron_budget(dim: usize, vectors: usize) -> usize {
    budget_in_bytes_of(Algorithm::Pocketron, dim, vectors)
}

/// The same for one of its kinds.
pub fn budget_in_bytes_of(algorithm: Algorithm, dim: usize, vectors: usize) -> usize {
    budget_in(algorithm, dim, tightest_bytes(dim) * vectors)
}

/// The same for a number of bytes.
pub fn budget_in(algorithm: Algorithm, dim: usize, bytes: usize) -> usize {
    bytes.saturating_sub(bytes_beside_vectors(algorithm, dim)) / (dim + 3)
}

/// Bytes of one of the default learner's kinds beside its vectors: those that count the classes have 8 more.
fn bytes_beside_vectors(algorithm: Algorithm, dim: usize) -> usize {
    let counts = match algorithm {
        Algorithm::Pocketron => 0,
        _ => 8,
    };
    12 * dim + 56 + counts
}

/// Bytes of a vector of Tightest with `f32` features, in which those of others are told.
pub fn tightest_bytes(dim: usize) -> usize {
    4 * dim + 13
}

/// The default learner on the heap, its type not forgotten: for what goes around it.
pub type HeapPocketron<R = AnnealedSteps<30, 4>> =
    ContinualLearner<Heap<i8>, Heap<i8>, Binary<R>, 2, 1>;

/// Why the default learner takes no other kernel.
pub const OWN_KERNEL: &str =
    "pocketron has a kernel of its own; rbf:GAMMA is the width it starts from";

/// The default learner of `dim` features with `budget` support vectors.
pub fn heap_pocketron(dim: usize, budget: usize) -> HeapPocketron {
    ContinualLearner::with_points(ArdGaussian::new(), HeapPoints::new(dim, budget)).with_room()
}

/// The kernel of the default learner.
pub fn own_kernel(kernel: Option<AnyKernel>) -> Result<ArdGaussian<Heap<i8>>> {
    Ok(match kernel {
        None => ArdGaussian::new(),
        Some(AnyKernel::Gaussian(width)) => ArdGaussian::starting_from(width)?,
        Some(_) => bail!(OWN_KERNEL),
    })
}

/// The default learner.
fn pocketron(plan: &Plan<'_>) -> Result<Box<dyn Learner>> {
    fn with_rule<R: StepRule + 'static>(plan: &Plan<'_>) -> Result<Box<dyn Learner>> {
        let kernel = own_kernel(plan.settings.kernel)?;
        let points = HeapPoints::new(plan.dim, plan.budget);
        let learner = HeapPocketron::<R>::with_points(kernel, points);
        Ok(Box::new(learner.with_room()))
    }
    type Rule = AnnealedSteps<30, 4>;
    match plan.algorithm {
        Algorithm::PocketronBalanced => with_rule::<Uneven<Rule, Balanced>>(plan),
        Algorithm::PocketronF1 => with_rule::<Uneven<Rule, F1>>(plan),
        _ => with_rule::<Rule>(plan),
    }
}

impl<R: StepRule> Learner for HeapPocketron<R> {
    fn learn(&mut self, x: &[f32], label: Sign) -> Result<Outcome<Sign>, InputError> {
        OnlineClassifier::learn(self, x, label)
    }

    fn score(&self, x: &[f32]) -> Result<f32, InputError> {
        Scorer::score(self, x)
    }

    fn alphas(&self) -> Cow<'_, [f32]> {
        let rows = self.vectors().rows().iter();
        rows.map(|row| row.coefficient(0)).collect()
    }

    fn counts(&self) -> Option<&[Counts]> {
        None
    }
}

/// A learner around a policy.
fn learner<F, K, P, R>(plan: &Plan<'_>, kernel: K, policy: P, rule: R) -> Result<Box<dyn Learner>>
where
    F: HostFormat,
    K: KernelIn<F> + 'static,
    P: Policy<K, Heap<F>> + Shown + 'static,
    R: Rule + 'static,
{
    let learner = perceptron(plan, kernel, policy, rule)?;
    Ok(F::boxed(learner, plan.dim, plan.format))
}

fn perceptron<F, K, P, R>(
    plan: &Plan<'_>,
    kernel: K,
    policy: P,
    rule: R,
) -> Result<KernelPerceptron<K, P, Heap<F>, R>>
where
    F: Feature,
    K: KernelIn<F>,
    P: Policy<K, Heap<F>>,
    R: Rule,
{
    let points = HeapPoints::new(plan.dim, plan.budget);
    let expansion = Expansion::with_points(kernel, policy, points);
    Ok(Perceptron::from_parts(expansion, rule).checked()?)
}

/// Unit steps up to the margin.
fn margin(settings: &Settings) -> Result<MarginRule> {
    let rule = MarginRule::new(1.0).with_margin(settings.margin).checked();
    rule.context("--beta")
}

/// Learners that merge.
fn merging<F: HostFormat>(plan: &Plan<'_>, kernel: Gaussian) -> Result<Box<dyn Learner>>
where
    Gaussian: Ranking<F>,
{
    if plan.algorithm == Algorithm::Merge {
        return learner::<F, _, _, _>(plan, kernel, Merging, margin(plan.settings)?);
    }
    let lambda = plan.settings.lambda.unwrap_or(10.0 / plan.examples as f32);
    let rule = Shrinking::new(lambda).context("--lambda")?;
    learner::<F, _, _, _>(plan, kernel, Merging, rule)
}

/// Tightest with a smaller cache, which wants similarities from zero to one.
fn half_cached<F: HostFormat>(plan: &Plan<'_>, kernel: Gaussian) -> Result<Box<dyn Learner>>
where
    Gaussian: KernelIn<F>,
    u16: CacheFormat<Gaussian, F::Number>,
{
    let policy = CachedLeastLoss::<F, u16>::new();
    learner::<F, _, _, _>(plan, kernel, policy, margin(plan.settings)?)
}

/// Learners that keep samples as they are.
fn keeping<F, K>(plan: &Plan<'_>, kernel: K) -> Result<Box<dyn Learner>>
where
    F: HostFormat,
    K: KernelIn<F> + Uniform + 'static,
{
    use Algorithm as A;
    let &Plan {
        settings, budget, ..
    } = plan;
    let &Settings {
        seed, tolerance, ..
    } = settings;
    let rule = margin(settings)?;
    let sample = |size| HeapPoints::new(plan.dim, size);

    macro_rules! learner {
        ($policy:expr) => {
            learner!($policy, rule)
        };
        ($policy:expr, $rule:expr) => {
            learner::<F, _, _, _>(plan, kernel, $policy, $rule)
        };
    }
    match plan.algorithm {
        A::Perceptron => learner!(NoBudget),
        A::Stoptron => learner!(Stop),
        A::Random => learner!(Random::new(seed)),
        A::RemoveOldest => learner!(Oldest::new()),
        A::Fixed => learner!(LargestMargin::new()),
        A::Forgetron => learner!(Forget::new()),
        A::Tighter0 => learner!(FewestErrors::new(OnSupport)),
        A::Tighter => {
            let validation = Reservoir::<Heap<F>>::with_points(sample(budget), seed);
            learner!(FewestErrors::new(validation))
        }
        A::TighterFull => {
            let validation = Everything::<Heap<F>>::with_points(sample(plan.examples), seed);
            learner!(FewestErrors::new(validation))
        }
        A::Tightest => learner!(CachedLeastLoss::<F>::new()),
        A::TightestU16 => bail!("a 16-bit cache needs a Gaussian kernel (rbf:GAMMA)"),
        A::Projectron => learner!(Projecting::new(Stop, tolerance)?),
        A::ProjectronPlus => learner!(ProjectingMargins::new(Stop, tolerance)?, {
            MarginRule::new(1.0).with_margin(settings.margin.max(1.0))
        }),
        A::BpaS => {
            let rule = PassiveAggressive::new(settings.aggressiveness).context("--C")?;
            learner!(Compensating, rule)
        }
        _ => bail!("this learner merges vectors"),
    }
}
