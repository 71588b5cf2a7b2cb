//! Deepest use of the stack.
//!
//! The start-up code has painted it, and what was ever in use shows no paint. The linker
//! knows its borders, with flip-link (stack below the variables) and without (above).

use cortex_m_rt::STACK_PAINT_VALUE;

/// No more than this is watched: a board with megabytes of stack would be busy looking.
const WATCHED: u32 = 64 * 1024;

unsafe extern "C" {
    /// The first address above the stack, which grows downwards.
    static _stack_start: u32;
    /// The lowest address of the stack.
    static _stack_end: u32;
}

/// The first address above the stack.
pub fn top() -> u32 {
    &raw const _stack_start as u32
}

/// The lowest address of the stack.
pub fn bottom() -> u32 {
    &raw const _stack_end as u32
}

/// Bytes of stack, as far as they are watched.
pub fn size() -> u32 {
    top().saturating_sub(bottom()).min(WATCHED)
}

/// The most bytes that have been in use at any time.
pub fn used() -> u32 {
    let words = size() / 4;
    let start = (top() - size()) as *const u32;
    // SAFETY: these words lie between the stack's borders. Its lower end is memory that
    // nothing else uses, and the reads are volatile since the stack changes behind Rust's back.
    let painted =
        |word: &u32| unsafe { start.add(*word as usize).read_volatile() == STACK_PAINT_VALUE };
    let unused = (0..words).take_while(painted).count() as u32;
    size() - 4 * unused
}
