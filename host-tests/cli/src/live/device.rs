//! A device at a port or in QEMU behind the screen.

use std::time::Duration;

use anyhow::Result;
use pocketron::{
    classifier::{Recall, RecallEstimate},
    device::message::{self, SensorEvent},
    label::Class,
};
use pocketron_testkit::data::recording;

use super::{
    playback::Playback,
    source::{ClassState, Sensor, Source, Update},
};
use crate::device::Client;

/// Samples are fetched in at most this many frames; the rest is fetched the next time.
const PIECES: usize = 8;

/// A device with a sensor.
pub struct Device {
    client: Client,
    sensor: Sensor,
    /// Plays the recording, if one stands for the sensor.
    playback: Option<Playback>,
    /// Samples of it that have still to come.
    to_play: u32,
    /// The next sample to fetch.
    next: u32,
    /// The last event, and the samples there were then.
    latest: (u32, SensorEvent),
    classes: Vec<ClassState>,
    dropped: u32,
    wear: u32,
}

impl Device {
    /// Asks what the device measures.
    pub fn new(mut client: Client, speed: f64) -> Result<Self> {
        let found = client.sensor()?;
        let state = client.sensor_state()?;
        let identity = client.identity();
        let count = identity.classes.min(9);
        let rate = f64::from(found.rate).max(1.0);
        let mut classes: Vec<String> = (1..=count)
            .map(|number| format!("class {number}"))
            .collect();
        let playback = found.recording.map(|samples| {
            let (playback, names) = play(samples, rate, speed);
            for (class, name) in classes.iter_mut().zip(names) {
                *class = name;
            }
            playback
        });
        let sensor = Sensor {
            name: identity.firmware.clone(),
            channels: found.channels,
            rate,
            window: found.window,
            classes,
            bytes: identity.model_bytes as usize,
        };
        let mut device = Device {
            client,
            sensor,
            playback,
            to_play: state.to_play,
            next: state.next,
            latest: (state.event_at, state.event),
            classes: vec![ClassState::default(); count],
            dropped: 0,
            wear: 0,
        };
        device.ask_model()?;
        Ok(device)
    }

    /// Refreshes the fields that change when something is taught or saved.
    fn ask_model(&mut self) -> Result<()> {
        self.wear = self.client.status()?.wear;
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
        if let Some(playback) = &mut self.playback {
            let (due, elapsed) = playback.due(elapsed);
            update.elapsed = elapsed;
            // A jump drops samples that have still to come.
            if self.to_play == 0 || !playback.is_at_end() {
                let run = playback.run(due);
                let from = run.is_first.then_some(run.samples.start);
                let samples = run.samples.end - run.samples.start;
                self.client.begin_play(from, samples)?;
            }
            let truth = playback.class();
            update.truth = truth.and_then(|class| self.sensor.classes.get(class).cloned());
        }
        self.fetch(&mut update)?;
        let state = self.client.sensor_state()?;
        self.to_play = state.to_play;
        // A key ends a block between two samples.
        let latest = (state.event_at, state.event);
        if latest != self.latest {
            self.latest = latest;
            update.events.push(state.event.into());
            self.ask_model()?;
        }
        update.quality = state.quality.into();
        update.quality.lost = update.quality.lost.saturating_add(self.dropped);
        update.classes.clone_from(&self.classes);
        update.teaching = state.teaching.map(Class);
        update.is_rehearsing = state.owed > 0 && state.teaching.is_none();
        update.wear = Some(self.wear);
        update.is_unsaved = state.unsaved;
        Ok(update)
    }

    fn teach(&mut self, class: Option<Class>) -> Result<()> {
        if let Some(playback) = &mut self.playback
            && playback.teach(class)
        {
            // What has still to come is of another class.
            self.client.begin_play(Some(playback.next()), 0)?;
            self.to_play = 0;
        }
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

/// Plays the recording of a device, and the names of its classes. The firmware with a recorded sensor has that of one person of the watch data.
fn play(samples: u32, rate: f64, speed: f64) -> (Playback, Vec<String>) {
    if let Ok(watch) = recording::watch() {
        let is_found = |person: &usize| watch.samples_of(*person) == samples as usize;
        if let Some(person) = (0..watch.people.len()).find(is_found) {
            let playback = Playback::of(&watch, Some(person), rate, speed);
            return (playback, watch.classes);
        }
    }
    (Playback::unlabelled(samples, rate, speed), Vec::new())
}
