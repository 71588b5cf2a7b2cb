//! Support vectors that all classes share.

use super::row::{CoefficientRow, RowHead};
use crate::{
    kernel::{ArdGaussian, ArdView},
    num::Fixed,
    persist::{Blank, ImageError, Persist, Reader, Shape, Writer, packed},
    storage::{
        Column, Memory, PerFeature,
        point::{BytePoints, Points},
    },
};

mod view;

use view::Loops;
pub(super) use view::{Newcomer, VectorsMut, VectorsRef};

/// Quantised points with a [row](CoefficientRow) of coefficients each, in numbered slots: `B (D + N + 2) + 4` bytes.
///
/// ```text
/// s_c(x) = sum_j A_jc k(x_j, x)
/// ```
#[derive(Clone, Debug)]
pub struct Vectors<M: Memory, const N: usize> {
    points: M::Points,
    values: M::Column<[i8; N]>,
    heads: M::Column<RowHead>,
    // Not `usize`: a model has the same size on a PC as on the core.
    len: u32,
}

impl<M: Memory, const N: usize> Vectors<M, N> {
    /// None yet, over a store of points.
    pub const fn with_points(points: M::Points) -> Self {
        Vectors {
            points,
            values: <M::Column<[i8; N]>>::BLANK,
            heads: <M::Column<RowHead>>::BLANK,
            len: 0,
        }
    }

    /// The coefficients of every occupied slot.
    #[inline]
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = CoefficientRow<N>> + '_ {
        let rows = self.values.as_slice().iter().zip(self.heads.as_slice());
        let rows = rows.take(self.len());
        rows.map(|(values, head)| CoefficientRow {
            values: *values,
            head: *head,
        })
    }

    /// The coefficients of one slot; zeros when it is not occupied.
    #[inline]
    pub fn row(&self, slot: usize) -> CoefficientRow<N> {
        self.rows().nth(slot).unwrap_or(CoefficientRow::BLANK)
    }

    /// Forgets every vector.
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }
}

crate::storage::slots!([M: Memory, const N: usize] Vectors<M, N>);

impl<M: Memory<Points: BytePoints>, const N: usize> Vectors<M, N> {
    const LOOPS: Loops<<M::Points as BytePoints>::Slots> = Loops {
        distances: M::Points::distances,
        add_up: view::add_up::<N>,
    };

    /// The vectors without sizes in the type.
    #[inline]
    pub(super) fn view(&self) -> VectorsRef<'_, <M::Points as BytePoints>::Slots> {
        VectorsRef {
            points: self.points.slots(),
            loops: Self::LOOPS,
            values: self.values.as_slice().as_flattened(),
            heads: self.heads.as_slice(),
            columns: N,
            len: self.len(),
        }
    }

    /// The same, to be changed, with room for one more where memory grows.
    #[inline]
    pub(super) fn view_mut(&mut self) -> VectorsMut<'_, <M::Points as BytePoints>::Slots> {
        let room = self.len() + 1;
        self.values.ensure(room);
        self.heads.ensure(room);
        VectorsMut {
            dim: self.points.dim(),
            capacity: self.points.capacity(),
            columns: N,
            points: self.points.slots_mut(),
            loops: Self::LOOPS,
            values: self.values.as_mut_slice().as_flattened_mut(),
            heads: self.heads.as_mut_slice(),
            len: &mut self.len,
        }
    }

    /// Scores of every class at `x`.
    pub fn scores<S: PerFeature>(&self, kernel: &ArdGaussian<S>, x: &[i8]) -> [f32; N] {
        self.scores_with(&kernel.view(), x)
    }

    #[inline]
    pub(super) fn scores_with(&self, kernel: &ArdView<'_>, x: &[i8]) -> [f32; N] {
        let mut row = <M::Column<Fixed>>::BLANK;
        row.ensure(self.len());
        let mut scores = [0.0; N];
        self.view()
            .scores(kernel, x, row.as_mut_slice(), &mut scores);
        scores
    }
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
        let values = self.values.as_slice().as_flattened();
        let heads = self.heads.as_slice().get(..self.len());
        save_rows(values, heads.unwrap_or_default(), N, writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let len = reader.word()?;
        // Memory on a host grows with the vectors: not beyond those that there can be.
        if len as usize > self.capacity() || len > reader.left() {
            return Err(ImageError::Malformed);
        }
        reader.set_slots(len as usize);
        self.points.load(reader)?;
        // Slots that are not in use do not count, so there may be more of them even after a dry run.
        self.values.ensure(len as usize);
        self.heads.ensure(len as usize);
        let values = self.values.as_mut_slice().as_flattened_mut();
        let heads = self.heads.as_mut_slice().get_mut(..len as usize);
        load_rows(values, heads.unwrap_or_default(), N, reader)?;
        reader.put(&mut self.len, len);
        Ok(())
    }
}

/// Of every row the values in whole words, then its head.
#[inline(never)]
fn save_rows(values: &[i8], heads: &[RowHead], columns: usize, writer: &mut Writer<'_>) {
    let row = packed::len::<i8>(columns) + 4;
    if writer.misses(heads.len() as u32 * row) {
        return writer.skip(heads.len() as u32 * row);
    }
    let mut rest = values;
    for head in heads {
        let (values, others) = rest.split_at_checked(columns).unwrap_or_default();
        packed::save(values, writer);
        head.save(writer);
        rest = others;
    }
}

#[inline(never)]
fn load_rows(
    values: &mut [i8],
    heads: &mut [RowHead],
    columns: usize,
    reader: &mut Reader<'_>,
) -> Result<(), ImageError> {
    let mut rest = values;
    for head in heads {
        let (values, others) = rest.split_at_mut_checked(columns).unwrap_or_default();
        let mut all_fit = true;
        packed::load(values, reader, |reader, value, found: i8| {
            all_fit &= found != i8::MIN;
            reader.put(value, found);
        })?;
        if !all_fit {
            return Err(ImageError::Malformed);
        }
        head.load(reader)?;
        rest = others;
    }
    Ok(())
}
