//! The learning step.

use core::borrow::Borrow;

use super::{CoefficientRow, ContinualLearner, StepContext, Steps, Tuning, Update};
use crate::{
    budget::Admission,
    classifier::{Outcome, Warning},
    label::Sign,
    num::Fixed,
    persist::Blank as _,
    storage::{Evaluated, EvaluatedIn, Memory, PerFeature, point::Points},
};

/// A reading that comes so often in a row, bit for bit, is that of a stuck sensor.
const STUCK: u8 = 8;
/// Fraction of the distance that the nearest vector moves, at most.
const MOVE: f32 = 0.05;
/// Examples per slot after which immaturity is 1/2.
const EXAMPLES_PER_SLOT: f32 = 256.0;
/// Each step shrinks one row, in turn, by 1/32 of the step size.
const SHRINKING: f32 = 1.0 / 32.0;

impl<S, M, U, const C: usize, const N: usize, T> ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory<Points: Points<Feature = i8>>,
    U: Update<C, N>,
    T: Tuning,
{
    /// Predicts, then learns an example that has been checked.
    pub(super) fn learn_class(&mut self, x: &[f32], class: usize) -> Outcome<usize> {
        let known = self.class_stats.present();
        if self.is_stuck(x) {
            let point = self.quantise(x);
            let scores = self.vectors.scores(&self.kernel, point.borrow());
            let (predicted, score) = U::winner(&scores, &known);
            return Outcome {
                predicted,
                score,
                mistake: predicted != class,
                admission: None,
                warning: Some(Warning::StuckSensor),
            };
        }
        self.class_stats.observe(class);
        let absent = self.absent();
        let remapping = T::REMAPPING && !self.class_stats.is_mature();
        self.scale.take_in(x, |feature, remap| {
            if remapping {
                self.vectors.change_feature(feature, remap);
            }
        });

        let point = self.quantise(x);
        let mut row = <M::Column<Fixed>>::BLANK;
        let similarities = &*self
            .vectors
            .similarities(&self.kernel, point.borrow(), &mut row);
        let scores = self.vectors.scores_of(similarities);
        let example = Evaluated {
            score: U::margin(&scores, &self.class_stats.present(), class),
            row: similarities,
            nearest: most_similar(similarities),
            ..Evaluated::new(point.borrow(), Sign::Pos, None)
        };
        let (predicted, score) = U::winner(&scores, &known);
        let saturated_before = self.saturated;
        let (admission, saturated) = self.update_with(&example, &scores, class, &absent);
        self.saturated |= saturated;
        if T::REHEARSAL {
            self.rehearse_beside(&absent);
        }
        let saturated = saturated || self.saturated != saturated_before;
        Outcome {
            predicted,
            score,
            mistake: predicted != class || !known.get(class).copied().unwrap_or(false),
            admission,
            warning: saturated.then_some(Warning::Saturated),
        }
    }

    /// Classes that are absent for the time being.
    pub(super) fn absent(&self) -> [bool; C] {
        if T::ABSENCE {
            self.class_stats.absent()
        } else {
            [false; C]
        }
    }

    /// Whether the reading repeats itself.
    fn is_stuck(&mut self, x: &[f32]) -> bool {
        is_stuck(x, &mut self.reading, &mut self.repeats)
    }

    /// Moves the model if the example wants it; what became of the example, and whether a coefficient was cut off.
    fn update_with(
        &mut self,
        example: &EvaluatedIn<'_, M>,
        scores: &[f32; N],
        class: usize,
        absent: &[bool; C],
    ) -> (Option<Admission>, bool) {
        let nearest = example.nearest.and_then(|slot| self.vectors.row_mut(slot));
        let error_rate = nearest.map_or(0.0, |row| {
            let wrong = example.margin() <= 0.0;
            row.record_answer(wrong, self.update.weight(class), &mut self.rng);
            row.error_rate()
        });
        let full = self.vectors.is_full();
        let block = absent.contains(&true);
        let context = StepContext {
            slots: self.vectors.capacity(),
            gain: U::GAIN,
            full,
            merged: self.merged,
            mostly_absent: block && 2 * self.owned_by(absent) > self.vectors.len(),
            immaturity: self.immaturity(),
            error_rate: if T::LOCAL_ERROR_RATE { error_rate } else { 0.0 },
            new_class: T::NEW_CLASSES && self.class_stats.is_new_in_a_row(),
            annealing: T::ANNEALING,
            robust_to_noise: T::ROBUST_TO_NOISE,
        };
        let present = self.class_stats.present();
        let steps = self.update.steps(scores, &present, class, &context);
        let size = steps.largest();
        if size <= 0.0 {
            return (None, false);
        }
        let row = CoefficientRow::of(&steps.of, &mut self.rng);
        if T::RELEVANCE && full && !context.mostly_absent {
            self.adapt_kernel(example, &steps, size, &row);
        }
        if T::MOVES {
            self.move_nearest(example, &row, steps.mobility);
        }
        let within = (T::QUOTA && full && block).then(|| self.largest_class(&row));
        let eligible =
            |row: &CoefficientRow<N>| within.is_none_or(|class| U::owner(row.values()) == class);
        let admitted = self
            .vectors
            .admit(&self.kernel, example.x, &row, eligible, &mut self.rng);
        self.merged |= full;
        if T::SHRINKING && self.merged {
            self.shrink_next(size);
        }
        (Some(admitted.admission), admitted.saturated)
    }

    /// Immaturity: falls from 1 to 0 with the examples seen, see [`StepContext::immaturity`].
    fn immaturity(&self) -> f32 {
        let slots = self.vectors.capacity() as f32;
        1.0 / (1.0 + self.class_stats.total() as f32 / (EXAMPLES_PER_SLOT * slots))
    }

    /// Vectors that belong to such classes.
    fn owned_by(&self, classes: &[bool; C]) -> usize {
        let owned = |row: &&CoefficientRow<N>| {
            let owner = U::owner(row.values());
            classes.get(owner).copied().unwrap_or(false)
        };
        self.vectors.rows().iter().filter(owned).count()
    }

    /// The class that holds most vectors, a new one included.
    fn largest_class(&self, newcomer: &CoefficientRow<N>) -> usize {
        let mut counts = [0_u32; C];
        for row in self.vectors.rows().iter().chain([newcomer]) {
            if let Some(count) = counts.get_mut(U::owner(row.values())) {
                *count += 1;
            }
        }
        let mut largest = (0, 0);
        for (class, count) in counts.into_iter().enumerate() {
            if count > largest.1 {
                largest = (class, count);
            }
        }
        largest.0
    }

    /// Moves the most similar vector towards an example of its class, and away from others.
    fn move_nearest(
        &mut self,
        example: &EvaluatedIn<'_, M>,
        row: &CoefficientRow<N>,
        mobility: f32,
    ) {
        if let Some(slot) = example.nearest {
            let share = MOVE * mobility * example.near(slot);
            let own = self.vectors.rows().get(slot);
            let agrees = own.is_some_and(|own| own.dot(row) > 0);
            let share = if agrees { share } else { -share };
            self.vectors.blend(slot, example.x, share);
        }
    }

    /// Shrinks the row whose turn it is: in `B` steps, all of them.
    fn shrink_next(&mut self, size: f32) {
        let slot = (usize::from(self.shrunk) + 1) % self.vectors.len().max(1);
        self.shrunk = slot as u16;
        if let Some(row) = self.vectors.row_mut(slot) {
            row.shrink(1.0 - (SHRINKING * size).min(0.5), &mut self.rng);
        }
    }

    /// Teaches the kernel. A vector speaks for the example as far as its coefficients go the same way.
    #[inline(never)]
    fn adapt_kernel(
        &mut self,
        example: &EvaluatedIn<'_, M>,
        steps: &Steps<N>,
        size: f32,
        row: &CoefficientRow<N>,
    ) {
        let rows = self.vectors.rows();
        let vote = |slot: usize, near: Fixed| {
            let along =
                |own: &CoefficientRow<N>| (own.weight(near) >> 5).saturating_mul(own.dot(row) >> 6);
            rows.get(slot).map_or(0, along)
        };
        let points = self.vectors.points();
        self.kernel
            .adapt_to::<M>(points, example, steps.mistake, size, vote);
    }
}

/// Whether a reading repeats itself; takes its hash in, and counts how often it came in a row.
pub(crate) fn is_stuck(x: &[f32], newest: &mut u32, repeats: &mut u8) -> bool {
    // FNV-1a on words, whose upper digits come back as the lower ones.
    let mix = |hash: u32, x: &f32| {
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

/// The slot of the largest similarity, the lowest of equals.
fn most_similar(similarities: &[Fixed]) -> Option<usize> {
    let mut best: Option<(usize, Fixed)> = None;
    for (slot, near) in similarities.iter().enumerate() {
        if best.is_none_or(|(_, most)| *near > most) {
            best = Some((slot, *near));
        }
    }
    best.map(|(slot, _)| slot)
}
