//! What every command of `pocketron` does around its work.

use std::{
    panic,
    process::{self, ExitCode},
};

use anyhow::Result;

/// Runs a command and tells how it ended, with its error on standard error.
pub fn run(command: impl FnOnce() -> Result<()>) -> ExitCode {
    end_with_the_reader();
    match command() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whoever reads our output may have enough of it (`| head`): an end, not a failure. `println!` knows only panics;
/// signals would also hit lines to devices.
fn end_with_the_reader() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>();
        if message.is_some_and(|message| message.contains("Broken pipe")) {
            process::exit(0);
        }
        usual(panic);
    }));
}
