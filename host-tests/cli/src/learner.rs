//! The core's learners, chosen by name at run time.

mod format;
mod recalled;

pub use format::Format;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use pocketron::{
    budget::{
        Compensating, Counts, Everything, FewestErrors, Forget, LargestMargin, LeastLoss, Merging,
        NoBudget, Oldest, OnSupport, Projecting, ProjectingMargins, Random, Reservoir, Stop,
    },
    classifier::{OnlineClassifier, Outcome, Scorer},
    error::InputError,
    hypothesis::Expansion,
    kernel::{ArdGaussian, Kernel},
    label::Sign,
    learners::{
        continual::{AnnealedSteps, Binary, ContinualLearner},
        perceptron::Perceptron,
    },
    persist::Blank,
    rule::{MarginRule, PassiveAggressive, Shrinking},
    storage::point::{Feature, MOST_FEATURES},
    wrap::NO_CLAMP,
};

use recalled::Recalled;

use crate::{
    heap::{Heap, HeapPoints},
    kernel::AnyKernel,
    model::{
        BoxedLearner, Build,
        binary::Leaf,
        classes::BinaryUpdate,
        parts::{
            AnyHistory, AnyPolicy, AnyRule, GaussianPolicy, KeepingPolicy, PlainRule, SlotPolicy,
        },
    },
    scaled::Scaled,
};

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
    fn alphas(&self) -> Vec<f32>;

    /// Tightest's counts, in slot order.
    fn counts(&self) -> Option<&[Counts]>;
}

impl Learner for BoxedLearner<Sign> {
    fn learn(&mut self, x: &[f32], label: Sign) -> Result<Outcome<Sign>, InputError> {
        OnlineClassifier::learn(self, x, label)
    }

    fn score(&self, x: &[f32]) -> Result<f32, InputError> {
        Scorer::score(self, x)
    }

    fn alphas(&self) -> Vec<f32> {
        self.alphas()
    }

    fn counts(&self) -> Option<&[Counts]> {
        self.counts()
    }
}

/// Parameters of a learner, and its problem.
struct Plan<'a> {
    algorithm: Algorithm,
    settings: &'a Settings,
    dim: usize,
    budget: usize,
    examples: usize,
}

/// Fails if a learner in fixed point would have more features than its sums can hold.
pub fn check_features(is_fixed: bool, dim: usize) -> Result<()> {
    if is_fixed && dim > MOST_FEATURES {
        bail!("{dim} features, learners in fixed point have {MOST_FEATURES} at most");
    }
    Ok(())
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
    check_features(format.is_fixed() || algorithm.is_pocketron(), dim)?;
    let plan = Plan {
        algorithm,
        settings,
        dim,
        budget,
        examples,
    };
    match format {
        _ if algorithm.is_pocketron() => plan.default_learner(),
        Format::F32 if algorithm == Algorithm::TighterFull => plan.recalled(),
        Format::F32 => Ok(Box::new(plan.learner::<f32>()?)),
        Format::F32Scaled => plan.scaled::<f32>(),
        Format::I16 => plan.scaled::<i16>(),
        Format::I8 => plan.scaled::<i8>(),
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
pub type HeapPocketron = ContinualLearner<Heap<i8>, Heap<i8>, Binary<AnnealedSteps<30, 4>>, 2, 1>;

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

impl Plan<'_> {
    /// The default learner.
    fn default_learner(&self) -> Result<Box<dyn Learner>> {
        let update = match self.algorithm {
            Algorithm::PocketronBalanced => BinaryUpdate::Balanced,
            Algorithm::PocketronF1 => BinaryUpdate::F1,
            _ => BinaryUpdate::Plain,
        };
        let points = HeapPoints::new(self.dim, self.budget);
        let parts = (own_kernel(self.settings.kernel)?, points);
        Ok(Box::new(update.learner(parts)))
    }

    /// The papers' learner over features of that format.
    fn learner<F: Leaf>(&self) -> Result<BoxedLearner<Sign, F>> {
        let points = HeapPoints::new(self.dim, self.budget);
        let rest = (self.rule()?, AnyHistory::Last(Blank::BLANK));
        let learner = F::assemble(self.kernel()?, self.policy()?, points, rest);
        learner.with_context(|| {
            let what = match self.algorithm {
                Algorithm::Merge | Algorithm::Bsgd => "merging needs",
                Algorithm::TightestU16 => "a 16-bit cache needs",
                _ => "fixed-point features need",
            };
            format!("{what} a Gaussian kernel (rbf:GAMMA)")
        })
    }

    /// The same behind a scale that makes its features.
    fn scaled<F: Leaf>(&self) -> Result<Box<dyn Learner>>
    where
        Sign: Build<F>,
    {
        let scaled = Scaled::new(Box::new(self.learner::<F>()?), self.dim, NO_CLAMP);
        Ok(Box::new(BoxedLearner::new(scaled)))
    }

    /// Tighter-Full by the faster route.
    fn recalled(&self) -> Result<Box<dyn Learner>> {
        let points = HeapPoints::new(self.dim, self.budget);
        let expansion = Expansion::with_points(self.kernel()?, Recalled::new(self.dim), points);
        Ok(Box::new(Perceptron::from_parts(expansion, self.rule()?)))
    }

    fn kernel(&self) -> Result<AnyKernel> {
        let kernel = self.settings.kernel.unwrap_or_default();
        kernel.check()?;
        Ok(kernel)
    }

    fn rule(&self) -> Result<AnyRule> {
        let settings = self.settings;
        let margin = |margin| -> Result<PlainRule> {
            let rule = MarginRule::new(1.0).with_margin(margin).checked();
            Ok(PlainRule::Margin(rule.context("--beta")?))
        };
        let rule = match self.algorithm {
            Algorithm::BpaS => PlainRule::PassiveAggressive(
                PassiveAggressive::new(settings.aggressiveness).context("--C")?,
            ),
            Algorithm::Bsgd => {
                let lambda = settings.lambda.unwrap_or(10.0 / self.examples as f32);
                PlainRule::Shrinking(Shrinking::new(lambda).context("--lambda")?)
            }
            Algorithm::ProjectronPlus => margin(settings.margin.max(1.0))?,
            _ => margin(settings.margin)?,
        };
        Ok(AnyRule::Plain(rule))
    }

    fn policy<F: Feature>(&self) -> Result<AnyPolicy<F>> {
        use Algorithm as A;
        use KeepingPolicy as P;
        let Settings {
            seed, tolerance, ..
        } = *self.settings;
        let sample = |size| HeapPoints::new(self.dim, size);
        let stop = SlotPolicy::Stop(Stop);
        Ok(AnyPolicy::Keeping(match self.algorithm {
            A::Merge | A::Bsgd => return Ok(AnyPolicy::Gaussian(GaussianPolicy::Merging(Merging))),
            A::TightestU16 => {
                let policy = GaussianPolicy::HalfCached(LeastLoss::new());
                return Ok(AnyPolicy::Gaussian(policy));
            }
            A::Perceptron => P::Slot(SlotPolicy::NoBudget(NoBudget)),
            A::Stoptron => P::Slot(stop),
            A::Random => P::Slot(SlotPolicy::Random(Random::new(seed))),
            A::RemoveOldest => P::Slot(SlotPolicy::Oldest(Oldest::new())),
            A::Fixed => P::LargestMargin(LargestMargin::new()),
            A::Forgetron => P::Forget(Forget::new()),
            A::Tighter0 => P::OnSupport(FewestErrors::new(OnSupport)),
            A::Tighter => {
                let validation = Reservoir::with_points(sample(self.budget), seed);
                P::Reservoir(FewestErrors::new(validation))
            }
            A::TighterFull => {
                let validation = Everything::with_points(sample(self.examples), seed);
                P::Everything(FewestErrors::new(validation))
            }
            A::Tightest => P::Cached(LeastLoss::new()),
            A::Projectron => P::Projecting(Projecting::new(stop, tolerance)?),
            A::ProjectronPlus => P::ProjectingMargins(ProjectingMargins::new(stop, tolerance)?),
            A::BpaS => P::Compensating(Compensating),
            A::Pocketron | A::PocketronBalanced | A::PocketronF1 => {
                bail!("the default learner has no policy to choose")
            }
        }))
    }
}
