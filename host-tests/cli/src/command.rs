//! The frame of every command of `pocketron`.

use std::{
    io::{self, Write},
    panic,
    process::{self, ExitCode},
};

use anyhow::Result;

use crate::escape;

/// Runs a command and tells how it ended, with its error on standard error.
pub fn run(command: impl FnOnce() -> Result<()>) -> ExitCode {
    end_without_output();
    match command() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // What it quotes may come from a file or a device.
            let error = escape::controls_in_lines(&format!("{error:#}"));
            eprintln!("error: {error}");
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
