//! Steps as large as the labels can be trusted.

use super::{Evaluated, Memoryless, Rule, Step};
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
pub type SelfTuned = SelfTunedBelow<30, 4>;

/// [`SelfTuned`] with a share and a power of its own: steps are whole while at most so many percent of the
/// examples that move it are mistakes, and beyond that `(PERCENT / 100 / rho)^POWER`.
///
/// Where the best of several wrong classes is the opponent, more of them are, also without noise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SelfTunedBelow<const PERCENT: u32, const POWER: u32> {
    /// How far the share of mistakes is above one half, from where it starts.
    excess: f32,
}

const START: f32 = 0.5;
const RATE: f32 = 0.01;
const LEAST: f32 = 0.05;

impl<const PERCENT: u32, const POWER: u32> SelfTunedBelow<PERCENT, POWER> {
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
        let odd = if POWER.is_multiple_of(2) { 1.0 } else { trust };
        let size = (0..POWER / 2).fold(odd, |power, _| power * (trust * trust));
        size.clamp(LEAST, 1.0)
    }
}

impl<const PERCENT: u32, const POWER: u32> Blank for SelfTunedBelow<PERCENT, POWER> {
    const BLANK: Self = SelfTunedBelow { excess: 0.0 };
}

impl<const PERCENT: u32, const POWER: u32> Ready for SelfTunedBelow<PERCENT, POWER> {}

impl<const PERCENT: u32, const POWER: u32> Memoryless for SelfTunedBelow<PERCENT, POWER> {}

impl<const PERCENT: u32, const POWER: u32> Rule for SelfTunedBelow<PERCENT, POWER> {
    fn step(&mut self, example: &Evaluated) -> Step {
        let margin = example.margin();
        let moves = margin <= 1.0;
        if moves {
            let mistake = if margin <= 0.0 { 1.0 } else { 0.0 };
            self.excess += RATE * (mistake - self.mistakes());
        }
        Step::towards(example.label, self.size(), moves)
    }

    fn restart(&mut self) {
        *self = Self::BLANK;
    }
}

/// Share and power are a matter of the type, hence of its shape; the usual ones go without saying.
impl<const PERCENT: u32, const POWER: u32> Persist for SelfTunedBelow<PERCENT, POWER> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("self-tuned", |inside| {
            if (PERCENT, POWER) != (30, 4) {
                inside.number(PERCENT as usize);
                inside.number(POWER as usize);
            }
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.excess.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        // A share lies between zero and one.
        reader.number(&mut self.excess, -START..=1.0 - START)
    }
}
