//! Running standardisation: raw features in, standardised ones out.
//!
//! A kernel measures distances, so features must be of one size, and nobody on a
//! device knows their sizes beforehand. A [`RunningScale`] learns mean and variance of
//! each feature in the stream (Welford's update, never frozen):
//!
//! ```text
//! n += 1;   w = max(1 / n, 1 / 8192);   d = x - mean,   from -64 to 64 deviations once there are any
//! mean += w d;   variance = (1 - w) (variance + w d^2)
//! z = (x - mean) / sqrt(variance),   from -4 to 4;   0 for a feature that never varied
//! ```
//!
//! and makes of `z` a feature of any [format](Feature): `i8` in steps of `4 / 127`
//! standard deviations. [`Standardized`](crate::wrap::Standardized) puts a scale in front of a learner. Stored
//! vectors stay what they were when they were stored.
//!
//! The last 8192 examples or so count, however long a device runs. A single wrong reading is soon forgotten, unless
//! it is one of the first two, which initialise the scale: let a sensor settle. A sensor that changes slowly is followed. If the signal
//! varies by less than 1/2000 of its mean, the limit of single precision, subtract the offset first. When a learner [begins anew](crate::persist::Restart), its scale does, too.
//!
//! ```
//! use pocketron::{prelude::*, wrap::Standardized};
//!
//! // 2 features, 20 support vectors in fixed point: 88 bytes, and 24 for the scale.
//! let model = Stoptron::<2, 20, Gaussian, i8>::new(Gaussian::new(0.5)?);
//! let mut model = Standardized::<_, 2, 2>::of(model); // by the first two it only learns the scale
//! for (x, label) in [([21.5, 1e4], Sign::Neg), ([24.5, 2e4], Sign::Pos)].repeat(3) {
//!     model.learn(&x, label)?;
//! }
//! assert_eq!(model.predict(&[24.0, 1.9e4])?, Sign::Pos);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::{
    error::InputError,
    num::math::{Math, Precise},
    persist::{Blank, Element, ImageError, Persist, Reader, Restart, Shape, Writer},
    storage::point::{Feature, is_finite},
};

/// Larger values are clamped to this: the square of twice as much does not overflow.
const LARGEST: f32 = 1e18;

/// Examples that count.
const MEMORY: u32 = 1 << 13;

/// Deviations are clamped at 64 standard deviations; this is log2 of the square. Values that large at least once per 1,000
/// are unaffected, because the deviation covers them.
const FARTHEST_SQUARED: u32 = 12;

/// Bits of a mantissa.
const MANTISSA: u32 = f32::MANTISSA_DIGITS - 1;

/// Standard deviations at which every format cuts.
const EDGE: f32 = 4.0;

/// Mean and variance of a feature.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// Mean of the values seen.
    pub mean: f32,
    /// Their mean squared deviation from it.
    pub variance: f32,
}

impl Moments {
    /// Takes in a value that counts for so much of the whole.
    #[inline]
    fn update(&mut self, x: f32, weight: f32) {
        // By bits: without a floating-point unit a comparison of floats is a call.
        let size = x.to_bits() & (u32::MAX >> 1);
        let x = if size > LARGEST.to_bits() {
            LARGEST.copysign(x)
        } else {
            x
        };
        let mut difference = x - self.mean;
        let mut square = difference * difference;
        let farthest = self.variance.to_bits() + (FARTHEST_SQUARED << MANTISSA);
        if square.to_bits() > farthest && self.has_varied() {
            square = f32::from_bits(farthest);
            difference = Precise::sqrt(square).copysign(difference);
        }
        self.mean += weight * difference;
        self.variance = (1.0 - weight) * (self.variance + weight * square);
    }

    #[inline]
    fn has_varied(&self) -> bool {
        self.variance.to_bits() >= f32::MIN_POSITIVE.to_bits()
    }

    #[inline]
    fn affine(&self) -> Affine {
        let factor = if self.has_varied() {
            1.0 / Precise::sqrt(self.variance)
        } else {
            0.0
        };
        Affine {
            offset: self.mean,
            factor,
        }
    }
}

/// `(x - offset) * factor`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Affine {
    /// The value that becomes zero.
    pub offset: f32,
    /// The inverse of what becomes one; zero for a feature that tells nothing.
    pub factor: f32,
}

impl Affine {
    /// The feature that stands for `x`, at most `edge`, in a vector of `dim` features.
    #[inline]
    fn apply<F: Feature>(&self, x: f32, edge: f32, dim: usize) -> F {
        let z = (x - self.offset) * self.factor;
        // Not `clamp`, which panics where an edge is not a number.
        let cut = if z > edge {
            edge
        } else if z < -edge {
            -edge
        } else {
            z
        };
        F::nearest(cut, dim)
    }
}

crate::persist::blank!([] Affine { offset, factor });

impl Element for Moments {}
impl crate::sealed::Sealed for Moments {}

crate::persist::persist!([] Moments as "moments" { mean in -LARGEST..=LARGEST, variance in 0.0..=4.0 * LARGEST * LARGEST });

/// Mean and variance of every feature in a stream: `8 D + 4` bytes.
///
/// `S` keeps the moments: `[Moments; D]` in fixed memory.
///
/// ```
/// use pocketron::storage::scale::{Moments, RunningScale};
///
/// let mut scale = RunningScale::<[Moments; 1]>::new();
/// for x in [1.0, 2.0, 3.0] {
///     scale.update(&[x])?;
/// }
/// let mut whole = [0_i8];
/// scale.apply(&[2.0], &mut whole);
/// assert_eq!(whole, [0]); // the mean
/// scale.apply(&[1e9], &mut whole);
/// assert_eq!(whole, [127]); // 4 standard deviations, and all beyond
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunningScale<S> {
    moments: S,
    seen: u32,
}

impl<S: Blank> RunningScale<S> {
    /// Nothing seen yet.
    pub const fn new() -> Self {
        Self::BLANK
    }
}

impl<S: Blank> Default for RunningScale<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Blank> Blank for RunningScale<S> {
    const BLANK: Self = RunningScale::with_moments(S::BLANK);
}

impl<S> RunningScale<S> {
    /// Nothing seen yet, with room for the moments.
    pub const fn with_moments(moments: S) -> Self {
        RunningScale { moments, seen: 0 }
    }

    /// Vectors seen, as far as they count: at most 8192.
    pub const fn seen(&self) -> u32 {
        self.seen
    }
}

impl<S: AsRef<[Moments]>> RunningScale<S> {
    /// Moments of every feature.
    pub fn moments(&self) -> &[Moments] {
        self.moments.as_ref()
    }

    /// Refuses vectors that must not get in.
    #[inline]
    pub fn check(&self, x: &[f32]) -> Result<(), InputError> {
        if x.len() != self.moments().len() {
            Err(InputError::WrongDimension)
        } else if !is_finite(x) {
            Err(InputError::NonFinite)
        } else {
            Ok(())
        }
    }

    /// Standardises `x` by what has been seen so far.
    #[inline]
    pub fn apply<F: Feature>(&self, x: &[f32], standardised: &mut [F]) {
        self.apply_within(EDGE, x, standardised);
    }

    /// The same, with features cut at `edge` standard deviations.
    ///
    /// `edge` must be positive; beyond 4 it changes nothing.
    #[inline]
    pub fn apply_within<F: Feature>(&self, edge: f32, x: &[f32], standardised: &mut [F]) {
        for ((feature, value), moments) in standardised.iter_mut().zip(x).zip(self.moments()) {
            *feature = moments.affine().apply(*value, edge, x.len());
        }
    }
}

impl<S: AsRef<[Moments]> + AsMut<[Moments]>> RunningScale<S> {
    /// Takes a vector in; one that is refused changes nothing.
    #[inline]
    pub fn update(&mut self, x: &[f32]) -> Result<(), InputError> {
        self.check(x)?;
        self.seen = (self.seen + 1).min(MEMORY);
        let weight = 1.0 / self.seen as f32;
        for (moments, x) in self.moments.as_mut().iter_mut().zip(x) {
            moments.update(*x, weight);
        }
        Ok(())
    }
}

impl<S: AsMut<[Moments]>> Restart for RunningScale<S> {
    fn restart(&mut self) {
        self.moments.as_mut().fill(Moments::BLANK);
        self.seen = 0;
    }
}

impl<const D: usize> RunningScale<[Moments; D]> {
    /// The scale as it is now, without learning: cheaper, neither roots nor divisions.
    ///
    /// Features that have not varied yet stay without effect.
    pub fn frozen(&self) -> Frozen<D> {
        let mut affine = [Affine::BLANK; D];
        for (affine, moments) in affine.iter_mut().zip(&self.moments) {
            *affine = moments.affine();
        }
        Frozen(affine)
    }
}

/// A scale that learns no more: `8 D` bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frozen<const D: usize>([Affine; D]);

impl<const D: usize> Frozen<D> {
    /// Standardises `x`, with the bits of the [`RunningScale`] that it comes from.
    #[inline]
    pub fn apply<F: Feature>(&self, x: &[f32; D]) -> [F; D] {
        self.apply_within(EDGE, x)
    }

    /// The same, with features cut at `edge` standard deviations, which must be positive.
    #[inline]
    pub fn apply_within<F: Feature>(&self, edge: f32, x: &[f32; D]) -> [F; D] {
        let mut standardised = [F::BLANK; D];
        for ((feature, x), affine) in standardised.iter_mut().zip(x).zip(&self.0) {
            *feature = affine.apply(*x, edge, D);
        }
        standardised
    }
}

/// Named by the number of features.
impl<S: AsRef<[Moments]> + Persist> Persist for RunningScale<S> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("recent-scale", |inside| inside.number(self.moments().len()));
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.moments.save(writer);
        self.seen.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.moments.load(reader)?;
        let seen = reader.word()?;
        if seen > MEMORY {
            return Err(ImageError::Malformed);
        }
        reader.put(&mut self.seen, seen);
        Ok(())
    }
}
