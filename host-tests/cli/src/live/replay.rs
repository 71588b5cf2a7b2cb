//! A recording in place of a device: the same code, on the host.

use std::{
    ops::Range,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use pocketron::{
    classifier::RemoteModel,
    label::Class,
    persist,
    signal::{FrontEnd, Idle, Motion, Teachable, Teacher},
    wrap::Undo,
};
use pocketron_testkit::data::recording::{self, Recording};

use super::{
    playback::Playback,
    source::{ClassState, Sensor, Source, Update},
};
use crate::files;

type FrontEndOfMotion = Motion<128>;
type Device = Teacher<FrontEndOfMotion, Undo<Teachable<12, 40, 9>>>;

/// A recording of three axes that is played from the beginning, and again.
pub struct Replay {
    sensor: Sensor,
    device: Box<Device>,
    samples: Vec<[i16; 3]>,
    playback: Playback,
    played: u32,
    teaching: Option<Class>,
    is_unsaved: bool,
    image: PathBuf,
}

impl Replay {
    /// Reads a recording, and plays it or one person of it.
    ///
    /// # Errors
    ///
    /// It cannot be read, has no times although no rate is given, or has other channels than three axes of integers.
    pub fn open(
        recording: &str,
        person: Option<&str>,
        speed: f64,
        rate: Option<f64>,
    ) -> Result<Self> {
        let mut recording = match recording {
            "watch" => recording::watch()?,
            path => Recording::read_file(Path::new(path))?,
        };
        if let Some(rate) = rate {
            if !(rate.is_finite() && rate > 0.0) {
                bail!("--rate {rate}: must be above 0");
            }
            recording = recording.with_rate(rate);
        }
        Self::of(&recording, person, speed)
    }

    /// Plays a recording, or one person of it.
    pub fn of(recording: &Recording, person: Option<&str>, speed: f64) -> Result<Self> {
        let Some(rate) = recording.rate else {
            bail!(
                "{} has no column of times: --rate says how many samples a second",
                recording.name
            )
        };
        let person = person
            .map(|name| {
                let at = recording.people.iter().position(|person| person == name);
                at.with_context(|| {
                    let people = recording.people.join(", ");
                    format!(
                        "{} has no person {name}; there are {people}",
                        recording.name
                    )
                })
            })
            .transpose()?;
        let all = recording.samples_i16::<3>();
        let all = all.context("live plays three axes of integers, such as milli-g")?;
        let mut samples = Vec::new();
        for segment in &recording.segments {
            if person.is_none() || segment.person == person {
                samples.extend_from_slice(&all[segment.samples.clone()]);
            }
        }
        if samples.is_empty() {
            bail!("{} has no samples", recording.name);
        }
        let mut classes = recording.classes.clone();
        classes.truncate(9);
        let unnamed = (classes.len() + 1..=9).map(|number| format!("class {number}"));
        classes.extend(unnamed);
        let name = Path::new(&recording.name).file_name();
        let name = name.unwrap_or_default().to_string_lossy().into_owned();
        Ok(Replay {
            sensor: Sensor {
                name,
                channels: recording.channels.clone(),
                rate,
                window: FrontEndOfMotion::WINDOW,
                classes,
                bytes: size_of::<Device>(),
            },
            device: Box::default(),
            samples,
            playback: Playback::of(recording, person, rate, speed),
            played: 0,
            teaching: None,
            is_unsaved: false,
            image: "live.pocketron".into(),
        })
    }

    /// Saves to another file than `live.pocketron`.
    #[must_use]
    pub fn saving_to(mut self, image: PathBuf) -> Self {
        self.image = image;
        self
    }

    /// Jumps to the next samples of a class.
    pub fn seek(&mut self, class: Class) {
        self.playback.seek(class);
    }

    /// Plays samples of one segment.
    fn play(&mut self, samples: Range<u32>, update: &mut Update) -> Result<()> {
        for sample in &self.samples[samples.start as usize..samples.end as usize] {
            update.samples.push(sample.to_vec());
            let event = self.device.sample(sample, self.teaching)?;
            update.events.push(event);
            // As much as a device does between two samples.
            for _ in 0..4 {
                match self.device.idle() {
                    Idle::Nothing => break,
                    Idle::Rehearsed => update.is_rehearsing = true,
                    Idle::Save => self.is_unsaved = true,
                }
            }
        }
        self.played = self.played.wrapping_add(samples.end - samples.start);
        Ok(())
    }
}

impl Source for Replay {
    fn sensor(&self) -> &Sensor {
        &self.sensor
    }

    fn poll(&mut self, elapsed: Duration) -> Result<Update> {
        let (mut due, elapsed) = self.playback.due(elapsed);
        let mut update = Update {
            elapsed,
            first: self.played,
            ..Update::default()
        };
        while due > 0 {
            let run = self.playback.run(due);
            due -= (run.samples.end - run.samples.start).min(due);
            // No window has samples of two segments, or of before and after a jump.
            if run.is_first {
                self.device.front_end_mut().restart();
            }
            self.play(run.samples, &mut update)?;
        }
        let truth = self.playback.class();
        update.truth = truth.and_then(|class| self.sensor.classes.get(class).cloned());
        update.quality = self.device.front_end().quality();
        update.teaching = self.teaching;
        update.is_unsaved = self.is_unsaved;
        let model = self.device.model();
        update.classes = (0..self.sensor.classes.len())
            .map(|class| Class(class as u8))
            .map(|class| ClassState {
                windows: model.learner().learner().taught(class),
                kept: Some(model.learner().learner().exemplars(class)),
                recall: model.recall_of(class).unwrap_or_default(),
            })
            .collect();
        Ok(update)
    }

    fn teach(&mut self, class: Option<Class>) -> Result<()> {
        self.teaching = class;
        self.playback.teach(class);
        Ok(())
    }

    fn undo(&mut self) -> Result<()> {
        Ok(self.device.undo()?)
    }

    fn forget(&mut self, class: Class) -> Result<()> {
        Ok(self.device.forget(class)?)
    }

    fn save(&mut self) -> Result<String> {
        let mut image = vec![0; persist::len(&*self.device) as usize];
        persist::to_bytes(&*self.device, &mut image)?;
        files::replace(&self.image, &image)?;
        self.is_unsaved = false;
        Ok(self.image.display().to_string())
    }
}
