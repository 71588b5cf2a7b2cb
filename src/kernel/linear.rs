//! The inner product itself.

use super::{Kernel, Uniform};
use crate::{error::ConfigError, num::Base};

/// `a . b`.
///
/// ```
/// use pocketron::kernel::{Kernel, LinearKernel};
/// assert_eq!(LinearKernel.pair(&[1.0, 2.0], &[3.0, 4.0]), 11.0);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct LinearKernel;

impl Uniform for LinearKernel {}

impl Kernel for LinearKernel {
    #[inline]
    fn base(&self) -> Base {
        Base::Product
    }

    #[inline]
    fn of(&self, base: f32) -> f32 {
        base
    }

    #[inline]
    fn check(&self) -> Result<(), ConfigError> {
        Ok(())
    }
}

crate::persist::persist!([] LinearKernel as "linear");
