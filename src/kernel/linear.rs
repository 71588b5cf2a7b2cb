//! The inner product itself.

use super::{Kernel, Uniform};
use crate::{error::ConfigError, memory::Blank, point::Base};

/// `a . b`.
///
/// ```
/// use pocketron::kernel::{Kernel, Linear};
/// assert_eq!(Linear.pair(&[1.0, 2.0], &[3.0, 4.0]), 11.0);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Linear;

impl Blank for Linear {
    const BLANK: Self = Linear;
}

impl Uniform for Linear {}

impl Kernel for Linear {
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

crate::image::persist!([] Linear as "linear");
