//! Features of a window.
//!
//! | type of one channel | features of a window |
//! |---|---|
//! | [`MeanDeviation`] | `mean`, `deviation` |
//! | [`MeanLevel`] | `mean`, `level`: the logarithm of the variance |
//! | [`Range`] | `minimum`, `maximum` |
//! | [`Energy`] | `energy`: the logarithm of the mean square |
//! | [`Crossings`] | `crossings` of the mean |
//! | [`MeanStep`] | `step`: the mean change from a sample to the next (jerk, of an acceleration) |
//! | [`StepLevel`] | `step level`: the logarithm of the squared step |
//! | [`Peaks`] | `peaks`: local maxima |
//! | [`Bands<K>`](Bands) | `band 1` to `band K`: logarithms of the energies of octaves, highest first |
//! | `Spectrum<N, K>` | `bin 1` to `bin K`: the same of `K` equal parts of the spectrum, lowest first (feature `spectrum`) |
//!
//! | type of all channels | features of a window |
//! |---|---|
//! | [`PerChannel<F>`](PerChannel) | `F` of every channel: `x mean`, `y mean`, `z mean` |
//! | [`Magnitude<F>`](Magnitude) | `F` of the length of the vector: `magnitude mean` |
//! | [`Correlations`] | `x to y`, `y to z`, `z to x`: from -1 to 1 |
//!
//! Tuples are sets. Logarithms are to the base of two: one more is 3 dB. A feature of your own is a type that implements [`WindowFeature`]:
//!
//! ```
//! use pocketron::{
//!     persist::Blank,
//!     signal::{FrontEnd, Windowed, features::{PerChannel, WindowFeature, MeanDeviation, FeatureWriter}},
//! };
//!
//! /// The share of samples above a thousand.
//! struct Loud;
//!
//! impl WindowFeature<i32> for Loud {
//!     const FEATURES: usize = 1;
//!     const NAME: &str = "loud";
//!     type Pane = u32;
//!     type Carry = ();
//!
//!     fn begin(pane: &mut u32, _: &mut (), _: &i32) { *pane = 0; }
//!     fn add(pane: &mut u32, _: &mut (), value: &i32) { *pane += u32::from(*value > 1000); }
//!     fn merge(window: &mut u32, pane: &u32, _: u32) { *window += *pane; }
//!     fn write(window: &u32, _: &(), count: u32, to: &mut FeatureWriter<'_>) { to.put(*window as f32 / count as f32); }
//! }
//!
//! let mut front_end = Windowed::<i16, PerChannel<(MeanDeviation, Loud)>, 1, 8, 1, 3>::BLANK;
//! let rows = (0..8).filter_map(|n| front_end.push(&[500 * n]));
//! assert_eq!(rows.collect::<Vec<_>>(), [[1750.0, 1145.6439, 0.625]]);
//! ```

mod bands;
mod channels;
#[cfg(feature = "spectrum")]
mod spectrum;
mod statistics;

pub use bands::Bands;
pub use channels::{Correlations, Magnitude, PerChannel};
#[cfg(feature = "spectrum")]
pub use spectrum::Spectrum;
pub use statistics::{
    Crossings, Energy, MeanDeviation, MeanLevel, MeanStep, Peaks, Range, StepLevel,
};

use core::fmt::{self, Write};

use super::Reading;
use crate::{
    num::math::log2,
    persist::{Blank, Shape},
};

/// One or several numbers that describe a window.
///
/// `X` is what a sample is: an `i32` or `f32` for features of one channel, `[i32; C]` or `[f32; C]` for those of all `C` of them.
pub trait WindowFeature<X> {
    /// Numbers that it gives.
    const FEATURES: usize;
    /// Its name in the [shape](crate::persist) of a model and in its [`name`](Self::name).
    const NAME: &str;
    /// A hop must be a multiple of this.
    const PERIOD: usize = 1;
    /// A window must be this long; 0 for any.
    const WINDOW: usize = 0;

    /// Sums over a pane, or over the panes of a window.
    type Pane: Blank + Clone;
    /// State carried over from the samples before.
    type Carry: Blank + Clone;

    /// Makes `pane` the sums of no sample. The first one will be `value`: [`add`](Self::add) comes next.
    fn begin(pane: &mut Self::Pane, carry: &mut Self::Carry, value: &X);

    /// Takes a sample.
    fn add(pane: &mut Self::Pane, carry: &mut Self::Carry, value: &X);

    /// The pane has all its samples, `count` of them.
    fn end(_pane: &Self::Pane, _link: &mut Self::Carry, _count: u32) {}

    /// Adds a later pane of `count` samples.
    fn merge(window: &mut Self::Pane, pane: &Self::Pane, count: u32);

    /// Puts its numbers into the row, for a window of `count` samples.
    fn write(window: &Self::Pane, carry: &Self::Carry, count: u32, to: &mut FeatureWriter<'_>);

    /// The name of one of its numbers.
    fn name(_feature: usize, to: &mut dyn Write) -> fmt::Result {
        to.write_str(Self::NAME)
    }

    /// Says what the numbers are.
    fn shape(shape: &mut Shape<'_>) {
        shape.name(Self::NAME);
    }
}

/// A row of features, filled from the left.
pub struct FeatureWriter<'a>(core::slice::IterMut<'a, f32>);

impl<'a> FeatureWriter<'a> {
    /// A row to be filled.
    pub fn new(row: &'a mut [f32]) -> Self {
        FeatureWriter(row.iter_mut())
    }

    /// The next feature. What is not finite becomes zero, what is too much is lost.
    pub fn put(&mut self, value: f32) {
        if let Some(next) = self.0.next() {
            *next = if value.is_finite() { value } else { 0.0 };
        }
    }
}

/// The logarithm of a mean square, with a floor so that there always is one.
fn log_energy<R: Reading>(sum: R::Wide, count: u32) -> f32 {
    log2(R::FLOOR + R::wide_value(sum) / count.max(1) as f32)
}

/// Writes a number, since the formatting of `core` is large.
fn write_number(number: usize, to: &mut dyn Write) -> fmt::Result {
    if number >= 10 {
        write_number(number / 10, to)?;
    }
    to.write_char(char::from(b'0' + (number % 10) as u8))
}

/// The smallest multiple of both.
const fn common(a: usize, b: usize) -> usize {
    let mut multiple = a;
    while !multiple.is_multiple_of(b) {
        multiple += a;
    }
    multiple
}

/// The one window that both want; 0 if any will do.
const fn same(a: usize, b: usize) -> usize {
    assert!(
        a == 0 || b == 0 || a == b,
        "two features want windows of different length"
    );
    if a == 0 { b } else { a }
}

/// All of them, one after the other.
macro_rules! tuples {
    ($(($($part:ident $index:tt),*))*) => { $(
        impl<X, $($part: WindowFeature<X>),*> WindowFeature<X> for ($($part,)*) {
            const FEATURES: usize = 0 $( + $part::FEATURES )*;
            const NAME: &str = "";
            const PERIOD: usize = {
                let period = 1;
                $( let period = common(period, $part::PERIOD); )*
                period
            };
            const WINDOW: usize = {
                let window = 0;
                $( let window = same(window, $part::WINDOW); )*
                window
            };

            type Pane = ($($part::Pane,)*);
            type Carry = ($($part::Carry,)*);

            #[inline(always)]
            fn begin(pane: &mut Self::Pane, carry: &mut Self::Carry, value: &X) {
                $( $part::begin(&mut pane.$index, &mut carry.$index, value); )*
            }

            #[inline(always)]
            fn add(pane: &mut Self::Pane, carry: &mut Self::Carry, value: &X) {
                $( $part::add(&mut pane.$index, &mut carry.$index, value); )*
            }

            #[inline(always)]
            fn end(pane: &Self::Pane, carry: &mut Self::Carry, count: u32) {
                $( $part::end(&pane.$index, &mut carry.$index, count); )*
            }

            fn merge(window: &mut Self::Pane, pane: &Self::Pane, count: u32) {
                $( $part::merge(&mut window.$index, &pane.$index, count); )*
            }

            fn write(window: &Self::Pane, carry: &Self::Carry, count: u32, to: &mut FeatureWriter<'_>) {
                $( $part::write(&window.$index, &carry.$index, count, to); )*
            }

            fn name(feature: usize, to: &mut dyn Write) -> fmt::Result {
                let feature = Some(feature);
                $(
                    let feature = match feature {
                        Some(feature) if feature < $part::FEATURES => {
                            $part::name(feature, to)?;
                            None
                        }
                        later => later.map(|feature| feature.wrapping_sub($part::FEATURES)),
                    };
                )*
                let _ = feature;
                Ok(())
            }

            fn shape(shape: &mut Shape<'_>) {
                $( $part::shape(shape); )*
            }
        }
    )* };
}
tuples!((A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7));
