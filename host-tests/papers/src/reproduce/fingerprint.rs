//! Fingerprint of the code that computed a cell: a hash of the same learner's result on a small problem.
//!
//! The hash is of figures, not of source text. Code that is renamed or moved keeps the fingerprint, code that computes
//! other bits does not. Cells are alike if their names differ in nothing but the set and in numbers; the cheapest quick
//! cell that is like a cell is its probe. What has no quick cell like it has those of its whole family as its probe.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anyhow::{Context, Result};
use rayon::prelude::*;

use super::{
    bench::Bench,
    cell::{Cell, Figures},
    experiment::{self, Scope},
    finished_cells::Finished,
    progress::Watch,
};

/// Fingerprints of the code as it is now.
#[derive(Clone, Debug, Default)]
pub struct Fingerprints {
    alike: HashMap<String, String>,
    families: HashMap<String, String>,
}

impl Fingerprints {
    /// Runs the probes of some cells.
    ///
    /// # Errors
    ///
    /// A probe fails.
    pub fn of<'a>(names: impl IntoIterator<Item = &'a str>, bench: &Bench) -> Result<Self> {
        let quick = Scope {
            quick: true,
            seed: 1,
            ..Scope::default()
        };
        let mut probes = Vec::new();
        for one in experiment::all() {
            probes.extend(one.cells(&quick).with_context(|| one.name())?);
        }
        Self::by(probes, names, bench)
    }

    /// By some cells of which the cheapest of each kind is run.
    fn by<'a>(
        probes: Vec<Cell>,
        names: impl IntoIterator<Item = &'a str>,
        bench: &Bench,
    ) -> Result<Self> {
        let mut cheapest: BTreeMap<String, Cell> = BTreeMap::new();
        for probe in probes {
            let kind = kind(probe.name.as_str());
            if cheapest
                .get(&kind)
                .is_none_or(|known| probe.cost < known.cost)
            {
                cheapest.insert(kind, probe);
            }
        }
        let wanted: BTreeSet<String> = names.into_iter().map(kind).collect();
        let whole: BTreeSet<&str> = wanted
            .iter()
            .filter(|kind| !cheapest.contains_key(*kind))
            .map(|kind| family(kind))
            .collect();
        cheapest.retain(|kind, _| wanted.contains(kind) || whole.contains(family(kind)));
        let run = |(kind, probe): (String, Cell)| {
            let figures = probe.run(bench, &Watch::IDLE);
            let figures = figures.with_context(|| format!("probe `{}`", probe.name))?;
            Ok((kind, hash(&figures)))
        };
        let alike: Result<BTreeMap<_, _>> = cheapest.into_par_iter().map(run).collect();
        let alike = alike?;
        let all_of = |name: &str| {
            let own = alike.iter().filter(|(kind, _)| family(kind) == name);
            own.map(|(kind, hash)| format!("{kind}: {hash}\n"))
                .collect::<String>()
        };
        let families = whole.into_iter().map(|name| (name, all_of(name)));
        let families = families.filter(|(_, text)| !text.is_empty());
        Ok(Fingerprints {
            families: families
                .map(|(name, text)| (name.to_owned(), checksum(text.as_bytes())))
                .collect(),
            alike: alike.into_iter().collect(),
        })
    }

    /// That of a cell; nothing if its family has no quick cell.
    pub fn get(&self, name: &str) -> Option<&str> {
        let kind = kind(name);
        let found = self.alike.get(&kind);
        found
            .or_else(|| self.families.get(family(&kind)))
            .map(String::as_str)
    }

    /// Says in a sentence each how many of these cells another version computed, and how many one that is not known;
    /// nothing if all of them are of today.
    pub fn remark(&self, cells: &[&Finished]) -> String {
        let (mut others, mut unknown) = (0, 0);
        for cell in cells {
            match (self.get(&cell.cell), cell.fingerprint.as_deref()) {
                (Some(now), Some(then)) => others += usize::from(now != then),
                (Some(_), None) => unknown += 1,
                (None, _) => {}
            }
        }
        let mut text = String::new();
        if others > 0 {
            text += &format!(
                " **Another version of the algorithm computed {others} of them**: it gives other figures on a small problem. \
                 `--fresh` computes them again."
            );
        }
        if unknown > 0 {
            text += &format!(
                " {unknown} of them are from before cells recorded which version computed them."
            );
        }
        text
    }
}

/// The first word of a name.
fn family(name: &str) -> &str {
    name.split(' ').next().unwrap_or_default()
}

/// The name without the set and without numbers.
fn kind(name: &str) -> String {
    let mut words = name.split(' ');
    let mut kind = words.next().unwrap_or_default().to_owned();
    for word in words {
        kind.push(' ');
        kind += match word.split_once('=') {
            Some((what, value)) if what == "set" || value.parse::<f64>().is_ok() => what,
            _ => word,
        };
    }
    kind
}

fn hash(figures: &Figures) -> String {
    let mut bytes = Vec::new();
    for (name, figure) in figures {
        bytes.extend(name.as_bytes());
        bytes.extend(figure.to_bits().to_le_bytes());
    }
    checksum(&bytes)
}

fn checksum(bytes: &[u8]) -> String {
    let sum = crc::Crc::<u64>::new(&crc::CRC_64_XZ);
    format!("{:016x}", sum.checksum(bytes))
}

#[cfg(test)]
mod tests {
    use super::super::cell::Name;
    use super::*;

    /// Two learners and a quick cell each, of which the dearer ones would fail; the first gives `value`.
    fn fingerprints(value: f64, wanted: &[&str]) -> Fingerprints {
        let cell = |learner: &str, run: u32, cost, value: Option<f64>| {
            let name = Name::new("wv")
                .with("set", "small")
                .with("learner", learner);
            Cell::new(name.with("run", run), cost, move |_, _| {
                let value = value.context("too dear")?;
                Ok([("accuracy".to_owned(), value)].into())
            })
        };
        let probes = vec![
            cell("a", 1, 9, None),
            cell("a", 2, 2, Some(value)),
            cell("b", 1, 1, Some(70.0)),
        ];
        Fingerprints::by(probes, wanted.iter().copied(), &Bench::new(None)).unwrap()
    }

    const CELLS: [&str; 4] = [
        "wv set=large learner=a run=1",
        "wv set=large learner=b run=7",
        "wv set=large learner=c run=1",
        "other run=1",
    ];

    #[test]
    fn cells_that_differ_in_numbers_and_sets_have_one_fingerprint() {
        let known = fingerprints(80.0, &CELLS);
        assert_eq!(
            known.get(CELLS[0]),
            known.get("wv set=else learner=a run=99")
        );
        assert_ne!(known.get(CELLS[0]), known.get(CELLS[1]));
        assert_eq!(known.get(CELLS[3]), None, "nothing to try");
        assert_eq!(
            known.get(CELLS[0]),
            fingerprints(80.0, &CELLS).get(CELLS[0])
        );
    }

    #[test]
    fn a_section_says_how_many_of_its_cells_another_version_computed() {
        let (old, now) = (80.0_f64, f64::from_bits(80.0_f64.to_bits() + 1));
        let (old, now) = (fingerprints(old, &CELLS), fingerprints(now, &CELLS));
        let cells = CELLS.map(|cell| Finished {
            cell: cell.into(),
            fingerprint: old.get(cell).map(str::to_owned),
            ..Finished::default()
        });
        let cells = cells.each_ref();
        assert_eq!(old.remark(&cells), "");
        // Those of the learner that changed, and those of one that only the family stands for.
        let remark = now.remark(&cells);
        assert!(
            remark.contains("computed 2 of them") && remark.contains("--fresh"),
            "{remark}"
        );
        assert_eq!(now.remark(&cells[1..2]), "");
        assert_eq!(now.remark(&cells[3..]), "");
    }

    #[test]
    fn cells_without_a_fingerprint_are_named() {
        let cell = Finished {
            cell: CELLS[0].into(),
            ..Finished::default()
        };
        let remark = fingerprints(80.0, &CELLS).remark(&[&cell]);
        assert!(remark.starts_with(" 1 of them are from before"), "{remark}");
    }
}
