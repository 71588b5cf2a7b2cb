//! All sizes that fit.

use core::fmt;

use crate::counting::{Report, grid, platform};

run_demo!(count);

fn count(_: &mut platform::Console) -> fmt::Result {
    let report = &mut Report::new();
    features::<4>(report)?;
    features::<16>(report)?;
    features::<64>(report)?;
    features::<256>(report)
}

fn features<const D: usize>(report: &mut Report) -> fmt::Result {
    grid::primal::<D>(report)?;
    if fits(D, 20) {
        grid::shape::<D, 20>(report)?;
    }
    if fits(D, 100) {
        grid::shape::<D, 100>(report)?;
    }
    if fits(D, 500) {
        grid::shape::<D, 500>(report)?;
    }
    Ok(())
}

/// Cores without a floating-point unit have little memory beside it, and take an emulator long.
const fn fits(features: usize, budget: usize) -> bool {
    cfg!(target_abi = "eabihf") || 4 * features * budget <= 32 * 1024
}
