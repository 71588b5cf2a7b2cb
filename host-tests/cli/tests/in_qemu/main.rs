//! The firmware itself, on emulated boards. `cargo xtask device` builds it and runs these.

mod bad_input;
mod extreme_floats;
mod flash_file;
mod learning;
mod log;
mod saving;
mod sensor;

use std::{ops::ControlFlow, path::Path, time::Duration};

use pocketron::num::rng::XorShift32;
use pocketron_cli::device::{
    Client, Timeouts,
    qemu::{Board, Emulator, Machine},
};

const WHY: &str = "needs the firmware and QEMU: cargo xtask device";

/// A board that runs `program`.
fn run(board: Board, program: &Path, flash: Option<&Path>) -> Emulator {
    let machine = Machine {
        board,
        program,
        flash,
        count_instructions: false,
    };
    Emulator::start(&machine).unwrap_or_else(|error| panic!("{error} ({WHY})"))
}

fn start(board: Board) -> Emulator {
    run(board, &board.firmware().expect(WHY), None)
}

fn connect(board: Board) -> Client {
    let timeouts = Timeouts {
        give_up: Duration::from_secs(60),
        ..Timeouts::default()
    };
    Client::connect(Box::new(start(board)), timeouts).expect("a device")
}

fn pull(client: &mut Client) -> Vec<u8> {
    client.pull(&mut |_, _| ()).expect("its model")
}

/// Points around the corners of a square, a class each, with some noise.
fn examples(count: usize, features: usize, classes: usize, seed: u32) -> Vec<(u8, Vec<f32>)> {
    let mut rng = XorShift32::new(seed);
    let example = |_| {
        let class = rng.below(classes as u32) as u8;
        let feature = |bit: usize| {
            let corner = if (class >> (bit % 8)) & 1 == 1 {
                0.5
            } else {
                -0.5
            };
            corner + rng.below(1601) as f32 / 1000.0 - 0.8
        };
        (class, (0..features).map(feature).collect())
    };
    (0..count).map(example).collect()
}

fn teach(client: &mut Client, examples: &[(u8, Vec<f32>)]) {
    let rows = examples.iter().map(|(class, x)| (*class, &x[..]));
    client
        .learn_all(rows, |taught| {
            taught.expect("good examples");
            ControlFlow::Continue(())
        })
        .expect("a line");
}
