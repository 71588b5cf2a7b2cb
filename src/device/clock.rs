//! Milliseconds since the start.

/// Adds up the turns of a 32-bit counter, which would wrap within hours.
///
/// Must be read more than once per turn, so that none goes unnoticed: let a timer wake
/// the loop, if nothing else does.
///
/// ```
/// use pocketron::device::Clock;
/// let mut clock = Clock::<1000>::starting_at(u32::MAX - 499); // a counter of microseconds
/// assert_eq!(clock.ms(499), 0);
/// assert_eq!(clock.ms(500), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Clock<const TICKS_PER_MS: u32> {
    last: u32,
    rest: u32,
    ms: u64,
}

impl<const TICKS_PER_MS: u32> Clock<TICKS_PER_MS> {
    /// Starts at zero when the counter shows `counter`.
    pub const fn starting_at(counter: u32) -> Self {
        const {
            assert!(
                TICKS_PER_MS > 0 && TICKS_PER_MS <= 1 << 31,
                "a millisecond is at least a tick, and less than a turn"
            )
        };
        Clock {
            last: counter,
            rest: 0,
            ms: 0,
        }
    }

    /// The time when the counter, which counts up, shows `counter`.
    pub fn ms(&mut self, counter: u32) -> u64 {
        let elapsed = counter.wrapping_sub(self.last);
        self.last = counter;
        // In parts, since a 64-bit division is long on a core that has none of 32 bits either.
        self.ms += u64::from(elapsed / TICKS_PER_MS);
        self.rest += elapsed % TICKS_PER_MS;
        if self.rest >= TICKS_PER_MS {
            self.rest -= TICKS_PER_MS;
            self.ms += 1;
        }
        self.ms
    }
}
