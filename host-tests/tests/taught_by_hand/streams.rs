//! Generated examples.

use pocketron::{label::Class, prelude::*, wrap::ExemplarReplay};
use pocketron_testkit::data::shuffle::SplitMix64;

pub const D: usize = 3;
pub const C: usize = 4;
pub const K: usize = 6;
pub const H: usize = 3;

pub type Inner = PocketronMulti<D, 20, C>;
pub type Model = ExemplarReplay<Inner, D, C, K, H>;

/// Nearly normal, mean 0, variance 1.
pub fn normal(rng: &mut SplitMix64) -> f32 {
    let even = |rng: &mut SplitMix64| (rng.next_u64() >> 40) as f32 / 16_777_216.0;
    (0..12).map(|_| even(rng)).sum::<f32>() - 6.0
}

/// An example of a class, `spread` around its own place.
pub fn example(rng: &mut SplitMix64, class: u8, spread: f32) -> [f32; D] {
    let mut x = [0.0; D];
    for (feature, x) in x.iter_mut().enumerate() {
        let place = if class as usize % D == feature {
            10.0
        } else {
            -4.0 * f32::from(class / 3)
        };
        *x = place + spread * normal(rng);
    }
    x
}

/// Examples of classes, each in a row.
pub fn blocks(seed: u64, classes: &[u8], count: usize) -> Vec<([f32; D], Class)> {
    let mut rng = SplitMix64::new(seed);
    let of = |class: &u8| [*class].repeat(count);
    let classes: Vec<u8> = classes.iter().flat_map(of).collect();
    let example = |class| (example(&mut rng, class, 1.0), Class(class));
    classes.into_iter().map(example).collect()
}

pub fn teach<M: OnlineClassifier<Input = [f32; D], Label = Class>>(
    model: &mut M,
    examples: &[([f32; D], Class)],
) {
    for (x, class) in examples {
        model.learn(x, *class).expect("a good example");
    }
}

/// A model that was taught 20 examples of each class, and has rehearsed them.
pub fn taught() -> Model {
    let mut model = Model::new();
    teach(&mut model, &blocks(1, &[0, 1, 2, 3], 20));
    model.rehearse(u16::MAX);
    model
}
