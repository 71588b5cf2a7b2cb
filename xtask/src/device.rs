//! The firmware as hosts see it in QEMU: taught, queried, sent invalid input, and reset.

use crate::{
    board,
    firmware::{self, BOARDS, Options},
    process, stack, workspace,
};
use anyhow::Result;

/// Builds the firmware for every board, and runs the tests called `in_qemu`: those of `host-tests/cli`, which know how deep the
/// stack of each may get, and the demonstration.
pub fn check() -> Result<()> {
    let mut bounds = Vec::new();
    for board in BOARDS {
        let image = firmware::build(board, Options::default())?;
        let bound = stack::bound(board, &image)?.bytes;
        bounds.push(format!("{}={bound}", board.machine));
    }
    let sensor = Options {
        sensor: true,
        ..Options::default()
    };
    firmware::build(&board::M4F, sensor)?;
    let log = Options {
        log: true,
        ..Options::default()
    };
    firmware::build(&board::M4F, log)?;
    let mut tests = workspace::cargo("test");
    tests
        .env("POCKETRON_STACKS", bounds.join(" "))
        // The whole workspace, as in `cargo test --workspace`: the libraries would be built once more for
        // the features of a single package.
        .args(["--workspace", "--test", "in_qemu"])
        // An emulator is busy while its board is: more of them would only wait for one another.
        .args(["--", "--ignored", "--nocapture", "--test-threads", "2"]);
    process::run(&mut tests)
}
