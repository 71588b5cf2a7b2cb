//! Stored vectors are asked again, so that what was taught earlier is not forgotten.

use core::borrow::Borrow as _;

use super::{
    ContinualLearner, Tuning, Update, UpdateRule,
    learning::next,
    row::round,
    update::{Rehearsed, column, owner},
    view::{LearnerView, Scratch},
};
use crate::storage::{
    Memory, PerFeature,
    point::{BytePoints, ByteSlots},
};

/// Rehearsals an example.
const USUAL: u8 = 2;
/// Target margin: the vector's coefficient, clamped to 1..2. Merged vectors stand for many samples, so theirs is larger. After the first
/// merger, mixed streams use 1.
const LEAST_MARGIN: f32 = 1.0;
const LARGEST_MARGIN: f32 = 2.0;
/// Fraction of a step for a rehearsed vector, unless its class is absent. Whole steps make scores so large that the rule takes
/// close calls for wrong labels.
const GENTLE: f32 = 0.3;
/// Minimum label trust for rehearsal: before the first merger, and in mixed streams after it. Where labels are wrong, a stored
/// vector may have one.
const TRUST_BEFORE: f32 = 0.06;
const TRUST_AFTER: f32 = 0.9;

/// In a mature learner, vectors with larger coefficients are not rehearsed. The vector of a wrong label would grow
/// without end, and so would those of the classes that it stands against.
const LARGEST: f32 = 8.0;

/// Choice and step of rehearsed vectors.
#[derive(Clone, Copy)]
struct Rehearsal {
    /// Vectors of absent classes only.
    absent_only: bool,
    largest_margin: f32,
    /// Share of a step.
    share: f32,
}

impl<S, M, U, const C: usize, const N: usize, T> ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory<Points: BytePoints>,
    U: Update<C, N>,
    T: Tuning,
{
    /// Rehearsals that go with every example: 2 unless set otherwise.
    pub fn rehearsals(&self) -> u8 {
        self.state.rehearsals()
    }

    /// Sets the number of rehearsals that go with every example. Each costs `B` kernel evaluations. A program that is short of
    /// time sets it to zero, and calls [`rehearse`](Self::rehearse) while idle.
    pub fn set_rehearsals(&mut self, count: u8) {
        self.state.rehearsals = count ^ USUAL;
    }

    /// Rehearses the next `steps` stored vectors, and says how many of them took a step. To be called in idle time; each
    /// step costs at most `B` kernel evaluations.
    ///
    /// Nothing is rehearsed where labels are too noisy for that. When it returns zero for as many steps as there are
    /// vectors, there is nothing left to gain.
    pub fn rehearse(&mut self, steps: u16) -> u16 {
        let mut scratch = Scratch::BLANK;
        self.view(&mut scratch).rehearse::<T>(steps)
    }
}

impl super::State {
    fn rehearsals(&self) -> u8 {
        self.rehearsals ^ USUAL
    }
}

impl<P: ByteSlots + ?Sized, U: UpdateRule> LearnerView<'_, P, U> {
    #[inline(never)]
    fn rehearse<T: Tuning>(&mut self, steps: u16) -> u16 {
        self.class_stats.present(self.scratch.present);
        let block = T::ABSENCE && self.class_stats.absent(self.scratch.absent);
        let Some(rehearsal) = self.rehearsal(block) else {
            return 0;
        };
        // Of all classes: without examples beside them, those of absent classes alone would take over.
        let rehearsal = Rehearsal {
            absent_only: false,
            share: GENTLE,
            ..rehearsal
        };
        self.rehearse_next(steps.into(), rehearsal)
    }

    /// Rehearses while an example is learned; as long as few vectors are stored, more of them for the same cost.
    pub(super) fn rehearse_beside(&mut self, block: bool) {
        let mut count = usize::from(self.state.rehearsals());
        if !self.state.merged {
            let len = self.vectors.len().max(1);
            count = (count * self.vectors.capacity / len).min(len);
        }
        if let Some(rehearsal) = self.rehearsal(block) {
            self.rehearse_next(count, rehearsal);
        }
    }

    /// Vectors to rehearse, if any; `block` says whether a class is absent.
    ///
    /// Before the first merger vectors are examples, and every order of them profits. After it those of absent classes
    /// are rehearsed, and in mixed streams all if the labels are trusted.
    fn rehearsal(&self, block: bool) -> Option<Rehearsal> {
        let trust = self.update.trust(self.scratch.present);
        let merged = self.state.merged;
        let (absent_only, largest_margin, share) = if !merged && trust >= TRUST_BEFORE {
            (false, LARGEST_MARGIN, GENTLE)
        } else if merged && block {
            (true, LARGEST_MARGIN, 1.0)
        } else if merged && trust >= TRUST_AFTER {
            (false, LEAST_MARGIN, GENTLE)
        } else {
            return None;
        };
        (self.vectors.len() > 1).then_some(Rehearsal {
            absent_only,
            largest_margin,
            share,
        })
    }

    /// Asks the next vectors for their own class; how many took a step.
    #[inline(never)]
    fn rehearse_next(&mut self, count: usize, rehearsal: Rehearsal) -> u16 {
        let is_mature = self.class_stats.is_mature();
        let scratch = &mut self.scratch;
        let (mut left, mut moved) = (count, 0);
        for _ in 0..self.vectors.len() {
            if left == 0 {
                break;
            }
            let vectors = self.vectors.as_ref();
            let slot = next(self.state.rehearsed, vectors.len);
            self.state.rehearsed = slot as u16;
            let Some(row) = vectors.row(slot) else {
                continue;
            };
            let class = owner(row.values);
            if rehearsal.absent_only && scratch.absent.get(class) != Some(&true) {
                continue;
            }
            let own = row.coefficient(column(class, vectors.columns).unwrap_or(0));
            // A vector that is wrong more often than right may come from a wrong label.
            if is_mature && (vectors.error_rate(slot) > 0.5 || own.abs() >= LARGEST) {
                continue;
            }
            left -= 1;
            let point = self.vectors.point(slot);
            vectors.scores(
                &self.kernel.as_ref(),
                point.borrow(),
                scratch.row,
                scratch.scores,
            );
            drop(point);
            let asked = Rehearsed {
                scores: scratch.scores,
                present: scratch.present,
                class,
                // Not `clamp`, which panics where the limits are the wrong way round.
                wanted: own.abs().min(rehearsal.largest_margin).max(LEAST_MARGIN),
                slots: self.vectors.capacity,
            };
            if !self.update.rehearse(&asked, scratch.steps) {
                continue;
            }
            for step in scratch.steps.iter_mut() {
                *step *= rehearsal.share;
            }
            let rng = &mut self.state.rng;
            let step = round(scratch.steps, scratch.values, rng);
            if let Some((head, values)) = self.vectors.row_mut(slot) {
                let step = step.with(scratch.values);
                self.state.saturated |= head.mix(values, 1.0, step, 1.0, rng);
            }
            moved += 1;
        }
        moved
    }
}
