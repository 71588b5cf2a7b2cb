//! `pocketron reproduce`: every table and figure of the papers, next to what the core gets.
//!
//! | module | holds |
//! |---|---|
//! | [`experiment`] | what a table is, and all of them |
//! | [`cell`], [`bench`] | a piece of work, and the data it finds |
//! | [`engine`], [`kept`] | all cores, progress, shards; finished cells in files |
//! | [`printed`], [`line`](mod@line), [`report`] | the papers' figures, one of them next to ours, tables of them |
//! | [`wv`] | the tables and figures of the papers |

pub mod bench;
pub mod cell;
pub mod engine;
pub mod experiment;
pub mod kept;
pub mod line;
pub mod printed;
pub mod report;
pub mod wv;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser},
};

use crate::data::Places;
use bench::Bench;
use cell::Cell;
use engine::Shard;
use experiment::{Experiment, Scope};
use kept::{Keeper, Kept};

/// Options of the command.
#[derive(Args, Debug)]
pub struct ReproduceOptions {
    /// Tables and figures, such as wv2
    #[arg(value_name = "TABLE", value_parser = tables(), required_unless_present_any = ["all", "merge"])]
    tables: Vec<String>,
    /// All of them
    #[arg(long, conflicts_with = "tables")]
    all: bool,
    /// Only these sets
    #[arg(long, value_name = "SET,...", value_delimiter = ',', value_parser = sets())]
    sets: Vec<String>,
    /// Only these budgets, where there are budgets
    #[arg(long, value_name = "B,...", value_delimiter = ',')]
    budgets: Vec<usize>,
    /// Repetitions [default: those of the paper]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    runs: Option<u64>,
    /// Number of the first order, split or drawn set
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Only what takes a few minutes: fewer repetitions, smaller sets
    #[arg(long)]
    quick: bool,
    /// Compute everything again, also what is finished
    #[arg(long)]
    fresh: bool,
    /// Do only a part of the work and leave the report to a later call without this
    #[arg(long, value_name = "PART/PARTS")]
    shard: Option<Shard>,
    /// Take over finished cells from other directories of results
    #[arg(long, value_name = "DIR", num_args = 1..)]
    merge: Vec<PathBuf>,
    /// Show what there is without computing anything
    #[arg(long)]
    report_only: bool,
    /// Where finished cells, reports and pictures go
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// Directory in which data sets are looked for first
    #[arg(long, value_name = "DIR", visible_alias = "data-dir")]
    data: Option<PathBuf>,
}

fn tables() -> PossibleValuesParser {
    let value = |one: &&dyn Experiment| PossibleValue::new(one.name()).help(one.title());
    PossibleValuesParser::new(experiment::all().iter().map(value))
}

fn sets() -> PossibleValuesParser {
    let mut names: Vec<_> = experiment::all()
        .iter()
        .flat_map(|one| one.sets())
        .collect();
    names.sort_unstable();
    names.dedup();
    PossibleValuesParser::new(names)
}

impl ReproduceOptions {
    fn scope(&self) -> Scope {
        Scope {
            sets: self.sets.clone(),
            budgets: self.budgets.clone(),
            runs: self.runs,
            seed: self.seed,
            quick: self.quick,
        }
    }

    fn experiments(&self) -> Vec<&'static dyn Experiment> {
        let wanted =
            |one: &&&dyn Experiment| self.all || self.tables.iter().any(|name| name == one.name());
        experiment::all().iter().filter(wanted).copied().collect()
    }

    fn cells_directory(&self) -> PathBuf {
        self.results.join("cells")
    }
}

/// Computes what is not finished yet, then prints and writes the tables.
pub fn command(options: &ReproduceOptions) -> Result<()> {
    let directory = options.cells_directory();
    for other in &options.merge {
        merge(other, &directory)?;
    }
    let scope = options.scope();
    let experiments = options.experiments();
    let mut kept = Kept::read(&directory)?;
    if !options.report_only {
        let bench = Bench::new(options.data.as_deref());
        let cells = wanted(&experiments, &scope)?;
        compute(cells, options, &bench, &mut kept)?;
    }
    if options.shard.is_some() {
        println!("this shard is finished; all shards together: the same command without --shard");
        return Ok(());
    }
    for one in experiments {
        show(one, &scope, &kept, &options.results)?;
    }
    Ok(())
}

/// The cells of all experiments, each once.
fn wanted(experiments: &[&'static dyn Experiment], scope: &Scope) -> Result<Vec<Cell>> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for one in experiments {
        let more = one.cells(scope).with_context(|| one.name())?;
        cells.extend(
            more.into_iter()
                .filter(|cell| known.insert(cell.name.clone())),
        );
    }
    Ok(cells)
}

fn compute(
    mut cells: Vec<Cell>,
    options: &ReproduceOptions,
    bench: &Bench,
    kept: &mut Kept,
) -> Result<()> {
    let shard = options.shard.unwrap_or(Shard::WHOLE);
    cells.retain(|cell| shard.holds(cell));
    let all = cells.len();
    if !options.fresh {
        cells.retain(|cell| !kept.has(&cell.name));
    }
    let finished = all - cells.len();
    let missing = engine::missing(&cells, bench);
    cells.retain(|cell| !cell.data.iter().any(|file| missing.contains(file)));
    if !missing.is_empty() {
        explain(&missing, &bench.places);
        if cells.is_empty() && finished == 0 {
            bail!("without these files there is nothing to compute");
        }
    }
    let start = std::time::Instant::now();
    let count = cells.len();
    eprintln!(
        "{count} cells to compute, {finished} finished before; Ctrl-C loses none that is finished"
    );
    let keeper = Keeper::open(&options.cells_directory(), &shard.file())?;
    engine::work(cells, bench, &keeper, kept)?;
    if count > 0 {
        eprintln!(
            "{count} cells computed in {:.0} s",
            start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}

/// Says which files are missing and where they come from.
fn explain(missing: &std::collections::BTreeSet<String>, places: &Places) {
    for file in missing {
        if let Err(why) = places.find(file) {
            eprintln!("note: cells left out: {why}\n");
        }
    }
}

/// Copies the finished cells of another directory.
fn merge(from: &Path, to: &Path) -> Result<()> {
    let from = if from.join("cells").is_dir() {
        from.join("cells")
    } else {
        from.to_owned()
    };
    let others = Kept::read(&from)?;
    let known = Kept::read(to)?;
    let keeper = Keeper::open(to, "merged")?;
    let mut count = 0;
    for cell in others.all() {
        if !known.has_later(cell) {
            keeper.keep(cell)?;
            count += 1;
        }
    }
    println!("{count} finished cells taken over from {}", from.display());
    Ok(())
}

/// Prints a table, and writes it as CSV and Markdown, with its pictures.
fn show(one: &dyn Experiment, scope: &Scope, kept: &Kept, results: &Path) -> Result<()> {
    let lines = one.lines(scope, kept);
    let summary = report::summary(&lines);
    println!(
        "\n{}: {}\n{}\n{summary}",
        one.name(),
        one.title(),
        report::screen(&lines)
    );
    let write = |ending: &str, text: &str| {
        let path = results.join(format!("{}.{ending}", one.name()));
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    fs::create_dir_all(results)?;
    let pictures = one.pictures(scope, kept, results)?;
    let mut text = format!(
        "## {}: {}\n\n{}\n\n",
        one.name(),
        one.title(),
        one.remarks()
    );
    for line in summary.lines() {
        text += &format!("- {line}\n");
    }
    text.push('\n');
    text += &report::markdown(&lines);
    for (file, title) in &pictures {
        println!("{title}: {}", results.join(file).display());
        text += &format!("![{title}]({file})\n\n");
    }
    if !lines.is_empty() {
        write("csv", &report::csv(&lines))?;
    }
    write("md", &text)
}
