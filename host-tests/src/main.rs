//! The `pocketron` command: runs the device's learners on files, and talks to devices.

use std::{
    io::{self, Write},
    panic,
    process::{self, ExitCode},
};

use clap::{Parser, Subcommand};
use pocketron_host::{
    demo::{self, DemoOptions},
    device::cli::{self as device, DeviceOptions},
    evaluate::{self, EvaluateOptions},
    listing::{self, ListingOptions},
    model::cli::{self as model, ModelOptions},
    rcd::{self, RcdOptions},
    reproduce::{self, ReproduceOptions},
    speed::{self, SpeedOptions},
    trace::{self, TraceOptions},
};

/// Perceptrons that learn on the microcontroller, here on your files
#[derive(Parser)]
#[command(name = "pocketron", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Learn the rows of a file in order and print what is stored, as JSON
    Trace(TraceOptions),
    /// Show the firmware learning in QEMU; `cargo xtask demo` calls this
    #[command(hide = true)]
    Demo(DemoOptions),
    /// Learn in several random orders and print the accuracy on unseen rows
    Evaluate(EvaluateOptions),
    /// Teach, ask and keep a device, at a serial port or in QEMU
    Device(DeviceOptions),
    /// Look at a model that was pulled from a device, ask it, and go on teaching it here
    Model(ModelOptions),
    /// Learn a part of a set again and again and print the errors on both parts
    Rcd(RcdOptions),
    /// List the data sets that are known, and which of them are here
    Data(ListingOptions),
    /// Compute the papers' tables and figures and show them next to the printed ones
    Reproduce(ReproduceOptions),
    /// Time predictions and learners on one core; `cargo xtask bench host` calls this
    #[command(hide = true)]
    Speed(SpeedOptions),
}

fn main() -> ExitCode {
    end_without_output();
    let result = match Cli::parse().command {
        Command::Trace(options) => trace::command(&options),
        Command::Demo(options) => demo::command(&options),
        Command::Evaluate(options) => evaluate::command(&options),
        Command::Device(options) => device::command(&options),
        Command::Model(options) => model::command(&options),
        Command::Rcd(options) => rcd::command(&options),
        Command::Data(options) => listing::command(&options),
        Command::Reproduce(options) => reproduce::command(&options),
        Command::Speed(options) => speed::command(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// A reader that has seen enough (`| head`) ends the program without a failure. A full disk ends it with an error.
/// `println!` knows only panics; signals would also reach the serial ports.
fn end_without_output() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>();
        match message.and_then(|message| message.strip_prefix("failed printing to ")) {
            Some(failure) if failure.contains("Broken pipe") => process::exit(0),
            Some(failure) => {
                // Standard error may be what cannot be written.
                let _ = writeln!(io::stderr(), "error: no output to {failure}");
                process::exit(1);
            }
            None => usual(panic),
        }
    }));
}
