//! The learner without sizes in its type.
//!
//! A learning step is compiled once for all models of a program: what depends on the number of features, vectors and
//! classes are the lengths of slices. Only the memory behind them is a matter of the type.

use super::{
    ContinualLearner, State, Update, class_stats::ClassStats, scale::CoarseScaleView,
    vectors::VectorsMut,
};
use crate::{
    kernel::ArdViewMut,
    num::Fixed,
    persist::Blank,
    storage::{Column, Memory, PerFeature, point::BytePoints},
};

/// Vectors that models in memory `M` store, without sizes in the type.
pub(super) type Slots<M> = <<M as Memory>::Points as BytePoints>::Slots;

/// A learner, to be changed.
pub(super) struct LearnerView<'a, P: ?Sized, U> {
    pub scale: CoarseScaleView<'a>,
    pub kernel: ArdViewMut<'a>,
    pub vectors: VectorsMut<'a, P>,
    pub class_stats: &'a mut ClassStats,
    pub update: &'a mut U,
    pub state: &'a mut State,
    pub scratch: ScratchView<'a>,
}

/// Scratch memory of a learning step.
pub(super) struct Scratch<S: PerFeature, M: Memory, const C: usize, const N: usize> {
    row: M::Column<Fixed>,
    same: S::Of<Fixed>,
    other: S::Of<Fixed>,
    point: S::Of<i8>,
    scores: [f32; N],
    steps: [f32; N],
    values: [i8; N],
    present: [bool; C],
    absent: [bool; C],
}

/// The same without sizes in the type.
pub(super) struct ScratchView<'a> {
    /// Similarities or distances to every vector.
    pub row: &'a mut [Fixed],
    /// Zeros for every feature.
    pub same: &'a mut [Fixed],
    pub other: &'a mut [Fixed],
    /// The example in bytes.
    pub point: &'a mut [i8],
    /// Of every column.
    pub scores: &'a mut [f32],
    pub steps: &'a mut [f32],
    pub values: &'a mut [i8],
    /// Classes with an example.
    pub present: &'a mut [bool],
    /// Classes that are absent for the time being.
    pub absent: &'a mut [bool],
}

impl<S: PerFeature, M: Memory, const C: usize, const N: usize> Scratch<S, M, C, N> {
    pub const BLANK: Self = Scratch {
        row: Blank::BLANK,
        same: Blank::BLANK,
        other: Blank::BLANK,
        point: Blank::BLANK,
        scores: [0.0; N],
        steps: [0.0; N],
        values: [0; N],
        present: [false; C],
        absent: [false; C],
    };

    #[inline]
    fn view(&mut self, dim: usize, slots: usize) -> ScratchView<'_> {
        self.row.ensure(slots);
        self.same.ensure(dim);
        self.other.ensure(dim);
        self.point.ensure(dim);
        ScratchView {
            row: self.row.as_mut_slice(),
            same: self.same.as_mut_slice(),
            other: self.other.as_mut_slice(),
            point: self.point.as_mut_slice(),
            scores: &mut self.scores,
            steps: &mut self.steps,
            values: &mut self.values,
            present: &mut self.present,
            absent: &mut self.absent,
        }
    }
}

impl<S, M, U, const C: usize, const N: usize, T> ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory<Points: BytePoints>,
    U: Update<C, N>,
{
    /// The learner without sizes in its type.
    #[inline]
    pub(super) fn view<'a>(
        &'a mut self,
        scratch: &'a mut Scratch<S, M, C, N>,
    ) -> LearnerView<'a, Slots<M>, U> {
        let vectors = self.vectors.view_mut();
        let dim = vectors.dim;
        LearnerView {
            scratch: scratch.view(dim, vectors.len() + 1),
            vectors,
            scale: self.scale.view(dim),
            kernel: self.kernel.view_mut(dim),
            class_stats: self.class_stats.view_mut(),
            update: &mut self.update,
            state: &mut self.state,
        }
    }
}
