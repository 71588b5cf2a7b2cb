//! Named points in a plane, and the lines that divide it.

use std::{error::Error, path::Path};

use anyhow::Result;
use plotters::prelude::*;

use super::{colour, drawn, name_series};

/// A line `a + b x + c y = 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Divide {
    /// `a`, `b` and `c`.
    pub coefficients: [f64; 3],
    /// The class of what it belongs to: the second is drawn with dashes.
    pub class: usize,
}

impl Divide {
    /// The part inside of a rectangle, if there is one.
    fn within(&self, [(left, right), (bottom, top)]: [(f64, f64); 2]) -> Option<[(f64, f64); 2]> {
        let [a, b, c] = self.coefficients;
        let at_x = [left, right].map(|x| (x, -(a + b * x) / c));
        let at_y = [bottom, top].map(|y| (-(a + c * y) / b, y));
        // A corner belongs to two sides; not-a-number, of a line along a side, to none.
        let on_side = |(_, y): &(f64, f64)| (bottom..=top).contains(y);
        let between = |(x, _): &(f64, f64)| *x > left && *x < right;
        let sides = at_x.into_iter().filter(on_side);
        let mut ends = sides.chain(at_y.into_iter().filter(between));
        Some([ends.next()?, ends.next()?])
    }
}

/// A part of a plane.
pub struct Plane<'a> {
    /// The title.
    pub title: &'a str,
    /// Names of the two directions.
    pub axes: [&'a str; 2],
    /// The part that is shown: from, to.
    pub range: [(f64, f64); 2],
    /// Names of the lines of both classes.
    pub classes: [&'a str; 2],
    /// The lines.
    pub lines: &'a [Divide],
    /// Names and places of the points.
    pub points: &'a [(String, [f64; 2])],
}

impl Plane<'_> {
    /// Writes the picture.
    pub fn write(&self, path: &Path) -> Result<()> {
        drawn(path, self.draw(path))
    }

    fn draw(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        let root = SVGBackend::new(path, (800, 640)).into_drawing_area();
        root.fill(&WHITE)?;
        let [(left, right), (bottom, top)] = self.range;
        let mut chart = ChartBuilder::on(&root)
            .caption(self.title, ("sans-serif", 20))
            .margin(14)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d(left..right, bottom..top)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .x_desc(self.axes[0])
            .y_desc(self.axes[1])
            .axis_desc_style(("sans-serif", 16))
            .label_style(("sans-serif", 14))
            .draw()?;
        for (class, name) in self.classes.into_iter().enumerate() {
            let style = colour(class).stroke_width(1);
            let own = self.lines.iter().filter(|line| line.class == class);
            let parts: Vec<_> = own.filter_map(|line| line.within(self.range)).collect();
            let mut first = true;
            for part in parts {
                let series = match class {
                    0 => chart.draw_series(LineSeries::new(part, style))?,
                    _ => chart.draw_series(DashedLineSeries::new(part, 3, 4, style))?,
                };
                if std::mem::take(&mut first) {
                    series
                        .label(name)
                        .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
                }
            }
        }
        let dot = BLACK.filled();
        chart.draw_series(self.points.iter().map(|(name, [x, y])| {
            let label = Text::new(name.clone(), (7, -16), ("sans-serif", 15));
            EmptyElement::at((*x, *y)) + Circle::new((0, 0), 4, dot) + label
        }))?;
        name_series(&mut chart, SeriesLabelPosition::LowerRight)?;
        root.present()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_line_the_part_inside_is_drawn() {
        let range = [(-1.0, 3.0), (0.0, 2.0)];
        let within = |coefficients| {
            let class = 0;
            Divide {
                coefficients,
                class,
            }
            .within(range)
        };
        assert_eq!(within([-1.0, 0.0, 1.0]), Some([(-1.0, 1.0), (3.0, 1.0)]));
        assert_eq!(within([-1.0, 1.0, 0.0]), Some([(1.0, 0.0), (1.0, 2.0)]));
        assert_eq!(within([0.0, -1.0, 1.0]), Some([(0.0, 0.0), (2.0, 2.0)]));
        assert_eq!(within([5.0, 0.0, 1.0]), None);
        assert_eq!(within([9.0, 1.0, 1.0]), None);
    }

    #[test]
    fn points_have_their_names() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("plane.svg");
        let lines = [0, 1].map(|class| Divide {
            coefficients: [-1.0, 1.0, 0.5],
            class,
        });
        let plane = Plane {
            title: "a slice",
            axes: ["u", "v"],
            range: [(0.0, 2.0), (0.0, 2.0)],
            classes: ["negative", "positive"],
            lines: &lines,
            points: &[("SVM".into(), [1.0, 1.0])],
        };
        plane.write(&path).unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        for part in ["a slice", "negative", "positive", "SVM"] {
            assert!(text.contains(part), "{part}");
        }
    }
}
