//! Accuracy against examples.

use std::{error::Error, path::Path};

use anyhow::Result;
use plotters::prelude::*;

use super::{colour, drawn, name_series};

/// How accuracy grows with the examples.
pub struct Curve<'a> {
    /// The title.
    pub title: &'a str,
    /// Names of the lines, and their points: examples learned, accuracy in percent.
    pub lines: &'a [(&'a str, Vec<(f64, f64)>)],
    /// A level to compare with, such as the accuracy on unseen examples.
    pub level: Option<(String, f64)>,
}

impl Curve<'_> {
    /// Writes the picture.
    pub fn write(&self, path: &Path) -> Result<()> {
        drawn(path, self.draw(path))
    }

    fn draw(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        let root = SVGBackend::new(path, (800, 480)).into_drawing_area();
        root.fill(&WHITE)?;
        let points = || self.lines.iter().flat_map(|(_, points)| points);
        let end = points().map(|point| point.0).fold(1.0, f64::max);
        let level = self.level.as_ref().map(|(_, level)| *level);
        let lowest = points().map(|point| point.1).chain(level);
        let lowest = lowest.fold(100.0, f64::min);
        let bottom = ((lowest - 2.0) / 10.0).floor().max(0.0) * 10.0;
        let mut chart = ChartBuilder::on(&root)
            .caption(self.title, ("sans-serif", 22))
            .margin(14)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(0.0..end, bottom..100.0)?;
        chart
            .configure_mesh()
            .x_desc("examples learned")
            .y_desc("accuracy (%)")
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| format!("{y:.0}"))
            .axis_desc_style(("sans-serif", 16))
            .label_style(("sans-serif", 14))
            .light_line_style(TRANSPARENT)
            .draw()?;
        for (number, (name, points)) in self.lines.iter().enumerate() {
            let style = colour(number).stroke_width(2);
            chart
                .draw_series(LineSeries::new(points.iter().copied(), style))?
                .label(*name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], style));
        }
        if let Some((name, level)) = &self.level {
            let style = BLACK.stroke_width(1);
            let line = [(0.0, *level), (end, *level)];
            chart
                .draw_series(DashedLineSeries::new(line, 6, 4, style))?
                .label(name)
                .legend(move |(x, y)| {
                    let line = [(x, y), (x + 22, y)];
                    plotters::element::DashedPathElement::new(line, 6, 4, style)
                });
        }
        name_series(&mut chart, SeriesLabelPosition::LowerRight)?;
        root.present()?;
        Ok(())
    }
}
