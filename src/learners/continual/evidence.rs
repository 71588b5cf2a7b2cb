//! Evidence behind an answer: score, margin and distance.

use core::borrow::Borrow;

use super::{ContinualLearner, Update};
use crate::{
    error::InputError,
    kernel::{KernelIn as _, Mergeable as _},
    label::Class,
    num::{Fixed, Number as _},
    persist::Blank as _,
    storage::{Memory, PerFeature, Point, point::Points},
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
    M: Memory<Points: Points<Feature = i8>>,
    U: Update<C, N>,
{
    /// Evidence of the stored vectors for `x`. Costs `B` kernel evaluations, as a prediction does.
    pub fn evidence(&self, x: &S::Raw) -> Result<Evidence, InputError> {
        self.check(x.as_ref())?;
        let point = self.quantise(x.as_ref());
        let mut evidence = self.evidence_at(point.borrow(), None);
        if let Some(distance) = &mut evidence.distance {
            // Vectors end at a few deviations; what is far beyond is like none of them.
            *distance += self.scale.beyond(x.as_ref());
        }
        Ok(evidence)
    }

    /// The class of a stored vector, and what the others say about it: leave-one-out. `None` for a slot that is not
    /// occupied.
    pub fn evidence_without(&self, slot: usize) -> Option<(Class, Evidence)> {
        if slot >= self.vectors.len() {
            return None;
        }
        let owner = U::owner(self.vectors.row(slot).values());
        let point = self.vectors.point(slot);
        let evidence = self.evidence_at(point.borrow(), Some(slot));
        Some((Class(owner as u8), evidence))
    }

    #[inline(never)]
    fn evidence_at(&self, point: &Point<M>, without: Option<usize>) -> Evidence {
        let mut row = <M::Column<Fixed>>::BLANK;
        let distances = self.vectors.distances(&self.kernel, point, &mut row);
        let mut nearest: [Option<i32>; C] = [None; C];
        for (slot, (distance, row)) in distances.iter().zip(self.vectors.rows()).enumerate() {
            if without != Some(slot)
                && let Some(nearest) = nearest.get_mut(U::owner(row.values()))
                && nearest.is_none_or(|least| distance.raw() < least)
            {
                *nearest = Some(distance.raw());
            }
        }
        let step = self.vectors.points().step();
        self.kernel.map_in(step, distances);
        if let Some(own) = without.and_then(|slot| distances.get_mut(slot)) {
            *own = Fixed::ZERO;
        }
        let scores = self.vectors.scores_of(distances);
        let present = self.class_stats.present();
        let (class, score) = U::winner(&scores, &present);
        let margin = U::margin(&scores, &present, class);
        let nearest = nearest.get(class).copied().flatten();
        Evidence {
            class: Class(class as u8),
            // The one score of two classes has the sign of the side.
            score: if U::column(class).is_some() {
                score
            } else {
                margin
            },
            margin,
            distance: nearest.map(|raw| raw as f32 * (self.kernel.rate() * (step * step))),
        }
    }
}
