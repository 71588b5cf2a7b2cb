//! The default learner: taught by a person or by a stream, class after class, for years.
//!
//! A person teaches a device with few examples, one class after the other, once. A stream brings thousands, mixed, some of
//! them with wrong labels. [`ContinualLearner`] takes both, in memory fixed at compile time and without a parameter;
//! [`Pocketron`](crate::learners::Pocketron), [`PocketronMulti`](crate::learners::PocketronMulti) and
//! [`PocketronRare`](crate::learners::PocketronRare) are made of it.
//!
//! | what happens | what it is for |
//! |---|---|
//! | features are standardised by a running scale; stored vectors follow when it changes | the first example counts |
//! | stored vectors are rehearsed while others are learned | classes taught earlier are not forgotten (replay) |
//! | absent classes are noticed, and keep their share of the slots | class after class is as good as mixed |
//! | the kernel learns the relevance of each feature, and with it its width | nothing to tune |
//! | steps are as large as the labels can be trusted, and settle with time | wrong labels average out |
//! | coefficients shrink a little with every step | they stay bounded, for ever |
//! | vectors that are wrong more often than right are noticed | a changed world is followed (concept drift) |
//! | a reading that repeats itself bit for bit teaches nothing | a stuck sensor does no harm |
//!
//! How it works: `docs/pocketron.md`; what each part is worth: `docs/ablations.md`.

mod class_stats;
mod convert;
mod evidence;
mod image;
pub(super) mod learning;
mod merging;
mod recall;
mod rehearsal;
mod row;
pub(super) mod scale;
mod support_vector;
mod tuning;
mod update;
mod vectors;

pub use crate::classifier::Recall;
pub use evidence::Evidence;
pub use row::CoefficientRow;
pub use support_vector::SupportVector;
pub use tuning::{AllParts, Tuning};
pub use update::{
    AllViolating, AnnealedSteps, BestWrongClass, Binary, StepContext, StepRule, StepSize, Steps,
    Uneven, Update,
};
pub use vectors::Vectors;

use core::{borrow::Borrow, marker::PhantomData};

use crate::{
    classifier::{Edit, OnlineClassifier, Outcome, RemoteModel},
    error::{ConfigError, EditError, InputError},
    kernel::{ArdGaussian, Gaussian},
    label::{Class, ClassLabel, Label as _},
    num::rng::XorShift32,
    persist::{Blank, Ready, Restart},
    storage::{
        Features, Inline, Memory, PerFeature,
        point::{Points, Rows, is_finite},
        scale::Moments,
    },
};
use class_stats::ClassStats;
use scale::CoarseScale;

/// A kernel classifier of bounded memory that learns from the first example, in any order of the classes.
///
/// `C` classes share vectors of `D` bytes with `N` coefficients each: one for each class, or a single one that two
/// classes share. `U` says [which classes](Update) an example moves; `T` [switches parts off](Tuning).
///
/// Costs `B (D + N + 2) + 12 D + 4 C + 40` bytes and those of `U`. An example costs at most `4 B + 1` kernel evaluations: `B` for the
/// prediction, `2 B` for rehearsals and `B + 1` for a merger.
#[derive(Clone, Debug)]
pub struct ContinualLearner<
    S: PerFeature,
    M: Memory,
    U,
    const C: usize,
    const N: usize = C,
    T = AllParts,
> {
    scale: CoarseScale<S>,
    kernel: ArdGaussian<S>,
    vectors: Vectors<M, N>,
    class_stats: ClassStats<C>,
    update: U,
    rng: XorShift32,
    /// Hash of the newest reading, and how often it came in a row.
    reading: u32,
    repeats: u8,
    /// Whether vectors have been merged.
    merged: bool,
    /// Whether a coefficient was cut off at the largest there is.
    saturated: bool,
    /// Rehearsals an example, as a difference from the usual number: the blank state is the usual one.
    rehearsals: u8,
    /// Slots that were rehearsed and that shrank last.
    rehearsed: u16,
    shrunk: u16,
    tuning: PhantomData<T>,
}

impl<S: PerFeature, M: Memory, U: Blank, const C: usize, const N: usize, T>
    ContinualLearner<S, M, U, C, N, T>
{
    /// Nothing learned yet, over a store of points; `kernel` has its width.
    pub const fn with_points(kernel: ArdGaussian<S>, points: M::Points) -> Self {
        ContinualLearner {
            scale: CoarseScale::BLANK,
            kernel,
            vectors: Vectors::with_points(points),
            class_stats: ClassStats::BLANK,
            update: U::BLANK,
            rng: XorShift32::BLANK,
            reading: 0,
            repeats: 0,
            merged: false,
            saturated: false,
            rehearsals: 0,
            rehearsed: 0,
            shrunk: 0,
            tuning: PhantomData,
        }
    }

    /// Makes room for the features of the points in memory that grows; in fixed memory there is. A model that is
    /// to be restored from an image needs it.
    pub fn with_room(mut self) -> Self {
        let dim = self.vectors.points().dim();
        self.scale.ensure(dim);
        self.kernel = self.kernel.with_features(dim);
        self
    }
}

impl<U: Ready, const D: usize, const B: usize, const C: usize, const N: usize, T>
    ContinualLearner<Features<D>, Inline<D, B, i8>, U, C, N, T>
{
    /// Nothing learned yet.
    pub const fn new() -> Self {
        Self::with_points(ArdGaussian::BLANK, Rows::BLANK)
    }

    /// Nothing learned yet, with a kernel of known width `exp(-gamma |a - b|^2)` on standardised features; `3 / D`
    /// otherwise.
    ///
    /// # Errors
    ///
    /// When `gamma` is not positive and finite.
    pub fn with_gamma(gamma: f32) -> Result<Self, ConfigError> {
        let kernel = ArdGaussian::starting_from(Gaussian::new(gamma)?)?;
        Ok(Self::with_points(kernel, Rows::BLANK))
    }
}

impl<U: Ready, const D: usize, const B: usize, const C: usize, const N: usize, T> Default
    for ContinualLearner<Features<D>, Inline<D, B, i8>, U, C, N, T>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<S: PerFeature, M: Memory, U: Blank, const C: usize, const N: usize, T> Blank
    for ContinualLearner<S, M, U, C, N, T>
where
    M::Points: Blank,
{
    const BLANK: Self = Self::with_points(ArdGaussian::BLANK, M::Points::BLANK);
}

impl<S: PerFeature, M: Memory, U: Ready, const C: usize, const N: usize, T> Ready
    for ContinualLearner<S, M, U, C, N, T>
where
    M::Points: Blank,
{
}

impl<S: PerFeature, M: Memory, U, const C: usize, const N: usize, T>
    ContinualLearner<S, M, U, C, N, T>
{
    /// The support vectors.
    pub fn vectors(&self) -> &Vectors<M, N> {
        &self.vectors
    }

    /// The kernel with the relevance of each feature.
    pub fn kernel(&self) -> &ArdGaussian<S> {
        &self.kernel
    }

    /// The update and its rules.
    pub fn update(&self) -> &U {
        &self.update
    }

    /// Whether a coefficient has reached the largest there is, which should never happen.
    pub fn is_saturated(&self) -> bool {
        self.saturated
    }

    /// Whether vectors have been merged: before, each of them is an example.
    pub fn has_merged(&self) -> bool {
        self.merged
    }

    /// Mean and variance of each feature so far.
    pub fn moments(&self) -> &[Moments] {
        self.scale.moments()
    }

    /// Offset and factor by which a feature is standardised, for predictors in other languages: `(x - offset) * factor`, with one rounding
    /// each.
    ///
    /// Clamped to 2.5 on both sides, it is multiplied by 31.75 and rounded to the nearest byte, half away from zero.
    pub fn standardisation(&self, feature: usize) -> (f32, f32) {
        self.scale.standardisation(feature)
    }

    /// Examples learned so far of the class with this number.
    pub fn seen(&self, class: Class) -> u32 {
        self.class_stats.seen(class.index())
    }

    /// Whether there is a choice: two classes or more have an example.
    pub fn is_ready(&self) -> bool {
        let present = self.class_stats.present();
        present.iter().filter(|present| **present).count() > 1
    }
}

impl<S, M, U, const C: usize, const N: usize, T> ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory<Points: Points<Feature = i8>>,
    U: Update<C, N>,
{
    /// Score of every column: of each class, zero for those without an example; or the one score of two classes.
    pub fn scores(&self, x: &S::Raw) -> Result<[f32; N], InputError> {
        self.check(x.as_ref())?;
        let point = self.quantise(x.as_ref());
        Ok(self.vectors.scores(&self.kernel, point.borrow()))
    }

    /// The class that wins with these [scores](Self::scores), and the score behind it.
    pub fn winner(&self, scores: &[f32; N]) -> (Class, f32) {
        let (class, score) = U::winner(scores, &self.class_stats.present());
        (Class(class as u8), score)
    }

    fn check(&self, x: &[f32]) -> Result<(), InputError> {
        if x.len() != self.vectors.points().dim() {
            Err(InputError::WrongDimension)
        } else if !is_finite(x) {
            Err(InputError::NonFinite)
        } else {
            Ok(())
        }
    }

    /// The vector of bytes that stands for `x` by the present scale.
    fn quantise(&self, x: &[f32]) -> <M::Points as Points>::Owned {
        self.vectors
            .points()
            .gather(|feature| self.scale.quantise(feature, x))
    }
}

/// The label of a class by its number.
fn label<L: ClassLabel>(class: usize) -> Result<L, InputError> {
    L::of_class(Class(class as u8)).ok_or(InputError::UnknownClass)
}

impl<S, M, U, const C: usize, const N: usize, T> OnlineClassifier
    for ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory<Points: Points<Feature = i8>>,
    U: Update<C, N>,
    T: Tuning,
{
    type Input = S::Raw;
    type Label = U::Label;

    fn predict_scored(&self, x: &S::Raw) -> Result<(U::Label, f32), InputError> {
        self.check(x.as_ref())?;
        let point = self.quantise(x.as_ref());
        let scores = self.vectors.scores(&self.kernel, point.borrow());
        let (class, score) = self.winner(&scores);
        Ok((label(class.index())?, score))
    }

    fn has_class(&self, label: U::Label) -> bool {
        label.index() < C
    }

    fn validate(&self, x: &S::Raw, label: U::Label, _: Option<u32>) -> Result<(), InputError> {
        if self.has_class(label) {
            self.check(x.as_ref())
        } else {
            Err(InputError::UnknownClass)
        }
    }

    fn learn_with_id(
        &mut self,
        x: &S::Raw,
        label: U::Label,
        id: Option<u32>,
    ) -> Result<Outcome<U::Label>, InputError> {
        self.validate(x, label, id)?;
        let outcome = self.learn_class(x.as_ref(), label.index());
        Ok(outcome.map(|class| self::label(class).unwrap_or(label)))
    }
}

impl<S, M, U, const C: usize, const N: usize, T> RemoteModel for ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory<Points: Points<Feature = i8>>,
    U: Update<C, N>,
    T: Tuning,
{
    const CLASSES: usize = C;

    crate::classifier::forward_scores!();

    fn can_forget(&self, class: Class) -> Result<(), EditError> {
        if class.index() < C {
            Ok(())
        } else {
            Err(EditError::UnknownClass)
        }
    }

    fn edit(&mut self, edit: Edit) -> Result<(), EditError> {
        let Edit::Forget(class) = edit else {
            return Err(EditError::Unsupported);
        };
        self.can_forget(class)?;
        let label = U::Label::of_class(class).ok_or(EditError::UnknownClass)?;
        self.forget(label);
        Ok(())
    }

    fn rehearse_steps(&mut self, steps: u16) -> Result<u16, EditError> {
        Ok(self.rehearse(steps))
    }

    fn examples_of(&self, class: Class) -> Option<u32> {
        Some(self.seen(class))
    }

    fn recall_of(&self, class: Class) -> Option<Recall> {
        Some(self.recall(class))
    }

    fn is_ready(&self) -> bool {
        self.is_ready()
    }

    fn is_saturated(&self) -> bool {
        self.is_saturated()
    }
}

impl<S, M, U, const C: usize, const N: usize, T> ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory<Points: Points<Feature = i8>>,
    U: Update<C, N>,
{
    /// Forgets one class; the others stay. Its vectors are gone, and so is what other vectors say about it.
    pub fn forget(&mut self, class: U::Label) {
        let class = class.index();
        for slot in (0..self.vectors.len()).rev() {
            let mut row = self.vectors.row(slot);
            if U::owner(row.values()) == class {
                self.vectors.remove(slot);
            } else {
                match U::column(class) {
                    Some(column) => row.clear(column),
                    // Large coefficients have nothing to balance any more, and would stand against all that comes.
                    None => row.clamp_coefficients(),
                }
                self.vectors.set_row(slot, row);
            }
        }
        self.class_stats.forget(class);
        self.update.forget(class);
        self.merged &= !self.vectors.is_empty();
    }

    /// Forgets everything that was learned; the width of the kernel stays.
    pub fn reset(&mut self) {
        self.scale.restart();
        self.kernel.forget();
        self.vectors.clear();
        self.class_stats = ClassStats::BLANK;
        self.update = U::BLANK;
        self.rng = XorShift32::BLANK;
        (self.merged, self.saturated) = (false, false);
        (self.reading, self.repeats) = (0, 0);
        (self.rehearsed, self.shrunk) = (0, 0);
    }
}

impl<S, M, U, const C: usize, const N: usize, T> Restart for ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory<Points: Points<Feature = i8>>,
    U: Update<C, N>,
{
    fn restart(&mut self) {
        self.reset();
    }
}
