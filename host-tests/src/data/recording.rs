//! Recordings of sensors: samples in the order of time, with labels.
//!
//! CSV whose first line names the columns, with commas, semicolons or tabs, plain or gzipped. Names are not sensitive to case:
//!
//! | column | holds |
//! |---|---|
//! | `time`, `timestamp`, `seconds` | seconds; may be missing |
//! | `label`, `class`, `activity` | what was going on; empty if nobody knows; may be missing |
//! | `person`, `subject`, `user` | who it was; may be missing |
//! | `side`, `session`, `recording` | whatever separates recordings; may be missing |
//! | all others | channels: numbers |
//!
//! ```
//! use pocketron::signal::Motion;
//! use pocketron_testkit::data::recording::{self, Recording};
//!
//! let text = "time,x,y,z,label\n0,1,2,3,walk\n0.02,4,5,6,walk\n0.04,7,8,9,\n";
//! let recording = Recording::read("walk.csv".as_ref(), text.as_bytes())?;
//! assert_eq!((recording.channels.join(""), recording.len()), ("xyz".into(), 3));
//! assert_eq!(recording.segments.len(), 2);
//! assert_eq!(recording.rate.map(f64::round), Some(50.0));
//!
//! // The code of the device, over a recording.
//! let windows = recording::watch()?.windows_i16::<Motion<128>, 3>()?;
//! assert_eq!(windows.len(), 3605);
//! # Ok::<(), recording::RecordingError>(())
//! ```

mod columns;
mod error;
mod read;

pub use columns::ColumnOptions;
pub use error::{Fault, RecordingError};

use std::ops::Range;
use std::path::Path;

use pocketron::{persist::Blank, signal::FrontEnd};

/// Samples of all channels, cut into segments in which nothing changes but the signal.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// Where it comes from, for messages.
    pub name: String,
    /// Names of the channels.
    pub channels: Vec<String>,
    /// Samples a second, if there are times or somebody [said](Recording::with_rate) so.
    pub rate: Option<f64>,
    /// Names of the classes, in the order in which they occur.
    pub classes: Vec<String>,
    /// Names of the people, likewise.
    pub people: Vec<String>,
    /// Runs of samples with one label, one person and no gap.
    pub segments: Vec<Segment>,
    /// Which columns were recognised, and what is strange about others.
    pub notes: Vec<String>,
    /// All numbers, sample by sample.
    values: Vec<f64>,
}

/// A run of samples that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Its samples.
    pub samples: Range<usize>,
    /// Position of its label among the classes.
    pub class: Option<usize>,
    /// Position of its person among the people.
    pub person: Option<usize>,
}

/// What a front end made of a window.
#[derive(Debug, Clone, PartialEq)]
pub struct Window<F> {
    /// The features.
    pub features: F,
    /// Position of the segment.
    pub segment: usize,
    /// The last sample of the window.
    pub last: usize,
}

impl Recording {
    /// Reads a file, gzipped or not.
    ///
    /// # Errors
    ///
    /// The file cannot be read, a column is missing or there twice, or a line is malformed: the error names it.
    pub fn read_file(path: &Path) -> Result<Self, RecordingError> {
        read::file(path, &ColumnOptions::default())
    }

    /// The same where columns do not have the usual names.
    ///
    /// # Errors
    ///
    /// As [`Recording::read_file`]; or a column that is asked for is not there.
    pub fn read_file_with(path: &Path, options: &ColumnOptions) -> Result<Self, RecordingError> {
        read::file(path, options)
    }

    /// Reads an open source, gzipped or not; `path` only serves the error messages.
    ///
    /// # Errors
    ///
    /// As [`Recording::read_file`].
    pub fn read(path: &Path, source: impl std::io::Read) -> Result<Self, RecordingError> {
        read::source(path, source, &ColumnOptions::default())
    }

    /// The same where columns do not have the usual names.
    ///
    /// ```
    /// use pocketron_testkit::data::recording::{ColumnOptions, Recording};
    ///
    /// let text = "ms;ax;gesture\n20;0.5;up\n40;0.25;up\n60;1;down\n80;2;down\n";
    /// let options = ColumnOptions {
    ///     time: Some("ms".into()),
    ///     needs_label: true,
    ///     ..ColumnOptions::default()
    /// };
    /// let recording = Recording::read_with("some.csv".as_ref(), text.as_bytes(), &options)?;
    /// assert_eq!((recording.channels.join(","), recording.classes.join(",")), ("ax".into(), "up,down".into()));
    /// assert_eq!(recording.notes, ["the label is column `gesture`: the only one with names"]);
    /// # Ok::<(), pocketron_testkit::data::RecordingError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Recording::read_file_with`].
    pub fn read_with(
        path: &Path,
        source: impl std::io::Read,
        options: &ColumnOptions,
    ) -> Result<Self, RecordingError> {
        read::source(path, source, options)
    }

    /// The same at a given number of samples a second, for files without times.
    #[must_use]
    pub fn with_rate(mut self, rate: f64) -> Self {
        self.rate = Some(rate);
        self
    }

    /// Samples.
    pub fn len(&self) -> usize {
        self.values.len() / self.channels.len()
    }

    /// Samples of a person, by position.
    pub fn samples_of(&self, person: usize) -> usize {
        let of = self.segments.iter();
        let of = of.filter(|segment| segment.person == Some(person));
        of.map(|segment| segment.samples.len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The numbers of a sample, a channel each.
    ///
    /// # Panics
    ///
    /// If there is no such sample.
    pub fn sample(&self, at: usize) -> &[f64] {
        let channels = self.channels.len();
        &self.values[at * channels..(at + 1) * channels]
    }

    /// All samples as a sensor gives them: integers of 16 bits.
    ///
    /// # Errors
    ///
    /// There are other than `C` channels, or a number is not whole or too large.
    pub fn samples_i16<const C: usize>(&self) -> Result<Vec<[i16; C]>, RecordingError> {
        self.samples(|value| {
            let whole = value as i16;
            (f64::from(whole) == value).then_some(whole)
        })
    }

    /// All samples as `f32`.
    ///
    /// # Errors
    ///
    /// There are other than `C` channels.
    pub fn samples_f32<const C: usize>(&self) -> Result<Vec<[f32; C]>, RecordingError> {
        self.samples(|value| Some(value as f32))
    }

    fn samples<S: Copy + Default, const C: usize>(
        &self,
        convert: impl Fn(f64) -> Option<S>,
    ) -> Result<Vec<[S; C]>, RecordingError> {
        let wrong = |fault| RecordingError::new(&self.name, None, fault);
        if self.channels.len() != C {
            let found = self.channels.len();
            return Err(wrong(Fault::Channels { found, expected: C }));
        }
        let (samples, _) = self.values.as_chunks::<C>();
        let convert = |sample: &[f64; C]| {
            let mut converted = [S::default(); C];
            for (to, value) in converted.iter_mut().zip(sample) {
                *to = convert(*value).ok_or_else(|| wrong(Fault::NotWhole(*value)))?;
            }
            Ok(converted)
        };
        samples.iter().map(convert).collect()
    }

    /// The windows of a front end that takes `i16`, each inside of a segment.
    ///
    /// # Errors
    ///
    /// As [`Recording::samples_i16`].
    pub fn windows_i16<F, const C: usize>(&self) -> Result<Vec<Window<F::Features>>, RecordingError>
    where
        F: FrontEnd<Sample = [i16; C]> + Blank,
    {
        Ok(self.windows::<F>(&self.samples_i16()?))
    }

    /// The windows of a front end that takes `f32`, each inside of a segment.
    ///
    /// # Errors
    ///
    /// As [`Recording::samples_f32`].
    pub fn windows_f32<F, const C: usize>(&self) -> Result<Vec<Window<F::Features>>, RecordingError>
    where
        F: FrontEnd<Sample = [f32; C]> + Blank,
    {
        Ok(self.windows::<F>(&self.samples_f32()?))
    }

    fn windows<F: FrontEnd + Blank>(&self, samples: &[F::Sample]) -> Vec<Window<F::Features>> {
        let mut front_end = F::BLANK;
        let mut windows = Vec::new();
        for (segment, Segment { samples: range, .. }) in self.segments.iter().enumerate() {
            front_end.restart();
            for last in range.clone() {
                if let Some(features) = front_end.push(&samples[last]) {
                    windows.push(Window {
                        features,
                        segment,
                        last,
                    });
                }
            }
        }
        windows
    }
}

/// The recording that comes with the repository: ten people, seven exercises, 50 samples a second in milli-g.
///
/// # Errors
///
/// The file is not where it should be.
pub fn watch() -> Result<Recording, RecordingError> {
    let path = Path::new(crate::FOLDER).join("data/watch.csv.gz");
    Ok(Recording::read_file(&path)?.with_rate(50.0))
}
