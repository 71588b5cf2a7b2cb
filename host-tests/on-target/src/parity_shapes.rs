//! One hash per kernel and number of features over the scores of a growing model.
//!
//! The loops over stored vectors go by blocks, and some by two, four or eight features: here every number of vectors from
//! none to more than a block of each kind occurs, with all remainders of features, floating and whole. `cargo xtask parity` compares the hashes.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod hash;
#[path = "../../../examples/platform/mod.rs"]
#[macro_use]
mod platform;
#[path = "../../../examples/sensor/mod.rs"]
mod sensor;

use core::fmt::{self, Write};

use hash::Hash;
use pocketron::{
    kernel::{KernelIn, LinearKernel, Uniform},
    num::rng::XorShift32,
    prelude::*,
    storage::point::Feature,
};

/// One block of a prediction, and all remainders of the blocks inside of it.
const BUDGET: usize = 64 + 19;

fn demo(out: &mut impl Write) -> fmt::Result {
    features::<1>(out)?;
    features::<2>(out)?;
    features::<3>(out)?;
    features::<8>(out)?;
    // By twos, fours and eights where the core has instructions for them.
    whole::<1>(out)?;
    whole::<2>(out)?;
    whole::<3>(out)?;
    whole::<4>(out)?;
    whole::<5>(out)?;
    whole::<6>(out)?;
    whole::<7>(out)?;
    whole::<9>(out)?;
    whole::<12>(out)?;
    whole::<16>(out)
}

fn features<const D: usize>(out: &mut impl Write) -> fmt::Result {
    growing::<f32, D, _>(out, "linear", LinearKernel)?;
    // Wide and narrow: similarities of all sizes, zero included.
    growing::<f32, D, _>(out, "wide", Gaussian::constant(0.5))?;
    growing::<f32, D, _>(out, "narrow", Gaussian::constant(40.0))
}

fn whole<const D: usize>(out: &mut impl Write) -> fmt::Result {
    growing::<i8, D, _>(out, "bytes", Gaussian::constant(0.25))?;
    growing::<i16, D, _>(out, "halfwords", Gaussian::constant(0.25))
}

fn growing<F: Feature, const D: usize, K: KernelIn<F> + Uniform>(
    out: &mut impl Write,
    name: &str,
    kernel: K,
) -> fmt::Result {
    let mut model = Stoptron::<D, BUDGET, K, F>::new(kernel);
    let mut generator = XorShift32::new(D as u32);
    // Whole features up to their ends, where a difference takes most room.
    let reach = if F::NAME == "f32" { 1.0 } else { 2.0 };
    let mut sample = || {
        core::array::from_fn(|_| {
            let value = generator.below(4096) as f32 / 1024.0 - 2.0;
            F::nearest(reach * value, D)
        })
    };
    let mut hash = Hash::START;
    for _ in 0..=BUDGET {
        let (x, asked) = (sample(), sample());
        let score = model.score(&asked).map_err(|_| fmt::Error)?;
        hash.feed(score.to_bits());
        // The label that it does not expect, so that it learns every sample.
        let label = match model.predict(&x) {
            Ok(Sign::Neg) => Sign::Pos,
            _ => Sign::Neg,
        };
        let outcome = model.learn(&x, label).map_err(|_| fmt::Error)?;
        hash.feed(outcome.score.to_bits());
    }
    writeln!(out, "{name}-{D} {:016x}", hash.0)
}

run_demo!(demo);
