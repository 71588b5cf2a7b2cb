//! Does the work of many cells on all cores.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
};

use anyhow::{Error, Result};
use cpu_time::ThreadTime;
use rayon::iter::{ParallelBridge, ParallelIterator};

use super::{
    bench::Bench,
    cell::Cell,
    fingerprint::Fingerprints,
    finished_cells::{CellFile, Finished, FinishedCells},
    progress::Progress,
};

/// A part of the work: those cells whose name falls to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from 1.
    pub part: u32,
    /// How many there are.
    pub of: u32,
}

impl Shard {
    /// All of the work.
    pub const WHOLE: Shard = Shard { part: 1, of: 1 };

    /// Whether a cell belongs to it: a matter of its name alone, so that every machine agrees.
    pub fn holds(self, cell: &Cell) -> bool {
        let sum = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);
        sum.checksum(cell.name.as_str().as_bytes()) % self.of == self.part - 1
    }

    /// A file name for its results.
    pub fn file(self) -> String {
        match self {
            Shard { of: 1, .. } => "cells".into(),
            Shard { part, of } => format!("cells-{part}-of-{of}"),
        }
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = || format!("`{text}`: expected PART/PARTS such as 3/16");
        let (part, of) = text.split_once('/').ok_or_else(wanted)?;
        let part = part.parse().map_err(|_| wanted())?;
        let of = of.parse().map_err(|_| wanted())?;
        if (1..=of).contains(&part) {
            Ok(Shard { part, of })
        } else {
            Err(wanted())
        }
    }
}

/// Files that cells need and that are not there.
pub fn missing(cells: &[Cell], bench: &Bench) -> BTreeSet<String> {
    let files: BTreeSet<_> = cells.iter().flat_map(|cell| &cell.data).collect();
    let absent = |file: &&String| bench.places.find(file).is_err();
    files.into_iter().filter(absent).cloned().collect()
}

/// Works on the cells in their order, keeps each with its fingerprint as soon as it is finished, and adds it to `kept`. Returns why others
/// could not be finished: one that fails does not keep those of other data from being computed.
///
/// # Errors
///
/// A finished cell cannot be stored.
pub fn work(
    cells: Vec<Cell>,
    bench: &Bench,
    cell_file: &CellFile,
    (kept, fingerprints): (&mut FinishedCells, &Fingerprints),
    progress: &Progress,
) -> Result<Vec<Error>> {
    let failures = Failures::default();
    let known = kept;
    let kept = &*known;
    let work = |cell: Cell| -> Result<Option<Finished>> {
        if failures.concern(&cell) {
            return Ok(None);
        }
        let start = ThreadTime::now();
        let name = cell.name.as_str();
        let figures = match progress.during(name, cell.cost, |watch| cell.run(bench, watch)) {
            Ok(figures) => figures,
            Err(error) => {
                failures.add(cell, error);
                return Ok(None);
            }
        };
        let finished = Finished {
            cell: cell.name.to_string(),
            figures,
            seconds: start.elapsed().as_secs_f64(),
            at: kept.next_date(name),
            fingerprint: fingerprints.get(name).map(str::to_owned),
            checksum: None,
        }
        .sealed()?;
        cell_file.keep(&finished)?;
        progress.count();
        Ok(Some(finished))
    };
    // A bridge keeps to the order of the cells, by which the data of one set serve several of them.
    let finished: Result<Vec<_>> = cells.into_iter().par_bridge().map(work).collect();
    progress.finish();
    let finished = finished?.into_iter().flatten();
    finished.for_each(|cell| known.add(cell));
    Ok(failures.into_causes())
}

/// Why cells could not be finished, by the files that they need.
#[derive(Default)]
struct Failures(Mutex<BTreeMap<Vec<String>, Error>>);

impl Failures {
    /// Whether a cell need not be tried, since another one with the same files has failed.
    fn concern(&self, cell: &Cell) -> bool {
        let causes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        !cell.data.is_empty() && causes.contains_key(&cell.data)
    }

    fn add(&self, cell: Cell, error: Error) {
        let error = error.context(format!("cell `{}`", cell.name));
        let mut causes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = match cell.data.is_empty() {
            true => vec![cell.name.to_string()],
            false => cell.data,
        };
        causes.entry(key).or_insert(error);
    }

    fn into_causes(self) -> Vec<Error> {
        let causes = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        causes.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::Name;
    use super::*;

    fn cells(count: usize) -> Vec<Cell> {
        let cell = |number| {
            Cell::new(Name::new("test").with("cell", number), 1, |_, _| {
                Ok([].into())
            })
        };
        (0..count).map(cell).collect()
    }

    #[test]
    fn every_cell_falls_to_one_shard_and_no_shard_is_idle() {
        let shards: Vec<Shard> = (1..=16).map(|part| Shard { part, of: 16 }).collect();
        let mut held = vec![0; 16];
        for cell in cells(800) {
            let owners: Vec<_> = (0..16).filter(|i| shards[*i].holds(&cell)).collect();
            assert_eq!(owners.len(), 1);
            held[owners[0]] += 1;
        }
        assert!(
            held.iter().all(|count| (20..=90).contains(count)),
            "{held:?}"
        );
        assert!(Shard::WHOLE.holds(&cells(1)[0]));
    }

    #[test]
    fn a_shard_is_written_as_a_fraction() {
        assert_eq!("3/16".parse(), Ok(Shard { part: 3, of: 16 }));
        for wrong in ["", "3", "0/4", "5/4", "1/0", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
