//! `pocketron model`: models that were pulled from a device, on this machine.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};

use super::{Envelope, HostModel};
use crate::{confusion::Confusion, examples::ExampleOptions, table::Table};

/// Options of the command.
#[derive(Args, Debug)]
pub struct ModelOptions {
    #[command(subcommand)]
    command: ModelCommand,
}

#[derive(Subcommand, Debug)]
enum ModelCommand {
    /// What an image is of, its parameters and what it has learned
    Show(ShowOptions),
    /// Let the model predict the rows of a file, and count what is right
    Ask(AskOptions),
    /// Let the model learn the rows of a file as the device would, and write the new image
    Teach(TeachOptions),
}

/// Options of `show`.
#[derive(Args, Debug)]
struct ShowOptions {
    /// Image, as `device pull` writes it
    #[arg(value_name = "IMAGE")]
    image: PathBuf,
}

/// Options of `ask`.
#[derive(Args, Debug)]
struct AskOptions {
    /// Image, as `device pull` writes it
    #[arg(value_name = "IMAGE")]
    image: PathBuf,
    #[command(flatten)]
    examples: ExampleOptions,
}

/// Options of `teach`.
#[derive(Args, Debug)]
struct TeachOptions {
    /// Image, as `device pull` writes it
    #[arg(value_name = "IMAGE")]
    image: PathBuf,
    #[command(flatten)]
    examples: ExampleOptions,
    /// Where to write the new image, for `device push`
    #[arg(long, value_name = "NEW")]
    out: PathBuf,
    /// Passes over the rows
    #[arg(
        long,
        value_name = "T",
        default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    epochs: u64,
    /// Teach in the random order of this seed, another one in each pass
    #[arg(long, value_name = "SEED")]
    shuffle: Option<u64>,
}

/// Carries out one of the commands.
pub fn command(options: &ModelOptions) -> Result<()> {
    match &options.command {
        ModelCommand::Show(options) => show(options),
        ModelCommand::Ask(options) => ask(options),
        ModelCommand::Teach(options) => teach(options),
    }
}

fn read(path: &PathBuf) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("{} cannot be read", path.display()))
}

fn open(path: &PathBuf) -> Result<HostModel> {
    HostModel::open(&read(path)?).with_context(|| path.display().to_string())
}

fn show(options: &ShowOptions) -> Result<()> {
    let bytes = read(&options.image)?;
    let path = options.image.display();
    let envelope = Envelope::open(&bytes).with_context(|| path.to_string())?;
    let mut table = Table::facts();
    table.fact("model", &envelope.shape);
    table.fact("shape", format!("{:#010x}", envelope.shape_hash));
    table.fact("image", format!("{} bytes, checksum holds", bytes.len()));
    let model = match HostModel::open(&bytes) {
        Ok(model) => model,
        Err(error) => {
            print!("{table}");
            println!("{error}");
            return Ok(());
        }
    };
    table.fact("features", model.features());
    table.fact("classes", model.classes());
    let facts = model.facts();
    // All classes have the same parts, but a rule that counts counts for each.
    for part in facts.first().map_or(&[][..], |(_, facts)| &facts.parts) {
        let (name, values) = part.split_once(": ").unwrap_or((part, ""));
        table.fact(name, values);
    }
    print!("{table}");
    let mut learned = Table::numbers(["class", "examples", "vectors", "at most"]);
    let cell = |number: Option<usize>| number.map_or("-".into(), |number| number.to_string());
    for (class, (seen, own)) in facts.iter().enumerate() {
        learned.row([
            // A binary learner tells class 1 from class 0.
            if facts.len() == 1 {
                "1 from 0".into()
            } else {
                class.to_string()
            },
            cell(seen.map(|seen| seen as usize)),
            cell(own.vectors.map(|(used, _)| used)),
            cell(own.vectors.map(|(_, most)| most)),
        ]);
    }
    print!("\n{learned}");
    Ok(())
}

fn ask(options: &AskOptions) -> Result<()> {
    let model = open(&options.image)?;
    let examples = options.examples.load(model.features(), model.classes())?;
    let mut confusion = Confusion::new(&examples.map);
    for (row, (truth, x)) in examples.iter().enumerate() {
        let prediction = model.predict(x);
        let prediction = prediction.with_context(|| format!("example {}", row + 1))?;
        confusion.count(truth, prediction.class);
    }
    print!("{confusion}");
    Ok(())
}

fn teach(options: &TeachOptions) -> Result<()> {
    let mut model = open(&options.image)?;
    let examples = options.examples.load(model.features(), model.classes())?;
    print!("{}", examples.legend());
    if let (None, Some(warning)) = (options.shuffle, examples.sorted_warning()) {
        eprintln!("warning: {warning}");
    }
    let (mut learned, mut mistakes, mut updates) = (0_u64, 0, 0);
    for epoch in 0..options.epochs {
        let seed = options.shuffle.map(|seed| seed.wrapping_add(epoch));
        for row in examples.order(seed) {
            let (class, x) = examples.get(row);
            let outcome = model.learn(x, class);
            let outcome = outcome.with_context(|| format!("example {}", row + 1))?;
            learned += 1;
            mistakes += u64::from(outcome.mistake);
            updates += u64::from(outcome.changed());
        }
    }
    let out = options.out.display();
    fs::write(&options.out, model.image()).with_context(|| format!("{out} cannot be written"))?;
    let accuracy = 100.0 * (1.0 - mistakes as f64 / learned.max(1) as f64);
    let mut table = Table::facts();
    table.fact("learned", learned);
    table.fact("mistakes", mistakes);
    table.fact("prequential accuracy", format!("{accuracy:.2} %"));
    table.fact("updates", updates);
    table.fact("written to", out);
    print!("\n{table}");
    Ok(())
}
