//! Rare events: uneven margins against the plain perceptron.
//!
//! One sample in thirty is an event. A learner that counts every mistake alike
//! hardly ever raises the alarm; a larger margin for the rare class, and a negative
//! one for the common class, make it find the events, for more false alarms.
//!
//! `cargo run --example paum` on the host, `cargo xtask qemu paum` on a Cortex-M4F.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[macro_use]
mod platform;
mod sensor;

use core::fmt::{self, Write};

use pocketron::{
    history::Averaged,
    hypothesis::{Averageable, Biased, LargestNorm, Linear},
    prelude::*,
    stream::Confusion,
};
use sensor::{FEATURES, RANGE, Readings, SAMPLES, features};

type Plane = Biased<Linear<[f32; FEATURES]>, LargestNorm>;
/// Averaged, because the last hypothesis is only as good as its last correction.
type Detector = Perceptron<Plane, MarginRule, Averaged<<Plane as Averageable>::Sum>>;

/// An event is a high sum of readings, one of which the learner does not get to
/// see: no boundary is perfect.
fn sample(readings: &mut Readings) -> ([f32; FEATURES], Sign) {
    let [first, second, third, hidden] = readings.sample();
    let event = first + second + hidden / 2 > 8 * RANGE / 5;
    let label = if event { Sign::Pos } else { Sign::Neg };
    (features([first, second, third, 0]), label)
}

/// Learns one stream, then answers another one.
fn try_out(rule: MarginRule) -> Confusion<2> {
    let mut detector = Detector::with_history(Plane::BLANK, rule, Averaged::new());
    let mut readings = Readings::new(7);
    for _ in 0..SAMPLES {
        let (x, label) = sample(&mut readings);
        let _ = detector.learn(&x, label); // the readings are finite
    }
    let mut confusion = Confusion::new();
    for _ in 0..SAMPLES {
        let (x, label) = sample(&mut readings);
        if let Ok(answer) = detector.predict(&x) {
            confusion.count(label, answer);
        }
    }
    confusion
}

fn report(out: &mut impl Write, name: &str, rule: MarginRule) -> fmt::Result {
    let confusion = try_out(rule);
    let found = confusion.of(Sign::Pos, Sign::Pos);
    let missed = confusion.of(Sign::Pos, Sign::Neg);
    let false_alarms = confusion.of(Sign::Neg, Sign::Pos);
    let events = found + missed;
    let recall = found * 100 / events.max(1);
    writeln!(
        out,
        "{name:<22} {found:>3} of {events} events, recall {recall:>3} %, {false_alarms:>3} false alarms"
    )
}

fn demo(out: &mut impl Write) -> fmt::Result {
    let rule = MarginRule::new(1.0);
    report(out, "perceptron", rule)?;
    report(out, "equal margins 1, 1", rule.with_margin(1.0))?;
    report(out, "uneven margins 0, 5", rule.with_margins(0.0, 5.0))?;
    report(out, "uneven margins -1, 5", rule.with_margins(-1.0, 5.0))?;
    report(out, "uneven margins -2, 5", rule.with_margins(-2.0, 5.0))?;
    let by_size = rule.with_class_size(0.03, -1.0, 10.0, -5.0);
    report(out, "margins by class size", by_size)
}

run_demo!(demo);
