//! `pocketron data`: which sets there are, which of them are here, and where the others come from.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::{
    data::{
        Places,
        catalogue::{self, Entry, SETS},
        find::VARIABLE,
        generate::Artificial,
        names::{self, HALF_SPACES, TOPICS},
    },
    table::Table,
};

/// Options of the command.
#[derive(Args, Debug)]
pub struct ListingOptions {
    /// Show details of these sets [default: one line for each set]
    #[arg(value_name = "SET")]
    sets: Vec<String>,
    /// Directory in which they are looked for first
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

/// Prints a line about every set, or all about some.
///
/// # Errors
///
/// A set is not known.
pub fn command(options: &ListingOptions) -> Result<()> {
    let places = Places::new(options.data_dir.as_deref());
    if options.sets.is_empty() {
        print!("{}", overview(&places));
        println!("\nlooked for in");
        for dir in places.dirs() {
            println!("  {}", dir.display());
        }
        println!("more: cargo pocketron data SET; another directory: --data-dir or ${VARIABLE}");
        return Ok(());
    }
    for name in &options.sets {
        let drawn = name.split(':').next().unwrap_or_default();
        match (catalogue::lookup(name), Artificial::named(drawn)) {
            (Some(entry), _) => print!("{}", details(entry, &places)),
            (None, Some(set)) => println!(
                "{drawn}: drawn from a seed, {} features; {drawn}:5000 are 5000 rows of it, {drawn}:5000:2 others",
                set.dim()
            ),
            (None, None) if name == HALF_SPACES => println!(
                "{name}: half spaces drawn from a seed for kw2, kw4, kw6, kw-lambda, kw-average and kw-fig4; 50, 200 or 500 features"
            ),
            (None, None) if name == TOPICS => println!(
                "{name}: documents drawn from a seed for paum2 and paum4 with --quick, counts of 60 words"
            ),
            (None, None) => {
                let near =
                    names::nearest(name).map_or(String::new(), |near| format!("; is it `{near}`?"));
                bail!("no set `{name}`{near}");
            }
        }
    }
    Ok(())
}

fn overview(places: &Places) -> Table {
    let mut table = Table::facts();
    table.row(["set", "rows", "features", "used by", "here"]);
    for entry in SETS.iter() {
        let rows: Vec<_> = entry
            .parts
            .iter()
            .map(|part| part.rows.to_string())
            .collect();
        let used: Vec<_> = entry.papers.iter().map(|paper| paper.short()).collect();
        table.row([
            entry.name.to_owned(),
            rows.join(" + "),
            entry.features.to_string(),
            used.join(" "),
            presence(entry, places),
        ]);
    }
    for (name, set) in Artificial::ALL {
        let features = set.dim().to_string();
        table.row([name, "any", &features, "", "drawn from a seed"]);
    }
    let features = "50, 200 or 500";
    table.row([HALF_SPACES, "any", features, "kw", "drawn from a seed"]);
    table.row([TOPICS, "600 + 300", "60", "paum", "drawn from a seed"]);
    table
}

fn presence(entry: &Entry, places: &Places) -> String {
    let absent = entry
        .parts
        .iter()
        .filter(|part| places.find(part.file).is_err());
    let absent: Vec<_> = absent.map(|part| part.file).collect();
    match absent.len() {
        0 => "yes".into(),
        count if count == entry.parts.len() => "no".into(),
        _ => format!("{} is missing", absent.join(", ")),
    }
}

fn details(entry: &Entry, places: &Places) -> Table {
    let mut table = Table::facts();
    table.fact("set", entry.name);
    for part in &entry.parts {
        let place = match places.find(part.file) {
            Ok(path) => path.display().to_string(),
            Err(_) => format!("{}.libsvm.gz is not here", part.file),
        };
        table.fact("rows", format!("{} in {place}", part.rows));
    }
    if let Some(rows) = entry.train_rows {
        table.fact(
            "division",
            format!("the first {rows} rows are for training"),
        );
    }
    table.fact("features", entry.features);
    table.fact("labels", entry.labels);
    table.fact("source", entry.source);
    table.fact("licence", entry.licence);
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_its_line() {
        let text = overview(&Places::only([])).to_string();
        assert!(names::all().all(|name| text.lines().any(|line| line.starts_with(name))));
        let pima = text.lines().find(|line| line.starts_with("pima")).unwrap();
        assert!(pima.ends_with("no"), "{pima}");
    }
}
