//! A learner of any number of classes that says how sure it is, from the first examples on.

use super::EvidenceSource;
use crate::{
    classifier::{Confidence, Edit, OnlineClassifier, Outcome, RemoteModel, Warning, Wrapper},
    error::{EditError, InputError},
    label::{Class, ClassLabel, Label as _},
    learners::continual::Evidence,
    num::math::{Math as _, Precise, exp},
    persist::{
        Blank, Convert, ImageError, Persist, Reader, Ready, Restart, Shape, StoredSizes, Writer,
    },
    wrap::undo::Undo,
};

/// The answer of a [`Confident`] learner for a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Answer<L> {
    /// The class.
    pub label: L,
    /// Probability that the class is right, if the sample is of one of the classes learned.
    pub probability: f32,
    /// Whether the sample is like those that were learned.
    pub known: bool,
}

/// A learner of `C` classes with probabilities and a notion of the unknown: `L` and `4 C + 24` bytes.
///
/// ```
/// use pocketron::{label::Class, prelude::*, wrap::confidence::Confident};
///
/// let mut model = Confident::<PocketronMulti<2, 20, 3>, 3>::new();
/// for class in 0..3 {
///     for n in 0..5 {
///         // Five examples of a class, then the next class.
///         let x = [10.0 * f32::from(class) + 0.3 * n as f32, 0.5 * (n % 3) as f32];
///         model.learn(&x, Class(class))?;
///     }
/// }
/// let answer = model.answer(&[10.5, 0.4])?;
/// assert_eq!(answer.label, Class(1));
/// assert!(answer.known && answer.probability > 0.8);
/// assert!(!model.answer(&[15.0, 8.0])?.known); // like nothing that was taught
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
///
/// The *probability* is a logistic function of the margin: how far the score of the class is ahead of the next. A sample is
/// *unknown* if it is far from the vectors of its class, measured by how far they are from each other, and if its score is low:
///
/// ```text
/// u = sqrt(d / sqrt(s_c s) exp(-score / 2)),   known: u <= mean + z sd
/// ```
///
/// `d` is the squared distance to the nearest vector of the class, `s_c` its usual value for that class and `s` for all. One known
/// sample in ten is called unknown: that is the price of finding the unknown ones.
///
/// Both are calibrated on examples that the model has not learned from: stored vectors, each without itself (leave-one-out),
/// for at most `2 B` kernel evaluations an example; after the first merger, examples before they are learned, for `B`. It predicts
/// and learns as `L` does, bit for bit. [`calibrate`](Self::calibrate) does more of it in idle time.
#[derive(Clone, Debug)]
pub struct Confident<L, const C: usize> {
    learner: L,
    calibration: Calibration<C>,
}

/// Calibration: relation of answers and truth. All zeros before the first sample.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Calibration<const C: usize> {
    /// Usual squared distance to the nearest vector of the same class; zero before the first.
    spacings: [f32; C],
    /// Slope and offset of the logistic function, from where they start.
    slope: f32,
    offset: f32,
    /// Mean and variance of `u`, and `z`, from where they start.
    mean: f32,
    variance: f32,
    z: f32,
    /// Samples so far, up to [`WINDOW`].
    seen: u16,
    /// The slot that was left out last.
    slot: u16,
}

const WINDOW: u16 = 64;
/// Before anything is known.
const SLOPE: f32 = 4.0;
/// Half of the usual distance between two samples of any classes: features are standardised.
const SPACING: f32 = 3.0;
const MEAN: f32 = 1.0;
const VARIANCE: f32 = 0.1;
/// One value in ten of a normal distribution lies beyond.
const Z: f32 = 1.28;
const UNKNOWN: f32 = 0.1;
/// Rate at which `z` follows, once mean and variance are settled.
const Z_RATE: f32 = 0.02;
const SETTLED: u16 = 32;
const SPACING_RATE: f32 = 1.0 / 8.0;
const LEAST_SLOPE: f32 = 0.05;
/// Deviations at which a value of `u` is clamped.
const FAR: f32 = 3.0;
/// A deviation of zero would make everything unknown.
const LEAST_VARIANCE: f32 = 0.01;
/// Samples that repeat each other have no distance; vectors that are so near are alike.
const LEAST_SPACING: f32 = 0.02;
/// Bounds of the values in an image.
const LARGEST: f32 = 1e6;
/// Distances end here: the kernel sees nothing beyond.
const FARTHEST: f32 = 64.0;

crate::persist::blank!([; const C: usize] Calibration<C> { spacings, slope, offset, mean, variance, z, seen, slot });

impl<const C: usize> Calibration<C> {
    fn probability(&self, margin: f32) -> f32 {
        1.0 / (1.0 + exp(-((SLOPE + self.slope) * margin + self.offset)))
    }

    /// `u`, or `None` where no vector of the class is stored.
    fn novelty(&self, evidence: &Evidence) -> Option<f32> {
        let distance = evidence.distance?.min(FARTHEST);
        let known = self.spacings.iter().filter(|spacing| **spacing > 0.0);
        let (mut sum, mut count) = (0.0, 0.0);
        for spacing in known {
            (sum, count) = (sum + spacing, count + 1.0_f32);
        }
        let usual = if count > 0.0 { sum / count } else { SPACING };
        let own = self.spacings.get(evidence.class.index()).copied();
        let own = own.filter(|own| *own > 0.0).unwrap_or(usual);
        let relative = distance / Precise::sqrt(own * usual);
        Some(Precise::sqrt(relative * exp(-0.5 * evidence.score)).min(LARGEST))
    }

    fn limit(&self) -> f32 {
        let spread = Precise::sqrt(VARIANCE + self.variance);
        MEAN + self.mean + (Z + self.z) * spread
    }

    fn is_known(&self, evidence: &Evidence) -> bool {
        self.novelty(evidence)
            .is_some_and(|novelty| novelty <= self.limit())
    }

    /// Takes in a sample of a known class that the model has not learned from.
    #[inline(never)]
    fn take_in(&mut self, truth: Class, evidence: &Evidence) {
        let right = evidence.class == truth;
        self.seen = (self.seen + 1).min(WINDOW);
        // Two samples more stand for what is assumed before the first.
        let weight = 1.0 / f32::from(self.seen + 2);

        let margin = evidence.margin.clamp(0.0, LARGEST);
        let error = self.probability(margin) - if right { 1.0 } else { 0.0 };
        let rate = (32.0 * weight).min(1.0) / (1.0 + margin * margin);
        self.slope =
            (SLOPE + self.slope - rate * error * margin).clamp(LEAST_SLOPE, LARGEST) - SLOPE;
        // Between two classes that are level, at most one answer in two is right.
        self.offset = (self.offset - rate * error).clamp(-LARGEST, 0.0);

        let Some(novelty) = self.novelty(evidence) else {
            return;
        };
        if self.seen >= SETTLED {
            let unknown = if self.is_known(evidence) { 0.0 } else { 1.0 };
            self.z = (self.z + Z_RATE * (unknown - UNKNOWN)).clamp(-Z, LARGEST);
        }
        // One that is beyond all measure must not make all others known.
        let spread = Precise::sqrt(VARIANCE + self.variance);
        let difference = novelty - (MEAN + self.mean);
        // Not `clamp`, which panics where the limits are the wrong way round.
        let difference = difference.max(-FAR * spread).min(FAR * spread);
        self.mean += weight * difference;
        let variance =
            (1.0 - weight) * (VARIANCE + self.variance + weight * (difference * difference));
        self.variance = variance.clamp(LEAST_VARIANCE, LARGEST) - VARIANCE;
        if let (true, Some(distance)) = (right, evidence.distance)
            && let Some(spacing) = self.spacings.get_mut(truth.index())
        {
            let distance = distance.clamp(LEAST_SPACING, FARTHEST);
            *spacing = if *spacing > 0.0 {
                *spacing + SPACING_RATE * (distance - *spacing)
            } else {
                distance
            };
        }
    }
}

impl<L: Ready, const C: usize> Confident<L, C> {
    /// Nothing seen yet, around a learner that has no parameter to set.
    pub const fn new() -> Self {
        Self::of(L::BLANK)
    }
}

impl<L: Ready, const C: usize> Default for Confident<L, C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L, const C: usize> Confident<L, C> {
    /// Nothing seen yet, around a learner.
    pub const fn of(learner: L) -> Self {
        Confident {
            learner,
            calibration: Calibration::BLANK,
        }
    }

    /// The learner.
    pub const fn learner(&self) -> &L {
        &self.learner
    }

    /// The learner, to be configured. To teach it directly would leave out the calibration.
    pub const fn learner_mut(&mut self) -> &mut L {
        &mut self.learner
    }

    /// Slope of the logistic function of the margin.
    pub const fn slope(&self) -> f32 {
        SLOPE + self.calibration.slope
    }

    /// Intercept of the logistic function.
    pub const fn offset(&self) -> f32 {
        self.calibration.offset
    }

    /// The largest [`novelty`](Self::novelty) of a known sample.
    pub fn limit(&self) -> f32 {
        self.calibration.limit()
    }
}

impl<L: EvidenceSource, const C: usize> Confident<L, C> {
    /// The class of `x`, how probable it is, and whether `x` is like what was learned.
    pub fn answer(&self, x: &L::Input) -> Result<Answer<L::Label>, InputError> {
        let evidence = self.learner.evidence(x)?;
        let label = L::Label::of_class(evidence.class).ok_or(InputError::UnknownClass)?;
        Ok(Answer {
            label,
            probability: self.calibration.probability(evidence.margin),
            // A learner that keeps exemplars knows better.
            known: self
                .learner
                .is_known(x)?
                .unwrap_or_else(|| self.calibration.is_known(&evidence)),
        })
    }

    /// Novelty of `x`, against the stored vectors of its class: `u` of the formula above, about 1 for a known sample. `None` if
    /// no vector of the class is stored.
    pub fn novelty(&self, x: &L::Input) -> Result<Option<f32>, InputError> {
        Ok(self.calibration.novelty(&self.learner.evidence(x)?))
    }

    /// Calibrates on the next `steps` stored vectors, each once at most, without itself: for idle time, after teaching. Each step
    /// costs at most `B` kernel evaluations. Does nothing after the first merger, when vectors are no examples any more.
    pub fn calibrate(&mut self, steps: u16) {
        let (len, _) = self.learner.occupancy();
        if len < 2 || self.learner.has_merged() {
            return;
        }
        for _ in 0..usize::from(steps).min(len) {
            let slot = (usize::from(self.calibration.slot) + 1) % len;
            self.calibration.slot = slot as u16;
            // A class with a single vector would be without any.
            if let Some((class, evidence)) = self.learner.evidence_without(slot)
                && self.learner.vectors_of(class) > 1
            {
                self.calibration.take_in(class, &evidence);
            }
        }
    }
}

impl<L: EvidenceSource + RemoteModel, const C: usize> Confident<L, C> {
    /// Forgets one class; the others stay.
    pub fn forget(&mut self, class: L::Label) {
        // The default learner forgets any class that it has.
        let _ = self.wrapped_edit(Edit::Forget(class.class()));
    }
}

impl<L: EvidenceSource, const C: usize> Undo<Confident<L, C>> {
    /// The class of `x`, how probable it is, and whether `x` is like what was learned.
    pub fn answer(&self, x: &L::Input) -> Result<Answer<L::Label>, InputError> {
        self.learner().answer(x)
    }
}

impl<L: Blank, const C: usize> Blank for Confident<L, C> {
    const BLANK: Self = Self::of(L::BLANK);
}

impl<L: Ready, const C: usize> Ready for Confident<L, C> {}

impl<L: EvidenceSource, const C: usize> OnlineClassifier for Confident<L, C> {
    type Input = L::Input;
    type Label = L::Label;

    fn predict_scored(&self, x: &L::Input) -> Result<(L::Label, f32), InputError> {
        self.learner.predict_scored(x)
    }

    fn has_class(&self, label: L::Label) -> bool {
        label.index() < C && self.learner.has_class(label)
    }

    fn validate(&self, x: &L::Input, label: L::Label, id: Option<u32>) -> Result<(), InputError> {
        if self.has_class(label) {
            self.learner.validate(x, label, id)
        } else {
            Err(InputError::UnknownClass)
        }
    }

    fn learn_with_id(
        &mut self,
        x: &L::Input,
        label: L::Label,
        id: Option<u32>,
    ) -> Result<Outcome<L::Label>, InputError> {
        self.validate(x, label, id)?;
        let class = label.class();
        let stream = self.learner.has_merged() && self.learner.has_seen(class);
        let before = if stream {
            Some(self.learner.evidence(x)?)
        } else {
            None
        };
        let outcome = self.learner.learn_with_id(x, label, id)?;
        match before {
            // A stuck sensor teaches nothing.
            _ if outcome.warning == Some(Warning::StuckSensor) => {}
            Some(evidence) => self.calibration.take_in(class, &evidence),
            None => {
                let (len, slots) = self.learner.occupancy();
                // Calibrate on all vectors while few are stored, then on fewer, at constant cost.
                self.calibrate((2 * slots / len.max(1)).min(len) as u16);
            }
        }
        Ok(outcome)
    }
}

crate::classifier::wrapper!(@wrapper [L: EvidenceSource, const C: usize] Confident<L, C>, L {
    fn wrapped_confidence(&self, x: &L::Input) -> Result<Confidence, InputError> {
        let answer = self.answer(x)?;
        Ok(Confidence {
            class: Some(answer.label.class()),
            probability: Some(answer.probability),
            known: Some(answer.known),
        })
    }

    /// Forgets how near samples of a class are to each other, too.
    fn wrapped_edit(&mut self, edit: Edit) -> Result<(), EditError>
    where
        L: RemoteModel,
    {
        self.learner.edit(edit)?;
        if let Edit::Forget(class) = edit
            && let Some(spacing) = self.calibration.spacings.get_mut(class.index())
        {
            *spacing = 0.0;
        }
        Ok(())
    }

    /// Calibrates on as many.
    fn wrapped_rehearse(&mut self, steps: u16) -> Result<u16, EditError>
    where
        L: RemoteModel,
    {
        let moved = self.learner.rehearse_steps(steps)?;
        self.calibrate(steps);
        Ok(moved)
    }
});

impl<L: Restart, const C: usize> Restart for Confident<L, C> {
    fn restart(&mut self) {
        self.learner.restart();
        self.calibration = Calibration::BLANK;
    }
}

impl<L: Persist, const C: usize> Persist for Confident<L, C> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("confident", |inside| {
            self.learner.shape(inside);
            inside.number(C);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.learner.save(writer);
        let own = &self.calibration;
        writer.with_slots(|writer| own.spacings.save(writer));
        for number in [own.slope, own.offset, own.mean, own.variance, own.z] {
            number.save(writer);
        }
        writer.word(u32::from(own.seen) | u32::from(own.slot) << 16);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.learner.load(reader)?;
        self.calibration.load(C, reader)
    }
}

impl<L: Convert, const C: usize> Convert for Confident<L, C> {
    fn convert(
        &mut self,
        stored: &mut StoredSizes,
        reader: &mut Reader<'_>,
    ) -> Result<(), ImageError> {
        self.learner.convert(stored, reader)?;
        self.calibration.load(stored.next_size()?, reader)
    }
}

impl<const C: usize> Calibration<C> {
    /// Reads the calibration of so many classes.
    #[inline]
    fn load(&mut self, classes: usize, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let own = self;
        for class in 0..classes.max(C) {
            // Classes that are there only in the image, or only here, have no distance.
            let mut other = 0.0;
            let spacing = own.spacings.get_mut(class).unwrap_or(&mut other);
            if class < classes {
                reader.number(spacing, 0.0..=FARTHEST)?;
            } else {
                reader.put(spacing, 0.0);
            }
        }
        reader.number(&mut own.slope, LEAST_SLOPE - SLOPE..=LARGEST)?;
        reader.number(&mut own.offset, -LARGEST..=0.0)?;
        reader.number(&mut own.mean, -MEAN..=LARGEST)?;
        reader.number(&mut own.variance, LEAST_VARIANCE - VARIANCE..=LARGEST)?;
        reader.number(&mut own.z, -Z..=LARGEST)?;
        let word = reader.word()?;
        if word as u16 > WINDOW {
            return Err(ImageError::Malformed);
        }
        reader.put(&mut own.seen, word as u16);
        reader.put(&mut own.slot, (word >> 16) as u16);
        Ok(())
    }
}
