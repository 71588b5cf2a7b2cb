//! Files of models: an image, and behind it what only the PC knows.
//!
//! A device has classes by number. A file that `train` writes also says how the classes and features are called and which front end made the
//! features: JSON behind the image, after the four bytes `PKTL`. An image says how long it is, so that the two part again, and a file with nothing
//! behind the image is a model file, too. A device gets the image alone.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::HostModel;
use crate::files;

/// Between the image and the description.
const MAGIC: &[u8; 4] = b"PKTL";

/// What the PC knows of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Names of the classes, by number.
    pub labels: Vec<String>,
    /// Names of the features.
    pub features: Vec<String>,
    /// The front end that made the features of samples, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub front: Option<FrontEnd>,
}

/// A front end and its sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrontEnd {
    /// `motion` or `vibration`.
    pub name: String,
    /// Samples in a window.
    pub window: usize,
    /// Samples from a window to the next.
    pub hop: usize,
    /// Format of a number in a sample.
    pub sample: String,
}

impl FrontEnd {
    /// Its type in Rust, which makes so many features.
    pub fn rust_type(&self, features: usize) -> String {
        let (kind, channels) = match self.name.as_str() {
            "motion" => ("MotionFeatures", 3),
            _ => ("VibrationFeatures", 1),
        };
        let (sample, window, panes) = (&self.sample, self.window, self.window / self.hop);
        format!(
            "pocketron::signal::Windowed<{sample}, pocketron::signal::{kind}, {channels}, {window}, {panes}, {features}>"
        )
    }
}

impl Description {
    /// The name of a class; its number if it has none.
    pub fn label(&self, class: u8) -> String {
        let label = self.labels.get(usize::from(class)).cloned();
        label.unwrap_or_else(|| class.to_string())
    }
}

/// An image with its description.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFile {
    /// The image, as a device has it.
    pub image: Vec<u8>,
    /// What is behind it.
    pub description: Description,
}

impl ModelFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// It cannot be read, or what is behind the image is no description.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        Self::of_bytes(bytes).with_context(|| path.display().to_string())
    }

    fn of_bytes(mut bytes: Vec<u8>) -> Result<Self> {
        // Whatever is wrong with the image itself is found when it is opened.
        let len = bytes.get(8..).and_then(|rest| rest.first_chunk());
        let len = len.map_or(usize::MAX, |len| u32::from_le_bytes(*len) as usize);
        if len >= bytes.len() {
            let (image, description) = (bytes, Description::default());
            return Ok(ModelFile { image, description });
        }
        let behind = bytes.split_off(len);
        let Some(text) = behind.strip_prefix(MAGIC) else {
            bail!(
                "{} bytes behind the image are not of a model file",
                behind.len()
            );
        };
        let description = serde_json::from_slice(text);
        Ok(ModelFile {
            image: bytes,
            description: description.context("the description behind the image is damaged")?,
        })
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut bytes = self.image.clone();
        if self.description != Description::default() {
            bytes.extend(MAGIC);
            serde_json::to_writer(&mut bytes, &self.description)?;
        }
        files::replace(path, &bytes)
    }

    /// The model.
    ///
    /// # Errors
    ///
    /// The image is damaged, or of a kind that the host does not run.
    pub fn open(&self) -> Result<HostModel> {
        Ok(HostModel::open(&self.image)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::image_of;
    use pocketron::prelude::*;

    #[test]
    fn a_file_comes_back_with_or_without_a_description() {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join("some.pktn");
        let description = Description {
            labels: vec!["walk".into(), "rest".into()],
            features: vec!["x".into()],
            front: None,
        };
        for description in [description, Description::default()] {
            let image = image_of(&Pocketron::<1, 2>::new());
            let file = ModelFile { image, description };
            file.write(&path).expect("written");
            assert_eq!(ModelFile::read(&path).expect("read"), file);
        }
    }

    #[test]
    fn what_is_behind_an_image_is_looked_at() {
        let image = image_of(&Pocketron::<1, 2>::new());
        for behind in [
            &b"x"[..],
            b"PKTL",
            b"PKTL{}",
            b"PKTL{\"labels\":[],\"features\":[],\"x\":1}",
        ] {
            let bytes = [&image, behind].concat();
            assert!(ModelFile::of_bytes(bytes).is_err(), "{behind:?}");
        }
    }
}
