//! A naive memory: every hypothesis there ever was, in full.

use pocketron::kernel::{Kernel, Polynomial};

use super::rows::{D, Rows};

/// Every hypothesis there ever was, in full, with the examples it survived.
pub struct Past {
    kernel: Polynomial,
    pub hypotheses: Vec<Kept>,
}

/// One of them.
#[derive(Clone, Debug)]
pub struct Kept {
    pub vectors: Vec<([f32; D], f64)>,
    pub run: u32,
}

impl Past {
    /// A perceptron with steps of `eta` while `y f <= tau`, that stores `budget` vectors and then stops.
    pub fn of(
        rows: &Rows,
        kernel: Polynomial,
        (eta, tau): (f64, f64),
        (opening, budget): (u32, usize),
    ) -> Self {
        let zero = Kept {
            vectors: vec![],
            run: 0,
        };
        let mut past = Past {
            kernel,
            hypotheses: vec![zero],
        };
        for (x, label) in rows {
            let mut now = past.hypotheses.last().expect("at least one").clone();
            let y = f64::from(label.value());
            if y * past.score(&now, x) > tau {
                past.hypotheses.last_mut().expect("at least one").run += 1;
                continue;
            }
            // One that failed and must stay all the same counts anew, from zero.
            now.run = 0;
            if now.vectors.len() < budget {
                now.vectors.push((*x, eta * y));
                now.run = opening;
            }
            past.hypotheses.push(now);
        }
        past
    }

    pub fn score(&self, kept: &Kept, x: &[f32; D]) -> f64 {
        let near = |z: &[f32; D]| f64::from(self.kernel.pair(z, x));
        kept.vectors.iter().map(|(z, alpha)| alpha * near(z)).sum()
    }

    pub fn norm(&self, kept: &Kept) -> f64 {
        let square: f64 = kept
            .vectors
            .iter()
            .map(|(z, alpha)| alpha * self.score(kept, z))
            .sum();
        square.max(0.0).sqrt()
    }

    fn weighted(&self, term: impl Fn(&Kept) -> f64) -> f64 {
        let terms = self
            .hypotheses
            .iter()
            .map(|kept| f64::from(kept.run) * term(kept));
        terms.sum()
    }

    pub fn vote(&self, x: &[f32; D]) -> f64 {
        let side = |f: f64| if f == 0.0 { 0.0 } else { f.signum() };
        self.weighted(|kept| side(self.score(kept, x)))
    }

    pub fn sum(&self, x: &[f32; D]) -> f64 {
        self.weighted(|kept| self.score(kept, x))
    }

    pub fn scaled_sum(&self, x: &[f32; D]) -> f64 {
        self.weighted(|kept| {
            let norm = self.norm(kept);
            if norm > 0.0 {
                self.score(kept, x) / norm
            } else {
                0.0
            }
        })
    }

    /// The earliest of those with the longest run.
    pub fn longest(&self) -> &Kept {
        let longest = self.hypotheses.iter().map(|kept| kept.run).max();
        let mut kept = self.hypotheses.iter();
        kept.find(|kept| Some(kept.run) == longest)
            .expect("at least one")
    }
}
