//! Images that are kept for ever, and helpers around images.
#![allow(dead_code)]

use std::{env, fs, path::PathBuf};

use pocketron::persist::{self, ImageError, Persist};
pub use pocketron_cli::model::image_of as bytes_of;

pub fn restore(model: &mut dyn Persist, bytes: &[u8]) -> Result<(), ImageError> {
    persist::restore(model, &mut &*bytes)
}

pub fn text_of(model: &dyn Persist) -> String {
    let mut text = String::new();
    persist::describe(model, &mut |piece| text.push_str(piece));
    text
}

pub fn checksum(bytes: &[u8]) -> u32 {
    crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(bytes)
}

/// Sets the checksum right again after bytes were changed on purpose.
pub fn reseal(bytes: &mut [u8]) {
    let (body, trailer) = bytes.split_last_chunk_mut().expect("a checksum");
    *trailer = checksum(body).to_le_bytes();
}

/// A folder of images, and of what came of the models after they were loaded: layout alone would
/// not show that a number is taken for another.
///
/// What is missing is written with `POCKETRON_NEW_IMAGES=1`, and nothing is ever overwritten: an
/// image that no longer loads is a model that somebody has lost.
pub struct Kept {
    folder: PathBuf,
    used: Vec<String>,
}

impl Kept {
    pub fn in_folder(folder: &str) -> Self {
        let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden/images");
        Kept {
            folder: golden.join(folder),
            used: Vec::new(),
        }
    }

    /// The image of that name; `now` is what would be written today.
    pub fn image(&mut self, name: &str, now: &dyn Persist) -> Vec<u8> {
        self.file(format!("{name}.pktn"), &bytes_of(now))
    }

    /// Compares what came of the model of that name with what came of it when it was kept.
    pub fn future(&mut self, name: &str, now: u32) {
        let text = format!("{now:08x}\n");
        let then = self.file(format!("{name}.next"), text.as_bytes());
        let then = String::from_utf8_lossy(&then).into_owned();
        assert_eq!(text, then, "{name}: loads, but means something else");
    }

    fn file(&mut self, name: String, now: &[u8]) -> Vec<u8> {
        let path = self.folder.join(&name);
        self.used.push(name);
        if !path.exists() && env::var_os("POCKETRON_NEW_IMAGES").is_some() {
            fs::create_dir_all(&self.folder).expect("writable");
            fs::write(&path, now).expect("writable");
        }
        let shown = path.display();
        fs::read(&path).unwrap_or_else(|error| {
            panic!("{shown}: {error} (POCKETRON_NEW_IMAGES=1 makes it)");
        })
    }

    /// Nothing was left aside.
    pub fn all_were_used(&self) {
        for entry in fs::read_dir(&self.folder).expect("a folder") {
            let entry = entry.expect("readable");
            let name = entry.file_name().into_string().expect("a name");
            let known = entry.path().is_dir() || self.used.contains(&name);
            assert!(known, "{name}: nobody loads it any more");
        }
    }
}
