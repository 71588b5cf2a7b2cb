//! Integers: sums are exact.

use super::{Reading, Sample};
use crate::{persist::Blank, sealed::Sealed};

impl Sample for i16 {
    type Reading = i32;

    const NAME: &str = "i16";

    #[inline(always)]
    fn reading(self) -> Option<i32> {
        Some(self.into())
    }

    #[inline(always)]
    fn is_saturated(self, end: i32) -> bool {
        match end {
            0 => self == i16::MAX || self == i16::MIN,
            _ => u32::from(self.unsigned_abs()) >= end.unsigned_abs(),
        }
    }
}

/// Sum and sum of squares.
#[derive(Clone, Debug)]
pub struct IntegerMoments {
    sum: i32,
    squares: i64,
}
crate::persist::blank!([] IntegerMoments { sum, squares });

impl Sealed for i32 {}

/// Of `i16`, or the length of a vector of them: up to 56756. All sums of 2^15 of them fit: `2^15 * 56756 < 2^31`, and
/// `2^30 * 56756^2 < 2^62`.
impl Reading for i32 {
    type Moments = IntegerMoments;
    type Wide = i64;

    const FLOOR: f32 = 1.0;

    #[inline(always)]
    fn value(self) -> f32 {
        self as f32
    }

    #[inline(always)]
    fn plus(self, other: i32) -> i32 {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn minus(self, other: i32) -> i32 {
        self.wrapping_sub(other)
    }

    #[inline(always)]
    fn size(self) -> i32 {
        self.wrapping_abs()
    }

    #[inline(always)]
    fn halved(self, exponent: u32) -> i32 {
        let half = 1_i32.wrapping_shl(exponent) >> 1;
        self.wrapping_add(half).wrapping_shr(exponent)
    }

    #[inline]
    fn part(self, count: u32) -> i32 {
        self.checked_div_euclid(count as i32).unwrap_or(0)
    }

    #[inline]
    fn length(vector: impl Iterator<Item = i32>) -> i32 {
        let squared = vector.fold(0_u32, |sum, x| {
            sum.saturating_add(x.unsigned_abs().wrapping_mul(x.unsigned_abs()))
        });
        // Bit by bit: Newton's method needs divisions, which small cores do not have.
        let (mut rest, mut root, mut bit) = (squared, 0_u32, 1_u32 << 30);
        while bit != 0 {
            let trial = root.wrapping_add(bit);
            root >>= 1;
            if rest >= trial {
                rest = rest.wrapping_sub(trial);
                root = root.wrapping_add(bit);
            }
            bit >>= 2;
        }
        root as i32
    }

    #[inline(always)]
    fn add_square(self, sum: &mut i64) {
        // At most 65535, whose square has room in 32 bits without a sign.
        let size = self.unsigned_abs();
        *sum = sum.wrapping_add(size.wrapping_mul(size).into());
    }

    #[inline(always)]
    fn add_wide(sum: &mut i64, other: i64) {
        *sum = sum.wrapping_add(other);
    }

    fn wide_value(sum: i64) -> f32 {
        sum as f32
    }

    #[inline(always)]
    fn moments(self) -> IntegerMoments {
        IntegerMoments::BLANK
    }

    #[inline(always)]
    fn include(self, moments: &mut IntegerMoments) {
        moments.sum = moments.sum.wrapping_add(self);
        self.add_square(&mut moments.squares);
    }

    fn merge(moments: &mut IntegerMoments, other: &IntegerMoments, _: u32) {
        moments.sum = moments.sum.wrapping_add(other.sum);
        moments.squares = moments.squares.wrapping_add(other.squares);
    }

    fn mean(moments: &IntegerMoments, count: u32) -> f32 {
        moments.sum as f32 / count as f32
    }

    fn variance(moments: &IntegerMoments, count: u32) -> f32 {
        scaled(moments.squares, moments.sum, moments.sum, count)
    }

    #[inline(always)]
    fn add_product(sum: &mut i64, (a, _): (i32, &IntegerMoments), (b, _): (i32, &IntegerMoments)) {
        *sum = sum.wrapping_add(a.wrapping_mul(b).into());
    }

    fn merge_products(
        (into, _): (&mut i64, [&IntegerMoments; 2]),
        (other, _): (&i64, [&IntegerMoments; 2]),
        _: u32,
    ) {
        *into = into.wrapping_add(*other);
    }

    fn covariance(products: &i64, [a, b]: [&IntegerMoments; 2], count: u32) -> f32 {
        scaled(*products, a.sum, b.sum, count)
    }
}

/// `(n sum_xy - sum_x sum_y) / n^2`: the difference is exact.
fn scaled(products: i64, a: i32, b: i32, count: u32) -> f32 {
    let product = i64::from(a).wrapping_mul(b.into());
    let difference = products.wrapping_mul(count.into()).wrapping_sub(product);
    difference as f32 / (count as f32 * count as f32)
}
