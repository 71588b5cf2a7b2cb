//! `tighter0`, `tighter`, `tighterfull`: the Tighter Perceptron (Weston, Bordes, Bottou 2005) with
//! three validation sets.
//!
//! Unit steps. Over budget, the vector goes whose removal leaves the fewest 0-1 errors on a
//! validation set V:
//!
//! ```text
//! r = argmin_j #{ i in V : y_i (f(x_i) - alpha_j k(x_j, x_i)) <= 0 }
//! ```
//!
//! over all B + 1 vectors j, the new one included.
//!
//! V is the B + 1 support vectors themselves (Tighter^0), a reservoir of A other points
//! (Tighter^A), or every point seen so far, the present one included (Tighter^Full). With nothing
//! in V all losses tie and the oldest goes.

use super::generator::Xorshift32;
use super::{Example, Model, Step, choice};

type Labelled = (Vec<f64>, f64);

enum Validation {
    SupportVectors,
    Reservoir(Reservoir),
    Everything(Vec<Labelled>),
}

/// Removes the vector that is missed least.
pub struct Tighter {
    margin: f64,
    budget: usize,
    validation: Validation,
}

impl Tighter {
    /// Tighter^0.
    pub fn on_support_vectors(margin: f64, budget: usize) -> Self {
        Self {
            margin,
            budget,
            validation: Validation::SupportVectors,
        }
    }

    /// Tighter^A, A = `size`.
    pub fn on_reservoir(margin: f64, budget: usize, size: usize, seed: u32) -> Self {
        Self {
            margin,
            budget,
            validation: Validation::Reservoir(Reservoir::new(size, seed)),
        }
    }

    /// Tighter^Full. A row that comes again in a later epoch counts again.
    pub fn on_everything(margin: f64, budget: usize) -> Self {
        Self {
            margin,
            budget,
            validation: Validation::Everything(Vec::new()),
        }
    }
}

impl Step for Tighter {
    fn learn(&mut self, model: &mut Model, example: &Example<'_>, f: f64) -> bool {
        if let Validation::Everything(seen) = &mut self.validation {
            seen.push((example.x.to_vec(), example.y));
        }
        if example.y * f > self.margin {
            if let Validation::Reservoir(reservoir) = &mut self.validation {
                reservoir.offer(example.x.to_vec(), example.y);
            }
            return false;
        }
        model.insert(example, example.y);
        if model.vectors.len() > self.budget {
            let points: Vec<Labelled> = match &self.validation {
                Validation::SupportVectors => {
                    model.vectors.iter().map(|v| (v.x.clone(), v.y)).collect()
                }
                Validation::Reservoir(reservoir) => reservoir.points.clone(),
                Validation::Everything(seen) => seen.clone(),
            };
            let errors_without = |r| {
                points
                    .iter()
                    .filter(|(x, y)| y * model.score_without(r, x) <= 0.0)
                    .count() as f64
            };
            let losses: Vec<f64> = (0..model.vectors.len()).map(errors_without).collect();
            let evicted = model.vectors.remove(choice::least(&losses));
            if let Validation::Reservoir(reservoir) = &mut self.validation {
                reservoir.offer(evicted.x, evicted.y);
            }
        }
        true
    }
}

/// An even sample of the points that are not support vectors (algorithm R).
///
/// Offered are the examples on which the rule did not fire, when they are seen, and the evicted
/// vectors, when they are evicted. The m-th offer is stored while there is room and otherwise
/// replaces point j = below(m) if j < A.
pub struct Reservoir {
    points: Vec<Labelled>,
    size: usize,
    offers: usize,
    generator: Xorshift32,
}

impl Reservoir {
    /// An empty reservoir for `size` points.
    pub fn new(size: usize, seed: u32) -> Self {
        Self {
            points: Vec::new(),
            size,
            offers: 0,
            generator: Xorshift32::new(seed),
        }
    }

    /// Offers a point, which may or may not get in.
    pub fn offer(&mut self, x: Vec<f64>, y: f64) {
        self.offers += 1;
        if self.points.len() < self.size {
            self.points.push((x, y));
            return;
        }
        let j = self.generator.below(self.offers);
        if j < self.size {
            self.points[j] = (x, y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Algorithm, Kernel, Settings, run};
    use super::*;

    #[test]
    fn a_score_of_zero_is_a_validation_error() {
        // Three labels at one point: +1, -1, +1. Without row 0 or row 2 the rest cancels and errs
        // three times; without row 1 it errs once, at row 1.
        let data = vec![(vec![1.0], 1.0), (vec![1.0], -1.0), (vec![1.0], 1.0)];
        let settings = Settings::usual(Algorithm::Tighter0, 2);
        assert_eq!(
            run(Algorithm::Tighter0, Kernel::Linear, settings, &data, 1).sv,
            vec![0, 2]
        );
    }

    #[test]
    fn every_point_seen_is_a_support_vector_or_was_offered_to_the_reservoir() {
        let mut model = Model::new(Kernel::Gaussian { gamma: 3.0 });
        let mut tighter = Tighter::on_reservoir(0.0, 4, 1000, 1);
        let mut updates = 0;
        for row in 0..60 {
            let place = row * 7 % 13;
            let (x, y) = ([place as f64], if place % 5 < 3 { 1.0 } else { -1.0 });
            let (f, example) = (model.score(&x), Example { row, x: &x, y });
            updates += usize::from(tighter.learn(&mut model, &example, f));
            let Validation::Reservoir(reservoir) = &tighter.validation else {
                unreachable!()
            };
            assert_eq!(reservoir.points.len() + model.vectors.len(), row + 1);
        }
        assert!(
            (5..55).contains(&updates),
            "both ways in were used: {updates}"
        );
    }

    #[test]
    fn every_offer_has_the_same_chance_to_stay() {
        let mut stayed = [0u32; 20];
        for seed in 1..=4000 {
            // Neighbouring seeds start alike: spread them.
            let mut reservoir = Reservoir::new(5, u32::wrapping_mul(seed, 0x9E37_79B9));
            (0..20).for_each(|i| reservoir.offer(vec![f64::from(i)], 1.0));
            reservoir
                .points
                .iter()
                .for_each(|(x, _)| stayed[x[0] as usize] += 1);
        }
        assert!(
            stayed.iter().all(|&n| (850..1150).contains(&n)),
            "{stayed:?}"
        );
    }
}
