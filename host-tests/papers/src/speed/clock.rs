//! Times that others on the machine disturb little: those of the processor, not of the wall.

use std::{convert::Infallible, hint::black_box, time::Duration};

use cpu_time::ThreadTime;

/// How long is measured at a time: long beside the clock's steps, short beside the turns of a scheduler.
const ROUND: Duration = Duration::from_millis(2);

/// How often, unless that takes too long: the fastest round is the one that nobody disturbed.
const ROUNDS: usize = 60;
const LONG: Duration = Duration::from_millis(500);
const AT_LEAST: usize = 3;

/// Seconds that `work` takes at best.
pub fn best<R>(mut work: impl FnMut() -> R) -> f64 {
    let Ok(seconds) = fastest(|calls| {
        let start = ThreadTime::now();
        (0..calls).for_each(|_| drop(black_box(work())));
        Ok::<_, Infallible>(start.elapsed())
    });
    seconds
}

/// Seconds that a call takes at best, of something that knows how long so many calls took.
pub fn fastest<E>(mut time: impl FnMut(u32) -> Result<Duration, E>) -> Result<f64, E> {
    // Once to warm up.
    time(1)?;
    let one = time(1)?.max(Duration::from_nanos(20));
    let calls = ROUND.div_duration_f64(one).ceil().max(1.0) as u32;
    let (mut fastest, mut all) = (Duration::MAX, Duration::ZERO);
    for round in 0..ROUNDS {
        if round >= AT_LEAST && all >= LONG {
            break;
        }
        let took = time(calls)?;
        fastest = fastest.min(took);
        all += took;
    }
    Ok(fastest.as_secs_f64() / f64::from(calls))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every second call is disturbed.
    #[test]
    fn the_fastest_round_counts_and_slow_work_is_not_repeated_for_ever() {
        let mut asked = 0;
        let seconds = fastest(|calls| {
            asked += 1;
            Ok::<_, Infallible>(calls * Duration::from_millis(200 + 100 * (asked % 2)))
        });
        assert_eq!((seconds, asked), (Ok(0.2), 2 + 3));
    }

    #[test]
    fn a_failure_ends_it() {
        assert_eq!(fastest(|_| Err("no clock")), Err("no clock"));
    }
}
