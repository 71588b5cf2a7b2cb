//! Figure 2.1: solutions of perceptrons with margins in the version space of a topic.

use anyhow::{Context, Result};
use pocketron::{
    label::Sign,
    rule::{Credit, MarginRule, Soft},
};

use super::{
    corpus::{Corpus, Examples, SETS, Source},
    drawn,
    topic::{self, EPOCHS},
};
use crate::{
    plot::{Divide, Plane},
    reproduce::{
        About, Bench, Cell, Experiment, Figures, FinishedCells, Line, Name, Pictures, Scope, Unit,
        Watch,
    },
    sparse::Feature,
    spread::Spread,
    svm::{Svm, SvmKernel, SvmSettings},
};

/// Figure 2.1.
pub struct Slice;

/// So dear that the machine has no errors on what it learns.
const COST: f64 = 1000.0;

/// The machine's name.
const MACHINE: &str = "SVM";

/// The perceptrons: margins of negative and of positive documents. The first two span the slice with the machine.
const MARGINS: [(f32, f32); 7] = [
    (0.0, 0.0),
    (0.5, 0.5),
    (0.2, 0.2),
    (1.0, 1.0),
    (5.0, 5.0),
    (0.0, 1.0),
    (0.0, 5.0),
];

/// Lines that are drawn: those nearest to the middle of the points.
const LINES: usize = 60;

/// As the paper writes them: one number if both margins are equal.
fn label((negative, positive): (f32, f32)) -> String {
    match negative == positive {
        true => format!("{positive:.1}"),
        false => format!("({negative},{positive})"),
    }
}

/// Names of all solutions, those that span the slice first.
fn solutions() -> impl Iterator<Item = String> {
    [MACHINE.to_owned()].into_iter().chain(MARGINS.map(label))
}

/// A plane `w . x + b = 0`; the bias in units of the largest norm, as a further weight.
#[derive(Clone, Debug)]
struct Solution(Vec<f64>);

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `a + factor b`.
fn plus(a: &[f64], factor: f64, b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + factor * b).collect()
}

fn unit(a: &[f64]) -> Vec<f64> {
    let length = dot(a, a).sqrt();
    a.iter().map(|a| a / length).collect()
}

/// A document with the largest norm as a further feature, times a vector of weights.
fn along(weights: &[f64], x: &[Feature], radius: f64) -> f64 {
    let terms = x
        .iter()
        .map(|(at, value)| weights[*at as usize] * f64::from(*value));
    terms.sum::<f64>() + weights[weights.len() - 1] * radius
}

/// The plane of three unit vectors: the first of them, and two directions at right angles.
struct Basis {
    origin: Vec<f64>,
    directions: [Vec<f64>; 2],
}

impl Basis {
    fn of([a, b, c]: [&[f64]; 3]) -> Self {
        let first = unit(&plus(b, -1.0, a));
        let across = plus(c, -1.0, a);
        let second = unit(&plus(&across, -dot(&across, &first), &first));
        Basis {
            origin: a.to_vec(),
            directions: [first, second],
        }
    }

    /// Where a vector falls in the plane.
    fn place(&self, of: &[f64]) -> [f64; 2] {
        let difference = plus(of, -1.0, &self.origin);
        self.directions
            .each_ref()
            .map(|along| dot(&difference, along))
    }

    /// The line on which a document's score is zero.
    fn divide(&self, x: &[Feature], radius: f64) -> [f64; 3] {
        let [first, second] = self.directions.each_ref();
        [&self.origin, first, second].map(|of| along(of, x, radius))
    }
}

impl Solution {
    /// Result of a perceptron with these margins.
    fn perceptron(
        dim: usize,
        (negative, positive): (f32, f32),
        radius: f64,
        train: &Examples<'_>,
    ) -> Result<Self> {
        let rule = MarginRule::new(1.0).with_margins(negative, positive);
        let rule = Soft::new(rule).with_credit(Credit::PerStep(0.0));
        let settled = topic::settle(dim, rule, train)?;
        anyhow::ensure!(settled.epochs < EPOCHS, "no plane separates the topic");
        let biased = settled.model.hypothesis().inner();
        let weights = biased.inner().weights().as_slice().iter();
        let bias = f64::from(biased.bias()) / radius;
        Ok(Solution(
            weights.map(|w| f64::from(*w)).chain([bias]).collect(),
        ))
    }

    fn machine(radius: f64, train: &Examples<'_>, dim: usize) -> Result<Self> {
        let (rows, labels): (Vec<_>, Vec<_>) =
            train.iter().map(|(x, label)| (x.to_vec(), *label)).unzip();
        let settings = SvmSettings::new(SvmKernel::Linear, COST);
        let svm = Svm::train(&rows, &labels, &settings)?;
        let (weights, bias) = svm.plane().context("a linear kernel has a plane")?;
        let mut weights = weights.to_vec();
        weights.resize(dim, 0.0);
        weights.push(bias / radius);
        Ok(Solution(weights))
    }

    /// The least margin of the documents with a label, over the length of the weights without the bias.
    fn margin(&self, label: Sign, radius: f64, train: &Examples<'_>) -> f64 {
        let weights = &self.0[..self.0.len() - 1];
        let own = train.iter().filter(|(_, known)| *known == label);
        let margins = own.map(|(x, _)| f64::from(label.value()) * along(&self.0, x, radius));
        margins.fold(f64::INFINITY, f64::min) / dot(weights, weights).sqrt()
    }
}

fn topic_of(source: Source) -> usize {
    match source {
        // `earn`, as in the paper.
        Source::Reuters => 21,
        // The smallest of the drawn topics, which a plane separates.
        Source::Drawn => drawn::TOPICS - 1,
    }
}

fn name(source: Source) -> Name {
    let name = Name::new("paum").with("set", source.set());
    name.with("slice-of-topic", topic_of(source))
        .with("C", COST)
}

/// Name of a figure of a solution, or of a line.
fn figure(of: &str, what: &str) -> String {
    format!("{of} {what}")
}

fn figures(corpus: &Corpus, topic: usize) -> Result<Figures> {
    let train = corpus.train.examples(topic);
    let radius = f64::from(topic::radius_squared(&train)).sqrt();
    let mut found = vec![Solution::machine(radius, &train, corpus.dim)?];
    for margins in MARGINS {
        found.push(Solution::perceptron(corpus.dim, margins, radius, &train)?);
    }
    let units: Vec<_> = found.iter().map(|solution| unit(&solution.0)).collect();
    let basis = Basis::of([&units[0], &units[1], &units[2]]);
    let mut figures = Figures::new();
    let mut middle = [0.0; 2];
    for ((name, solution), unit) in solutions().zip(&found).zip(&units) {
        let [u, v] = basis.place(unit);
        middle = [middle[0] + u, middle[1] + v];
        let angle = dot(unit, &units[0]).clamp(-1.0, 1.0).acos().to_degrees();
        figures.extend([
            (figure(&name, "u"), u),
            (figure(&name, "v"), v),
            (figure(&name, "angle"), angle),
            (
                figure(&name, "negative"),
                solution.margin(Sign::Neg, radius, &train),
            ),
            (
                figure(&name, "positive"),
                solution.margin(Sign::Pos, radius, &train),
            ),
        ]);
    }
    let middle = middle.map(|sum| sum / units.len() as f64);
    let divides = train.iter().map(|(x, label)| {
        let [a, b, c] = basis.divide(x, radius);
        let distance = (a + b * middle[0] + c * middle[1]).abs() / b.hypot(c);
        (distance, [a, b, c], *label)
    });
    let mut divides: Vec<_> = divides
        .filter(|(distance, ..)| distance.is_finite())
        .collect();
    divides.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
    for (number, (_, [a, b, c], label)) in divides.into_iter().take(LINES).enumerate() {
        let line = format!("line {number}");
        let label = f64::from(label.value());
        figures.extend(
            [("a", a), ("b", b), ("c", c), ("label", label)]
                .map(|(what, value)| (figure(&line, what), value)),
        );
    }
    Ok(figures)
}

/// A rectangle around the points, with as much room again.
fn around(points: &[(String, [f64; 2])]) -> [(f64, f64); 2] {
    [0, 1].map(|axis| {
        let places = points.iter().map(|(_, at)| at[axis]);
        let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| {
            (low.min(at), high.max(at))
        });
        let room = 0.3 * (high - low);
        (low - room, high + room)
    })
}

impl Experiment for Slice {
    fn about(&self) -> About {
        About {
            name: "paum-fig21",
            title: "a slice through the version space of the topic earn of Reuters-21578 (Li et al., Figure 2.1)",
            remarks: "The version space of a topic are the planes that classify all documents to learn. A plane is a point: its weights, and its bias \
                     over the largest norm as a further weight, divided by their length. The slice is the plane of the support vector machine \
                     (cost 1000, without an error), the perceptron (0.0) and PAM(0.5); other solutions are projected onto it. A number is \
                     the margin of both classes, a pair those of negative and positive documents. Each line has \
                     the planes on which one document lies: solid for negative, dashed for positive ones; the 60 nearest to the middle of the \
                     points are shown. The paper prints no figures; the table has the angle to the machine's solution and the margins that \
                     were reached. `lambda` is 0.",
            why: "Our words are not the paper's (see paum2), and a slice depends on its three points, so that the shape cannot be compared, \
                     only the order: the larger the margin asked for, the nearer to the machine's solution.",
            sets: &SETS,
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let source = Source::of(scope);
        if !scope.wants_set(source.set()) {
            return Ok(Vec::new());
        }
        let work = move |bench: &Bench, _: &Watch<'_>| {
            figures(&*Corpus::of(bench, source)?, topic_of(source))
        };
        let cell = Cell::new(name(source), source.cost(3_000), work);
        Ok(vec![cell.needing(source.files().iter().copied())])
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let source = Source::of(scope);
        let columns = [
            ("angle", "angle to the SVM, degrees", 1),
            ("negative", "margin of negative documents", 4),
            ("positive", "margin of positive documents", 4),
        ];
        let line = |solution: String| {
            columns.map(|(what, column, digits)| {
                let ours = kept.figure(&name(source), &figure(&solution, what));
                Line::percent(
                    source.set(),
                    solution.as_str(),
                    column,
                    ours.map(Spread::single),
                )
                .in_unit(Unit::Value)
                .with_digits(digits)
            })
        };
        solutions().flat_map(line).collect()
    }

    fn pictures(&self, scope: &Scope, kept: &FinishedCells, to: &mut Pictures<'_>) -> Result<()> {
        let source = Source::of(scope);
        let known = |of: &str, what| kept.figure(&name(source), &figure(of, what));
        let point = |name: String| {
            let at = [known(&name, "u")?, known(&name, "v")?];
            Some((name, at))
        };
        let Some(points) = solutions().map(point).collect::<Option<Vec<_>>>() else {
            return Ok(());
        };
        let line = |number| {
            let name = format!("line {number}");
            let [a, b, c] = ["a", "b", "c"].map(|what| known(&name, what));
            Some(Divide {
                coefficients: [a?, b?, c?],
                class: usize::from(known(&name, "label")? > 0.0),
            })
        };
        let lines: Vec<_> = (0..LINES).map_while(line).collect();
        let title = "Perceptrons with margins in version space";
        let plane = Plane {
            title,
            axes: ["from the SVM to the perceptron", "across"],
            range: around(&points),
            classes: ["negative documents", "positive documents"],
            lines: &lines,
            points: &points,
        };
        to.add(self.name(), title, |path| plane.write(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn_figures() -> Figures {
        let cell = &Slice
            .cells(&Scope {
                quick: true,
                ..Scope::default()
            })
            .unwrap()[0];
        cell.run(&Bench::new(None), &Watch::IDLE).unwrap()
    }

    #[test]
    fn every_solution_is_in_version_space_and_the_machine_has_the_largest_margin() {
        let figures = drawn_figures();
        let least = |name: &str| {
            let [negative, positive] =
                ["negative", "positive"].map(|what| figures[&figure(name, what)]);
            negative.min(positive)
        };
        for name in solutions() {
            assert!(least(&name) >= 0.0, "{name}");
            assert!(least(&name) <= 1.01 * least(MACHINE), "{name}");
        }
    }

    #[test]
    fn the_three_solutions_that_span_the_slice_lie_in_it() {
        let figures = drawn_figures();
        for name in solutions().take(3) {
            let [u, v, angle] = ["u", "v", "angle"].map(|what| figures[&figure(&name, what)]);
            // The chord of an angle.
            let chord = 2.0 * (angle.to_radians() / 2.0).sin();
            assert!((u.hypot(v) - chord).abs() < 1e-6, "{name}: {u} {v} {angle}");
        }
    }
}
