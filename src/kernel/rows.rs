//! A kernel over a support set: scores and rows of similarities.

use core::borrow::Borrow;

use super::{Kernel, KernelIn};
use crate::{
    num::{Base, Number},
    persist::Blank,
    storage::{
        Column, FeatureIn, Memory, NumberIn, Point, SupportSet, first_nearest,
        point::{BLOCK, Points},
    },
};

impl<M: Memory> SupportSet<M> {
    /// `f(x)`: the kernel expansion at `x`.
    ///
    /// A block of slots at a time, each in three passes (bases, kernel,
    /// sum): the passes vectorise one by one, and no row is needed.
    #[inline]
    pub fn score<K: KernelIn<FeatureIn<M>>>(&self, kernel: &K, x: &Point<M>) -> f32 {
        let mut sum = <NumberIn<M> as Number>::Sum::default();
        let mut block = [<NumberIn<M>>::ZERO; BLOCK];
        for (index, stored) in self.stored().chunks(BLOCK).enumerate() {
            let block = block.get_mut(..stored.len()).unwrap_or_default();
            let first = BLOCK * index;
            kernel.bases_in(self.points(), x, first, block);
            kernel.map_in(self.step(), block);
            <NumberIn<M>>::add_products(&mut sum, stored, block);
        }
        <NumberIn<M>>::total(sum, self.unit)
    }

    /// Similarity of two points.
    #[inline]
    pub fn pair<K: KernelIn<FeatureIn<M>>>(&self, kernel: &K, a: &Point<M>, b: &Point<M>) -> f32 {
        kernel.of_in(self.step(), kernel.base_of(a.as_ref(), b.as_ref()))
    }

    /// Base number of two points.
    #[inline]
    pub fn base_of<K>(&self, kernel: &K, a: &Point<M>, b: &Point<M>) -> f32
    where
        K: KernelIn<FeatureIn<M>>,
    {
        let base = kernel.base_of(a.as_ref(), b.as_ref());
        base.base(self.step())
    }

    /// Similarity of a point with itself.
    #[inline]
    pub fn own<K: Kernel>(&self, kernel: &K, x: &Point<M>) -> f32 {
        kernel.own_with(|| {
            let base = Base::Product.of_pair(x.as_ref(), x.as_ref());
            base.base(self.step())
        })
    }

    /// Base numbers of `x` with every stored vector, into `row`.
    #[inline]
    pub fn bases<K>(&self, kernel: &K, x: &Point<M>, row: &mut [NumberIn<M>])
    where
        K: KernelIn<FeatureIn<M>>,
    {
        kernel.bases_in(self.points(), x, 0, self.occupied(row));
    }

    /// Similarities of `x` with every stored vector, into `row`.
    #[inline]
    pub fn row<K: KernelIn<FeatureIn<M>>>(
        &self,
        kernel: &K,
        x: &Point<M>,
        row: &mut [NumberIn<M>],
    ) {
        self.bases(kernel, x, row);
        kernel.map_in(self.step(), self.occupied(row));
    }

    /// Similarities of `x` with every stored vector, in a row of their own; what
    /// lies behind the occupied slots is zero.
    #[inline]
    pub fn similarities<K>(&self, kernel: &K, x: &Point<M>) -> M::Column<NumberIn<M>>
    where
        K: KernelIn<FeatureIn<M>>,
    {
        let mut row = <M::Column<NumberIn<M>>>::BLANK;
        row.ensure(self.len());
        self.row(kernel, x, row.as_mut_slice());
        row
    }

    /// Similarities of the vector in `slot` with every stored vector, into `row`.
    #[inline]
    pub fn row_of<K: KernelIn<FeatureIn<M>>>(
        &self,
        kernel: &K,
        slot: usize,
        row: &mut [NumberIn<M>],
    ) {
        self.row(kernel, self.point(slot).borrow(), row);
    }

    /// Like [`row`](Self::row), and the slot nearest to `x`.
    #[inline]
    pub fn row_and_nearest<K: KernelIn<FeatureIn<M>>>(
        &self,
        kernel: &K,
        x: &Point<M>,
        row: &mut [NumberIn<M>],
    ) -> Option<usize> {
        if kernel.base() == Base::Distance {
            self.bases(kernel, x, row);
        } else {
            self.points()
                .bases(Base::Distance, x, 0, self.occupied(row));
        }
        let nearest = first_nearest(self.occupied(row), None);
        if kernel.base() != Base::Distance {
            self.bases(kernel, x, row);
        }
        kernel.map_in(self.step(), self.occupied(row));
        nearest.map(|(slot, _)| slot)
    }
}
