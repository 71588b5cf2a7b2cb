//! Times that others on the machine disturb little: those of the processor, not of the wall.

use std::{hint::black_box, time::Duration};

use cpu_time::ThreadTime;

/// How long is measured at a time: long beside the clock's steps, short beside the turns of a scheduler.
const ROUND: Duration = Duration::from_millis(2);

/// How often, unless that takes too long: the fastest round is the one that nobody disturbed.
const ROUNDS: usize = 60;
const LONG: Duration = Duration::from_millis(500);
const AT_LEAST: usize = 3;

/// Seconds that `work` takes at best.
pub fn best<R>(mut work: impl FnMut() -> R) -> f64 {
    let mut time = |calls: u32| {
        let start = ThreadTime::now();
        (0..calls).for_each(|_| drop(black_box(work())));
        start.elapsed()
    };
    // Once to warm up.
    time(1);
    let one = time(1).max(Duration::from_nanos(20));
    let calls = ROUND.div_duration_f64(one).ceil().max(1.0) as u32;
    let start = ThreadTime::now();
    let rounds = (0..ROUNDS).take_while(|round| *round < AT_LEAST || start.elapsed() < LONG);
    let fastest = rounds.map(|_| time(calls)).min().unwrap_or_default();
    fastest.as_secs_f64() / f64::from(calls)
}
