//! Finished cells, kept in files of one line each.
//!
//! A cell is written when it is finished, so that whatever ends a run loses nothing that was finished before. Every
//! process appends to a file of its own; all files of the directory together are the results, which is how shards
//! that ran on several machines become one.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize};

use super::cell::{Figures, Name};
use crate::spread::Spread;

/// A finished cell as it stands in a file.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Finished {
    /// The cell's name.
    pub cell: String,
    /// Its result.
    pub figures: Figures,
    /// Seconds of processor that it took, of its own thread: what it gives to others is not in it.
    pub seconds: f64,
    /// When it was finished, in seconds since 1970.
    pub at: u64,
    /// Fingerprint of the code that computed it, by [`Fingerprints`](super::fingerprint::Fingerprints); older cells have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Of all of the above; older cells have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
}

impl Finished {
    /// The same with its checksum.
    ///
    /// # Errors
    ///
    /// A figure is no number that a file can hold.
    pub fn sealed(self) -> Result<Self> {
        Ok(Finished {
            checksum: Some(self.sum()?),
            ..self
        })
    }

    /// Whether it is as it was sealed, if it was.
    fn is_intact(&self) -> bool {
        let sum = self.checksum.as_ref();
        sum.is_none_or(|sum| self.sum().is_ok_and(|own| own == *sum))
    }

    fn sum(&self) -> Result<String> {
        let open = Finished {
            checksum: None,
            ..self.clone()
        };
        let sum = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);
        let text = serde_json::to_string(&open)?;
        Ok(format!("{:08x}", sum.checksum(text.as_bytes())))
    }
}

/// A cell that is to be computed again, whatever was finished before.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Forgotten {
    forgotten: String,
    at: u64,
}

/// Seconds since 1970.
pub fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |time| time.as_secs())
}

/// All finished cells that are known.
#[derive(Debug, Default)]
pub struct FinishedCells {
    finished: HashMap<String, Finished>,
    /// Until when cells were forgotten.
    forgotten: HashMap<String, u64>,
}

impl FinishedCells {
    /// Nothing.
    pub fn new() -> Self {
        FinishedCells::default()
    }

    /// Everything in the files `*.jsonl` and `*.jsonl.gz` of a directory, which need not exist. A line that was cut off, as
    /// the last one of a process that was killed, counts as not there; if a cell was finished twice, the later one counts.
    /// A cell that is not what its checksum says counts as not there, and a note says how many there are.
    ///
    /// # Errors
    ///
    /// A file that cannot be read.
    pub fn read(directory: &Path) -> Result<Self> {
        let mut kept = FinishedCells::new();
        for path in files(directory)? {
            let file =
                File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let file: Box<dyn Read> = match path.extension() {
                Some(ending) if ending == "gz" => Box::new(MultiGzDecoder::new(file)),
                _ => Box::new(file),
            };
            let mut damaged = 0;
            for line in BufReader::new(file).split(b'\n') {
                let line = line.with_context(|| format!("cannot read {}", path.display()))?;
                if let Ok(cell) = serde_json::from_slice::<Finished>(&line) {
                    match cell.is_intact() {
                        true => kept.add(cell),
                        false => damaged += 1,
                    }
                } else if let Ok(Forgotten { forgotten, at }) = serde_json::from_slice(&line) {
                    kept.forget(&forgotten, at);
                }
            }
            if damaged > 0 {
                let path = path.display();
                eprintln!("note: {damaged} cells of {path} are damaged and count as not there");
            }
        }
        Ok(kept)
    }

    /// Drops a cell, as far as it was finished by then.
    pub fn forget(&mut self, name: &str, at: u64) {
        if self.finished.get(name).is_some_and(|cell| cell.at <= at) {
            self.finished.remove(name);
        }
        let until = self.forgotten.entry(name.to_owned()).or_default();
        *until = at.max(*until);
    }

    /// The date of a cell that replaces what is known of it: now, unless a clock was ahead.
    pub fn next_date(&self, name: &str) -> u64 {
        let finished = self.finished.get(name).map(|cell| cell.at);
        let forgotten = self.forgotten.get(name).copied();
        finished.max(forgotten).unwrap_or(0).max(now())
    }

    /// Adds a cell, unless a later one of its name is there, or it was forgotten since.
    pub fn add(&mut self, finished: Finished) {
        if !self.has_later(&finished) {
            self.finished.insert(finished.cell.clone(), finished);
        }
    }

    /// Adds all cells of another, unless later ones are there or they were forgotten since.
    pub fn import(&mut self, other: FinishedCells) {
        self.forget_as(&other);
        other.finished.into_values().for_each(|cell| self.add(cell));
    }

    /// Drops what another has forgotten, as far as it was finished by then.
    pub fn forget_as(&mut self, other: &FinishedCells) {
        for (name, until) in &other.forgotten {
            self.forget(name, *until);
        }
    }

    /// All cells, in no order.
    pub fn all(&self) -> impl Iterator<Item = &Finished> {
        self.finished.values()
    }

    /// Whether there is the same cell, finished then or later, or it was forgotten later.
    pub fn has_later(&self, other: &Finished) -> bool {
        let known = self.finished.get(&other.cell);
        let forgotten = self.forgotten.get(&other.cell);
        known.is_some_and(|known| known.at >= other.at)
            || forgotten.is_some_and(|until| *until > other.at)
    }

    /// Whether a cell is finished.
    pub fn has(&self, name: &Name) -> bool {
        self.finished.contains_key(name.as_str())
    }

    /// The figures of a cell, if it is finished.
    pub fn figures(&self, name: &Name) -> Option<&Figures> {
        self.finished.get(name.as_str()).map(|cell| &cell.figures)
    }

    /// One figure of a cell.
    pub fn figure(&self, name: &Name, figure: &str) -> Option<f64> {
        self.figures(name)?.get(figure).copied()
    }

    /// Mean and deviation of a figure over those of some cells that are finished; `None` if there are none.
    pub fn spread(&self, names: impl IntoIterator<Item = Name>, figure: &str) -> Option<Spread> {
        let values = names
            .into_iter()
            .filter_map(|name| self.figure(&name, figure));
        Spread::over(values)
    }

    /// These cells, as far as they are finished.
    pub fn of<'a>(
        &'a self,
        names: impl IntoIterator<Item = &'a Name>,
    ) -> impl Iterator<Item = &'a Finished> {
        let names = names.into_iter();
        names.filter_map(|name| self.finished.get(name.as_str()))
    }
}

/// The files of finished cells in a directory, in order of their names.
fn files(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(|| format!("cannot read {}", directory.display()))?,
    };
    let mut files = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    files.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".jsonl") || name.ends_with(".jsonl.gz")
    });
    files.sort();
    Ok(files)
}

/// A file to which finished cells are added.
#[derive(Debug)]
pub struct CellFile {
    path: PathBuf,
    file: Mutex<File>,
}

impl CellFile {
    /// Opens `directory/name.jsonl`, and makes it if it is not there.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn open(directory: &Path, name: &str) -> Result<Self> {
        let path = directory.join(format!("{name}.jsonl"));
        let open = || -> std::io::Result<File> {
            fs::create_dir_all(directory)?;
            let mut options = OpenOptions::new();
            let mut file = options.read(true).append(true).create(true).open(&path)?;
            // A line that was cut off must not swallow the next one.
            if file.seek(SeekFrom::End(0))? > 0 {
                let mut last = [0];
                file.seek(SeekFrom::End(-1))?;
                file.read_exact(&mut last)?;
                if last != *b"\n" {
                    file.write_all(b"\n")?;
                }
            }
            Ok(file)
        };
        let file = open().with_context(|| format!("cannot write {}", path.display()))?;
        Ok(CellFile {
            path,
            file: Mutex::new(file),
        })
    }

    /// Keeps a cell.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn keep(&self, finished: &Finished) -> Result<()> {
        self.add_line(finished)
    }

    /// Has cells forgotten that are to be computed again, in whichever file they are: if that is interrupted, what is
    /// left of them is not taken for finished.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn forget<'a>(
        &self,
        names: impl IntoIterator<Item = &'a Name>,
        kept: &mut FinishedCells,
    ) -> Result<()> {
        for name in names {
            let forgotten = name.to_string();
            let at = kept.next_date(&forgotten);
            kept.forget(&forgotten, at);
            self.add_line(&Forgotten { forgotten, at })?;
        }
        Ok(())
    }

    /// Adds a line, in one piece.
    fn add_line(&self, record: &impl Serialize) -> Result<()> {
        let mut line = serde_json::to_string(record)?;
        line.push('\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let written = file.write_all(line.as_bytes()).and_then(|()| file.flush());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::tempdir;

    fn finished(cell: &str, accuracy: f64, at: u64) -> Finished {
        Finished {
            cell: cell.into(),
            figures: [("accuracy".to_owned(), accuracy)].into(),
            seconds: 1.0,
            at,
            ..Finished::default()
        }
    }

    #[test]
    fn a_cell_that_is_not_what_its_checksum_says_counts_as_not_there() {
        let place = tempdir().unwrap();
        let cell_file = CellFile::open(place.path(), "cells").unwrap();
        let sealed = |cell: &str, accuracy| {
            let finished = Finished {
                fingerprint: Some("0123456789abcdef".into()),
                ..finished(cell, accuracy, 1)
            };
            finished.sealed().unwrap()
        };
        // One in some hundred shares is a hard case for a reader of decimals.
        for part in 0..300 {
            let cell = sealed(&part.to_string(), f64::from(part) * 100.0 / 1999.0);
            cell_file.keep(&cell).unwrap();
        }
        cell_file.keep(&finished("old", 5.0, 1)).unwrap();
        let all = FinishedCells::read(place.path()).unwrap();
        assert_eq!(all.all().count(), 301);
        for changed in [
            Finished {
                cell: "b".into(),
                ..sealed("a", 1.0)
            },
            Finished {
                at: 2,
                ..sealed("c", 1.0)
            },
            Finished {
                fingerprint: None,
                ..sealed("d", 1.0)
            },
            Finished {
                figures: finished("e", 1.5, 1).figures,
                ..sealed("e", 1.0)
            },
        ] {
            cell_file.keep(&changed).unwrap();
        }
        let all = FinishedCells::read(place.path()).unwrap();
        assert_eq!(all.all().count(), 301);
        assert_eq!(
            accuracy(&all, "old"),
            Some(5.0),
            "an older cell has no checksum"
        );
    }

    fn accuracy(kept: &FinishedCells, cell: &str) -> Option<f64> {
        kept.figure(&Name::new(cell), "accuracy")
    }

    #[test]
    fn a_line_that_was_cut_off_costs_only_itself() {
        let place = tempdir().unwrap();
        CellFile::open(place.path(), "cells")
            .unwrap()
            .keep(&finished("a", 1.0, 1))
            .unwrap();
        let path = place.path().join("cells.jsonl");
        let mut text = fs::read_to_string(&path).unwrap();
        text += "{\"cell\":\"b\",\"figures\":{\"accur";
        fs::write(&path, text).unwrap();
        CellFile::open(place.path(), "cells")
            .unwrap()
            .keep(&finished("c", 3.0, 1))
            .unwrap();
        let kept = FinishedCells::read(place.path()).unwrap();
        assert_eq!(
            [
                accuracy(&kept, "a"),
                accuracy(&kept, "b"),
                accuracy(&kept, "c")
            ],
            [Some(1.0), None, Some(3.0)]
        );
    }

    #[test]
    fn of_two_files_the_later_cell_counts() {
        let place = tempdir().unwrap();
        for (file, value, at) in [("cells-1-of-2", 2.0, 9), ("cells-2-of-2", 1.0, 8)] {
            let cell_file = CellFile::open(place.path(), file).unwrap();
            cell_file.keep(&finished("a", value, at)).unwrap();
        }
        assert_eq!(
            accuracy(&FinishedCells::read(place.path()).unwrap(), "a"),
            Some(2.0)
        );
        assert_eq!(
            accuracy(
                &FinishedCells::read(&place.path().join("none")).unwrap(),
                "a"
            ),
            None
        );
    }

    #[test]
    fn every_bit_of_a_figure_survives_its_file() {
        let place = tempdir().unwrap();
        let cell_file = CellFile::open(place.path(), "cells").unwrap();
        // Shares of counts, as accuracies are; one in some hundred of them is a hard case for a reader of decimals.
        let mut values: Vec<f64> = (1..2000)
            .map(|part| f64::from(part) * 100.0 / 1999.0)
            .collect();
        values.extend([1e-300, -7.0 / 3.0, 96.969_696_969_696_97]);
        for (cell, value) in values.iter().enumerate() {
            let cell = finished(&cell.to_string(), *value, 1);
            cell_file.keep(&cell).unwrap();
        }
        let kept = FinishedCells::read(place.path()).unwrap();
        for (cell, value) in values.iter().enumerate() {
            assert_eq!(accuracy(&kept, &cell.to_string()), Some(*value));
        }
    }

    /// A machine whose clock was ahead has finished it in the future.
    #[test]
    fn a_cell_is_forgotten_and_replaced_whatever_its_date() {
        let place = tempdir().unwrap();
        let ahead = now() + 100_000;
        let cell_file = CellFile::open(place.path(), "cells").unwrap();
        cell_file.keep(&finished("a", 1.0, ahead)).unwrap();
        let mut kept = FinishedCells::read(place.path()).unwrap();
        cell_file.forget([&Name::new("a")], &mut kept).unwrap();
        assert_eq!(accuracy(&kept, "a"), None);
        let found = FinishedCells::read(place.path()).unwrap();
        assert_eq!(accuracy(&found, "a"), None, "nor by a later process");
        for value in [2.0, 3.0] {
            let new = finished("a", value, kept.next_date("a"));
            cell_file.keep(&new).unwrap();
            let found = FinishedCells::read(place.path()).unwrap();
            assert_eq!(accuracy(&found, "a"), Some(value));
            kept.forget("a", kept.next_date("a"));
            cell_file.forget([&Name::new("a")], &mut kept).unwrap();
        }
    }

    #[test]
    fn what_was_forgotten_is_not_found_in_any_file_until_it_is_finished_again() {
        let place = tempdir().unwrap();
        let read = || accuracy(&FinishedCells::read(place.path()).unwrap(), "a");
        let (old, cell_file) = (
            "cells-1-of-2",
            CellFile::open(place.path(), "cells").unwrap(),
        );
        let old = CellFile::open(place.path(), old).unwrap();
        for cell_file in [&old, &cell_file] {
            cell_file.keep(&finished("a", 1.0, now() - 1)).unwrap();
        }
        assert_eq!(read(), Some(1.0));
        let mut kept = FinishedCells::read(place.path()).unwrap();
        cell_file.forget([&Name::new("a")], &mut kept).unwrap();
        assert_eq!(accuracy(&kept, "a"), None);
        assert_eq!(read(), None);
        let mut elsewhere = FinishedCells::new();
        elsewhere.add(finished("a", 1.0, 5));
        kept.import(elsewhere);
        assert_eq!(accuracy(&kept, "a"), None, "nor in a file elsewhere");
        cell_file.keep(&finished("a", 2.0, now())).unwrap();
        assert_eq!(read(), Some(2.0));
    }
}
