//! Support vectors that all classes share.

use super::{
    row::{CoefficientRow, FRACTION},
    scale::Remap,
};
use crate::{
    kernel::KernelIn,
    num::{Fixed, Number as _},
    persist::{Blank, ImageError, Persist, Reader, Shape, Writer},
    storage::{
        Column, Memory, Point, close_gap,
        point::{BLOCK, Points, Rounding},
        put,
    },
};

/// Quantised points with a [row](CoefficientRow) of coefficients each, in numbered slots: `B (D + N + 2) + 4` bytes.
///
/// ```text
/// s_c(x) = sum_j A_jc k(x_j, x)
/// ```
#[derive(Clone, Debug)]
pub struct Vectors<M: Memory, const N: usize> {
    points: M::Points,
    rows: M::Column<CoefficientRow<N>>,
    // Not `usize`: a model has the same size on a PC as on the core.
    len: u32,
}

impl<M: Memory, const N: usize> Vectors<M, N> {
    /// None yet, over a store of points.
    pub const fn with_points(points: M::Points) -> Self {
        Vectors {
            points,
            rows: <M::Column<CoefficientRow<N>>>::BLANK,
            len: 0,
        }
    }

    /// The coefficients of every occupied slot.
    #[inline]
    pub fn rows(&self) -> &[CoefficientRow<N>] {
        self.rows.as_slice().get(..self.len()).unwrap_or_default()
    }

    /// The coefficients of one slot; zeros when it is not occupied.
    #[inline]
    pub fn row(&self, slot: usize) -> CoefficientRow<N> {
        self.rows()
            .get(slot)
            .copied()
            .unwrap_or(CoefficientRow::BLANK)
    }

    /// The same, to be changed.
    #[inline]
    pub(super) fn row_mut(&mut self, slot: usize) -> Option<&mut CoefficientRow<N>> {
        let len = self.len();
        let rows = self.rows.as_mut_slice().get_mut(..len)?;
        rows.get_mut(slot)
    }

    #[inline]
    pub(super) fn set_row(&mut self, slot: usize, row: CoefficientRow<N>) {
        put(self.rows.as_mut_slice(), slot, row);
    }

    /// Appends a vector; false when full.
    pub(super) fn push(&mut self, x: &Point<M>, row: &CoefficientRow<N>) -> bool {
        if self.is_full() {
            return false;
        }
        let slot = self.len();
        self.len += 1;
        self.points.write(slot, x);
        self.rows.ensure(slot + 1);
        self.set_row(slot, *row);
        true
    }

    /// Frees `slot`; the later vectors move down by one and keep their order.
    pub(super) fn remove(&mut self, slot: usize) {
        let len = self.len();
        if slot < len {
            self.points.close_gap(slot, len);
            close_gap(self.rows.as_mut_slice(), slot, len);
            self.len -= 1;
        }
    }

    /// Moves the vector in `slot` to `share * x + (1 - share) * itself`.
    pub(super) fn blend(&mut self, slot: usize, x: &Point<M>, share: f32) {
        self.points.blend(slot, x, share, Rounding::Nearest);
    }

    /// Forgets every vector.
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }
}

crate::storage::slots!([M: Memory, const N: usize] Vectors<M, N>);

impl<M, const N: usize> Vectors<M, N>
where
    M: Memory<Points: Points<Feature = i8>>,
{
    /// Maps one feature of all vectors to another scale.
    pub(super) fn change_feature(&mut self, feature: usize, remap: Remap) {
        let len = self.len();
        let change = |byte: &mut i8| *byte = remap.apply(*byte);
        self.points.change_feature(feature, len, change);
    }

    /// Scores of every class at `x`, a block of vectors at a time, so that no row of similarities is needed.
    pub fn scores<K: KernelIn<i8>>(&self, kernel: &K, x: &Point<M>) -> [f32; N] {
        let mut sums = [0; N];
        let mut block = [Fixed::ZERO; BLOCK];
        for first in (0..self.len()).step_by(BLOCK) {
            let count = (self.len() - first).min(BLOCK);
            let block = block.get_mut(..count).unwrap_or_default();
            kernel.bases_in(&self.points, x, first, block);
            kernel.map_in(self.points.step(), block);
            self.add_up(first, block, &mut sums);
        }
        totals(&sums)
    }

    /// Similarities of `x` with every vector, into `row`; those of the occupied slots.
    pub(super) fn similarities<'a, K: KernelIn<i8>>(
        &self,
        kernel: &K,
        x: &Point<M>,
        row: &'a mut M::Column<Fixed>,
    ) -> &'a mut [Fixed] {
        let row = self.distances(kernel, x, row);
        kernel.map_in(self.points.step(), row);
        row
    }

    /// Squared distances of `x` to every vector as the kernel measures them, into `row`; those of the occupied slots. Not as a
    /// result, which would be copied.
    pub(super) fn distances<'a, K: KernelIn<i8>>(
        &self,
        kernel: &K,
        x: &Point<M>,
        row: &'a mut M::Column<Fixed>,
    ) -> &'a mut [Fixed] {
        row.ensure(self.len());
        let occupied = row.as_mut_slice().get_mut(..self.len());
        let occupied = occupied.unwrap_or_default();
        kernel.bases_in(&self.points, x, 0, occupied);
        occupied
    }

    /// Scores of every class, of a point whose similarities are known.
    pub(super) fn scores_of(&self, similarities: &[Fixed]) -> [f32; N] {
        let mut sums = [0; N];
        self.add_up(0, similarities, &mut sums);
        totals(&sums)
    }

    #[inline]
    fn add_up(&self, first: usize, similarities: &[Fixed], sums: &mut [i64; N]) {
        let rows = self.rows().get(first..).unwrap_or_default();
        for (row, near) in rows.iter().zip(similarities) {
            let weight = row.weight(*near);
            for (sum, value) in sums.iter_mut().zip(row.values()) {
                *sum += i64::from(weight * i32::from(*value));
            }
        }
    }
}

fn totals<const N: usize>(sums: &[i64; N]) -> [f32; N] {
    const UNIT: f32 = 1.0 / (1_u32 << FRACTION) as f32;
    sums.map(|sum| sum as f32 * UNIT)
}

/// Says how many slots are in use.
impl<M: Memory, const N: usize> Persist for Vectors<M, N> {
    fn shape(&self, shape: &mut Shape<'_>) {
        self.points.shape(shape);
        shape.number(N);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.len.save(writer);
        writer.set_slots(self.len());
        self.points.save(writer);
        self.rows.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let len = reader.word()?;
        // Memory on a host grows with the vectors: not beyond those that there can be.
        if len as usize > self.capacity() || len > reader.left() {
            return Err(ImageError::Malformed);
        }
        reader.set_slots(len as usize);
        self.points.load(reader)?;
        self.rows.load(reader)?;
        reader.put(&mut self.len, len);
        Ok(())
    }
}
