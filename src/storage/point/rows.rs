//! Whole features, one vector after the other.

use super::{Base, Feature, NumberOf, Points, Rounding, WeightedDistance, assert_shape};
use crate::{
    error::InputError,
    num::Number,
    persist::{Blank, ImageError, Persist, Reader, Shape, Writer},
    storage::put,
};

/// `B` vectors of `D` features inside the model, vector by vector: a vector is
/// moved in one piece, and two of its features can be loaded at once.
#[derive(Clone, Debug)]
pub struct Rows<F, const D: usize, const B: usize> {
    points: [[F; D]; B],
}

impl<F: Feature, const D: usize, const B: usize> Blank for Rows<F, D, B> {
    const BLANK: Self = {
        assert_shape(D, B);
        Rows {
            points: [[F::BLANK; D]; B],
        }
    };
}

impl<F: Feature, const D: usize, const B: usize> Points for Rows<F, D, B> {
    type Feature = F;
    type Point = [F; D];
    type Owned = [F; D];

    #[inline]
    fn capacity(&self) -> usize {
        B
    }

    #[inline]
    fn dim(&self) -> usize {
        D
    }

    #[inline]
    fn check(&self, x: &[F; D]) -> Result<(), InputError> {
        F::check(x)
    }

    #[inline]
    fn write(&mut self, slot: usize, x: &[F; D]) {
        put(&mut self.points, slot, *x);
    }

    #[inline]
    fn blend(&mut self, slot: usize, x: &[F; D], share: f32, rounding: Rounding) {
        if let Some(own) = self.points.get_mut(slot) {
            for (own, x) in own.iter_mut().zip(x) {
                *own = own.blend(*x, share, rounding);
            }
        }
    }

    #[inline]
    fn fetch(&self, slot: usize) -> [F; D] {
        self.points.get(slot).copied().unwrap_or([F::BLANK; D])
    }

    #[inline]
    fn close_gap(&mut self, slot: usize, len: usize) {
        // Not `rotate_left`, which brings a memory move of 1.5 KB into the flash.
        let tail = self.points.get_mut(slot..len).unwrap_or_default();
        let mut carry = [F::BLANK; D];
        for point in tail.iter_mut().rev() {
            core::mem::swap(point, &mut carry);
        }
    }

    #[inline]
    fn gather(&self, feature: impl FnMut(usize) -> F) -> [F; D] {
        core::array::from_fn(feature)
    }

    fn change_feature(&mut self, feature: usize, len: usize, mut change: impl FnMut(&mut F)) {
        for point in self.points.iter_mut().take(len) {
            if let Some(value) = point.get_mut(feature) {
                change(value);
            }
        }
    }

    #[inline]
    fn bases(&self, base: Base, x: &[F; D], first: usize, out: &mut [NumberOf<Self>]) {
        let points = self.points.get(first..).unwrap_or_default();
        if base == Base::Distance {
            let done = F::distances(x, points, out);
            if done == D {
                return;
            }
            if done > 0 {
                for (point, number) in points.iter().zip(out) {
                    for (x, own) in x.iter().zip(point).skip(done) {
                        F::accumulate(base, number, *x, *own);
                    }
                }
                return;
            }
        }
        let (pairs, rest) = out.as_chunks_mut::<2>();
        let (points, points_rest) = points.as_chunks::<2>();
        // Two vectors at a time: every feature of `x` is loaded once for both.
        for ([a, b], pair) in points.iter().zip(pairs.iter_mut()) {
            let (mut sa, mut sb) = (NumberOf::<Self>::ZERO, NumberOf::<Self>::ZERO);
            for ((x, a), b) in x.iter().zip(a).zip(b) {
                F::accumulate(base, &mut sa, *x, *a);
                F::accumulate(base, &mut sb, *x, *b);
            }
            *pair = [sa, sb];
        }
        let points_rest = points.get(pairs.len()).map_or(points_rest, |pair| pair);
        for (point, number) in points_rest.iter().zip(rest) {
            *number = base.of_pair(x, point);
        }
    }

    #[inline]
    fn weighted_distances(
        &self,
        weights: &[u16],
        x: &[F; D],
        first: usize,
        out: &mut [NumberOf<Self>],
    ) where
        F: WeightedDistance,
    {
        let points = self.points.get(first..).unwrap_or_default();
        let (pairs, rest) = out.as_chunks_mut::<2>();
        let (points, points_rest) = points.as_chunks::<2>();
        for ([a, b], pair) in points.iter().zip(pairs.iter_mut()) {
            let (mut sa, mut sb) = (NumberOf::<Self>::ZERO, NumberOf::<Self>::ZERO);
            for ((weight, x), (a, b)) in weights.iter().zip(x).zip(a.iter().zip(b)) {
                F::accumulate_weighted(*weight, &mut sa, *x, *a);
                F::accumulate_weighted(*weight, &mut sb, *x, *b);
            }
            *pair = [sa, sb];
        }
        let points_rest = points.get(pairs.len()).map_or(points_rest, |pair| pair);
        for (point, number) in points_rest.iter().zip(rest) {
            *number = F::weighted_distance(weights, x, point);
        }
    }
}

/// Features of one kind that go into an image at a time: whole words in every format.
const TOGETHER: usize = 16;

impl<F: Feature, const D: usize, const B: usize> Persist for Rows<F, D, B> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part(F::NAME, |inside| {
            inside.number(D);
            inside.number(B);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        let used = writer.slots().min(B);
        for feature in 0..D {
            for points in self.points.get(..used).unwrap_or_default().chunks(TOGETHER) {
                let mut column = [F::BLANK; TOGETHER];
                for (entry, point) in column.iter_mut().zip(points) {
                    *entry = point.get(feature).copied().unwrap_or(F::BLANK);
                }
                writer.entries(column.get(..points.len()).unwrap_or_default());
            }
        }
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let used = reader.slots().min(B);
        let (used, unused) = self.points.split_at_mut_checked(used).unwrap_or_default();
        for feature in 0..D {
            for points in used.chunks_mut(TOGETHER) {
                let mut column = [F::BLANK; TOGETHER];
                let column = column.get_mut(..points.len()).unwrap_or_default();
                F::read(column, D, reader)?;
                for (point, entry) in points.iter_mut().zip(column) {
                    if let Some(place) = point.get_mut(feature) {
                        reader.put(place, *entry);
                    }
                }
            }
        }
        if !reader.is_dry_run() {
            unused.as_flattened_mut().fill(F::BLANK);
        }
        Ok(())
    }
}
