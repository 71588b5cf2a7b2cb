//! `pocketron model`: models that were pulled from a device, on this machine.

use std::{
    fmt, iter,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use pocketron::device::Confidence;

use super::{
    Description, HostModel, ImageHeader, ModelFile, ModelInfo,
    default_learner::{self, Sizes},
    export::{self, ExportOptions},
    shape::LONGEST,
};
use crate::{
    confusion::Confusion,
    escape,
    examples::{ExampleOptions, Examples, Passes},
    recall,
    table::Table,
    training_data::{ColumnArguments, FrontArguments, TrainingData},
};

/// Options of the command.
#[derive(Args, Debug)]
pub struct ModelOptions {
    #[command(subcommand)]
    command: ModelCommand,
}

#[derive(Subcommand, Debug)]
enum ModelCommand {
    /// Write an empty model
    New(NewOptions),
    /// Give a model another budget or another number of classes, and keep what it has learned
    Convert(ConvertOptions),
    /// Write a model for firmware: as source, or as bytes of flash
    Export(ExportOptions),
    /// Show the kind of model in an image, its parameters and what it has learned
    Show(ShowOptions),
    /// Let the model predict the rows of a file, and count what is right
    Ask(AskOptions),
    /// Let the model learn the rows of a file as the device would, and write the new image; new labels take its free classes
    Teach(TeachOptions),
}

/// Options of `new`.
#[derive(Args, Debug)]
struct NewOptions {
    /// Where to write it
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Numbers per example
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u16).range(1..))]
    features: u16,
    /// Names of the classes, at least two
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', num_args = 1.., required = true)]
    labels: Vec<String>,
    /// Support vectors at most
    #[arg(long, value_name = "B", default_value_t = 40, conflicts_with = "bytes",
        value_parser = clap::value_parser!(u16).range(1..))]
    budget: u16,
    /// As many as fit into a model of N bytes of RAM
    #[arg(long, value_name = "N")]
    bytes: Option<usize>,
    /// Answers with a probability, and whether the example is like those learned: the type of `cargo xtask firmware`
    #[arg(long)]
    confident: bool,
}

/// Options of `convert`.
#[derive(Args, Debug)]
struct ConvertOptions {
    /// Model, as `train` or `device pull` writes it
    #[arg(value_name = "MODEL")]
    image: PathBuf,
    /// Support vectors at most: fewer than it has are merged [default: as it has]
    #[arg(long, value_name = "B", value_parser = clap::value_parser!(u16).range(1..))]
    budget: Option<u16>,
    /// Classes at most; those that are left out must be without an example [default: as it has]
    #[arg(long, value_name = "C", value_parser = clap::value_parser!(u16).range(2..=256))]
    classes: Option<u16>,
    /// Where to write the new model
    #[arg(long, short, value_name = "NEW")]
    out: PathBuf,
}

/// Options of `show`.
#[derive(Args, Debug)]
struct ShowOptions {
    /// Model, as `train` or `device pull` writes it
    #[arg(value_name = "IMAGE")]
    image: PathBuf,
}

/// Options of `ask`.
#[derive(Args, Debug)]
struct AskOptions {
    /// Model, as `train` or `device pull` writes it
    #[arg(value_name = "IMAGE")]
    image: PathBuf,
    #[command(flatten)]
    examples: ExampleOptions,
    #[command(flatten)]
    columns: ColumnArguments,
    /// Print the prediction for every row, with its probability and whether it is known if the model can tell
    #[arg(long)]
    rows: bool,
}

/// Options of `teach`.
#[derive(Args, Debug)]
struct TeachOptions {
    /// Model, as `train` or `device pull` writes it
    #[arg(value_name = "IMAGE")]
    image: PathBuf,
    #[command(flatten)]
    examples: ExampleOptions,
    #[command(flatten)]
    columns: ColumnArguments,
    /// Where to write the new model, for `device push`
    #[arg(long, value_name = "NEW")]
    out: PathBuf,
    #[command(flatten)]
    passes: Passes,
}

/// Carries out one of the commands.
pub fn command(options: &ModelOptions) -> Result<()> {
    match &options.command {
        ModelCommand::New(options) => new(options),
        ModelCommand::Convert(options) => convert(options),
        ModelCommand::Export(options) => export::command(options),
        ModelCommand::Show(options) => show(options),
        ModelCommand::Ask(options) => ask(options),
        ModelCommand::Teach(options) => teach(options),
    }
}

fn open(path: &Path) -> Result<(HostModel, Description)> {
    let file = ModelFile::read(path)?;
    let model = file.open().with_context(|| path.display().to_string())?;
    Ok((model, file.description))
}

/// Rows for a model: with the names of its classes if it has them. Labels that are not among these become names of its next
/// classes, up to `room` in all.
fn examples(
    options: &ExampleOptions,
    columns: &ColumnArguments,
    model: &HostModel,
    description: &mut Description,
    room: usize,
) -> Result<Examples> {
    if description.labels.is_empty() || options.is_changed() {
        return options.load(model.features(), model.classes());
    }
    let front = FrontArguments::of(description.front.as_ref())?;
    let data_dir = options.data_dir.as_deref();
    let data = TrainingData::load(&options.data, columns, &front, data_dir, 1)?;
    name_next_classes(model, &mut description.labels, &data.labels, room)?;
    let data = data.with_classes(&description.labels)?;
    if data.rows.dim != model.features() {
        bail!(
            "{} has {} features, the model {}",
            data.name,
            data.rows.dim,
            model.features()
        );
    }
    if data.features != description.features {
        eprintln!(
            "note: the features are called `{}` here and `{}` in the model",
            data.features.join("`, `"),
            description.features.join("`, `")
        );
    }
    let rows = Examples::named(&data.name, data.rows, &description.labels);
    rows.cut(options.skip, options.limit)
}

/// Adds labels to the names of a model's classes, while there are fewer than `room`.
fn name_next_classes(
    model: &HostModel,
    names: &mut Vec<String>,
    labels: &[String],
    room: usize,
) -> Result<()> {
    let model_info = model.model_info();
    for label in labels {
        let class = names.len();
        if class >= room || names.contains(label) {
            continue;
        }
        // A device can have taught a class that has no name here.
        let is_taught = model_info.get(class).is_some_and(|(seen, own)| {
            seen.unwrap_or(0) > 0 || own.vectors.is_some_and(|(used, _)| used > 0)
        });
        if is_taught {
            bail!("`{label}` has no class: class {class} is the next, and has learned already");
        }
        names.push(label.clone());
    }
    Ok(())
}

fn new(options: &NewOptions) -> Result<()> {
    let (features, classes) = (usize::from(options.features), options.labels.len());
    if classes < 2 {
        bail!("--labels has one name; there is nothing to tell apart");
    }
    let sizes = Sizes {
        features,
        budget: options.budget.into(),
        classes,
        confident: options.confident,
    };
    let sizes = match options.bytes {
        Some(bytes) => sizes.in_bytes(bytes)?,
        None => sizes,
    };
    let file = ModelFile {
        image: sizes.empty()?.image(),
        description: Description {
            labels: options.labels.clone(),
            features: (1..=features).map(|feature| feature.to_string()).collect(),
            front: None,
        },
    };
    file.write(&options.out)?;
    let (out, name) = (options.out.display(), sizes.rust_type());
    println!("{out} is an empty {name} of {} bytes of RAM", sizes.bytes());
    Ok(())
}

fn convert(options: &ConvertOptions) -> Result<()> {
    let path = options.image.display();
    let file = ModelFile::read(&options.image)?;
    let old = file.open().with_context(|| path.to_string())?;
    let [budget, classes] = [options.budget, options.classes].map(|size| size.map(usize::from));
    let shape = default_learner::resized(old.shape(), budget, classes);
    if shape == *old.shape() {
        bail!(
            "{path}: nothing to convert: --budget or --classes says what should change, in a default learner"
        );
    }
    let mut new = HostModel::blank(&shape)?;
    new.convert(&file.image).with_context(|| path.to_string())?;
    let image = new.image();
    let converted = ModelFile {
        image,
        description: file.description,
    };
    converted.write(&options.out)?;
    let vectors = |model: &HostModel| -> usize {
        let own = model.model_info().into_iter();
        own.filter_map(|(_, own)| own.vectors.map(|(used, _)| used))
            .sum()
    };
    let out = options.out.display();
    println!("{path}: {}, {} vectors", old.shape(), vectors(&old));
    println!("{out}: {}, {} vectors", new.shape(), vectors(&new));
    let merged = vectors(&old).saturating_sub(vectors(&new));
    if merged > 0 {
        println!(
            "note: {merged} vectors were merged into others: check it with `model ask`, on rows that were not learned"
        );
    }
    if let Some(sizes) = Sizes::of(&shape) {
        println!(
            "in the firmware: {}, {} bytes of RAM",
            sizes.rust_type(),
            sizes.bytes()
        );
    }
    Ok(())
}

fn show(options: &ShowOptions) -> Result<()> {
    let ModelFile { image, description } = ModelFile::read(&options.image)?;
    let path = options.image.display();
    let image_header = ImageHeader::open(&image).with_context(|| path.to_string())?;
    let mut table = Table::facts();
    table.fact("model", escape::quoted(&image_header.shape, LONGEST));
    table.fact("shape", format!("{:#010x}", image_header.shape_hash));
    table.fact("image", format!("{} bytes, checksum holds", image.len()));
    let model = match HostModel::open(&image) {
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
    if let Some(front) = &description.front {
        table.fact("front end", front.rust_type(model.features()));
    }
    if let Some(sizes) = Sizes::of(model.shape()) {
        table.fact("in Rust", sizes.rust_type());
        table.fact("RAM", format!("{} bytes", sizes.bytes()));
    }
    print!("{table}");
    print_learned(&model, |class| description.label(class));
    if let Some(weights) = model.feature_weights() {
        print!("\n{}", bars(&weights, &description.features));
    }
    Ok(())
}

/// Characters of the longest bar.
const BAR: f32 = 40.0;

/// Weight of each feature in the kernel, the largest with the longest bar.
fn bars(weights: &[f32], names: &[String]) -> Table {
    let largest = weights.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let mut table = Table::facts();
    table.row(["feature", "weight", ""]);
    for (feature, weight) in weights.iter().enumerate() {
        let name = names.get(feature).cloned();
        let name = name.unwrap_or_else(|| (feature + 1).to_string());
        let bar = "█".repeat((BAR * weight / largest).round() as usize);
        table.row([name, format!("{weight:.2}"), bar]);
    }
    table
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
    let (model, mut description) = open(&options.image)?;
    let known = description.labels.len();
    let examples = examples(
        &options.examples,
        &options.columns,
        &model,
        &mut description,
        known,
    )?;
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
    if options.examples.labels.is_some() || !description.labels.is_empty() {
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
    let (mut model, mut description) = open(&options.image)?;
    let known = description.labels.len();
    let examples = examples(
        &options.examples,
        &options.columns,
        &model,
        &mut description,
        model.classes(),
    )?;
    for (class, label) in description.labels.iter().enumerate().skip(known) {
        println!("class {class} is new: `{label}`");
    }
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
    let file = ModelFile {
        image: model.image(),
        description,
    };
    file.write(&options.out)?;
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
