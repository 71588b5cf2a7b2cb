//! Kernels.

use pocketron::{
    kernel::{Gaussian, LinearKernel, Polynomial},
    persist::Blank,
};

use crate::{
    kernel::AnyKernel,
    model::{Shape, UnknownShape},
};

/// The kernel of that shape, without parameters yet.
pub fn kernel(shape: &Shape) -> Result<AnyKernel, UnknownShape> {
    Ok(match shape.to_string().as_str() {
        "linear" => AnyKernel::Linear(LinearKernel),
        "polynomial" => AnyKernel::Polynomial(Polynomial::BLANK),
        "gaussian(fast)" => AnyKernel::Gaussian(Gaussian::BLANK),
        "gaussian(precise)" => AnyKernel::Precise(Gaussian::BLANK),
        "gaussian(micro)" => AnyKernel::Micro(Gaussian::BLANK),
        _ => return Err(shape.unknown("kernel")),
    })
}
