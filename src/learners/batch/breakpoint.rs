//! Breakpoints: positions along a line at which an example changes sides.

/// A place along a line where one example changes sides: 8 bytes of scratch.
///
/// The place and what is added to the loss there, as one integer: its order
/// is that of the places, then of the steps, so that the result does not depend
/// on the way of sorting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Breakpoint(u64);

crate::persist::blank!([] Breakpoint { 0 });

impl Breakpoint {
    #[inline]
    pub(super) fn new(at: f32, step: f32) -> Self {
        Breakpoint(u64::from(rank(at)) << 32 | u64::from(rank(step)))
    }

    /// Position along the line.
    #[inline]
    pub(super) fn at(self) -> f32 {
        ranked((self.0 >> 32) as u32)
    }

    /// Change of the loss there.
    #[inline]
    pub(super) fn step(self) -> f32 {
        ranked(self.0 as u32)
    }
}

const SIGN: u32 = 1 << 31;

/// An integer for each number, in the order of [`f32::total_cmp`].
#[inline]
const fn rank(number: f32) -> u32 {
    let bits = number.to_bits();
    if bits < SIGN { bits ^ SIGN } else { !bits }
}

/// The number of that rank.
#[inline]
const fn ranked(rank: u32) -> f32 {
    f32::from_bits(if rank < SIGN { !rank } else { rank ^ SIGN })
}
