//! Orders that need no memory.

use crate::rng::XorShift32;

/// The numbers below `len`, each once, in the order that a seed names: 32 bytes
/// instead of a table.
///
/// A counter with as many bits as needed goes through three rounds of an odd
/// multiplication, an addition and a shift, each of which can be undone; what
/// lies beyond the end is skipped.
///
/// ```
/// use pocketron::batch::Shuffle;
///
/// let mut order: Vec<u32> = Shuffle::new(10, 7).collect();
/// assert_ne!(order, Vec::from_iter(0..10));
/// order.sort();
/// assert_eq!(order, Vec::from_iter(0..10));
/// ```
#[derive(Clone, Debug)]
pub struct Shuffle {
    len: u32,
    next: u32,
    /// One less than a power of two.
    mask: u32,
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
        Shuffle {
            len,
            next: 0,
            mask: u32::MAX
                .checked_shr(len.saturating_sub(1).leading_zeros())
                .unwrap_or(0),
            keys: [(); ROUNDS].map(|()| (rng.next_u32() | 1, rng.next_u32())),
        }
    }

    fn place(&self, number: u32) -> u32 {
        let half = self.mask.count_ones().div_ceil(2).max(1);
        self.keys.iter().fold(number, |place, (factor, offset)| {
            let place = place.wrapping_mul(*factor).wrapping_add(*offset) & self.mask;
            place ^ (place >> half)
        })
    }
}

impl Iterator for Shuffle {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        while self.next <= self.mask && self.len > 0 {
            let place = self.place(self.next);
            self.next = self.next.saturating_add(1);
            if place < self.len {
                return Some(place);
            }
        }
        None
    }
}
