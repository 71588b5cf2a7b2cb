//! The rate that is shown is that of the sensor, however long its answers take.

use std::time::Duration;

use anyhow::Result;
use pocketron::label::Class;
use pocketron_cli::live::{
    keys::Keys,
    session::Session,
    source::{Sensor, Source, Update},
};

use super::Clock;

/// A sensor at a slow line: 50 samples a second by the clock, and 15 ms for each answer.
struct Port {
    sensor: Sensor,
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
        let there = (self.clock.0.get().as_secs_f64() * self.sensor.rate) as u32;
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

#[test]
fn the_time_that_answers_take_counts_for_the_rate() {
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
        clock: clock.clone(),
        given: 0,
    };
    let mut session = Session::new(port, Keys::new(false), "x.csv".into(), clock.reader());
    // Twenty seconds of pictures, one every 50 ms as far as there is time.
    for _ in 0..400 {
        session.ask().unwrap();
        let rest = 0.05 - session.since_asked().as_secs_f64();
        clock.pass(rest.max(0.0));
    }
    let rate = session.state().rate.expect("measured");
    assert!((rate - 50.0).abs() < 0.5, "{rate}");
    assert_eq!(session.state().warnings(), [""; 0]);
}
