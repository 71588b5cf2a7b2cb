//! How well is it going? Observers of the streaming loop.
//!
//! | observer | answers | bytes |
//! |---|---|---|
//! | [`Counters`] | totals: mistakes, updates, evictions, refusals | 20 |
//! | [`Window<N>`] | error over the last `N` examples | about `N` |
//! | [`Confusion<C>`] | which class is taken for which; recall and precision | `4 C^2` |

mod confusion;
mod counters;
mod window;

pub use confusion::Confusion;
pub use counters::Counters;
pub use window::Window;

/// `part / whole`, or `None` when there is nothing to divide by.
fn ratio(part: u32, whole: u32) -> Option<f32> {
    (whole > 0).then(|| part as f32 / whole as f32)
}
