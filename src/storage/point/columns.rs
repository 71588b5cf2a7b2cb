//! `f32` features, one array for each.

use super::{Base, Feature, Points, Rounding, assert_shape};
use crate::{
    error::InputError,
    num::vfp,
    persist::{Blank, ImageError, Persist, Reader, Shape, Writer},
    storage::{close_gap, put},
};

/// `B` vectors of `D` features inside the model, one array per feature.
///
/// Exactly `4 * D * B` bytes: neighbouring vectors are neighbours in memory
/// without any padding.
#[derive(Clone, Debug)]
pub struct Columns<const D: usize, const B: usize> {
    features: [[f32; B]; D],
}

impl<const D: usize, const B: usize> Blank for Columns<D, B> {
    const BLANK: Self = {
        assert_shape(D, B);
        Columns {
            features: [[0.0; B]; D],
        }
    };
}

impl<const D: usize, const B: usize> Points for Columns<D, B> {
    type Feature = f32;
    type Point = [f32; D];
    type Owned = [f32; D];

    #[inline]
    fn capacity(&self) -> usize {
        B
    }

    #[inline]
    fn dim(&self) -> usize {
        D
    }

    #[inline]
    fn check(&self, x: &[f32; D]) -> Result<(), InputError> {
        f32::check(x)
    }

    #[inline]
    fn write(&mut self, slot: usize, x: &[f32; D]) {
        for (column, x) in self.features.iter_mut().zip(x) {
            put(column, slot, *x);
        }
    }

    #[inline]
    fn blend(&mut self, slot: usize, x: &[f32; D], share: f32, rounding: Rounding) {
        for (column, x) in self.features.iter_mut().zip(x) {
            if let Some(own) = column.get_mut(slot) {
                *own = own.blend(*x, share, rounding);
            }
        }
    }

    #[inline]
    fn fetch(&self, slot: usize) -> [f32; D] {
        let mut point = [0.0; D];
        for (feature, column) in point.iter_mut().zip(&self.features) {
            if let Some(own) = column.get(slot) {
                *feature = *own;
            }
        }
        point
    }

    #[inline]
    fn close_gap(&mut self, slot: usize, len: usize) {
        for column in &mut self.features {
            close_gap(column, slot, len);
        }
    }

    #[inline]
    fn gather(&self, feature: impl FnMut(usize) -> f32) -> [f32; D] {
        core::array::from_fn(feature)
    }

    fn change_feature(&mut self, feature: usize, len: usize, change: impl FnMut(&mut f32)) {
        if let Some(column) = self.features.get_mut(feature) {
            column.iter_mut().take(len).for_each(change);
        }
    }

    #[inline]
    fn bases(&self, base: Base, x: &[f32; D], first: usize, out: &mut [f32]) {
        let done = vfp::bases(base, self.features.as_flattened(), B, first, x, out);
        let mut slot = first + done;
        let mut rest = out.get_mut(done..).unwrap_or_default();
        if !vfp::PRESENT {
            let (twelves, few) = rest.as_chunks_mut();
            for block in twelves {
                *block = self.twelve(base, x, slot);
                slot += 12;
            }
            let (fours, few) = few.as_chunks_mut();
            for block in fours {
                *block = self.four(base, x, slot);
                slot += 4;
            }
            rest = few;
        }
        for number in rest {
            *number = self.one(base, x, slot);
            slot += 1;
        }
    }
}

/// Several slots side by side: every feature of `x` is loaded once for all of
/// them. Twelve sums, their operands and `x` fit the registers of a Cortex-M4F.
/// The sums have names because an array of them ends up on the stack when
/// compiled for size.
impl<const D: usize, const B: usize> Columns<D, B> {
    #[inline(always)]
    fn twelve(&self, base: Base, x: &[f32; D], slot: usize) -> [f32; 12] {
        let [mut a, mut b, mut c, mut d, mut e, mut f] = [0.0; 6];
        let [mut g, mut h, mut i, mut j, mut k, mut l] = [0.0; 6];
        for (column, x) in self.features.iter().zip(x) {
            let lanes = column.get(slot..).and_then(|tail| tail.first_chunk());
            if let Some([sa, sb, sc, sd, se, sf, sg, sh, si, sj, sk, sl]) = lanes {
                f32::accumulate(base, &mut a, *x, *sa);
                f32::accumulate(base, &mut b, *x, *sb);
                f32::accumulate(base, &mut c, *x, *sc);
                f32::accumulate(base, &mut d, *x, *sd);
                f32::accumulate(base, &mut e, *x, *se);
                f32::accumulate(base, &mut f, *x, *sf);
                f32::accumulate(base, &mut g, *x, *sg);
                f32::accumulate(base, &mut h, *x, *sh);
                f32::accumulate(base, &mut i, *x, *si);
                f32::accumulate(base, &mut j, *x, *sj);
                f32::accumulate(base, &mut k, *x, *sk);
                f32::accumulate(base, &mut l, *x, *sl);
            }
        }
        [a, b, c, d, e, f, g, h, i, j, k, l]
    }

    #[inline(always)]
    fn four(&self, base: Base, x: &[f32; D], slot: usize) -> [f32; 4] {
        let [mut a, mut b, mut c, mut d] = [0.0; 4];
        for (column, x) in self.features.iter().zip(x) {
            let lanes = column.get(slot..).and_then(|tail| tail.first_chunk());
            if let Some([sa, sb, sc, sd]) = lanes {
                f32::accumulate(base, &mut a, *x, *sa);
                f32::accumulate(base, &mut b, *x, *sb);
                f32::accumulate(base, &mut c, *x, *sc);
                f32::accumulate(base, &mut d, *x, *sd);
            }
        }
        [a, b, c, d]
    }

    #[inline(always)]
    fn one(&self, base: Base, x: &[f32; D], slot: usize) -> f32 {
        let mut sum = 0.0;
        for (column, x) in self.features.iter().zip(x) {
            if let Some(own) = column.get(slot) {
                f32::accumulate(base, &mut sum, *x, *own);
            }
        }
        sum
    }
}

impl<const D: usize, const B: usize> Persist for Columns<D, B> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("f32", |inside| {
            inside.number(D);
            inside.number(B);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        for column in &self.features {
            column.save(writer);
        }
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.features
            .iter_mut()
            .try_for_each(|column| column.load(reader))
    }
}
