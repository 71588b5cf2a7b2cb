//! The online learning step, written once for every variant.

use crate::{
    budget::{Admission, Policy},
    classifier::{OnlineClassifier, Outcome, RemoteModel, Warning},
    error::{ConfigError, InputError},
    history::{History, Last},
    hypothesis::{Expansion, Hypothesis, Linear},
    kernel::{Kernel, KernelIn},
    label::Sign,
    num::limited,
    persist::{Blank, ImageError, Persist, Reader, Ready, Restart, Shape, Writer},
    rule::{Rule, UnitSteps},
    storage::{Evaluated, Inline, Memory, point::Feature},
};

/// A hypothesis, the rule that moves it, and the history that predicts.
#[derive(Clone, Debug)]
pub struct Perceptron<H, R = UnitSteps, Y = Last> {
    hypothesis: H,
    rule: R,
    history: Y,
}

/// Perceptron in the primal, `D` features.
pub type LinearPerceptron<const D: usize, R = UnitSteps, Y = Last> =
    Perceptron<Linear<[f32; D]>, R, Y>;

/// Perceptron in the dual: kernel, budget policy, memory, rule, history.
pub type KernelPerceptron<K, P, M, R = UnitSteps, Y = Last> = Perceptron<Expansion<K, P, M>, R, Y>;

impl<H, R> Perceptron<H, R> {
    /// Assembles a learner that predicts with its last hypothesis.
    pub const fn from_parts(hypothesis: H, rule: R) -> Self {
        Self::with_history(hypothesis, rule, Last::BLANK)
    }
}

impl<H, R, Y> Perceptron<H, R, Y> {
    /// Assembles a learner; nothing is learned yet.
    pub const fn with_history(hypothesis: H, rule: R, history: Y) -> Self {
        Perceptron {
            hypothesis,
            rule,
            history,
        }
    }

    /// The current hypothesis.
    pub const fn hypothesis(&self) -> &H {
        &self.hypothesis
    }

    /// The rule.
    pub const fn rule(&self) -> &R {
        &self.rule
    }

    /// The history.
    pub const fn history(&self) -> &Y {
        &self.history
    }
}

impl<H: Blank, R: Blank, Y: Blank> Blank for Perceptron<H, R, Y> {
    const BLANK: Self = Self::with_history(H::BLANK, R::BLANK, Y::BLANK);
}

impl<H: Ready, R: Ready, Y: Ready> Ready for Perceptron<H, R, Y> {}

impl<K, P, const D: usize, const B: usize, F: Feature, R>
    KernelPerceptron<K, P, Inline<D, B, F>, R>
{
    /// Empty support set inside the model, with a policy that has parameters.
    ///
    /// Parameters are taken as they are, so that this works in a `const`;
    /// [`checked`](Perceptron::checked) looks at them.
    pub const fn with_policy(kernel: K, policy: P, rule: R) -> Self
    where
        K: KernelIn<F>,
        P: Policy<K, Inline<D, B, F>>,
    {
        Self::from_parts(Expansion::new(kernel, policy), rule)
    }
}

impl<K, P: Ready, const D: usize, const B: usize, F: Feature, R: Ready>
    KernelPerceptron<K, P, Inline<D, B, F>, R>
{
    /// Empty support set inside the model. Learners whose rule or policy needs a
    /// parameter have [`with_rule`](Self::with_rule) or
    /// [`with_policy`](Self::with_policy) instead.
    ///
    /// ```
    /// use pocketron::prelude::*;
    /// const KERNEL: Gaussian = Gaussian::constant(0.5);
    /// let mut model = Stoptron::<2, 16>::new(KERNEL);
    /// model.learn(&[1.0, 0.0], Sign::Pos)?;
    /// assert_eq!(model.predict(&[0.9, 0.1])?, Sign::Pos);
    /// # Ok::<(), pocketron::error::InputError>(())
    /// ```
    ///
    /// A budget of zero does not compile:
    ///
    /// ```compile_fail
    /// use pocketron::prelude::*;
    /// let model = Stoptron::<2, 0>::new(Gaussian::constant(0.5));
    /// ```
    ///
    /// Nor do points without features:
    ///
    /// ```compile_fail
    /// use pocketron::prelude::*;
    /// let model = Stoptron::<0, 2>::new(Gaussian::constant(0.5));
    /// ```
    pub const fn new(kernel: K) -> Self
    where
        K: KernelIn<F>,
        P: Policy<K, Inline<D, B, F>>,
    {
        Self::with_policy(kernel, P::BLANK, R::BLANK)
    }
}

impl<K, P: Ready, const D: usize, const B: usize, F: Feature, R>
    KernelPerceptron<K, P, Inline<D, B, F>, R>
{
    /// Empty support set inside the model, with a rule that has parameters.
    pub const fn with_rule(kernel: K, rule: R) -> Self
    where
        K: KernelIn<F>,
        P: Policy<K, Inline<D, B, F>>,
    {
        Self::with_policy(kernel, P::BLANK, rule)
    }
}

impl<const D: usize> LinearPerceptron<D> {
    /// Zero weights.
    pub const fn new() -> Self {
        Self::BLANK
    }
}

impl<const D: usize> Default for LinearPerceptron<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Kernel, P: Ready, M: Memory, R: Rule, Y> KernelPerceptron<K, P, M, R, Y> {
    /// Gives a blank model its kernel and rule. An error means that they are
    /// outside their domains, or that the model has learned already.
    pub fn configure(&mut self, kernel: K, rule: R) -> Result<(), ConfigError> {
        self.configure_policy(kernel, P::BLANK, rule)
    }
}

impl<K: Kernel, P, M: Memory, R: Rule, Y> KernelPerceptron<K, P, M, R, Y> {
    /// The same with a policy that has parameters.
    pub fn configure_policy(&mut self, kernel: K, policy: P, rule: R) -> Result<(), ConfigError> {
        kernel.check()?;
        rule.check()?;
        self.hypothesis.configure(kernel, policy)?;
        self.rule = rule;
        Ok(())
    }
}

impl<K, P, M, R, Y> KernelPerceptron<K, P, M, R, Y>
where
    K: Kernel,
    P: Policy<K, M>,
    M: Memory,
{
    /// The support vectors.
    pub fn support(&self) -> &crate::storage::SupportSet<M> {
        self.hypothesis.support()
    }
}

impl<H: Hypothesis, R: Rule, Y: History<H>> Perceptron<H, R, Y> {
    /// The learner itself when every parameter is in its domain.
    pub fn checked(self) -> Result<Self, ConfigError> {
        self.guard()?;
        Ok(self)
    }

    /// Refuses to work with parameters outside their domain, those of a blank model included.
    ///
    /// Checked for every sample: models in a `static` start blank, and `const` constructors do not check. A flag would cost
    /// memory in every model; the comparisons cost less than one feature of one vector.
    /// [`configure`](Perceptron::configure) and [`checked`](Self::checked) report wrong parameters at once.
    #[inline]
    fn guard(&self) -> Result<(), ConfigError> {
        self.hypothesis.check_parameters()?;
        self.rule.check()
    }

    /// All that is known before the rule decides, or why the example is refused.
    #[inline]
    fn examine<'a>(
        &self,
        x: &'a H::Input,
        label: Sign,
        id: Option<u32>,
        row: &'a mut H::Row,
    ) -> Result<Evaluated<'a, H::Input, H::Number>, InputError> {
        self.hypothesis.check(x)?;
        self.guard()?;
        let mut example = Evaluated::new(x, label, id);
        self.hypothesis.evaluate(&mut example, row);
        finite(example.score)?;
        example.self_similarity = finite(self.hypothesis.self_similarity(x))?;
        example.own_steps = self.hypothesis.own_steps(id)?;
        Ok(example)
    }

    /// Adds the example with `coefficient`, and tells the history if that changed the hypothesis.
    #[inline]
    fn add(&mut self, example: &Evaluated<'_, H::Input, H::Number>, coefficient: f32) -> Admission {
        let admission = self.hypothesis.apply(example, coefficient);
        if admission.changed() {
            let hypothesis = &self.hypothesis;
            self.history
                .moved(hypothesis, example, coefficient, admission);
        }
        admission
    }
}

impl<H: Hypothesis, R: Rule, Y: History<H>> OnlineClassifier for Perceptron<H, R, Y> {
    type Input = H::Input;
    type Label = Sign;

    #[inline]
    fn predict_scored(&self, x: &H::Input) -> Result<(Sign, f32), InputError> {
        self.hypothesis.check(x)?;
        self.hypothesis.check_parameters()?;
        let score = finite(self.history.score(&self.hypothesis, x))?;
        Ok((Sign::of(score), score))
    }

    fn has_class(&self, _: Sign) -> bool {
        true
    }

    fn validate(&self, x: &H::Input, label: Sign, id: Option<u32>) -> Result<(), InputError> {
        let mut row = H::Row::BLANK;
        self.examine(x, label, id, &mut row).map(|_| ())
    }

    /// The one learning step.
    #[inline]
    fn learn_with_id(
        &mut self,
        x: &H::Input,
        label: Sign,
        id: Option<u32>,
    ) -> Result<Outcome<Sign>, InputError> {
        let mut row = H::Row::BLANK;
        let mut example = self.examine(x, label, id, &mut row)?;
        let (score, mistake) = (example.score, example.margin() <= 0.0);
        let step = self.rule.step(&example);
        if step.coefficient.is_some() {
            self.history.retiring(&self.hypothesis);
        }
        if step.shrink != 1.0 {
            self.hypothesis.shrink(step.shrink);
            self.history.shrunk(step.shrink);
            example.shrink(step.shrink);
        }
        let coefficient = step.coefficient.map(limited);
        let admission = match coefficient {
            Some(coefficient) => {
                self.hypothesis.adapt_kernel(&example, coefficient);
                Some(self.add(&example, coefficient))
            }
            None => {
                self.hypothesis.pass(&example);
                None
            }
        };
        if step.survived {
            self.history.survived();
        }
        Ok(Outcome {
            predicted: Sign::of(score),
            score,
            mistake,
            admission,
            warning: if coefficient.map(f32::to_bits) != step.coefficient.map(f32::to_bits) {
                Some(Warning::Saturated)
            } else if admission.is_some_and(|admission| self.hypothesis.has_underflowed(admission))
            {
                Some(Warning::Underflow)
            } else {
                None
            },
        })
    }
}

/// Two classes: 0 is negative, 1 positive.
impl<H, R, Y> RemoteModel for Perceptron<H, R, Y>
where
    H: Hypothesis + Persist,
    R: Rule + Persist,
    Y: History<H> + Persist,
{
    const CLASSES: usize = 2;

    fn is_saturated(&self) -> bool {
        self.hypothesis.is_saturated()
    }
}

impl<H: Restart, R: Rule, Y: Restart> Restart for Perceptron<H, R, Y> {
    fn restart(&mut self) {
        self.hypothesis.restart();
        self.rule.restart();
        self.history.restart();
    }
}

#[inline]
pub(crate) fn finite(score: f32) -> Result<f32, InputError> {
    if score.is_finite() {
        Ok(score)
    } else {
        Err(InputError::Overflow)
    }
}

/// The history has as many slots in use as the hypothesis.
impl<H: Persist, R: Persist, Y: Persist> Persist for Perceptron<H, R, Y> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("perceptron", |inside| {
            self.hypothesis.shape(inside);
            self.rule.shape(inside);
            self.history.shape(inside);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        writer.with_slots(|writer| {
            self.hypothesis.save(writer);
            self.rule.save(writer);
            self.history.save(writer);
        });
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        reader.with_slots(|reader| {
            self.hypothesis.load(reader)?;
            self.rule.load(reader)?;
            self.history.load(reader)
        })
    }
}
