//! Front ends that serve most.

use super::{
    Windowed,
    features::{
        Bands, Correlations, Crossings, MeanDeviation, MeanLevel, MeanStep, Peaks, PerChannel,
        Range, StepLevel,
    },
};

/// Features of [`Motion`]: mean, level and step level of each axis, and the correlations between axes.
pub type MotionFeatures = (PerChannel<(MeanLevel, StepLevel)>, Correlations);

/// Features of [`Vibration`]: mean, deviation, minimum, maximum, crossings, step, peaks and six bands.
pub type VibrationFeatures =
    PerChannel<(MeanDeviation, Range, Crossings, MeanStep, Peaks, Bands<6>)>;

/// An accelerometer with three axes: windows of `N` samples that overlap by half.
///
/// Mean, level and step level of each axis, and the correlations between axes: 12 features. They were chosen on the watch data
/// among 25 sets: minimum, maximum, crossings and frequency bands beside them gain nothing.
/// `Motion<N, f32>` takes floating-point samples; `Motion<N, i16, 4094>` counts samples as saturated from 4094 on, which is what a sensor
/// of twelve bits and 4 g gives at most in milli-g.
///
/// ```
/// use pocketron::signal::{FrontEnd, Motion};
///
/// let mut name = String::new();
/// Motion::<128>::feature_name(4, &mut name)?;
/// assert_eq!(name, "y level");
/// # Ok::<(), core::fmt::Error>(())
/// ```
pub type Motion<const N: usize, S = i16, const END: i32 = 0> =
    Windowed<S, MotionFeatures, 3, N, 2, 12, END>;

/// One channel: windows of `N` samples side by side, `N` a multiple of 64.
///
/// Mean, deviation, minimum, maximum, crossings, step, peaks and six bands: 13 features.
/// `Vibration<N, f32>` takes floating-point samples, and a third parameter is the end of the range, as in [`Motion`].
pub type Vibration<const N: usize, S = i16, const END: i32 = 0> =
    Windowed<S, VibrationFeatures, 1, N, 1, 13, END>;
