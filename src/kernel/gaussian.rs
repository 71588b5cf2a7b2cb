//! Similarity that falls off with the distance.

use core::marker::PhantomData;

use super::{Kernel, Mergeable, Uniform};
use crate::{
    error::{ConfigError, is_positive},
    num::{
        Base,
        math::{Fast, Math},
    },
    persist::{Blank, ImageError, Persist, Reader, Shape, Writer},
};

/// `exp(-gamma * |a - b|^2)`, with the exponential of `M`.
///
/// ```
/// use pocketron::kernel::{Gaussian, Kernel};
/// let kernel = Gaussian::new(0.5)?;
/// assert_eq!(kernel.pair(&[1.0, 2.0], &[1.0, 2.0]), 1.0);
/// assert!(kernel.pair(&[1.0, 2.0], &[2.0, 3.0]) < 0.4);
/// # Ok::<(), pocketron::error::ConfigError>(())
/// ```
#[derive(Debug)]
pub struct Gaussian<M = Fast> {
    gamma: f32,
    math: PhantomData<M>,
}

// Derives would demand `M: Clone`; the marker is never stored.
impl<M> Clone for Gaussian<M> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<M> Copy for Gaussian<M> {}

impl Gaussian {
    /// Kernel of width `gamma`, positive and finite, with our own exponential.
    pub const fn new(gamma: f32) -> Result<Self, ConfigError> {
        Self::with_math(gamma)
    }

    /// The same for a `const` or `static`, checked by the compiler:
    ///
    /// ```
    /// use pocketron::kernel::Gaussian;
    /// const KERNEL: Gaussian = Gaussian::constant(0.5);
    /// ```
    ///
    /// ```compile_fail
    /// use pocketron::kernel::Gaussian;
    /// const KERNEL: Gaussian = Gaussian::constant(f32::NAN);
    /// ```
    ///
    /// # Panics
    ///
    /// If `gamma` is not positive and finite; in a `const` that is a compile error.
    pub const fn constant(gamma: f32) -> Self {
        match Self::with_math(gamma) {
            Ok(kernel) => kernel,
            Err(_) => panic!("the kernel width gamma must be positive and finite"),
        }
    }
}

impl<M> Gaussian<M> {
    /// Kernel of width `gamma`, positive and finite, with the exponential of `M`.
    pub const fn with_math(gamma: f32) -> Result<Self, ConfigError> {
        if !is_positive(gamma) {
            return Err(ConfigError::Width);
        }
        Ok(Gaussian {
            gamma,
            math: PhantomData,
        })
    }
}

impl<M> Gaussian<M> {
    /// The width.
    pub const fn gamma(&self) -> f32 {
        self.gamma
    }
}

impl<M> Blank for Gaussian<M> {
    const BLANK: Self = Gaussian {
        gamma: 0.0,
        math: PhantomData,
    };
}

impl<M: Math> Uniform for Gaussian<M> {}

impl<M: Math> Kernel for Gaussian<M> {
    #[inline]
    fn base(&self) -> Base {
        Base::Distance
    }

    #[inline]
    fn of(&self, base: f32) -> f32 {
        M::exp(-self.gamma * base)
    }

    #[inline(always)]
    fn map(&self, bases: &mut [f32]) {
        M::exp_all(bases, -self.gamma);
    }

    #[inline]
    fn check(&self) -> Result<(), ConfigError> {
        if is_positive(self.gamma) {
            Ok(())
        } else {
            Err(ConfigError::Width)
        }
    }

    #[inline]
    fn own_with(&self, _: impl FnOnce() -> f32) -> f32 {
        1.0
    }
}

impl<M: Math> Mergeable for Gaussian<M> {
    #[inline]
    fn rate(&self) -> f32 {
        self.gamma
    }

    #[inline]
    fn exp(&self, exponent: f32) -> f32 {
        M::exp(exponent)
    }
}

impl<M: Math> Persist for Gaussian<M> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("gaussian", |inside| inside.name(M::NAME));
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.gamma.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        reader.checked(&mut self.gamma, is_positive)
    }
}
