//! The cells behind a document, kept beside it.
//!
//! A document says what came of thousands of runs. They lie beside it, packed, in a file for each family of cells, so that
//! whoever has the document can look at single runs, and can go on where its author stopped.

use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, File},
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};

use super::{
    cell::Name,
    finished_cells::{Finished, FinishedCells},
};

/// Where the cells of a document lie.
pub fn directory(document: &Path) -> PathBuf {
    document.with_file_name("cells")
}

/// Packs what is finished of these cells, together with what was packed before.
///
/// # Errors
///
/// A file cannot be read or written.
pub fn write(directory: &Path, kept: &FinishedCells, names: &HashSet<Name>) -> Result<()> {
    let mut packed = FinishedCells::read(directory)?;
    packed.forget_as(kept);
    kept.of(names).cloned().for_each(|cell| packed.add(cell));
    let mut families: BTreeMap<&str, Vec<&Finished>> = BTreeMap::new();
    for cell in packed.all() {
        let family = cell.cell.split(' ').next().unwrap_or_default();
        families.entry(family).or_default().push(cell);
    }
    fs::create_dir_all(directory)
        .with_context(|| format!("cannot make {}", directory.display()))?;
    for (family, mut cells) in families {
        cells.sort_by(|a, b| a.cell.cmp(&b.cell));
        let path = directory.join(format!("{family}.jsonl.gz"));
        pack(&path, &cells).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// The same cells make the same bytes: no date is in them. The old file stays until the new one is whole.
fn pack(path: &Path, cells: &[&Finished]) -> Result<()> {
    let unfinished = path.with_extension("part");
    let file = BufWriter::new(File::create(&unfinished)?);
    let mut gzip = GzBuilder::new().mtime(0).write(file, Compression::best());
    for cell in cells {
        serde_json::to_writer(&mut gzip, cell)?;
        gzip.write_all(b"\n")?;
    }
    gzip.finish()?.flush()?;
    Ok(fs::rename(&unfinished, path)?)
}
