//! Kernels: similarity of two points from their dot product or squared distance.
//!
//! | kernel | formula | when |
//! |---|---|---|
//! | [`LinearKernel`] | `a . b` | the classes are separated by a plane |
//! | [`Polynomial`] | `(scale * a . b + offset)^degree` | products of features matter |
//! | [`Gaussian`] | `exp(-gamma * \|a - b\|^2)` | the usual choice: similar samples, similar labels |
//! | [`ArdGaussian`] | `exp(-gamma * sum_k w_k (a_k - b_k)^2)` | width and feature relevance are unknown: it learns both |
//!
//! A kernel is a scalar function: the loops over features live in the
//! [point store](crate::storage::point), once for all kernels.

mod ard_gaussian;
mod fixed;
mod gaussian;
mod linear;
mod polynomial;
mod rows;

pub use ard_gaussian::ArdGaussian;
pub(crate) use fixed::Slope;
pub use gaussian::Gaussian;
pub use linear::LinearKernel;
pub use polynomial::Polynomial;

use crate::{
    error::ConfigError,
    num::{Base, Number},
    storage::{
        EvaluatedIn, Memory, SupportSet,
        point::{Feature, Points},
    },
};

/// A positive-definite similarity of two points.
pub trait Kernel: Clone {
    /// Whether the kernel is a function of the dot product or of the squared distance.
    fn base(&self) -> Base;

    /// Similarity of two points with this dot product or squared distance.
    fn of(&self, base: f32) -> f32;

    /// Fails for parameters outside their domain, a blank kernel included.
    fn check(&self) -> Result<(), ConfigError>;

    /// Replaces dot products or squared distances by similarities.
    #[inline(always)]
    fn map(&self, bases: &mut [f32]) {
        for base in bases {
            *base = self.of(*base);
        }
    }

    /// Similarity of two points.
    #[inline]
    fn pair(&self, a: &[f32], b: &[f32]) -> f32 {
        self.of(self.base().of_pair(a, b))
    }

    /// Similarity of a point with itself; costs nothing for kernels of the
    /// distance.
    #[inline]
    fn own(&self, x: &[f32]) -> f32 {
        self.own_with(|| Base::Product.of_pair(x, x))
    }

    /// Similarity of a point with itself, whose squared norm is computed if need be.
    #[inline]
    fn own_with(&self, norm_squared: impl FnOnce() -> f32) -> f32 {
        match self.base() {
            Base::Product => self.of(norm_squared()),
            Base::Distance => self.of(0.0),
        }
    }
}

/// A kernel over features of the format `F`.
///
/// In fixed point similarities end at one, so kernels of the inner product do not
/// compile:
///
/// ```compile_fail
/// use pocketron::{kernel::LinearKernel, prelude::*};
/// let mut model = Stoptron::<2, 8, LinearKernel, i8>::new(LinearKernel);
/// model.learn(&[0, 0], Sign::Pos).unwrap();
/// ```
pub trait KernelIn<F: Feature>: Kernel {
    #[doc(hidden)]
    fn sealed(&self, _: crate::sealed::Token);

    /// Replaces dot products or squared distances by similarities. Features are multiples of `step`.
    fn map_in(&self, step: f32, bases: &mut [F::Number]);

    /// Dot products or squared distances of `x` with the stored vectors from slot `first` on.
    #[inline(always)]
    fn bases_in<P>(&self, points: &P, x: &P::Point, first: usize, out: &mut [F::Number])
    where
        P: Points<Feature = F>,
    {
        points.bases(self.base(), x, first, out);
    }

    /// Dot product or squared distance of one pair.
    #[inline]
    fn base_of(&self, a: &[F], b: &[F]) -> F::Number {
        self.base().of_pair(a, b)
    }

    /// The similarity of one pair.
    #[inline]
    fn of_in(&self, step: f32, base: F::Number) -> f32 {
        let mut similarity = [base];
        self.map_in(step, &mut similarity);
        let [similarity] = similarity;
        similarity.value()
    }

    /// Learns from an example that is about to be added with `coefficient`.
    #[inline(always)]
    fn adapt<M>(&mut self, _set: &SupportSet<M>, _example: &EvaluatedIn<'_, M>, _coefficient: f32)
    where
        M: Memory<Points: Points<Feature = F>>,
    {
    }
}

/// Guarantee: all features have the same weight and always had, so the dot product or squared distance of a pair determines its
/// similarity, which never changes.
///
/// Such a kernel can be had in `f32` at once. Policies that remember similarities ask for it, and those that refuse
/// examples, from which a kernel would have learned all the same:
///
/// ```compile_fail,E0277
/// use pocketron::{budget::LeastLoss, kernel::ArdGaussian, prelude::*, storage::{Features, Inline}};
/// let kernel = ArdGaussian::<Features<2>>::new();
/// let mut model: KernelPerceptron<_, LeastLoss<Inline<2, 8, i8>>, Inline<2, 8, i8>> = KernelPerceptron::new(kernel);
/// model.learn(&[0, 0], Sign::Pos).unwrap();
/// ```
pub trait Uniform: Kernel {}

impl<K: Uniform> KernelIn<f32> for K {
    fn sealed(&self, _: crate::sealed::Token) {}

    #[inline(always)]
    fn map_in(&self, _: f32, bases: &mut [f32]) {
        self.map(bases);
    }
}

/// Kernels `k = exp(e)` for which a point between two others approximates both.
///
/// The similarity to a point a share `h` of the way along is `exp(h^2 * e)`,
/// which is what [merging](crate::budget::Merging) needs. Only the Gaussian
/// kernel has this property, so merging another one does not compile:
///
/// ```compile_fail,E0277
/// use pocketron::{budget::Merging, kernel::Polynomial, prelude::*, storage::Inline};
/// let kernel = Polynomial::new(2, 1.0, 1.0).unwrap();
/// let mut model = Perceptron::with_policy(kernel, Merging::default(), UnitSteps);
/// let model: &mut KernelPerceptron<Polynomial, Merging, Inline<2, 8>> = &mut model;
/// model.learn(&[0.0, 0.0], Sign::Pos).unwrap();
/// ```
pub trait Mergeable: Kernel {
    /// Decay rate of the similarity: `e = -rate * base`.
    fn rate(&self) -> f32;

    /// The exponent `e` of two points with this squared distance; never positive.
    #[inline]
    fn exponent(&self, base: f32) -> f32 {
        -self.rate() * base
    }

    /// `exp(exponent)`.
    fn exp(&self, exponent: f32) -> f32;
}
