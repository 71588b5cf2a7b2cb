//! Which classes an example moves, and how far.

use crate::{
    label::{Class, ClassLabel, Sign},
    num::math::{Math, Precise},
    persist::{ImageError, Persist, Reader, Ready, Shape, Writer},
    rule::ClassFactors,
};

/// What a learner knows about itself when an example comes.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// The budget.
    pub slots: usize,
    /// How much a step of one adds to the margin of the example.
    pub gain: f32,
    /// Whether all slots are occupied.
    pub full: bool,
    /// Whether vectors have been merged.
    pub merged: bool,
    /// Whether most vectors belong to classes that are absent.
    pub mostly_absent: bool,
    /// Whether an old learner knows only few examples of the class.
    pub new_class: bool,
    /// Recent share of wrong answers near the example.
    pub doubt: f32,
    /// From 1 for a new learner down to 0 for one that has seen much.
    pub youth: f32,
    /// Whether steps become smaller with time.
    pub annealing: bool,
    /// Whether mistakes that only a wrong label explains are distrusted.
    pub distrust: bool,
}

/// The steps of an example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps<const N: usize> {
    /// What the example is to be added with; zero for a class that does not move.
    pub of: [f32; N],
    /// How far vectors may move, from 0 to 1.
    pub mobility: f32,
    /// Whether the answer was wrong, not only too close.
    pub mistake: bool,
}

impl<const N: usize> Steps<N> {
    const NONE: Self = Steps {
        of: [0.0; N],
        mobility: 0.0,
        mistake: false,
    };

    /// The size of the largest step.
    pub fn largest(&self) -> f32 {
        self.of.iter().map(|step| step.abs()).fold(0.0, f32::max)
    }
}

/// A step by a [`StepRule`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSize {
    /// The step.
    pub size: f32,
    /// How far vectors may move, from 0 to 1.
    pub mobility: f32,
}

/// Decides how far an example with this margin moves the model.
pub trait StepRule: Ready + Persist + crate::sealed::Sealed {
    /// The step for an example on that side with this margin, or `None` for one that is large enough.
    fn step(&mut self, side: Sign, margin: f32, situation: &Situation) -> Option<StepSize>;

    /// The size of a step for a stored vector that is rehearsed.
    fn rehearsal(&self, slots: usize) -> f32;

    /// How far the labels are trusted, from 0 to 1.
    fn trust(&self) -> f32;

    /// How much an example on that side counts beside one on the side that counts most.
    fn weight(&self, _: Sign) -> f32 {
        1.0
    }

    /// Forgets what it knows about examples on that side.
    fn forget(&mut self, _: Sign) {}
}

/// Steps as large as the labels can be trusted, which settle in the long run: 8 bytes.
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
/// A full model takes two kinds of mistakes apart. Where the nearest vector has been wrong more often than right, the
/// world has changed: the step is whole again, and `u` falls. Elsewhere a mistake with `m < -1` is most likely a wrong
/// label, and its step is multiplied by `eta0` once more. A young learner may not know the place yet: its factor is
/// `eta0 + (1 - eta0) youth^4`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settling<const PERCENT: u32, const POWER: u32> {
    /// How far the share of mistakes is above one half, from where it starts.
    excess: f32,
    updates: f32,
}

const START: f32 = 0.5;
const RATE: f32 = 0.01;
const LEAST: f32 = 0.05;
/// Steps for each slot after which they are smaller by a root of two.
const PATIENCE: f32 = 64.0;
const MOST_UPDATES: f32 = 16_777_216.0;
/// The largest step for an example of a new class.
const LARGEST_NEW: f32 = 8.0;

impl<const PERCENT: u32, const POWER: u32> Settling<PERCENT, POWER> {
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
        let rounds = self.updates / (PATIENCE * slots.max(1) as f32);
        (1.0 / Precise::sqrt(1.0 + rounds)).max(LEAST)
    }
}

crate::persist::blank!([; const PERCENT: u32, const POWER: u32] Settling<PERCENT, POWER> { excess, updates });

impl<const PERCENT: u32, const POWER: u32> Ready for Settling<PERCENT, POWER> {}

impl<const PERCENT: u32, const POWER: u32> StepRule for Settling<PERCENT, POWER> {
    fn step(&mut self, _: Sign, margin: f32, situation: &Situation) -> Option<StepSize> {
        if margin > 1.0 {
            return None;
        }
        if !situation.mostly_absent {
            let mistake = if margin <= 0.0 { 1.0 } else { 0.0 };
            self.excess += RATE * (mistake - self.mistakes());
        }
        let trusted = self.size();
        let annealing = self.annealing(situation.slots);
        let mut step = StepSize {
            size: trusted * annealing,
            mobility: annealing,
        };
        if situation.new_class {
            // What is taught by hand counts at once, however large the coefficients of the other classes are.
            step.size = step
                .size
                .max(((1.0 - margin) / situation.gain).min(LARGEST_NEW));
            step.mobility = 1.0;
        } else if situation.full && margin < 0.0 && situation.doubt > 0.5 {
            self.updates *= 63.0 / 64.0;
            step.size = trusted.max(2.0 * situation.doubt - 1.0);
        } else if situation.distrust && situation.full && margin < -1.0 {
            let youth = situation.youth * situation.youth;
            let factor = trusted + (1.0 - trusted) * (youth * youth);
            step.size *= factor;
            step.mobility *= factor;
        }
        if situation.annealing && situation.merged && !situation.mostly_absent {
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
impl<const PERCENT: u32, const POWER: u32> Persist for Settling<PERCENT, POWER> {
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

/// A rule that asks more of one of two classes, and takes larger steps for it: for a rare class, see
/// [`PerClass`](crate::rule::PerClass).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Uneven<R, W> {
    inner: R,
    factors: W,
}

impl<R: Ready, W: Ready> Ready for Uneven<R, W> {}

impl<R: StepRule, W: ClassFactors + Ready + Persist> StepRule for Uneven<R, W> {
    fn step(&mut self, side: Sign, margin: f32, situation: &Situation) -> Option<StepSize> {
        let factor = self.factors.observe(side);
        // Dividing the score by a factor equals multiplying the margin by it.
        let step = self.inner.step(side, margin / factor.margin, situation)?;
        // The step for a new class reaches the margin as it is.
        let weight = if situation.new_class {
            1.0
        } else {
            factor.step
        };
        Some(StepSize {
            size: step.size * weight,
            ..step
        })
    }

    fn rehearsal(&self, slots: usize) -> f32 {
        self.inner.rehearsal(slots)
    }

    fn trust(&self) -> f32 {
        self.inner.trust()
    }

    fn weight(&self, side: Sign) -> f32 {
        self.factors.weight(side)
    }

    fn forget(&mut self, side: Sign) {
        self.factors.forget(side);
    }
}

crate::persist::persist!([R, W] Uneven<R, W> as "uneven" { inner, factors });

/// How scores of `N` columns stand for `C` classes, and which of them an example moves.
///
/// Classes are numbered from zero; `present` says which of them have an example.
pub trait Update<const C: usize, const N: usize>: Ready + Persist + crate::sealed::Sealed {
    /// What the caller calls a class.
    type Label: ClassLabel;

    /// How much a step of one adds to the margin of an example.
    const GAIN: f32 = 1.0;

    /// Whose vector it is that has these coefficients.
    fn owner(values: &[i8; N]) -> usize;

    /// The column that is empty once a class is forgotten.
    fn column(class: usize) -> Option<usize>;

    /// The class with the highest score among those present, and the score behind that.
    fn winner(scores: &[f32; N], present: &[bool; C]) -> (usize, f32);

    /// How far a class is ahead of the best other one.
    fn margin(scores: &[f32; N], present: &[bool; C], class: usize) -> f32;

    /// The steps for an example of a class.
    fn steps(
        &mut self,
        scores: &[f32; N],
        present: &[bool; C],
        class: usize,
        situation: &Situation,
    ) -> Steps<N>;

    /// The steps for a stored vector of a class whose margin is to be more than `wanted`.
    fn rehearse(
        &self,
        scores: &[f32; N],
        present: &[bool; C],
        class: usize,
        wanted: f32,
        slots: usize,
    ) -> Option<[f32; N]>;

    /// How far the labels are trusted, from 0 to 1.
    fn trust(&self, present: &[bool; C]) -> f32;

    /// Forgets what it knows about a class.
    fn forget(&mut self, _: usize) {}

    /// How much an example of a class counts beside one of the class that counts most.
    fn weight(&self, _: usize) -> f32 {
        1.0
    }
}

/// Two classes, which have one score between them: positive for [`Sign::Pos`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Binary<R> {
    rule: R,
}

impl<R: Ready> Ready for Binary<R> {}

fn side(class: usize) -> Sign {
    if class == 1 { Sign::Pos } else { Sign::Neg }
}

impl<R: StepRule> Update<2, 1> for Binary<R> {
    type Label = Sign;

    #[inline]
    fn owner([value]: &[i8; 1]) -> usize {
        usize::from(*value > 0)
    }

    fn column(_: usize) -> Option<usize> {
        None
    }

    #[inline]
    fn winner([score]: &[f32; 1], present: &[bool; 2]) -> (usize, f32) {
        let class = match present {
            [false, true] => 1,
            [true, false] => 0,
            _ => usize::from(*score > 0.0),
        };
        (class, *score)
    }

    #[inline]
    fn margin([score]: &[f32; 1], _: &[bool; 2], class: usize) -> f32 {
        side(class).value() * score
    }

    fn steps(
        &mut self,
        scores: &[f32; 1],
        present: &[bool; 2],
        class: usize,
        situation: &Situation,
    ) -> Steps<1> {
        let margin = Self::margin(scores, present, class);
        let step = self.rule.step(side(class), margin, situation);
        step.map_or(Steps::NONE, |step| Steps {
            of: [step.size * side(class).value()],
            mobility: step.mobility,
            mistake: margin <= 0.0,
        })
    }

    fn rehearse(
        &self,
        scores: &[f32; 1],
        present: &[bool; 2],
        class: usize,
        wanted: f32,
        slots: usize,
    ) -> Option<[f32; 1]> {
        let step = self.rule.rehearsal(slots) * side(class).value();
        (Self::margin(scores, present, class) <= wanted).then_some([step])
    }

    fn trust(&self, _: &[bool; 2]) -> f32 {
        self.rule.trust()
    }

    fn forget(&mut self, class: usize) {
        self.rule.forget(side(class));
    }

    fn weight(&self, class: usize) -> f32 {
        self.rule.weight(side(class))
    }
}

crate::persist::persist!([R] Binary<R> as "binary" { rule });

/// Several classes: the true one against the best wrong one. Both take the rule's step, up and down.
///
/// Few coefficients change, so vectors are shared well.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Top<R> {
    rule: R,
}

impl<R: Ready> Ready for Top<R> {}

/// The class with the most, the lowest of equals.
fn most<T: PartialOrd + Copy>(values: impl Iterator<Item = (usize, T)>) -> Option<(usize, T)> {
    let mut best: Option<(usize, T)> = None;
    for (class, value) in values {
        if best.is_none_or(|(_, highest)| value > highest) {
            best = Some((class, value));
        }
    }
    best
}

/// The best class present other than this one, and its score.
fn rival<const C: usize>(
    scores: &[f32; C],
    present: &[bool; C],
    class: usize,
) -> Option<(usize, f32)> {
    let scores = scores.iter().copied().zip(present).enumerate();
    let others = scores.filter(|(index, (_, present))| **present && *index != class);
    most(others.map(|(index, (score, _))| (index, score)))
}

fn winner<const C: usize>(scores: &[f32; C], present: &[bool; C]) -> (usize, f32) {
    rival(scores, present, usize::MAX).unwrap_or((0, 0.0))
}

fn margin<const C: usize>(scores: &[f32; C], present: &[bool; C], class: usize) -> f32 {
    let own = scores.get(class).copied().unwrap_or(0.0);
    own - rival(scores, present, class).map_or(0.0, |(_, score)| score)
}

fn owner<const C: usize>(values: &[i8; C]) -> usize {
    most(values.iter().copied().enumerate()).map_or(0, |(class, _)| class)
}

/// Up for the class and down for its rival.
fn up_and_down<const C: usize>(
    scores: &[f32; C],
    present: &[bool; C],
    class: usize,
    size: f32,
) -> [f32; C] {
    let mut steps = [0.0; C];
    if let Some(step) = steps.get_mut(class) {
        *step = size;
    }
    if let Some((rival, _)) = rival(scores, present, class)
        && let Some(step) = steps.get_mut(rival)
    {
        *step = -size;
    }
    steps
}

impl<R: StepRule, const C: usize> Update<C, C> for Top<R> {
    type Label = Class;
    const GAIN: f32 = 2.0;

    #[inline]
    fn owner(values: &[i8; C]) -> usize {
        owner(values)
    }

    fn column(class: usize) -> Option<usize> {
        Some(class)
    }

    #[inline]
    fn winner(scores: &[f32; C], present: &[bool; C]) -> (usize, f32) {
        winner(scores, present)
    }

    fn margin(scores: &[f32; C], present: &[bool; C], class: usize) -> f32 {
        margin(scores, present, class)
    }

    fn steps(
        &mut self,
        scores: &[f32; C],
        present: &[bool; C],
        class: usize,
        situation: &Situation,
    ) -> Steps<C> {
        let margin = margin(scores, present, class);
        let step = self.rule.step(Sign::Pos, margin, situation);
        step.map_or(Steps::NONE, |step| Steps {
            of: up_and_down(scores, present, class, step.size),
            mobility: step.mobility,
            mistake: margin <= 0.0,
        })
    }

    fn rehearse(
        &self,
        scores: &[f32; C],
        present: &[bool; C],
        class: usize,
        wanted: f32,
        slots: usize,
    ) -> Option<[f32; C]> {
        let size = self.rule.rehearsal(slots);
        (margin(scores, present, class) <= wanted)
            .then(|| up_and_down(scores, present, class, size))
    }

    fn trust(&self, _: &[bool; C]) -> f32 {
        self.rule.trust()
    }
}

crate::persist::persist!([R] Top<R> as "top" { rule });

/// Several classes: each against the rest, with a rule of its own. All that violate their margin take a step.
///
/// Scores of single classes mean something, and noise in one class does not slow down the others: the choice for few
/// classes that overlap. It costs a rule for every class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Each<R, const C: usize> {
    rules: [R; C],
}

/// Least share of the largest step that the true class takes.
const OWNED: f32 = 1.0 / 32.0;

crate::persist::blank!([R; const C: usize] Each<R, C> { rules });

impl<R: Ready, const C: usize> Ready for Each<R, C> {}

impl<R: StepRule, const C: usize> Update<C, C> for Each<R, C> {
    type Label = Class;

    #[inline]
    fn owner(values: &[i8; C]) -> usize {
        owner(values)
    }

    fn column(class: usize) -> Option<usize> {
        Some(class)
    }

    #[inline]
    fn winner(scores: &[f32; C], present: &[bool; C]) -> (usize, f32) {
        winner(scores, present)
    }

    fn margin(scores: &[f32; C], present: &[bool; C], class: usize) -> f32 {
        margin(scores, present, class)
    }

    fn steps(
        &mut self,
        scores: &[f32; C],
        present: &[bool; C],
        class: usize,
        situation: &Situation,
    ) -> Steps<C> {
        let mut steps = Steps::NONE;
        let rules = self.rules.iter_mut().zip(present).enumerate();
        for ((index, (rule, present)), (score, step)) in rules.zip(scores.iter().zip(&mut steps.of))
        {
            let side = if index == class { Sign::Pos } else { Sign::Neg };
            let margin = side.value() * score;
            if *present && let Some(own) = rule.step(side, margin, situation) {
                *step = side.value() * own.size;
                steps.mobility = steps.mobility.max(own.mobility);
                steps.mistake |= margin <= 0.0;
            }
        }
        // The vector belongs to its class even if only the others take a step.
        let least = OWNED * steps.largest();
        if let Some(step) = steps.of.get_mut(class) {
            *step = step.max(least);
        }
        steps
    }

    fn rehearse(
        &self,
        scores: &[f32; C],
        present: &[bool; C],
        class: usize,
        wanted: f32,
        slots: usize,
    ) -> Option<[f32; C]> {
        let mut steps = [0.0; C];
        let mut any = false;
        let rules = self.rules.iter().zip(present).enumerate();
        for ((index, (rule, present)), (score, step)) in rules.zip(scores.iter().zip(&mut steps)) {
            let side = if index == class { 1.0 } else { -1.0 };
            if *present && side * score <= wanted {
                *step = side * rule.rehearsal(slots);
                any = true;
            }
        }
        any.then_some(steps)
    }

    fn trust(&self, present: &[bool; C]) -> f32 {
        let taught = self
            .rules
            .iter()
            .zip(present)
            .filter(|(_, present)| **present);
        taught.map(|(rule, _)| rule.trust()).fold(1.0, f32::min)
    }

    fn forget(&mut self, class: usize) {
        if let Some(rule) = self.rules.get_mut(class) {
            *rule = R::BLANK;
        }
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
