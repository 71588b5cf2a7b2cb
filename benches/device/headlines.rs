//! One size with all learners, and the predictions that are compared with the peers.

use core::fmt;

use crate::counting::{Report, grid, platform};

run_demo!(count);

fn count(_: &mut platform::Console) -> fmt::Result {
    let report = &mut Report::new();
    grid::primal::<16>(report)?;
    grid::shape::<16, 20>(report)?;
    headline::<4>(report)?;
    headline::<16>(report)?;
    // Without a floating-point unit these would take most of the time, to say the same.
    if cfg!(target_abi = "eabihf") {
        headline::<64>(report)?;
        headline::<256>(report)?;
    }
    Ok(())
}

/// The prediction that is compared with the peers.
fn headline<const D: usize>(report: &mut Report) -> fmt::Result {
    grid::stoptron::<D, 100, _>(report, "gaussian", grid::gaussian::<D>())
}
