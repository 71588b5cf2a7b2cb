//! Step sizes by the error rate, annealed with time.

use super::{StepContext, StepRule, StepSize};
use crate::{
    label::Sign,
    num::math::{Math, Precise},
    persist::{ImageError, Persist, Reader, Ready, Shape, Writer},
};

/// Step-size rule of the default learners: small steps where many labels look wrong, and smaller ones as time goes on (annealing). 8 bytes.
///
/// Of the examples that move the model, `rho` are mistakes. Where classes can be told apart most of them are only too
/// close to the boundary; where labels are wrong many are on the wrong side, and a large step would follow the noise.
/// `u` counts the steps since the first merger:
///
/// ```text
/// rho += 0.01 ((m <= 0) - rho),   eta0 = (PERCENT / 100 / rho)^POWER, from 0.05 to 1
/// an = 1 / sqrt(1 + u / (64 B)), at least 0.05;   eta = eta0 an
/// ```
///
/// A full model takes two kinds of mistakes apart. If the local error rate of the nearest vector is above one half, the
/// concept has drifted: the step is whole again, and `u` falls. Elsewhere a mistake with `m < -1` is most likely a wrong
/// label, and its step is multiplied by `eta0` once more. An immature learner may not know the region yet: its factor is
/// `eta0 + (1 - eta0) immaturity^4`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AnnealedSteps<const PERCENT: u32, const POWER: u32> {
    /// Excess of the share of mistakes over one half, where it starts.
    excess: f32,
    updates: f32,
}

const START: f32 = 0.5;
const RATE: f32 = 0.01;
const LEAST: f32 = 0.05;
/// Steps for each slot after which they are smaller by a root of two.
const ANNEALING_STEPS: f32 = 64.0;
const MOST_UPDATES: f32 = 16_777_216.0;
/// The largest step for an example of a new class.
const LARGEST_NEW: f32 = 8.0;

impl<const PERCENT: u32, const POWER: u32> AnnealedSteps<PERCENT, POWER> {
    const TRUSTED: f32 = PERCENT as f32 / 100.0;

    /// Recent share of mistakes among the examples that moved the model.
    pub fn mistakes(&self) -> f32 {
        START + self.excess
    }

    /// The size of a step by the share of mistakes alone.
    pub fn size(&self) -> f32 {
        let trust = Self::TRUSTED / (self.mistakes() + 0.001);
        let odd = if POWER.is_multiple_of(2) { 1.0 } else { trust };
        let size = (0..POWER / 2).fold(odd, |power, _| power * (trust * trust));
        size.clamp(LEAST, 1.0)
    }

    /// The factor by which steps have become smaller with time.
    pub fn annealing(&self, slots: usize) -> f32 {
        let rounds = self.updates / (ANNEALING_STEPS * slots.max(1) as f32);
        (1.0 / Precise::sqrt(1.0 + rounds)).max(LEAST)
    }
}

crate::persist::blank!([; const PERCENT: u32, const POWER: u32] AnnealedSteps<PERCENT, POWER> { excess, updates });

impl<const PERCENT: u32, const POWER: u32> Ready for AnnealedSteps<PERCENT, POWER> {}

impl<const PERCENT: u32, const POWER: u32> StepRule for AnnealedSteps<PERCENT, POWER> {
    fn step(&mut self, _: Sign, margin: f32, context: &StepContext) -> Option<StepSize> {
        if margin > 1.0 {
            return None;
        }
        if !context.mostly_absent {
            let mistake = if margin <= 0.0 { 1.0 } else { 0.0 };
            self.excess += RATE * (mistake - self.mistakes());
        }
        let trusted = self.size();
        let annealing = self.annealing(context.slots);
        let mut step = StepSize {
            size: trusted * annealing,
            mobility: annealing,
        };
        if context.new_class {
            // What is taught by hand counts at once, however large the coefficients of the other classes are.
            step.size = step
                .size
                .max(((1.0 - margin) / context.gain).min(LARGEST_NEW));
            step.mobility = 1.0;
        } else if context.full && margin < 0.0 && context.error_rate > 0.5 {
            self.updates *= 63.0 / 64.0;
            step.size = trusted.max(2.0 * context.error_rate - 1.0);
        } else if context.robust_to_noise && context.full && margin < -1.0 {
            let immaturity = context.immaturity * context.immaturity;
            let factor = trusted + (1.0 - trusted) * (immaturity * immaturity);
            step.size *= factor;
            step.mobility *= factor;
        }
        if context.annealing && context.merged && !context.mostly_absent {
            self.updates = (self.updates + 1.0).min(MOST_UPDATES);
        }
        Some(step)
    }

    fn rehearsal(&self, slots: usize) -> f32 {
        self.size() * self.annealing(slots)
    }

    fn trust(&self) -> f32 {
        self.size()
    }
}

/// Share and power are a matter of the type, hence of its shape.
impl<const PERCENT: u32, const POWER: u32> Persist for AnnealedSteps<PERCENT, POWER> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("settling", |inside| {
            inside.number(PERCENT as usize);
            inside.number(POWER as usize);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.excess.save(writer);
        self.updates.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        // A share lies between zero and one.
        reader.number(&mut self.excess, -START..=1.0 - START)?;
        reader.number(&mut self.updates, 0.0..=MOST_UPDATES)
    }
}

impl<const PERCENT: u32, const POWER: u32> crate::sealed::Sealed for AnnealedSteps<PERCENT, POWER> {}
