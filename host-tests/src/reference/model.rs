//! The kernel expansion f(x) = sum_i alpha_i k(x_i, x), as a plain list.

use super::kernel::{Kernel, squared_distance};

/// One labelled point on its way into a learner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example<'a> {
    /// Its name in traces.
    pub row: usize,
    /// The point.
    pub x: &'a [f64],
    /// Its label, -1 or +1.
    pub y: f64,
}

/// A stored point with all that any algorithm wants to know about it.
#[derive(Clone, Debug, PartialEq)]
pub struct SupportVector {
    /// The example it came from.
    pub row: usize,
    /// How many vectors had been stored before it: the smaller, the older.
    pub birth: usize,
    /// The point.
    pub x: Vec<f64>,
    /// The label of that example.
    pub y: f64,
    /// Signed weight in f.
    pub alpha: f64,
    /// Positive labels seen around it, its own included.
    pub cplus: f64,
    /// Negative labels seen around it, its own included.
    pub cminus: f64,
}

/// The support vectors and the kernel between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// k.
    pub kernel: Kernel,
    /// Oldest first, except in `random`, where a new vector sits in the place of the one it
    /// replaced.
    pub vectors: Vec<SupportVector>,
    births: usize,
}

impl Model {
    /// f = 0.
    pub fn new(kernel: Kernel) -> Self {
        Self {
            kernel,
            vectors: Vec::new(),
            births: 0,
        }
    }

    /// f(x).
    pub fn score(&self, x: &[f64]) -> f64 {
        self.vectors
            .iter()
            .map(|v| v.alpha * self.kernel.value(&v.x, x))
            .sum()
    }

    /// f(x) as it would be without vector `r`: summed over the others.
    pub fn score_without(&self, r: usize, x: &[f64]) -> f64 {
        let others = self.vectors.iter().enumerate().filter(|&(i, _)| i != r);
        others
            .map(|(_, v)| v.alpha * self.kernel.value(&v.x, x))
            .sum()
    }

    /// A support vector made of `example`, not yet in the list. Its own label counts 1.
    pub fn born(&mut self, example: &Example<'_>, alpha: f64) -> SupportVector {
        let birth = self.births;
        self.births += 1;
        let (cplus, cminus) = if example.y > 0.0 {
            (1.0, 0.0)
        } else {
            (0.0, 1.0)
        };
        SupportVector {
            row: example.row,
            birth,
            x: example.x.to_vec(),
            y: example.y,
            alpha,
            cplus,
            cminus,
        }
    }

    /// Adds `example` with the signed weight `alpha` as the newest vector.
    pub fn insert(&mut self, example: &Example<'_>, alpha: f64) {
        let vector = self.born(example, alpha);
        self.vectors.push(vector);
    }

    /// Multiplies f by `factor`.
    pub fn scale(&mut self, factor: f64) {
        for vector in &mut self.vectors {
            vector.alpha *= factor;
        }
    }

    /// The vector closest to `x` (the oldest of several), by distance: far away every Gaussian
    /// kernel value is 0.
    pub fn nearest(&self, x: &[f64]) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for (i, vector) in self.vectors.iter().enumerate() {
            let distance = squared_distance(&vector.x, x);
            if best.is_none_or(|(_, least)| distance < least) {
                best = Some((i, distance));
            }
        }
        best.map(|(i, _)| i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_told_by_distance_and_the_oldest_of_equals() {
        let mut model = Model::new(Kernel::Gaussian { gamma: 100.0 });
        assert_eq!(model.nearest(&[0.0]), None);
        for (row, x) in [50.0, 30.0, -30.0].into_iter().enumerate() {
            model.insert(
                &Example {
                    row,
                    x: &[x],
                    y: 1.0,
                },
                1.0,
            );
        }
        // All kernel values underflow to 0.
        assert_eq!((model.score(&[0.0]), model.nearest(&[0.0])), (0.0, Some(1)));
    }

    #[test]
    fn leaving_out_a_vector_is_subtracting_its_term() {
        let mut model = Model::new(Kernel::Linear);
        model.insert(
            &Example {
                row: 0,
                x: &[1.0],
                y: 1.0,
            },
            2.0,
        );
        model.insert(
            &Example {
                row: 1,
                x: &[3.0],
                y: -1.0,
            },
            -0.5,
        );
        assert_eq!(
            (
                model.score(&[2.0]),
                model.score_without(0, &[2.0]),
                model.score_without(1, &[2.0])
            ),
            (1.0, -3.0, 4.0)
        );
    }
}
