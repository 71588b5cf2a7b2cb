//! Products of features up to a degree.

use super::{Kernel, Uniform};
use crate::{
    error::{ConfigError, is_non_negative},
    num::{Base, LARGEST, is_step},
    persist::{ImageError, Persist, Reader, Shape, Writer},
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
    /// negative (zero makes the kernel homogeneous). Where the dot product is one, the
    /// similarity is at most 1e28.
    pub const fn new(degree: u32, scale: f32, offset: f32) -> Result<Self, ConfigError> {
        let kernel = Polynomial {
            scale,
            offset,
            degree,
        };
        match kernel.validate() {
            // It may round to zero: features that are large make it up.
            Ok(()) if kernel.power(scale + offset) <= LARGEST => Ok(kernel),
            Ok(()) => Err(ConfigError::Scale),
            Err(error) => Err(error),
        }
    }

    /// The exponent.
    pub const fn degree(&self) -> u32 {
        self.degree
    }

    /// Whether the kernel is configured; called for every example.
    const fn validate(&self) -> Result<(), ConfigError> {
        if self.degree == 0 || self.degree > MAX_DEGREE {
            Err(ConfigError::Degree)
        } else if !is_step(self.scale) {
            Err(ConfigError::Scale)
        } else if !is_non_negative(self.offset) {
            Err(ConfigError::Offset)
        } else {
            Ok(())
        }
    }

    /// By repeated multiplication, so that every target rounds alike.
    #[inline]
    const fn power(&self, factor: f32) -> f32 {
        let (mut power, mut exponent) = (factor, 1);
        while exponent < self.degree {
            power *= factor;
            exponent += 1;
        }
        power
    }
}

impl Uniform for Polynomial {}

impl Kernel for Polynomial {
    #[inline]
    fn base(&self) -> Base {
        Base::Product
    }

    #[inline]
    fn of(&self, base: f32) -> f32 {
        self.power(self.scale * base + self.offset)
    }

    #[inline]
    fn check(&self) -> Result<(), ConfigError> {
        self.validate()
    }
}

crate::persist::blank!([] Polynomial { scale, offset, degree });

impl Persist for Polynomial {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.name("polynomial");
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.scale.save(writer);
        self.offset.save(writer);
        self.degree.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let (scale, offset, degree) = (reader.finite()?, reader.finite()?, reader.word()?);
        let found = Self::new(degree, scale, offset).map_err(|_| ImageError::Malformed)?;
        reader.put(self, found);
        Ok(())
    }
}
