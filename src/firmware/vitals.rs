//! How the board is doing, as plain numbers for whoever answers the host.

/// Measured by the loop before each byte is handed on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vitals {
    /// Milliseconds since the start.
    pub now_ms: u64,
    /// The most bytes of stack that were ever in use, up to the last reply.
    pub stack_used: u32,
    /// Bytes of stack that are watched.
    pub stack_size: u32,
    /// Received bytes that were lost because the loop was busy for too long.
    pub dropped_bytes: u32,
    /// Why there was a reset.
    pub fault: Fault,
}

/// Why the last run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[expect(
    clippy::enum_variant_names,
    reason = "a hard fault is called so everywhere"
)]
pub enum Fault {
    /// The power went, or somebody pressed the button.
    #[default]
    None,
    /// The core could not go on at this program counter.
    HardFault { pc: u32 },
    /// The stack has reached its end.
    StackOverflow,
    /// The loop was stuck.
    Watchdog,
    /// The program gave up.
    Panic,
    /// Something that this program does not know.
    Unknown,
}
