//! The demonstration in QEMU. `cargo xtask device` builds the firmware and runs it.

use pocketron_cli::device::qemu::Board;
use pocketron_papers::demo;

/// It fails if too few answers are right, or a power cut loses a model.
#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn exercises_are_told_apart_and_survive_power_cuts() {
    let program = Board::Mps2An386.sensor_firmware();
    let program = program.expect("needs the firmware and QEMU: cargo xtask device");
    let scratch = tempfile::tempdir().expect("a folder");
    demo::exercises::show(&program, "1", scratch.path()).expect("all of it");
}
