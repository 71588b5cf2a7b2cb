//! One size with all learners, and the predictions that are compared with the peers.

use core::fmt;

use crate::{
    counting::{GAUSSIAN, Report, gaussian, platform},
    grid,
};

run_demo!(count);

fn count(_: &mut platform::Console) -> fmt::Result {
    let report = &mut Report::new();
    grid::primal::<16>(report)?;
    grid::shape::<16, 20>(report)?;
    headline::<4>(report)?;
    headline::<16>(report)?;
    // What is compared with a step of another network.
    grid::forgetron::<i8, 16, 100, _>(report, GAUSSIAN, gaussian::<16>())?;
    grid::merging::<i8, 16, 100>(report)?;
    // The default learner, beside that of 20 vectors of 16 features above.
    grid::pocketron::<4, 20>(report)?;
    grid::pocketron::<16, 100>(report)?;
    grid::pocketron::<64, 20>(report)?;
    grid::other_defaults(report)?;
    whole::<64>(report)?;
    // Without a floating-point unit these would take most of the time, to say the same.
    if cfg!(target_abi = "eabihf") {
        float::<64>(report)?;
        headline::<256>(report)?;
    }
    Ok(())
}

/// The prediction that is compared with the peers, in every format.
fn headline<const D: usize>(report: &mut Report) -> fmt::Result {
    float::<D>(report)?;
    whole::<D>(report)
}

fn float<const D: usize>(report: &mut Report) -> fmt::Result {
    grid::stoptron::<f32, D, 100, _>(report, GAUSSIAN, gaussian::<D>())
}

fn whole<const D: usize>(report: &mut Report) -> fmt::Result {
    grid::stoptron::<i16, D, 100, _>(report, GAUSSIAN, gaussian::<D>())?;
    grid::stoptron::<i8, D, 100, _>(report, GAUSSIAN, gaussian::<D>())
}
