//! `pocketron train`: a model out of a file.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use rayon::prelude::*;

use crate::{
    confusion::{Confusion, percent},
    data::shuffle::permutation,
    examples::ClassMap,
    model::{Description, HostModel, ModelFile, default_learner::Sizes},
    table::Table,
    training_data::{ColumnArguments, FrontArguments, TrainingData},
};

/// Options of the command.
#[derive(Args, Debug)]
pub struct TrainOptions {
    /// Recording or table: CSV with commas, semicolons or tabs, plain or gzip; or a set in LIBSVM form, by its path or name
    #[arg(value_name = "FILE|SET")]
    data: String,
    /// Directory in which names are looked for first
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    #[command(flatten)]
    columns: ColumnArguments,
    #[command(flatten)]
    front: FrontArguments,
    /// Where to write the model
    #[arg(long, short, value_name = "MODEL")]
    out: PathBuf,
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
    /// Room for so many classes: more than the file has can be taught later [default: as many as the file has]
    #[arg(long, value_name = "C")]
    classes: Option<usize>,
    /// Passes over the rows, or `auto`: until rows that are held back stop being answered better
    #[arg(long, value_name = "T|auto", default_value = "1")]
    passes: Passes,
    /// Seed of the order of rows, and of the division of a table without groups
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// How often the rows are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passes {
    Given(usize),
    UntilBest,
}

impl std::str::FromStr for Passes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.parse()) {
            ("auto", _) => Ok(Passes::UntilBest),
            (_, Ok(passes @ 1..)) => Ok(Passes::Given(passes)),
            _ => Err("a number from 1, or `auto`".into()),
        }
    }
}

/// Passes at most, and those without a gain after which it ends.
const MOST_PASSES: usize = 20;
const PATIENCE: usize = 3;

/// Writes the model that learned all rows, and prints what models that learned a part of them say about the rest.
///
/// # Errors
///
/// The data cannot be read or do not fit a model, or the file cannot be written.
pub fn command(options: &TrainOptions) -> Result<()> {
    let data = TrainingData::load(
        &options.data,
        &options.columns,
        &options.front,
        options.data_dir.as_deref(),
        options.seed,
    )?;
    data.check_two_classes()?;
    let sizes = options.sizes(&data)?;
    print!("{}", heading(&data));
    for note in data.notes.iter().chain(&data.windowless) {
        println!("note: {note}");
    }
    let trainer = Trainer {
        data: &data,
        sizes,
        passes: options.passes,
        seed: options.seed,
    };
    trainer.print_held_out()?;

    let all: Vec<usize> = (0..data.rows.len()).collect();
    let (model, passes) = trainer.learn(&all)?;
    let file = ModelFile {
        image: model.image(),
        description: Description {
            labels: data.labels.clone(),
            features: data.features.clone(),
            front: data.front.clone(),
        },
    };
    file.write(&options.out)?;
    let mut table = Table::facts();
    table.fact("written to", options.out.display());
    let passes = match passes {
        1 => "once".into(),
        more => format!("{more} times"),
    };
    table.fact("learned", format!("all {} rows, {passes}", all.len()));
    table.fact("RAM", format!("{} bytes", sizes.bytes()));
    table.fact("image", format!("{} bytes", file.image.len()));
    println!("{table}");
    println!("In the firmware:\n\n{}", rust(&data, sizes));
    if sizes.confident {
        println!(
            "The firmware of this repository, for `device push`:\n\n    POCKETRON_FEATURES={} POCKETRON_BUDGET={} \
             POCKETRON_CLASSES={} cargo xtask firmware",
            sizes.features, sizes.budget, sizes.classes
        );
    }
    Ok(())
}

impl TrainOptions {
    fn sizes(&self, data: &TrainingData) -> Result<Sizes> {
        let (features, found) = (data.rows.dim, data.labels.len());
        let classes = self.classes.unwrap_or(found);
        if classes < found {
            bail!("--classes {classes}: {} has {found} labels", data.name);
        }
        let sizes = Sizes {
            features,
            budget: self.budget.into(),
            classes,
            confident: self.confident,
        };
        let sizes = match self.bytes {
            Some(bytes) => sizes.in_bytes(bytes)?,
            None => sizes,
        };
        sizes.empty().with_context(|| match self.classes {
            Some(_) => format!("--classes {classes}"),
            None => format!(
                "{} has {found} labels; --classes 26 and 32 have room for more",
                data.name
            ),
        })?;
        Ok(sizes)
    }
}

/// Size of the data.
fn heading(data: &TrainingData) -> String {
    let mut text = format!("{}: ", data.name);
    text += &match &data.front {
        Some(front) => format!(
            "{} windows of {} samples, one every {}",
            data.rows.len(),
            front.window,
            front.hop
        ),
        None => format!("{} rows", data.rows.len()),
    };
    text += &format!(
        ", {} features, {} classes",
        data.rows.dim,
        data.labels.len()
    );
    if data.groups.len() > 1 {
        text += &format!(", {} groups", data.groups.len());
    }
    text + "\n"
}

/// Learns parts of the data.
struct Trainer<'a> {
    data: &'a TrainingData,
    sizes: Sizes,
    passes: Passes,
    seed: u64,
}

impl Trainer<'_> {
    /// A model that has learned these rows, and how often.
    fn learn(&self, rows: &[usize]) -> Result<(HostModel, usize)> {
        let passes = match self.passes {
            Passes::Given(passes) => passes,
            Passes::UntilBest => self.best_passes(rows)?,
        };
        let mut model = self.sizes.empty()?;
        for pass in 0..passes {
            self.pass(&mut model, rows, pass)?;
        }
        Ok((model, passes))
    }

    /// Learns the rows in the order of that pass.
    fn pass(&self, model: &mut HostModel, rows: &[usize], pass: usize) -> Result<()> {
        for at in permutation(rows.len(), self.seed.wrapping_add(pass as u64)) {
            let row = rows[at];
            let outcome = model.learn(self.data.rows.row(row), self.data.class(row));
            outcome.with_context(|| format!("{}: example {}", self.data.name, row + 1))?;
        }
        Ok(())
    }

    /// Passes after which rows that are held back of these are answered best. Rows that are tested have no part in the choice.
    fn best_passes(&self, rows: &[usize]) -> Result<usize> {
        let (kept_back, learned) = self.keep_back(rows);
        let mut model = self.sizes.empty()?;
        let (mut best, mut most) = (1, 0);
        for pass in 0..MOST_PASSES {
            self.pass(&mut model, &learned, pass)?;
            let right = self.answers(&model, &kept_back)?;
            let right = right
                .iter()
                .filter(|(truth, answer)| truth == answer)
                .count();
            if right > most {
                (best, most) = (pass + 1, right);
            } else if pass + 1 >= best + PATIENCE {
                break;
            }
        }
        Ok(best)
    }

    /// About a quarter of the rows: of whole groups where there are some, else the last of each class.
    fn keep_back(&self, rows: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let mut groups: Vec<_> = rows.iter().map(|row| self.data.group_of[*row]).collect();
        groups.sort_unstable();
        groups.dedup();
        if groups.len() > 1 {
            let kept = &groups[groups.len() - groups.len().div_ceil(4)..];
            return rows
                .iter()
                .partition(|row| kept.contains(&self.data.group_of[**row]));
        }
        let class_of = |row: &usize| usize::from(self.data.class(*row));
        let mut all = vec![0; self.data.labels.len()];
        for row in rows {
            all[class_of(row)] += 1;
        }
        let mut seen = vec![0; all.len()];
        rows.iter().partition(|row| {
            let class = class_of(row);
            seen[class] += 1;
            4 * seen[class] > 3 * all[class]
        })
    }

    /// True and predicted class of each row.
    fn answers(&self, model: &HostModel, rows: &[usize]) -> Result<Vec<(u8, u8)>> {
        let examples = self.data.examples(rows);
        examples
            .map(|(x, class)| Ok((class, model.predict(x)?.class)))
            .collect()
    }

    /// Prints what was taken for what, and how many were right of each group.
    fn print_held_out(&self) -> Result<()> {
        let data = self.data;
        if data.folds.is_empty() {
            println!("note: there are too few rows to hold some out");
            return Ok(());
        }
        let answers = data.folds.par_iter().map(|fold| {
            let (model, _) = self.learn(&fold.train)?;
            self.answers(&model, &fold.test)
        });
        let answers: Vec<Vec<(u8, u8)>> = answers.collect::<Result<_>>()?;
        let map = ClassMap::named(&data.labels);
        let mut confusion = Confusion::new(&map);
        let mut groups = vec![(0_u64, 0_u64); data.groups.len()];
        for (fold, answers) in data.folds.iter().zip(&answers) {
            for (row, (truth, answer)) in fold.test.iter().zip(answers) {
                confusion.count(*truth, *answer);
                if let Some(group) = data.group_of[*row] {
                    groups[group].0 += 1;
                    groups[group].1 += u64::from(truth == answer);
                }
            }
        }
        let how = match (data.groups.len(), data.folds.len()) {
            (2.., folds) if folds == data.groups.len() => {
                "each group in turn, learned from the others".into()
            }
            (2.., folds) => format!("the groups in {folds} parts, each learned from the others"),
            (_, 1) => "the later half of each class, learned from the earlier one".into(),
            (_, folds) => format!("{folds} parts in turn, each learned from the others"),
        };
        println!("\nheld out: {how}\n{confusion}");
        if groups.len() > 1 {
            let mut table = Table::numbers(["group", "rows", "right %"]);
            for (name, (rows, right)) in data.groups.iter().zip(groups) {
                table.row([name.clone(), rows.to_string(), percent(right, rows)]);
            }
            println!("{table}");
        }
        Ok(())
    }
}

/// What to write in firmware.
fn rust(data: &TrainingData, sizes: Sizes) -> String {
    let mut text = String::from("    use pocketron::prelude::*;\n\n");
    for (number, label) in data.labels.iter().enumerate() {
        text += &format!("    // {}\n", class_in_rust(sizes, number, label));
    }
    text += &format!(
        "    type Model = {};\n    const _: () = assert!(size_of::<Model>() == {});\n",
        sizes.rust_type(),
        sizes.bytes()
    );
    if let Some(front) = &data.front {
        text += &format!("    type FrontEnd = {};\n", front.rust_type(sizes.features));
    }
    text
}

fn class_in_rust(sizes: Sizes, number: usize, label: &str) -> String {
    match (sizes.is_binary(), number) {
        (true, 0) => format!("Sign::Neg is {label}"),
        (true, _) => format!("Sign::Pos is {label}"),
        _ => format!("Class({number}) is {label}"),
    }
}
