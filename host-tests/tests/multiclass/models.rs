//! Rows of several classes, and the two kinds of model that learn them.

use pocketron::{
    hypothesis::Expansion,
    kernel::Polynomial,
    label::Class,
    learners::{
        multiclass::{OneVsRest, SharedSupport},
        perceptron::{KernelPerceptron, Perceptron},
    },
    storage::Inline,
};
use proptest::{collection::vec, prelude::*};

use crate::common::streams::TestRng;

pub const D: usize = 3;
/// Examples of a set at most, which is also the capacity of what forgets nothing.
pub const ROWS: usize = 40;
/// Classes.
pub const C: usize = 4;

pub type Point = [f32; D];
pub type Rows = Vec<(Point, Class)>;

/// A grid of quarters, on which the kernel below and all sums are exact. The last class comes late, if at all.
pub fn grid() -> impl Strategy<Value = Rows> {
    let feature = (-4i8..=4).prop_map(|step| f32::from(step) / 4.0);
    let x = [feature.clone(), feature.clone(), feature];
    vec((x, 0..C as u8), 1..=ROWS).prop_map(|rows| {
        let late = |(row, (x, class)): (usize, (Point, u8))| {
            (x, Class(if row < 10 { class % 3 } else { class }))
        };
        rows.into_iter().enumerate().map(late).collect()
    })
}

/// Points around as many centres as classes, a fifth with another label.
pub fn clouds(seed: u64, count: usize) -> Rows {
    let mut rng = TestRng::new(seed);
    let mut example = |row: usize| {
        let class = row % C;
        let centre = |i: usize| if i == class { 1.0 } else { -0.2 * class as f32 };
        let x = std::array::from_fn(|i| centre(i) + 0.6 * rng.normal());
        let class = if rng.chance(0.2) {
            (class + 1) % C
        } else {
            class
        };
        (x, Class(class as u8))
    };
    (0..count).map(|row| example(row * 7 + row / 3)).collect()
}

pub fn quadratic() -> Polynomial {
    Polynomial::new(2, 1.0, 1.0).expect("a kernel")
}

pub type Separate<P, const B: usize, R> =
    OneVsRest<KernelPerceptron<Polynomial, P, Inline<D, B>, R>, C>;
pub type Shared<P, const B: usize, R> = SharedSupport<Polynomial, P, Inline<D, B>, C, R>;

pub fn separate<P: Clone, const B: usize, R: Copy>(policy: P, rule: R) -> Separate<P, B, R> {
    OneVsRest::of(&Perceptron::from_parts(
        Expansion::new(quadratic(), policy),
        rule,
    ))
}

pub fn shared<P, const B: usize, R: Copy>(policy: P, rule: R) -> Shared<P, B, R> {
    SharedSupport::new(quadratic(), policy, rule)
}

pub fn classes() -> impl Iterator<Item = Class> {
    (0..C as u8).map(Class)
}

pub fn points<P, const B: usize, R: Copy>(model: &Shared<P, B, R>) -> Vec<Point> {
    let set = model.support();
    (0..set.len()).map(|slot| set.point(slot)).collect()
}

pub fn once(rows: &Rows) -> Vec<(Point, Class, Option<u32>)> {
    rows.iter().map(|(x, class)| (*x, *class, None)).collect()
}

pub fn again(rows: &Rows, epochs: usize) -> Vec<(Point, Class, Option<u32>)> {
    let numbered = rows
        .iter()
        .enumerate()
        .map(|(id, (x, class))| (*x, *class, Some(id as u32)));
    let numbered: Vec<_> = numbered.collect();
    numbered.repeat(epochs)
}

/// The first of all rows with the same point.
pub fn distinct(rows: Rows) -> Rows {
    let mut kept: Rows = vec![];
    for row in rows {
        if !kept.iter().any(|(x, _)| *x == row.0) {
            kept.push(row);
        }
    }
    kept
}
