//! One support set for all classes.

use super::{ClassStats, side};
use crate::{
    budget::{Admission, Indifferent, Policy},
    classifier::{OnlineClassifier, Outcome, RemoteModel, ScoredClassifier},
    error::InputError,
    kernel::KernelIn,
    label::{Class, Sign},
    learners::perceptron::finite,
    num::{Number, sum::zip_sum},
    persist::{Blank, ImageError, Persist, Reader, Restart, Shape, Writer},
    rule::{Evaluated, Memoryless, Rule},
    storage::{
        Candidate, Column, FeatureIn, Inline, Memory, NumberIn, Point, SupportSet,
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
        self.class_stats.winner(scores)
    }

    /// Score of every class; zero for those without an example so far.
    pub fn scores(&self, x: &Point<M>) -> Result<[f32; C], InputError> {
        self.set.points().check(x)?;
        let mut row = <M::Column<NumberIn<M>>>::BLANK;
        self.evaluate(x, &mut row)
    }

    fn evaluate(
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
            if self.class_stats.takes_part(class) {
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
            put(column, slot, before.unwrap_or(0.0) + step);
        }
    }
}

impl<K, P, M, const C: usize, R> OnlineClassifier for SharedSupport<K, P, M, C, R>
where
    K: KernelIn<FeatureIn<M>>,
    P: Policy<K, M> + Indifferent,
    M: Memory,
    R: Memoryless,
{
    type Input = Point<M>;
    type Label = Class;

    fn predict(&self, x: &Point<M>) -> Result<Class, InputError> {
        Ok(self.class_stats.winner(&self.scores(x)?).0)
    }

    fn has_class(&self, label: Class) -> bool {
        self.class_stats.check(label).is_ok()
    }

    fn validate(&self, x: &Point<M>, label: Class, _: Option<u32>) -> Result<(), InputError> {
        self.class_stats.check(label)?;
        self.set.points().check(x)?;
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
        let mut row = <M::Column<NumberIn<M>>>::BLANK;
        let scores = self.evaluate(x, &mut row)?;
        let self_similarity = finite(self.set.own(&self.kernel, x))?;
        let known = self.class_stats.takes_part(label);
        let (predicted, score) = self.class_stats.winner(&scores);
        self.class_stats.count(label);

        let mut steps = [0.0; C];
        let classes = (0..=u8::MAX).map(Class).zip(scores);
        let parts = self.rules.iter_mut().zip(&mut self.coefficients);
        for (((class, score), step), (rule, column)) in classes.zip(&mut steps).zip(parts) {
            if self.class_stats.takes_part(class) {
                let decision = rule.step(&Evaluated {
                    label: side(class, label),
                    score,
                    self_similarity,
                    own_steps: 0,
                });
                if decision.shrink != 1.0 {
                    for coefficient in column.as_mut_slice() {
                        *coefficient *= decision.shrink;
                    }
                }
                *step = decision.coefficient.unwrap_or(0.0);
            }
        }
        let total: f32 = steps.iter().map(|step| step.abs()).sum();
        let admission = (total > 0.0).then(|| {
            let candidate = Candidate {
                x,
                label: Sign::Pos,
                id,
                score,
                row: row.as_slice().get(..self.set.len()).unwrap_or_default(),
                self_similarity,
                nearest: None,
            };
            let set = &mut self.set;
            let admission = self.policy.admit(&self.kernel, set, &candidate, total);
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

impl<K, P, M, const C: usize, R> ScoredClassifier for SharedSupport<K, P, M, C, R>
where
    K: KernelIn<FeatureIn<M>>,
    P: Policy<K, M> + Indifferent,
    M: Memory,
    R: Memoryless,
{
    fn predict_scored(&self, x: &Point<M>) -> Result<(Class, f32), InputError> {
        Ok(self.class_stats.winner(&self.scores(x)?))
    }
}

impl<K, P, M, const C: usize, R> RemoteModel for SharedSupport<K, P, M, C, R>
where
    K: KernelIn<FeatureIn<M>> + Persist,
    P: Policy<K, M> + Indifferent + Persist,
    M: Memory,
    R: Memoryless + Persist,
{
    const CLASSES: usize = C;

    fn score_classes(
        &self,
        x: &Self::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        let scores = self.scores(x)?;
        scores.into_iter().for_each(each);
        Ok(self.winner(&scores))
    }
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
