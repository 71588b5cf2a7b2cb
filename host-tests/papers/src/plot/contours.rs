//! Decision functions in the plane, side by side: where they are zero, where a margin is reached, and what is stored.

use std::{
    collections::{HashMap, VecDeque},
    error::Error,
    path::Path,
};

use anyhow::Result;
use plotters::prelude::*;

use super::{colour, drawn};

/// A function of two features, known at the corners of a grid.
pub struct Contours {
    /// The title.
    pub title: String,
    /// The square of the plane: from, to, the same along both axes.
    pub range: (f64, f64),
    /// Corners along each side.
    pub side: usize,
    /// The function at the corners, row by row from below.
    pub values: Vec<f64>,
    /// Points to show, and whether they are positive.
    pub points: Vec<([f64; 2], bool)>,
}

/// Several of them in one picture.
pub struct Panels<'a> {
    /// One beside the other.
    pub panels: &'a [Contours],
    /// How many in a row.
    pub columns: usize,
}

/// Lines of a panel: level, colour, width, name. A side has one colour, for its margin and its points.
const LEVELS: [(f64, usize, u32, &str); 3] = [
    (1.0, 1, 1, "f = +1"),
    (-1.0, 0, 1, "f = -1"),
    (0.0, 6, 2, "boundary"),
];
/// Colours of positive and negative points.
const POINTS: [(bool, usize, &str); 2] = [(true, 1, "positive"), (false, 0, "negative")];

const PANEL: u32 = 300;
const LEGEND: u32 = 40;

impl Panels<'_> {
    /// Writes the picture.
    pub fn write(&self, path: &Path) -> Result<()> {
        drawn(path, self.draw(path))
    }

    fn draw(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        let rows = self.panels.len().div_ceil(self.columns);
        let size = (PANEL * self.columns as u32, PANEL * rows as u32 + LEGEND);
        let root = SVGBackend::new(path, size).into_drawing_area();
        root.fill(&WHITE)?;
        let (panels, legend) = root.split_vertically(PANEL * rows as u32);
        for (area, panel) in panels
            .split_evenly((rows, self.columns))
            .iter()
            .zip(self.panels)
        {
            panel.draw(area)?;
        }
        let text = ("sans-serif", 16).into_font();
        let mut x = 30;
        for (_, number, width, name) in LEVELS {
            let line = [(x, 16), (x + 26, 16)];
            legend.draw(&PathElement::new(
                line,
                colour(number).stroke_width(width + 1),
            ))?;
            legend.draw(&Text::new(name, (x + 34, 8), text.clone()))?;
            x += 130;
        }
        for (_, number, name) in POINTS {
            legend.draw(&Circle::new((x + 8, 16), 4, colour(number).filled()))?;
            let name = format!("{name} support vector");
            legend.draw(&Text::new(name, (x + 20, 8), text.clone()))?;
            x += 220;
        }
        legend.draw(&Text::new("first feature across, second up", (x, 8), text))?;
        root.present()?;
        Ok(())
    }
}

impl Contours {
    fn draw<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, plotters::coord::Shift>,
    ) -> Result<(), Box<dyn Error>>
    where
        B::ErrorType: 'static,
    {
        let (from, to) = self.range;
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, ("sans-serif", 17))
            .margin(8)
            .x_label_area_size(22)
            .y_label_area_size(26)
            .build_cartesian_2d(from..to, from..to)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .x_labels(5)
            .y_labels(5)
            .label_style(("sans-serif", 11))
            .draw()?;
        for (positive, number, _) in POINTS {
            let own = self.points.iter().filter(|(_, sign)| *sign == positive);
            let dot = colour(number).mix(0.8).filled();
            chart.draw_series(own.map(|(at, _)| Circle::new((at[0], at[1]), 2, dot)))?;
        }
        for (level, number, width, _) in LEVELS {
            let style = colour(number).stroke_width(width);
            let lines = joined(segments(&self.values, self.side, level));
            let at = |(x, y): &Point| (self.coordinate(*x), self.coordinate(*y));
            let line =
                |line: Vec<Point>| PathElement::new(line.iter().map(at).collect::<Vec<_>>(), style);
            chart.draw_series(lines.into_iter().map(line))?;
        }
        Ok(())
    }

    /// A coordinate from its place in the grid.
    fn coordinate(&self, place: f64) -> f64 {
        let (from, to) = self.range;
        from + (to - from) * place / (self.side - 1) as f64
    }

    /// The corners of the grid, in the order of `values`.
    pub fn corners(range: (f64, f64), side: usize) -> impl Iterator<Item = [f64; 2]> {
        let at =
            move |place: usize| range.0 + (range.1 - range.0) * place as f64 / (side - 1) as f64;
        (0..side).flat_map(move |row| (0..side).map(move |column| [at(column), at(row)]))
    }
}

/// A point in units of the grid.
type Point = (f64, f64);

/// Where a function crosses a level, as straight pieces inside the squares of its grid (marching squares). A square
/// with opposite corners on the same side is divided by the mean of its corners.
fn segments(values: &[f64], side: usize, level: f64) -> Vec<[Point; 2]> {
    let mut found = Vec::new();
    for row in 0..side - 1 {
        for column in 0..side - 1 {
            let corner = |dx: usize, dy: usize| values[(row + dy) * side + column + dx] - level;
            // Round the square: below left, below right, above right, above left.
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1)];
            let heights = corners.map(|(dx, dy)| corner(dx, dy));
            let crossings: Vec<Point> = (0..4)
                .filter(|edge| (heights[*edge] > 0.0) != (heights[(edge + 1) % 4] > 0.0))
                .map(|edge| {
                    let (a, b) = (heights[edge], heights[(edge + 1) % 4]);
                    let share = a / (a - b);
                    let ((x, y), (to_x, to_y)) = (corners[edge], corners[(edge + 1) % 4]);
                    let between =
                        |from: usize, to: usize| from as f64 + share * (to as f64 - from as f64);
                    (
                        column as f64 + between(x, to_x),
                        row as f64 + between(y, to_y),
                    )
                })
                .collect();
            match crossings[..] {
                [a, b] => found.push([a, b]),
                [a, b, c, d] => {
                    let centre = heights.iter().sum::<f64>() > 0.0;
                    // The corner between the first two crossings is cut off unless the centre is on its side.
                    let cut = if centre == (heights[1] > 0.0) {
                        [[a, d], [b, c]]
                    } else {
                        [[a, b], [c, d]]
                    };
                    found.extend(cut);
                }
                _ => {}
            }
        }
    }
    found
}

/// Pieces that meet as one line, which makes the file small.
fn joined(segments: Vec<[Point; 2]>) -> Vec<Vec<Point>> {
    // Neighbouring squares compute the same crossing, but for rounding.
    let place = |(x, y): Point| [x, y].map(|value| (value * 1e6).round() as i64);
    let mut ends: HashMap<[i64; 2], Vec<usize>> = HashMap::new();
    for (number, segment) in segments.iter().enumerate() {
        for end in segment {
            ends.entry(place(*end)).or_default().push(number);
        }
    }
    let mut free = vec![true; segments.len()];
    let mut lines = Vec::new();
    for start in 0..segments.len() {
        if !std::mem::take(&mut free[start]) {
            continue;
        }
        let mut line = VecDeque::from(segments[start]);
        for forward in [true, false] {
            loop {
                let end = place(if forward {
                    line[line.len() - 1]
                } else {
                    line[0]
                });
                let next = ends.get(&end).into_iter().flatten();
                let Some(next) = next.copied().find(|next| free[*next]) else {
                    break;
                };
                free[next] = false;
                let [a, b] = segments[next];
                let other = if place(a) == end { b } else { a };
                if forward {
                    line.push_back(other);
                } else {
                    line.push_front(other);
                }
            }
        }
        lines.push(line.into());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_of_a_circle_are_one_line() {
        let side = 41;
        let cone = Contours::corners((-2.0, 2.0), side).map(|[x, y]| x.hypot(y));
        let pieces = segments(&cone.collect::<Vec<_>>(), side, 1.33);
        let count = pieces.len();
        let lines = joined(pieces);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].len(), count + 1);
        assert_eq!(lines[0].first(), lines[0].last());
    }

    #[test]
    fn the_level_of_a_cone_is_a_circle() {
        let side = 41;
        let cone = Contours::corners((-2.0, 2.0), side).map(|[x, y]| x.hypot(y));
        let values: Vec<f64> = cone.collect();
        let segments = segments(&values, side, 1.3);
        assert!(segments.len() > 60);
        let mut length = 0.0;
        for [a, b] in segments {
            let at = |(x, y): Point| (x / 10.0 - 2.0, y / 10.0 - 2.0);
            let (a, b) = (at(a), at(b));
            assert!((a.0.hypot(a.1) - 1.3).abs() < 0.01);
            length += (a.0 - b.0).hypot(a.1 - b.1);
        }
        assert!(
            (length / (2.6 * std::f64::consts::PI) - 1.0).abs() < 0.01,
            "{length}"
        );
    }

    #[test]
    fn a_saddle_is_cut_twice() {
        let cut = |values: [f64; 4]| segments(&values, 2, 0.0);
        assert_eq!(cut([1.0, -1.0, -1.0, 1.0]).len(), 2);
        assert_eq!(cut([1.0, 1.0, 1.0, 1.0]).len(), 0);
        // Below left and above right are high, and the middle is: each low corner is cut off alone.
        let high = cut([3.0, -1.0, -1.0, 3.0]);
        assert!(
            high.iter()
                .any(|[a, b]| *a == (0.75, 0.0) && *b == (1.0, 0.25)),
            "{high:?}"
        );
        let low = cut([1.0, -3.0, -3.0, 1.0]);
        assert!(
            low.iter()
                .any(|[a, b]| *a == (0.25, 0.0) && *b == (0.0, 0.25)),
            "{low:?}"
        );
    }
}
