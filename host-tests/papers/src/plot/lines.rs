//! Lines over two axes, with a legend beside them.

use std::{error::Error, path::Path};

use anyhow::Result;
use plotters::{coord::Shift, element::DashedPathElement, prelude::*};

use super::{Axis, axis::Frame, colour, drawn};

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    /// Its name.
    pub name: String,
    /// Which colour of the palette, and which marker; lines of one kind may share them.
    pub colour: usize,
    /// Whether it is dashed.
    pub dashed: bool,
    /// Its points: across, up, and how far up and down an error bar reaches (zero for none).
    pub points: Vec<(f64, f64, f64)>,
}

/// A chart of lines.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    /// The title.
    pub title: &'a str,
    /// Across and up.
    pub axes: [Axis<'a>; 2],
    /// The lines, in the order of the legend.
    pub lines: &'a [Trend],
}

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

impl Lines<'_> {
    /// Writes the picture.
    pub fn write(&self, path: &Path) -> Result<()> {
        drawn(path, self.draw(path))
    }

    fn draw(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        const SIZE: (u32, u32) = (900, 520);
        let root = SVGBackend::new(path, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let longest = self.lines.iter().map(|line| line.name.chars().count());
        let legend = 70 + 8 * longest.max().unwrap_or(0) as u32;
        let (chart, legend) = root.split_horizontally(SIZE.0.saturating_sub(legend));
        self.draw_chart(&chart, self.lines)?;
        draw_legend(&legend, self.lines)?;
        root.present()?;
        Ok(())
    }

    /// Axes that have room for the lines of `room`, and the chart's own lines.
    pub(super) fn draw_chart<'a>(
        &self,
        area: &Area<'_>,
        room: impl IntoIterator<Item = &'a Trend>,
    ) -> Result<(), Box<dyn Error>> {
        let [across, up] = self.axes;
        let points: Vec<_> = room.into_iter().flat_map(|line| &line.points).collect();
        let x = Frame::around(across.scale, points.iter().map(|(x, ..)| *x));
        let ends = points.iter();
        let ends = ends.flat_map(|(_, y, error)| [y - error, y + error]);
        let y = Frame::around(up.scale, ends);
        let mut chart = ChartBuilder::on(area)
            .caption(self.title, ("sans-serif", 20))
            .margin(14)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .x_desc(across.label)
            .y_desc(up.label)
            .axis_desc_style(("sans-serif", 16))
            .label_style(("sans-serif", 14))
            .bold_line_style(BLACK.mix(0.12))
            .draw()?;
        for line in self.lines {
            let style = colour(line.colour).stroke_width(2);
            let path: Vec<_> = line.points.iter().map(|(x, y, _)| (*x, *y)).collect();
            let markers = path.iter();
            let markers = markers.map(|at| EmptyElement::at(*at) + marker(line.colour));
            chart.draw_series(markers)?;
            if line.dashed {
                chart.draw_series(DashedLineSeries::new(path, 6, 4, style))?;
            } else {
                chart.draw_series(LineSeries::new(path, style))?;
            }
            let spread = line.points.iter().filter(|(_, _, error)| *error > 0.0);
            let thin = colour(line.colour).stroke_width(1);
            chart.draw_series(
                spread.map(|(x, y, error)| {
                    PathElement::new([(*x, y - error), (*x, y + error)], thin)
                }),
            )?;
        }
        Ok(())
    }
}

/// The names of lines, one below the other.
pub(super) fn draw_legend<'a>(
    area: &Area<'_>,
    lines: impl IntoIterator<Item = &'a Trend>,
) -> Result<(), Box<dyn Error>> {
    for (number, line) in lines.into_iter().enumerate() {
        let y = 64 + 24 * number as i32;
        let style = colour(line.colour).stroke_width(2);
        let stroke = [(4, y), (34, y)];
        if line.dashed {
            area.draw(&DashedPathElement::new(stroke, 6, 4, style))?;
        } else {
            area.draw(&PathElement::new(stroke, style))?;
        }
        area.draw(&(EmptyElement::at((19, y)) + marker(line.colour)))?;
        area.draw(&Text::new(
            line.name.as_str(),
            (42, y - 7),
            ("sans-serif", 15),
        ))?;
    }
    Ok(())
}

/// Marker of the points of a line, in pixels around them: neighbours in the palette also differ in shape.
fn marker(number: usize) -> Polygon<(i32, i32)> {
    let corners: &[(i32, i32)] = match number % 5 {
        0 => &[
            (4, 2),
            (2, 4),
            (-2, 4),
            (-4, 2),
            (-4, -2),
            (-2, -4),
            (2, -4),
            (4, -2),
        ],
        1 => &[(0, -5), (5, 4), (-5, 4)],
        2 => &[(0, -5), (5, 0), (0, 5), (-5, 0)],
        3 => &[(-4, -4), (4, -4), (4, 4), (-4, 4)],
        _ => &[(0, 5), (5, -4), (-5, -4)],
    };
    Polygon::new(corners, colour(number).filled())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_names_its_axes_and_lines() {
        let line = |name: &str, dashed| Trend {
            name: name.into(),
            colour: 0,
            dashed,
            points: vec![(1.0, 20.0, 0.5), (100.0, 10.0, 0.0)],
        };
        let file = tempfile::NamedTempFile::new().unwrap();
        let lines = [line("first", false), line("second", true)];
        let chart = Lines {
            title: "falling",
            axes: [Axis::logarithmic("epochs"), Axis::even("error (%)")],
            lines: &lines,
        };
        chart.write(file.path()).unwrap();
        let drawn = std::fs::read_to_string(file.path()).unwrap();
        for text in ["falling", "epochs", "error (%)", "first", "second", "100"] {
            assert!(drawn.contains(text), "{text}");
        }
        assert!(
            chart.write("/nowhere/at/all.svg".as_ref()).is_err(),
            "a directory that is not there"
        );
    }
}
