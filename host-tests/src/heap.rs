//! Memory for learners whose shape is known only at run time.
//!
//! The same learners as on the device, over columns that grow: one compiled
//! copy of a policy serves every number of features and every budget.

mod image;
mod tabled;

pub use tabled::{Bases, Tabled, TabledPoints, row_point};

use std::marker::PhantomData;

use pocketron::{
    error::InputError,
    num::{Base, Number},
    persist::{Blank, Element},
    storage::{
        Column, Memory, PerFeature, Square,
        point::{BLOCK, Feature, MOST_FEATURES, NumberOf, Points, Rounding, WeightedDistance},
    },
};

/// Memory on the heap for features of one format.
#[derive(Clone, Copy, Debug)]
pub struct Heap<F = f32>(PhantomData<F>);

impl<F: Feature> PerFeature for Heap<F> {
    type Of<T: Element> = Grown<T>;
    type Raw = [f32];
}

impl<F: Feature> Memory for Heap<F> {
    type Points = HeapPoints<F>;
    type Column<T: Element> = Grown<T>;
    type Square<T: Element> = HeapSquare<T>;
}

/// A column that grows when asked to.
#[derive(Clone, Debug)]
pub struct Grown<T>(Vec<T>);

impl<T> Blank for Grown<T> {
    const BLANK: Self = Grown(Vec::new());
}

impl<T> AsRef<[T]> for Grown<T> {
    fn as_ref(&self) -> &[T] {
        &self.0
    }
}

impl<T> AsMut<[T]> for Grown<T> {
    fn as_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Element> Column<T> for Grown<T> {
    fn as_slice(&self) -> &[T] {
        &self.0
    }

    fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.0
    }

    fn ensure(&mut self, len: usize) {
        if self.0.len() < len {
            self.0.resize(len, T::BLANK);
        }
    }
}

/// A square that grows when asked to.
#[derive(Clone, Debug)]
pub struct HeapSquare<T>(Vec<Vec<T>>);

impl<T> Blank for HeapSquare<T> {
    const BLANK: Self = HeapSquare(Vec::new());
}

impl<T: Element> Square<T> for HeapSquare<T> {
    fn row(&self, slot: usize) -> &[T] {
        self.0.get(slot).map_or(&[], Vec::as_slice)
    }

    fn row_mut(&mut self, slot: usize) -> &mut [T] {
        self.0.get_mut(slot).map_or(&mut [], Vec::as_mut_slice)
    }

    fn close_row(&mut self, slot: usize, len: usize) {
        self.0[slot..len].rotate_left(1);
    }

    fn ensure(&mut self, side: usize) {
        if self.0.len() < side {
            self.0.resize(side, Vec::new());
            for row in &mut self.0 {
                row.resize(side, T::BLANK);
            }
        }
    }
}

/// Vectors handled side by side: four registers of eight lanes hide the latency
/// of the additions. Divides the core's [`BLOCK`].
const SIDE_BY_SIDE: usize = 32;
const _: () = assert!(BLOCK.is_multiple_of(SIDE_BY_SIDE));

/// One feature of several vectors, at the beginning of a cache line: a load that crosses two of them takes twice as long.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Lanes<F>([F; SIDE_BY_SIDE]);

/// Feature vectors in interleaved blocks: `SIDE_BY_SIDE` neighbours feature by
/// feature, so that a block is read from front to back.
#[derive(Clone, Debug)]
pub struct HeapPoints<F = f32> {
    dim: usize,
    budget: usize,
    blocks: Vec<Lanes<F>>,
}

impl<F: Feature> HeapPoints<F> {
    /// Room for `budget` vectors of `dim` features, taken as needed.
    ///
    /// # Panics
    ///
    /// If either is zero, or if the dot product of so many fixed-point features would overflow.
    pub fn new(dim: usize, budget: usize) -> Self {
        assert!(dim > 0, "a point needs at least one feature");
        assert!(
            F::NAME == f32::NAME || dim <= MOST_FEATURES,
            "too many features: the dot product would overflow"
        );
        assert!(
            budget > 0,
            "a budget of zero support vectors learns nothing"
        );
        HeapPoints {
            dim,
            budget,
            blocks: Vec::new(),
        }
    }

    /// Features of one slot, one by one.
    fn slot_mut(&mut self, slot: usize) -> impl Iterator<Item = &mut F> {
        let (block, lane) = (slot / SIDE_BY_SIDE, slot % SIDE_BY_SIDE);
        let end = (block + 1) * self.dim;
        if self.blocks.len() < end {
            self.blocks.resize(end, Lanes([F::BLANK; SIDE_BY_SIDE]));
        }
        let block = &mut self.blocks[end - self.dim..end];
        block.iter_mut().map(move |lanes| &mut lanes.0[lane])
    }
}

impl<F: Feature> Points for HeapPoints<F> {
    type Feature = F;
    type Point = [F];
    type Owned = Vec<F>;

    fn capacity(&self) -> usize {
        self.budget
    }

    fn dim(&self) -> usize {
        self.dim
    }

    fn check(&self, x: &[F]) -> Result<(), InputError> {
        if x.len() == self.dim {
            F::check(x)
        } else {
            Err(InputError::WrongDimension)
        }
    }

    fn write(&mut self, slot: usize, x: &[F]) {
        for (own, x) in self.slot_mut(slot).zip(x) {
            *own = *x;
        }
    }

    fn blend(&mut self, slot: usize, x: &[F], share: f32, rounding: Rounding) {
        for (own, x) in self.slot_mut(slot).zip(x) {
            *own = own.blend(*x, share, rounding);
        }
    }

    fn fetch(&self, slot: usize) -> Vec<F> {
        let (block, lane) = (slot / SIDE_BY_SIDE, slot % SIDE_BY_SIDE);
        let block = self.blocks.chunks(self.dim).nth(block);
        block.map_or_else(
            || vec![F::BLANK; self.dim],
            |block| block.iter().map(|lanes| lanes.0[lane]).collect(),
        )
    }

    fn close_gap(&mut self, slot: usize, len: usize) {
        let mut blocks = self.blocks.chunks_mut(self.dim).skip(slot / SIDE_BY_SIDE);
        let Some(mut here) = blocks.next() else {
            return;
        };
        for lanes in here.iter_mut() {
            let from = slot % SIDE_BY_SIDE;
            lanes.0.copy_within(from + 1.., from);
        }
        let behind = len.div_ceil(SIDE_BY_SIDE) - slot / SIDE_BY_SIDE - 1;
        for next in blocks.take(behind) {
            for (lanes, next) in here.iter_mut().zip(next.iter_mut()) {
                lanes.0[SIDE_BY_SIDE - 1] = next.0[0];
                next.0.copy_within(1.., 0);
            }
            here = next;
        }
    }

    fn gather(&self, feature: impl FnMut(usize) -> F) -> Vec<F> {
        (0..self.dim).map(feature).collect()
    }

    fn change_feature(&mut self, feature: usize, len: usize, mut change: impl FnMut(&mut F)) {
        for slot in 0..len {
            if let Some(value) = self.slot_mut(slot).nth(feature) {
                change(value);
            }
        }
    }

    #[inline]
    fn bases(&self, base: Base, x: &[F], first: usize, out: &mut [NumberOf<Self>]) {
        // Decided here and not for every feature: then the loop inside becomes vector instructions.
        match base {
            Base::Product => self.sums(x, first, out, |sum, x, own| {
                F::accumulate(Base::Product, sum, x, own);
            }),
            Base::Distance => self.sums(x, first, out, |sum, x, own| {
                F::accumulate(Base::Distance, sum, x, own);
            }),
        }
    }

    #[inline]
    fn weighted_distances(&self, weights: &[u16], x: &[F], first: usize, out: &mut [NumberOf<Self>])
    where
        F: WeightedDistance,
    {
        let weighted: Vec<(u16, F)> = weights.iter().copied().zip(x.iter().copied()).collect();
        self.sums(&weighted, first, out, |sum, (weight, x), own| {
            F::accumulate_weighted(weight, sum, x, own);
        });
    }
}

impl<F: Feature> HeapPoints<F> {
    /// Adds a feature of every vector to its sum, one feature after the other.
    #[inline]
    fn sums<X: Copy>(
        &self,
        x: &[X],
        first: usize,
        out: &mut [F::Number],
        accumulate: impl Fn(&mut F::Number, X, F),
    ) {
        let blocks = self.blocks.chunks_exact(self.dim);
        let blocks = blocks.skip(first / SIDE_BY_SIDE);
        for (out, block) in out.chunks_mut(SIDE_BY_SIDE).zip(blocks) {
            let mut sums = [F::Number::ZERO; SIDE_BY_SIDE];
            for (x, lanes) in x.iter().zip(block) {
                for (sum, own) in sums.iter_mut().zip(&lanes.0) {
                    accumulate(sum, *x, *own);
                }
            }
            out.copy_from_slice(&sums[..out.len()]);
        }
    }
}
