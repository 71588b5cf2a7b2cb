//! The one order in which values of different slots are added.
//!
//! Floating-point addition is not associative, so the order is part of the
//! result. Entry `j` is added to partial sum `j mod 8`, one after the other;
//! at the end the eight are added as `((0+4)+(2+6)) + ((1+5)+(3+7))`. Eight
//! independent chains keep a pipelined core and a vector unit busy, and entries
//! of zero behind the last one change nothing.

/// Number of partial sums.
pub const LANES: usize = 8;

/// A sum in the making.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaneSum([f32; LANES]);

impl LaneSum {
    /// Adds terms to the partial sums, the first to the first.
    ///
    /// Call it with [`LANES`] terms at a time, and fewer only at the end.
    #[inline(always)]
    pub fn add(&mut self, terms: impl Iterator<Item = f32>) {
        for (sum, term) in self.0.iter_mut().zip(terms) {
            *sum += term;
        }
    }

    /// Adds the products of two columns of one length, a multiple of [`LANES`]
    /// except at the end.
    #[inline(always)]
    pub fn add_products(&mut self, a: &[f32], b: &[f32]) {
        let (a, a_rest) = a.as_chunks::<LANES>();
        let (b, b_rest) = b.as_chunks::<LANES>();
        for (a, b) in a.iter().zip(b) {
            self.add(a.iter().zip(b).map(|(a, b)| a * b));
        }
        self.add(a_rest.iter().zip(b_rest).map(|(a, b)| a * b));
    }

    /// The total.
    #[inline]
    pub fn total(self) -> f32 {
        let [a, b, c, d, e, f, g, h] = self.0;
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }
}

/// Inner product of two columns; the shorter one decides the length.
///
/// ```
/// assert_eq!(pocketron::num::sum::dot(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]), 32.0);
/// ```
#[inline]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    zip_sum(a, b, |a, b| a * b)
}

/// Sum of `term(a[j], b[j])`; the shorter column decides the length.
#[inline(always)]
pub fn zip_sum<T: Copy>(a: &[f32], b: &[T], term: impl Fn(f32, T) -> f32) -> f32 {
    let (a_blocks, a_rest) = a.as_chunks::<LANES>();
    let (b_blocks, b_rest) = b.as_chunks::<LANES>();
    let mut sum = LaneSum::default();
    let blocks = a_blocks.len().min(b_blocks.len());
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        sum.add(a.iter().zip(b).map(|(a, b)| term(*a, *b)));
    }
    // Whichever column ends first, what is left of it pairs with the other's next entries.
    let a_rest = a_blocks.get(blocks).map_or(a_rest, |block| block);
    let b_rest = b_blocks.get(blocks).map_or(b_rest, |block| block);
    sum.add(a_rest.iter().zip(b_rest).map(|(a, b)| term(*a, *b)));
    sum.total()
}
