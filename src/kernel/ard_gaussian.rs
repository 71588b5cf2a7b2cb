//! A Gaussian that learns which features matter.

mod exponent;
mod view;

use core::{borrow::Borrow as _, ops::RangeInclusive};

use exponent::Exponent;
pub(crate) use view::{ArdView, ArdViewMut, Lesson, add_distances, exp, is_far};

use super::{Gaussian, Kernel, KernelIn, Mergeable, Slope};
use crate::{
    error::ConfigError,
    num::{Base, Fixed, math::power},
    persist::{Blank, ImageError, Persist, Reader, Ready, Shape, Writer},
    storage::{Column, EvaluatedIn, Memory, PerFeature, SupportSet, point::Points},
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
        let view = self.view();
        let (is_uniform, unit) = (view.is_uniform(), view.unit_value());
        let weights = view.weights.iter();
        weights.map(move |weight| {
            if is_uniform {
                1.0
            } else {
                f32::from(*weight) * unit
            }
        })
    }

    /// The weights as they are multiplied with squared differences of bytes; `None` while all features count alike.
    pub fn whole_weights(&self) -> Option<&[u16]> {
        let is_uniform = self.view().is_uniform();
        (!is_uniform).then_some(self.weights.as_slice())
    }

    /// From a weighted squared distance of bytes to an exponent of two in multiples of 2^-27: a multiplier, and the bits by which the
    /// distance is shifted right before, with half of what is cut off added.
    pub fn rate_of_bytes(&self) -> (u32, u32) {
        self.view().slope().rate().digits_and_shift()
    }

    /// The kernel without the number of features in its type.
    #[inline]
    pub(crate) fn view(&self) -> ArdView<'_> {
        ArdView {
            gamma: self.gamma,
            unit: self.unit,
            weights: self.weights.as_slice(),
        }
    }

    /// The same, to be changed, with room for `dim` features.
    #[inline]
    pub(crate) fn view_mut(&mut self, dim: usize) -> ArdViewMut<'_> {
        self.exponents.ensure(dim);
        self.weights.ensure(dim);
        ArdViewMut {
            gamma: self.gamma,
            unit: &mut self.unit,
            weights: self.weights.as_mut_slice(),
            exponents: self.exponents.as_mut_slice(),
        }
    }
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
        self.view().rate()
    }

    fn exp(&self, exponent: f32) -> f32 {
        exp(exponent)
    }
}

impl<S: PerFeature> KernelIn<i8> for ArdGaussian<S> {
    fn sealed(&self, _: crate::sealed::Token) {}

    #[inline]
    fn map_in(&self, step: f32, bases: &mut [Fixed]) {
        Slope::new(self.rate(), step).map(bases);
    }

    #[inline]
    fn bases_in<P>(&self, points: &P, x: &P::Point, first: usize, out: &mut [Fixed])
    where
        P: Points<Feature = i8>,
    {
        let view = self.view();
        if view.is_uniform() {
            points.bases(Base::Distance, x, first, out);
        } else {
            points.weighted_distances(view.weights, x, first, out);
        }
    }

    #[inline]
    fn base_of(&self, a: &[i8], b: &[i8]) -> Fixed {
        self.view().distance(a, b)
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
        let mut votes = <M::Column<Fixed>>::BLANK;
        votes.ensure(stored.len());
        for ((vote, near), stored) in votes.as_mut_slice().iter_mut().zip(example.row).zip(stored) {
            let near = near.raw() >> (power::RESULT - 12);
            *vote = Fixed::from_raw(towards * i32::from(*stored) * near);
        }
        let lesson = Lesson {
            votes: votes.as_slice().get(..stored.len()).unwrap_or_default(),
            too_narrow: example.margin() <= 0.0 && example.row.iter().all(|near| is_far(*near)),
            size: coefficient.abs(),
        };
        let points = set.points();
        let dim = points.dim();
        let [mut same, mut other] = [<S::Of<Fixed>>::BLANK, <S::Of<Fixed>>::BLANK];
        same.ensure(dim);
        other.ensure(dim);
        let sums = (same.as_mut_slice(), other.as_mut_slice());
        let add = |slot, mass, sums: &mut [Fixed]| {
            add_distances(
                mass,
                example.x.as_ref(),
                points.fetch(slot).borrow().as_ref(),
                sums,
            );
        };
        self.view_mut(dim).adapt(&lesson, add, sums);
    }
}

/// Width and exponents; whole weights follow from them.
impl<S: PerFeature> Persist for ArdGaussian<S> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.name("relevance");
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.gamma.save(writer);
        writer.word((!self.view().is_uniform()).into());
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
                self.view_mut(0).refresh();
            }
        }
        Ok(())
    }
}
