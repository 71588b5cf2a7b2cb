//! Steps as large as the labels can be trusted.

use super::{Memoryless, Rule, Step, Trial};
use crate::{
    image::{ImageError, Persist, Reader, Shape, Writer},
    memory::{Blank, Ready},
};

/// Moves while `y f <= 1`, by a step that tunes itself.
///
/// Of the examples that move it, `rho` are mistakes. Where classes can be told apart most of them
/// are on the right side and only too near to the boundary; where labels are wrong many are on the
/// wrong side, and a large step would follow the noise:
///
/// ```text
/// rho += 0.01 ((y f <= 0) - rho),   eta = (0.3 / (rho + 0.001))^4, from 0.05 to 1
/// ```
///
/// So there is neither a rate to choose nor the length of the stream to know.
pub type SelfTuned = SelfTunedBelow<USUAL>;

/// [`SelfTuned`] with a share of its own: steps are whole while at most so many percent of the
/// examples that move it are mistakes.
///
/// Where the best of several wrong classes is the opponent, more of them are, also without noise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SelfTunedBelow<const PERCENT: u32> {
    /// How far the share of mistakes is above one half, from where it starts.
    excess: f32,
}

/// Percent.
const USUAL: u32 = 30;
const START: f32 = 0.5;
const RATE: f32 = 0.01;
const LEAST: f32 = 0.05;

impl<const PERCENT: u32> SelfTunedBelow<PERCENT> {
    const TRUSTED: f32 = PERCENT as f32 / 100.0;

    /// Nothing seen yet.
    pub const fn new() -> Self {
        Self::BLANK
    }

    /// Share of mistakes among the examples that moved the hypothesis, of late.
    pub fn mistakes(&self) -> f32 {
        START + self.excess
    }

    /// The size of a step.
    pub fn size(&self) -> f32 {
        let trust = Self::TRUSTED / (self.mistakes() + 0.001);
        let square = trust * trust;
        (square * square).clamp(LEAST, 1.0)
    }
}

impl<const PERCENT: u32> Blank for SelfTunedBelow<PERCENT> {
    const BLANK: Self = SelfTunedBelow { excess: 0.0 };
}

impl<const PERCENT: u32> Ready for SelfTunedBelow<PERCENT> {}

impl<const PERCENT: u32> Memoryless for SelfTunedBelow<PERCENT> {}

impl<const PERCENT: u32> Rule for SelfTunedBelow<PERCENT> {
    fn step(&mut self, trial: &Trial) -> Step {
        let margin = trial.margin();
        let moves = margin <= 1.0;
        if moves {
            let mistake = if margin <= 0.0 { 1.0 } else { 0.0 };
            self.excess += RATE * (mistake - self.mistakes());
        }
        Step::towards(trial.label, self.size(), moves)
    }

    fn restart(&mut self) {
        *self = Self::BLANK;
    }
}

/// The share is a matter of the type, hence of its shape; the usual one goes without saying.
impl<const PERCENT: u32> Persist for SelfTunedBelow<PERCENT> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("self-tuned", |inside| {
            if PERCENT != USUAL {
                inside.number(PERCENT as usize);
            }
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.excess.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.excess.load(reader)
    }
}
