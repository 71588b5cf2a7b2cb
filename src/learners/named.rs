//! Famous combinations by name.

use crate::{
    budget::{
        self, Cached, Compensating, Everything, FewestErrors, Forget, LargestMargin, LeastLoss,
        Merging, Oldest, OnSupport, Projecting, ProjectingMargins, Random, Reservoir, Stop,
    },
    kernel::Gaussian,
    learners::{
        continual::{Binary, ContinualLearner, Settling, Top, Uneven},
        perceptron::KernelPerceptron,
    },
    rule::{Balanced, MarginRule, PassiveAggressive, Shrinking},
    storage::{Features, Inline, point::Feature},
};

/// The default learner for two classes: raw features in, nothing to tune, learns from the first example.
///
/// See [`continual`](crate::learners::continual) for what it does.
///
/// ```
/// use pocketron::prelude::*;
///
/// // 3 features, 40 support vectors: 332 bytes.
/// let mut model = Pocketron::<3, 40>::new();
/// for n in 0..10 {
///     // First what is cold, then what is hot.
///     let hot = n >= 5;
///     let (temperature, humidity) = (20.0 + 9.0 * f32::from(hot), (n % 3) as f32);
///     let label = if hot { Sign::Pos } else { Sign::Neg };
///     model.learn(&[temperature, humidity, 1013.0], label)?;
/// }
/// assert_eq!(model.predict(&[28.0, 1.0, 1013.0])?, Sign::Pos);
/// assert_eq!(model.predict(&[21.0, 2.0, 1013.0])?, Sign::Neg);
/// assert_eq!(size_of_val(&model), 332);
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
///
/// A width that is known is a better start than the usual `3 / D`:
///
/// ```
/// use pocketron::prelude::*;
/// let model = Pocketron::<3, 40>::with_gamma(2.0)?;
/// # Ok::<(), pocketron::error::ConfigError>(())
/// ```
pub type Pocketron<const D: usize, const B: usize> =
    ContinualLearner<Features<D>, Inline<D, B, i8>, Binary<Settling<30, 4>>, 2, 1>;

/// The default learner for `C` classes: raw features in, nothing to tune, learns from the first example.
///
/// Classes may be taught in any order, and appear at any time.
///
/// ```
/// use pocketron::{label::Class, prelude::*};
///
/// // 2 features, 30 support vectors, up to 4 classes: 328 bytes.
/// let mut model = PocketronMulti::<2, 30, 4>::new();
/// for n in 0..15_u8 {
///     // Three classes, five examples each, one class after the other.
///     let class = n / 5;
///     let x = [f32::from(class) * 10.0 + f32::from(n % 5), 1013.0 + f32::from(n % 3)];
///     model.learn(&x, Class(class))?;
/// }
/// assert_eq!(model.predict(&[12.0, 1014.0])?, Class(1));
/// assert_eq!(size_of_val(&model), 328);
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
///
/// An update moves the true class and the best wrong one. The alternative moves every class that
/// is too close to the wrong side, each with steps of its own; it adds `8 C - 8` bytes:
///
/// ```
/// use pocketron::{learners::continual::{Each, Settling}, prelude::*};
/// let model = PocketronMulti::<2, 30, 4, Each<Settling<35, 3>, 4>>::new();
/// assert_eq!(size_of_val(&model), 352);
/// ```
pub type PocketronMulti<const D: usize, const B: usize, const C: usize, U = Top<Settling<35, 3>>> =
    ContinualLearner<Features<D>, Inline<D, B, i8>, U, C>;

/// Pocketron where one class is rare: `W` says how much more it counts.
///
/// [`Balanced`] is for few errors in each class, however rare it is; [`F1`](crate::rule::F1) for alarms that
/// should be right. Both count the classes in the stream, in 8 bytes more than [`Pocketron`] has.
///
/// ```
/// use pocketron::{classifier::Scorer, prelude::*, rule::F1};
///
/// let mut model = PocketronRare::<2, 24>::new();
/// let mut careful = PocketronRare::<2, 24, F1>::new();
/// for n in 0..2000 {
///     // One part in fifty is bad, and longer by more than it varies.
///     let bad = n % 50 == 0;
///     let x = [10.0 + (n % 7) as f32 * 0.1 + if bad { 0.5 } else { 0.0 }, (n % 11) as f32];
///     let label = if bad { Sign::Pos } else { Sign::Neg };
///     model.learn(&x, label)?;
///     careful.learn(&x, label)?;
/// }
/// assert_eq!(model.predict(&[10.9, 3.0])?, Sign::Pos);
/// // Between the two the first rather gives an alarm.
/// assert!(model.score(&[10.7, 3.0])? > careful.score(&[10.7, 3.0])?);
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
pub type PocketronRare<const D: usize, const B: usize, W = Balanced> =
    ContinualLearner<Features<D>, Inline<D, B, i8>, Binary<Uneven<Settling<30, 4>, W>>, 2, 1>;

/// Kernel perceptron that keeps every mistake while its `B` slots last.
pub type Unbounded<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, budget::NoBudget, Inline<D, B, F>>;

/// Learns until `B` vectors are stored, then stops.
pub type Stoptron<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, Stop, Inline<D, B, F>>;

/// Discards a vector at random.
pub type RandomBudget<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, Random, Inline<D, B, F>>;

/// Discards the oldest vector.
pub type RemoveOldest<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, Oldest, Inline<D, B, F>>;

/// Discards the vector with the largest margin.
pub type FixedBudget<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, LargestMargin<Inline<D, B, F>>, Inline<D, B, F>>;

/// Self-tuned Forgetron: shrinks, then discards the oldest.
pub type Forgetron<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, Forget, Inline<D, B, F>>;

/// Tighter on the support vectors themselves.
pub type Tighter0<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, FewestErrors<OnSupport>, Inline<D, B, F>>;

/// Tighter on a sample of `A` seen points that are not support vectors.
pub type Tighter<const D: usize, const B: usize, const A: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, FewestErrors<Reservoir<Inline<D, A, F>>>, Inline<D, B, F>>;

/// Tighter on everything seen, up to `A` points.
pub type TighterFull<const D: usize, const B: usize, const A: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, FewestErrors<Everything<Inline<D, A, F>>>, Inline<D, B, F>>;

/// Tightest: discards the vector of least expected hinge loss.
pub type Tightest<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, LeastLoss<Inline<D, B, F>>, Inline<D, B, F>>;

/// Tightest that remembers all similarities of its vectors, each as an `E`: what the format `F` computes with, or `u16`.
pub type TightestCached<
    const D: usize,
    const B: usize,
    K = Gaussian,
    F = f32,
    E = <F as Feature>::Number,
> = KernelPerceptron<K, LeastLoss<Inline<D, B, F>, Cached<Inline<D, B, F>, E>>, Inline<D, B, F>>;

/// Projects mistakes onto the span of the stored vectors.
pub type Projectron<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, Projecting<Stop, Inline<D, B, F>>, Inline<D, B, F>>;

/// Projectron that also learns from margin errors.
pub type ProjectronPlus<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, ProjectingMargins<Stop, Inline<D, B, F>>, Inline<D, B, F>, MarginRule>;

/// Budgeted passive-aggressive learner, simple removal.
pub type BpaS<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, Compensating, Inline<D, B, F>, PassiveAggressive>;

/// Merges two vectors when full; steps by a margin rule.
///
/// ```
/// use pocketron::prelude::*;
/// let rule = MarginRule::new(1.0).with_margin(1.0); // unit steps while y f(x) <= 1
/// let mut model = MergingPerceptron::<2, 20>::with_rule(Gaussian::new(0.5)?, rule);
/// assert!(model.learn(&[1.0, 0.0], Sign::Pos)?.changed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type MergingPerceptron<const D: usize, const B: usize, F = f32> =
    KernelPerceptron<Gaussian, Merging, Inline<D, B, F>, MarginRule>;

/// Budgeted stochastic gradient descent: merging with shrinking steps.
///
/// ```
/// use pocketron::prelude::*;
/// let rule = Shrinking::new(10.0 / 5_000.0)?; // for about 5,000 examples
/// let mut model = Bsgd::<2, 20>::with_rule(Gaussian::new(0.5)?, rule);
/// assert!(model.learn(&[1.0, 0.0], Sign::Pos)?.changed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Bsgd<const D: usize, const B: usize, F = f32> =
    KernelPerceptron<Gaussian, Merging, Inline<D, B, F>, Shrinking>;
