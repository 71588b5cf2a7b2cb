//! Samples and labels into a file that `features`, `evaluate` and `live --replay` read.

use std::{
    fs::File,
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use super::source::{Sensor, Update};

/// Files of one name: `recording.csv`, `recording-2.csv` and so on.
const FILES: u32 = 1000;

/// Output of a recording: a file, which can be cut.
pub trait Sink: Write {
    /// Keeps only the first bytes.
    fn cut(&mut self, bytes: u64) -> std::io::Result<()>;
}

impl Sink for File {
    fn cut(&mut self, bytes: u64) -> std::io::Result<()> {
        self.set_len(bytes)
    }
}

/// A recording in the making.
#[derive(Debug)]
pub struct Recorder<S = File> {
    sink: S,
    path: PathBuf,
    /// Number and time of the next sample; none before the first.
    next: Option<u32>,
    time: f64,
    samples: u64,
    /// Bytes of whole lines.
    bytes: u64,
}

/// Seconds after which a measured period is better than the nominal one.
const MEASURED: f64 = 5.0;

/// How long a sample takes, by the clock of this computer.
///
/// A sensor that says 50 Hz may give 46.8. Samples come a few at a time, so a single one has no time of its own: the period is the mean of all since
/// the beginning.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    /// Number of the first sample, and of the next.
    samples: Option<(u32, u32)>,
    seconds: f64,
}

impl Timeline {
    /// Counts samples, lost ones too, and seconds.
    pub fn take_in(&mut self, update: &Update) {
        let first = match self.samples {
            // The device has restarted.
            Some((_, next)) if is_behind(update.first, next) => None,
            samples => samples.map(|(first, _)| first),
        };
        if first.is_none() {
            self.seconds = 0.0;
        }
        let next = update.first.wrapping_add(update.samples.len() as u32);
        self.samples = Some((first.unwrap_or(update.first), next));
        self.seconds += update.elapsed.as_secs_f64();
    }

    /// Seconds from sample to sample; `rate` is the nominal one.
    pub fn period(&self, rate: f64) -> f64 {
        let samples = self
            .samples
            .map_or(0, |(first, next)| next.wrapping_sub(first));
        match samples {
            1.. if self.seconds >= MEASURED => self.seconds / f64::from(samples),
            _ => 1.0 / rate,
        }
    }
}

/// Whether a number comes before another; both wrap.
fn is_behind(number: u32, other: u32) -> bool {
    number.wrapping_sub(other) > u32::MAX / 2
}

impl Recorder {
    /// Begins a file of this name, or one with a number behind it if there is one already: nothing is overwritten.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn create(path: &Path, sensor: &Sensor) -> Result<Self> {
        for number in 1..FILES {
            let path = numbered(path, number);
            match File::create_new(&path) {
                Ok(file) => return Recorder::new(file, path, sensor),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => {
                    let path = path.display();
                    return Err(error).with_context(|| format!("recording to {path}"));
                }
            }
        }
        bail!(
            "there are {FILES} recordings beside {}: --record names another file",
            path.display()
        )
    }
}

impl<S: Sink> Recorder<S> {
    /// Writes the names of the columns.
    ///
    /// # Errors
    ///
    /// They cannot be written.
    pub fn new(sink: S, path: PathBuf, sensor: &Sensor) -> Result<Self> {
        let mut recorder = Recorder {
            sink,
            path,
            next: None,
            time: 0.0,
            samples: 0,
            bytes: 0,
        };
        let mut lines = csv::Writer::from_writer(Vec::new());
        let channels = sensor.channels.iter().map(String::as_str);
        lines.write_record(["time"].into_iter().chain(channels).chain(["label"]))?;
        recorder.write(&lines.into_inner()?)?;
        Ok(recorder)
    }

    /// Its output.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Samples so far.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// Writes new samples with the class that was being taught, or an empty label. They are `period` seconds apart; lost ones leave a gap.
    ///
    /// # Errors
    ///
    /// The disk is full, for example. The file then ends with the last sample before these.
    pub fn add(&mut self, update: &Update, label: &str, period: f64) -> Result<()> {
        if update.samples.is_empty() {
            return Ok(());
        }
        let lost = match self.next {
            // The device has restarted: nobody knows how long that took.
            Some(next) if is_behind(update.first, next) => 1,
            Some(next) => update.first.wrapping_sub(next),
            None => 0,
        };
        let mut time = self.time + f64::from(lost) * period;
        let mut lines = csv::Writer::from_writer(Vec::new());
        for sample in &update.samples {
            // Six places: the reader measures the rate by the median of the steps.
            lines.write_field(format!("{time:.6}"))?;
            for value in sample {
                lines.write_field(value.to_string())?;
            }
            lines.write_record([label])?;
            time += period;
        }
        self.write(&lines.into_inner()?)?;
        let samples = update.samples.len();
        self.time = time;
        self.next = Some(update.first.wrapping_add(samples as u32));
        self.samples += samples as u64;
        Ok(())
    }

    fn write(&mut self, lines: &[u8]) -> Result<()> {
        let written = self.sink.write_all(lines);
        if written.is_err() {
            // Half a line could not be read again. If it cannot be cut off either, nothing is lost by trying.
            let _ = self.sink.cut(self.bytes);
        }
        written.with_context(|| format!("writing {}", self.path.display()))?;
        self.bytes += lines.len() as u64;
        Ok(())
    }
}

/// `a/b.csv`, `a/b-2.csv`, `a/b-3.csv`.
fn numbered(path: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return path.into();
    }
    let mut name = path.file_stem().unwrap_or_default().to_os_string();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
