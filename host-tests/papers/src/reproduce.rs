//! `pocketron reproduce`: every table and figure of the papers, next to what the core gets.
//!
//! | module | holds |
//! |---|---|
//! | [`experiment`] | what a table is, and all of them |
//! | [`cell`], [`bench`](mod@bench) | a piece of work, and the data it finds |
//! | [`engine`], [`progress`] | all cores and shards; how far they are |
//! | [`finished_cells`], [`archive`] | finished cells in files, and those behind a document |
//! | [`fingerprint`] | which version of an algorithm computed a cell |
//! | [`printed`], [`line`](mod@line), [`means`] | the papers' figures, one of them next to ours, and a test of their means |
//! | [`agreement`], [`report`] | how well they agree, and tables of them |
//! | [`document`], [`earlier`], [`pictures`] | all tables with their pictures; what such a document said before |
//! | [`fs`], [`kw`], [`ll`], [`paum`], [`wv`] | the tables and figures of the papers |
//! | [`pocketron`] | the tables and figures of the default learner |

pub mod agreement;
pub mod archive;
pub mod bench;
pub mod cell;
pub mod document;
pub mod earlier;
pub mod engine;
pub mod experiment;
pub mod fingerprint;
pub mod finished_cells;
pub mod fs;
pub mod kw;
pub mod line;
pub mod ll;
pub mod means;
pub mod paum;
pub mod pictures;
pub mod pocketron;
pub mod printed;
pub mod progress;
pub mod report;
pub mod wv;

pub use {
    agreement::{Demand, Target},
    bench::Bench,
    cell::{Cell, EMPTY_CLASSES, Figures, Name, UNSOLVED},
    experiment::{About, Experiment, Scope},
    finished_cells::{Finished, FinishedCells},
    line::{Line, Measure, Printed, Unit},
    pictures::Pictures,
    printed::Figure,
    progress::Watch,
};

use std::{
    collections::{BTreeSet, HashSet},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser},
};

use crate::data::{Places, catalogue};
use document::Document;
use engine::Shard;
use fingerprint::Fingerprints;
use finished_cells::CellFile;
use progress::Progress;

/// Number of the first order unless said otherwise.
const SEED: u64 = 1;

/// Options of the command.
#[derive(Args, Clone, Debug)]
pub struct ReproduceOptions {
    /// Tables and figures, such as wv2, or pocketron for all about the default learner
    #[arg(value_name = "TABLE", value_parser = tables())]
    tables: Vec<String>,
    /// All of them
    #[arg(long, conflicts_with = "tables")]
    all: bool,
    /// Only these sets
    #[arg(long, value_name = "SET,...", value_delimiter = ',', value_parser = sets())]
    sets: Vec<String>,
    /// Only these budgets, where there are budgets
    #[arg(long, value_name = "B,...", value_delimiter = ',', value_parser = budget)]
    budgets: Vec<usize>,
    /// Repetitions [default: those of the paper]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    runs: Option<u64>,
    /// Number of the first order, split or drawn set
    #[arg(long, value_name = "S", default_value_t = SEED)]
    seed: u64,
    /// Length of the streams of long-life-noise, from 3000 on [default: 1000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(3000..))]
    examples: Option<u64>,
    /// Only what takes a few minutes: fewer repetitions, smaller sets
    #[arg(long)]
    quick: bool,
    /// Compute everything again; without this, finished cells are reused even if the learners have changed since
    #[arg(long)]
    fresh: bool,
    /// Do only a part of the work and leave the report to a later call without this
    #[arg(long, value_name = "PART/PARTS")]
    shard: Option<Shard>,
    /// Take over finished cells from other directories of results; without a TABLE, do nothing else
    #[arg(long, value_name = "DIR", num_args = 1..)]
    merge: Vec<PathBuf>,
    /// Show what there is without computing anything
    #[arg(long, conflicts_with_all = ["shard", "fresh"])]
    report_only: bool,
    /// Write the report here, with its pictures and finished cells beside it: the latter are reused like one's own, and
    /// sections of other tables stay; a part of a table does not replace its section [default: results.md among the
    /// results]
    #[arg(long, value_name = "FILE")]
    document: Option<PathBuf>,
    /// Where finished cells and tables go
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// Directory in which data sets are looked for first
    #[arg(long, value_name = "DIR", visible_alias = "data-dir")]
    data: Option<PathBuf>,
}

fn tables() -> PossibleValuesParser {
    let value = |(name, title): (&'static str, &'static str)| PossibleValue::new(name).help(title);
    let groups = experiment::GROUPS.iter();
    let groups = groups.map(|group| (group.name, group.title));
    let single = experiment::all().iter();
    let single = single.map(|one| (one.name(), one.about().title));
    PossibleValuesParser::new(groups.chain(single).map(value))
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

/// Budgets that occur in any table.
const BUDGETS: [usize; 5] = [20, 50, 100, 200, 500];

/// One of the budgets that there are.
fn budget(text: &str) -> Result<usize, String> {
    let known = |budget: &usize| BUDGETS.contains(budget);
    let budget = text.parse().ok().filter(known);
    budget.ok_or_else(|| format!("expected some of {BUDGETS:?}"))
}

impl ReproduceOptions {
    fn scope(&self) -> Scope {
        Scope {
            sets: self.sets.clone(),
            budgets: self.budgets.clone(),
            runs: self.runs,
            seed: self.seed,
            examples: self.examples,
            quick: self.quick,
        }
    }

    /// The experiments that were named, each once, in the usual order: of a group or of all, those that have some of
    /// what is asked for.
    ///
    /// # Errors
    ///
    /// No name at all, or one that has nothing of what is asked for.
    fn experiments(&self, scope: &Scope) -> Result<Vec<&'static dyn Experiment>> {
        if !self.all && self.tables.is_empty() {
            bail!(
                "which tables? `cargo pocketron reproduce --help` lists them, and --all is all of them"
            );
        }
        let all = [("--all", experiment::all().to_vec())];
        let all = all.into_iter().filter(|_| self.all);
        let tables = self.tables.iter();
        let tables = tables.map(|name| (name.as_str(), experiment::named(name)));
        let mut wanted = HashSet::new();
        for (name, meant) in all.chain(tables) {
            let found = with_work(meant.clone(), scope)?;
            if found.is_empty() {
                bail!("{}", nothing_to_do(name, &meant, scope));
            }
            wanted.extend(found.iter().map(|one| one.name()));
        }
        let all = experiment::all().iter().copied();
        let wanted: Vec<_> = all.filter(|one| wanted.contains(one.name())).collect();
        check_runs(&wanted, scope)?;
        Ok(wanted)
    }

    /// Options that determine the figures of a table besides its name; the caller's paths do not.
    fn settled(&self) -> String {
        let mut text = String::new();
        let mut add = |option: &str, values: &[String]| {
            if !values.is_empty() {
                text += &format!(" {option} {}", values.join(","));
            }
        };
        add("--sets", &self.sets);
        let budgets: Vec<_> = self.budgets.iter().map(ToString::to_string).collect();
        add("--budgets", &budgets);
        let runs: Vec<_> = self.runs.iter().map(ToString::to_string).collect();
        add("--runs", &runs);
        if self.seed != SEED {
            add("--seed", &[self.seed.to_string()]);
        }
        if let Some(examples) = self.examples {
            add("--examples", &[examples.to_string()]);
        }
        if self.quick {
            text += " --quick";
        }
        text
    }

    fn cells_directory(&self) -> PathBuf {
        self.results.join("cells")
    }

    /// The same with tables that follow `--merge DIR...` among the tables.
    ///
    /// # Errors
    ///
    /// Something else that is no directory follows.
    fn sorted(&self) -> Result<Self> {
        let mut options = self.clone();
        options.merge.clear();
        for place in &self.merge {
            let table = place
                .to_str()
                .filter(|name| !experiment::named(name).is_empty());
            match table {
                _ if place.is_dir() => options.merge.push(place.clone()),
                Some(_) if self.all => {
                    bail!("--all has every table: leave out {}", place.display())
                }
                Some(name) => options.tables.push(name.to_owned()),
                None => bail!("--merge {}: no such directory", place.display()),
            }
        }
        Ok(options)
    }
}

/// Those experiments that have cells of what is asked for.
fn with_work(
    mut experiments: Vec<&'static dyn Experiment>,
    scope: &Scope,
) -> Result<Vec<&'static dyn Experiment>> {
    let mut idle = Vec::new();
    for one in &experiments {
        if one.cells(scope).with_context(|| one.name())?.is_empty() {
            idle.push(one.name());
        }
    }
    experiments.retain(|one| !idle.contains(&one.name()));
    if !experiments.is_empty() && !idle.is_empty() {
        eprintln!(
            "note: left out, for nothing that was asked for is in them: {}",
            idle.join(", ")
        );
    }
    Ok(experiments)
}

/// Refuses `--runs` where nothing would hear it, and says so where a part would not.
///
/// # Errors
///
/// None of these has repetitions.
fn check_runs(experiments: &[&dyn Experiment], scope: &Scope) -> Result<()> {
    if scope.runs.is_none() {
        return Ok(());
    }
    let mut ignoring = Vec::new();
    for one in experiments {
        let names = |runs| -> Result<Vec<_>> {
            let runs = Some(runs);
            let cells = one.cells(&Scope {
                runs,
                ..scope.clone()
            })?;
            Ok(cells.into_iter().map(|cell| cell.name).collect())
        };
        if names(1)? == names(2)? {
            ignoring.push(one.name());
        }
    }
    let names = ignoring.join(", ");
    if !ignoring.is_empty() && ignoring.len() == experiments.len() {
        bail!("there are no repetitions in {names} that could be fewer or more: leave out --runs");
    }
    if !ignoring.is_empty() {
        eprintln!("note: --runs changes nothing in {names}");
    }
    Ok(())
}

/// Why a table has nothing of what is asked for.
fn nothing_to_do(name: &str, meant: &[&dyn Experiment], scope: &Scope) -> String {
    let mut sets: Vec<_> = meant.iter().flat_map(|one| one.sets()).collect();
    let mut known = HashSet::new();
    sets.retain(|set| known.insert(*set));
    if !sets.iter().any(|set| scope.wants_set(set)) {
        return format!("{name} has none of these sets; it has {}", sets.join(", "));
    }
    let would_do = |other: Scope| {
        let has_work =
            |one: &&dyn Experiment| one.cells(&other).is_ok_and(|cells| !cells.is_empty());
        meant.iter().any(has_work)
    };
    let (quick, budgets) = (!scope.quick, Vec::new());
    if would_do(Scope {
        quick,
        ..scope.clone()
    }) {
        return match scope.quick {
            true => format!("{name} has nothing of this that is quick: leave out --quick"),
            false => format!("{name} has this only with --quick"),
        };
    }
    if would_do(Scope {
        budgets,
        ..scope.clone()
    }) {
        return format!("{name} has none of these budgets: leave out --budgets");
    }
    format!("{name} has nothing that fits all of these options")
}

/// Computes what is not finished yet, then prints and writes the tables.
pub fn command(options: &ReproduceOptions) -> Result<()> {
    let options = &options.sorted()?;
    let directory = options.cells_directory();
    for other in &options.merge {
        merge(other, &directory)?;
    }
    if !options.merge.is_empty() && !options.all && options.tables.is_empty() {
        return Ok(());
    }
    let scope = options.scope();
    let experiments = options.experiments(&scope)?;
    if let Some(path) = &options.document {
        document::refuse_parts(&experiments, &scope, &options.settled(), path)?;
    }
    let mut kept = FinishedCells::read(&directory)?;
    let archive = options.document.as_deref().map(archive::directory);
    if let Some(archive) = &archive {
        kept.import(FinishedCells::read(archive)?);
    }
    let cells = wanted(&experiments, &scope)?;
    let names = cells.iter().map(|cell| cell.name.clone()).collect();
    let mut failures = Vec::new();
    let bench = Bench::new(options.data.as_deref());
    let fingerprints = Fingerprints::of(cells.iter().map(|cell| cell.name.as_str()), &bench)?;
    if !options.report_only {
        failures = compute(cells, options, &bench, (&mut kept, &fingerprints))?;
    }
    if options.shard.is_some() {
        fail(&failures)?;
        println!("this shard is done; all shards together: the same command without --shard");
        return Ok(());
    }
    if let Some(archive) = &archive {
        archive::write(archive, &kept, &names)?;
    }
    let document = Document {
        scope,
        kept,
        fingerprints,
        options: options.settled(),
    };
    let path = options.document.clone();
    let path = path.unwrap_or_else(|| options.results.join("results.md"));
    document.write(&experiments, &options.results, &path)?;
    fail(&failures)
}

/// Says what could not be computed, if there is such.
fn fail(failures: &[anyhow::Error]) -> Result<()> {
    if failures.is_empty() {
        return Ok(());
    }
    let causes: Vec<_> = failures.iter().map(|cause| format!("{cause:#}")).collect();
    bail!(
        "not everything could be computed; this needs other files:\n  {}",
        causes.join("\n  ")
    );
}

/// The cells of all experiments, each once.
fn wanted(experiments: &[&'static dyn Experiment], scope: &Scope) -> Result<Vec<Cell>> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut known = HashSet::new();
    for one in experiments {
        let more = one.cells(scope).with_context(|| one.name())?;
        cells.extend(
            more.into_iter()
                .filter(|cell| known.insert(cell.name.clone())),
        );
    }
    Ok(cells)
}

/// Computes those cells that are not finished, and returns why others cannot be.
fn compute(
    mut cells: Vec<Cell>,
    options: &ReproduceOptions,
    bench: &Bench,
    (kept, fingerprints): (&mut FinishedCells, &Fingerprints),
) -> Result<Vec<anyhow::Error>> {
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
    if count == 0 {
        return Ok(Vec::new());
    }
    let cell_file = CellFile::open(&options.cells_directory(), &shard.file())?;
    if options.fresh {
        cell_file.forget(cells.iter().map(|cell| &cell.name), kept)?;
    }
    let progress = Progress::new(cells.iter().map(|cell| cell.cost).sum())?;
    let sequel = match options.fresh {
        true => "the same command without --fresh goes on with the others",
        false => "the same command goes on with the others",
    };
    progress.tell_when_interrupted(finished, all, sequel)?;
    let failures = engine::work(cells, bench, &cell_file, (kept, fingerprints), &progress)?;
    eprintln!(
        "{} cells computed in {:.0} s",
        progress.finished(),
        start.elapsed().as_secs_f64()
    );
    Ok(failures)
}

/// Says which files are missing, where they come from, and where they were looked for.
fn explain(missing: &BTreeSet<String>, places: &Places) {
    eprintln!("note: cells are left out, for files are missing:");
    for file in missing {
        eprint!("  {file}.libsvm.gz");
        match catalogue::lookup(file) {
            Some(entry) => eprintln!(": {}\n      {}", entry.source, entry.labels),
            None => eprintln!(),
        }
    }
    eprintln!("they were looked for, also without .gz, in");
    for directory in places.dirs() {
        eprintln!("  {}", directory.display());
    }
    eprintln!(
        "--data DIR or $POCKETRON_DATA names another; `cargo pocketron data` lists all sets\n"
    );
}

/// Copies the finished cells of another directory.
fn merge(from: &Path, to: &Path) -> Result<()> {
    let from = if from.join("cells").is_dir() {
        from.join("cells")
    } else {
        from.to_owned()
    };
    let others = FinishedCells::read(&from)?;
    if others.all().next().is_none() {
        bail!("no finished cells in {}", from.display());
    }
    let known = FinishedCells::read(to)?;
    let cell_file = CellFile::open(to, "merged")?;
    let mut count = 0;
    for cell in others.all() {
        if !known.has_later(cell) {
            cell_file.keep(cell)?;
            count += 1;
        }
    }
    println!("{count} finished cells taken over from {}", from.display());
    Ok(())
}
