//! The three kernels, straight from their formulas.

/// How alike two points are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kernel {
    /// a . b
    Linear,
    /// (scale * a . b + offset)^degree
    Polynomial {
        /// The power.
        degree: u32,
        /// Factor of the inner product.
        scale: f64,
        /// Added before the power is taken.
        offset: f64,
    },
    /// exp(-gamma * |a - b|^2)
    Gaussian {
        /// 1 / (2 delta^2) in the papers that give a width delta.
        gamma: f64,
    },
}

impl Kernel {
    /// k(a, b).
    pub fn value(&self, a: &[f64], b: &[f64]) -> f64 {
        match *self {
            Self::Linear => dot(a, b),
            Self::Polynomial {
                degree,
                scale,
                offset,
            } => {
                let base = scale * dot(a, b) + offset;
                (0..degree).fold(1.0, |power, _| power * base)
            }
            Self::Gaussian { gamma } => (-gamma * squared_distance(a, b)).exp(),
        }
    }
}

/// a . b
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "points of different dimension");
    a.iter().zip(b).map(|(p, q)| p * q).sum()
}

/// |a - b|^2
pub fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "points of different dimension");
    a.iter().zip(b).map(|(p, q)| (p - q) * (p - q)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_follow_their_formulas() {
        let (a, b) = ([1.0, 2.0], [3.0, -1.0]);
        assert_eq!(Kernel::Linear.value(&a, &b), 1.0);
        assert_eq!(
            Kernel::Polynomial {
                degree: 3,
                scale: 2.0,
                offset: 1.0
            }
            .value(&a, &b),
            27.0
        );
        assert_eq!(
            Kernel::Gaussian { gamma: 0.5 }.value(&a, &b),
            (-6.5f64).exp()
        );
    }
}
