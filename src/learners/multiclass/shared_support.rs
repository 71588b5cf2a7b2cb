//! One support set for all classes.

use super::{ClassStats, ClasswiseLearner, Participants, SeenClasses, side};
use crate::{
    budget::{Admission, Guarantee, IgnoresCoefficients, Policy},
    classifier::{OnlineClassifier, Outcome, RemoteModel},
    error::InputError,
    kernel::KernelIn,
    label::{Class, Sign},
    learners::perceptron::finite,
    num::{Number, limited, sum::zip_sum},
    persist::{Blank, ImageError, Persist, Reader, Restart, Shape, Writer},
    rule::Rule,
    storage::{
        Column, Evaluated, FeatureIn, Inline, Memory, NumberIn, Point, SupportSet,
        point::{Feature, Points},
        put,
    },
};

/// One-vs-rest over shared support vectors: every point is stored once with one
/// coefficient per class, the papers' "union of support vectors".
///
/// The similarities of an example are computed once. Then each class applies the
/// rule to its own score; if any of them moves, the example is stored with the
/// coefficients of those that do. A class that appears later starts with
/// coefficients of zero. The policy must not look at coefficients, nor the rule at
/// steps already taken: those of all classes on a vector are not told apart.
///
/// Costs `B (4 D + 4 C + 4)` bytes and a constant.
///
/// ```compile_fail
/// use pocketron::{budget::Oldest, learners::multiclass::SharedSupport, prelude::*, rule::Soft, storage::Inline};
/// let (kernel, rule) = (Gaussian::constant(1.0), Soft::new(UnitSteps)); // counts steps on an example
/// let mut model = SharedSupport::<_, _, Inline<2, 8>, 3, _>::new(kernel, Oldest::new(), rule);
/// model.learn(&[0.0, 0.0], Class(1)).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct SharedSupport<K, P, M: Memory, const C: usize, R> {
    kernel: K,
    policy: P,
    rules: [R; C],
    /// Its own coefficients are the sums of the absolute steps on each vector.
    set: SupportSet<M>,
    coefficients: [M::Column<f32>; C],
    class_stats: ClassStats<C>,
}

impl<K, P, const D: usize, const B: usize, const C: usize, R: Copy, F: Feature>
    SharedSupport<K, P, Inline<D, B, F>, C, R>
{
    /// Nothing learned yet.
    pub const fn new(kernel: K, policy: P, rule: R) -> Self {
        Self::with_points(kernel, policy, rule, F::Inline::BLANK)
    }
}

impl<K, P, M: Memory, const C: usize, R: Copy> SharedSupport<K, P, M, C, R> {
    /// Nothing learned yet, over a store of points.
    pub const fn with_points(kernel: K, policy: P, rule: R, points: M::Points) -> Self {
        SharedSupport {
            kernel,
            policy,
            rules: [rule; C],
            set: SupportSet::with_points(points),
            coefficients: [const { <M::Column<f32>>::BLANK }; C],
            class_stats: ClassStats::BLANK,
        }
    }
}

impl<K, P, M: Memory, const C: usize, R> SharedSupport<K, P, M, C, R> {
    /// The support vectors.
    pub fn support(&self) -> &SupportSet<M> {
        &self.set
    }

    /// The kernel.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    /// The budget policy and what it keeps.
    pub fn policy(&self) -> &P {
        &self.policy
    }

    /// The rule of `class`.
    pub fn rule(&self, class: Class) -> Option<&R> {
        self.rules.get(usize::from(class.0))
    }

    /// Coefficients of `class`, in slot order.
    pub fn coefficients(&self, class: Class) -> &[f32] {
        let column = self.coefficients.get(usize::from(class.0));
        let column = column.map_or(&[][..], |column| column.as_slice());
        column.get(..self.set.len()).unwrap_or(column)
    }

    /// Examples of `class` learned so far.
    pub fn seen(&self, class: Class) -> u32 {
        self.class_stats.seen(class)
    }
}

impl<K, P, M, const C: usize, R> SharedSupport<K, P, M, C, R>
where
    K: KernelIn<FeatureIn<M>>,
    M: Memory,
{
    /// The class that wins with these [`scores`](Self::scores), and its score.
    pub fn winner(&self, scores: &[f32; C]) -> (Class, f32) {
        self.class_stats.winner::<SeenClasses>(scores)
    }

    /// Score of every class; zero for those without an example so far.
    pub fn scores(&self, x: &Point<M>) -> Result<[f32; C], InputError> {
        self.scores_of::<SeenClasses>(x)
    }

    fn scores_of<A: Participants>(&self, x: &Point<M>) -> Result<[f32; C], InputError> {
        self.set.points().check(x)?;
        let mut row = <M::Column<NumberIn<M>>>::BLANK;
        self.evaluate::<A>(x, &mut row)
    }

    fn evaluate<A: Participants>(
        &self,
        x: &Point<M>,
        row: &mut M::Column<NumberIn<M>>,
    ) -> Result<[f32; C], InputError> {
        row.ensure(self.set.len());
        self.set.row(&self.kernel, x, row.as_mut_slice());
        let row = row.as_slice().get(..self.set.len()).unwrap_or_default();
        let mut scores = [0.0; C];
        let classes = (0..=u8::MAX).map(Class).zip(&self.coefficients);
        for (score, (class, column)) in scores.iter_mut().zip(classes) {
            if self.class_stats.takes_part::<A>(class) {
                *score = finite(zip_sum(column.as_slice(), row, |alpha, near| {
                    alpha * near.value()
                }))?;
            }
        }
        Ok(scores)
    }

    /// Adds the steps of all classes to the vector in `slot`.
    fn write(&mut self, slot: usize, steps: &[f32; C], fresh: bool) {
        for (column, step) in self.coefficients.iter_mut().zip(steps) {
            column.ensure(slot + 1);
            let column = column.as_mut_slice();
            let before = column.get(slot).copied().filter(|_| !fresh);
            put(column, slot, limited(before.unwrap_or(0.0) + step));
        }
    }
}

impl<K, P, M, const C: usize, R> OnlineClassifier for SharedSupport<K, P, M, C, R>
where
    K: KernelIn<FeatureIn<M>>,
    P: Policy<K, M> + Guarantee<IgnoresCoefficients>,
    M: Memory,
    R: Rule,
{
    type Input = Point<M>;
    type Label = Class;

    fn predict_scored(&self, x: &Point<M>) -> Result<(Class, f32), InputError> {
        Ok(self.winner(&self.scores(x)?))
    }

    fn has_class(&self, label: Class) -> bool {
        self.class_stats.check(label).is_ok()
    }

    fn validate(&self, x: &Point<M>, label: Class, _: Option<u32>) -> Result<(), InputError> {
        self.class_stats.check(label)?;
        self.set.points().check(x)?;
        // The one place that looks at parameters: constructors that work in a `const` take them as they are.
        self.kernel.check()?;
        self.policy.check()?;
        for rule in &self.rules {
            rule.check()?;
        }
        Ok(())
    }

    fn learn_with_id(
        &mut self,
        x: &Point<M>,
        label: Class,
        id: Option<u32>,
    ) -> Result<Outcome<Class>, InputError> {
        self.validate(x, label, id)?;
        self.learn_among::<SeenClasses>(x, label, id)
    }
}

impl<K, P, M: Memory, const C: usize, R> crate::sealed::Sealed for SharedSupport<K, P, M, C, R> {}

impl<K, P, M, const C: usize, R> ClasswiseLearner for SharedSupport<K, P, M, C, R>
where
    K: KernelIn<FeatureIn<M>>,
    P: Policy<K, M> + Guarantee<IgnoresCoefficients>,
    M: Memory,
    R: Rule,
{
    type Scores = [f32; C];

    const CLASSES: usize = C;

    fn scores_among<A: Participants>(&self, x: &Point<M>) -> Result<[f32; C], InputError> {
        self.scores_of::<A>(x)
    }

    fn winner_among<A: Participants>(&self, scores: &[f32; C]) -> (Class, f32) {
        self.class_stats.winner::<A>(scores)
    }

    fn learn_among<A: Participants>(
        &mut self,
        x: &Point<M>,
        label: Class,
        id: Option<u32>,
    ) -> Result<Outcome<Class>, InputError> {
        const {
            assert!(
                !R::USES_OWN_STEPS,
                "steps of different classes on one vector are not told apart"
            );
        }
        let mut row = <M::Column<NumberIn<M>>>::BLANK;
        let scores = self.evaluate::<A>(x, &mut row)?;
        let self_similarity = finite(self.set.own(&self.kernel, x))?;
        let known = self.class_stats.takes_part::<A>(label);
        let (predicted, score) = self.class_stats.winner::<A>(&scores);
        self.class_stats.count(label);

        let mut example = Evaluated {
            self_similarity,
            row: row.as_slice().get(..self.set.len()).unwrap_or_default(),
            ..Evaluated::new(x, Sign::Pos, id)
        };
        let mut steps = [0.0; C];
        let classes = (0..=u8::MAX).map(Class).zip(scores);
        let parts = self.rules.iter_mut().zip(&mut self.coefficients);
        for (((class, score), step), (rule, column)) in classes.zip(&mut steps).zip(parts) {
            if self.class_stats.takes_part::<A>(class) {
                example.label = side(class, label);
                example.set_score(score);
                let decision = rule.step(&example);
                if decision.shrink != 1.0 {
                    for coefficient in column.as_mut_slice() {
                        *coefficient *= decision.shrink;
                    }
                }
                *step = limited(decision.coefficient.unwrap_or(0.0));
            }
        }
        let total: f32 = steps.iter().map(|step| step.abs()).sum();
        let admission = (total > 0.0).then(|| {
            example.label = Sign::Pos;
            example.set_score(score);
            let set = &mut self.set;
            let admission = self.policy.admit(&self.kernel, set, &example, total);
            match admission {
                Admission::Inserted => self.write(self.set.len().saturating_sub(1), &steps, true),
                Admission::Replaced(slot) => self.write(slot, &steps, true),
                Admission::Joined(slot) => self.write(slot, &steps, false),
                _ => {}
            }
            admission
        });
        Ok(Outcome {
            predicted,
            score,
            mistake: !known || predicted != label,
            admission,
            warning: None,
        })
    }
}

impl<K, P, M, const C: usize, R> RemoteModel for SharedSupport<K, P, M, C, R>
where
    K: KernelIn<FeatureIn<M>> + Persist,
    P: Policy<K, M> + Guarantee<IgnoresCoefficients> + Persist,
    M: Memory,
    R: Rule + Persist,
{
    const CLASSES: usize = C;

    crate::classifier::forward_scores!();
}

impl<K, P: Restart, M: Memory, const C: usize, R: Rule> Restart for SharedSupport<K, P, M, C, R> {
    fn restart(&mut self) {
        self.set.clear();
        self.policy.restart();
        self.rules.iter_mut().for_each(R::restart);
        for column in &mut self.coefficients {
            column.as_mut_slice().fill(0.0);
        }
        self.class_stats = ClassStats::BLANK;
    }
}

/// The census, the set, the coefficients of each class, then the rest.
impl<K, P, M, const C: usize, R> Persist for SharedSupport<K, P, M, C, R>
where
    K: Persist,
    P: Persist,
    M: Memory,
    R: Persist,
{
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("shared-support", |inside| {
            self.class_stats.shape(inside);
            self.set.shape(inside);
            self.kernel.shape(inside);
            self.policy.shape(inside);
            if let Some(rule) = self.rules.first() {
                rule.shape(inside);
            }
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.class_stats.save(writer);
        writer.with_slots(|writer| {
            self.set.save(writer);
            for column in &self.coefficients {
                column.save(writer);
            }
            self.kernel.save(writer);
            self.policy.save(writer);
            for rule in &self.rules {
                rule.save(writer);
            }
        });
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.class_stats.load(reader)?;
        reader.with_slots(|reader| {
            self.set.load(reader)?;
            for column in &mut self.coefficients {
                column.load(reader)?;
            }
            self.kernel.load(reader)?;
            self.policy.load(reader)?;
            self.rules.iter_mut().try_for_each(|rule| rule.load(reader))
        })
    }
}
