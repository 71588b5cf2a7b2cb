//! Predictions of a model of two features for every point of the plane.

use std::{error::Error, path::Path};

use anyhow::Result;
use plotters::prelude::*;

use super::{colour, drawn, name_series};

/// An example as it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Its two features, in units of the axes.
    pub at: [f64; 2],
    /// Its true class.
    pub class: usize,
    /// Whether the model takes it for another.
    pub wrong: bool,
}

/// The plane coloured by what the model answers, with examples on top.
pub struct Boundary<'a> {
    /// The title.
    pub title: &'a str,
    /// Names of the two features.
    pub axes: [&'a str; 2],
    /// Names of the classes.
    pub classes: &'a [&'a str],
    /// The part of the plane: from, to.
    pub range: [(f64, f64); 2],
    /// Columns and rows of the grid.
    pub grid: [usize; 2],
    /// The class of each cell's centre, row by row from below.
    pub answers: &'a [usize],
    /// Examples to show.
    pub samples: &'a [Sample],
}

impl Boundary<'_> {
    /// The centres of the cells, in the order of `answers`.
    pub fn centres(range: [(f64, f64); 2], grid: [usize; 2]) -> impl Iterator<Item = [f64; 2]> {
        let at = move |axis: usize, cell: usize| {
            let (from, to) = range[axis];
            from + (to - from) * (cell as f64 + 0.5) / grid[axis] as f64
        };
        (0..grid[1])
            .flat_map(move |row| (0..grid[0]).map(move |column| [at(0, column), at(1, row)]))
    }

    /// Writes the picture.
    pub fn write(&self, path: &Path) -> Result<()> {
        drawn(path, self.draw(path))
    }

    /// Where the legend hides the fewest examples.
    fn emptiest_corner(&self) -> SeriesLabelPosition {
        let hidden = |right: bool, top: bool| {
            let near = |at: f64, (from, to): (f64, f64), end: bool| {
                let share = (at - from) / (to - from);
                if end { share > 0.7 } else { share < 0.3 }
            };
            let [across, up] = self.range;
            let inside =
                |sample: &&Sample| near(sample.at[0], across, right) && near(sample.at[1], up, top);
            self.samples.iter().filter(inside).count()
        };
        let corners = [
            (hidden(true, true), SeriesLabelPosition::UpperRight),
            (hidden(true, false), SeriesLabelPosition::LowerRight),
            (hidden(false, true), SeriesLabelPosition::UpperLeft),
            (hidden(false, false), SeriesLabelPosition::LowerLeft),
        ];
        let emptiest = corners.into_iter().min_by_key(|(hidden, _)| *hidden);
        emptiest.map_or(SeriesLabelPosition::UpperRight, |(_, corner)| corner)
    }

    fn draw(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        let root = SVGBackend::new(path, (800, 600)).into_drawing_area();
        root.fill(&WHITE)?;
        let [(left, right), (bottom, top)] = self.range;
        let mut chart = ChartBuilder::on(&root)
            .caption(self.title, ("sans-serif", 22))
            .margin(14)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(left..right, bottom..top)?;
        let width = (right - left) / self.grid[0] as f64;
        let height = (top - bottom) / self.grid[1] as f64;
        let rows = self.answers.chunks(self.grid[0]);
        // One rectangle for neighbours that agree keeps the file small.
        let fields = rows.enumerate().flat_map(|(row, answers)| {
            let low = bottom + row as f64 * height;
            let mut column = 0;
            answers.chunk_by(|a, b| a == b).map(move |run| {
                let from = left + column as f64 * width;
                column += run.len();
                let to = left + column as f64 * width;
                let style = colour(run[0]).mix(0.18).filled();
                Rectangle::new([(from, low), (to, low + height)], style)
            })
        });
        chart.draw_series(fields)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .x_desc(self.axes[0])
            .y_desc(self.axes[1])
            .axis_desc_style(("sans-serif", 16))
            .label_style(("sans-serif", 14))
            .draw()?;
        for (class, name) in self.classes.iter().enumerate() {
            let own = self.samples.iter().filter(|sample| sample.class == class);
            let dot = colour(class).filled();
            chart
                .draw_series(own.map(|sample| Circle::new((sample.at[0], sample.at[1]), 4, dot)))?
                .label(*name)
                .legend(move |(x, y)| Circle::new((x + 8, y), 4, dot));
        }
        let wrong = self.samples.iter().filter(|sample| sample.wrong);
        let ring = BLACK.stroke_width(2);
        chart
            .draw_series(wrong.map(|sample| Circle::new((sample.at[0], sample.at[1]), 7, ring)))?
            .label("taken for another")
            .legend(move |(x, y)| Circle::new((x + 8, y), 7, ring));
        name_series(&mut chart, self.emptiest_corner())?;
        root.present()?;
        Ok(())
    }
}
