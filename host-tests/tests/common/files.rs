//! Files and texts in LIBSVM form, made for a test.

use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use pocketron_testkit::data::{Dataset, Places, ReadError, Rows, libsvm};
use tempfile::TempDir;

/// Reads a text that is no file.
pub fn read(bytes: &[u8]) -> Result<Rows, ReadError> {
    libsvm::read(Path::new("some.libsvm"), bytes)
}

/// A set out of well-formed text.
pub fn set(text: &str) -> Dataset {
    Dataset::new("set", read(text.as_bytes()).expect("well-formed text"))
}

/// Packs.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("a vector takes all bytes");
    encoder.finish().expect("a vector takes all bytes")
}

/// Only the small sets that the repository carries.
pub fn committed() -> Places {
    Places::only([Path::new(pocketron_testkit::FOLDER).join("data")])
}

/// A directory of its own, removed at the end.
pub struct Scratch(pub PathBuf, #[allow(dead_code)] TempDir);

impl Scratch {
    /// Named after a test.
    pub fn new(test: &str) -> Self {
        let dir = TempDir::with_prefix(format!("pocketron-{test}-")).expect("a scratch directory");
        Self(dir.path().into(), dir)
    }

    /// A file in it.
    pub fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).expect("a scratch file");
        path
    }
}
