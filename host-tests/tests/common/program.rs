//! A program of the workspace as a user starts it.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

/// The path of a program. It runs in the folder of the testkit, where `data` lies.
pub struct Program(pub &'static str);

impl Program {
    /// Runs it with arguments that are divided by spaces.
    pub fn run(&self, arguments: &str) -> Output {
        self.run_with_input(arguments, "")
    }

    /// The same with something to read.
    pub fn run_with_input(&self, arguments: &str, input: &str) -> Output {
        let mut child = Command::new(self.0)
            .current_dir(pocketron_testkit::FOLDER)
            .args(arguments.split_whitespace())
            .env("RUST_BACKTRACE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut stdin = child.stdin.take().expect("piped");
        // Nobody need read it.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        child.wait_with_output().expect("the command ends")
    }

    /// What it prints where it succeeds.
    pub fn printed(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments}: {stderr}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// What it says where it fails.
    pub fn complaint(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert!(!output.status.success(), "{arguments}");
        String::from_utf8(output.stderr).expect("text")
    }
}

/// Picks the sets that come along, whatever else is at hand.
pub const COMMITTED: &str = "--data-dir data";
