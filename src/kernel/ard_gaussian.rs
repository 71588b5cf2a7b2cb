//! A Gaussian that learns which features matter.

mod exponent;

use core::{borrow::Borrow, f32::consts::LOG2_E, ops::RangeInclusive};

use exponent::{DIGITS, Exponent, OCTAVE};

use super::{Gaussian, Kernel, KernelIn, Mergeable, Slope};
use crate::{
    error::ConfigError,
    num::{
        Base, Fixed,
        math::{Fast, Math, power, rate::Rate},
    },
    persist::{Blank, ImageError, Persist, Reader, Ready, Shape, Writer},
    storage::{
        Column, EvaluatedIn, Memory, PerFeature, SupportSet,
        point::{Feature as _, MOST_FEATURES, Points, WeightedDistance},
    },
};

/// `exp(-gamma * sum_k w_k (a_k - b_k)^2)` with a weight for every feature, learned on the way.
///
/// An example that moves a full model tells for every feature whether the vectors like it
/// should have been nearer or farther in that feature. With `v_j = y alpha_j k(x_j, x)`,
///
/// ```text
/// w_k *= 2^(-clamp(r_k)),   r_k ~ eta D sum_j v_j w_k (x_k - x_jk)^2 / sum_j |v_j| d_j
/// ```
///
/// where `eta` is the size of the example's step: where labels cannot be trusted, what examples say about features is
/// noise as well, and larger changes would in the end make all weights vanish. A mistake that no vector is like (all similarities
/// below 1/8) makes all weights smaller instead: nothing can be learned where everything is far
/// away. The weights of all features contain the width of
/// the kernel, so that it need not be chosen: `gamma` is `3 / D` unless said otherwise, which suits
/// [standardised](crate::storage::scale) features.
///
/// Weights are powers of two, with exponents in steps of 2^-11. The loops multiply by the
/// nearest integers, in a unit that keeps a weighted squared distance of `i8` features within 32 bits.
/// Therefore this kernel exists over `i8` features only. It needs `4 D + 8`
/// bytes. It goes with policies that neither remember similarities nor refuse examples, such as
/// [merging](crate::budget::Merging).
#[derive(Clone, Debug)]
pub struct ArdGaussian<S: PerFeature> {
    /// Zero for `3 / D`.
    gamma: f32,
    /// Logarithms of the weights.
    exponents: S::Of<Exponent>,
    /// The weights in multiples of `2^-(unit - BIAS)`; zeros while all features count alike.
    weights: S::Of<u16>,
    /// Zero while all features count alike.
    unit: u32,
}

/// Zero for the usual width. In a narrower kernel the exponents of pairs would not be finite.
const WIDTHS: RangeInclusive<f32> = 0.0..=1e24;
/// A unit can also be larger than one.
const BIAS: i32 = 16;
/// The largest weight has 15 bits.
const LARGEST: i32 = 15;

/// The finest unit: a weight of one has 14 digits.
const FINEST: i32 = BIAS + LARGEST - 1;
/// The weights must sum to less than this; with one more digit, to less than half of it.
const TOO_MUCH: u32 = MOST_FEATURES as u32 + 1;
const HALF_TOO_MUCH: u32 = MOST_FEATURES as u32 / 2 + 1;

/// Share of the way to go.
const RATE: f32 = 0.2;
/// The same in steps of exponents, with more digits than they have, since a product of whole
/// numbers is as fine as it is large.
const SPEED: f32 = RATE * LOG2_E * (OCTAVE << FINE) as f32;
const FINE: u32 = 16;
/// A weight changes by at most a tenth at a time.
const MOST: u32 = (0.1 * LOG2_E * OCTAVE as f32) as u32;
/// A mistake all of whose similarities are below this one says nothing about single features, but that
/// the kernel is too narrow.
const ALONE: Fixed = Fixed::from_raw(1 << (power::RESULT - 3));
/// Bits of all masses that an example is compared with, added up; rounding may make them
/// one more.
const MASS: u32 = 12;
/// Bits of the contribution of an example to a feature.
const DIFFERENCE: u32 = 31;

crate::persist::blank!([; S: PerFeature] ArdGaussian<S> { gamma, exponents, weights, unit });

impl<S: PerFeature> Ready for ArdGaussian<S> {}

impl<S: PerFeature> ArdGaussian<S> {
    /// All features count alike, with a width of `3 / D`.
    pub const fn new() -> Self {
        Self::BLANK
    }

    /// All features count alike at first.
    ///
    /// # Errors
    ///
    /// When `gamma` is more than 1e24: exponents of pairs would not be finite.
    pub const fn starting_from(kernel: Gaussian) -> Result<Self, ConfigError> {
        let gamma = kernel.gamma();
        // Asked this way, a number that is none is refused.
        if !(gamma >= *WIDTHS.start() && gamma <= *WIDTHS.end()) {
            return Err(ConfigError::Width);
        }
        Ok(ArdGaussian {
            gamma,
            exponents: <S::Of<Exponent>>::BLANK,
            weights: <S::Of<u16>>::BLANK,
            unit: 0,
        })
    }

    /// Makes room for `dim` features in memory that grows; in fixed memory there is.
    pub fn with_features(mut self, dim: usize) -> Self {
        self.exponents.ensure(dim);
        self.weights.ensure(dim);
        self
    }

    /// Forgets what was learned: all features count alike again.
    pub(crate) fn forget(&mut self) {
        self.unit = 0;
        self.exponents.as_mut_slice().fill(Exponent::BLANK);
        self.weights.as_mut_slice().fill(0);
    }

    /// The weight of every feature.
    pub fn weights(&self) -> impl Iterator<Item = f32> {
        let unit = self.unit_value();
        let weights = self.weights.as_slice().iter();
        weights.map(move |weight| {
            if self.is_uniform() {
                1.0
            } else {
                f32::from(*weight) * unit
            }
        })
    }

    /// The weights as they are multiplied with squared differences of bytes; `None` while all features count alike.
    pub fn whole_weights(&self) -> Option<&[u16]> {
        (!self.is_uniform()).then_some(self.weights.as_slice())
    }

    /// From a weighted squared distance of bytes to an exponent of two in multiples of 2^-27: a multiplier, and the bits by which the
    /// distance is shifted right before, with half of what is cut off added.
    pub fn rate_of_bytes(&self) -> (u32, u32) {
        self.slope(i8::step(1)).rate().digits_and_shift()
    }

    /// Whether all features still count alike.
    #[inline]
    fn is_uniform(&self) -> bool {
        self.unit == 0
    }

    /// The fixed-point value of a weight of one.
    #[inline]
    fn unit_value(&self) -> f32 {
        if self.is_uniform() {
            1.0
        } else {
            // 2^(BIAS - unit)
            f32::from_bits(((127 + BIAS - self.unit as i32) as u32) << 23)
        }
    }

    /// From weighted distances to similarities.
    #[inline]
    fn slope(&self, step: f32) -> Slope {
        Slope::new(self.rate(), step)
    }

    /// Whole weights of the exponents in a unit of `2^-(unit - BIAS)`, and whether there is room for
    /// them: one that is larger than 16 bits has none.
    fn derive(&mut self, unit: i32) -> Room {
        let exponents = self.exponents.as_slice().iter();
        let (mut sum, mut fits) = (0_u32, true);
        for (weight, exponent) in self.weights.as_mut_slice().iter_mut().zip(exponents) {
            let below = (LARGEST + BIAS - unit) * OCTAVE - exponent.steps();
            fits &= below >= 0;
            let below = below.clamp(0, 32 * OCTAVE - 1) as u32;
            let power = power::half_to_the(below << (power::FRACTION - DIGITS));
            *weight = (power >> (power::RESULT - LARGEST as u32)) as u16;
            sum = sum.saturating_add((*weight).into());
        }
        self.unit = unit as u32;
        match sum {
            _ if !fits => Room::None,
            TOO_MUCH.. => Room::None,
            HALF_TOO_MUCH.. => Room::Enough,
            _ => Room::ForTwice,
        }
    }

    /// All features count less: vectors get more alike.
    fn widen(&mut self, share: f32) {
        let step = (share * MOST as f32) as i32;
        for exponent in self.exponents.as_mut_slice() {
            *exponent = exponent.plus(-step);
        }
        self.refresh();
    }

    /// Brings the whole weights up to date, as fine as there is room for. Where it begins does not
    /// matter: twice as fine is at least twice as much.
    fn refresh(&mut self) {
        let mut unit = if self.is_uniform() {
            FINEST
        } else {
            self.unit as i32
        };
        let mut room = self.derive(unit);
        while room == Room::ForTwice && unit < FINEST {
            unit += 1;
            room = self.derive(unit);
        }
        while room == Room::None && unit > 1 {
            unit -= 1;
            room = self.derive(unit);
        }
    }
}

/// Whether a sum with these integer weights fits into 32 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    None,
    Enough,
    ForTwice,
}

impl<S: PerFeature> Default for ArdGaussian<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: PerFeature> Kernel for ArdGaussian<S> {
    fn base(&self) -> Base {
        Base::Distance
    }

    fn of(&self, base: f32) -> f32 {
        self.exp(self.exponent(base))
    }

    /// Its width was checked when it was set or loaded.
    fn check(&self) -> Result<(), ConfigError> {
        Ok(())
    }

    #[inline]
    fn own_with(&self, _: impl FnOnce() -> f32) -> f32 {
        1.0
    }
}

impl<S: PerFeature> Mergeable for ArdGaussian<S> {
    #[inline]
    fn rate(&self) -> f32 {
        let gamma = if self.gamma == 0.0 {
            3.0 / self.weights.as_slice().len().max(1) as f32
        } else {
            self.gamma
        };
        gamma * self.unit_value()
    }

    fn exp(&self, exponent: f32) -> f32 {
        Fast::exp(exponent)
    }
}

impl<S: PerFeature> KernelIn<i8> for ArdGaussian<S> {
    fn sealed(&self, _: crate::sealed::Token) {}

    #[inline]
    fn map_in(&self, step: f32, bases: &mut [Fixed]) {
        self.slope(step).map(bases);
    }

    #[inline]
    fn bases_in<P>(&self, points: &P, x: &P::Point, first: usize, out: &mut [Fixed])
    where
        P: Points<Feature = i8>,
    {
        if self.is_uniform() {
            points.bases(Base::Distance, x, first, out);
        } else {
            points.weighted_distances(self.weights.as_slice(), x, first, out);
        }
    }

    #[inline]
    fn base_of(&self, a: &[i8], b: &[i8]) -> Fixed {
        if self.is_uniform() {
            Base::Distance.of_pair(a, b)
        } else {
            i8::weighted_distance(self.weights.as_slice(), a, b)
        }
    }

    fn adapt<M>(&mut self, set: &SupportSet<M>, example: &EvaluatedIn<'_, M>, coefficient: f32)
    where
        M: Memory<Points: Points<Feature = i8>>,
    {
        if !set.is_full() {
            return;
        }
        let (stored, towards) = (set.stored(), if coefficient > 0.0 { 1 } else { -1 });
        // 15 digits of a coefficient and 12 of a similarity.
        let vote = |slot: usize, near: Fixed| {
            let stored = stored.get(slot).copied().unwrap_or(0);
            towards * i32::from(stored) * (near.raw() >> (power::RESULT - 12))
        };
        let (mistake, size) = (example.margin() <= 0.0, coefficient.abs());
        self.adapt_to::<M>(set.points(), example, mistake, size, vote);
    }
}

impl<S: PerFeature> ArdGaussian<S> {
    /// Learns from an example that is about to be added to a full model, with a step of this size. `mistake` says whether the
    /// answer was wrong, not only too close. `vote` says what the vector in a slot, given its similarity, says about the
    /// example: positive if it speaks for what is to be added.
    pub(crate) fn adapt_to<M>(
        &mut self,
        points: &M::Points,
        example: &EvaluatedIn<'_, M>,
        mistake: bool,
        size: f32,
        vote: impl Fn(usize, Fixed) -> i32,
    ) where
        M: Memory<Points: Points<Feature = i8>>,
    {
        let x = example.x.as_ref();
        self.exponents.ensure(x.len());
        self.weights.ensure(x.len());
        if self.is_uniform() {
            self.refresh();
        }
        // A step of more than one, as a rare class may have, says no more about features than one.
        let size = size.min(1.0);
        if mistake && example.row.iter().all(|near| *near < ALONE) {
            self.widen(size);
            return;
        }
        // What each vector says about the example.
        let votes = || {
            let row = example.row.iter().enumerate();
            row.map(|(slot, near)| vote(slot, *near))
        };
        let all: u64 = votes().map(|vote| u64::from(vote.unsigned_abs())).sum();
        // 31 is enough for more vectors than any memory has.
        let shift = (u64::BITS - all.leading_zeros())
            .saturating_sub(MASS)
            .min(31);
        let half = (1_u32 << shift) >> 1;

        // Distances to vectors that speak for the example, and to those against it, by feature.
        let (mut same, mut other) = (<S::Of<Fixed>>::BLANK, <S::Of<Fixed>>::BLANK);
        same.ensure(x.len());
        other.ensure(x.len());
        for (slot, vote) in votes().enumerate() {
            let mass = (vote.unsigned_abs() + half) >> shift;
            if mass > 0 {
                let sums = if vote > 0 { &mut same } else { &mut other };
                let own = points.fetch(slot);
                let pairs = x.iter().zip(own.borrow().as_ref());
                for (sum, (x, own)) in sums.as_mut_slice().iter_mut().zip(pairs) {
                    i8::accumulate_weighted(mass as u16, sum, *x, *own);
                }
            }
        }

        let sums = || same.as_slice().iter().zip(other.as_slice());
        let weights = self.weights.as_slice().iter().copied().map(i64::from);
        let all: u64 = sums()
            .zip(weights.clone())
            .map(|((same, other), weight)| {
                (weight * (i64::from(same.raw()) + i64::from(other.raw()))) as u64
            })
            .sum();
        // No more digits than a fixed-point number has: a feature uses at most all of them.
        let cut = (u64::BITS - all.leading_zeros()).saturating_sub(DIFFERENCE);
        let rate = SPEED * size * x.len() as f32;
        let rate = Rate::new(rate / (all >> cut).max(1) as f32);
        let exponents = self.exponents.as_mut_slice().iter_mut();
        for (((same, other), weight), exponent) in sums().zip(weights).zip(exponents) {
            // A weight that has rounded to nothing counts as the least one, or it would never come back.
            let excess = weight.max(1) * (i64::from(same.raw()) - i64::from(other.raw()));
            // The size is shifted: below zero a shift rounds down, and weights would creep up.
            let step = rate.times((excess.unsigned_abs() >> cut) as u32) >> FINE;
            let step = step.min(MOST) as i32;
            *exponent = exponent.plus(-step * excess.signum() as i32);
        }
        self.refresh();
    }
}

/// Width and exponents; whole weights follow from them.
impl<S: PerFeature> Persist for ArdGaussian<S> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.name("relevance");
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.gamma.save(writer);
        writer.word((!self.is_uniform()).into());
        writer.with_slots(|writer| self.exponents.save(writer));
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        reader.number(&mut self.gamma, WIDTHS)?;
        let weighted = match reader.word()? {
            0 => false,
            1 => true,
            _ => return Err(ImageError::Malformed),
        };
        reader.with_slots(|reader| self.exponents.load(reader))?;
        if !reader.is_dry_run() {
            self.unit = 0;
            self.weights.as_mut_slice().fill(0);
            if weighted {
                self.refresh();
            }
        }
        Ok(())
    }
}
