//! The library at work on an emulated microcontroller.

use crate::{board, qemu, setup};
use anyhow::Result;

const EXAMPLE: &str = "policies";

/// Sets up, builds, runs and explains.
pub fn run() -> Result<()> {
    let toolchain = setup::run()?;
    let board = &board::M4F;
    println!(
        "Building for the {}: about a minute the first time.",
        board.core_name
    );
    let footprints = qemu::build(toolchain, board, &[EXAMPLE])?;
    println!(
        "\nBelow, an emulated {} (QEMU machine {}) learns from a stream of examples, one line per\n\
         budget policy: the rule for what to forget once the memory is full. The program is\n\
         examples/{EXAMPLE}.rs; on this computer it prints the same:\n  \
         cargo run --release --example {EXAMPLE}",
        board.core_name, board.machine
    );
    for footprint in footprints {
        let (flash, ram) = (footprint.flash, footprint.ram);
        println!(
            "All twenty learners in one image take {flash} bytes of flash (one alone: see `cargo xtask size`)\n\
             and {ram} of static RAM; each model lives on the stack, its size stands in the last column.\n\
             \"Right\" counts predictions made before the sample was learned.\n"
        );
    }
    print!(
        "{}",
        qemu::output(board, &toolchain.example(EXAMPLE, board))?
    );
    Ok(())
}
