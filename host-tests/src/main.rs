//! The `pocketron` command: runs the device's learners on files.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use pocketron_host::{
    evaluate::{self, EvaluateOptions},
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
    /// Learn in several random orders and print the accuracy on unseen rows
    Evaluate(EvaluateOptions),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Trace(options) => trace::command(&options),
        Command::Evaluate(options) => evaluate::command(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
