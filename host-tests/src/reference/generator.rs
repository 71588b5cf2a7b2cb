//! The pseudo-random numbers of `random` and `tighter`: xorshift32, so that a seed means the same
//! everywhere.

/// Marsaglia's generator with the shifts 13, 17, 5.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Xorshift32(u32);

impl Xorshift32 {
    /// Starts at `seed`. From 0 the generator would never leave 0, so 0 stands for 0x9E3779B9.
    pub fn new(seed: u32) -> Self {
        Self(if seed == 0 { 0x9E37_79B9 } else { seed })
    }

    /// The next state.
    pub fn draw(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    /// A number from 0 to n - 1: the high word of draw * n.
    pub fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.draw()) * n as u64) >> 32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_marsaglias() {
        // From 1: 1 ^ 1 << 13 = 8193; >> 17 changes nothing; ^ << 5 gives 270369. The next two are
        // the published ones.
        let mut generator = Xorshift32::new(1);
        assert_eq!(
            [generator.draw(), generator.draw(), generator.draw()],
            [270_369, 67_634_689, 2_647_435_461]
        );
    }

    #[test]
    fn seed_zero_stands_for_another() {
        assert_eq!(Xorshift32::new(0), Xorshift32::new(0x9E37_79B9));
    }

    #[test]
    fn below_stays_below_and_reaches_every_number() {
        let mut generator = Xorshift32::new(0);
        let mut hits = [0; 7];
        (0..7000).for_each(|_| hits[generator.below(7)] += 1);
        assert!(hits.iter().all(|&n| (850..1150).contains(&n)), "{hits:?}");
    }
}
