//! One hash per kernel and number of features over the scores of a growing model.
//!
//! The loops over stored vectors go by blocks, and some by pairs of features: here every number of vectors from none
//! to more than a block of each kind occurs, with odd and even features. `cargo xtask parity` compares the hashes.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod hash;
#[macro_use]
mod platform;
mod sensor;

use core::fmt::{self, Write};

use hash::Hash;
use pocketron::{
    kernel::{Kernel, Linear},
    prelude::*,
    rng::XorShift32,
};

/// One block of a prediction, and all remainders of the blocks inside of it.
const BUDGET: usize = 64 + 19;

fn demo(out: &mut impl Write) -> fmt::Result {
    features::<1>(out)?;
    features::<2>(out)?;
    features::<3>(out)?;
    features::<8>(out)
}

fn features<const D: usize>(out: &mut impl Write) -> fmt::Result {
    growing::<D, _>(out, "linear", Linear)?;
    // Wide and narrow: similarities of all sizes, zero included.
    growing::<D, _>(out, "wide", Gaussian::constant(0.5))?;
    growing::<D, _>(out, "narrow", Gaussian::constant(40.0))
}

fn growing<const D: usize, K: Kernel>(out: &mut impl Write, name: &str, kernel: K) -> fmt::Result {
    let mut model = Stoptron::<D, BUDGET, K>::new(kernel);
    let mut generator = XorShift32::new(D as u32);
    let mut sample = || core::array::from_fn(|_| generator.below(4096) as f32 / 1024.0 - 2.0);
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
