//! Several things at once, where they would wait for one another to no end.
//!
//! Cargo lets one build after the other into a target folder, and uses all processors for it. Emulators use
//! one each or none: they run while the next board is built for.

use anyhow::Result;
use std::{panic, thread};

/// Results of `work` for each item, in their order; all are worked on at once. The first error in that order
/// is the one to be told.
pub fn each<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let work = &work;
    thread::scope(|scope| {
        let start = |item| scope.spawn(move || work(item));
        let threads: Vec<_> = items.iter().map(start).collect();
        let ended = threads.into_iter().map(|thread| thread.join());
        ended
            .map(|result| result.unwrap_or_else(|panic| panic::resume_unwind(panic)))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;
    use std::sync::Barrier;

    #[test]
    fn all_run_at_once_and_results_keep_their_order() {
        let all_are_there = Barrier::new(3);
        let doubled = each(&[1, 2, 3], |number| {
            all_are_there.wait();
            Ok(2 * number)
        });
        assert_eq!(doubled.unwrap(), [2, 4, 6]);
    }

    #[test]
    fn the_first_error_is_told_and_nobody_is_left_running() {
        let done = std::sync::atomic::AtomicU32::new(0);
        let error = each(&[1, 2, 3], |number| {
            done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if *number > 1 {
                bail!("{number} is bad");
            }
            Ok(())
        });
        assert_eq!(error.unwrap_err().to_string(), "2 is bad");
        assert_eq!(done.into_inner(), 3);
    }
}
