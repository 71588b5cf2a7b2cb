//! Running standardisation that stored vectors can follow.
//!
//! Mean and variance of a feature change with every example. The scale by which features are standardised is read off them in
//! coarse steps, so that it changes rarely; when it does, stored vectors are mapped to the new one.

use core::f32::consts::{FRAC_1_SQRT_2, SQRT_2};

use crate::{
    num::math::{Math, Precise},
    persist::{Blank, ImageError, Persist, Reader, Restart, Shape, Writer},
    storage::{Column, PerFeature, point::Feature as _, scale::Moments},
};

/// Examples that count.
const WINDOW: u16 = 1 << 13;
/// Values are clamped here: the square of twice as much has room.
const LARGEST: f32 = 1e18;
/// Standard deviations, squared, beyond which a value is clamped if it is alone.
const FAR_SQUARED: f32 = 64.0;
/// Examples in a row that may each double that limit: a wild reading is alone, a new movement is not.
const MOST_DOUBLINGS: u8 = 3;
/// Of the first three values, one of the first two is an outlier if half its distance to the other is more than 64 times the distance of the
/// third to the other.
const WILD: f32 = 64.0;
/// Beside repeated zeros, values up to 65,536 (a 16-bit counter) are not outliers.
const LARGEST_COUNT: f32 = 65_536.0;
/// Values within 1/4096 count as equal, because the earlier one is recovered from mean and variance.
const REPEATED: f32 = 1.0 / 4096.0;
/// Features are clamped at 2.5 standard deviations, so one outlying feature cannot dominate the distance.
const EDGE: f32 = 2.5;

/// Mean and variance of each feature over the last 8192 examples: `8 D + 4` bytes.
///
/// ```text
/// n += 1;   w = max(1 / n, 1 / 8192);   d = x - mean, clamped
/// mean += w d;   variance = (1 - w) (variance + w d^2)
/// ```
#[derive(Clone, Debug)]
pub(crate) struct CoarseScale<S: PerFeature> {
    moments: S::Of<Moments>,
    seen: u16,
    /// Examples in a row of which a feature was far out.
    far: u8,
}

crate::persist::blank!([; S: PerFeature] CoarseScale<S> { moments, seen, far });

impl<S: PerFeature> CoarseScale<S> {
    pub fn moments(&self) -> &[Moments] {
        self.moments.as_slice()
    }

    /// Makes room for the moments of `dim` features.
    pub fn ensure(&mut self, dim: usize) {
        self.moments.ensure(dim);
    }

    /// The byte that stands for one feature of `x`.
    #[inline]
    pub fn quantise(&self, feature: usize, x: &[f32]) -> i8 {
        let moments = self.moments().get(feature);
        let steps = QuantisationSteps::of(moments.unwrap_or(&Moments::BLANK));
        x.get(feature).map_or(0, |x| steps.quantise(*x))
    }

    /// One feature of `x` in deviations from the mean, not clamped; zero for a feature that never varied.
    #[inline]
    pub fn standardise(&self, feature: usize, x: &[f32]) -> f32 {
        let moments = self.moments().get(feature);
        let steps = QuantisationSteps::of(moments.unwrap_or(&Moments::BLANK));
        x.get(feature)
            .map_or(0.0, |x| (x - steps.offset) * steps.factor())
    }

    /// The value of a feature's byte in the units of the input.
    pub fn dequantise(&self, feature: usize, byte: i8) -> f32 {
        let moments = self.moments().get(feature);
        let steps = QuantisationSteps::of(moments.unwrap_or(&Moments::BLANK));
        f32::from(byte) * i8::step(1) * (4.0 * steps.quarter) + steps.offset
    }

    /// Offset and factor of a feature.
    pub fn standardisation(&self, feature: usize) -> (f32, f32) {
        let moments = self.moments().get(feature);
        let steps = QuantisationSteps::of(moments.unwrap_or(&Moments::BLANK));
        (steps.offset, steps.factor())
    }

    /// Distance of `x` beyond all that was seen: mean square of the excess over five deviations.
    pub fn beyond(&self, x: &[f32]) -> f32 {
        let mut sum = 0.0;
        let count = self.moments().len().max(1) as f32;
        for (moments, x) in self.moments().iter().zip(x) {
            let steps = QuantisationSteps::of(moments);
            let excess = ((x - steps.offset) * steps.factor()).abs() - 2.0 * EDGE;
            if excess > 0.0 {
                sum += excess * excess;
            }
        }
        sum / count
    }

    /// Takes an example in. `changed` gets the features that have another scale from now on, and how to map their bytes.
    pub fn take_in(&mut self, x: &[f32], mut changed: impl FnMut(usize, Remap)) {
        self.ensure(x.len());
        self.seen = (self.seen + 1).min(WINDOW);
        let limit = FAR_SQUARED * (1_u32 << (2 * self.far.min(MOST_DOUBLINGS))) as f32;
        let weight = 1.0 / f32::from(self.seen);
        let mut any_far = false;
        for (feature, (moments, x)) in self.moments.as_mut_slice().iter_mut().zip(x).enumerate() {
            let old = QuantisationSteps::of(moments);
            any_far |= take_in(moments, *x, (self.seen, weight), limit);
            let new = QuantisationSteps::of(moments);
            if new != old && new.varies() {
                changed(feature, Remap::new(&old, &new));
            }
        }
        self.far = if any_far {
            self.far.saturating_add(1)
        } else {
            0
        };
    }
}

impl<S: PerFeature> Restart for CoarseScale<S> {
    fn restart(&mut self) {
        self.moments.as_mut_slice().fill(Moments::BLANK);
        (self.seen, self.far) = (0, 0);
    }
}

impl<S: PerFeature> Persist for CoarseScale<S> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.name("coarse-scale");
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.moments.save(writer);
        writer.word(u32::from(self.seen) | u32::from(self.far) << 16);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.moments.load(reader)?;
        let word = reader.word()?;
        let (seen, far) = (word as u16, word >> 16);
        if seen > WINDOW || far > u8::MAX.into() {
            return Err(ImageError::Malformed);
        }
        reader.put(&mut self.seen, seen);
        reader.put(&mut self.far, far as u8);
        Ok(())
    }
}

/// Takes in the `seen`th value of a feature with its weight; whether it is far out.
fn take_in(moments: &mut Moments, x: f32, (seen, weight): (u16, f32), limit: f32) -> bool {
    let x = x.clamp(-LARGEST, LARGEST);
    let Moments { mean, variance } = *moments;
    let mut difference = x - mean;
    let mut square = difference * difference;
    let varied = variance >= f32::MIN_POSITIVE;
    if seen == 3 && varied {
        // The first two are a deviation away from their mean, on both sides.
        let apart = Precise::sqrt(variance);
        let to_nearest = (difference.abs() - apart).abs();
        // A feature of few values, such as a count, repeats one of them: the other is then an outlier only if it is much larger.
        let repeated = to_nearest <= x.abs() * REPEATED;
        let beyond = if x == 0.0 {
            2.0 * apart > LARGEST_COUNT
        } else {
            apart > WILD * x.abs()
        };
        if to_nearest * WILD < apart && (!repeated || beyond) {
            *moments = Moments {
                mean: x,
                variance: 0.0,
            };
            return false;
        }
    }
    let far = seen > 2 && varied && square > FAR_SQUARED * variance;
    if far && square > limit * variance {
        square = limit * variance;
        difference = Precise::sqrt(square).copysign(difference);
    }
    *moments = Moments {
        mean: mean + weight * difference,
        variance: (1.0 - weight) * (variance + weight * square),
    };
    far
}

/// `(x - offset) / deviation`, in coarse steps.
#[derive(Clone, Copy, Debug, PartialEq)]
struct QuantisationSteps {
    offset: f32,
    /// A quarter of the deviation.
    quarter: f32,
    /// `4 / deviation`; zero for a feature that never varied.
    quarters: f32,
}

/// `sqrt(m / 2)` and then `sqrt(m)` for `m` of 4/4 to 7/4, and their inverses.
const ROOTS: [(f32, f32); 8] = [
    (FRAC_1_SQRT_2, SQRT_2),
    (0.790_569_4, 1.264_911),
    (0.866_025_4, 1.154_700_5),
    (0.935_414_3, 1.069_045),
    (1.0, 1.0),
    (1.118_034, 0.894_427_2),
    (1.224_744_9, 0.816_496_6),
    (1.322_875_7, 0.755_928_9),
];

/// From here on an `f32` has no fraction.
const WHOLE: f32 = 8_388_608.0;

impl QuantisationSteps {
    /// Of the variance the exponent and two more bits count, of the mean multiples of a quarter deviation. A pure function
    /// of the moments, so that an image need not hold it, and without a root or a division.
    // Soft floating point costs more than a call.
    #[cfg_attr(not(target_abi = "eabihf"), inline(never))]
    fn of(moments: &Moments) -> Self {
        let bits = moments.variance.to_bits();
        if bits < f32::MIN_POSITIVE.to_bits() {
            return QuantisationSteps {
                offset: moments.mean,
                quarter: 0.0,
                quarters: 0.0,
            };
        }
        // The lowest digit of the exponent chooses the half of the table, the others are halved.
        let roots = ROOTS.get((bits >> 21) as usize % ROOTS.len());
        let (root, inverse) = roots.copied().unwrap_or((1.0, 1.0));
        let half = (bits >> 24) as i32;
        let quarter = times_power(root, half - 65);
        let quarters = times_power(inverse, 65 - half);
        let mean = moments.mean * quarters;
        let mean = if mean.abs() < WHOLE {
            (mean + 0.5_f32.copysign(mean)) as i32 as f32
        } else {
            mean
        };
        QuantisationSteps {
            offset: mean * quarter,
            quarter,
            quarters,
        }
    }

    #[inline]
    fn quantise(&self, x: f32) -> i8 {
        let z = (x - self.offset) * self.factor();
        i8::nearest(z.clamp(-EDGE, EDGE), 1)
    }

    fn varies(&self) -> bool {
        self.quarters > 0.0
    }

    /// `1 / deviation`.
    #[inline]
    fn factor(&self) -> f32 {
        0.25 * self.quarters
    }
}

/// `number * 2^power` for a number near one and powers up to 65: digits of the exponent, which spares a product where
/// there is no floating-point unit.
#[inline]
fn times_power(number: f32, power: i32) -> f32 {
    f32::from_bits(number.to_bits().wrapping_add_signed(power << 23))
}

/// Positions of an old scale's bytes in a new one.
#[derive(Clone, Copy)]
pub(crate) struct Remap {
    ratio: f32,
    shift: f32,
}

impl Remap {
    fn new(old: &QuantisationSteps, new: &QuantisationSteps) -> Self {
        Remap {
            ratio: 4.0 * old.quarter * new.factor(),
            shift: (old.offset - new.offset) * new.factor(),
        }
    }

    /// The new byte. To the nearest, since truncation would drift.
    pub fn apply(self, byte: i8) -> i8 {
        i8::nearest(f32::from(byte) * i8::step(1) * self.ratio + self.shift, 1)
    }
}
