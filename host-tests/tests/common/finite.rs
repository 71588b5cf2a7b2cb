//! Finite weighted sets, for the core and for the reference.

use pocketron::{
    label::Sign,
    learners::batch::{Breakpoint, Plane, Samples},
    persist::Blank,
};
use pocketron_testkit::reference::batch::Weighted;

use super::streams::{self, TestRng};

/// Examples and room to work in.
#[derive(Clone, Debug)]
pub struct Finite<const D: usize> {
    pub x: Vec<[f32; D]>,
    /// Label times weight.
    pub weights: Vec<f32>,
    scratch: Vec<Breakpoint>,
}

impl<const D: usize> Finite<D> {
    pub fn new(x: Vec<[f32; D]>, weights: Vec<f32>) -> Self {
        let scratch = vec![Breakpoint::BLANK; x.len()];
        Finite {
            x,
            weights,
            scratch,
        }
    }

    /// Examples of weight one.
    pub fn of(rows: &[([f32; D], Sign)]) -> Self {
        let weights = rows.iter().map(|(_, label)| label.value()).collect();
        Self::new(rows.iter().map(|(x, _)| *x).collect(), weights)
    }

    /// Two overlapping classes.
    pub fn noisy(n: usize, seed: u64) -> Self {
        let rows = streams::two_gaussians(n, D, seed);
        let rows: Vec<_> = rows
            .iter()
            .map(|(x, label)| (x[..].try_into().expect("D features"), *label))
            .collect();
        Self::of(&rows)
    }

    /// Points of a grid, whole numbers up to `size`, with small whole weights: ties everywhere, and no rounding.
    pub fn grid(n: usize, size: i32, rng: &mut TestRng) -> Self {
        let point = |rng: &mut TestRng| [(); D].map(|()| whole(rng, size));
        let x = (0..n).map(|_| point(rng)).collect();
        let weight = |rng: &mut TestRng| whole(rng, 3).abs().copysign(rng.even());
        Self::new(x, (0..n).map(|_| weight(rng)).collect())
    }

    /// Weights between a tenth and three, by which the classes are told apart as before.
    pub fn reweighted(mut self, seed: u64) -> Self {
        let mut rng = TestRng::new(seed);
        for weight in &mut self.weights {
            *weight *= 1.55 + 1.45 * rng.even();
        }
        self
    }

    pub fn samples(&mut self) -> Samples<'_, D> {
        Samples::new(&self.x, &mut self.weights, &mut self.scratch).expect("one length")
    }

    pub fn reference(&self) -> Vec<Weighted> {
        let pairs = self.x.iter().zip(&self.weights);
        let weighted = |(x, weight): (&[f32; D], &f32)| Weighted {
            x: [&[1.0], &super::f64s(x)[..]].concat(),
            y: 1_f64.copysign(f64::from(*weight)),
            weight: f64::from(weight.abs()),
        };
        pairs.map(weighted).collect()
    }
}

/// A whole number between minus and plus `size`.
pub fn whole(rng: &mut TestRng, size: i32) -> f32 {
    let span = (2 * size + 1) as f32;
    ((rng.even() + 1.0) / 2.0 * span) as i32 as f32 - size as f32
}

/// A plane of small whole numbers.
pub fn whole_plane<const D: usize>(rng: &mut TestRng, size: i32) -> Plane<D> {
    Plane {
        weights: [(); D].map(|()| whole(rng, size)),
        bias: whole(rng, size),
    }
}

/// A plane as the reference has it: bias first.
pub fn vector<const D: usize>(plane: &Plane<D>) -> Vec<f64> {
    [&[f64::from(plane.bias)], &super::f64s(&plane.weights)[..]].concat()
}
