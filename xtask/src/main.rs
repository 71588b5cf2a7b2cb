//! `cargo xtask`: set-up, checks and demonstrations.
//!
//! One command for each thing that a newcomer or the continuous integration
//! wants to do, so that no one has to remember target names or QEMU flags.

mod api;
mod bench;
mod board;
mod boards;
mod code;
mod coverage;
mod demo;
mod deny;
mod device;
mod elf;
mod emulator;
mod examples;
mod firmware;
mod flash;
mod flip_link;
mod fuzz;
mod guide;
mod image;
#[cfg(test)]
mod layers;
#[cfg(test)]
mod links;
mod package;
mod painted;
mod panic_free;
mod parallel;
mod parity;
mod process;
mod programs;
mod qemu;
mod recording;
mod setup;
mod sizes;
mod snapshot;
mod stack;
mod steps;
mod tool;
mod toolchain;
mod wasm;
mod workspace;

use anyhow::Result;
use board::Board;
use clap::{Parser, Subcommand};
use pocketron_table::{self as table, row};
use std::{path::PathBuf, process::ExitCode};

/// Set-up, checks and demonstrations of Pocketron.
///
/// Begin with `cargo xtask demo`: it installs what is missing, says so, and
/// shows the library learning on an emulated microcontroller.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    arg_required_else_help = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Show the firmware learning on an emulated Cortex-M4F (sets up first)
    ///
    /// It reads a recorded accelerometer by the driver of a real one, is taught six
    /// exercises of a person one after the other, tells them apart, calls a seventh
    /// unknown, loses its power in the middle of a save, and still knows what it knew.
    Demo {
        /// Instead: handwritten digits and penguins over its UART, with pictures in target/demo
        #[arg(long)]
        digits: bool,
    },
    /// Install what device builds need: thumb targets, QEMU, flip-link, rustfmt, clippy; and cargo-deny
    ///
    /// Says what it installs and why, and does nothing when all is there.
    ///
    /// Device builds use the thumb targets of rustup. Where rustup cannot
    /// deliver them, Debian's compiler builds `core` from source instead. The
    /// variable POCKETRON_TOOLCHAIN settles the choice: `rustup` or `debian`.
    Setup,
    /// Run every check that a change must pass (sets up first)
    ///
    /// Some tests need data sets that the repository does not carry. Without
    /// them (POCKETRON_DATA names their directory) they pass and say that they
    /// were skipped, and the last lines list them; with POCKETRON_REQUIRE_DATA=1
    /// they fail instead.
    Test {
        /// Leave out everything that needs a thumb target or QEMU
        #[arg(long)]
        skip_device: bool,
    },
    /// Run one program on an emulated board
    Qemu {
        /// Name of a program in examples/ or host-tests/on-target/src/, without .rs
        example: String,
        /// Target triple, its first part, or the core: thumbv6m, M0, M3, M4F, M33 ...
        #[arg(long, default_value = board::DEFAULT_TARGET, value_parser = Board::find)]
        target: &'static Board,
    },
    /// Compare every example's output and size, on the host and on all boards
    ///
    /// The output must equal examples/expected/NAME.out everywhere (that of the
    /// programs of `parity`: see there), the sizes those in
    /// host-tests/on-target/expected/sizes.csv within 3 % or 64 bytes. No example may have
    /// variables with an initial value (.data), which cost flash and RAM.
    Examples {
        /// Record the present outputs and sizes as the expected ones
        #[arg(long)]
        bless: bool,
    },
    /// Print flash, static RAM and deepest stack of every example and the firmware on every board
    ///
    /// Before these, flash beyond the runtime of bare programs with one learner each, for speed and for size; it must equal that
    /// in host-tests/on-target/expected/flash.csv within 3 % or 64 bytes.
    ///
    /// How the stack is found and what it leaves open: docs/performance.md.
    Size {
        /// Name the functions by which a program may call itself again
        #[arg(long)]
        circles: bool,
        /// Only the bare programs: record their present flash as the expected one
        #[arg(long)]
        bless: bool,
        /// Instead: flash by function and crate, static RAM and deepest stack of this program
        #[arg(long, value_name = "FILE", conflicts_with_all = ["circles", "bless"])]
        elf: Option<PathBuf>,
        /// Name all functions of the program
        #[arg(long, requires = "elf")]
        map: bool,
    },
    /// Count what the device executes, ours and the peers'
    Bench {
        #[command(subcommand)]
        of: Bench,
    },
    /// Check that all policies give the same bits on the host and on all boards
    ///
    /// The hashes must equal those in host-tests/on-target/expected.
    Parity {
        /// Record the present hashes as the expected ones
        #[arg(long)]
        bless: bool,
    },
    /// Prove by linking that no policy can panic on the device, at opt-levels 3 and s
    PanicFree,
    /// Teach and query the firmware in QEMU, send it invalid input, and reset it
    ///
    /// Compares it bit for bit with the host, sends it everything that a line
    /// can garble, and kills it in the middle of saves.
    Device,
    /// Build the firmware and print its flash and static RAM
    ///
    /// POCKETRON_FEATURES, _BUDGET, _CLASSES and _UNDO set its learner,
    /// see src/firmware/learner.rs. It is linked with flip-link, which
    /// makes a stack overflow a fault, unless POCKETRON_NO_FLIP_LINK is set.
    Firmware {
        /// M0 (micro:bit), M4F (MPS2, the default) or M3
        #[arg(long, value_parser = Board::find)]
        target: Option<&'static Board>,
        /// Start it in QEMU, with the serial line on standard input and output
        #[arg(long)]
        run: bool,
        /// File that stands for the flash of an MPS2; without it, models last until QEMU ends
        #[arg(long, requires = "run", value_name = "FILE")]
        flash: Option<PathBuf>,
        /// With an accelerometer that plays a recording, and a model that is taught by hand
        ///
        /// POCKETRON_RECORDING names the recording: three little-endian i16 a sample, in milli-g, 50 samples a second.
        /// Without it, it is that of a person of host-tests/data/watch.csv.gz.
        #[arg(long)]
        sensor: bool,
        /// With messages in the format of defmt, which QEMU writes to standard output
        #[arg(long)]
        log: bool,
        /// Watch it on emulated boards: bytes, flash, faults, stack, clock, watchdog
        #[arg(long, conflicts_with_all = ["run", "log", "sensor"])]
        check: bool,
    },
    /// Check which files the library would be published with, and that it builds from them alone
    ///
    /// The list must equal host-tests/expected/package.txt.
    Package {
        /// Record the present list as the expected one
        #[arg(long)]
        bless: bool,
    },
    /// Compare the public items of the library with the committed list
    ///
    /// The list is host-tests/expected/public-api.txt. It is made from rustdoc's
    /// JSON, whose format changes: with another Rust than 1.95 the check may say
    /// that it was skipped.
    Api {
        /// Record the present items as the expected ones
        #[arg(long)]
        bless: bool,
    },
    /// Check licences, sources and duplicate versions of the dependencies
    ///
    /// deny.toml says what is allowed and why.
    Deny,
    /// Check the programs for real boards in examples/boards
    ///
    /// Each has its own HAL and its own lock file. See docs/boards.md.
    Boards {
        /// Build the images, too: target/TARGET/release/pocketron-BOARD
        #[arg(long)]
        image: bool,
    },
    /// Run the commands of docs/first-sensor.md, in a copy of the repository
    Guide,
    /// Measure which lines of the library the tests on the host execute
    ///
    /// Installs the compiler's llvm-tools and builds the tests once more: many minutes. At least 96 % of the lines of src
    /// must be executed, the firmware apart, and 90 % of points, confidence and drift. docs/reliability.md has the figure.
    Coverage,
    /// Give the code bytes that nobody meant, and check what must hold all the same
    ///
    /// Installs cargo-fuzz and builds the targets of fuzz/ with instrumentation: minutes, once. What is found ends the
    /// run of its target and is kept in fuzz/artifacts. docs/reliability.md says what the targets promise.
    Fuzz {
        /// Only this target
        target: Option<String>,
        /// Seconds for each target
        #[arg(long, value_name = "N", default_value_t = fuzz::SHORT)]
        seconds: u64,
        /// Run one input again, with the messages of the target
        #[arg(long, value_name = "FILE", requires = "target")]
        input: Option<PathBuf>,
    },
}

#[derive(Subcommand)]
enum Bench {
    /// Instructions and modelled cycles of every learner in QEMU, beside CMSIS-DSP and emlearn
    ///
    /// Takes some minutes. The counts must equal those in host-tests/on-target/expected within 0.5 % or 16
    /// instructions; everything goes to target/bench/device.json, too. See docs/performance.md.
    Device {
        /// Record the present counts as the expected ones
        #[arg(long)]
        bless: bool,
        /// Do not download and build the peers
        #[arg(long)]
        no_peers: bool,
    },
    /// The part of these counts that `cargo xtask test` watches, with its table
    Gate,
    /// Instructions that a sample costs the front ends of `pocketron::signal`; the gate has them, too
    Signal {
        /// Record the present counts as the expected ones, and in docs/signal.md
        #[arg(long)]
        bless: bool,
    },
    /// Kernel evaluations per second on this computer, beside a loop written for it, LIBSVM and scikit-learn
    ///
    /// One core, some minutes. With valgrind there are instruction counts, too. Figures and pictures
    /// go to target/bench, and so do LIBSVM and scikit-learn, from the Python index; what cannot be
    /// installed is left out. See docs/performance.md.
    Host {
        /// Do not download and build LIBSVM and scikit-learn
        #[arg(long)]
        no_peers: bool,
    },
}

fn main() -> ExitCode {
    if let Some(ended) = coverage::as_compiler() {
        return ended;
    }
    run(Arguments::parse().command).unwrap_or_else(|error| {
        // Causes on lines of their own, since some are whole compiler messages;
        // and no backtrace, which would push them off the screen.
        eprintln!("\nerror: {error}");
        for cause in error.chain().skip(1) {
            eprintln!("  because: {cause}");
        }
        ExitCode::FAILURE
    })
}

fn run(task: Task) -> Result<ExitCode> {
    match task {
        Task::Demo { digits } => demo::run(digits)?,
        Task::Setup => setup::with_checks()?,
        Task::Test { skip_device } => steps::test(skip_device)?,
        Task::Qemu { example, target } => return qemu::show(&example, target),
        Task::Examples { bless } => examples::check(bless)?,
        Task::Size {
            elf: Some(file),
            map,
            ..
        } => elf::print(&file, map)?,
        Task::Size { bless: true, .. } => flash::check(true)?,
        Task::Size { circles, .. } => {
            flash::check(false)?;
            sizes::print(circles)?;
        }
        Task::Bench {
            of: Bench::Device { bless, no_peers },
        } => bench::device(bless, no_peers)?,
        Task::Bench { of: Bench::Gate } => bench::gate(true)?,
        Task::Bench {
            of: Bench::Signal { bless },
        } => bench::front_ends(bless)?,
        Task::Bench {
            of: Bench::Host { no_peers },
        } => bench::host::run(no_peers)?,
        Task::Parity { bless } => parity::check(bless)?,
        Task::PanicFree => panic_free::check()?,
        Task::Device => device::check()?,
        Task::Firmware {
            target,
            check: true,
            ..
        } => firmware::check(target)?,
        Task::Firmware {
            target,
            run,
            flash,
            sensor,
            log,
            ..
        } => {
            let options = firmware::Options {
                learner: None,
                sensor,
                log,
                ..Default::default()
            };
            let board = target.unwrap_or(&board::M4F);
            return firmware::show(board, options, run, flash.as_deref());
        }
        Task::Package { bless } => package::check(bless, false)?,
        Task::Api { bless } => api::check(bless)?,
        Task::Deny => deny::check()?,
        Task::Boards { image } => boards::check(image)?,
        Task::Guide => drop(guide::check()?),
        Task::Coverage => coverage::check()?,
        Task::Fuzz {
            target: Some(target),
            input: Some(input),
            ..
        } => fuzz::reproduce(&target, &input)?,
        Task::Fuzz {
            target, seconds, ..
        } => fuzz::run(target.as_deref(), seconds)?,
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
