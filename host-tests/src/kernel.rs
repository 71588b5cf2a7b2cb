//! A kernel chosen at run time.

use std::{fmt, str::FromStr};

use pocketron::{
    error::ConfigError,
    kernel::{Gaussian, Kernel, LinearKernel, Mergeable, Polynomial, Uniform},
    num::{
        Base,
        math::{Micro, Precise},
    },
};

use crate::persist_inside;

/// One of the core's kernels. The commands know `rbf:GAMMA`, `poly:DEGREE` and `linear`.
///
/// ```
/// use pocketron::kernel::Kernel;
/// use pocketron_testkit::kernel::AnyKernel;
/// let kernel: AnyKernel = "poly:3".parse().unwrap();
/// assert_eq!(kernel.pair(&[1.0], &[1.0]), 8.0);
/// assert!("rbf:-1".parse::<AnyKernel>().is_err());
/// ```
#[derive(Clone, Copy, Debug)]
pub enum AnyKernel {
    /// `a . b`.
    Linear(LinearKernel),
    /// `(1 + a . b)^degree`.
    Polynomial(Polynomial),
    /// `exp(-gamma |a - b|^2)`.
    Gaussian(Gaussian),
    /// The same with the exponential of `libm`.
    Precise(Gaussian<Precise>),
    /// The same with the exponential of `micromath`.
    Micro(Gaussian<Micro>),
}

/// A Gaussian with any of the exponentials.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each is called as in `AnyKernel`")]
pub enum AnyGaussian {
    Gaussian(Gaussian),
    Precise(Gaussian<Precise>),
    Micro(Gaussian<Micro>),
}

impl AnyKernel {
    /// The same, if it is a Gaussian.
    pub fn gaussian(self) -> Option<AnyGaussian> {
        match self {
            AnyKernel::Linear(_) | AnyKernel::Polynomial(_) => None,
            AnyKernel::Gaussian(kernel) => Some(AnyGaussian::Gaussian(kernel)),
            AnyKernel::Precise(kernel) => Some(AnyGaussian::Precise(kernel)),
            AnyKernel::Micro(kernel) => Some(AnyGaussian::Micro(kernel)),
        }
    }
}

/// What the commands take if none is named.
impl Default for AnyKernel {
    fn default() -> Self {
        AnyKernel::Linear(LinearKernel)
    }
}

persist_inside!(AnyKernel, Linear Polynomial Gaussian Precise Micro);
persist_inside!(AnyGaussian, Gaussian Precise Micro);

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

            #[inline]
            fn map(&self, bases: &mut [f32]) {
                match self { $( Self::$variant(kernel) => kernel.map(bases), )* }
            }

            fn own_with(&self, norm_squared: impl FnOnce() -> f32) -> f32 {
                match self { $( Self::$variant(kernel) => kernel.own_with(norm_squared), )* }
            }
        }
    };
}

kernel_inside!(AnyKernel, Linear Polynomial Gaussian Precise Micro);
kernel_inside!(AnyGaussian, Gaussian Precise Micro);

impl Mergeable for AnyGaussian {
    fn rate(&self) -> f32 {
        match self {
            AnyGaussian::Gaussian(kernel) => kernel.rate(),
            AnyGaussian::Precise(kernel) => kernel.rate(),
            AnyGaussian::Micro(kernel) => kernel.rate(),
        }
    }

    fn exp(&self, exponent: f32) -> f32 {
        match self {
            AnyGaussian::Gaussian(kernel) => kernel.exp(exponent),
            AnyGaussian::Precise(kernel) => kernel.exp(exponent),
            AnyGaussian::Micro(kernel) => kernel.exp(exponent),
        }
    }
}

impl fmt::Display for AnyKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyKernel::Linear(_) => f.write_str("linear kernel"),
            AnyKernel::Polynomial(kernel) => write!(f, "kernel (1 + a.b)^{}", kernel.degree()),
            AnyKernel::Gaussian(kernel) => write!(f, "kernel exp(-{} d^2)", kernel.gamma()),
            AnyKernel::Precise(kernel) => write!(f, "kernel exp(-{} d^2)", kernel.gamma()),
            AnyKernel::Micro(kernel) => write!(f, "kernel exp(-{} d^2)", kernel.gamma()),
        }
    }
}

/// A kernel description that is not one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelError(String);

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for KernelError {}

impl FromStr for AnyKernel {
    type Err = KernelError;

    fn from_str(text: &str) -> Result<Self, KernelError> {
        let bad = |why: &dyn fmt::Display| {
            KernelError(format!(
                "`{text}`: {why} (expected rbf:GAMMA, poly:DEGREE or linear)"
            ))
        };
        let (name, value) = text.split_once(':').unwrap_or((text, ""));
        match name {
            "linear" if value.is_empty() => Ok(AnyKernel::Linear(LinearKernel)),
            "poly" => {
                let degree = value.parse().map_err(|error| bad(&error))?;
                let kernel = Polynomial::new(degree, 1.0, 1.0).map_err(|error| bad(&error))?;
                Ok(AnyKernel::Polynomial(kernel))
            }
            "rbf" => {
                let gamma = value.parse().map_err(|error| bad(&error))?;
                let kernel = Gaussian::new(gamma).map_err(|error| bad(&error))?;
                Ok(AnyKernel::Gaussian(kernel))
            }
            _ => Err(bad(&"unknown kernel")),
        }
    }
}
