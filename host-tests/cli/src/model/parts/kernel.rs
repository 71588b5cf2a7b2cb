//! Kernels.

use pocketron::{
    error::ConfigError,
    kernel::{Gaussian, Kernel, LinearKernel, Mergeable, Polynomial, Uniform},
    num::{
        Base,
        math::{Fast, Micro, Precise},
    },
    persist::Blank,
};

use super::persist_inside;
use crate::{
    kernel::AnyKernel,
    model::{Shape, UnknownShape},
};

/// A Gaussian with any of the exponentials.
#[derive(Clone, Copy, Debug)]
pub enum AnyGaussian {
    /// Our own.
    Fast(Gaussian<Fast>),
    /// That of `libm`.
    Precise(Gaussian<Precise>),
    /// That of `micromath`.
    Micro(Gaussian<Micro>),
}

persist_inside!(AnyGaussian, Fast Precise Micro);

/// Any kernel.
#[derive(Clone, Copy, Debug)]
pub enum StoredKernel {
    /// `a . b`.
    Linear(LinearKernel),
    /// `(offset + scale a . b)^degree`.
    Polynomial(Polynomial),
    /// `exp(-gamma |a - b|^2)`.
    Gaussian(AnyGaussian),
}

persist_inside!(StoredKernel, Linear Polynomial Gaussian);

impl AnyGaussian {
    /// The kernel of that shape, without a width yet.
    pub fn of(shape: &Shape) -> Result<Self, UnknownShape> {
        Ok(match shape.to_string().as_str() {
            "gaussian(fast)" => AnyGaussian::Fast(Gaussian::BLANK),
            "gaussian(precise)" => AnyGaussian::Precise(Gaussian::BLANK),
            "gaussian(micro)" => AnyGaussian::Micro(Gaussian::BLANK),
            _ => return Err(shape.unknown("Gaussian kernel")),
        })
    }
}

impl StoredKernel {
    /// The kernel of that shape, without parameters yet.
    pub fn of(shape: &Shape) -> Result<Self, UnknownShape> {
        Ok(match shape.pattern() {
            ("linear", []) => StoredKernel::Linear(LinearKernel),
            ("polynomial", []) => StoredKernel::Polynomial(Polynomial::BLANK),
            ("gaussian", _) => StoredKernel::Gaussian(AnyGaussian::of(shape)?),
            _ => return Err(shape.unknown("kernel")),
        })
    }
}

impl From<AnyKernel> for StoredKernel {
    fn from(kernel: AnyKernel) -> Self {
        match kernel {
            AnyKernel::Linear(kernel) => StoredKernel::Linear(kernel),
            AnyKernel::Polynomial(kernel) => StoredKernel::Polynomial(kernel),
            AnyKernel::Gaussian(kernel) => StoredKernel::Gaussian(AnyGaussian::Fast(kernel)),
        }
    }
}

/// Hands a kernel's methods on. A block of numbers at a time, so that the loops inside stay tight.
macro_rules! kernel_inside {
    ($choice:ty, $($variant:ident)*) => {
        impl Uniform for $choice {}

        impl Kernel for $choice {
            fn base(&self) -> Base {
                match self { $( Self::$variant(kernel) => kernel.base(), )* }
            }

            fn of(&self, base: f32) -> f32 {
                match self { $( Self::$variant(kernel) => kernel.of(base), )* }
            }

            fn check(&self) -> Result<(), ConfigError> {
                match self { $( Self::$variant(kernel) => kernel.check(), )* }
            }

            fn map(&self, bases: &mut [f32]) {
                match self { $( Self::$variant(kernel) => kernel.map(bases), )* }
            }

            fn own_with(&self, norm_squared: impl FnOnce() -> f32) -> f32 {
                match self { $( Self::$variant(kernel) => kernel.own_with(norm_squared), )* }
            }
        }
    };
}

kernel_inside!(AnyGaussian, Fast Precise Micro);
kernel_inside!(StoredKernel, Linear Polynomial Gaussian);

impl Mergeable for AnyGaussian {
    fn rate(&self) -> f32 {
        match self {
            AnyGaussian::Fast(kernel) => kernel.rate(),
            AnyGaussian::Precise(kernel) => kernel.rate(),
            AnyGaussian::Micro(kernel) => kernel.rate(),
        }
    }

    fn exp(&self, exponent: f32) -> f32 {
        match self {
            AnyGaussian::Fast(kernel) => kernel.exp(exponent),
            AnyGaussian::Precise(kernel) => kernel.exp(exponent),
            AnyGaussian::Micro(kernel) => kernel.exp(exponent),
        }
    }
}
