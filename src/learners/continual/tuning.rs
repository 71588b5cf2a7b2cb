//! Parts that can be switched off, to measure what each of them is worth.

/// Switches for ablation: each constant turns one part of a [`ContinualLearner`](super::ContinualLearner) off. [`AllParts`] has all
/// parts; a program on a device needs no other.
///
/// ```
/// use pocketron::learners::continual::Tuning;
///
/// /// Stored vectors are never rehearsed.
/// #[derive(Clone, Debug)]
/// struct WithoutRehearsal;
/// impl Tuning for WithoutRehearsal {
///     const REHEARSAL: bool = false;
/// }
/// ```
pub trait Tuning {
    /// Stored vectors are rehearsed while others are learned.
    const REHEARSAL: bool = true;
    /// Absent classes are noticed, and their vectors protected.
    const ABSENCE: bool = true;
    /// While a class is absent, merging stays within the class that holds most vectors.
    const QUOTA: bool = true;
    /// Stored vectors follow the scale.
    const REMAPPING: bool = true;
    /// The kernel learns the relevance of features.
    const RELEVANCE: bool = true;
    /// The nearest vector moves.
    const MOVES: bool = true;
    /// Coefficients shrink.
    const SHRINKING: bool = true;
    /// Steps become smaller with time.
    const ANNEALING: bool = true;
    /// Likely wrong labels get smaller steps.
    const ROBUST_TO_NOISE: bool = true;
    /// A class that comes to an old learner is learned in whole steps.
    const NEW_CLASSES: bool = true;
    /// Vectors have a local error rate: one above 1/2 means drift there.
    const LOCAL_ERROR_RATE: bool = true;
}

/// All parts.
#[derive(Clone, Copy, Debug)]
pub struct AllParts;

impl Tuning for AllParts {}
