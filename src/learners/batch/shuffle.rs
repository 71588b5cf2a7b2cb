//! Orders that need no memory.

use core::ops::RangeInclusive;

use crate::num::rng::XorShift32;

/// The numbers below `len`, each once, in the order that a seed names: 40 bytes
/// instead of a table.
///
/// A counter with as many bits as needed goes through three rounds of an odd
/// multiplication, an addition and a shift, each of which can be undone; what
/// lies beyond the end is skipped: less than half.
///
/// ```
/// use pocketron::learners::batch::Shuffle;
///
/// let mut order: Vec<u32> = Shuffle::new(10, 7).collect();
/// assert_ne!(order, Vec::from_iter(0..10));
/// order.sort();
/// assert_eq!(order, Vec::from_iter(0..10));
/// ```
#[derive(Clone, Debug)]
pub struct Shuffle {
    len: u32,
    /// Up to one less than a power of two.
    counter: RangeInclusive<u32>,
    keys: [(u32, u32); ROUNDS],
}

const ROUNDS: usize = 3;

impl Shuffle {
    /// All numbers below `len`.
    pub fn new(len: u32, seed: u32) -> Self {
        let mut rng = XorShift32::new(seed);
        // The first numbers out of neighbouring seeds are neighbours themselves.
        for _ in 0..8 {
            rng.next_u32();
        }
        let unused_bits = len.saturating_sub(1).leading_zeros();
        Shuffle {
            len,
            counter: 0..=u32::MAX.checked_shr(unused_bits).unwrap_or(0),
            keys: [(); ROUNDS].map(|()| (rng.next_u32() | 1, rng.next_u32())),
        }
    }

    fn place(&self, number: u32) -> u32 {
        let mask = *self.counter.end();
        let half = mask.count_ones().div_ceil(2).max(1);
        self.keys.iter().fold(number, |place, (factor, offset)| {
            let place = place.wrapping_mul(*factor).wrapping_add(*offset) & mask;
            place ^ (place >> half)
        })
    }
}

impl Iterator for Shuffle {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            let number = self.counter.next()?;
            let place = self.place(number);
            if place < self.len {
                return Some(place);
            }
        }
    }
}
