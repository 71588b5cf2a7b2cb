//! Samples and labels into a file that `features`, `evaluate` and `live --replay` read.

use std::{
    fmt::Write as _,
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
    rate: f64,
    samples: u64,
    /// Bytes of whole lines.
    bytes: u64,
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
            rate: sensor.rate,
            samples: 0,
            bytes: 0,
        };
        recorder.write(&format!("time,{},label\n", sensor.channels.join(",")))?;
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

    /// Writes new samples with the class that was being taught, or an empty label. Lost samples leave a gap in the times.
    ///
    /// # Errors
    ///
    /// The disk is full, for example. The file then ends with the last sample before these.
    pub fn add(&mut self, update: &Update, label: &str) -> Result<()> {
        let mut lines = String::new();
        for (number, sample) in (u64::from(update.first)..).zip(&update.samples) {
            // Six places: the reader measures the rate by the median of the steps.
            write!(lines, "{:.6}", number as f64 / self.rate)?;
            for value in sample {
                write!(lines, ",{value}")?;
            }
            writeln!(lines, ",{label}")?;
        }
        self.write(&lines)?;
        self.samples += update.samples.len() as u64;
        Ok(())
    }

    fn write(&mut self, lines: &str) -> Result<()> {
        let written = self.sink.write_all(lines.as_bytes());
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
