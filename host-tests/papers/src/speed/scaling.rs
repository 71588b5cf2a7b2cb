//! Pictures of the cost of an example as sizes grow.

use std::path::Path;

use anyhow::Result;
use pocketron::num::rng::XorShift32;

use super::{
    LEARNERS, best,
    expansion::{Expansion, labels, sample},
    name,
};
use crate::{
    learner::Algorithm,
    plot::{Axis, Lines, Trend},
};

/// Sizes of what does not grow.
const FEATURES: usize = 16;
const BUDGET: usize = 128;

/// Draws cost against budget, features and length of the stream.
pub fn draw(out: &Path) -> Result<()> {
    let budgets = [16, 32, 64, 128, 256, 512, 1024];
    let features = [4, 8, 16, 32, 64, 128, 256, 512, 1024];
    Lines {
        title: "An example, learned when the budget is full (16 features)",
        axes: [Axis::logarithmic("support vectors"), MICROSECONDS],
        lines: &learners(|algorithm, margin| {
            microseconds(&budgets, |budget| {
                Expansion::new(FEATURES, budget).learning_time(algorithm, margin)
            })
        })?,
    }
    .write(&out.join("speed-budget.svg"))?;
    Lines {
        title: "An example, learned when the budget is full (128 support vectors)",
        axes: [Axis::logarithmic("features"), MICROSECONDS],
        lines: &learners(|algorithm, margin| {
            microseconds(&features, |features| {
                Expansion::new(features, BUDGET).learning_time(algorithm, margin)
            })
        })?,
    }
    .write(&out.join("speed-features.svg"))?;
    Lines {
        title: "A whole stream (16 features, 128 support vectors)",
        axes: [
            Axis::logarithmic("examples"),
            Axis::logarithmic("milliseconds"),
        ],
        lines: &learners(streams)?,
    }
    .write(&out.join("speed-stream.svg"))
}

const MICROSECONDS: Axis<'static> = Axis::logarithmic("microseconds");

/// A line for each learner, and how steep it is: the power of what grows that its end follows.
fn learners(points: impl Fn(Algorithm, f32) -> Result<Vec<(f64, f64, f64)>>) -> Result<Vec<Trend>> {
    let lines = LEARNERS
        .iter()
        .enumerate()
        .map(|(colour, (algorithm, margin))| {
            let points = points(*algorithm, *margin)?;
            let name = format!("{} ({:.2})", name(*algorithm), power(&points));
            Ok(Trend {
                name,
                colour,
                dashed: false,
                points,
            })
        });
    lines.collect()
}

/// Time against size: `log(time)` rises by so much for each `log(size)`, over the last four sizes.
fn power(points: &[(f64, f64, f64)]) -> f64 {
    let end = points.len().saturating_sub(4);
    match (points.get(end), points.last()) {
        (Some((x, y, _)), Some((last_x, last_y, _))) => (last_y / y).ln() / (last_x / x).ln(),
        _ => f64::NAN,
    }
}

fn microseconds(
    sizes: &[usize],
    time: impl Fn(usize) -> Result<f64>,
) -> Result<Vec<(f64, f64, f64)>> {
    let point = |&size: &usize| Ok((size as f64, 1e6 * time(size)?, 0.0));
    sizes.iter().map(point).collect()
}

/// Milliseconds until so many examples are learned.
fn streams(algorithm: Algorithm, margin: f32) -> Result<Vec<(f64, f64, f64)>> {
    let expansion = Expansion::new(FEATURES, BUDGET);
    let mut points = Vec::new();
    for length in [1_000, 2_000, 4_000, 8_000, 16_000, 32_000] {
        let examples = sample(&mut XorShift32::new(6), FEATURES, length);
        let labels = labels(&mut XorShift32::new(7), length);
        let mut outcome: Result<()> = Ok(());
        let time = best(|| {
            outcome = (|| {
                let mut learner = expansion.blank(algorithm, margin)?;
                let mut stream = examples.iter().zip(&labels);
                Ok(stream.try_for_each(|(x, label)| learner.learn(x, *label).map(drop))?)
            })();
        });
        outcome?;
        points.push((length as f64, 1e3 * time, 0.0));
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::power;

    #[test]
    fn a_line_is_as_steep_as_its_power() {
        let square = |size: f64| (size, 3.0 * size * size, 0.0);
        let points: Vec<_> = [1.0, 2.0, 4.0, 8.0, 16.0].map(square).into();
        assert!((power(&points) - 2.0).abs() < 1e-9);
    }
}
