//! The part of the `pocketron` command that compares with papers and libraries. `cargo pocketron` starts it.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use pocketron_cli::command;
use pocketron_papers::{
    demo::{self, DemoOptions},
    rcd::{self, RcdOptions},
    reproduce::{self, ReproduceOptions},
    speed::{self, SpeedOptions},
};

/// The papers' tables, computed with the device's learners
#[derive(Parser)]
#[command(name = "pocketron", bin_name = "pocketron", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show the firmware learning in QEMU; `cargo xtask demo` calls this
    #[command(hide = true)]
    Demo(DemoOptions),
    /// Learn a part of a set again and again and print the errors on both parts
    Rcd(RcdOptions),
    /// Compute the papers' tables and figures and show them next to the printed ones
    Reproduce(ReproduceOptions),
    /// Time predictions and learners on one core; `cargo xtask bench host` calls this
    #[command(hide = true)]
    Speed(SpeedOptions),
}

fn main() -> ExitCode {
    command::run(|| match Cli::parse().command {
        Command::Demo(options) => demo::command(&options),
        Command::Rcd(options) => rcd::command(&options),
        Command::Reproduce(options) => reproduce::command(&options),
        Command::Speed(options) => speed::command(&options),
    })
}
