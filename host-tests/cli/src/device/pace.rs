//! Timeouts: before sending again, and before giving up.

use std::time::{Duration, Instant};

/// Waiting times.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// Give up when there was no progress for so long.
    pub give_up: Duration,
    /// Send again after so long until a round trip has been measured.
    pub first: Duration,
    /// Never send again before so long.
    pub least: Duration,
}

impl Default for Timeouts {
    /// Long enough for a device that erases flash, or that learns without a floating-point unit.
    fn default() -> Self {
        Timeouts {
            give_up: Duration::from_secs(10),
            first: Duration::from_millis(500),
            least: Duration::from_millis(200),
        }
    }
}

/// Follows how fast a device answers.
///
/// The wait is four times the smoothed round trip and doubles with each time that
/// it was in vain, so that a busy device is not buried in repetitions.
#[derive(Debug)]
pub struct Pace {
    timeouts: Timeouts,
    round_trip: Option<Duration>,
    in_vain: u32,
    sent: Instant,
    progress: Instant,
}

impl Pace {
    /// Nothing measured yet.
    pub fn new(timeouts: Timeouts) -> Self {
        let now = Instant::now();
        Pace {
            timeouts,
            round_trip: None,
            in_vain: 0,
            sent: now,
            progress: now,
        }
    }

    /// The first request after a pause was sent.
    pub fn begin(&mut self) {
        self.progressed();
    }

    /// Something was answered.
    pub fn progressed(&mut self) {
        self.progress = Instant::now();
        self.sent = self.progress;
        self.in_vain = 0;
    }

    /// An answer to something that was sent only once took so long.
    pub fn measured(&mut self, round_trip: Duration) {
        let smoothed = self.round_trip.unwrap_or(round_trip);
        self.round_trip = Some((smoothed * 7 + round_trip) / 8);
    }

    /// When to send again.
    pub fn deadline(&self) -> Instant {
        let wait = self.round_trip.map_or(self.timeouts.first, |time| time * 4);
        let wait = wait.max(self.timeouts.least) * (1 << self.in_vain.min(5));
        let again = self.sent + wait.min(self.timeouts.give_up);
        again.min(self.progress + self.timeouts.give_up)
    }

    /// The deadline passed, and everything is sent again; `None` when it is time to give up.
    pub fn again(&mut self) -> Option<()> {
        self.in_vain += 1;
        self.sent = Instant::now();
        (self.sent.duration_since(self.progress) < self.timeouts.give_up).then_some(())
    }

    /// Time without progress.
    pub fn waited(&self) -> Duration {
        self.progress.elapsed()
    }
}
