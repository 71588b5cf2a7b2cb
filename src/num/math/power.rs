//! `2^-t` in fixed point, for cores without floating point.
//!
//! The whole part of `t` is a shift; its fraction falls into one of 64 equal
//! steps, between whose ends `2^-t` is taken for a straight line:
//!
//! ```text
//! t = n + (i + r) / 64,   2^-t ~ (2^(-i/64) - r (2^(-i/64) - 2^(-(i+1)/64))) 2^-n
//! ```

/// Fraction bits of `t`: with 5 in front of it there are 32.
pub const FRACTION: u32 = 27;

/// Fraction bits of `2^-t`.
pub const RESULT: u32 = 24;

/// `2^(-i / 64)` and the way down to the next, times 2^16.
#[rustfmt::skip]
const STEPS: [(u32, u32); 1 << CHOICE] = [
    (65536, 706), (64830, 698), (64132, 691), (63441, 684),
    (62757, 676), (62081, 668), (61413, 662), (60751, 654),
    (60097, 648), (59449, 640), (58809, 633), (58176, 627),
    (57549, 620), (56929, 613), (56316, 607), (55709, 600),
    (55109, 594), (54515, 587), (53928, 581), (53347, 574),
    (52773, 569), (52204, 562), (51642, 557), (51085, 550),
    (50535, 544), (49991, 539), (49452, 532), (48920, 527),
    (48393, 522), (47871, 515), (47356, 510), (46846, 505),
    (46341, 499), (45842, 494), (45348, 489), (44859, 483),
    (44376, 478), (43898, 473), (43425, 467), (42958, 463),
    (42495, 458), (42037, 453), (41584, 448), (41136, 443),
    (40693, 438), (40255, 434), (39821, 429), (39392, 424),
    (38968, 420), (38548, 415), (38133, 411), (37722, 406),
    (37316, 402), (36914, 398), (36516, 393), (36123, 389),
    (35734, 385), (35349, 381), (34968, 377), (34591, 372),
    (34219, 369), (33850, 364), (33486, 361), (33125, 357),
];

/// Digits of `t` that choose a step, and those that say where in the step it lies.
const CHOICE: u32 = 6;
const PLACE: u32 = 10;

/// The same with ten more digits in the starts, all of them ones: to take a product off and then cut ten digits off is
/// `start - (product >> 10)`, in one instruction less.
static LINES: [(u32, u32); 1 << CHOICE] = {
    let mut lines = STEPS;
    let mut step = 0;
    while step < lines.len() {
        lines[step].0 = (lines[step].0 << PLACE) | ((1 << PLACE) - 1);
        step += 1;
    }
    lines
};

/// `2^-t` in multiples of 2^-24, for `t` in multiples of 2^-27.
///
/// For **every** `t` (each one that gives another result was tried) the result is
/// off by at most 7e-5 of itself plus one multiple, and never increases.
///
/// ```
/// use pocketron::num::math::power::{FRACTION, RESULT, half_to_the};
///
/// assert_eq!(half_to_the(0), 1 << RESULT);
/// assert_eq!(half_to_the(3 << FRACTION), 1 << (RESULT - 3));
/// assert_eq!(half_to_the(31 << FRACTION), 0);
/// ```
#[inline(always)]
#[must_use]
pub fn half_to_the(t: u32) -> u32 {
    let whole = t >> FRACTION;
    let step = (t >> (FRACTION - CHOICE)) as usize % (1 << CHOICE);
    let place = (t >> (FRACTION - CHOICE - PLACE)) % (1 << PLACE);
    let (start, slope) = LINES.get(step).copied().unwrap_or((0, 0));
    (((start - slope * place) >> PLACE) << (RESULT - 16)) >> whole
}
