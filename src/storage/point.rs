//! Stores of feature vectors, and the loops over them.
//!
//! A store answers one question fast: how does a new vector relate to every
//! stored one? The answer is a *base* per pair, a dot product or a
//! squared distance, which a [kernel](crate::kernel) maps to a similarity.
//!
//! The order of addition is fixed: a pair is summed *over its features, first
//! to last*, and the pairs are independent of each other. So any number of
//! stored vectors can be handled side by side without changing a bit: see
//! `docs/memory-layout.md` for the figures that decided the layout.

mod columns;
mod feature;
mod formats;
mod rows;

pub use columns::Columns;
pub use feature::{Feature, MOST_FEATURES, Rounding, WeightedDistance};
pub use rows::Rows;

use core::{borrow::Borrow, fmt::Debug};

use crate::{
    error::InputError,
    num::{Base, Number, vfp},
    persist::Persist,
};

impl Base {
    /// Dot product or squared distance of two vectors, summed over the features in order.
    #[inline]
    pub fn of_pair<F: Feature>(self, a: &[F], b: &[F]) -> F::Number {
        let mut sum = F::Number::ZERO;
        for (a, b) in a.iter().zip(b) {
            F::accumulate(self, &mut sum, *a, *b);
        }
        sum
    }
}

/// Feature vectors in numbered slots.
///
/// An image of them goes feature by feature, whatever their order in memory, and
/// is called by number format, features and slots: `f32(2,20)`.
pub trait Points: Clone + Debug + Persist {
    /// Format of the features.
    type Feature: Feature;
    /// One feature vector, as the user hands it in.
    type Point: ?Sized + AsRef<[Self::Feature]>;
    /// A copy of a stored vector.
    type Owned: Borrow<Self::Point>;

    /// Number of slots: the budget.
    fn capacity(&self) -> usize;

    /// Number of features.
    fn dim(&self) -> usize;

    /// The quantisation step: the value of a feature of one.
    #[inline]
    fn step(&self) -> f32 {
        Self::Feature::step(self.dim())
    }

    /// Refuses vectors that must not get in.
    fn check(&self, x: &Self::Point) -> Result<(), InputError>;

    /// Overwrites `slot`; nothing happens when there is no such slot.
    fn write(&mut self, slot: usize, x: &Self::Point);

    /// Moves the vector in `slot` to `share * x + (1 - share) * itself`.
    fn blend(&mut self, slot: usize, x: &Self::Point, share: f32, rounding: Rounding);

    /// Copy of the vector in `slot`; zeros when there is no such slot.
    fn fetch(&self, slot: usize) -> Self::Owned;

    /// Removes `slot` of the first `len`: the later ones move down by one.
    fn close_gap(&mut self, slot: usize, len: usize);

    /// A vector made feature by feature.
    fn gather(&self, feature: impl FnMut(usize) -> Self::Feature) -> Self::Owned;

    /// Changes one feature of the first `len` vectors.
    fn change_feature(
        &mut self,
        feature: usize,
        len: usize,
        change: impl FnMut(&mut Self::Feature),
    );

    /// Base numbers of `x` with the stored vectors from slot `first` on, as many
    /// as `out` has room for. `first` is a multiple of [`BLOCK`].
    fn bases(&self, base: Base, x: &Self::Point, first: usize, out: &mut [NumberOf<Self>]);

    /// The same with squared distances in which every feature has its own weight.
    fn weighted_distances(
        &self,
        weights: &[u16],
        x: &Self::Point,
        first: usize,
        out: &mut [NumberOf<Self>],
    ) where
        Self::Feature: WeightedDistance,
    {
        for (slot, number) in out.iter_mut().enumerate() {
            let own = self.fetch(first + slot);
            *number = Self::Feature::weighted_distance(weights, x.as_ref(), own.borrow().as_ref());
        }
    }
}

/// The arithmetic that goes with the points of a store.
pub type NumberOf<P> = <<P as Points>::Feature as Feature>::Number;

/// Fails to compile for a store of no use, or of so many features that the dot
/// product of fixed-point features would overflow.
const fn assert_shape(features: usize, budget: usize) {
    assert!(features > 0, "a point needs at least one feature");
    assert!(
        features <= MOST_FEATURES,
        "too many features: the dot product would overflow"
    );
    assert!(
        budget > 0,
        "a budget of zero support vectors learns nothing"
    );
}

/// Slots that a prediction handles at a time: its only scratch memory.
pub const BLOCK: usize = 64;

/// Whether every feature is finite.
#[inline]
pub fn is_finite(x: &[f32]) -> bool {
    if vfp::PRESENT {
        // Infinity and NaN times zero are NaN, which stays: two instructions a feature instead of five.
        x.iter().fold(0.0, |sum, feature| sum + 0.0 * feature) == 0.0
    } else {
        x.iter().all(|feature| feature.is_finite())
    }
}
