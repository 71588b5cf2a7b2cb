//! Stored vectors of bytes in slices, for code that is compiled once for all sizes.

use core::{borrow::Borrow, mem::swap};

use super::{Feature as _, Points, Rounding, WeightedDistance as _};
use crate::num::{Base, Fixed, rolled};

/// Points of `i8` features, whose sizes can be left out of the type.
///
/// What happens once for every update of a model is compiled once, however many models of different sizes a program has:
/// it works on [`ByteSlots`].
pub trait BytePoints: Points<Feature = i8> {
    /// The same points without sizes in the type.
    type Slots: ByteSlots + ?Sized;

    /// The points.
    fn slots(&self) -> &Self::Slots;

    /// The same, to be changed.
    fn slots_mut(&mut self) -> &mut Self::Slots;

    /// Squared distances of `x` to the first stored vectors, as many as `out` has room for; every feature has the same
    /// weight, or its own. These loops are made for the number of features.
    fn distances(slots: &Self::Slots, weights: Option<&[u16]>, x: &[i8], out: &mut [Fixed]);
}

/// Stored vectors of `i8` features in numbered slots. Their number of features is that of the slices handed in, or `dim`.
pub trait ByteSlots {
    /// The vector in `slot`.
    fn point(&self, slot: usize, dim: usize) -> impl Borrow<[i8]> + '_;

    /// Overwrites `slot`; nothing happens when there is no such slot.
    fn write(&mut self, slot: usize, x: &[i8]);

    /// Moves the vector in `slot` to `share * x + (1 - share) * itself`, rounded to the nearest levels.
    fn blend(&mut self, slot: usize, x: &[i8], share: f32);

    /// Puts `x` in the place of the vector in `slot`, which goes to `x`.
    fn exchange(&mut self, slot: usize, x: &mut [i8]);

    /// Moves `slot` behind the others of the first `len`, which move down by one.
    fn move_to_end(&mut self, slot: usize, len: usize, dim: usize);

    /// Changes one feature of the first `len` vectors.
    fn change_feature(
        &mut self,
        feature: usize,
        len: usize,
        dim: usize,
        change: impl FnMut(&mut i8),
    );
}

/// Vector by vector.
impl ByteSlots for [i8] {
    #[inline]
    fn point(&self, slot: usize, dim: usize) -> impl Borrow<[i8]> + '_ {
        from(self, slot, dim).get(..dim).unwrap_or_default()
    }

    #[inline]
    fn write(&mut self, slot: usize, x: &[i8]) {
        for (own, x) in from_mut(self, slot, x.len()).iter_mut().zip(x) {
            rolled();
            *own = *x;
        }
    }

    #[inline(never)]
    fn blend(&mut self, slot: usize, x: &[i8], share: f32) {
        for (own, x) in from_mut(self, slot, x.len()).iter_mut().zip(x) {
            rolled();
            *own = own.blend(*x, share, Rounding::Nearest);
        }
    }

    #[inline(never)]
    fn exchange(&mut self, slot: usize, x: &mut [i8]) {
        for (own, x) in from_mut(self, slot, x.len()).iter_mut().zip(x) {
            rolled();
            swap(own, x);
        }
    }

    /// Neighbours change places, word by word.
    // Not `rotate_left`, which brings a memory move of 1.5 KB into the flash.
    #[inline(never)]
    fn move_to_end(&mut self, slot: usize, len: usize, dim: usize) {
        for slot in slot..len.saturating_sub(1) {
            let (here, others) = split(from_mut(self, slot, dim), dim);
            let (next, _) = split(others, dim);
            let (words, bytes) = here.as_chunks_mut::<4>();
            let (next_words, next_bytes) = next.as_chunks_mut::<4>();
            for (word, next) in words.iter_mut().zip(next_words) {
                rolled();
                swap(word, next);
            }
            for (byte, next) in bytes.iter_mut().zip(next_bytes) {
                rolled();
                swap(byte, next);
            }
        }
    }

    #[inline]
    fn change_feature(
        &mut self,
        feature: usize,
        len: usize,
        dim: usize,
        mut change: impl FnMut(&mut i8),
    ) {
        for slot in 0..len {
            if let Some(value) = self.get_mut(slot * dim + feature) {
                change(value);
            }
        }
    }
}

/// The vectors from `slot` on.
#[inline]
fn from(bytes: &[i8], slot: usize, dim: usize) -> &[i8] {
    bytes.get(slot * dim..).unwrap_or_default()
}

#[inline]
fn from_mut(bytes: &mut [i8], slot: usize, dim: usize) -> &mut [i8] {
    bytes.get_mut(slot * dim..).unwrap_or_default()
}

#[inline]
fn split(bytes: &mut [i8], dim: usize) -> (&mut [i8], &mut [i8]) {
    bytes.split_at_mut_checked(dim).unwrap_or_default()
}

/// Squared distance of two vectors.
#[inline(never)]
pub(crate) fn pair(a: &[i8], b: &[i8]) -> Fixed {
    let mut sum = Fixed::from_raw(0);
    for (a, b) in a.iter().zip(b) {
        i8::accumulate(Base::Distance, &mut sum, *a, *b);
    }
    sum
}

/// The same with a weight for each feature.
#[inline(never)]
pub(crate) fn weighted_pair(weights: &[u16], a: &[i8], b: &[i8]) -> Fixed {
    let mut sum = Fixed::from_raw(0);
    for (weight, (a, b)) in weights.iter().zip(a.iter().zip(b)) {
        rolled();
        i8::accumulate_weighted(*weight, &mut sum, *a, *b);
    }
    sum
}
