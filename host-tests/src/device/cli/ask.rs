//! Lets a device predict the rows of a file.

use std::{
    fs::File,
    io::{BufWriter, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::{stop, traffic::Traffic};
use crate::{
    confusion::Confusion,
    device::{Client, Prediction, error::Spoken},
    examples::{ExampleOptions, Examples},
    table::Table,
};

/// Options of the command.
#[derive(Args, Debug)]
pub struct AskOptions {
    #[command(flatten)]
    examples: ExampleOptions,
    /// Examples on their way at a time [default: what the device can take]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    window: Option<u16>,
    /// Write every prediction to a file: label, prediction, scores
    #[arg(long, value_name = "OUT")]
    csv: Option<PathBuf>,
}

impl AskOptions {
    /// Asks, and prints what was taken for what.
    pub fn run(&self, client: &mut Client) -> Result<()> {
        let identity = client.identity();
        let examples = self.examples.load(identity.features, identity.classes)?;
        if let Some(window) = self.window {
            client.set_window(window.into());
        }
        stop::on_request();
        let status = client.status()?;
        if status.seen == 0 && status.saved_generation.is_none() {
            println!("note: this model has learned nothing yet");
        }
        let (begun, before) = (Instant::now(), client.statistics());
        let predictions = predict(client, &examples)?;
        let time = begun.elapsed();

        let mut confusion = Confusion::new(&examples.map);
        for ((truth, _), prediction) in examples.iter().zip(&predictions) {
            confusion.count(truth, prediction.class);
        }
        print!("{confusion}");
        let mut table = Table::facts();
        Traffic::between(&before, &client.statistics(), time).tell(&mut table);
        print!("{table}");
        if let Some(path) = &self.csv {
            write_csv(path, &examples, &predictions)
                .with_context(|| format!("{} cannot be written", path.display()))?;
            println!("predictions written to {}", path.display());
        }
        Ok(())
    }
}

fn predict(client: &mut Client, examples: &Examples) -> Result<Vec<Prediction>> {
    let bar = ProgressBar::new(examples.len() as u64);
    bar.set_style(ProgressStyle::with_template(
        "{bar:40} {percent:>3} %  {human_pos} of {human_len}, {eta} left",
    )?);
    bar.enable_steady_tick(Duration::from_millis(200));
    let (mut predictions, mut refusal) = (Vec::new(), None);
    client.predict_all(examples.iter().map(|(_, x)| x), |answer| {
        bar.inc(1);
        match answer {
            Ok(prediction) => predictions.push(prediction),
            Err(why) => {
                refusal.get_or_insert(why);
            }
        }
        match refusal.is_some() || stop::is_wanted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    bar.finish_and_clear();
    if let Some(refusal) = refusal {
        let row = predictions.len() + 1;
        bail!("example {row}: the device refused: {}", Spoken(&refusal));
    }
    Ok(predictions)
}

fn write_csv(path: &Path, examples: &Examples, predictions: &[Prediction]) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let scores = predictions.first().map_or(0, |one| one.scores.len());
    write!(file, "label,predicted,score")?;
    for class in 0..scores {
        write!(file, ",score_{class}")?;
    }
    writeln!(file)?;
    for ((truth, _), prediction) in examples.iter().zip(predictions) {
        let (label, predicted) = (
            examples.map.name(truth),
            examples.map.name(prediction.class),
        );
        write!(file, "{label},{predicted},{}", prediction.score)?;
        for score in &prediction.scores {
            write!(file, ",{score}")?;
        }
        writeln!(file)?;
    }
    file.flush()
}
