//! All tables and pictures in one document, and each table as CSV.

use std::{collections::HashSet, fs, path::Path};

use anyhow::{Context, Result, bail};
use time::{Date, OffsetDateTime};

use super::{
    agreement::{Agreement, Standing, Target, misses},
    cell::{EMPTY_CLASSES, Name, UNSOLVED},
    earlier::Earlier,
    experiment::{self, Experiment, Scope},
    fingerprint::Fingerprints,
    finished_cells::{Finished, FinishedCells},
    line::Line,
    pictures::Pictures,
    report,
};

/// Misses of a table that are seen at once; the others are folded away.
const MISSES: usize = 12;

/// Tables with more figures are folded away.
const LONG: usize = 100;

/// Where pictures go, beside the document.
const PICTURES: &str = "figures";

/// Inputs of a document.
pub struct Document {
    /// How much was wanted.
    pub scope: Scope,
    /// Finished cells.
    pub kept: FinishedCells,
    /// Fingerprints of the present code.
    pub fingerprints: Fingerprints,
    /// The options with which each table was asked for, behind its name.
    pub options: String,
}

/// An experiment with what came of it.
struct Section<'a> {
    one: &'static dyn Experiment,
    document: &'a Document,
    lines: Vec<Line>,
    cells: Vec<Name>,
    /// How many cells of the whole experiment there are, and how many of them are not among these.
    whole: usize,
    absent: usize,
}

impl Document {
    /// Prints the tables, writes them as CSV to `results`, and all of them with their pictures to `path`. If there is a
    /// document already, its other sections stay.
    ///
    /// # Errors
    ///
    /// A file cannot be read or written.
    pub fn write(
        &self,
        experiments: &[&'static dyn Experiment],
        results: &Path,
        path: &Path,
    ) -> Result<()> {
        let mut earlier = Earlier::read(path)?;
        let parent = path.parent().unwrap_or(Path::new(""));
        let pictures = parent.join(PICTURES);
        for directory in [results, &pictures] {
            let made = fs::create_dir_all(directory);
            made.with_context(|| format!("cannot make {}", directory.display()))?;
        }
        let mut contents = String::from(CONTENTS);
        let mut sections = String::new();
        for one in experiment::all() {
            let wanted = experiments.iter().any(|wanted| wanted.name() == one.name());
            let (row, section) = if wanted {
                let section = Section::new(*one, self)?;
                section.print(results)?;
                (section.row(), section.text(&pictures)?)
            } else if let Some(earlier) = earlier.take(one.name()) {
                earlier
            } else {
                continue;
            };
            contents += &row;
            sections += &section;
        }
        // Fails, as it should, where there are pictures.
        let _ = fs::remove_dir(&pictures);
        write(
            path,
            &format!("# Results\n\n{CONCLUSIONS}\n{READING}\n{contents}{sections}"),
        )?;
        println!("\nall of it: {}", path.display());
        Ok(())
    }
}

/// Refuses a part of a table in place of a section that another command computed.
///
/// # Errors
///
/// There is such a section, or the document cannot be read.
pub fn refuse_parts(
    experiments: &[&'static dyn Experiment],
    scope: &Scope,
    options: &str,
    path: &Path,
) -> Result<()> {
    let mut earlier = Earlier::read(path)?;
    for one in experiments {
        let name = one.name();
        let Some((_, section)) = earlier.take(name) else {
            continue;
        };
        let same = section.contains(&command_line(name, options));
        let computed = section.contains(&format!("`{COMMAND} {name}"));
        if computed && !same && extent(*one, scope)?.2 > 0 {
            bail!(
                "{} has a section {name}, and `{name}{options}` is only a part of {name}. Compute all of it, or name \
                 another --document",
                path.display()
            );
        }
    }
    Ok(())
}

const COMMAND: &str = "cargo pocketron reproduce";

/// The command that computed a section.
fn command_line(name: &str, options: &str) -> String {
    format!("`{COMMAND} {name}{options}`")
}

/// Cells of an experiment, the number of those of its whole, and how many of them are not among these.
fn extent(one: &'static dyn Experiment, scope: &Scope) -> Result<(Vec<Name>, usize, usize)> {
    let names = |scope: &Scope| -> Result<Vec<Name>> {
        let cells = one.cells(scope)?.into_iter();
        Ok(cells.map(|cell| cell.name).collect())
    };
    let cells = names(scope)?;
    let whole = names(&Scope {
        seed: scope.seed,
        ..Scope::default()
    })?;
    let known: HashSet<_> = cells.iter().collect();
    let absent = whole.iter().filter(|name| !known.contains(name)).count();
    Ok((cells, whole.len(), absent))
}

/// Summary of the sections below, on a page. Written by hand.
const CONCLUSIONS: &str = include_str!("conclusions.md");

/// What the marks in the tables mean.
const READING: &str = include_str!("reading.md");

const CONTENTS: &str = "| table or figure | figures | within both spreads | means agree | mean difference | target |\n\
    |---|---:|---:|---:|---:|---|\n";

impl<'a> Section<'a> {
    fn new(one: &'static dyn Experiment, document: &'a Document) -> Result<Self> {
        let Document { scope, kept, .. } = document;
        let (cells, whole, absent) = extent(one, scope)?;
        Ok(Section {
            one,
            document,
            lines: one.lines(scope, kept),
            whole,
            absent,
            cells,
        })
    }

    /// Whether nothing is left out, so that figures can be held against targets.
    fn is_whole(&self) -> bool {
        self.absent == 0
    }

    /// How much of the whole a part is.
    fn part(&self) -> Option<String> {
        let Section { whole, absent, .. } = self;
        let among = whole - absent;
        let text = match among {
            _ if self.is_whole() => return None,
            0 => format!(
                "The whole, which the remarks are about, has {whole} cells, and these are others."
            ),
            _ => format!(
                "The whole, which the remarks are about, has {whole} cells, {among} of them among these."
            ),
        };
        Some(match self.one.targets() {
            [] => text,
            _ => text + " Targets are for the whole.",
        })
    }

    /// Its row in the table of contents.
    fn row(&self) -> String {
        let (name, title) = (self.one.name(), self.one.about().title);
        let units = Agreement::by_unit(&self.lines);
        let column = |of: &dyn Fn(&Agreement) -> String| {
            let texts = units.iter().map(of).filter(|text| !text.is_empty());
            texts.collect::<Vec<_>>().join("<br>")
        };
        let targets = self.standings().map(|(_, standing)| standing.to_string());
        format!(
            "| [{name}](#{name}): {title} | {} | {} | {} | {} | {} |\n",
            column(&Agreement::compared),
            column(&Agreement::within),
            column(&Agreement::means),
            column(&Agreement::mean_distance),
            targets.collect::<Vec<_>>().join("<br>"),
        )
    }

    /// Shows the table on the screen and writes it as CSV.
    fn print(&self, results: &Path) -> Result<()> {
        println!("\n{}: {}", self.one.name(), self.one.about().title);
        if self.lines.is_empty() {
            return Ok(());
        }
        println!(
            "{}",
            report::screen(&self.lines, self.one.about().reference)
        );
        if report::is_compared(&self.lines) {
            println!("{}", report::summary(&self.lines));
        }
        if let Some(part) = self.part() {
            println!("{part}");
        }
        let targets = self.targets();
        targets.iter().for_each(|target| println!("{target}"));
        let path = results.join(format!("{}.csv", self.one.name()));
        write(&path, &report::csv(&self.lines))
    }

    /// All of it as Markdown; its pictures are drawn on the way.
    fn text(&self, pictures: &Path) -> Result<String> {
        let one = self.one;
        let mut text = format!(
            "\n## {}\n\n**{}.** {}\n\n",
            one.name(),
            capitalised(one.about().title),
            one.about().remarks
        );
        text += &self.origin()?;
        if report::is_compared(&self.lines) {
            text += &report::summary(&self.lines).markdown();
            text.push('\n');
        }
        for target in self.targets() {
            text += &format!("**Target.** {target}\n\n");
        }
        text += &self.misses();
        let table = report::markdown(&self.lines);
        if self.lines.len() > LONG {
            let count = self.lines.len();
            text += &format!(
                "<details><summary>All {count} figures</summary>\n\n{table}</details>\n\n"
            );
        } else {
            text += &table;
        }
        let mut drawn = Pictures::new(pictures);
        one.pictures(&self.document.scope, &self.document.kept, &mut drawn)?;
        for (file, title) in drawn.drawn() {
            println!("{title}: {}", pictures.join(&file).display());
            text += &format!("![{title}]({PICTURES}/{file})\n\n");
        }
        Ok(text.trim_end().to_owned() + "\n")
    }

    /// How targets are met; a part of the figures tells nothing about those of the whole.
    fn standings(&self) -> impl Iterator<Item = (&'static Target, Standing<'_>)> {
        let targets = self.one.targets().iter();
        let targets = targets.filter(|_| self.is_whole());
        targets.map(|target| (target, target.judge(&self.lines)))
    }

    /// Targets, and whether they are met.
    fn targets(&self) -> Vec<String> {
        let text = |(target, standing): (&Target, Standing<'_>)| {
            let mut text = format!("{}: {standing}.", target.demands);
            if !standing.misses.is_empty() {
                let misses = standing.misses.iter().map(|line| report::sentence(line));
                text += &format!(" Not so: {}.", misses.collect::<Vec<_>>().join("; "));
            }
            text
        };
        self.standings().map(text).collect()
    }

    /// Differences, and their reasons as far as they are known.
    fn misses(&self) -> String {
        let (misses, why) = (misses(&self.lines), self.one.about().why);
        let mut text = String::new();
        if !why.is_empty() && self.is_whole() {
            text += &format!("**What does not match, and why.** {why}\n\n");
        }
        if !misses.is_empty() {
            let list = |misses: &[&Line]| -> String {
                let items = misses.iter();
                items
                    .map(|line| format!("- {}\n", report::sentence(line)))
                    .collect()
            };
            let (shown, folded) = misses.split_at(misses.len().min(MISSES));
            text += &format!(
                "These {} do not match, the farthest first:\n\n",
                misses.len()
            );
            text += &list(shown);
            text.push('\n');
            if !folded.is_empty() {
                text += &format!(
                    "<details><summary>The other {}</summary>\n\n{}\n</details>\n\n",
                    folded.len(),
                    list(folded)
                );
            }
        }
        text
    }

    /// How and when it was computed, and what it took.
    fn origin(&self) -> Result<String> {
        let finished: Vec<_> = self.document.kept.of(&self.cells).collect();
        let seconds: f64 = finished.iter().map(|cell| cell.seconds).sum();
        let Some(last) = finished.iter().map(|cell| cell.at).max() else {
            return Ok("Not computed.\n\n".into());
        };
        let mut text = format!(
            "{}: {} of {} cells, the last one computed on {}, {} of one core.",
            command_line(self.one.name(), &self.document.options),
            finished.len(),
            self.cells.len(),
            date(last)?,
            duration(seconds),
        );
        if finished.len() < self.cells.len() {
            text += " **Not finished**: a figure is the mean of those of its runs that are there.";
        }
        if let Some(part) = self.part() {
            text.push(' ');
            text += &part;
        }
        let count = |figure: &str| -> f64 {
            let cells = finished.iter();
            cells.filter_map(|cell| cell.figures.get(figure)).sum()
        };
        let has_empty = |cell: &&&Finished| cell.figures.contains_key(EMPTY_CLASSES);
        let (empty, unsolved) = (finished.iter().filter(has_empty).count(), count(UNSOLVED));
        if empty > 0 {
            text += &format!(
                " In {empty} of them a fold had a class without an example to learn or to test."
            );
        }
        if unsolved > 0.0 {
            text += &format!(
                " {unsolved} support vector machines take no part: ten million steps did not solve them, or one with a smaller cost."
            );
        }
        text += &self.document.fingerprints.remark(&finished);
        Ok(text + "\n\n")
    }
}

/// As at the beginning of a sentence.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase());
    first.into_iter().flatten().chain(letters).collect()
}

/// A time in words.
fn duration(seconds: f64) -> String {
    match seconds.round() {
        ..=1.0 => "a second".into(),
        ..120.0 => format!("{seconds:.0} seconds"),
        _ => format!("{:.0} minutes", seconds / 60.0),
    }
}

/// The day of a time in seconds since 1970.
fn date(seconds: u64) -> Result<Date> {
    Ok(OffsetDateTime::from_unix_timestamp(seconds as i64)?.date())
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
