//! Lets a device predict the rows of a file.

use std::{
    io::Write,
    ops::ControlFlow,
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::{stop, traffic::Traffic};
use crate::{
    confusion::Confusion,
    device::{Client, Prediction, error::Describe},
    examples::{ExampleOptions, Examples},
    files,
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
    /// Write every prediction to a file: label, prediction, scores, and probability and known where
    /// the device gives them
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
        tell_confidence(&predictions, &mut table);
        Traffic::between(&before, &client.statistics(), time).tell(&mut table);
        print!("{table}");
        if let Some(path) = &self.csv {
            files::replace(path, &csv(&examples, &predictions)?)?;
            println!("predictions written to {}", path.display());
        }
        Ok(())
    }
}

/// Adds what the device says of its own answers, if it does.
fn tell_confidence(predictions: &[Prediction], table: &mut Table) {
    let probabilities = predictions
        .iter()
        .filter_map(|one| one.confidence.probability);
    let probabilities: Vec<f64> = probabilities.map(f64::from).collect();
    if !probabilities.is_empty() {
        let mean = probabilities.iter().sum::<f64>() / probabilities.len() as f64;
        table.fact(
            "mean probability",
            format!(
                "{:.1} % that the answer is right, by the device",
                100.0 * mean
            ),
        );
    }
    let known: Vec<bool> = predictions
        .iter()
        .filter_map(|one| one.confidence.known)
        .collect();
    if !known.is_empty() {
        let unknown = known.iter().filter(|known| !**known).count();
        table.fact(
            "called unknown",
            format!("{unknown} of {}: unlike all that it learned", known.len()),
        );
    }
}

fn predict(client: &mut Client, examples: &Examples) -> Result<Vec<Prediction>> {
    let bar = ProgressBar::new(examples.len() as u64);
    bar.set_style(ProgressStyle::with_template(
        "{bar:40} {percent:>3} %  {human_pos} of {human_len}, {eta} left",
    )?);
    bar.enable_steady_tick(Duration::from_millis(200));
    let (mut predictions, mut error) = (Vec::new(), None);
    client.predict_all(examples.iter().map(|(_, x)| x), |answer| {
        bar.inc(1);
        match answer {
            Ok(prediction) => predictions.push(prediction),
            Err(why) => {
                error.get_or_insert(why);
            }
        }
        match error.is_some() || stop::is_wanted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    bar.finish_and_clear();
    if let Some(error) = error {
        let row = predictions.len() + 1;
        bail!("example {row}: the device refused: {}", Describe(&error));
    }
    Ok(predictions)
}

fn csv(examples: &Examples, predictions: &[Prediction]) -> std::io::Result<Vec<u8>> {
    let mut file = Vec::new();
    let scores = predictions.first().map_or(0, |one| one.scores.len());
    write!(file, "label,predicted,score")?;
    for class in 0..scores {
        write!(file, ",score_{class}")?;
    }
    // The same for all rows: it depends on the kind of model.
    let probability = predictions
        .iter()
        .any(|one| one.confidence.probability.is_some());
    let known = predictions.iter().any(|one| one.confidence.known.is_some());
    for (shown, name) in [(probability, "probability"), (known, "known")] {
        if shown {
            write!(file, ",{name}")?;
        }
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
        if probability {
            write!(
                file,
                ",{}",
                prediction.confidence.probability.unwrap_or(f32::NAN)
            )?;
        }
        if known {
            write!(
                file,
                ",{}",
                u8::from(prediction.confidence.known == Some(true))
            )?;
        }
        writeln!(file)?;
    }
    Ok(file)
}
