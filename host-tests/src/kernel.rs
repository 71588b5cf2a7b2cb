//! A kernel chosen at run time.

use std::{fmt, str::FromStr};

use pocketron::{
    error::ConfigError,
    kernel::{Gaussian, Kernel, LinearKernel, Polynomial, Uniform},
    num::Base,
};

/// One of the core's kernels: `rbf:GAMMA`, `poly:DEGREE` or `linear`.
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
}

/// What the commands take if none is named.
impl Default for AnyKernel {
    fn default() -> Self {
        AnyKernel::Linear(LinearKernel)
    }
}

impl Uniform for AnyKernel {}

impl Kernel for AnyKernel {
    fn base(&self) -> Base {
        match self {
            AnyKernel::Linear(kernel) => kernel.base(),
            AnyKernel::Polynomial(kernel) => kernel.base(),
            AnyKernel::Gaussian(kernel) => kernel.base(),
        }
    }

    fn of(&self, base: f32) -> f32 {
        match self {
            AnyKernel::Linear(kernel) => kernel.of(base),
            AnyKernel::Polynomial(kernel) => kernel.of(base),
            AnyKernel::Gaussian(kernel) => kernel.of(base),
        }
    }

    fn check(&self) -> Result<(), ConfigError> {
        match self {
            AnyKernel::Linear(kernel) => kernel.check(),
            AnyKernel::Polynomial(kernel) => kernel.check(),
            AnyKernel::Gaussian(kernel) => kernel.check(),
        }
    }

    // One choice for each block, so that the loops inside stay tight.
    #[inline]
    fn map(&self, bases: &mut [f32]) {
        match self {
            AnyKernel::Linear(kernel) => kernel.map(bases),
            AnyKernel::Polynomial(kernel) => kernel.map(bases),
            AnyKernel::Gaussian(kernel) => kernel.map(bases),
        }
    }
}

impl fmt::Display for AnyKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyKernel::Linear(_) => f.write_str("linear kernel"),
            AnyKernel::Polynomial(kernel) => write!(f, "kernel (1 + a.b)^{}", kernel.degree()),
            AnyKernel::Gaussian(kernel) => write!(f, "kernel exp(-{} d^2)", kernel.gamma()),
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
