//! The learning step.

use core::borrow::Borrow as _;

use super::{
    StepContext, Tuning, UpdateRule,
    row::{RowHead, dot, round, weight},
    scale::quantise,
    update::{NO_CLASS, largest, margin, owner, winner},
    vectors::Newcomer,
    view::{LearnerView, ScratchView},
};
use crate::{
    budget::Admission,
    classifier::{Outcome, Warning},
    kernel::{self, Lesson, add_distances},
    num::{Fixed, Number as _, rolled},
    storage::point::ByteSlots,
};

/// A reading that comes so often in a row, bit for bit, is that of a stuck sensor.
const STUCK: u8 = 8;
/// Fraction of the distance that the nearest vector moves, at most.
const MOVE: f32 = 0.05;
/// Examples per slot after which immaturity is 1/2.
const EXAMPLES_PER_SLOT: f32 = 256.0;
/// Each step shrinks one row, in turn, by 1/32 of the step size.
const SHRINKING: f32 = 1.0 / 32.0;

impl<P: ByteSlots + ?Sized, U: UpdateRule> LearnerView<'_, P, U> {
    /// Predicts, then learns an example that has been checked.
    #[inline(never)]
    pub fn learn<T: Tuning>(&mut self, x: &[f32], class: usize) -> Outcome<usize> {
        let was_known = self.class_stats.is_present(class);
        let is_stuck = is_stuck(x, &mut self.state.reading, &mut self.state.repeats);
        let mut block = false;
        if !is_stuck {
            self.class_stats.observe(class);
            block = T::ABSENCE && self.class_stats.absent(self.scratch.absent);
            let remapping = T::REMAPPING && !self.class_stats.is_mature();
            self.scale.take_in(x, |feature, remap| {
                if remapping {
                    self.vectors.change_feature(feature, remap);
                }
            });
        }
        quantise(self.scale.moments(), x, self.scratch.point);
        let near = self.evaluate();
        let present = &mut *self.scratch.present;
        self.class_stats.present(present);
        let unknown = if was_known { NO_CLASS } else { class };
        let (predicted, score) = winner(self.scratch.scores, present, unknown);
        let outcome = Outcome {
            predicted,
            score,
            mistake: predicted != class,
            admission: None,
            warning: Some(Warning::StuckSensor),
        };
        if is_stuck {
            return outcome;
        }
        let saturated_before = self.state.saturated;
        let (admission, saturated) = self.update::<T>(class, near, block);
        self.state.saturated |= saturated;
        if T::REHEARSAL {
            self.rehearse_beside(block);
        }
        let saturated = saturated || self.state.saturated != saturated_before;
        Outcome {
            mistake: outcome.mistake || !was_known,
            admission,
            warning: saturated.then_some(Warning::Saturated),
            ..outcome
        }
    }

    /// Similarities and scores of the example; the slot most similar to it, and how similar it is.
    fn evaluate(&mut self) -> Option<(usize, Fixed)> {
        let ScratchView {
            row, point, scores, ..
        } = &mut self.scratch;
        let vectors = self.vectors.as_ref();
        let row = vectors.similarities(&self.kernel.as_ref(), point, row);
        let nearest = most_similar(row);
        vectors.scores_of(row, scores);
        nearest
    }

    /// Moves the model if the example wants it; what became of the example, and whether a coefficient was cut off.
    #[inline(never)]
    fn update<T: Tuning>(
        &mut self,
        class: usize,
        nearest: Option<(usize, Fixed)>,
        block: bool,
    ) -> (Option<Admission>, bool) {
        let (scores, present) = (&*self.scratch.scores, &*self.scratch.present);
        let head = nearest.and_then(|(slot, _)| self.vectors.row_mut(slot));
        let error_rate = head.map_or(0.0, |(head, _)| {
            let wrong = margin(scores, present, class) <= 0.0;
            head.record_answer(wrong, self.update.weight(class), &mut self.state.rng);
            head.error_rate()
        });
        let full = self.vectors.is_full();
        let context = StepContext {
            slots: self.vectors.capacity,
            gain: U::GAIN,
            full,
            merged: self.state.merged,
            mostly_absent: block && 2 * self.owned_by_absent() > self.vectors.len(),
            immaturity: self.immaturity(),
            error_rate: if T::LOCAL_ERROR_RATE { error_rate } else { 0.0 },
            new_class: T::NEW_CLASSES && self.class_stats.is_new_in_a_row(),
            annealing: T::ANNEALING,
            robust_to_noise: T::ROBUST_TO_NOISE,
        };
        let steps = &mut *self.scratch.steps;
        let taken = self.update.steps(scores, present, class, &context, steps);
        let size = largest(steps);
        if size <= 0.0 {
            return (None, false);
        }
        let head = round(steps, self.scratch.values, &mut self.state.rng);
        if T::RELEVANCE && full && !context.mostly_absent {
            let is_far = nearest.is_none_or(|(_, near)| kernel::is_far(near));
            self.adapt_kernel(taken.mistake && is_far, size);
        }
        if T::MOVES
            && let Some(nearest) = nearest
        {
            self.move_nearest(nearest, taken.mobility);
        }
        let within = (T::QUOTA && full && block).then(|| self.largest_class());
        let newcomer = Newcomer {
            x: self.scratch.point,
            head,
            values: self.scratch.values,
        };
        let admitted = self.vectors.admit(
            &self.kernel.as_ref(),
            newcomer,
            within,
            self.scratch.row,
            &mut self.state.rng,
        );
        self.state.merged |= full;
        if T::SHRINKING && self.state.merged {
            self.shrink_next(size);
        }
        (Some(admitted.admission), admitted.saturated)
    }

    /// Stores the vector in the scratch memory as it is.
    pub(super) fn take_over(&mut self, head: RowHead, values: &mut [i8]) {
        self.state.merged |= self.vectors.is_full();
        let newcomer = Newcomer {
            x: self.scratch.point,
            head,
            values,
        };
        let (kernel, rng) = (self.kernel.as_ref(), &mut self.state.rng);
        let admitted = self
            .vectors
            .admit(&kernel, newcomer, None, self.scratch.row, rng);
        self.state.saturated |= admitted.saturated;
    }

    /// Immaturity: falls from 1 to 0 with the examples seen, see [`StepContext::immaturity`].
    fn immaturity(&self) -> f32 {
        let slots = self.vectors.capacity as f32;
        1.0 / (1.0 + self.class_stats.total() as f32 / (EXAMPLES_PER_SLOT * slots))
    }

    /// Vectors that belong to absent classes.
    fn owned_by_absent(&self) -> usize {
        let is_absent = |owner: &usize| self.scratch.absent.get(*owner) == Some(&true);
        self.vectors.as_ref().owners().filter(is_absent).count()
    }

    /// The class that holds most vectors, a new one included; the lowest of equals.
    #[inline(never)]
    fn largest_class(&mut self) -> usize {
        let vectors = self.vectors.as_ref();
        let owners = self.scratch.row.get_mut(..vectors.len).unwrap_or_default();
        for (place, owner) in owners.iter_mut().zip(vectors.owners()) {
            rolled();
            *place = Fixed::from_raw(owner as i32);
        }
        let newcomer = owner(self.scratch.values);
        let mut largest = (0, 0);
        for class in 0..self.scratch.absent.len() {
            rolled();
            let own = |owner: &&Fixed| {
                rolled();
                owner.raw() == class as i32
            };
            let count = owners.iter().filter(own).count() + usize::from(newcomer == class);
            if count > largest.1 {
                largest = (class, count);
            }
        }
        largest.0
    }

    /// Moves the most similar vector towards an example of its class, and away from others.
    fn move_nearest(&mut self, (slot, near): (usize, Fixed), mobility: f32) {
        let share = MOVE * mobility * near.value();
        let own = self.vectors.as_ref();
        let agrees = own
            .row(slot)
            .is_some_and(|own| dot(own.values, self.scratch.values) > 0);
        let share = if agrees { share } else { -share };
        self.vectors.blend(slot, self.scratch.point, share);
    }

    /// Shrinks the row whose turn it is: in `B` steps, all of them.
    fn shrink_next(&mut self, size: f32) {
        let slot = next(self.state.shrunk, self.vectors.len());
        self.state.shrunk = slot as u16;
        if let Some((head, values)) = self.vectors.row_mut(slot) {
            let keep = 1.0 - (SHRINKING * size).min(0.5);
            head.shrink(values, keep, &mut self.state.rng);
        }
    }

    /// Teaches the kernel. A vector speaks for the example as far as its coefficients go the same way.
    #[inline(never)]
    fn adapt_kernel(&mut self, too_narrow: bool, size: f32) {
        let vectors = self.vectors.as_ref();
        let row = self.scratch.row.get_mut(..vectors.len).unwrap_or_default();
        for (near, own) in row.iter_mut().zip(vectors.rows()) {
            let along = dot(own.values, self.scratch.values);
            let vote = (weight(own.exponent, *near) >> 5).saturating_mul(along >> 6);
            *near = Fixed::from_raw(vote);
        }
        let lesson = Lesson {
            votes: row,
            too_narrow,
            size,
        };
        let point = &*self.scratch.point;
        let add = |slot, mass, sums: &mut [Fixed]| {
            let own = vectors.points.point(slot, point.len());
            add_distances(mass, point, own.borrow(), sums);
        };
        let sums = (&mut *self.scratch.same, &mut *self.scratch.other);
        self.kernel.adapt(&lesson, add, sums);
    }
}

/// The slot after this one, in turn.
pub(super) fn next(slot: u16, len: usize) -> usize {
    (usize::from(slot) + 1) % len.max(1)
}

/// Whether a reading repeats itself; takes its hash in, and counts how often it came in a row.
#[inline(never)]
pub(crate) fn is_stuck(x: &[f32], newest: &mut u32, repeats: &mut u8) -> bool {
    // FNV-1a on words, whose upper digits come back as the lower ones.
    let mix = |hash: u32, x: &f32| {
        rolled();
        let mixed = (hash ^ x.to_bits()).wrapping_mul(0x0100_0193);
        mixed ^ mixed.rotate_left(15)
    };
    let reading = x.iter().fold(0x811c_9dc5, mix);
    *repeats = if reading == *newest {
        repeats.saturating_add(1)
    } else {
        1
    };
    *newest = reading;
    *repeats >= STUCK
}

/// The slot of the largest similarity, the lowest of equals, and that similarity.
fn most_similar(similarities: &[Fixed]) -> Option<(usize, Fixed)> {
    let mut best: Option<(usize, Fixed)> = None;
    for (slot, near) in similarities.iter().enumerate() {
        rolled();
        if best.is_none_or(|(_, most)| *near > most) {
            best = Some((slot, *near));
        }
    }
    best
}
