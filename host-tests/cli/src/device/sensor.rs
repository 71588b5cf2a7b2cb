//! The sensor of a device, one method for each thing that can be done with it.
//!
//! A live view asks for [`state`](Client::sensor_state) and [`samples`](Client::samples) a few times a second; a demonstration over a
//! recording lets it [`play`](Client::play) and looks at what came of each window.

use std::time::{Duration, Instant};

use pocketron::device::message::{Request, SensorEvent, SensorState};

use super::{Answer, Client, LinkError, client::expected};

/// Samples and features of a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensor {
    /// Names of the channels.
    pub channels: Vec<String>,
    /// Names of the features that the model gets of a window.
    pub features: Vec<String>,
    /// Samples in a window.
    pub window: usize,
    /// Samples from the beginning of a window to that of the next.
    pub hop: usize,
    /// Samples a second, nominally; zero if unknown.
    pub rate: f32,
    /// Samples of the recording that stands for a sensor; none if the sensor is a real one.
    pub recording: Option<u32>,
}

/// A part of what a device says of its sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorPart {
    pub(super) sensor: Sensor,
    pub(super) channels: usize,
    pub(super) features: usize,
    pub(super) names: Vec<String>,
}

/// Samples in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampleRun {
    /// Sequence number of the first; that of the next if there are none.
    pub first: u32,
    /// Samples that were asked for but are no longer on the device.
    pub dropped: u32,
    /// The numbers, sample by sample, channel by channel.
    pub values: Vec<i16>,
}

impl SampleRun {
    /// The samples, each with a number for every channel.
    pub fn samples(&self, channels: usize) -> impl Iterator<Item = &[i16]> {
        self.values.chunks_exact(channels.max(1))
    }

    /// Number of the next sample.
    pub fn next(&self, channels: usize) -> u32 {
        let samples = self.values.len() / channels.max(1);
        self.first.wrapping_add(samples as u32)
    }
}

/// Progress of a recording that is being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playing {
    /// Samples that have still to come.
    pub to_play: u32,
    /// Samples of the recording behind those.
    pub left: u32,
}

/// Timeout of a recording that stands still.
const STANDSTILL: Duration = Duration::from_secs(20);

impl Client {
    /// The channels and features of the device. Refused by a device without a sensor.
    pub fn sensor(&mut self) -> Result<Sensor, LinkError> {
        let mut names: Vec<String> = Vec::new();
        loop {
            let name = names.len() as u16;
            let answer = self.session.ask(&Request::Sensor { name })?;
            let part = expected!(answer, "its sensor", Answer::Sensor(part) => part)?;
            if part.names.is_empty() && names.len() < part.channels + part.features {
                return Err(LinkError::Unexpected("the names of its channels"));
            }
            names.extend(part.names);
            if names.len() >= part.channels + part.features {
                let features = names.split_off(part.channels);
                return Ok(Sensor {
                    channels: names,
                    features,
                    ..part.sensor
                });
            }
        }
    }

    /// The samples from this sequence number on, as many as fit into a frame.
    pub fn samples(&mut self, from: u32) -> Result<SampleRun, LinkError> {
        let answer = self.session.ask(&Request::Samples { from })?;
        expected!(answer, "its samples", Answer::Samples(run) => run)
    }

    /// The last event, the class being taught, and counters of faulty samples.
    pub fn sensor_state(&mut self) -> Result<SensorState, LinkError> {
        let answer = self.session.ask(&Request::State)?;
        expected!(answer, "the state of its sensor", Answer::State(state) => *state)
    }

    /// The samples that follow are of this class; of none: the device is asked instead.
    pub fn teach(&mut self, class: Option<u8>) -> Result<(), LinkError> {
        self.carry_out(&Request::Teach { class })
    }

    /// Lets samples of a recording come, from this one on or from where the last one ended, and does not wait for them.
    pub fn begin_play(&mut self, from: Option<u32>, samples: u32) -> Result<Playing, LinkError> {
        let answer = self.session.ask(&Request::Play { from, samples })?;
        expected!(answer, "that it plays", Answer::Playing(playing) => playing)
    }

    /// Lets samples of a recording come, and waits until they have come and all that was taught is rehearsed.
    pub fn play(&mut self, from: Option<u32>, samples: u32) -> Result<SensorState, LinkError> {
        self.begin_play(from, samples)?;
        self.settled()
    }

    /// Waits until no sample has to come and, unless something is being taught, all is rehearsed.
    pub fn settled(&mut self) -> Result<SensorState, LinkError> {
        let mut moved = Instant::now();
        let mut last = None;
        loop {
            let state = self.sensor_state()?;
            let is_rehearsed = state.owed == 0 || state.teaching.is_some();
            if state.to_play == 0 && is_rehearsed {
                return Ok(state);
            }
            if last.replace((state.next, state.owed)) != Some((state.next, state.owed)) {
                moved = Instant::now();
            } else if moved.elapsed() > STANDSTILL {
                return Err(LinkError::Silent(STANDSTILL));
            }
        }
    }

    /// Plays samples of a recording, and tells `window` of everything that came of a window: the samples of the recording before it
    /// ended, and the event.
    ///
    /// The first sample begins a new window, so all windows lie inside.
    pub fn play_windows(
        &mut self,
        sensor: &Sensor,
        from: u32,
        samples: u32,
        mut window: impl FnMut(u32, SensorEvent),
    ) -> Result<SensorState, LinkError> {
        let (length, hop) = (sensor.window as u32, (sensor.hop as u32).max(1));
        let mut state = self.play(Some(from), samples.min(length))?;
        let begin = state.next.wrapping_sub(samples.min(length));
        let mut told = state.event_at == state.next && samples >= length;
        let mut done = samples.min(length);
        loop {
            if told {
                window(from + state.event_at.wrapping_sub(begin), state.event);
            }
            let step = hop.min(samples - done);
            if step == 0 {
                return Ok(state);
            }
            state = self.play(None, step)?;
            done += step;
            told = state.event_at == state.next && step == hop;
        }
    }
}
