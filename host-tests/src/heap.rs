//! Memory for learners whose shape is known only at run time.
//!
//! The same learners as on the device, over columns that grow: one compiled
//! copy of a policy serves every number of features and every budget.

mod image;

use pocketron::{
    error::InputError,
    memory::{Blank, Column, Entry, Memory, Square},
    point::{BLOCK, Base, Points, is_finite},
};

/// Memory on the heap.
#[derive(Clone, Copy, Debug)]
pub struct Heap;

impl Memory for Heap {
    type Points = HeapPoints;
    type Column<T: Entry> = Grown<T>;
    type Square = HeapSquare;
}

/// A column that grows when asked to.
#[derive(Clone, Debug)]
pub struct Grown<T>(Vec<T>);

impl<T> Blank for Grown<T> {
    const BLANK: Self = Grown(Vec::new());
}

impl<T: Entry> Column<T> for Grown<T> {
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
pub struct HeapSquare(Vec<Vec<f32>>);

impl Blank for HeapSquare {
    const BLANK: Self = HeapSquare(Vec::new());
}

impl Square for HeapSquare {
    fn row(&self, slot: usize) -> &[f32] {
        self.0.get(slot).map_or(&[], Vec::as_slice)
    }

    fn row_mut(&mut self, slot: usize) -> &mut [f32] {
        self.0.get_mut(slot).map_or(&mut [], Vec::as_mut_slice)
    }

    fn close_row(&mut self, slot: usize, len: usize) {
        self.0[slot..len].rotate_left(1);
    }

    fn ensure(&mut self, side: usize) {
        if self.0.len() < side {
            self.0.resize(side, Vec::new());
            for row in &mut self.0 {
                row.resize(side, 0.0);
            }
        }
    }
}

/// Vectors handled side by side: four registers of eight lanes hide the latency
/// of the additions. Divides the core's [`BLOCK`].
const SIDE_BY_SIDE: usize = 32;
const _: () = assert!(BLOCK.is_multiple_of(SIDE_BY_SIDE));

/// Feature vectors in interleaved blocks: `SIDE_BY_SIDE` neighbours feature by
/// feature, so that a block is read from front to back.
#[derive(Clone, Debug)]
pub struct HeapPoints {
    dim: usize,
    budget: usize,
    blocks: Vec<[f32; SIDE_BY_SIDE]>,
}

impl HeapPoints {
    /// Room for `budget` vectors of `dim` features, taken as needed.
    ///
    /// # Panics
    ///
    /// If either is zero.
    pub fn new(dim: usize, budget: usize) -> Self {
        assert!(dim > 0, "a point needs at least one feature");
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
    fn slot_mut(&mut self, slot: usize) -> impl Iterator<Item = &mut f32> {
        let (block, lane) = (slot / SIDE_BY_SIDE, slot % SIDE_BY_SIDE);
        let end = (block + 1) * self.dim;
        if self.blocks.len() < end {
            self.blocks.resize(end, [0.0; SIDE_BY_SIDE]);
        }
        let block = &mut self.blocks[end - self.dim..end];
        block.iter_mut().map(move |lanes| &mut lanes[lane])
    }
}

impl Points for HeapPoints {
    type Point = [f32];
    type Owned = Vec<f32>;

    fn capacity(&self) -> usize {
        self.budget
    }

    fn check(&self, x: &[f32]) -> Result<(), InputError> {
        if x.len() != self.dim {
            Err(InputError::WrongDimension)
        } else if !is_finite(x) {
            Err(InputError::NonFinite)
        } else {
            Ok(())
        }
    }

    fn write(&mut self, slot: usize, x: &[f32]) {
        for (own, x) in self.slot_mut(slot).zip(x) {
            *own = *x;
        }
    }

    fn blend(&mut self, slot: usize, x: &[f32], share: f32) {
        for (own, x) in self.slot_mut(slot).zip(x) {
            *own = share * x + (1.0 - share) * *own;
        }
    }

    fn fetch(&self, slot: usize) -> Vec<f32> {
        let (block, lane) = (slot / SIDE_BY_SIDE, slot % SIDE_BY_SIDE);
        let block = self.blocks.chunks(self.dim).nth(block);
        block.map_or_else(
            || vec![0.0; self.dim],
            |block| block.iter().map(|lanes| lanes[lane]).collect(),
        )
    }

    fn close_gap(&mut self, slot: usize, len: usize) {
        let mut blocks = self.blocks.chunks_mut(self.dim).skip(slot / SIDE_BY_SIDE);
        let Some(mut here) = blocks.next() else {
            return;
        };
        for lanes in here.iter_mut() {
            lanes.copy_within(slot % SIDE_BY_SIDE + 1.., slot % SIDE_BY_SIDE);
        }
        let behind = len.div_ceil(SIDE_BY_SIDE) - slot / SIDE_BY_SIDE - 1;
        for next in blocks.take(behind) {
            for (lanes, next) in here.iter_mut().zip(next.iter_mut()) {
                lanes[SIDE_BY_SIDE - 1] = next[0];
                next.copy_within(1.., 0);
            }
            here = next;
        }
    }

    #[inline]
    fn bases(&self, base: Base, x: &[f32], first: usize, out: &mut [f32]) {
        let blocks = self.blocks.chunks_exact(self.dim);
        let blocks = blocks.skip(first / SIDE_BY_SIDE);
        for (out, block) in out.chunks_mut(SIDE_BY_SIDE).zip(blocks) {
            let mut sums = [0.0; SIDE_BY_SIDE];
            for (x, lanes) in x.iter().zip(block) {
                for (sum, own) in sums.iter_mut().zip(lanes) {
                    base.step(sum, *x, *own);
                }
            }
            out.copy_from_slice(&sums[..out.len()]);
        }
    }
}
