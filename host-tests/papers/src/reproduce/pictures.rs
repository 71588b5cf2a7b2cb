//! The pictures of an experiment, as files in one directory.

use std::path::Path;

use anyhow::Result;

use crate::plot::{Axis, Lines, Trend};

/// Where pictures go, and what was drawn so far.
#[derive(Debug)]
pub struct Pictures<'a> {
    directory: &'a Path,
    /// File names and captions.
    drawn: Vec<(String, String)>,
}

impl<'a> Pictures<'a> {
    /// None yet.
    pub fn new(directory: &'a Path) -> Self {
        Pictures {
            directory,
            drawn: Vec::new(),
        }
    }

    /// Writes one picture: `file` is its name without `.svg`.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn add(
        &mut self,
        file: &str,
        caption: &str,
        write: impl FnOnce(&Path) -> Result<()>,
    ) -> Result<()> {
        let file = format!("{file}.svg");
        write(&self.directory.join(&file))?;
        self.drawn.push((file, caption.to_owned()));
        Ok(())
    }

    /// Writes a chart of lines, unless all of them are empty: `above` stands before its title in the caption.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn lines(
        &mut self,
        file: &str,
        above: &str,
        title: &str,
        axes: [Axis<'_>; 2],
        lines: &[Trend],
    ) -> Result<()> {
        if lines.iter().all(|line| line.points.is_empty()) {
            return Ok(());
        }
        let chart = Lines { title, axes, lines };
        self.add(file, &format!("{above}{title}"), |path| chart.write(path))
    }

    /// File names and captions of all that were drawn.
    pub fn drawn(self) -> Vec<(String, String)> {
        self.drawn
    }
}
