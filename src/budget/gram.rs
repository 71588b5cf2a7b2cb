//! Similarities among the stored vectors: computed again, or remembered.

use crate::{
    kernel::{KernelIn, Mergeable},
    num::{Fixed, Number},
    persist::{Blank, Element, ImageError, Persist, Reader, Shape, Writer},
    storage::{Column, FeatureIn, Memory, NumberIn, Square, SupportSet, close_gap, put},
};

/// Source of the similarities among stored vectors.
///
/// [`Recomputed`] and [`Cached`] at full precision give the same bits, since a similarity does not depend on
/// who is stored and who is new.
pub trait Gram<K, M: Memory>: Blank + Clone + crate::sealed::Sealed {
    /// Similarities of the vector in `slot` with every stored one. `scratch`
    /// has room for a row.
    fn row<'a>(
        &'a self,
        kernel: &K,
        set: &SupportSet<M>,
        slot: usize,
        scratch: &'a mut [NumberIn<M>],
    ) -> &'a [NumberIn<M>];

    /// Similarities as [`row`](Self::row) will return them, if need be in `scratch`, which has room for them. What is
    /// added to a sum by these can be taken off again without a remainder.
    #[inline]
    fn rounded<'a>(
        row: &'a [NumberIn<M>],
        _scratch: &'a mut M::Column<NumberIn<M>>,
    ) -> &'a [NumberIn<M>] {
        row
    }

    /// A vector with these similarities to the `row.len()` stored ones was appended.
    fn insert(&mut self, _row: &[NumberIn<M>], _self_similarity: f32) {}

    /// Slot `slot` is gone, the later ones moved down, and a vector with these
    /// similarities to the `row.len()` vectors of before was appended.
    fn exchange(&mut self, _slot: usize, _row: &[NumberIn<M>], _self_similarity: f32) {}
}

/// No memory: every row is computed again when it is needed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recomputed;

impl<K: KernelIn<FeatureIn<M>>, M: Memory> Gram<K, M> for Recomputed {
    #[inline]
    fn row<'a>(
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

/// A number that a cache can be made of.
pub trait Cacheable: Element + crate::sealed::Sealed {
    /// Name of the cache in the [shape](crate::persist) of a model.
    const CACHE: &str;
}

impl<N: Number> Cacheable for N {
    const CACHE: &str = "cached";
}

impl Cacheable for u16 {
    const CACHE: &str = "cached-u16";
}

/// Storage format of a similarity of the kernel `K`.
pub trait CacheFormat<K, N>: Cacheable {
    /// The nearest that can be kept.
    fn keep(similarity: N) -> Self;

    /// The row as it reads back after rounding to the cache format, if need be in `scratch`.
    fn rounded<'a, C: Column<N>>(row: &'a [N], scratch: &'a mut C) -> &'a [N];

    /// A row as it was cached, converted in `scratch` if need be.
    fn row<'a>(kept: &'a [Self], scratch: &'a mut [N]) -> &'a [N];
}

/// As it is.
impl<K, N: Number> CacheFormat<K, N> for N {
    #[inline]
    fn keep(similarity: N) -> N {
        similarity
    }

    #[inline]
    fn rounded<'a, C: Column<N>>(row: &'a [N], _: &'a mut C) -> &'a [N] {
        row
    }

    #[inline]
    fn row<'a>(kept: &'a [N], _: &'a mut [N]) -> &'a [N] {
        kept
    }
}

/// Fraction bits of a similarity in 16 bits: it goes up to one.
const DIGITS: u32 = 15;

/// A similarity of a kernel with similarities from zero to one, in 16 bits.
macro_rules! in_16_bits {
    ($(#[$doc:meta])* $number:ty, $keep:expr, $tell:expr) => {
        $(#[$doc])*
        impl<K: Mergeable> CacheFormat<K, $number> for u16 {
            #[inline]
            fn keep(similarity: $number) -> u16 {
                $keep(similarity)
            }

            #[inline]
            fn rounded<'a, C: Column<$number>>(
                row: &'a [$number],
                scratch: &'a mut C,
            ) -> &'a [$number] {
                rounded::<K, $number, C>(row, scratch)
            }

            #[inline]
            fn row<'a>(kept: &'a [u16], scratch: &'a mut [$number]) -> &'a [$number] {
                for (similarity, kept) in scratch.iter_mut().zip(kept) {
                    *similarity = $tell(*kept);
                }
                scratch
            }
        }
    };
}

in_16_bits!(
    /// Half of the bytes: multiples of 2^-15, for the kernels whose similarities go from zero to one.
    ///
    /// ```compile_fail,E0277
    /// use pocketron::{kernel::LinearKernel, prelude::*};
    /// let mut model = TightestCached::<2, 8, LinearKernel, f32, u16>::new(LinearKernel);
    /// model.learn(&[0.0, 0.0], Sign::Pos).unwrap();
    /// ```
    f32,
    |similarity| (similarity * (1 << DIGITS) as f32 + 0.5) as u16,
    |kept| f32::from(kept) * (1.0 / (1 << DIGITS) as f32)
);

in_16_bits!(
    /// The same for fixed-point numbers, which lose nine of their bits.
    Fixed,
    |similarity: Fixed| ((similarity.raw() + (SURPLUS >> 1)) / SURPLUS) as u16,
    |kept| Fixed::from_raw(i32::from(kept) * SURPLUS)
);

/// The value of the lowest of 16 bits in a fixed-point similarity.
const SURPLUS: i32 = Fixed::ONE.raw() >> DIGITS;

/// A row after rounding to 16 bits.
#[inline]
fn rounded<'a, K, N: Number, C: Column<N>>(row: &[N], scratch: &'a mut C) -> &'a [N]
where
    u16: CacheFormat<K, N>,
{
    scratch.ensure(row.len());
    for (rounded, similarity) in scratch.as_mut_slice().iter_mut().zip(row) {
        let kept = [<u16 as CacheFormat<K, N>>::keep(*similarity)];
        <u16 as CacheFormat<K, N>>::row(&kept, core::slice::from_mut(rounded));
    }
    scratch.as_slice().get(..row.len()).unwrap_or_default()
}

/// Caches the whole matrix. With a distance kernel a removal costs one row; with a product kernel scores are recomputed,
/// to avoid cancellation.
///
/// `E` says how a similarity is [kept](CacheFormat): as it is, in `4 B^2` bytes, or as `u16` in `2 B^2`, off by
/// at most 2^-16. A policy adds the value that the cache will return at removal to its sums, so that they do not drift. The accuracy of Tightest is the same but for chance: `docs/formats.md`.
#[derive(Clone, Debug)]
pub struct Cached<M: Memory, E: Element = NumberIn<M>>(M::Square<E>);

crate::persist::blank!([; M: Memory, E: Element] Cached<M, E> { 0 });

impl<K, M: Memory + Clone, E: CacheFormat<K, NumberIn<M>>> Gram<K, M> for Cached<M, E> {
    #[inline]
    fn row<'a>(
        &'a self,
        _: &K,
        _: &SupportSet<M>,
        slot: usize,
        scratch: &'a mut [NumberIn<M>],
    ) -> &'a [NumberIn<M>] {
        E::row(self.0.row(slot), scratch)
    }

    #[inline]
    fn rounded<'a>(
        row: &'a [NumberIn<M>],
        scratch: &'a mut M::Column<NumberIn<M>>,
    ) -> &'a [NumberIn<M>] {
        E::rounded(row, scratch)
    }

    fn insert(&mut self, row: &[NumberIn<M>], self_similarity: f32) {
        let own = E::keep(<NumberIn<M>>::of(self_similarity));
        self.write_last(row.iter().copied().map(E::keep), row.len(), own);
    }

    fn exchange(&mut self, slot: usize, row: &[NumberIn<M>], self_similarity: f32) {
        let len = row.len();
        self.0.close_row(slot, len);
        for other in 0..len {
            close_gap(self.0.row_mut(other), slot, len);
        }
        let stayed = row.iter().enumerate().filter(|(other, _)| *other != slot);
        let stayed = stayed.map(|(_, similarity)| E::keep(*similarity));
        let own = E::keep(<NumberIn<M>>::of(self_similarity));
        self.write_last(stayed, len - 1, own);
    }
}

impl<M: Memory, E: Element> Cached<M, E> {
    /// Writes row and column `last`.
    fn write_last(&mut self, row: impl Iterator<Item = E>, last: usize, own: E) {
        self.0.ensure(last + 1);
        for (slot, similarity) in row.enumerate() {
            put(self.0.row_mut(slot), last, similarity);
            put(self.0.row_mut(last), slot, similarity);
        }
        put(self.0.row_mut(last), last, own);
    }
}

crate::persist::persist!([] Recomputed as "recomputed");

impl<M: Memory, E: Cacheable> Persist for Cached<M, E> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part(E::CACHE, |inside| self.0.shape(inside));
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.0.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.0.load(reader)
    }
}

impl crate::sealed::Sealed for Recomputed {}
impl<M: Memory, E: Element> crate::sealed::Sealed for Cached<M, E> {}
impl crate::sealed::Sealed for u16 {}
