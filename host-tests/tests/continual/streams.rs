//! Streams to teach with.

use pocketron::{classifier::OnlineClassifier, label::Class};

use crate::common::streams::TestRng;

pub const D: usize = 4;
pub const CLASSES: usize = 6;

pub type Examples = Vec<([f32; D], Class)>;

/// An example of a class: a cloud on a circle, in features of different sizes, one of which never varies.
pub fn cloud(rng: &mut TestRng, class: usize) -> [f32; D] {
    let angle = std::f32::consts::TAU * class as f32 / CLASSES as f32;
    [
        1000.0 + 40.0 * (angle.cos() + 0.15 * rng.normal()),
        0.02 * (angle.sin() + 0.15 * rng.normal()),
        -3.0 + angle.cos() - angle.sin() + 0.3 * rng.normal(),
        7.5,
    ]
}

/// So many of each class, one class after the other.
pub fn blocks(seed: u64, classes: &[usize], each: usize) -> Examples {
    let mut rng = TestRng::new(seed);
    let mut block = |class: usize| -> Examples {
        let examples = (0..each).map(|_| cloud(&mut rng, class));
        examples.map(|x| (x, Class(class as u8))).collect()
    };
    classes.iter().flat_map(|class| block(*class)).collect()
}

/// Classes in random order; a share of the labels is wrong.
pub fn mixed(seed: u64, count: usize, wrong: f32) -> Examples {
    let mut rng = TestRng::new(seed);
    let mut example = || {
        let class = ((rng.even() + 1.0) / 2.0 * CLASSES as f32) as usize;
        let x = cloud(&mut rng, class);
        let label = if rng.chance(wrong) { class + 1 } else { class };
        (x, Class((label % CLASSES) as u8))
    };
    (0..count).map(|_| example()).collect()
}

pub fn teach<L>(model: &mut L, examples: &[(L::Input, L::Label)])
where
    L: OnlineClassifier<Input: Sized>,
{
    for (x, label) in examples {
        model.learn(x, *label).expect("a good example");
    }
}

/// Share of right answers for each class.
pub fn recalls<L>(model: &L) -> [f64; CLASSES]
where
    L: OnlineClassifier<Input = [f32; D], Label = Class>,
{
    let mut rng = TestRng::new(99);
    std::array::from_fn(|class| {
        let right = (0..200).filter(|_| {
            let x = cloud(&mut rng, class);
            model.predict(&x) == Ok(Class(class as u8))
        });
        right.count() as f64 / 200.0
    })
}

/// The sign of a product of two features, beside two that tell nothing; a share of the labels is wrong.
pub fn quadrants(seed: u64, count: usize, wrong: f32) -> Vec<([f32; D], pocketron::label::Sign)> {
    let mut rng = TestRng::new(seed);
    let mut example = || {
        let x: [f32; D] = std::array::from_fn(|_| rng.even());
        let right = if rng.chance(wrong) { -1.0 } else { 1.0 };
        (x, pocketron::label::Sign::of(right * x[0] * x[1]))
    };
    (0..count).map(|_| example()).collect()
}
