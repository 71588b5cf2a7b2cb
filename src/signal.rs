//! From raw samples to the features that a learner takes: windows, statistics, frequency bands.
//!
//! A sensor gives a *sample* every few milliseconds, one number for each channel. A learner wants one
//! short row of *features* for each second or so. A [`FrontEnd`] stands between them: it takes every sample, and gives a
//! row of features whenever a *window* is complete.
//!
//! ```
//! use pocketron::{persist::Blank, signal::{FrontEnd, Motion}};
//!
//! let mut front_end = Motion::<128>::BLANK; // three axes, a row of features every 64 samples
//! let mut rows = 0;
//! for t in 0..1000_i32 {
//!     let shaken = if t % 10 < 5 { 300 } else { -300 };
//!     let sample = [shaken as i16, 0, 1000]; // from the driver of an accelerometer, in any unit
//!     if let Some(features) = front_end.push(&sample) {
//!         // model.learn(&features, label) or model.predict(&features)
//!         assert_eq!(features.len(), 12);
//!         assert_eq!(features[6], 1000.0); // mean of z
//!         rows += 1;
//!     }
//! }
//! assert_eq!(rows, 14);
//! assert_eq!(front_end.quality().samples, 1000);
//! ```
//!
//! | front end | for | features |
//! |---|---|---|
//! | [`Motion<N>`](Motion) | an accelerometer with three axes, `i16` | 12 |
//! | [`Vibration<N>`](Vibration) | one channel, `i16`: vibration, current, sound level | 13 |
//! | [`Windowed`] | channels, windows and features of your choice, `i16` or `f32` | |
//!
//! Nothing is buffered: a window consists of *panes*, as many as it contains hops, and a pane is a handful of sums. Sums over `i16`
//! are integers and exact. Only `Spectrum` (feature `spectrum`) keeps the samples themselves.
//! Faults of a sensor are counted in [`Quality`] and never become a NaN.
//!
//! With the feature `hal` there are buttons and LEDs over `embedded-hal` (`buttons`), counters of what a driver reports
//! (`errors`), and a recording that looks like an accelerometer to its driver (`recorded`).
//!
//! `docs/signal.md` says which front end to take, and how long a window should be.

#[cfg(feature = "hal")]
pub mod buttons;
#[cfg(feature = "hal")]
pub mod errors;
pub mod features;
mod presets;
mod quality;
mod reading;
#[cfg(feature = "hal")]
pub mod recorded;
mod teacher;
mod windowed;

pub use presets::{Motion, MotionFeatures, Vibration, VibrationFeatures};
pub use quality::Quality;
pub use reading::{Reading, Sample};
pub use teacher::{Event, Idle, Missing, Teachable, Teacher};
pub use windowed::Windowed;

use core::fmt;

use crate::{
    persist::{Persist, Ready},
    sealed::Sealed,
};

/// Makes features of samples, a row whenever a window is complete.
///
/// The image holds no data; the shape names the features, so another front end's model is refused. An unfinished window is not saved.
///
/// The trait is sealed: features of your own are a [`WindowFeature`](features::WindowFeature) for [`Windowed`].
pub trait FrontEnd: Ready + Clone + Persist + Sealed {
    /// One reading of all channels: `[i16; 3]`, `[f32; 1]`.
    type Sample: Copy;
    /// A row of features as learners take it: `[f32; FEATURES]`.
    type Features: AsRef<[f32]> + Clone;

    /// Numbers in a sample.
    const CHANNELS: usize;
    /// Samples in a window.
    const WINDOW: usize;
    /// Samples from the beginning of a window to that of the next.
    const HOP: usize;
    /// Numbers in a row of features.
    const FEATURES: usize;

    /// Takes the next sample; gives the features of the window that it completes.
    fn push(&mut self, sample: &Self::Sample) -> Option<Self::Features>;

    /// Samples are known to be lost here: they are counted. A short gap is bridged when the next sample comes; after a long one a new window
    /// begins.
    fn skip(&mut self, samples: u32);

    /// Begins a new window, as after a change of the class that is taught. Counters stay.
    fn restart(&mut self);

    /// Counters of faulty samples so far.
    fn quality(&self) -> Quality;

    /// Writes the name of a feature, such as `x mean`; nothing if there is no such feature.
    fn feature_name(feature: usize, to: &mut dyn fmt::Write) -> fmt::Result;
}
