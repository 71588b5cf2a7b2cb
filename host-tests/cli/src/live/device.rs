//! A device at a port or in QEMU behind the screen.

use std::time::Duration;

use anyhow::Result;
use pocketron::{
    classifier::{Recall, RecallEstimate},
    device::message::{self, SampleQuality, SensorEvent},
    label::Class,
    signal::{Event, Missing, Quality},
};

use super::source::{ClassState, Sensor, Source, Update};
use crate::device::Client;

/// Samples are fetched in at most this many frames; the rest is fetched the next time.
const PIECES: usize = 8;

/// A device with a sensor.
pub struct Device {
    client: Client,
    sensor: Sensor,
    /// Whether a recording stands for the sensor: it plays as fast as the clock goes.
    is_recording: bool,
    speed: f64,
    /// Samples that the clock has not reached yet, as a part of one.
    rest: f64,
    /// The next sample to fetch.
    next: u32,
    /// The last event, and the samples there were then.
    latest: (u32, SensorEvent),
    classes: Vec<ClassState>,
    dropped: u32,
    wear: u32,
    is_unsaved: bool,
}

/// A recording goes on where it was if it was not polled for longer.
const LONGEST: Duration = Duration::from_secs(1);

impl Device {
    /// Asks what the device measures.
    pub fn new(mut client: Client, speed: f64) -> Result<Self> {
        let found = client.sensor()?;
        let state = client.sensor_state()?;
        let identity = client.identity();
        let classes = identity.classes.min(9);
        let sensor = Sensor {
            name: identity.firmware.clone(),
            channels: found.channels,
            rate: f64::from(found.rate).max(1.0),
            window: found.window,
            classes: (1..=classes)
                .map(|number| format!("class {number}"))
                .collect(),
            bytes: identity.model_bytes as usize,
        };
        let mut device = Device {
            client,
            sensor,
            is_recording: found.recording.is_some(),
            speed,
            rest: 0.0,
            next: state.next,
            latest: (state.event_at, state.event),
            classes: vec![ClassState::default(); classes],
            dropped: 0,
            wear: 0,
            is_unsaved: false,
        };
        device.ask_model()?;
        Ok(device)
    }

    /// Refreshes the fields that change when something is taught or saved.
    fn ask_model(&mut self) -> Result<()> {
        let status = self.client.status()?;
        self.wear = status.wear;
        // Generation 0 is a fresh model.
        let is_saved = status.saved_generation == Some(status.generation);
        self.is_unsaved = status.generation > 0 && !is_saved;
        for (class, state) in self.classes.iter_mut().enumerate() {
            let status = self.client.class_status(class as u8)?;
            *state = ClassState {
                windows: status.seen,
                // The wire has no number for them.
                kept: None,
                recall: Recall {
                    asked: status.vectors,
                    right: status.recalled,
                    kind: match status.kind {
                        message::RecallKind::LeaveOneOut => RecallEstimate::LeaveOneOut,
                        message::RecallKind::HeldOut => RecallEstimate::HeldOut,
                    },
                },
            };
        }
        Ok(())
    }

    fn fetch(&mut self, update: &mut Update) -> Result<()> {
        let channels = self.sensor.channels.len();
        for _ in 0..PIECES {
            let run = self.client.samples(self.next)?;
            if update.samples.is_empty() {
                update.first = run.first;
            } else if run.first != self.next {
                // Samples were dropped: what is behind the gap comes the next time, with a number of its own.
                break;
            }
            self.dropped = self.dropped.saturating_add(run.dropped);
            let samples = run.samples(channels).map(<[i16]>::to_vec);
            update.samples.extend(samples);
            self.next = run.next(channels);
            if run.values.is_empty() {
                break;
            }
        }
        Ok(())
    }
}

impl Source for Device {
    fn sensor(&self) -> &Sensor {
        &self.sensor
    }

    fn poll(&mut self, elapsed: Duration) -> Result<Update> {
        let mut update = Update {
            elapsed,
            ..Update::default()
        };
        if self.is_recording {
            let elapsed = elapsed.min(LONGEST);
            let due = elapsed.as_secs_f64() * self.sensor.rate * self.speed + self.rest;
            self.rest = due.fract();
            update.elapsed = elapsed.mul_f64(self.speed);
            let playing = self.client.begin_play(None, due as u32)?;
            if playing.left == 0 && playing.to_play == 0 {
                self.client.begin_play(Some(0), 1)?;
            }
        }
        self.fetch(&mut update)?;
        let state = self.client.sensor_state()?;
        // A key ends a block between two samples.
        let latest = (state.event_at, state.event);
        if latest != self.latest {
            self.latest = latest;
            update.events.push(event(state.event));
            self.ask_model()?;
        }
        update.quality = quality(&state.quality);
        update.quality.lost = update.quality.lost.saturating_add(self.dropped);
        update.classes.clone_from(&self.classes);
        update.teaching = state.teaching.map(Class);
        update.is_rehearsing = state.owed > 0 && state.teaching.is_none();
        update.wear = Some(self.wear);
        update.is_unsaved = self.is_unsaved;
        Ok(update)
    }

    fn teach(&mut self, class: Option<Class>) -> Result<()> {
        Ok(self.client.teach(class.map(|class| class.0))?)
    }

    fn undo(&mut self) -> Result<()> {
        self.client.undo()?;
        self.ask_model()
    }

    fn forget(&mut self, class: Class) -> Result<()> {
        self.client.forget(class.0)?;
        self.ask_model()
    }

    fn save(&mut self) -> Result<String> {
        let saved = self.client.save()?;
        self.ask_model()?;
        Ok(format!("flash, image {}", saved.sequence))
    }
}

fn event(event: SensorEvent) -> Event {
    match event {
        SensorEvent::Nothing => Event::Nothing,
        SensorEvent::Teaching { class, windows } => Event::Teaching {
            class: Class(class),
            windows,
        },
        SensorEvent::Taught { class, windows } => Event::Taught {
            class: Class(class),
            windows,
        },
        SensorEvent::Known { class, probability } => Event::Known {
            class: Class(class),
            probability,
        },
        SensorEvent::Unknown => Event::Unknown,
        SensorEvent::NeedsFirstClass => Event::NotReady(Missing::FirstClass),
        SensorEvent::NeedsSecondClass => Event::NotReady(Missing::SecondClass),
        SensorEvent::NeedsMoreExamples => Event::NotReady(Missing::MoreExamples),
    }
}

fn quality(quality: &SampleQuality) -> Quality {
    Quality {
        samples: quality.samples,
        lost: quality.lost,
        saturated: quality.saturated,
        constant: quality.constant,
        non_finite: quality.non_finite,
    }
}
