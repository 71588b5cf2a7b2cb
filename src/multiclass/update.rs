//! Which classes an example moves.

use super::side;
use crate::{
    error::ConfigError,
    image::{ImageError, Persist, Reader, Shape, Writer},
    label::{Class, Sign},
    memory::{Blank, Ready},
    rule::{Memoryless, Step, Trial},
};

/// The steps of an example, one for every class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps<const C: usize> {
    /// What the example is to be added with; zero for a class that does not move.
    pub of: [f32; C],
    /// Whether a class was on the wrong side, not only too close.
    pub mistake: bool,
}

impl<const C: usize> Steps<C> {
    const NONE: Self = Steps {
        of: [0.0; C],
        mistake: false,
    };

    /// The size of the largest step.
    pub fn largest(&self) -> f32 {
        let sizes = self.of.iter().map(|step| step.abs());
        sizes.fold(
            0.0,
            |largest, size| if size > largest { size } else { largest },
        )
    }
}

/// Decides from the scores of all classes which of them an example moves, and how far.
///
/// An update is made of a [rule](crate::rule), which decides for two sides.
pub trait Update<const C: usize> {
    /// The steps for an example of class `label`. A class without an example so far has no score.
    fn steps(&mut self, scores: &[Option<f32>; C], label: Class) -> Steps<C>;

    /// Fails for parameters outside their domain.
    fn check(&self) -> Result<(), ConfigError>;

    /// Forgets what the rules have learned on the way.
    fn restart(&mut self);
}

/// The true class against the best wrong one: `R` sees the margin `s_y - s_r`, and both take its
/// step, up and down.
///
/// Few coefficients change, so vectors are shared well: the choice for small budgets and many
/// classes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Top<R> {
    rule: R,
}

impl<R> Top<R> {
    /// With the rule's steps.
    pub const fn new(rule: R) -> Self {
        Top { rule }
    }

    /// The rule.
    pub const fn rule(&self) -> &R {
        &self.rule
    }
}

impl<R: Blank> Blank for Top<R> {
    const BLANK: Self = Top::new(R::BLANK);
}

impl<R: Ready> Ready for Top<R> {}

impl<R: Memoryless, const C: usize> Update<C> for Top<R> {
    fn steps(&mut self, scores: &[Option<f32>; C], label: Class) -> Steps<C> {
        let truth = usize::from(label.0);
        let mut best: Option<(usize, f32)> = None;
        for (class, score) in scores.iter().enumerate() {
            if let (true, Some(score)) = (class != truth, *score)
                && best.is_none_or(|(_, highest)| score > highest)
            {
                best = Some((class, score));
            }
        }
        let own = scores.get(truth).copied().flatten().unwrap_or(0.0);
        let margin = own - best.map_or(0.0, |(_, score)| score);
        let step = decide(&mut self.rule, Sign::Pos, margin);
        let mut steps = Steps::NONE;
        if let Some(size) = step.coefficient {
            steps.mistake = margin <= 0.0;
            put(&mut steps, truth, size);
            if let Some((class, _)) = best {
                put(&mut steps, class, -size);
            }
        }
        steps
    }

    fn check(&self) -> Result<(), ConfigError> {
        self.rule.check()
    }

    fn restart(&mut self) {
        self.rule.restart();
    }
}

crate::image::persist!([R: Persist] Top<R> as "top" { rule });

/// Every class against the rest: each has a rule of its own, which sees its score, and all that
/// violate their margin take a step.
///
/// Scores of single classes mean something, and noise in one class does not slow down the others:
/// the choice for few classes that overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Each<R, const C: usize> {
    rules: [R; C],
}

impl<R: Copy, const C: usize> Each<R, C> {
    /// The same rule for every class.
    pub const fn new(rule: R) -> Self {
        Each { rules: [rule; C] }
    }
}

impl<R, const C: usize> Each<R, C> {
    /// The rule of `class`.
    pub fn rule(&self, class: Class) -> Option<&R> {
        self.rules.get(usize::from(class.0))
    }
}

impl<R: Blank, const C: usize> Blank for Each<R, C> {
    const BLANK: Self = Each {
        rules: [const { R::BLANK }; C],
    };
}

impl<R: Ready, const C: usize> Ready for Each<R, C> {}

impl<R: Memoryless, const C: usize> Update<C> for Each<R, C> {
    fn steps(&mut self, scores: &[Option<f32>; C], label: Class) -> Steps<C> {
        let mut steps = Steps::NONE;
        let classes = (0..=u8::MAX).map(Class).zip(&mut self.rules);
        for ((class, rule), (score, step)) in classes.zip(scores.iter().zip(&mut steps.of)) {
            if let Some(score) = *score {
                let side = side(class, label);
                if let Some(coefficient) = decide(rule, side, score).coefficient {
                    *step = coefficient;
                    steps.mistake |= side.value() * score <= 0.0;
                }
            }
        }
        steps
    }

    fn check(&self) -> Result<(), ConfigError> {
        self.rules.iter().try_for_each(|rule| rule.check())
    }

    fn restart(&mut self) {
        self.rules.iter_mut().for_each(R::restart);
    }
}

/// Every rule has the same shape.
impl<R: Persist, const C: usize> Persist for Each<R, C> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("each", |inside| {
            if let Some(rule) = self.rules.first() {
                rule.shape(inside);
            }
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        for rule in &self.rules {
            rule.save(writer);
        }
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.rules.iter_mut().try_for_each(|rule| rule.load(reader))
    }
}

fn decide<R: Memoryless>(rule: &mut R, label: Sign, score: f32) -> Step {
    rule.step(&Trial {
        label,
        score,
        self_similarity: 1.0,
        own_steps: 0,
    })
}

fn put<const C: usize>(steps: &mut Steps<C>, class: usize, step: f32) {
    if let Some(place) = steps.of.get_mut(class) {
        *place = step;
    }
}
