//! All tables and pictures in one document, and each table as CSV.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use time::OffsetDateTime;

use super::{
    experiment::{Experiment, Scope},
    kept::Kept,
    report,
};

/// Misses that are listed of each table.
const MISSES: usize = 12;

/// What is known when a document is written.
pub struct Document {
    /// How much was wanted.
    pub scope: Scope,
    /// What is finished.
    pub kept: Kept,
    /// The words of the command line.
    pub command: String,
}

impl Document {
    /// Prints the tables, writes them as CSV to `results`, and all of them with their pictures to `path`.
    ///
    /// # Errors
    ///
    /// A file cannot be written.
    pub fn write(
        &self,
        experiments: &[&'static dyn Experiment],
        results: &Path,
        path: &Path,
    ) -> Result<()> {
        let parent = path.parent().unwrap_or(Path::new(""));
        for directory in [results, &parent.join("pictures")] {
            let made = fs::create_dir_all(directory);
            made.with_context(|| format!("cannot make {}", directory.display()))?;
        }
        let mut text = format!(
            "# Results\n\nThe papers' figures and, below each, what the core gets; in bold where the difference is \
             larger than both spreads together. Written by `cargo pocketron {}`.\n\n",
            self.command
        );
        for one in experiments {
            text += &format!("- [{}](#{}): {}\n", one.name(), one.name(), one.title());
        }
        for one in experiments {
            text += &self.section(*one, results, parent)?;
        }
        write(path, &text)?;
        println!("\nall of it: {}", path.display());
        Ok(())
    }

    /// Prints a table and writes it as CSV; returns it as Markdown.
    fn section(&self, one: &dyn Experiment, results: &Path, parent: &Path) -> Result<String> {
        let lines = one.lines(&self.scope, &self.kept);
        let summary = report::summary(&lines);
        println!("\n{}: {}", one.name(), one.title());
        if !lines.is_empty() {
            println!("{}\n{summary}", report::screen(&lines));
            let path = results.join(format!("{}.csv", one.name()));
            write(&path, &report::csv(&lines))?;
        }
        let mut text = format!(
            "\n## {}\n\n**{}.** {}\n\n",
            one.name(),
            one.title(),
            one.remarks()
        );
        text += &self.origin(one)?;
        let list = |text: &mut String, lines: &mut dyn Iterator<Item = &str>| {
            lines.for_each(|line| *text += &format!("- {line}\n"));
            text.push('\n');
        };
        list(&mut text, &mut summary.lines());
        let misses = report::misses(&lines, MISSES);
        if !misses.is_empty() {
            text += "Farthest outside of the spreads:\n\n";
            list(&mut text, &mut misses.iter().map(String::as_str));
        }
        text += &report::markdown(&lines);
        let pictures = one.pictures(&self.scope, &self.kept, &parent.join("pictures"))?;
        for (file, title) in pictures {
            println!("{title}: {}", parent.join("pictures").join(&file).display());
            text += &format!("![{title}](pictures/{file})\n\n");
        }
        Ok(text)
    }

    /// When it was computed, and what it took.
    fn origin(&self, one: &dyn Experiment) -> Result<String> {
        let cells = one.cells(&self.scope)?;
        let finished: Vec<_> = self.kept.of(cells.iter().map(|cell| &cell.name)).collect();
        let seconds: f64 = finished.iter().map(|cell| cell.seconds).sum();
        let Some(last) = finished.iter().map(|cell| cell.at).max() else {
            return Ok("Not computed yet.\n\n".into());
        };
        let date = OffsetDateTime::from_unix_timestamp(last as i64)?.date();
        Ok(format!(
            "{} of {} cells computed by {date}, in {:.0} minutes of one core; seed {}.\n\n",
            finished.len(),
            cells.len(),
            seconds / 60.0,
            self.scope.seed,
        ))
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
