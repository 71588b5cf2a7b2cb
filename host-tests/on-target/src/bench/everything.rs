//! All sizes that fit.

use core::fmt;

use crate::{
    counting::{Report, platform},
    grid,
};

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
    grid::shape::<D, 20>(report)?;
    grid::shape::<D, 100>(report)?;
    grid::shape::<D, 500>(report)
}
