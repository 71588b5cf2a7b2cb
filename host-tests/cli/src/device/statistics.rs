//! Statistics of the line.

/// Counts of requests and frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Requests that were answered.
    pub exchanges: u64,
    /// Frames sent, repetitions included.
    pub sent: u64,
    /// Frames that were sent again.
    pub repeated: u64,
    /// Frames received, damaged ones included.
    pub received: u64,
    /// Frames received that were damaged.
    pub damaged: u64,
    /// Frames received that came after their timeout.
    pub unexpected: u64,
    /// Commands whose answer was lost for good.
    pub forgotten: u64,
    /// Times that nothing came for too long.
    pub timeouts: u64,
}
