//! Pictures of what was learned, as SVG.
//!
//! plotters with only its SVG backend: no system fonts, no C library, and the
//! same picture on every machine.

mod axis;
mod boundary;
mod contours;
mod curve;
mod grid;
mod lines;
mod plane;

pub use axis::{Axis, Scale};
pub use boundary::{Boundary, Sample};
pub use contours::{Contours, Panels};
pub use curve::Curve;
pub use grid::Grid;
pub use lines::{Lines, Trend};
pub use plane::{Divide, Plane};

use std::{error::Error, path::Path};

use anyhow::{Result, anyhow};
use plotters::style::RGBColor;

/// Okabe and Ito's colours, which colour-blind readers can tell apart, and grey.
const PALETTE: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(150, 150, 150),
];

/// How many lines of one kind can be told apart.
pub const COLOURS: usize = PALETTE.len();

fn colour(class: usize) -> RGBColor {
    PALETTE[class % PALETTE.len()]
}

/// The errors of plotters borrow from what was drawn; this keeps their text.
fn drawn(path: &Path, result: Result<(), Box<dyn Error>>) -> Result<()> {
    result.map_err(|error| anyhow!("{}: {error}", path.display()))
}
