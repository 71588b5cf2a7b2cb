//! Permutations that are the same on every machine.
//!
//! Experiments average over random orders; an order is named by its seed alone. The generator is
//! written out here so that no dependency can change it: SplitMix64 (Steele, Lea, Flood 2014)
//! driving a Fisher-Yates shuffle.

/// SplitMix64: 64 bits of state, 64 bits out, any seed is a good one.
#[derive(Debug, Clone)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The generator that starts at `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.state;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, each equally likely (Lemire's multiplication with rejection).
    ///
    /// # Panics
    ///
    /// If `bound` is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is no number below 0");
        let unfair = bound.wrapping_neg() % bound;
        loop {
            let wide = self.next_u64() as u128 * bound as u128;
            if wide as u64 >= unfair {
                return (wide >> 64) as u64;
            }
        }
    }
}

/// The numbers `0..n` in the order that `seed` names.
///
/// ```
/// use pocketron_testkit::data::shuffle::permutation;
///
/// assert_eq!(permutation(6, 1), permutation(6, 1));
/// assert_ne!(permutation(6, 1), permutation(6, 2));
/// ```
pub fn permutation(n: usize, seed: u64) -> Vec<usize> {
    let mut generator = SplitMix64::new(seed);
    let mut order: Vec<usize> = (0..n).collect();
    for last in (1..n).rev() {
        let other = generator.below(last as u64 + 1) as usize;
        order.swap(last, other);
    }
    order
}
