//! The rate that is shown and recorded is that of the sensor, however long its answers take.

use std::{path::PathBuf, time::Duration};

use anyhow::Result;
use pocketron::label::Class;
use pocketron_cli::live::{
    keys::Keys,
    session::Session,
    source::{Sensor, Source, Update},
};
use pocketron_testkit::data::recording::Recording;
use ratatui::crossterm::event::KeyEventKind;

use super::{Clock, event};
use crate::common::files::Scratch;

/// A sensor at a slow line, with 15 ms for each answer.
struct Port {
    sensor: Sensor,
    /// Samples a second by the clock.
    rate: f64,
    clock: Clock,
    given: u32,
}

const ANSWER: f64 = 0.015;

impl Source for Port {
    fn sensor(&self) -> &Sensor {
        &self.sensor
    }

    fn poll(&mut self, elapsed: Duration) -> Result<Update> {
        self.clock.pass(ANSWER);
        let there = (self.clock.0.get().as_secs_f64() * self.rate) as u32;
        let update = Update {
            elapsed,
            first: self.given,
            samples: vec![vec![0; 3]; (there - self.given) as usize],
            ..Update::default()
        };
        self.given = there;
        Ok(update)
    }

    fn teach(&mut self, _: Option<Class>) -> Result<()> {
        Ok(())
    }

    fn undo(&mut self) -> Result<()> {
        Ok(())
    }

    fn forget(&mut self, _: Class) -> Result<()> {
        Ok(())
    }

    fn save(&mut self) -> Result<String> {
        Ok(String::new())
    }
}

/// A sensor that says it gives 50 samples a second.
fn session(rate: f64, record_to: PathBuf) -> (Session<Port, impl Fn() -> Duration>, Clock) {
    let clock = Clock::default();
    let sensor = Sensor {
        name: "port".into(),
        channels: ["x", "y", "z"].map(String::from).to_vec(),
        rate: 50.0,
        window: 64,
        classes: vec!["class 1".into()],
        bytes: 0,
    };
    let port = Port {
        sensor,
        rate,
        clock: clock.clone(),
        given: 0,
    };
    let session = Session::new(port, Keys::new(false), record_to, clock.reader());
    (session, clock)
}

/// Seconds of pictures, one every 50 ms as far as there is time.
fn wait(session: &mut Session<Port, impl Fn() -> Duration>, clock: &Clock, seconds: u32) {
    for _ in 0..20 * seconds {
        session.ask().unwrap();
        let rest = 0.05 - session.since_asked().as_secs_f64();
        clock.pass(rest.max(0.0));
    }
}

#[test]
fn the_time_that_answers_take_counts_for_the_rate() {
    let (mut session, clock) = session(50.0, "x.csv".into());
    wait(&mut session, &clock, 20);
    let rate = session.state().rate.expect("measured");
    assert!((rate - 50.0).abs() < 0.5, "{rate}");
    assert_eq!(session.state().warnings(), [""; 0]);
}

#[test]
fn a_recording_has_the_measured_rate() {
    let scratch = Scratch::new("live-time");
    let path = scratch.0.join("slow.csv");
    let (mut session, clock) = session(46.8, path.clone());
    wait(&mut session, &clock, 6);
    let key = |key| event(key, KeyEventKind::Press);
    session.key(&key('r'));
    wait(&mut session, &clock, 20);
    session.key(&key('r'));
    let recording = Recording::read_file(&path).unwrap();
    let rate = recording.rate.expect("it has times");
    assert!((rate - 46.8).abs() < 0.25, "{rate}");
    assert_eq!(recording.segments.len(), 1, "no gaps");
}
