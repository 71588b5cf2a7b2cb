//! State that only the board knows.

use super::message::Fault;

/// Status of the board, to be passed with each byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BoardStatus {
    /// Milliseconds since the start.
    pub now_ms: u64,
    /// Ticks of the board's fastest counter that the last answer took.
    pub work: u32,
    /// Most stack that was ever in use, in bytes.
    pub stack_used: u32,
    /// Stack there is, in bytes.
    pub stack_size: u32,
    /// Bytes that came faster than they could be taken.
    pub dropped_bytes: u32,
    /// Why it started last.
    pub fault: Fault,
}
