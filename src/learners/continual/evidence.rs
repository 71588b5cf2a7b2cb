//! Evidence behind an answer: score, margin and distance.

use core::borrow::Borrow as _;

use super::{
    ContinualLearner, Update,
    class_stats::ClassStats,
    update::{NO_CLASS, margin, owner, winner},
    vectors::VectorsRef,
};
use crate::{
    error::InputError,
    kernel::ArdView,
    label::Class,
    num::{Fixed, Number as _},
    persist::Blank as _,
    storage::{
        Column, Memory, PerFeature,
        point::{BytePoints, ByteSlots, Feature as _, Points as _},
    },
};

/// Margin of an answer, and distance to the winner's nearest vector.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Evidence {
    /// The winning class.
    pub class: Class,
    /// Its score.
    pub score: f32,
    /// Its lead over the best other class.
    pub margin: f32,
    /// Squared distance to the nearest vector of that class, `-ln k`; `None` if there is none.
    pub distance: Option<f32>,
}

impl<S, M, U, const C: usize, const N: usize, T> ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory<Points: BytePoints>,
    U: Update<C, N>,
{
    /// Evidence of the stored vectors for `x`. Costs `B` kernel evaluations, as a prediction does.
    pub fn evidence(&self, x: &S::Raw) -> Result<Evidence, InputError> {
        let point = self.bytes(x.as_ref())?;
        let mut evidence = self.evidence_at(point.as_slice(), None);
        if let Some(distance) = &mut evidence.distance {
            // Vectors end at a few deviations; what is far beyond is like none of them.
            *distance += self.scale.beyond(x.as_ref());
        }
        Ok(evidence)
    }

    /// The class of a stored vector, and what the others say about it: leave-one-out. `None` for a slot that is not
    /// occupied.
    pub fn evidence_without(&self, slot: usize) -> Option<(Class, Evidence)> {
        let vectors = self.vectors.view();
        let owner = owner(vectors.row(slot)?.values);
        let point = vectors.points.point(slot, self.vectors.points().dim());
        let evidence = self.evidence_at(point.borrow(), Some(slot));
        Some((Class(owner as u8), evidence))
    }

    fn evidence_at(&self, point: &[i8], without: Option<usize>) -> Evidence {
        let mut row = <M::Column<Fixed>>::BLANK;
        row.ensure(self.vectors.len());
        let mut scores = [0.0; N];
        let (mut present, mut nearest) = ([false; C], [NONE; C]);
        let scratch = EvidenceScratch {
            row: row.as_mut_slice(),
            scores: &mut scores,
            present: &mut present,
            nearest: &mut nearest,
        };
        let stats = self.class_stats.view();
        scratch.evidence(
            &self.vectors.view(),
            &self.kernel.view(),
            stats,
            point,
            without,
        )
    }
}

/// Scratch memory: for every slot, column and class.
struct EvidenceScratch<'a> {
    row: &'a mut [Fixed],
    scores: &'a mut [f32],
    present: &'a mut [bool],
    nearest: &'a mut [i32],
}

/// No distance: squared distances are smaller.
const NONE: i32 = i32::MAX;

impl EvidenceScratch<'_> {
    #[inline(never)]
    fn evidence<P: ByteSlots + ?Sized>(
        self,
        vectors: &VectorsRef<'_, P>,
        kernel: &ArdView<'_>,
        stats: &ClassStats,
        point: &[i8],
        without: Option<usize>,
    ) -> Evidence {
        let row = vectors.distances(kernel, point, self.row);
        for (slot, (distance, owner)) in row.iter().zip(vectors.owners()).enumerate() {
            if without != Some(slot)
                && let Some(nearest) = self.nearest.get_mut(owner)
            {
                *nearest = distance.raw().min(*nearest);
            }
        }
        kernel.slope().map(row);
        if let Some(own) = without.and_then(|slot| row.get_mut(slot)) {
            *own = Fixed::ZERO;
        }
        vectors.scores_of(row, self.scores);
        stats.present(self.present);
        let (class, score) = winner(self.scores, self.present, NO_CLASS);
        let margin = margin(self.scores, self.present, class);
        let nearest = self.nearest.get(class).filter(|raw| **raw < NONE);
        let step = i8::step(1);
        Evidence {
            class: Class(class as u8),
            // The one score of two classes has the sign of the side.
            score: if vectors.columns > 1 { score } else { margin },
            margin,
            distance: nearest.map(|raw| *raw as f32 * (kernel.rate() * (step * step))),
        }
    }
}
