//! The best union of two vectors, by brute force.
//!
//! Vectors `i` and `j` with the coefficients `A_i` and `A_j` of all classes, and the similarity `k`, become `A_z` at
//! `z = h x_i + (1-h) x_j`. What is lost, added up over the classes, is the squared distance of the two functions:
//!
//! ```text
//! |A_i f_i + A_j f_j - A_z f_z|^2,   which is least for   A_z = A_i k^((1-h)^2) + A_j k^(h^2)
//! ```

/// Two vectors, as far as their union depends on them.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// `|A_i|^2`, `|A_j|^2` and `A_i . A_j`.
    light: f64,
    heavy: f64,
    product: f64,
    /// `ln k`.
    exponent: f64,
}

/// A place between two vectors.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Share of the way from `j` to `i`.
    pub share: f64,
    pub loss: f64,
}

const GRID: usize = 400;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Pair {
    pub fn new(light: &[f64], heavy: &[f64], exponent: f64) -> Self {
        Pair {
            light: dot(light, light),
            heavy: dot(heavy, heavy),
            product: dot(light, heavy),
            exponent,
        }
    }

    /// What is left of `i` and of `j` at a share of the way.
    pub fn kept(&self, share: f64) -> (f64, f64) {
        let kept = |difference: f64| (self.exponent * difference * difference).exp();
        (kept(1.0 - share), kept(share))
    }

    /// `|A_i f_i + A_j f_j|^2`.
    pub fn both(&self) -> f64 {
        self.light + self.heavy + 2.0 * self.product * self.exponent.exp()
    }

    /// Of the angle between `A_i` and `A_j`.
    pub fn cosine(&self) -> f64 {
        self.product / (self.light * self.heavy).sqrt()
    }

    pub fn at(&self, share: f64) -> Place {
        let (i, j) = self.kept(share);
        let union = self.light * i * i + self.heavy * j * j + 2.0 * self.product * i * j;
        Place {
            share,
            loss: self.both() - union,
        }
    }

    /// The best place of a fine grid, and then between its neighbours.
    pub fn best(&self) -> Place {
        let better = |a: Place, b: Place| if b.loss < a.loss { b } else { a };
        let grid = (0..=GRID).map(|n| self.at(n as f64 / GRID as f64));
        let coarse = grid.reduce(better).expect("a grid");
        let (mut low, mut high) = (
            (coarse.share - 1.0 / GRID as f64).max(0.0),
            (coarse.share + 1.0 / GRID as f64).min(1.0),
        );
        for _ in 0..40 {
            let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if self.at(left).loss < self.at(right).loss {
                high = right;
            } else {
                low = left;
            }
        }
        better(coarse, self.at(0.5 * (low + high)))
    }

    /// What the core ranks partners by: the part of `A_i` along `A_j` merges where it alone would lose least, and the
    /// rest of it stays behind as with a partner that does not move; all of it if the two are at odds.
    pub fn ranked(&self) -> f64 {
        let gone = 1.0 - (2.0 * self.exponent).exp();
        if self.product <= 0.0 {
            return self.light * gone;
        }
        let along = self.product * self.product / self.heavy;
        let parallel = Pair {
            light: along,
            ..*self
        };
        parallel.best().loss + (self.light - along) * gone
    }

    /// Whether the union has a single best place, so that no search ends at another one.
    pub fn is_near(&self) -> bool {
        self.exponent > -1.5
    }
}
