//! `pocketron features`: windows of a recorded sensor as rows that a learner takes.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::{
    escape, files,
    windows::{self, Windows},
};

/// Options of the command.
#[derive(Args, Debug)]
pub struct FeaturesOptions {
    /// CSV with a line of column names, plain or gzipped; `watch` is the recording of the repository
    #[arg(value_name = "FILE")]
    recording: String,
    /// Samples in a window: a power of two from 32 (one channel: 64) to 1024
    #[arg(long, value_name = "N", default_value_t = 128)]
    window: usize,
    /// Samples from a window to the next: N, N/2 or N/4 [default: three axes N/2, one channel N]
    #[arg(long, value_name = "M")]
    hop: Option<usize>,
    /// Only windows of this person
    #[arg(long, value_name = "NAME")]
    person: Option<String>,
    /// Where to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Writes CSV: the number of the class, then the features; windows without a label are left out.
///
/// # Errors
///
/// The recording cannot be read, has neither one nor three channels, or no window as long as asked for.
pub fn command(options: &FeaturesOptions) -> Result<()> {
    let recording = windows::read(&options.recording)?;
    let window = options.window;
    let found = Windows::new(&recording, window, options.hop)?;
    let person = options.person.as_deref().map(|name| {
        let person = recording.people.iter().position(|known| known == name);
        person.with_context(|| format!("nobody is called {name}: {}", recording.people.join(", ")))
    });
    let person = person.transpose()?;
    let names = found.names.join(",");
    let mut text = format!("label,{}\n", escape::controls(&names));
    let mut windows = 0;
    for one in &found.all {
        let segment = &recording.segments[one.segment];
        let (Some(class), true) = (segment.class, person.is_none() || segment.person == person)
        else {
            continue;
        };
        windows += 1;
        text += &class.to_string();
        for feature in &one.features {
            text += &format!(",{feature}");
        }
        text.push('\n');
    }
    if windows == 0 {
        bail!("no window of {window} samples has a label");
    }
    for (number, class) in recording.classes.iter().enumerate() {
        eprintln!("{number} is {}", escape::controls(class));
    }
    eprintln!(
        "{windows} windows of {window} samples, one every {}, {} features",
        found.hop,
        found.names.len()
    );
    write(options.out.as_deref(), &text)
}

fn write(out: Option<&Path>, text: &str) -> Result<()> {
    match out {
        Some(path) => files::replace(path, text.as_bytes()),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}
