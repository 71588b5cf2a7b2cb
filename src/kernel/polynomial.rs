//! Products of features up to a degree.

use super::{Kernel, Uniform};
use crate::{
    error::{ConfigError, is_non_negative, is_positive},
    num::Base,
};

/// `(scale * a . b + offset)^degree`.
///
/// ```
/// use pocketron::kernel::{Kernel, Polynomial};
/// let kernel = Polynomial::new(3, 1.0, 1.0)?;
/// assert_eq!(kernel.pair(&[1.0, 0.0], &[1.0, 5.0]), 8.0);
/// assert!(Polynomial::new(0, 1.0, 1.0).is_err());
/// # Ok::<(), pocketron::error::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Polynomial {
    scale: f32,
    offset: f32,
    degree: u32,
}

/// Beyond this, `f32` has no digits left, and a similarity costs its degree.
const MAX_DEGREE: u32 = 16;

impl Polynomial {
    /// Kernel of the given degree, from 1 to 16; `scale` positive, `offset` not
    /// negative (zero makes the kernel homogeneous).
    pub const fn new(degree: u32, scale: f32, offset: f32) -> Result<Self, ConfigError> {
        let kernel = Polynomial {
            scale,
            offset,
            degree,
        };
        match kernel.validate() {
            Ok(()) => Ok(kernel),
            Err(error) => Err(error),
        }
    }

    /// The exponent.
    pub const fn degree(&self) -> u32 {
        self.degree
    }

    const fn validate(&self) -> Result<(), ConfigError> {
        if self.degree == 0 || self.degree > MAX_DEGREE {
            Err(ConfigError::Degree)
        } else if !is_positive(self.scale) {
            Err(ConfigError::Scale)
        } else if !is_non_negative(self.offset) {
            Err(ConfigError::Offset)
        } else {
            Ok(())
        }
    }
}

impl Uniform for Polynomial {}

impl Kernel for Polynomial {
    #[inline]
    fn base(&self) -> Base {
        Base::Product
    }

    /// By repeated multiplication, so that every target rounds alike.
    #[inline]
    fn of(&self, base: f32) -> f32 {
        let factor = self.scale * base + self.offset;
        (1..self.degree).fold(factor, |power, _| power * factor)
    }

    #[inline]
    fn check(&self) -> Result<(), ConfigError> {
        self.validate()
    }
}

crate::persist::persist!([] Polynomial as "polynomial" { scale, offset, degree });
