//! Floating point: sums of differences from a number near by, in the order of the samples.

use super::{Reading, Sample};
use crate::{
    num::math::{Fast, Math},
    persist::Blank,
};

/// 2^40: with numbers up to here, squares and sums of them stay finite.
const FARTHEST: f32 = 1_099_511_627_776.0;

impl Sample for f32 {
    type Reading = f32;

    const NAME: &str = "f32";

    #[inline(always)]
    fn reading(self) -> Option<f32> {
        self.is_finite().then(|| self.clamp(-FARTHEST, FARTHEST))
    }

    #[inline(always)]
    fn is_saturated(self, end: i32) -> bool {
        let end = if end == 0 {
            FARTHEST
        } else {
            end.unsigned_abs() as f32
        };
        self.abs() >= end
    }
}

/// Sums of the differences from `origin`, and of their squares: of numbers that differ little, sums of
/// the numbers themselves would have no digits left.
#[derive(Clone, Debug)]
pub struct FloatMoments {
    origin: f32,
    sum: f32,
    squares: f32,
}
crate::persist::blank!([] FloatMoments { origin, sum, squares });

impl Reading for f32 {
    type Moments = FloatMoments;
    type Wide = f32;

    const FLOOR: f32 = 1.0 / (1 << 20) as f32;

    #[inline(always)]
    fn value(self) -> f32 {
        self
    }

    #[inline(always)]
    fn plus(self, other: f32) -> f32 {
        self + other
    }

    #[inline(always)]
    fn minus(self, other: f32) -> f32 {
        self - other
    }

    #[inline(always)]
    fn size(self) -> f32 {
        self.abs()
    }

    #[inline(always)]
    fn halved(self, exponent: u32) -> f32 {
        self / 1_u32.wrapping_shl(exponent) as f32
    }

    #[inline]
    fn part(self, count: u32) -> f32 {
        match count {
            0 => 0.0,
            _ => self / count as f32,
        }
    }

    #[inline]
    fn length(vector: impl Iterator<Item = f32>) -> f32 {
        Fast::sqrt(vector.fold(0.0, |sum, x| sum + x * x))
    }

    #[inline(always)]
    fn add_square(self, sum: &mut f32) {
        *sum += self * self;
    }

    #[inline(always)]
    fn add_wide(sum: &mut f32, other: f32) {
        *sum += other;
    }

    fn wide_value(sum: f32) -> f32 {
        sum
    }

    #[inline(always)]
    fn moments(self) -> FloatMoments {
        FloatMoments {
            origin: self,
            ..FloatMoments::BLANK
        }
    }

    #[inline(always)]
    fn include(self, moments: &mut FloatMoments) {
        let difference = self - moments.origin;
        moments.sum += difference;
        moments.squares += difference * difference;
    }

    fn merge(moments: &mut FloatMoments, other: &FloatMoments, count: u32) {
        let (difference, count) = (other.origin - moments.origin, count as f32);
        moments.sum += other.sum + count * difference;
        moments.squares += other.squares + difference * (2.0 * other.sum + count * difference);
    }

    fn mean(moments: &FloatMoments, count: u32) -> f32 {
        moments.origin + moments.sum / count as f32
    }

    fn variance(moments: &FloatMoments, count: u32) -> f32 {
        let mean = moments.sum / count as f32;
        let variance = (moments.squares - moments.sum * mean) / count as f32;
        if variance > 0.0 { variance } else { 0.0 }
    }

    #[inline(always)]
    fn add_product(sum: &mut f32, a: (f32, &FloatMoments), b: (f32, &FloatMoments)) {
        *sum += (a.0 - a.1.origin) * (b.0 - b.1.origin);
    }

    fn merge_products(
        (into, to): (&mut f32, [&FloatMoments; 2]),
        (other, from): (&f32, [&FloatMoments; 2]),
        count: u32,
    ) {
        let ([a, b], [a_to, b_to]) = (from, to);
        let (way_a, way_b) = (a.origin - a_to.origin, b.origin - b_to.origin);
        *into += *other + way_a * (b.sum + count as f32 * way_b) + way_b * a.sum;
    }

    fn covariance(products: &f32, [a, b]: [&FloatMoments; 2], count: u32) -> f32 {
        (products - a.sum * (b.sum / count as f32)) / count as f32
    }
}
