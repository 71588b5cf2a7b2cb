//! The `pocketron` command: runs the device's learners on files, and talks to devices.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use pocketron_cli::{
    command,
    device::cli::{self as device, DeviceOptions},
    evaluate::{self, EvaluateOptions},
    features::{self, FeaturesOptions},
    listing::{self, ListingOptions},
    live::{self, LiveOptions},
    model::cli::{self as model, ModelOptions},
    papers::{self, PapersOptions},
    trace::{self, TraceOptions},
    train::{self, TrainOptions},
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
    /// Make a model out of a recording or a table, and say how good it is on rows held out
    Train(TrainOptions),
    /// Learn in several random orders and print the accuracy on unseen rows
    Evaluate(EvaluateOptions),
    /// Teach, ask and keep a device, at a serial port or in QEMU
    Device(DeviceOptions),
    /// Teach and ask a sensor on the screen
    Live(LiveOptions),
    /// Look at a model that was pulled from a device, ask it, and go on teaching it here
    Model(ModelOptions),
    /// Train on a part of a set for several epochs and print the errors on both parts
    #[command(disable_help_flag = true)]
    Rcd(PapersOptions),
    /// Make features of a recorded sensor, as the device does, for the other commands to learn from
    Features(FeaturesOptions),
    /// List the data sets that are known, and which of them are here
    Data(ListingOptions),
    /// Compute the papers' tables and figures and show them next to the printed ones
    #[command(disable_help_flag = true)]
    Reproduce(PapersOptions),
}

fn main() -> ExitCode {
    command::run(|| match Cli::parse().command {
        Command::Trace(options) => trace::command(&options),
        Command::Train(options) => train::command(&options),
        Command::Evaluate(options) => evaluate::command(&options),
        Command::Device(options) => device::command(&options),
        Command::Live(options) => live::command(&options),
        Command::Model(options) => model::command(&options),
        Command::Rcd(options) => papers::command("rcd", &options),
        Command::Features(options) => features::command(&options),
        Command::Data(options) => listing::command(&options),
        Command::Reproduce(options) => papers::command("reproduce", &options),
    })
}
