//! Saving, in the device's flash or in a file.

use std::{
    io::{IsTerminal, Write, stdin, stdout},
    path::PathBuf,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use pocketron::device::message::ErrorReply;

use super::{key, stop};
use crate::{
    device::{Client, LinkError, Signer, answer::Saved},
    escape, files,
    model::ModelFile,
};

/// Longest wait for flash that was written a moment ago.
const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// Keeps the model in flash.
pub fn save(client: &mut Client) -> Result<()> {
    let saved = patiently(&ProgressBar::hidden(), || client.save())?;
    report(saved);
    Ok(())
}

/// Keeps the model in flash, as soon as the device allows it again.
pub fn save_patiently(client: &mut Client, bar: &ProgressBar) -> Result<Saved> {
    patiently(bar, || client.save())
}

/// A device spares its flash: it may ask to come back later.
fn patiently(
    bar: &ProgressBar,
    mut save: impl FnMut() -> Result<Saved, LinkError>,
) -> Result<Saved> {
    loop {
        match save() {
            Err(LinkError::Refused(ErrorReply::TooSoon { wait_ms })) => {
                let wait = Duration::from_millis(wait_ms.into());
                let seconds = wait.as_secs_f32();
                if wait > LONGEST_WAIT {
                    bail!("the device limits flash wear: save again in {seconds:.0} s");
                }
                bar.println(format!(
                    "the device spares its flash: waiting {seconds:.1} s"
                ));
                stop::or_sleep(wait + Duration::from_millis(1));
                if stop::is_wanted() {
                    bail!("stopped before it was saved");
                }
            }
            other => return Ok(other?),
        }
    }
}

fn report(saved: Saved) {
    println!(
        "image {} is in flash ({} erase cycles)",
        saved.sequence, saved.wear
    );
}

/// Goes back to the model in flash.
pub fn load(client: &mut Client) -> Result<()> {
    println!("the model is image {} again", client.load()?);
    Ok(())
}

/// Options of `reset`.
#[derive(Args, Debug)]
pub struct ResetOptions {
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

impl ResetOptions {
    /// Forgets everything learned, if that is wanted.
    pub fn run(&self, client: &mut Client) -> Result<()> {
        if !self.yes {
            let seen = client.status()?.seen;
            if !confirmed(&format!(
                "forget the model in memory ({seen} examples since the start)?"
            ))? {
                println!("nothing was changed");
                return Ok(());
            }
        }
        client.reset()?;
        println!("the model in memory is fresh; what is in flash is still there");
        Ok(())
    }
}

/// Asks the user; fails without a terminal.
pub fn confirmed(question: &str) -> Result<bool> {
    if !stdin().is_terminal() {
        bail!("--yes is needed where nobody can be asked");
    }
    print!("{question} [y/N] ");
    stdout().flush()?;
    let mut answer = String::new();
    stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Options of `pull`.
#[derive(Args, Debug)]
pub struct PullOptions {
    /// File to write the image to
    #[arg(value_name = "OUT")]
    out: PathBuf,
}

impl PullOptions {
    /// Fetches the model as a file.
    pub fn run(&self, client: &mut Client) -> Result<()> {
        let bar = bytes_bar()?;
        let image = client.pull(&mut |done, all| advance(&bar, done, all))?;
        bar.finish_and_clear();
        files::replace(&self.out, &image)?;
        println!(
            "{}: {} bytes of {}",
            self.out.display(),
            image.len(),
            escape::controls(&client.identity().shape)
        );
        Ok(())
    }
}

/// Options of `push`.
#[derive(Args, Debug)]
pub struct PushOptions {
    /// File with the image of a model of the device's kind
    #[arg(value_name = "IN")]
    image: PathBuf,
    /// Sign the image with the key in this file: 64 hexadecimal digits
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Sign for this sequence number only: one more than that of the image that is in the device's flash
    #[arg(long, value_name = "N", requires = "key")]
    sequence: Option<u32>,
}

impl PushOptions {
    /// Gives the device the model of a file.
    pub fn run(&self, client: &mut Client) -> Result<()> {
        let path = self.image.display();
        // The device gets the image alone, without the names behind it.
        let ModelFile { image, .. } = ModelFile::read(&self.image)?;
        let key = self.key.as_deref().map(key::read).transpose()?;
        let signer = key.as_ref().map(|key| Signer {
            key,
            sequence: self.sequence,
        });
        let bar = bytes_bar()?;
        let saved = patiently(&bar, || {
            let progress = &mut |done, all| advance(&bar, done, all);
            client.push_signed(&image, signer, progress)
        });
        bar.finish_and_clear();
        let saved = saved.with_context(|| path.to_string())?;
        println!("the device has become {path} ({} bytes)", image.len());
        report(saved);
        Ok(())
    }
}

fn bytes_bar() -> Result<ProgressBar> {
    let bar = ProgressBar::no_length();
    bar.set_style(ProgressStyle::with_template(
        "{bar:40} {percent:>3} %  {bytes} of {total_bytes}, {eta} left",
    )?);
    Ok(bar)
}

fn advance(bar: &ProgressBar, done: usize, all: usize) {
    bar.set_length(all as u64);
    bar.set_position(done as u64);
}
