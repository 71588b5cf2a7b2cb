//! `f32`: every number is itself.

use super::{Coefficient, Number};
use crate::{
    label::Sign,
    num::sum::{self, LaneSum},
};

impl Coefficient for f32 {
    type Size = f32;

    #[inline]
    fn size(self) -> f32 {
        self.abs()
    }

    #[inline]
    fn agrees(self, other: f32) -> bool {
        self * other > 0.0
    }

    #[inline]
    fn sign(self) -> Option<Sign> {
        (self != 0.0).then(|| Sign::of(self))
    }
}

impl Number for f32 {
    type Stored = f32;
    type Unit = ();
    type Sum = LaneSum;

    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;

    #[inline(always)]
    fn of(value: f32) -> f32 {
        value
    }

    #[inline(always)]
    fn value(self) -> f32 {
        self
    }

    #[inline(always)]
    fn saturated(self) -> f32 {
        super::saturated(self)
    }

    #[inline(always)]
    fn base(self, _: f32) -> f32 {
        self
    }

    #[inline(always)]
    fn times(self, share: f32) -> f32 {
        self * share
    }

    #[inline(always)]
    fn coefficient(stored: f32, (): ()) -> f32 {
        stored
    }

    #[inline(always)]
    fn stored(alpha: f32, (): ()) -> f32 {
        alpha
    }

    #[inline(always)]
    fn make_room(_: &mut [f32], (): &mut (), _: f32) {}

    #[inline]
    fn scale(stored: &mut [f32], (): &mut (), factor: f32) {
        for alpha in stored {
            *alpha *= factor;
        }
    }

    #[inline(always)]
    fn add_products(sum: &mut LaneSum, stored: &[f32], row: &[f32]) {
        sum.add_products(stored, row);
    }

    #[inline(always)]
    fn total(sum: LaneSum, (): ()) -> f32 {
        sum.total()
    }

    #[inline(always)]
    fn zip_sum<T: Copy>(row: &[f32], other: &[T], term: impl Fn(f32, T) -> f32) -> f32 {
        sum::zip_sum(row, other, term)
    }
}
