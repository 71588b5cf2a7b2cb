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
use plotters::{coord::CoordTranslate, drawing::DrawingAreaErrorKind, prelude::*};

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

/// Draws the names of the series into a corner.
fn name_series<'a, B: DrawingBackend + 'a, C: CoordTranslate>(
    chart: &mut ChartContext<'a, B, C>,
    corner: SeriesLabelPosition,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    chart
        .configure_series_labels()
        .position(corner)
        .margin(16)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 14))
        .draw()
}
