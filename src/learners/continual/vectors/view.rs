//! Support vectors without sizes in the type: what happens once for every update is compiled once for all models.

use core::{borrow::Borrow, mem::swap, slice};

use super::super::{
    row::{FRACTION, RowHead, RowRef, weight},
    scale::Remap,
    update::{column, owner},
};
use crate::{
    kernel::ArdView,
    num::{Fixed, multiply_add, rolled, to_f32},
    storage::{point::ByteSlots, put},
};

/// The loops over vectors: what a prediction spends its time with. They are compiled for every number of features and
/// classes.
pub(in super::super) struct Loops<P: ?Sized> {
    /// See [`BytePoints`](crate::storage::point::BytePoints::distances).
    pub distances: Distances<P>,
    /// See [`add_up`].
    pub add_up: AddUp,
}

type Distances<P> = fn(&P, Option<&[u16]>, &[i8], &mut [Fixed]);
type AddUp = fn(&[i8], &[RowHead], &[Fixed], &mut [f32]);

impl<P: ?Sized> Clone for Loops<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: ?Sized> Copy for Loops<P> {}

/// The vectors.
pub(in super::super) struct VectorsRef<'a, P: ?Sized> {
    pub points: &'a P,
    pub loops: Loops<P>,
    /// `columns` for every slot.
    pub values: &'a [i8],
    pub heads: &'a [RowHead],
    pub columns: usize,
    pub len: usize,
}

/// The vectors, to be changed.
pub(in super::super) struct VectorsMut<'a, P: ?Sized> {
    pub points: &'a mut P,
    pub loops: Loops<P>,
    pub values: &'a mut [i8],
    pub heads: &'a mut [RowHead],
    pub columns: usize,
    pub len: &'a mut u32,
    /// Number of features.
    pub dim: usize,
    /// The budget.
    pub capacity: usize,
}

/// A vector that is not stored yet.
pub(in super::super) struct Newcomer<'a> {
    pub x: &'a mut [i8],
    pub head: RowHead,
    pub values: &'a mut [i8],
}

impl Newcomer<'_> {
    #[inline]
    pub fn row(&self) -> RowRef<'_> {
        self.head.with(self.values)
    }
}

/// Moves an entry behind the others of the first `len`.
fn neighbours_change<T>(entries: &mut [T], slot: usize, len: usize) {
    if let Some((mut here, others)) = entries
        .get_mut(slot..len)
        .and_then(|tail| tail.split_first_mut())
    {
        for next in others {
            rolled();
            swap(here, next);
            here = next;
        }
    }
}

impl<P: ByteSlots + ?Sized> VectorsRef<'_, P> {
    /// Squared distances of `x` to every vector, into the front of `row`.
    #[inline]
    pub fn distances<'r>(
        &self,
        kernel: &ArdView<'_>,
        x: &[i8],
        row: &'r mut [Fixed],
    ) -> &'r mut [Fixed] {
        let row = row.get_mut(..self.len).unwrap_or_default();
        (self.loops.distances)(self.points, kernel.distinct_weights(), x, row);
        row
    }

    /// Similarities of `x` to every vector, into the front of `row`.
    #[inline(never)]
    pub fn similarities<'r>(
        &self,
        kernel: &ArdView<'_>,
        x: &[i8],
        row: &'r mut [Fixed],
    ) -> &'r mut [Fixed] {
        let row = self.distances(kernel, x, row);
        kernel.slope().map(row);
        row
    }

    /// Scores of every column at `x`; `row` is scratch memory for every vector.
    pub fn scores(&self, kernel: &ArdView<'_>, x: &[i8], row: &mut [Fixed], scores: &mut [f32]) {
        let row = self.similarities(kernel, x, row);
        self.scores_of(row, scores);
    }

    /// Scores of every column, of a point whose similarities are known.
    #[inline]
    pub fn scores_of(&self, row: &[Fixed], scores: &mut [f32]) {
        (self.loops.add_up)(self.values, self.heads, row, scores);
    }
}

/// Scores of `N` columns, from the similarities to the vectors.
pub(super) fn add_up<const N: usize>(
    values: &[i8],
    heads: &[RowHead],
    row: &[Fixed],
    scores: &mut [f32],
) {
    const UNIT: f32 = 1.0 / (1_u32 << FRACTION) as f32;
    let mut sums = [0; N];
    for ((values, head), near) in values.as_chunks::<N>().0.iter().zip(heads).zip(row) {
        let weight = weight(head.exponent, *near);
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum = multiply_add(*sum, weight, (*value).into());
        }
    }
    for (score, sum) in scores.iter_mut().zip(sums) {
        rolled();
        *score = to_f32(sum) * UNIT;
    }
}

impl<P: ?Sized> VectorsRef<'_, P> {
    /// The coefficients of one slot; none when it is not occupied.
    #[inline]
    pub fn row(&self, slot: usize) -> Option<RowRef<'_>> {
        let head = self.heads.get(..self.len)?.get(slot)?;
        let values = self.values.get(slot * self.columns..)?;
        Some(head.with(values.get(..self.columns)?))
    }

    /// Local error rate of the vector in a slot.
    pub fn error_rate(&self, slot: usize) -> f32 {
        self.heads.get(slot).map_or(0.0, |head| head.error_rate())
    }

    /// The class of every vector.
    pub fn owners(&self) -> impl Iterator<Item = usize> + '_ {
        self.rows().map(|row| owner(row.values))
    }

    /// The coefficients of every occupied slot.
    #[inline]
    pub fn rows(&self) -> Rows<'_> {
        Rows {
            heads: self.heads.get(..self.len).unwrap_or_default().iter(),
            values: self.values,
            columns: self.columns,
        }
    }
}

/// The coefficients of every occupied slot, one after the other.
pub(in super::super) struct Rows<'a> {
    heads: slice::Iter<'a, RowHead>,
    values: &'a [i8],
    columns: usize,
}

impl<'a> Iterator for Rows<'a> {
    type Item = RowRef<'a>;

    #[inline]
    fn next(&mut self) -> Option<RowRef<'a>> {
        rolled();
        let head = self.heads.next()?;
        let (values, rest) = self.values.split_at_checked(self.columns)?;
        self.values = rest;
        Some(head.with(values))
    }
}

impl<P: ByteSlots + ?Sized> VectorsMut<'_, P> {
    #[inline]
    pub fn as_ref(&self) -> VectorsRef<'_, P> {
        VectorsRef {
            points: self.points,
            loops: self.loops,
            values: self.values,
            heads: self.heads,
            columns: self.columns,
            len: *self.len as usize,
        }
    }

    #[inline]
    pub fn len(&self) -> usize {
        *self.len as usize
    }

    /// Whether a further vector needs a slot to be freed.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.len() >= self.capacity
    }

    /// The point in `slot`.
    #[inline]
    pub fn point(&self, slot: usize) -> impl Borrow<[i8]> + '_ {
        self.points.point(slot, self.dim)
    }

    /// The head and the coefficients of one occupied slot, to be changed.
    #[inline]
    pub fn row_mut(&mut self, slot: usize) -> Option<(&mut RowHead, &mut [i8])> {
        let len = self.len();
        let head = self.heads.get_mut(..len)?.get_mut(slot)?;
        let values = self.values.get_mut(slot * self.columns..)?;
        Some((head, values.get_mut(..self.columns)?))
    }

    /// Appends a vector; false when full.
    #[inline(never)]
    pub fn push(&mut self, newcomer: &Newcomer<'_>) -> bool {
        if self.is_full() {
            return false;
        }
        let slot = self.len();
        *self.len += 1;
        self.points.write(slot, newcomer.x);
        self.values.write(slot, newcomer.values);
        put(self.heads, slot, newcomer.head);
        true
    }

    /// Frees `slot`; the later vectors move down by one and keep their order.
    pub fn remove(&mut self, slot: usize) {
        if slot < self.len() {
            self.move_to_end(slot);
            *self.len -= 1;
        }
    }

    /// Moves `slot` behind the others, which move down by one.
    #[inline(never)]
    fn move_to_end(&mut self, slot: usize) {
        let len = self.len();
        self.points.move_to_end(slot, len, self.dim);
        neighbours_change(self.heads, slot, len);
        match self.columns {
            1 => neighbours_change(self.values, slot, len),
            columns => self.values.move_to_end(slot, len, columns),
        }
    }

    /// Stores the newcomer behind the others in place of the vector in `slot`, which it becomes.
    pub fn exchange(&mut self, slot: usize, newcomer: &mut Newcomer<'_>) {
        self.points.exchange(slot, newcomer.x);
        self.values.exchange(slot, newcomer.values);
        if let Some(head) = self.heads.get_mut(slot) {
            swap(head, &mut newcomer.head);
        }
        self.move_to_end(slot);
    }

    /// Moves the vector in `slot` to `share * x + (1 - share) * itself`.
    pub fn blend(&mut self, slot: usize, x: &[i8], share: f32) {
        self.points.blend(slot, x, share);
    }

    /// Forgets one class: its vectors are gone, and so is what other vectors say about it.
    #[inline(never)]
    pub fn forget(&mut self, class: usize) {
        let column = column(class, self.columns);
        for slot in (0..self.len()).rev() {
            let Some((head, values)) = self.row_mut(slot) else {
                continue;
            };
            if owner(values) == class {
                self.remove(slot);
                continue;
            }
            match column {
                Some(column) => put(values, column, 0),
                // Large coefficients have nothing to balance any more, and would stand against all that comes.
                None => head.clamp_coefficients(),
            }
        }
    }

    /// Maps one feature of all vectors to another scale.
    #[inline(never)]
    pub fn change_feature(&mut self, feature: usize, remap: Remap) {
        let (len, dim) = (self.len(), self.dim);
        let change = |byte: &mut i8| {
            rolled();
            *byte = remap.apply(*byte);
        };
        self.points.change_feature(feature, len, dim, change);
    }
}
