//! A tiny reproducible generator; not for cryptography.

/// Marsaglia's xorshift with 32 bits of state.
///
/// ```
/// use pocketron::num::rng::XorShift32;
/// let (mut a, mut b) = (XorShift32::new(7), XorShift32::new(7));
/// assert_eq!(a.below(1000), b.below(1000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XorShift32(u32);

impl XorShift32 {
    /// Replaces a seed of zero, at which xorshift would stay.
    const SEED_FOR_ZERO: u32 = 0x9E37_79B9;

    /// Generator started from `seed`.
    pub const fn new(seed: u32) -> Self {
        XorShift32(seed)
    }

    /// Next 32 bits.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        if self.0 == 0 {
            self.0 = Self::SEED_FOR_ZERO;
        }
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    /// Uniform in `0..n`, up to a bias of `n / 2^32`.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.next_u32()) * u64::from(n)) >> 32) as u32
    }
}

crate::persist::persist!([] XorShift32 as "xorshift" { 0 });
