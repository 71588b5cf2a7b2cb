//! Fixed-point features: error bounds, no overflow, and running scales.

mod coefficients;
mod kernel;
mod scale;
mod streams;
