//! Cuts the power of an emulated device in the middle of saves, and looks for lost models.

use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use pocketron::num::rng::XorShift32;

use super::{connection::Connection, stop};
use crate::{device::Client, table::Table};

/// Options of the command.
#[derive(Args, Debug)]
pub struct PowerCutTestOptions {
    /// Number of kills before the device has answered; kills after that come on top
    #[arg(long, value_name = "N", default_value_t = 25)]
    kills: u32,
    /// Seed of the instants and of the examples
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u32,
    /// File for the flash; it is made new
    #[arg(long, value_name = "FILE")]
    victim: PathBuf,
    /// Overwrite that file if there is one
    #[arg(long)]
    yes: bool,
}

/// Examples between two saves.
const EXAMPLES: usize = 20;

/// Findings after the kills.
#[derive(Default)]
struct Findings {
    /// Killed before the answer: the model as it was, and as it was to become.
    old: u32,
    new: u32,
    /// Killed right after the answer; always the new one.
    acknowledged: u32,
    /// Killed once more while it started on what the kill before had left.
    again: u32,
}

impl Findings {
    fn interrupted(&self) -> u32 {
        self.old + self.new
    }
}

impl PowerCutTestOptions {
    /// Fails at the first model that is lost, or is neither the old nor the new one.
    pub fn run(&self, connection: &Connection) -> Result<()> {
        if self.victim.exists() && !self.yes {
            bail!(
                "{} exists, and may hold a model: --yes overwrites it",
                self.victim.display()
            );
        }
        let _ = fs::remove_file(&self.victim);
        let mut rng = XorShift32::new(self.seed.wrapping_mul(0x9E37_79B9));
        let mut client = connection.open_with_flash(&self.victim)?;
        let (image, usual) = first_save(&mut client, &mut rng)?;
        let mut safe = image;
        drop(client);

        let bar = ProgressBar::new(self.kills.into());
        bar.set_style(ProgressStyle::with_template(
            "{bar:40} {pos} of {len} kills, {msg}, {eta} left",
        )?);
        stop::on_request();
        let mut findings = Findings::default();
        while findings.interrupted() < self.kills {
            let kill = findings.interrupted() + findings.acknowledged + 1;
            let begun = Instant::now();
            let mut client = connection.open_with_flash(&self.victim)?;
            let start = begun.elapsed();
            let found = client.pull(&mut |_, _| ())?;
            ensure!(
                found == safe,
                "before kill {kill}: the model changed by itself"
            );

            teach(&mut client, &mut rng)?;
            let next = client.pull(&mut |_, _| ())?;
            client.begin_save()?;
            let instant = usual * rng.below(1000) / 1000;
            let acknowledged = client.saved_within(instant)?.is_some();
            drop(client);
            if rng.below(4) == 0 {
                // A kill comes in the start, too, on what the first one has left.
                let starting = connection.start_with_flash(&self.victim)?;
                std::thread::sleep(start * rng.below(1000) / 1000);
                drop(starting);
                findings.again += 1;
            }

            let mut client = connection.open_with_flash(&self.victim)?;
            let found = client.pull(&mut |_, _| ())?;
            match (found == next, found == safe, acknowledged) {
                (true, _, true) => findings.acknowledged += 1,
                (true, _, false) => findings.new += 1,
                (_, true, false) => findings.old += 1,
                (_, true, true) => bail!("kill {kill}: an acknowledged save is lost"),
                _ => bail!("kill {kill}: what is left is neither the old model nor the new one"),
            }
            safe = found;
            bar.set_message(format!("{} old, {} new", findings.old, findings.new));
            bar.set_position(findings.interrupted().into());
            if stop::is_wanted() {
                bar.finish_and_clear();
                print!("{}", findings.table(usual));
                bail!("stopped after {kill} kills, nothing lost");
            }
        }
        bar.finish_and_clear();
        print!("{}", findings.table(usual));
        Ok(())
    }
}

impl Findings {
    fn table(&self, usual: Duration) -> Table {
        let mut table = Table::facts();
        table.fact("killed while saving", self.interrupted());
        table.fact("  the old model, bit for bit", self.old);
        table.fact("  the new model, bit for bit", self.new);
        table.fact("killed after the answer", self.acknowledged);
        table.fact("  the new model, bit for bit", self.acknowledged);
        table.fact("killed again in the next start", self.again);
        table.fact("a save usually takes", format!("{} ms", usual.as_millis()));
        table
    }
}

/// Saves for the first time, undisturbed: the image, and how long such a save takes.
fn first_save(client: &mut Client, rng: &mut XorShift32) -> Result<(Vec<u8>, Duration)> {
    let mut times = Vec::new();
    for _ in 0..5 {
        teach(client, rng)?;
        let begun = Instant::now();
        client.save().context("the first save")?;
        times.push(begun.elapsed());
    }
    times.sort();
    Ok((client.pull(&mut |_, _| ())?, times[2]))
}

/// Random examples: that they mean nothing does not matter, but every model is another one.
fn teach(client: &mut Client, rng: &mut XorShift32) -> Result<()> {
    let (features, classes) = (client.identity().features, client.identity().classes);
    let mut number = || rng.below(2001) as f32 / 1000.0 - 1.0;
    let rows: Vec<Vec<f32>> = (0..EXAMPLES)
        .map(|_| (0..features).map(|_| number()).collect())
        .collect();
    let examples = rows.iter().enumerate();
    let examples = examples.map(|(row, x)| ((row % classes) as u8, &x[..]));
    Ok(client.learn_all(examples, |_| std::ops::ControlFlow::Continue(()))?)
}
