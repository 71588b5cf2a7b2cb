//! `pocketron model`: models that were pulled from a device, on this machine.

use std::{fmt, fs, iter, path::PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use pocketron::device::Confidence;

use super::{HostModel, ImageHeader, ModelInfo, shape::LONGEST};
use crate::{
    confusion::Confusion,
    escape,
    examples::{ExampleOptions, Passes},
    files, recall,
    table::Table,
};

/// Options of the command.
#[derive(Args, Debug)]
pub struct ModelOptions {
    #[command(subcommand)]
    command: ModelCommand,
}

#[derive(Subcommand, Debug)]
enum ModelCommand {
    /// Show the kind of model in an image, its parameters and what it has learned
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
    /// Print the prediction for every row, with its probability and whether it is known if the model can tell
    #[arg(long)]
    rows: bool,
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
    #[command(flatten)]
    passes: Passes,
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
    let image_header = ImageHeader::open(&bytes).with_context(|| path.to_string())?;
    let mut table = Table::facts();
    table.fact("model", escape::quoted(&image_header.shape, LONGEST));
    table.fact("shape", format!("{:#010x}", image_header.shape_hash));
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
    for (wrapper, state) in model.wrappers() {
        table.fact(wrapper, state);
    }
    let model_info = model.model_info();
    // All classes have the same parts, but a rule that counts counts for each.
    for part in model_info
        .first()
        .map_or(&[][..], |(_, model_info)| &model_info.parts)
    {
        let (name, values) = part.split_once(": ").unwrap_or((part, ""));
        table.fact(name, values);
    }
    print!("{table}");
    print_learned(&model, |class| class.to_string());
    Ok(())
}

/// A column about a class: its heading, and a cell from the class's examples, if they are counted, and its facts.
type Column = (&'static str, fn(Option<u32>, &ModelInfo) -> Option<String>);

/// Columns of the table of classes. Another column is a line here and a field of [`ModelInfo`].
const COLUMNS: [Column; 4] = [
    ("examples", |seen, _| Some(seen?.to_string())),
    ("vectors", |_, model_info| {
        Some(model_info.vectors?.0.to_string())
    }),
    ("at most", |_, model_info| {
        Some(model_info.vectors?.1.to_string())
    }),
    (recall::HEADING, |_, model_info| {
        let recall = model_info.recall?;
        recall::cell(recall.right.into(), recall.asked.into())
    }),
];

/// Prints a table of what each class has learned.
fn print_learned(model: &HostModel, name: impl Fn(u8) -> String) {
    let model_info = model.model_info();
    let heading = COLUMNS.map(|(heading, _)| heading);
    let mut table = Table::numbers(iter::once("class").chain(heading));
    for (class, (seen, own)) in (0..=u8::MAX).zip(&model_info) {
        // A binary learner tells class 1 from class 0.
        let name = match model_info.len() {
            1 => format!("{} from {}", name(1), name(0)),
            _ => name(class),
        };
        let cells = COLUMNS.map(|(_, cell)| cell(*seen, own).unwrap_or("-".into()));
        table.row(iter::once(name).chain(cells));
    }
    print!("\n{table}");
    if model_info.iter().any(|(_, own)| own.recall.is_some()) {
        println!("\n{}", recall::NOTE);
    }
}

fn ask(options: &AskOptions) -> Result<()> {
    let model = open(&options.image)?;
    let examples = options.examples.load(model.features(), model.classes())?;
    let mut confusion = Confusion::new(&examples.map);
    let mut answers = Answers::default();
    for (row, (truth, x)) in examples.iter().enumerate() {
        let prediction = model.predict(x);
        let prediction = prediction.with_context(|| format!("example {}", row + 1))?;
        confusion.count(truth, prediction.class);
        confusion.remark(truth, &prediction.confidence);
        if options.rows {
            let names = [truth, prediction.class].map(|class| examples.map.name(class));
            answers.add(row + 1, names, prediction.score, &prediction.confidence);
        }
    }
    if options.rows {
        println!("{answers}");
    }
    print!("{confusion}");
    // Without listed labels, the order of the model's classes is a guess.
    if options.examples.labels.is_some() {
        print_learned(&model, |class| examples.map.name(class));
    }
    Ok(())
}

/// One line for each row that was asked about.
#[derive(Default)]
struct Answers(Vec<(Vec<String>, Confidence)>);

impl Answers {
    fn add(
        &mut self,
        row: usize,
        [label, taken]: [String; 2],
        score: f32,
        confidence: &Confidence,
    ) {
        let cells = vec![row.to_string(), label, taken, score.to_string()];
        self.0.push((cells, *confidence));
    }
}

/// Columns that the model has nothing to say about are left out.
impl fmt::Display for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let probable =
            |confidence: &Confidence| confidence.probability.map(|share| format!("{share:.3}"));
        let known = |confidence: &Confidence| {
            let known = confidence.known?;
            Some(if known { "yes" } else { "no" }.to_string())
        };
        let first = self.0.first().map(|(_, confidence)| *confidence);
        let first = first.unwrap_or_default();
        let mut heading = vec!["row", "label", "taken for", "score"];
        heading.extend(first.probability.map(|_| "probability"));
        heading.extend(first.known.map(|_| "known"));
        let mut table = Table::numbers(heading);
        for (cells, confidence) in &self.0 {
            let more = [probable(confidence), known(confidence)];
            table.row(cells.iter().cloned().chain(more.into_iter().flatten()));
        }
        table.fmt(f)
    }
}

fn teach(options: &TeachOptions) -> Result<()> {
    let mut model = open(&options.image)?;
    let examples = options.examples.load(model.features(), model.classes())?;
    print!("{}", examples.legend());
    options.passes.warn_of_sorted(&examples);
    let (mut learned, mut mistakes, mut updates) = (0_u64, 0, 0);
    for row in options.passes.rows(&examples) {
        let (class, x) = examples.get(row);
        let outcome = model.learn(x, class);
        let outcome = outcome.with_context(|| format!("example {}", row + 1))?;
        learned += 1;
        mistakes += u64::from(outcome.mistake);
        updates += u64::from(outcome.changed());
    }
    files::replace(&options.out, &model.image())?;
    let accuracy = 100.0 * (1.0 - mistakes as f64 / learned.max(1) as f64);
    let mut table = Table::facts();
    table.fact("learned", learned);
    table.fact("mistakes", mistakes);
    table.fact("prequential accuracy", format!("{accuracy:.2} %"));
    table.fact("updates", updates);
    table.fact("written to", options.out.display());
    print!("\n{table}");
    Ok(())
}
