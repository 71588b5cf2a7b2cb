//! Several charts of lines in one picture, with one legend.

use std::{error::Error, path::Path};

use anyhow::Result;
use plotters::prelude::*;

use super::{
    drawn,
    lines::{Lines, Trend, draw_legend},
};

/// Charts in a row.
const ACROSS: usize = 3;

/// Width and height of a chart.
const CHART: (u32, u32) = (400, 320);

/// Charts of the same axes whose lines have the same names and colours, the first chart at the top left.
#[derive(Clone, Debug)]
pub struct Grid<'a> {
    /// The charts, row by row.
    pub charts: &'a [Lines<'a>],
}

impl Grid<'_> {
    /// Writes the picture.
    pub fn write(&self, path: &Path) -> Result<()> {
        drawn(path, self.draw(path))
    }

    /// The lines of all charts.
    fn lines(&self) -> impl Iterator<Item = &Trend> {
        self.charts.iter().flat_map(|chart| chart.lines)
    }

    /// The same, each name once.
    fn legend(&self) -> Vec<&Trend> {
        let mut legend: Vec<&Trend> = Vec::new();
        for line in self.lines() {
            if !legend.iter().any(|known| known.name == line.name) {
                legend.push(line);
            }
        }
        legend.sort_by_key(|line| line.colour);
        legend
    }

    fn draw(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        let legend = self.legend();
        let longest = legend.iter().map(|line| line.name.chars().count());
        let beside = 70 + 8 * longest.max().unwrap_or(0) as u32;
        let across = self.charts.len().clamp(1, ACROSS);
        let rows = self.charts.len().div_ceil(across).max(1);
        let width = across as u32 * CHART.0;
        let size = (width + beside, rows as u32 * CHART.1);
        let root = SVGBackend::new(path, size).into_drawing_area();
        root.fill(&WHITE)?;
        let (charts, beside) = root.split_horizontally(width);
        let places = charts.split_evenly((rows, across));
        for (chart, place) in self.charts.iter().zip(&places) {
            chart.draw_chart(place, self.lines())?;
        }
        draw_legend(&beside, legend)?;
        root.present()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Axis;

    #[test]
    fn charts_share_a_legend() {
        let line = |name: &str| Trend {
            name: name.into(),
            colour: 0,
            dashed: false,
            points: vec![(1.0, 20.0, 0.0), (100.0, 10.0, 0.0)],
        };
        let (both, one) = ([line("first"), line("second")], [line("second")]);
        let chart = |title, lines| Lines {
            title,
            axes: [Axis::logarithmic("examples"), Axis::even("error (%)")],
            lines,
        };
        let charts = [
            chart("north", &both[..]),
            chart("south", &one),
            chart("east", &one),
            chart("west", &one),
        ];
        let file = tempfile::NamedTempFile::new().unwrap();
        Grid { charts: &charts }.write(file.path()).unwrap();
        let drawn = std::fs::read_to_string(file.path()).unwrap();
        for (text, count) in [
            ("north", 1),
            ("south", 1),
            ("east", 1),
            ("west", 1),
            ("first", 1),
            ("second", 1),
            ("examples", 4),
        ] {
            assert_eq!(drawn.matches(text).count(), count, "{text}");
        }
    }
}
