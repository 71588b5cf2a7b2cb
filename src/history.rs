//! Past hypotheses that take part in a prediction.
//!
//! | history | predicts with | keeps, primal / dual, in bytes |
//! |---|---|---|
//! | [`Last`] | the current hypothesis | 0 |
//! | [`LongestSurvivor`] | the one that survived most examples in a row | `4 D + 12` / 16 |
//! | [`Voted`] | the majority, each with its survivals as votes | `V (4 D + 4) + 8` / `4 B + 4` |
//! | [`Averaged`] | the sum, each weighted by its survivals | `4 D + 8` / `4 B + 4` |
//! | [`RandomHypothesis`] | one drawn with its survivals as chances | `4 D + 20` / 24 |
//!
//! [`UnitNorm`] adds 4 bytes.
//!
//! Learning always continues from the current hypothesis; a history only records.
//! Those that keep earlier hypotheses (longest survivor, voted, random) need one that
//! can be restored: linear, or append-only
//! ([`NoBudget`](crate::budget::NoBudget), [`Stop`](crate::budget::Stop)).
//! Averaging works with every budget policy.
//!
//! ```
//! use pocketron::{budget::Stop, history::{Prefixes, Voted}, prelude::*, storage::Inline};
//!
//! type Memory = Inline<2, 20>;
//! type Model = KernelPerceptron<Gaussian, Stop, Memory, UnitSteps, Voted<Prefixes<Memory>>>;
//! let mut model = Model::BLANK;
//! model.configure(Gaussian::new(0.5)?, UnitSteps)?;
//! model.learn(&[1.0, 0.0], Sign::Pos)?;
//! assert_eq!(model.predict(&[0.9, 0.1])?, Sign::Pos);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Scores of different hypotheses are comparable when they are divided by the
//! norms: [`UnitNorm`] in place of [`Raw`].

mod averaged;
mod last;
mod longest_survivor;
mod random_hypothesis;
mod score_scale;
mod voted;

pub use averaged::Averaged;
pub use last::Last;
pub use longest_survivor::LongestSurvivor;
pub use random_hypothesis::RandomHypothesis;
pub use score_scale::{Raw, ScoreScale, UnitNorm};
pub use voted::{Prefixes, VoteStore, Voted, Voters, vote};

use crate::{
    budget::Admission,
    hypothesis::Hypothesis,
    persist::{Blank, ImageError, Persist, Reader, Shape, Writer},
    storage::Evaluated,
};

/// Stores what a prediction needs of past hypotheses.
pub trait History<H: Hypothesis> {
    /// The hypothesis stood the test of an example.
    fn survived(&mut self) {}

    /// The hypothesis failed and is about to change, unless memory refuses. Told
    /// before any shrinking.
    fn retiring(&mut self, _hypothesis: &H) {}

    /// The rule multiplied the hypothesis by `factor`; a hypothesis that only
    /// shrinks counts as the same.
    fn shrunk(&mut self, _factor: f32) {}

    /// The hypothesis has changed: the example was added with `coefficient`.
    fn moved(
        &mut self,
        _hypothesis: &H,
        _example: &Evaluated<'_, H::Input, H::Number>,
        _coefficient: f32,
        _admission: Admission,
    ) {
    }

    /// The score to predict with.
    fn score(&self, hypothesis: &H, x: &H::Input) -> f32;
}

/// Two histories watch together; the first one predicts.
impl<H: Hypothesis, A: History<H>, B: History<H>> History<H> for (A, B) {
    fn survived(&mut self) {
        self.0.survived();
        self.1.survived();
    }

    fn shrunk(&mut self, factor: f32) {
        self.0.shrunk(factor);
        self.1.shrunk(factor);
    }

    fn retiring(&mut self, hypothesis: &H) {
        self.0.retiring(hypothesis);
        self.1.retiring(hypothesis);
    }

    fn moved(
        &mut self,
        hypothesis: &H,
        example: &Evaluated<'_, H::Input, H::Number>,
        coefficient: f32,
        admission: Admission,
    ) {
        self.0.moved(hypothesis, example, coefficient, admission);
        self.1.moved(hypothesis, example, coefficient, admission);
    }

    fn score(&self, hypothesis: &H, x: &H::Input) -> f32 {
        self.0.score(hypothesis, x)
    }
}

/// Examples that the current hypothesis has survived; a new one starts with
/// `OPENING`: one in Freund and Schapire's text, zero in Khardon and Wachman's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run<const OPENING: u32>(u32);

impl<const OPENING: u32> Run<OPENING> {
    fn survive(&mut self) {
        self.0 = self.0.saturating_add(1);
    }

    /// The hypothesis failed; should it stay all the same, it counts from zero.
    fn end(&mut self) {
        self.0 = 0;
    }

    /// A new hypothesis begins.
    fn begin(&mut self) {
        self.0 = OPENING;
    }

    fn weight(self) -> f32 {
        self.0 as f32
    }
}

// Before the first example there is the zero function, which has survived nothing.
crate::persist::blank!([; const OPENING: u32] Run<OPENING> { 0 });

/// `OPENING` is part of the shape, because it changes the counts.
impl<const OPENING: u32> Persist for Run<OPENING> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.number(OPENING as usize);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.0.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.0.load(reader)
    }
}

crate::persist::restart_blank! {
    [S: Blank] Last<S>;
    [S: Blank, N: Blank, const OPENING: u32] Averaged<S, N, OPENING>;
    [S] LongestSurvivor<S>;
    [B: Blank, const OPENING: u32] Voted<B, OPENING>;
    [S, N: Blank, const OPENING: u32] RandomHypothesis<S, N, OPENING>;
}

impl<S> crate::sealed::Sealed for Last<S> {}
impl<S, N, const OPENING: u32> crate::sealed::Sealed for Averaged<S, N, OPENING> {}
