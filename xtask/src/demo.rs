//! The library at work on an emulated microcontroller.

use crate::{board, qemu, setup};
use anyhow::Result;

const EXAMPLE: &str = "policies";

/// Sets up, builds, runs and explains.
pub fn run() -> Result<()> {
    let toolchain = setup::run()?;
    let board = &board::M4F;
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
            "The image takes {flash} bytes of flash and {ram} of static RAM; the stack comes on top.\n"
        );
    }
    print!(
        "{}",
        qemu::output(board, &toolchain.example(EXAMPLE, board))?
    );
    Ok(())
}
