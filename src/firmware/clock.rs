//! Milliseconds since the start.

/// Adds up the turns of a 32-bit counter, which would wrap within minutes.
///
/// Must be read at least once per turn. The loop does: it is woken more often than that,
/// and what keeps it busy for so long is a case for the watchdog.
pub struct Clock<const TICKS_PER_MS: u32> {
    last: u32,
    rest: u32,
    ms: u64,
}

impl<const TICKS_PER_MS: u32> Clock<TICKS_PER_MS> {
    /// Starts at zero when the counter shows `counter`.
    pub fn starting_at(counter: u32) -> Self {
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
