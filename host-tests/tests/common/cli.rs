//! Options as the command line makes them.

use clap::Parser;
use pocketron_cli::{family::FamilyOptions, options::LearnerOptions};

/// What `trace` and `evaluate` are told about the learner.
#[derive(Parser)]
pub struct Options {
    #[command(flatten)]
    pub learner: LearnerOptions,
    #[command(flatten)]
    pub family: FamilyOptions,
}

/// The options of a line such as `--learner kw --eta 0.1`.
pub fn options(line: &str) -> Options {
    let words = ["pocketron"].into_iter().chain(line.split_whitespace());
    Options::try_parse_from(words).unwrap_or_else(|error| panic!("{line}: {error}"))
}
