//! Load of the line.

use std::time::Duration;

use crate::{device::Statistics, table::Table};

/// Traffic on the line in some time.
pub struct Traffic {
    exchanges: u64,
    sent: u64,
    repeated: u64,
    forgotten: u64,
    time: Duration,
}

impl Traffic {
    /// Between two counts.
    pub fn between(before: &Statistics, after: &Statistics, time: Duration) -> Self {
        Traffic {
            exchanges: after.exchanges - before.exchanges,
            sent: after.sent - before.sent,
            repeated: after.repeated - before.repeated,
            forgotten: after.forgotten - before.forgotten,
            time,
        }
    }

    /// Adds it to a table.
    pub fn tell(&self, table: &mut Table) {
        let seconds = self.time.as_secs_f64().max(1e-9);
        let rate = self.exchanges as f64 / seconds;
        table.fact(
            "time",
            format!("{seconds:.2} s, {rate:.0} exchanges a second"),
        );
        let mut frames = format!("{} sent, {} of them again", self.sent, self.repeated);
        if self.forgotten > 0 {
            frames += &format!(", {} answers lost", self.forgotten);
        }
        table.fact("frames", frames);
    }
}
