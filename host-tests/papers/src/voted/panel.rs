//! Examples side by side: a support vector meets 64 of them at a time.
//!
//! A pair is summed over its features in order, as the core does; the pairs of a panel are
//! independent of each other, so that they vectorise without changing a bit.

use pocketron::{
    kernel::{Kernel, Polynomial},
    num::{
        Base,
        sum::{LANES, LaneSum},
    },
    storage::point::Feature as _,
};

use crate::sparse::Feature;

/// Examples in a panel. Its features stay in a core's second-level cache while hundreds of support
/// vectors pass by, and its sums are enough independent chains to hide the latency of an addition.
pub const WIDTH: usize = 64;

/// One number for each example of a panel.
pub type Strip = [f32; WIDTH];

/// The features of up to [`WIDTH`] examples, zeros in the place of missing ones.
#[derive(Debug)]
pub struct Panel {
    len: usize,
    features: Vec<Strip>,
}

impl Panel {
    /// Lays rows of `dim` features side by side.
    ///
    /// # Panics
    ///
    /// If there are more than [`WIDTH`].
    pub fn new<'a>(dim: usize, rows: impl Iterator<Item = &'a [f32]>) -> Self {
        let (mut len, mut features) = (0, vec![[0.0; WIDTH]; dim]);
        for row in rows {
            for (strip, value) in features.iter_mut().zip(row) {
                strip[len] = *value;
            }
            len += 1;
        }
        Panel { len, features }
    }

    /// Number of examples.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Inner products of all examples with `x`. What is zero in `x` would add nothing.
    #[inline]
    pub fn products(&self, x: &[Feature]) -> Strip {
        let mut sums = [0.0; WIDTH];
        for (position, x) in x {
            for (sum, own) in sums.iter_mut().zip(&self.features[*position as usize]) {
                f32::accumulate(Base::Product, sum, *x, *own);
            }
        }
        sums
    }
}

/// `(1 + a . b)^degree`: from inner products to similarities.
#[derive(Clone, Copy, Debug)]
pub struct Similarity {
    kernel: Polynomial,
    map: fn(&mut Strip),
}

impl Similarity {
    /// The kernel of Freund and Schapire, for their degrees: 1 to 6.
    pub fn of_degree(degree: u32) -> Option<Self> {
        match degree {
            1 => Some(Self::fixed::<1>()),
            2 => Some(Self::fixed::<2>()),
            3 => Some(Self::fixed::<3>()),
            4 => Some(Self::fixed::<4>()),
            5 => Some(Self::fixed::<5>()),
            6 => Some(Self::fixed::<6>()),
            _ => None,
        }
    }

    /// The core's kernel vectorises when the compiler knows the degree.
    fn fixed<const DEGREE: u32>() -> Self {
        const fn kernel(degree: u32) -> Polynomial {
            match Polynomial::new(degree, 1.0, 1.0) {
                Ok(kernel) => kernel,
                Err(_) => panic!("a degree that the kernel does not have"),
            }
        }
        Similarity {
            kernel: const { kernel(DEGREE) },
            map: |strip| const { kernel(DEGREE) }.map(strip),
        }
    }

    /// Similarities of the examples of a panel with `x`.
    #[inline]
    pub fn row(&self, panel: &Panel, x: &[Feature]) -> Strip {
        let mut strip = panel.products(x);
        (self.map)(&mut strip);
        strip
    }

    /// Similarity of `x` with itself.
    pub fn own(&self, x: &[Feature]) -> f32 {
        let mut square = 0.0;
        for (_, x) in x {
            f32::accumulate(Base::Product, &mut square, *x, *x);
        }
        self.kernel.of(square)
    }
}

/// The sum over the support vectors of a hypothesis in the making, for each example of a panel: the
/// core's eight partial sums, kept apart so that later vectors can be added to them.
#[derive(Clone, Debug)]
pub struct PartialSums([Strip; LANES]);

impl PartialSums {
    /// Nothing added yet.
    pub const ZERO: Self = PartialSums([[0.0; WIDTH]; LANES]);

    /// Adds the vector in `slot`, the next one.
    #[inline]
    pub fn add(&mut self, slot: usize, alpha: f32, similarities: &Strip) {
        for (sum, near) in self.0[slot % LANES].iter_mut().zip(similarities) {
            *sum += alpha * near;
        }
    }

    /// Sums of `alphas` times similarities, all at once: lane after lane, each in registers.
    pub fn of<const N: usize>(
        alphas: [&[f32]; N],
        vectors: &[u32],
        similarities: &[Strip],
    ) -> [Self; N] {
        let mut sums = [Self::ZERO; N];
        for lane in 0..LANES {
            let mut strips = [[0.0; WIDTH]; N];
            for slot in (lane..vectors.len()).step_by(LANES) {
                let near = &similarities[vectors[slot] as usize];
                for (strip, alphas) in strips.iter_mut().zip(alphas) {
                    let alpha = alphas[slot];
                    for (sum, near) in strip.iter_mut().zip(near) {
                        *sum += alpha * near;
                    }
                }
            }
            for (sums, strip) in sums.iter_mut().zip(strips) {
                sums.0[lane] = strip;
            }
        }
        sums
    }

    /// The sum of one example.
    #[inline(always)]
    pub fn total(&self, example: usize) -> f32 {
        let mut sum = LaneSum::default();
        sum.add(self.0.iter().map(|lane| lane[example]));
        sum.total()
    }

    /// The sums of all examples.
    #[inline]
    pub fn totals(&self) -> Strip {
        std::array::from_fn(|example| self.total(example))
    }
}
