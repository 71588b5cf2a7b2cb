//! Windows of a recording through the front ends of the device: the same code, so the same bits.

use anyhow::{Result, bail};
use pocketron::signal::{FrontEnd, MotionFeatures, VibrationFeatures, Windowed};

use crate::data::recording::{self, Recording, Window};

/// Names of the features, and the features of every window.
#[derive(Clone, Debug)]
pub struct Windows {
    /// Samples in a window.
    pub window: usize,
    /// Samples from a window to the next.
    pub hop: usize,
    /// Names of the features.
    pub names: Vec<String>,
    /// The windows, in the order of the recording.
    pub all: Vec<Window<Vec<f32>>>,
}

/// Reads a recording by its path; `watch` is the one of the repository.
///
/// # Errors
///
/// The file cannot be read, or a line of it is malformed.
pub fn read(recording: &str) -> Result<Recording> {
    Ok(match recording {
        "watch" => recording::watch()?,
        path => Recording::read_file(path.as_ref())?,
    })
}

/// Windows of a front end whose sizes are known at compile time, chosen by sizes that are known only now: window, and panes in it.
macro_rules! windows {
    (
        $recording:ident.$windows:ident, $cut:expr,
        $features:ty, $channels:literal, $dim:literal, $sample:ty:
        $($window:literal: $($panes:literal)*),*
    ) => {{
        let (window, hop) = $cut;
        match window {
            $( $window => match hop {
                $( hop if hop == $window / $panes => {
                    type FrontEnd = Windowed<$sample, $features, $channels, $window, $panes, $dim>;
                    Windows::of::<FrontEnd>($recording.$windows::<FrontEnd, $channels>()?)
                } )*
                _ => bail!(
                    "the hop of a window of {window} samples can be {}, not {hop}",
                    [$($window / $panes),*].map(|hop: usize| hop.to_string()).join(", ")
                ),
            }, )*
            _ => bail!("there are windows of {} samples, not of {window}", stringify!($($window),*)),
        }
    }};
}

macro_rules! motion {
    ($recording:ident.$windows:ident, $cut:expr, $sample:ty) => {
        windows!(
            $recording.$windows, $cut, MotionFeatures, 3, 12, $sample:
            32: 1 2 4, 64: 1 2 4, 128: 1 2 4, 256: 1 2 4, 512: 1 2 4, 1024: 1 2 4
        )
    };
}

macro_rules! vibration {
    ($recording:ident.$windows:ident, $cut:expr, $sample:ty) => {
        windows!(
            $recording.$windows, $cut, VibrationFeatures, 1, 13, $sample:
            64: 1, 128: 1 2, 256: 1 2 4, 512: 1 2 4, 1024: 1 2 4
        )
    };
}

impl Windows {
    /// Cuts a recording of one channel or of three axes.
    ///
    /// # Errors
    ///
    /// There are other channels, or no front end of these sizes.
    pub fn new(recording: &Recording, window: usize, hop: Option<usize>) -> Result<Self> {
        check_range(recording)?;
        let cut = |usual| (window, hop.unwrap_or(usual));
        // Whole numbers as the device has them; others as they are.
        match recording.channels.len() {
            3 if recording.samples_i16::<3>().is_ok() => {
                motion!(recording.windows_i16, cut(window / 2), i16)
            }
            3 => motion!(recording.windows_f32, cut(window / 2), f32),
            1 if recording.samples_i16::<1>().is_ok() => {
                vibration!(recording.windows_i16, cut(window), i16)
            }
            1 => vibration!(recording.windows_f32, cut(window), f32),
            channels => bail!(
                "{channels} channels ({}); there are front ends for one channel and for three axes",
                recording.channels.join(", ")
            ),
        }
    }

    fn of<F: FrontEnd>(windows: Vec<Window<F::Features>>) -> Result<Self> {
        let name = |feature| {
            let mut name = String::new();
            F::feature_name(feature, &mut name).map(|()| name)
        };
        let row = |window: Window<F::Features>| Window {
            features: window.features.as_ref().to_vec(),
            segment: window.segment,
            last: window.last,
        };
        Ok(Windows {
            window: F::WINDOW,
            hop: F::HOP,
            names: (0..F::FEATURES).map(name).collect::<Result<_, _>>()?,
            all: windows.into_iter().map(row).collect(),
        })
    }
}

/// Refuses numbers that would become infinite in the `f32` of a front end.
fn check_range(recording: &Recording) -> Result<()> {
    for at in 0..recording.len() {
        for (value, channel) in recording.sample(at).iter().zip(&recording.channels) {
            if !(*value as f32).is_finite() {
                bail!(
                    "{}: sample {}, channel `{channel}`: {value:e} does not fit a 32-bit number",
                    recording.name,
                    at + 1
                );
            }
        }
    }
    Ok(())
}
