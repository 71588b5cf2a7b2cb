//! Memory of a model: its columns.
//!
//! A model is a handful of *columns* with one entry per support vector (points,
//! coefficients, and whatever its budget policy asks for) and, for some
//! policies, a square matrix. [`Inline`] keeps them inside the model, sized by
//! the type: that is what a microcontroller uses, and you need nothing else
//! there. The trait exists so that a host can run the very same learners with
//! budgets chosen at run time.

mod evaluated;
pub mod point;
pub mod scale;
mod support;

pub use evaluated::{Evaluated, EvaluatedIn};
pub use support::SupportSet;
pub(crate) use support::first_nearest;

use core::{fmt::Debug, marker::PhantomData};

use crate::{
    num::Number,
    persist::{Blank, Element, ImageError, Persist, Reader, Shape, Writer},
    storage::point::{Feature, NumberOf, Points},
};

/// Methods of every slot set: a struct with `points` and `len`, over memory `M`.
macro_rules! slots {
    ([$($generics:tt)*] $set:ty) => {
        impl<$($generics)*> $set {
            /// Number of occupied slots.
            #[inline]
            pub fn len(&self) -> usize {
                self.len as usize
            }

            /// Whether nothing has been stored yet.
            pub fn is_empty(&self) -> bool {
                self.len == 0
            }

            /// Whether a further vector needs a slot to be freed.
            #[inline]
            pub fn is_full(&self) -> bool {
                self.len() >= self.points.capacity()
            }

            /// Number of slots: the budget.
            pub fn capacity(&self) -> usize {
                self.points.capacity()
            }

            /// The store of points.
            pub fn points(&self) -> &M::Points {
                &self.points
            }

            /// Copy of the point in `slot`.
            #[inline]
            pub fn point(&self, slot: usize) -> <M::Points as $crate::storage::point::Points>::Owned {
                self.points.fetch(slot)
            }
        }
    };
}
pub(crate) use slots;

/// An array with one entry per support vector (slot): coefficients, scores, ages.
pub trait Column<T>: Blank + Clone + Debug + Persist {
    /// The entries, at least as many as [`ensure`](Self::ensure) asked for.
    fn as_slice(&self) -> &[T];

    /// The entries, to be changed.
    fn as_mut_slice(&mut self) -> &mut [T];

    /// Makes room for `len` entries; a fixed column has room from the start.
    fn ensure(&mut self, _len: usize) {}
}

impl<T: Element, const B: usize> Column<T> for [T; B] {
    #[inline]
    fn as_slice(&self) -> &[T] {
        self
    }

    #[inline]
    fn as_mut_slice(&mut self) -> &mut [T] {
        self
    }
}

/// A square matrix with one entry per pair of support vectors (slots): a Gram matrix or its inverse.
pub trait Square<T>: Blank + Clone + Debug + Persist {
    /// Row `slot`; empty when there is no such row.
    fn row(&self, slot: usize) -> &[T];

    /// Row `slot`, to be changed; empty when there is no such row.
    fn row_mut(&mut self, slot: usize) -> &mut [T];

    /// Drops row `slot` of `len` rows: the later ones move up by one.
    fn close_row(&mut self, slot: usize, len: usize);

    /// Makes room for `side` rows and columns; a fixed square has it.
    fn ensure(&mut self, _side: usize) {}
}

impl<T: Element, const B: usize> Square<T> for [[T; B]; B] {
    #[inline]
    fn row(&self, slot: usize) -> &[T] {
        self.get(slot).map_or(&[], |row| row)
    }

    #[inline]
    fn row_mut(&mut self, slot: usize) -> &mut [T] {
        self.get_mut(slot).map_or(&mut [], |row| row)
    }

    fn close_row(&mut self, slot: usize, len: usize) {
        close_gap(self, slot, len);
    }
}

/// Row by row, as much as is in use.
impl<T: Element, const B: usize> Persist for [[T; B]; B] {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, writer: &mut Writer<'_>) {
        for row in self.iter().take(writer.slots()) {
            row.save(writer);
        }
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let used = reader.slots().min(B);
        let (used, unused) = self.split_at_mut_checked(used).unwrap_or_default();
        used.iter_mut().try_for_each(|row| row.load(reader))?;
        if !reader.is_dry_run() {
            unused.as_flattened_mut().fill(T::BLANK);
        }
        Ok(())
    }
}

/// A way to keep something for every feature.
pub trait PerFeature: Clone + Debug {
    /// One `T` per feature.
    type Of<T: Element>: Column<T>;
    /// A feature vector as a sensor gives it.
    type Raw: ?Sized + AsRef<[f32]>;
}

/// Something for each of `D` features, inside the model.
#[derive(Clone, Copy, Debug)]
pub struct Features<const D: usize>;

impl<const D: usize> PerFeature for Features<D> {
    type Of<T: Element> = [T; D];
    type Raw = [f32; D];
}

/// A way to keep points, columns and squares.
pub trait Memory {
    /// Store of feature vectors.
    type Points: Points;
    /// One `T` per slot.
    type Column<T: Element>: Column<T>;
    /// One `T` per pair of slots.
    type Square<T: Element>: Square<T>;
}

/// The feature vector that models in memory `M` learn from.
pub type Point<M> = <<M as Memory>::Points as Points>::Point;

/// The format of the features that models in memory `M` store.
pub type FeatureIn<M> = <<M as Memory>::Points as Points>::Feature;

/// The arithmetic of models in memory `M`.
pub type NumberIn<M> = NumberOf<<M as Memory>::Points>;

/// A coefficient as it is stored in memory `M`.
pub type StoredIn<M> = <NumberIn<M> as Number>::Stored;

/// Memory inside the model: `D` features of [format](Feature) `F`, at most `B` support vectors.
#[derive(Clone, Copy, Debug)]
pub struct Inline<const D: usize, const B: usize, F = f32>(PhantomData<F>);

impl<const D: usize, const B: usize, F: Feature> Memory for Inline<D, B, F> {
    type Points = F::Inline<D, B>;
    type Column<T: Element> = [T; B];
    type Square<T: Element> = [[T; B]; B];
}

/// Removes entry `slot` of the first `len`: the later ones move down by one.
///
/// From the end to the front, eight at a time with a carry: half the
/// instructions of a memory move on a Cortex-M4F (`docs/memory-layout.md`).
#[inline]
pub fn close_gap<T: Copy>(entries: &mut [T], slot: usize, len: usize) {
    let Some(tail) = entries.get_mut(slot..len) else {
        return;
    };
    let Some(mut carry) = tail.last().copied() else {
        return;
    };
    let (front, blocks) = tail.as_rchunks_mut::<8>();
    for [a, b, c, d, e, f, g, h] in blocks.iter_mut().rev() {
        let first = *a;
        (*a, *b, *c, *d) = (*b, *c, *d, *e);
        (*e, *f, *g, *h) = (*f, *g, *h, carry);
        carry = first;
    }
    for entry in front.iter_mut().rev() {
        core::mem::swap(entry, &mut carry);
    }
}

/// Overwrites entry `slot`; nothing happens when there is no such entry.
#[inline]
pub(crate) fn put<T>(entries: &mut [T], slot: usize, value: T) {
    if let Some(entry) = entries.get_mut(slot) {
        *entry = value;
    }
}
