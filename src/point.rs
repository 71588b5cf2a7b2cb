//! Stores of feature vectors, and the loops over them.
//!
//! A store answers one question fast: how does a new vector relate to every
//! stored one? The answer is a *base number* per pair, an inner product or a
//! squared distance, which a [kernel](crate::kernel) maps to a similarity.
//!
//! The order of addition is fixed: a pair is summed *over its features, first
//! to last*, and the pairs are independent of each other. So any number of
//! stored vectors can be handled side by side without changing a bit: see
//! `docs/layout.md` for the figures that decided the layout.

use core::{borrow::Borrow, fmt::Debug};

use crate::{
    error::InputError,
    image::{ImageError, Persist, Reader, Shape, Writer},
    memory::{Blank, close_gap},
};

/// The number of a pair that a kernel looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The inner product `a . b`.
    Product,
    /// The squared distance `|a - b|^2`.
    Distance,
}

impl Base {
    /// The base number of two vectors, summed over the features in order.
    #[inline]
    pub fn of_pair(self, a: &[f32], b: &[f32]) -> f32 {
        let mut sum = 0.0;
        for (a, b) in a.iter().zip(b) {
            self.step(&mut sum, *a, *b);
        }
        sum
    }

    /// Adds one feature of a pair to its sum.
    #[inline(always)]
    pub fn step(self, sum: &mut f32, x: f32, s: f32) {
        *sum += match self {
            Base::Product => x * s,
            Base::Distance => (x - s) * (x - s),
        };
    }
}

/// Feature vectors in numbered slots.
///
/// An image of them goes feature by feature, whatever their order in memory, and
/// is called by number format, features and slots: `f32(2,20)`.
pub trait Points: Clone + Debug + Persist {
    /// One feature vector, as the user hands it in.
    type Point: ?Sized + AsRef<[f32]>;
    /// A copy of a stored vector.
    type Owned: Borrow<Self::Point>;

    /// Number of slots: the budget.
    fn capacity(&self) -> usize;

    /// Refuses vectors that must not get in.
    fn check(&self, x: &Self::Point) -> Result<(), InputError>;

    /// Overwrites `slot`; nothing happens when there is no such slot.
    fn write(&mut self, slot: usize, x: &Self::Point);

    /// Moves the vector in `slot` to `share * x + (1 - share) * itself`.
    fn blend(&mut self, slot: usize, x: &Self::Point, share: f32);

    /// Copy of the vector in `slot`; zeros when there is no such slot.
    fn fetch(&self, slot: usize) -> Self::Owned;

    /// Removes `slot` of the first `len`: the later ones move down by one.
    fn close_gap(&mut self, slot: usize, len: usize);

    /// Base numbers of `x` with the stored vectors from slot `first` on, as many
    /// as `out` has room for. `first` is a multiple of [`BLOCK`].
    fn bases(&self, base: Base, x: &Self::Point, first: usize, out: &mut [f32]);
}

/// Slots that a prediction handles at a time: its only scratch memory.
pub const BLOCK: usize = 64;

/// Whether every feature is finite.
#[inline]
pub fn is_finite(x: &[f32]) -> bool {
    x.iter().all(|feature| feature.is_finite())
}

/// `B` vectors of `D` features inside the model, one array per feature.
///
/// Exactly `4 * D * B` bytes: neighbouring vectors are neighbours in memory
/// without any padding.
#[derive(Clone, Debug)]
pub struct InlinePoints<const D: usize, const B: usize> {
    features: [[f32; B]; D],
}

impl<const D: usize, const B: usize> Blank for InlinePoints<D, B> {
    const BLANK: Self = {
        assert!(D > 0, "a point needs at least one feature");
        assert!(B > 0, "a budget of zero support vectors learns nothing");
        InlinePoints {
            features: [[0.0; B]; D],
        }
    };
}

impl<const D: usize, const B: usize> Points for InlinePoints<D, B> {
    type Point = [f32; D];
    type Owned = [f32; D];

    #[inline]
    fn capacity(&self) -> usize {
        B
    }

    #[inline]
    fn check(&self, x: &[f32; D]) -> Result<(), InputError> {
        if is_finite(x) {
            Ok(())
        } else {
            Err(InputError::NonFinite)
        }
    }

    #[inline]
    fn write(&mut self, slot: usize, x: &[f32; D]) {
        for (column, x) in self.features.iter_mut().zip(x) {
            crate::memory::put(column, slot, *x);
        }
    }

    #[inline]
    fn blend(&mut self, slot: usize, x: &[f32; D], share: f32) {
        for (column, x) in self.features.iter_mut().zip(x) {
            if let Some(own) = column.get_mut(slot) {
                *own = share * x + (1.0 - share) * *own;
            }
        }
    }

    #[inline]
    fn fetch(&self, slot: usize) -> [f32; D] {
        let mut point = [0.0; D];
        for (feature, column) in point.iter_mut().zip(&self.features) {
            if let Some(own) = column.get(slot) {
                *feature = *own;
            }
        }
        point
    }

    #[inline]
    fn close_gap(&mut self, slot: usize, len: usize) {
        for column in &mut self.features {
            close_gap(column, slot, len);
        }
    }

    #[inline]
    fn bases(&self, base: Base, x: &[f32; D], first: usize, out: &mut [f32]) {
        let mut slot = first;
        let (twelves, rest) = out.as_chunks_mut();
        for block in twelves {
            *block = self.twelve(base, x, slot);
            slot += 12;
        }
        let (fours, rest) = rest.as_chunks_mut();
        for block in fours {
            *block = self.four(base, x, slot);
            slot += 4;
        }
        for number in rest {
            *number = self.one(base, x, slot);
            slot += 1;
        }
    }
}

/// Several slots side by side: every feature of `x` is loaded once for all of
/// them. Twelve sums, their operands and `x` fit the registers of a Cortex-M4F.
/// The sums have names because an array of them ends up on the stack when
/// compiled for size.
impl<const D: usize, const B: usize> InlinePoints<D, B> {
    #[inline(always)]
    fn twelve(&self, base: Base, x: &[f32; D], slot: usize) -> [f32; 12] {
        let [mut a, mut b, mut c, mut d, mut e, mut f] = [0.0; 6];
        let [mut g, mut h, mut i, mut j, mut k, mut l] = [0.0; 6];
        for (column, x) in self.features.iter().zip(x) {
            let lanes = column.get(slot..).and_then(|tail| tail.first_chunk());
            if let Some([sa, sb, sc, sd, se, sf, sg, sh, si, sj, sk, sl]) = lanes {
                base.step(&mut a, *x, *sa);
                base.step(&mut b, *x, *sb);
                base.step(&mut c, *x, *sc);
                base.step(&mut d, *x, *sd);
                base.step(&mut e, *x, *se);
                base.step(&mut f, *x, *sf);
                base.step(&mut g, *x, *sg);
                base.step(&mut h, *x, *sh);
                base.step(&mut i, *x, *si);
                base.step(&mut j, *x, *sj);
                base.step(&mut k, *x, *sk);
                base.step(&mut l, *x, *sl);
            }
        }
        [a, b, c, d, e, f, g, h, i, j, k, l]
    }

    #[inline(always)]
    fn four(&self, base: Base, x: &[f32; D], slot: usize) -> [f32; 4] {
        let [mut a, mut b, mut c, mut d] = [0.0; 4];
        for (column, x) in self.features.iter().zip(x) {
            let lanes = column.get(slot..).and_then(|tail| tail.first_chunk());
            if let Some([sa, sb, sc, sd]) = lanes {
                base.step(&mut a, *x, *sa);
                base.step(&mut b, *x, *sb);
                base.step(&mut c, *x, *sc);
                base.step(&mut d, *x, *sd);
            }
        }
        [a, b, c, d]
    }

    #[inline(always)]
    fn one(&self, base: Base, x: &[f32; D], slot: usize) -> f32 {
        let mut sum = 0.0;
        for (column, x) in self.features.iter().zip(x) {
            if let Some(own) = column.get(slot) {
                base.step(&mut sum, *x, *own);
            }
        }
        sum
    }
}

impl<const D: usize, const B: usize> Persist for InlinePoints<D, B> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("f32", |inside| {
            inside.number(D);
            inside.number(B);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        for column in &self.features {
            column.save(writer);
        }
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.features
            .iter_mut()
            .try_for_each(|column| column.load(reader))
    }
}
