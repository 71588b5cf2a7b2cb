//! Streams of labelled points out of a seed.

use pocketron::label::Sign;
pub use pocketron_testkit::data::rng::TestRng;

/// Labelled points in the order in which they are learned.
pub type Stream = Vec<(Vec<f32>, Sign)>;

fn sign(positive: bool) -> Sign {
    if positive { Sign::Pos } else { Sign::Neg }
}

/// `n` points of `[-1, 1)^dim`, labelled by a board of `cells` x `cells` over the first two features; a share
/// `noise` of the labels is wrong.
pub fn checkerboard(n: usize, dim: usize, cells: i32, noise: f32, seed: u64) -> Stream {
    let mut rng = TestRng::new(seed);
    let mut example = || {
        let x: Vec<f32> = (0..dim).map(|_| rng.even()).collect();
        let cell = |x: f32| ((x + 1.0) / 2.0 * cells as f32) as i32;
        let white = x.iter().take(2).map(|&x| cell(x)).sum::<i32>() % 2 == 0;
        (x, sign(white != rng.chance(noise)))
    };
    (0..n).map(|_| example()).collect()
}

/// `n` points of two overlapping classes, normal around `-1/2` and `1/2` in every feature.
pub fn two_gaussians(n: usize, dim: usize, seed: u64) -> Stream {
    let mut rng = TestRng::new(seed);
    let mut example = || {
        let positive = rng.chance(0.5);
        let mean = if positive { 0.5 } else { -0.5 };
        let x = (0..dim).map(|_| mean + rng.normal()).collect();
        (x, sign(positive))
    };
    (0..n).map(|_| example()).collect()
}
