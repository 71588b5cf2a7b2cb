//! Bounds on repeated mistakes on the same example.

use super::{Evaluated, Rule, Step};
use crate::{
    error::{ConfigError, is_non_negative},
    persist::{Blank, ImageError, Persist, Reader, Shape, Writer},
};

/// A rule that limits what one noisy example can do, for data that comes back
/// epoch after epoch.
///
/// The *lambda trick* gives an example a credit on its margin for steps already
/// taken on it (2-norm soft margin); the *alpha bound* allows it this many steps
/// and no more (1-norm soft margin). Both need to know an example when it comes
/// back: learn with [`learn_with_id`](crate::classifier::OnlineClassifier::learn_with_id)
/// and keep count with [`UpdateCounts`](crate::hypothesis::UpdateCounts) or
/// [`WithIdentities`](crate::budget::WithIdentities).
///
/// ```
/// use pocketron::rule::{Credit, MarginRule, Rule, Soft};
/// let rule = Soft::new(MarginRule::new(0.1)).with_credit(Credit::Once(0.5)).with_bound(10);
/// assert!(rule.check().is_ok());
/// assert!(rule.with_bound(0).check().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Soft<R> {
    inner: R,
    credit: Credit,
    bound: u32,
}

/// Effect of steps already taken on an example on its margin.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Credit {
    /// Not at all.
    None,
    /// By so much for every step. `lambda` times the step size adds `lambda` to
    /// `k(x, x)` for the example itself, as the paper on uneven margins has it.
    PerStep(f32),
    /// By `lambda k(x, x)` once there was any step, as Khardon and Wachman have it.
    Once(f32),
}

impl Credit {
    fn of<X: ?Sized, N>(self, example: &Evaluated<'_, X, N>) -> f32 {
        match self {
            Credit::PerStep(lambda) => lambda * example.own_steps as f32,
            Credit::Once(lambda) if example.own_steps > 0 => lambda * example.self_similarity,
            Credit::Once(_) | Credit::None => 0.0,
        }
    }

    fn lambda(self) -> f32 {
        match self {
            Credit::None => 0.0,
            Credit::PerStep(lambda) | Credit::Once(lambda) => lambda,
        }
    }
}

impl<R> Soft<R> {
    /// The inner rule as it is.
    pub const fn new(inner: R) -> Self {
        Soft {
            inner,
            credit: Credit::None,
            bound: u32::MAX,
        }
    }
}

const fn is_bound(bound: u32) -> bool {
    bound > 0
}

impl<R: Copy> Soft<R> {
    /// With a credit for steps already taken (lambda trick).
    pub const fn with_credit(self, credit: Credit) -> Self {
        Soft { credit, ..self }
    }

    /// With at most `bound` steps on one example (alpha bound).
    pub const fn with_bound(self, bound: u32) -> Self {
        Soft { bound, ..self }
    }
}

impl<R: Rule + Clone> Rule for Soft<R> {
    const USES_OWN_STEPS: bool = true;

    #[inline]
    fn step<X: ?Sized, N>(&mut self, example: &Evaluated<'_, X, N>) -> Step {
        let credit = example.label.value() * self.credit.of(example);
        let credited = example.with_score(example.score + credit);
        if example.own_steps < self.bound {
            return self.inner.step(&credited);
        }
        // A copy judges: a rule that counts its steps must not count one that is held back.
        let judgement = self.inner.clone().step(&credited);
        Step {
            survived: judgement.survived,
            ..Step::towards(example.label, 0.0, false)
        }
    }

    fn restart(&mut self) {
        self.inner.restart();
    }

    fn check(&self) -> Result<(), ConfigError> {
        if !is_non_negative(self.credit.lambda()) {
            Err(ConfigError::Credit)
        } else if !is_bound(self.bound) {
            Err(ConfigError::Bound)
        } else {
            self.inner.check()
        }
    }
}

crate::persist::persist!([R] Soft<R> as "soft" { inner, credit, bound if is_bound });

impl Blank for Credit {
    const BLANK: Self = Credit::None;
}

/// Its kind as a word, then `lambda`.
impl Persist for Credit {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, writer: &mut Writer<'_>) {
        let kind = match self {
            Credit::None => 0,
            Credit::PerStep(_) => 1,
            Credit::Once(_) => 2,
        };
        writer.word(kind);
        self.lambda().save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let kind = reader.word()?;
        let lambda = reader.finite()?;
        let found = match kind {
            0 if lambda.to_bits() == 0 => Credit::None,
            1 if is_non_negative(lambda) => Credit::PerStep(lambda),
            2 if is_non_negative(lambda) => Credit::Once(lambda),
            _ => return Err(ImageError::Malformed),
        };
        reader.put(self, found);
        Ok(())
    }
}
