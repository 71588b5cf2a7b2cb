//! Named points in a plane, and the lines that divide it.

use std::{error::Error, path::Path};

use anyhow::Result;
use plotters::{element::DashedPathElement, prelude::*};

use super::{colour, drawn};

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
        let root = SVGBackend::new(path, (800, 640 + LEGEND)).into_drawing_area();
        root.fill(&WHITE)?;
        let (area, legend) = root.split_vertically(640);
        let [(left, right), (bottom, top)] = self.range;
        let mut chart = ChartBuilder::on(&area)
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
        for line in self.lines {
            let Some(part) = line.within(self.range) else {
                continue;
            };
            let style = colour(line.class).stroke_width(1);
            match line.class {
                0 => chart.draw_series(LineSeries::new(part, style))?,
                _ => chart.draw_series(DashedLineSeries::new(part, DASH.0, DASH.1, style))?,
            };
        }
        let dot = BLACK.filled();
        let dots = self.points.iter().map(|(_, [x, y])| (*x, *y));
        chart.draw_series(dots.clone().map(|at| Circle::new(at, 4, dot)))?;
        let dots: Vec<_> = dots.map(|at| chart.backend_coord(&at)).collect();
        let names: Vec<_> = self.points.iter().map(|(name, _)| name.as_str()).collect();
        for (name, label) in names.iter().zip(beside(&dots, &names)) {
            root.draw(&Text::new(*name, label.corner, ("sans-serif", 15)))?;
        }
        let mut x = 80;
        for (class, name) in self.classes.into_iter().enumerate() {
            let style = colour(class).stroke_width(2);
            let line = [(x, 12), (x + 30, 12)];
            match class {
                0 => legend.draw(&PathElement::new(line, style))?,
                _ => legend.draw(&DashedPathElement::new(line, DASH.0, DASH.1, style))?,
            }
            legend.draw(&Text::new(name, (x + 38, 4), ("sans-serif", 15)))?;
            x += 80 + 8 * name.chars().count() as i32;
        }
        root.present()?;
        Ok(())
    }
}

/// Height of the legend, below the chart: no corner of the plane is sure to be free.
const LEGEND: u32 = 30;

/// Length of the dashes of the second class, and of the gaps.
const DASH: (u32, u32) = (3, 4);

/// Pixels that the name of a point covers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Label {
    /// Above left.
    corner: (i32, i32),
    width: i32,
}

impl Label {
    const HEIGHT: i32 = 15;

    /// Whether it covers a point that is drawn with that radius.
    fn covers(&self, (x, y): (i32, i32), radius: i32) -> bool {
        let (left, top) = self.corner;
        (left - radius..=left + self.width + radius).contains(&x)
            && (top - radius..=top + Self::HEIGHT + radius).contains(&y)
    }

    fn overlaps(&self, other: &Label) -> bool {
        let apart = |a: i32, b: i32, before: i32, after: i32| a + before <= b || b + after <= a;
        let ((left, top), (other_left, other_top)) = (self.corner, other.corner);
        !apart(left, other_left, self.width, other.width)
            && !apart(top, other_top, Self::HEIGHT, Self::HEIGHT)
    }
}

/// A place for the name of each point: above right, unless that covers another point or a name before it.
fn beside(points: &[(i32, i32)], names: &[&str]) -> Vec<Label> {
    let mut placed: Vec<Label> = Vec::new();
    for (number, ((x, y), name)) in points.iter().zip(names).enumerate() {
        let width = 9 * name.chars().count() as i32;
        let corners = [
            (x + 7, y - 16),
            (x - 7 - width, y - 16),
            (x + 7, y + 4),
            (x - 7 - width, y + 4),
        ];
        let labels = corners.map(|corner| Label { corner, width });
        let is_free = |label: &&Label| {
            let mut others = points.iter().enumerate();
            let covers = others.any(|(other, at)| other != number && label.covers(*at, 4));
            !covers && !placed.iter().any(|other| label.overlaps(other))
        };
        let free = labels.iter().find(is_free).copied();
        placed.push(free.unwrap_or(labels[0]));
    }
    placed
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
    fn no_name_covers_a_point_or_another_name() {
        let points = [(100, 100), (120, 90), (110, 108), (300, 100)];
        let names = ["first", "2nd", "third", "far away"];
        let labels = beside(&points, &names);
        assert_eq!(labels[3].corner, (307, 84), "nothing is in its way");
        for (number, label) in labels.iter().enumerate() {
            let others = points.iter().enumerate();
            let covered = others.filter(|(other, at)| *other != number && label.covers(**at, 4));
            assert_eq!(covered.count(), 0, "{number}");
            let before = &labels[..number];
            assert!(
                !before.iter().any(|other| label.overlaps(other)),
                "{number}"
            );
        }
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
