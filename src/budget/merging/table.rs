//! Partners ranked in fixed point, without a search for each of them.
//!
//! The loss of merging `r` and `j`, divided by `alpha_r^2`, depends on two numbers
//! only: `rho = alpha_r / alpha_j`, at most one since `r` is the weakest, and the
//! similarity `k`. Near `k = 1` it vanishes like `(1 - k)^2`. So
//!
//! ```text
//! sqrt(loss) = |alpha_r| (1 - k) s(rho, k)
//! ```
//!
//! with an `s` that is smooth, between 0.7 and 1.5, and looked up: straight
//! lines between 85 entries are off by at most 2 %. The search for the best merger
//! is then for one partner only.

use core::f32::consts::LOG2_E;

use super::Ranking;
use crate::{
    kernel::{KernelIn, Mergeable, Slope},
    num::{
        Coefficient, Fixed, Number,
        math::power::{self, half_to_the},
    },
};

/// `s(i / 4, j / 16)` times 128, 32 columns to a row, so that a byte can address it.
/// The last row and column are repeated, so interpolation needs no bounds check.
#[rustfmt::skip]
const TABLE: [u8; 256] = [
    128, 135, 140, 145, 149, 153, 156, 160, 163, 165, 168, 170, 173, 175, 177, 179,
    181, 181, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    128, 135, 140, 143, 146, 148, 149, 149, 150, 149, 149, 149, 148, 147, 147, 146,
    145, 145, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    128, 134, 139, 140, 141, 140, 139, 137, 135, 133, 131, 129, 127, 126, 124, 122,
    121, 121, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    128, 134, 137, 136, 133, 130, 126, 123, 120, 117, 115, 113, 111, 109, 107, 105,
    103, 103, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    128, 134, 133, 126, 121, 116, 112, 109, 106, 103, 101, 99, 97, 95, 94, 92,
    91, 91, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    128, 134, 133, 126, 121, 116, 112, 109, 106, 103, 101, 99, 97, 95, 94, 92,
    91, 91, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
];

/// Bits of a ratio, and of those how many lie between two rows.
const RATIO: u32 = 8;
const BETWEEN_ROWS: u32 = 6;
/// Bits of a similarity of 16 bits that lie between two columns.
const BETWEEN_COLUMNS: u32 = 11;
/// Bits that such a similarity has less than others.
const CUT: u32 = power::RESULT - 15;

#[inline(always)]
fn entry(row: u32, column: u32) -> u32 {
    let index = (row << 5 | column) as u8;
    TABLE.get(usize::from(index)).copied().unwrap_or(0).into()
}

/// The straight line from `first` to `next`, times `2^digits`.
#[inline(always)]
fn between(first: u32, next: u32, place: u32, digits: u32) -> u32 {
    (first << digits) + next * place - first * place
}

/// `s` times 2^12, of a ratio in multiples of 2^-8 and a similarity in multiples of 2^-15.
#[inline(always)]
pub(crate) fn root_of_loss(ratio: u32, near: u32) -> u32 {
    let (row, below) = (ratio >> BETWEEN_ROWS, ratio % (1 << BETWEEN_ROWS));
    let (column, behind) = (near >> BETWEEN_COLUMNS, near % (1 << BETWEEN_COLUMNS));
    let along = |row| {
        let (first, next) = (entry(row, column), entry(row, column + 1));
        between(first, next, behind, BETWEEN_COLUMNS)
    };
    between(along(row), along(row + 1), below, BETWEEN_ROWS)
        >> (7 + BETWEEN_COLUMNS + BETWEEN_ROWS - 12)
}

macro_rules! fixed_point_ranking {
    ($($format:ty)*) => { $(
impl<K: Mergeable + KernelIn<$format>> Ranking<$format> for K {
    type Loss = u32;

    #[inline]
    fn ranking(&self, step: f32, weakest: i16) -> impl Fn(i16, Fixed) -> u32 {
        let slope = Slope::new(self.rate(), step);
        let weakest = weakest.size() << RATIO;
        move |partner, distance| {
            let near = slope.similarity(distance);
            let ratio = weakest.checked_div(partner.size()).unwrap_or(0);
            // 19 digits and 13 make 32.
            let missing = (Fixed::ONE - near).raw() as u32 >> 5;
            missing * root_of_loss(ratio.min(1 << RATIO), near.raw() as u32 >> CUT)
        }
    }

    #[inline]
    fn pull(&self, exponent: f32, weakest: i16, partner: i16) -> impl Fn(f32) -> f32 {
        let halvings = -exponent * (LOG2_E * (1_u32 << power::FRACTION) as f32);
        let unit = 1.0 / (1_u32 << power::RESULT) as f32;
        let ratio = weakest.size() as f32 / partner.size() as f32 * unit;
        move |share| ratio * half_to_the((halvings * (1.0 - 2.0 * share)) as u32) as f32
    }
}
    )* };
}
fixed_point_ranking!(i8 i16);
