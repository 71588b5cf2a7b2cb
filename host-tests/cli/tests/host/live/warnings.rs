//! Warnings of the sensor and of too little teaching.

use std::time::Duration;

use pocketron::signal::Quality;
use pocketron_cli::live::source::Update;
use pocketron_testkit::data::recording::Recording;

use super::{Live, screen_of};

#[test]
fn warnings_say_what_to_do() {
    let mut live = Live::watch("live-warnings");
    live.teach("2", 6.0);
    live.wait(0.5);
    live.shows("! ABD: 3 windows taught, 8 or more are better");
    live.press("3");
    live.press("3");
    live.wait(0.1);
    assert_eq!(
        live.state().message,
        "too short: a window takes 2.6 seconds"
    );
}

/// A recording whose samples are all the same but for a number that says when they were taken.
fn made(sample: impl Fn(u32) -> [i16; 3]) -> Recording {
    let lines = (0..500).map(|n| {
        let [x, y, z] = sample(n);
        format!("{},{x},{y},{z}\n", f64::from(n) / 50.0)
    });
    let text = format!("time,x,y,z\n{}", lines.collect::<String>());
    Recording::read("made.csv".as_ref(), text.as_bytes()).unwrap()
}

#[test]
fn a_stuck_or_saturated_sensor_is_named_long_enough_to_be_read() {
    let mut live = Live::of("live-stuck", &made(|_| [7, 7, 1000]), None);
    live.wait(2.0);
    live.shows("! the sensor gives the same sample again and again");

    // Beyond its range for a tenth of a second.
    let hit = |n| {
        if (100..105).contains(&n) {
            i16::MAX
        } else {
            n as i16
        }
    };
    let mut live = Live::of("live-saturated", &made(|n| [hit(n), 0, 1000]), None);
    live.wait(1.9);
    live.does_not_show("end of its range");
    live.wait(2.0);
    live.shows("! the sensor is at the end of its range: choose a larger one");
    live.wait(5.0);
    live.does_not_show("end of its range");
}

#[test]
fn a_slow_sensor_and_lost_samples_are_reported() {
    let live = Live::watch("live-slow");
    let mut state = live.state().clone();
    let update = Update {
        elapsed: Duration::from_secs(5),
        samples: vec![vec![0, 0, 0]; 234],
        classes: state.classes.clone(),
        quality: Quality {
            lost: 12,
            ..Quality::default()
        },
        wear: Some(17),
        ..Update::default()
    };
    state.take_in(&update);
    let screen = screen_of(&state);
    for text in [
        "! 12 samples lost",
        "! 46.8 of 50 samples a second",
        "17 erases",
    ] {
        assert!(screen.contains(text), "no {text:?} in\n{screen}");
    }
}
