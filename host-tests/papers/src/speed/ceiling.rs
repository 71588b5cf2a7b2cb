//! A loop that does nothing but predict, as fast as we can write one.
//!
//! It shares nothing with the library: as many vectors side by side as is best, fused multiplications and
//! additions, an exponential without limits, any order of summation. It takes one example at a time, as the library does,
//! and no bits have to be the same anywhere.

use super::expansion::Expansion;

/// One of the loops, over its own copy of the vectors.
pub struct Ceiling {
    score: Box<Score>,
}

type Score = dyn Fn(&[f32]) -> f32;

impl Ceiling {
    /// With 64 vectors side by side: the best for most sizes.
    pub fn new(expansion: &Expansion) -> Self {
        Self::with::<64>(expansion)
    }

    /// With 16, 32, 64 and 128 side by side.
    pub fn all(expansion: &Expansion) -> [Self; 4] {
        [
            Self::with::<16>(expansion),
            Self::with::<32>(expansion),
            Self::with::<64>(expansion),
            Self::with::<128>(expansion),
        ]
    }

    fn with<const LANES: usize>(expansion: &Expansion) -> Self {
        let (gamma, features) = (expansion.gamma, expansion.features);
        let blocks: Vec<Block<LANES>> = expansion
            .vectors
            .chunks(LANES)
            .zip(expansion.alphas.chunks(LANES))
            .map(|(vectors, alphas)| Block::new(vectors, alphas, features))
            .collect();
        Ceiling {
            score: Box::new(move |x| {
                let mut sums = [0.0; LANES];
                blocks
                    .iter()
                    .for_each(|block| block.add(x, gamma, &mut sums));
                sums.iter().sum()
            }),
        }
    }

    /// `f(x)`, nearly.
    pub fn score(&self, x: &[f32]) -> f32 {
        (self.score)(x)
    }
}

/// Vectors feature by feature; those that are missing in the last block have a coefficient of zero.
struct Block<const LANES: usize> {
    features: Vec<[f32; LANES]>,
    alphas: [f32; LANES],
}

impl<const LANES: usize> Block<LANES> {
    fn new(vectors: &[Vec<f32>], alphas: &[f32], features: usize) -> Self {
        let mut block = Block {
            features: vec![[0.0; LANES]; features],
            alphas: [0.0; LANES],
        };
        for (lane, (vector, alpha)) in vectors.iter().zip(alphas).enumerate() {
            block.alphas[lane] = *alpha;
            for (lanes, value) in block.features.iter_mut().zip(vector) {
                lanes[lane] = *value;
            }
        }
        block
    }

    #[inline(always)]
    fn add(&self, x: &[f32], gamma: f32, sums: &mut [f32; LANES]) {
        let mut distances = [0.0_f32; LANES];
        for (x, lanes) in x.iter().zip(&self.features) {
            for (distance, own) in distances.iter_mut().zip(lanes) {
                let difference = x - own;
                *distance = difference.mul_add(difference, *distance);
            }
        }
        for ((sum, alpha), distance) in sums.iter_mut().zip(&self.alphas).zip(distances) {
            *sum = alpha.mul_add(exp(-gamma * distance), *sum);
        }
    }
}

/// `e^x` to six digits, for `x` from -87 to 0: `2^n (1 + r + r^2 / 2 + ...)`.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // Adding 1.5 * 2^23 leaves the nearest integer in the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    let shifted = x.mul_add(std::f32::consts::LOG2_E, ROUND);
    let n = shifted - ROUND;
    let r = n.mul_add(-std::f32::consts::LN_2, x);
    let power = f32::from_bits(shifted.to_bits().wrapping_add(127) << 23);
    let series = [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    power
        * series
            .iter()
            .fold(0.0_f32, |sum, term| sum.mul_add(r, *term))
}
