//! The learner under test. No other file of these tables names its type.

use pocketron::{
    learners::continual::{AllParts, AnnealedSteps, BestWrongClass, Tuning},
    wrap::confidence::Confident,
};

use crate::{
    classes::{CAPACITY, ClassLearner, HeapPocketronMulti, UpdatedClasses, pocketron_bytes},
    heap::HeapPoints,
    learner,
};

/// A part of the learner that can be switched off (ablation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Nothing is switched off: the whole learner.
    None,
    /// Rehearsal of stored vectors.
    Rehearsal,
    /// The notion of absent classes.
    Absence,
    /// Merging within the largest class while a class is absent.
    Quota,
    /// Stored vectors that follow the scale.
    Remapping,
    /// Relevance of features.
    Relevance,
    /// Moves of the nearest vector.
    Moves,
    /// Shrinking, annealing, smaller steps for likely wrong labels, and local error rates: long streams need them.
    AnnealedSteps,
}

/// Switches off constants of the learner.
macro_rules! without {
    ($($name:ident: $($part:ident)*;)*) => { $(
        struct $name;

        impl Tuning for $name {
            $( const $part: bool = false; )*
        }
    )* };
}
without! {
    WithoutRehearsal: REHEARSAL;
    WithoutAbsence: ABSENCE;
    WithoutQuota: QUOTA;
    WithoutRemapping: REMAPPING;
    WithoutRelevance: RELEVANCE;
    WithoutMoves: MOVES;
    WithoutSettling: SHRINKING ANNEALING ROBUST_TO_NOISE LOCAL_ERROR_RATE;
}

impl Part {
    /// All of them, the whole learner first.
    pub const ALL: [Part; 8] = [
        Part::None,
        Part::Rehearsal,
        Part::Absence,
        Part::Quota,
        Part::Remapping,
        Part::Relevance,
        Part::Moves,
        Part::AnnealedSteps,
    ];

    /// Name of the learner without this part.
    pub fn name(self) -> &'static str {
        match self {
            Part::None => "Pocketron",
            Part::Rehearsal => "without rehearsal",
            Part::Absence => "without absent classes",
            Part::Quota => "without quota",
            Part::Remapping => "without remapping",
            Part::Relevance => "without relevance",
            Part::Moves => "without moves",
            Part::AnnealedSteps => "without settling",
        }
    }
}

/// Sizes of all learners of these tables.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Features.
    pub dim: usize,
    /// Classes.
    pub classes: usize,
    /// Support vectors at most.
    pub budget: usize,
}

/// The learner without one of its parts.
pub fn learner(without: Part, shape: Shape) -> anyhow::Result<Box<dyn ClassLearner>> {
    fn with<T: Tuning + 'static>(shape: Shape) -> anyhow::Result<Box<dyn ClassLearner>> {
        Ok(Box::new(bare::<T>(shape)?))
    }
    match without {
        Part::None => with::<AllParts>(shape),
        Part::Rehearsal => with::<WithoutRehearsal>(shape),
        Part::Absence => with::<WithoutAbsence>(shape),
        Part::Quota => with::<WithoutQuota>(shape),
        Part::Remapping => with::<WithoutRemapping>(shape),
        Part::Relevance => with::<WithoutRelevance>(shape),
        Part::Moves => with::<WithoutMoves>(shape),
        Part::AnnealedSteps => with::<WithoutSettling>(shape),
    }
}

type Learner<T> = HeapPocketronMulti<BestWrongClass<AnnealedSteps<35, 3>>, T>;

fn bare<T: Tuning>(shape: Shape) -> anyhow::Result<Learner<T>> {
    let kernel = learner::own_kernel(None)?;
    let points = HeapPoints::new(shape.dim, shape.budget);
    Ok(Learner::with_points(kernel, points).with_room())
}

/// The whole learner with probabilities and a notion of the unknown.
pub fn confident(shape: Shape) -> anyhow::Result<Confident<Learner<AllParts>, CAPACITY>> {
    Ok(Confident::of(bare(shape)?))
}

/// Bytes of the whole learner.
pub fn bytes(shape: Shape) -> usize {
    pocketron_bytes(
        shape.dim,
        shape.classes,
        shape.budget,
        UpdatedClasses::BestWrongClass,
    )
}
