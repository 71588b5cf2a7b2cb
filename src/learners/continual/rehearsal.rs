//! Stored vectors are asked again, so that what was taught earlier is not forgotten.

use core::borrow::Borrow;

use super::{CoefficientRow, ContinualLearner, Tuning, Update};
use crate::storage::{Memory, PerFeature, point::Points};

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
struct Rehearsal<const C: usize> {
    /// Vectors of these classes only.
    classes: Option<[bool; C]>,
    largest_margin: f32,
    /// Share of a step.
    share: f32,
}

impl<S, M, U, const C: usize, const N: usize, T> ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory<Points: Points<Feature = i8>>,
    U: Update<C, N>,
    T: Tuning,
{
    /// Rehearsals that go with every example: 2 unless set otherwise.
    pub fn rehearsals(&self) -> u8 {
        self.rehearsals ^ USUAL
    }

    /// Sets the number of rehearsals that go with every example. Each costs `B` kernel evaluations. A program that is short of
    /// time sets it to zero, and calls [`rehearse`](Self::rehearse) while idle.
    pub fn set_rehearsals(&mut self, count: u8) {
        self.rehearsals = count ^ USUAL;
    }

    /// Rehearses the next `steps` stored vectors, and says how many of them took a step. To be called in idle time; each
    /// step costs at most `B` kernel evaluations.
    ///
    /// Nothing is rehearsed where labels are too noisy for that. When it returns zero for as many steps as there are
    /// vectors, there is nothing left to gain.
    pub fn rehearse(&mut self, steps: u16) -> u16 {
        let absent = self.absent();
        let Some(rehearsal) = self.rehearsal(&absent) else {
            return 0;
        };
        // Of all classes: without examples beside them, those of absent classes alone would take over.
        let rehearsal = Rehearsal {
            classes: None,
            share: GENTLE,
            ..rehearsal
        };
        self.rehearse_next(steps.into(), &rehearsal)
    }

    /// Rehearses while an example is learned; as long as few vectors are stored, more of them for the same cost.
    pub(super) fn rehearse_beside(&mut self, absent: &[bool; C]) {
        let mut count = usize::from(self.rehearsals());
        if !self.merged {
            let len = self.vectors.len().max(1);
            count = (count * self.vectors.capacity() / len).min(len);
        }
        if let Some(rehearsal) = self.rehearsal(absent) {
            self.rehearse_next(count, &rehearsal);
        }
    }

    /// Vectors to rehearse, if any.
    ///
    /// Before the first merger vectors are examples, and every order of them profits. After it those of absent classes
    /// are rehearsed, and in mixed streams all if the labels are trusted.
    fn rehearsal(&self, absent: &[bool; C]) -> Option<Rehearsal<C>> {
        let trust = self.update.trust(&self.class_stats.present());
        let of = |classes, largest_margin, share| {
            Some(Rehearsal {
                classes,
                largest_margin,
                share,
            })
        };
        if self.vectors.len() < 2 {
            None
        } else if !self.merged && trust >= TRUST_BEFORE {
            of(None, LARGEST_MARGIN, GENTLE)
        } else if self.merged && absent.contains(&true) {
            of(Some(*absent), LARGEST_MARGIN, 1.0)
        } else if self.merged && trust >= TRUST_AFTER {
            of(None, LEAST_MARGIN, GENTLE)
        } else {
            None
        }
    }

    /// Asks the next vectors for their own class; how many took a step.
    #[inline(never)]
    fn rehearse_next(&mut self, count: usize, rehearsal: &Rehearsal<C>) -> u16 {
        let present = self.class_stats.present();
        let is_mature = self.class_stats.is_mature();
        let (len, slots) = (self.vectors.len(), self.vectors.capacity());
        let (mut left, mut moved) = (count, 0);
        for _ in 0..len {
            if left == 0 {
                break;
            }
            let slot = (usize::from(self.rehearsed) + 1) % len;
            self.rehearsed = slot as u16;
            let Some(row) = self.vectors.rows().get(slot) else {
                continue;
            };
            let class = U::owner(row.values());
            let classes = rehearsal.classes.as_ref();
            if !classes.is_none_or(|classes| classes.get(class).copied().unwrap_or(false)) {
                continue;
            }
            let own = row.coefficient(U::column(class).unwrap_or(0));
            // A vector that is wrong more often than right may come from a wrong label.
            if is_mature && (row.error_rate() > 0.5 || own.abs() >= LARGEST) {
                continue;
            }
            left -= 1;
            let point = self.vectors.point(slot);
            let scores = self.vectors.scores(&self.kernel, point.borrow());
            // Not `clamp`, which panics where the limits are the wrong way round.
            let wanted = own.abs().min(rehearsal.largest_margin).max(LEAST_MARGIN);
            if let Some(steps) = self
                .update
                .rehearse(&scores, &present, class, wanted, slots)
            {
                let steps = steps.map(|step| rehearsal.share * step);
                let step = CoefficientRow::of(&steps, &mut self.rng);
                if let Some(row) = self.vectors.row_mut(slot) {
                    self.saturated |= row.mix(1.0, &step, 1.0, &mut self.rng);
                }
                moved += 1;
            }
        }
        moved
    }
}
