//! Lets a device learn the rows of a file.

use std::{
    collections::VecDeque,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use pocketron::device::message::{DeviceStatus, ErrorReply, LearnWarning};

use super::{keep, stop, traffic::Traffic};
use crate::{
    device::{Client, LinkError, client::Taught, error::Describe},
    examples::{ExampleOptions, Examples, Passes},
    table::Table,
};

/// Options of the command.
#[derive(Args, Debug)]
pub struct TeachOptions {
    #[command(flatten)]
    examples: ExampleOptions,
    #[command(flatten)]
    passes: Passes,
    /// Examples on their way at a time [default: what the device can take]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    window: Option<u16>,
    /// Save after every N examples, and at the end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    save_every: Option<u64>,
    /// Make all rows one block, so that `undo` takes back the whole file; rows of a single class
    /// always are one if the device has undo
    #[arg(long)]
    block: bool,
}

impl TeachOptions {
    /// Whether the device saves what it is taught.
    pub fn saves(&self) -> bool {
        self.save_every.is_some()
    }

    /// Teaches, and prints what came of it.
    pub fn run(&self, client: &mut Client) -> Result<()> {
        let identity = client.identity();
        let (features, classes) = (identity.features, identity.classes);
        let examples = self.examples.load(features, classes)?;
        if let Some(window) = self.window {
            client.set_window(window.into());
        }
        print!("{}", examples.legend());
        self.passes.warn_of_sorted(&examples);
        stop::on_request();

        let before = client.status()?;
        let mut progress =
            TeachingProgress::new(&before, examples.len() as u64 * self.passes.epochs)?;
        let traffic = client.statistics();
        let in_block = self.begin_block(client, &examples)?;
        let result = self.teach(client, &examples, &mut progress);
        progress.bar.finish_and_clear();
        // What was taught before an error reply is still a block; a line that failed is not asked again.
        let reachable = !matches!(&result, Err(error) if error.is::<LinkError>());
        if in_block && reachable {
            client.end_block()?;
        }
        result?;
        let time = progress.begun.elapsed();
        let traffic = Traffic::between(&traffic, &client.statistics(), time);
        let after = client.status()?;
        print!("\n{}", summary(&progress, &before, &after, &traffic));
        if in_block {
            println!("`pocketron device undo` takes all of it back until something else is taught");
        }
        if after.saved_generation != Some(after.generation) {
            println!("not saved: it will be lost with the power (--save-every N)");
        }
        if stop::is_wanted() {
            println!("stopped before the end");
        }
        Ok(())
    }

    /// Whether the device has begun a block: where the user wants one, or with rows of one class.
    fn begin_block(&self, client: &mut Client, examples: &Examples) -> Result<bool> {
        let first = examples.iter().next().map(|(class, _)| class);
        let one_class = examples.iter().all(|(class, _)| Some(class) == first);
        if !self.block && !one_class {
            return Ok(false);
        }
        match client.begin_block() {
            Ok(()) => Ok(true),
            Err(LinkError::Refused(ErrorReply::Unsupported)) if !self.block => Ok(false),
            other => other.map(|()| true).context("--block"),
        }
    }

    fn teach(
        &self,
        client: &mut Client,
        examples: &Examples,
        progress: &mut TeachingProgress,
    ) -> Result<()> {
        let mut rows = self.passes.rows(examples).peekable();
        let portion = self.save_every.map_or(usize::MAX, |every| every as usize);
        while rows.peek().is_some() && !stop::is_wanted() {
            let portion = rows.by_ref().take(portion).map(|row| examples.get(row));
            client.learn_all(portion, |taught| progress.hear(taught))?;
            if let Some(error) = progress.hopeless {
                bail!("the device refused: {}", Describe(&error));
            }
            if self.save_every.is_some() {
                keep::save_patiently(client, &progress.bar).context("saving")?;
            }
        }
        Ok(())
    }
}

/// Predictions of the recent accuracy.
const RECENT: usize = 200;

/// Progress of teaching.
struct TeachingProgress {
    bar: ProgressBar,
    begun: Instant,
    /// Mistakes of the device before we began.
    mistakes_before: u32,
    mistakes: u32,
    /// Whether each of the last predictions was wrong.
    recent: VecDeque<bool>,
    done: u64,
    answered: u64,
    refused: u64,
    first_error: Option<ErrorReply>,
    hopeless: Option<ErrorReply>,
    /// Warnings of the device, and how often each of them came.
    warnings: Vec<(LearnWarning, u64)>,
}

impl TeachingProgress {
    fn new(before: &DeviceStatus, examples: u64) -> Result<Self> {
        let bar = ProgressBar::new(examples);
        bar.set_style(ProgressStyle::with_template(
            "{wide_bar} {human_pos} of {human_len}  {msg}  {eta} left",
        )?);
        bar.enable_steady_tick(Duration::from_millis(200));
        Ok(TeachingProgress {
            bar,
            begun: Instant::now(),
            mistakes_before: before.mistakes,
            mistakes: 0,
            recent: VecDeque::new(),
            done: 0,
            answered: 0,
            refused: 0,
            first_error: None,
            hopeless: None,
            warnings: Vec::new(),
        })
    }

    fn hear(&mut self, taught: Taught) -> ControlFlow<()> {
        self.bar.inc(1);
        match taught {
            Ok(learned) => {
                self.done += 1;
                // The device counts along, so that lost answers leave no gap.
                if let Some(learned) = learned {
                    self.answered = self.done;
                    self.mistakes = learned.mistakes.wrapping_sub(self.mistakes_before);
                    self.recent.push_back(learned.mistake);
                    if self.recent.len() > RECENT {
                        self.recent.pop_front();
                    }
                    if let Some(warning) = learned.warning {
                        self.warn(warning);
                    }
                }
            }
            Err(error) => {
                self.refused += 1;
                self.first_error.get_or_insert(error);
                // What is wrong with all examples need not be tried with all of them.
                if matches!(
                    error,
                    ErrorReply::NotReady | ErrorReply::WrongDimension | ErrorReply::Unknown
                ) {
                    self.hopeless = Some(error);
                    return ControlFlow::Break(());
                }
            }
        }
        if let Some(accuracy) = self.accuracy() {
            let wrong = self.recent.iter().filter(|wrong| **wrong).count();
            let lately = 100.0 * (1.0 - wrong as f64 / self.recent.len() as f64);
            self.bar
                .set_message(format!("{accuracy:.1} % right, lately {lately:.0} %"));
        }
        match stop::is_wanted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Says a warning once, and counts the others like it.
    fn warn(&mut self, warning: LearnWarning) {
        let known = self
            .warnings
            .iter_mut()
            .find(|(known, _)| *known == warning);
        if let Some((_, count)) = known {
            *count += 1;
            return;
        }
        self.warnings.push((warning, 1));
        let example = self.done;
        self.bar
            .suspend(|| eprintln!("warning: example {example}: {}", Describe(&warning)));
    }

    /// Predictions that were right before the example was learned, in percent.
    fn accuracy(&self) -> Option<f64> {
        let wrong = f64::from(self.mistakes);
        (self.answered > 0).then(|| 100.0 * (1.0 - wrong / self.answered as f64))
    }
}

fn summary(
    progress: &TeachingProgress,
    before: &DeviceStatus,
    after: &DeviceStatus,
    traffic: &Traffic,
) -> Table {
    let mut table = Table::facts();
    table.fact("learned", progress.done);
    table.fact("mistakes", progress.mistakes);
    if let Some(accuracy) = progress.accuracy() {
        table.fact("prequential accuracy", format!("{accuracy:.2} %"));
    }
    table.fact("updates", after.updates.wrapping_sub(before.updates));
    table.fact("evictions", after.evictions.wrapping_sub(before.evictions));
    if let Some(error) = &progress.first_error {
        let refused = format!(
            "{}, the first because {}",
            progress.refused,
            Describe(error)
        );
        table.fact("refused", refused);
    }
    for (warning, count) in &progress.warnings {
        table.fact("warnings", format!("{count}: {}", Describe(warning)));
    }
    traffic.tell(&mut table);
    table
}
