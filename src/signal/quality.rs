//! Counters of faulty samples.

/// Counts samples, and those with which something was wrong. No counter overflows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Quality {
    /// Samples taken, those below included, lost ones not.
    pub samples: u32,
    /// Samples [known to be lost](super::FrontEnd::skip). Short gaps are bridged, long ones begin a new window.
    pub lost: u32,
    /// Samples with a channel at the [end of its range](super::Windowed).
    pub saturated: u32,
    /// Samples after [`STUCK`](Self::STUCK) equal ones in a row: the sensor, or the way to it, is stuck.
    pub constant: u32,
    /// Samples with a NaN or an infinity: they are treated as lost ones.
    pub non_finite: u32,
}

impl Quality {
    /// Equal samples in a row that still count as normal.
    pub const STUCK: u32 = 16;

    /// Whether nothing was wrong.
    pub fn is_good(&self) -> bool {
        let samples = self.samples;
        *self
            == Quality {
                samples,
                ..Quality::default()
            }
    }
}

/// Adds one, or stays at the end.
pub(super) fn count(counter: &mut u32) {
    *counter = counter.saturating_add(1);
}
