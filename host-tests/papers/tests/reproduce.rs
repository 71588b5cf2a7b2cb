//! The papers' tables: that their parts fit together, and that what we get does not change unnoticed.
//!
//! The quick subset needs only sets that the repository carries or that are drawn. Its figures are compared with those
//! in `host-tests/papers/expected/quick.csv`; with `POCKETRON_BLESS=1` they are recorded there instead.

use std::{
    collections::{HashMap, HashSet},
    fmt::Write,
    path::Path,
};

use pocketron_papers::reproduce::{
    Pictures,
    bench::Bench,
    cell::Cell,
    engine,
    experiment::{self, Scope},
    fingerprint::Fingerprints,
    finished_cells::{CellFile, FinishedCells},
    progress::Progress,
};
use pocketron_testkit::data::Places;

/// How far a figure may be from the recorded one. The core and the artificial sets give the same bits everywhere, so
/// that figures are equal as far as they are written; the support vector machines of others need not.
fn tolerance(column: &str) -> f64 {
    if column.to_lowercase().contains("svm") {
        1.0
    } else {
        0.005
    }
}

fn scope(quick: bool) -> Scope {
    Scope {
        seed: 1,
        quick,
        ..Scope::default()
    }
}

/// The figures of the quick subset by table and place.
fn quick_figures() -> Vec<(String, f64)> {
    let place = tempfile::tempdir().expect("a directory for temporary files");
    let bench = Bench::new(None);
    let scope = scope(true);
    let mut kept = FinishedCells::new();
    let cell_file = CellFile::open(place.path(), "cells").expect("a file for finished cells");
    let mut figures = Vec::new();
    for one in experiment::all() {
        let cells = one.cells(&scope).expect("a scope for all");
        let cells: Vec<Cell> = cells
            .into_iter()
            .filter(|cell| !kept.has(&cell.name))
            .collect();
        let cost = cells.iter().map(|cell| cell.cost).sum();
        let progress = Progress::new(cost).expect("a bar");
        let keeping = (&mut kept, &Fingerprints::default());
        engine::work(cells, &bench, &cell_file, keeping, &progress).expect("finished cells");
        for line in one.lines(&scope, &kept) {
            let name = [one.name(), &line.block, &line.row, &line.column].join(" | ");
            if let Some(ours) = line.ours {
                figures.push((name.replace(',', ";"), ours.mean));
            }
        }
        let mut pictures = Pictures::new(place.path());
        one.pictures(&scope, &kept, &mut pictures)
            .expect("pictures");
    }
    figures
}

#[test]
fn quick_figures_are_those_recorded() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("expected/quick.csv");
    let figures = quick_figures();
    if std::env::var_os("POCKETRON_BLESS").is_some_and(|value| value == "1") {
        let mut text = String::from("figure,value\n");
        for (name, value) in &figures {
            writeln!(text, "{name},{value:.4}").expect("room in memory");
        }
        std::fs::write(&path, text).expect("a file to record in");
        return;
    }
    let text = std::fs::read_to_string(&path).expect("recorded figures");
    let recorded: HashMap<&str, f64> = text
        .lines()
        .skip(1)
        .map(|line| line.rsplit_once(',').expect("a figure and its value"))
        .map(|(name, value)| (name, value.parse().expect("a number")))
        .collect();
    assert_eq!(figures.len(), recorded.len(), "other figures than recorded");
    let mut wrong = String::new();
    for (name, value) in &figures {
        let known = recorded.get(name.as_str());
        if known.is_none_or(|known| (known - value).abs() > tolerance(name)) {
            writeln!(wrong, "{name}: {value:.4}, recorded {known:?}").expect("room in memory");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn quick_cells_need_no_download() {
    let own = Path::new(pocketron_testkit::FOLDER).join("data");
    let places = Places::only([own]);
    for one in experiment::all() {
        for cell in one.cells(&scope(true)).expect("a scope for all") {
            let absent = cell.data.iter().find(|file| places.find(file).is_err());
            assert_eq!(absent, None, "{}", cell.name);
        }
    }
}

#[test]
fn a_name_is_one_piece_of_work_within_a_table() {
    for one in experiment::all() {
        let cells = one.cells(&scope(false)).expect("a scope for all");
        assert!(!cells.is_empty(), "{}", one.name());
        let names: HashSet<_> = cells.iter().map(|cell| cell.name.as_str()).collect();
        assert_eq!(names.len(), cells.len(), "{}", one.name());
    }
}

/// The tables that show what is transcribed in a file of `host-tests/papers/printed`, where it is not called as the file is.
fn shown_by(file: &str) -> &str {
    match file {
        "pocketron" => "pocketron-ten",
        name => name,
    }
}

#[test]
fn every_figure_that_was_transcribed_is_in_its_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("printed");
    let mut tables = 0;
    for file in std::fs::read_dir(folder).expect("transcribed tables") {
        let path = file.expect("a file").path();
        let name = path.file_stem().expect("a name").to_string_lossy();
        let text = std::fs::read_to_string(&path).expect("a table");
        let (header, rows) = text.split_once('\n').expect("a header");
        let column = header.split(',').position(|column| column == "value");
        let column = column.expect("a column of values");
        let value = |row: &str| -> f64 {
            let field = row.split(',').nth(column).expect("a value");
            field.parse().expect("a number")
        };
        let [one] = experiment::named(shown_by(&name))[..] else {
            panic!("no table shows {name}.csv");
        };
        let lines = one.lines(&scope(false), &FinishedCells::new());
        let mut shown: Vec<f64> = lines
            .iter()
            .filter_map(|line| Some(line.printed?.value))
            .collect();
        for row in rows.lines() {
            let place = shown.iter().position(|shown| *shown == value(row));
            let place = place.unwrap_or_else(|| panic!("{name}: {row} is not shown"));
            shown.swap_remove(place);
        }
        tables += 1;
    }
    assert_eq!(tables, 18, "tables of five papers and two of our own");
}

#[test]
fn tables_are_whole_before_anything_is_computed() {
    let names: HashSet<_> = experiment::all().iter().map(|one| one.name()).collect();
    assert_eq!(names.len(), experiment::all().len());
    for one in experiment::all() {
        let lines = one.lines(&scope(false), &FinishedCells::new());
        assert!(
            lines.iter().all(|line| line.ours.is_none()),
            "{}",
            one.name()
        );
        let places: HashSet<_> = lines
            .iter()
            .map(|line| (&line.block, &line.row, &line.column))
            .collect();
        assert_eq!(
            places.len(),
            lines.len(),
            "{}: two figures in one place",
            one.name()
        );
        assert!(!one.about().remarks.is_empty() && !one.about().title.is_empty());
    }
}
