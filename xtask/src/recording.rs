//! The recording that stands for an accelerometer in the firmware: one person of the watch data.

use crate::workspace;
use anyhow::{Context, Result, ensure};
use flate2::read::GzDecoder;
use std::{
    fs::{self, File},
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

/// Person whose exercises are used: the first one in the file.
pub const PERSON: &str = "1";

/// Writes all samples of the person, in the order of the file: three little-endian `i16` each. Returns where.
pub fn write() -> Result<PathBuf> {
    let source = workspace::root().join("host-tests/data/watch.csv.gz");
    let bytes = samples(&source, PERSON).with_context(|| source.display().to_string())?;
    let folder = workspace::target_dir().join("firmware");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("watch-{PERSON}.i16"));
    // Another time would build the firmware once more.
    if fs::read(&path).ok().as_deref() != Some(&bytes) {
        fs::write(&path, bytes).with_context(|| path.display().to_string())?;
    }
    Ok(path)
}

fn samples(source: &Path, person: &str) -> Result<Vec<u8>> {
    let mut lines = BufReader::new(GzDecoder::new(File::open(source)?)).lines();
    let header = lines.next().context("the file is empty")??;
    ensure!(header == "person,side,label,x,y,z", "columns {header}");
    let mut bytes = Vec::new();
    for line in lines {
        let line = line?;
        let mut cells = line.split(',');
        if cells.next() != Some(person) {
            continue;
        }
        for cell in cells.skip(2) {
            let number: i16 = cell.parse().with_context(|| line.clone())?;
            bytes.extend(number.to_le_bytes());
        }
    }
    ensure!(!bytes.is_empty(), "there is no person {person}");
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_has_three_numbers_a_sample() {
        let source = workspace::root().join("host-tests/data/watch.csv.gz");
        let bytes = samples(&source, PERSON).unwrap();
        assert_eq!(bytes.len() % 6, 0);
        assert_eq!(bytes[..6], [0x68, 0x03, 0x18, 0x00, 0x80, 0xfc]);
        assert!(samples(&source, "nobody").is_err());
    }
}
