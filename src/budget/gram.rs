//! Similarities among the stored vectors: computed again, or remembered.

use crate::{
    kernel::KernelIn,
    memory::{Blank, Memory, NumberIn, Square, close_gap, put},
    number::Number,
    support::SupportSet,
};

/// Where a policy gets the similarities among stored vectors from.
///
/// Both ways give the same bits, since a similarity does not depend on who is
/// stored and who is new.
pub trait Gram<M: Memory>: Blank + Clone {
    /// Similarities of the vector in `slot` with every stored one. `scratch`
    /// has room for a row.
    fn row<'a, K: KernelIn<NumberIn<M>>>(
        &'a self,
        kernel: &K,
        set: &SupportSet<M>,
        slot: usize,
        scratch: &'a mut [NumberIn<M>],
    ) -> &'a [NumberIn<M>];

    /// A vector with these similarities to the `row.len()` stored ones was appended.
    fn insert(&mut self, _row: &[NumberIn<M>], _self_similarity: f32) {}

    /// Slot `slot` is gone, the later ones moved down, and a vector with these
    /// similarities to the `row.len()` vectors of before was appended.
    fn exchange(&mut self, _slot: usize, _row: &[NumberIn<M>], _self_similarity: f32) {}
}

/// No memory: every row is computed again when it is needed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recomputed;

impl Blank for Recomputed {
    const BLANK: Self = Recomputed;
}

impl<M: Memory> Gram<M> for Recomputed {
    #[inline]
    fn row<'a, K: KernelIn<NumberIn<M>>>(
        &'a self,
        kernel: &K,
        set: &SupportSet<M>,
        slot: usize,
        scratch: &'a mut [NumberIn<M>],
    ) -> &'a [NumberIn<M>] {
        set.row_of(kernel, slot, scratch);
        scratch
    }
}

/// The whole matrix in `4 B^2` bytes: no kernel evaluation beyond the
/// prediction's.
#[derive(Clone, Debug)]
pub struct Cached<M: Memory>(M::Square<NumberIn<M>>);

impl<M: Memory> Blank for Cached<M> {
    const BLANK: Self = Cached(<M::Square<NumberIn<M>>>::BLANK);
}

impl<M: Memory + Clone> Gram<M> for Cached<M> {
    #[inline]
    fn row<'a, K: KernelIn<NumberIn<M>>>(
        &'a self,
        _: &K,
        _: &SupportSet<M>,
        slot: usize,
        _: &'a mut [NumberIn<M>],
    ) -> &'a [NumberIn<M>] {
        self.0.row(slot)
    }

    fn insert(&mut self, row: &[NumberIn<M>], self_similarity: f32) {
        self.write_last(row.iter().copied(), row.len(), self_similarity);
    }

    fn exchange(&mut self, slot: usize, row: &[NumberIn<M>], self_similarity: f32) {
        let len = row.len();
        self.0.close_row(slot, len);
        for other in 0..len {
            close_gap(self.0.row_mut(other), slot, len);
        }
        let stayed = row.iter().enumerate().filter(|(other, _)| *other != slot);
        let stayed = stayed.map(|(_, similarity)| *similarity);
        self.write_last(stayed, len - 1, self_similarity);
    }
}

impl<M: Memory> Cached<M> {
    /// Writes row and column `last`.
    fn write_last(
        &mut self,
        row: impl Iterator<Item = NumberIn<M>>,
        last: usize,
        self_similarity: f32,
    ) {
        self.0.ensure(last + 1);
        for (slot, similarity) in row.enumerate() {
            put(self.0.row_mut(slot), last, similarity);
            put(self.0.row_mut(last), slot, similarity);
        }
        let own = <NumberIn<M>>::of(self_similarity);
        put(self.0.row_mut(last), last, own);
    }
}

crate::image::persist!([] Recomputed as "recomputed");

crate::image::persist!([M: Memory] Cached<M> as "cached" { 0 });
