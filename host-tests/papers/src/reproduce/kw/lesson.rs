//! Learns some rows with many settings and answers others: Khardon and Wachman's Figure 2.

use std::{borrow::Cow, ops::Range, sync::Arc};

use anyhow::{Context, Result, ensure};
use pocketron::{
    classifier::OnlineClassifier as _,
    history::{History, Last, LongestSurvivor, Voted},
    hypothesis::{Biased, FixedRadius, Hypothesis as _, Linear, UpdateCounts},
    label::Sign,
    learners::perceptron::Perceptron,
    persist::Blank,
    rule::{Always, MarginRule, Soft},
    storage::Column,
};

use super::{
    products::{Member, Poll, Products},
    rows::{Panels, Rows},
    setting::Setting,
};
use crate::{
    heap::Grown,
    reproduce::Watch,
    sparse::{Feature, SparseWeights},
};

/// Percent of the tested rows that are answered rightly, by who answers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// The last hypothesis.
    pub last: f64,
    /// The longest survivor.
    pub longest: f64,
    /// The vote.
    pub voted: f64,
}

/// How rows are learned, apart from the settings that are searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingPlan {
    /// Passes over the rows, always in the same order.
    pub epochs: usize,
    /// Step size.
    pub eta: f32,
    /// Similarity is the inner product, or a polynomial of this degree above 1.
    pub degree: u32,
}

/// Rows to learn and rows to answer.
pub struct Lesson<'a> {
    panels: Panels<'a>,
    rows: &'a Rows,
    learned: usize,
    plan: TrainingPlan,
    tested: Arc<[Member]>,
    /// Mean similarity of a learned row with itself: initial threshold and what it moves by.
    theta: f32,
}

type Function = UpdateCounts<Biased<Linear<Products>>, Grown<u32>>;
type DetailedHistory = (Last, (LongestSurvivor<(Products, f32)>, Voted<Poll, 0>));
type Learner = Perceptron<Function, Soft<MarginRule>, DetailedHistory>;

/// One learner for each class against the rest; for two classes one alone.
pub struct LearnerSet(Vec<(usize, Learner)>);

impl Lesson<'_> {
    /// Up to so many rows all similarities are kept, which takes 4 bytes for each pair; beyond, those of some rows
    /// are computed when it is their turn, and all settings learn them together.
    pub const KEPT: usize = 10_000;

    /// How many rows these are.
    const TOGETHER: usize = 32;
}

impl<'a> Lesson<'a> {
    /// The first rows are learned, the others tested.
    ///
    /// # Errors
    ///
    /// There are none of either, or there is no kernel of that degree.
    pub fn new(rows: &'a Rows, learned: usize, plan: TrainingPlan) -> Result<Self> {
        ensure!(0 < learned && learned < rows.len(), "too few rows");
        let panels = Panels::new(rows, plan.degree)?;
        let own = (0..learned).map(|row| f64::from(panels.alone(row).own));
        let theta = (own.sum::<f64>() / learned as f64) as f32;
        let tested = (learned..rows.len()).map(|row| panels.alone(row)).collect();
        Ok(Lesson {
            panels,
            rows,
            learned,
            plan,
            tested,
            theta,
        })
    }

    /// Result of each setting.
    ///
    /// # Errors
    ///
    /// A setting or a row that the core refuses.
    pub fn accuracies(&self, settings: &[Setting], watch: &Watch<'_>) -> Result<Vec<Accuracy>> {
        let mut learner_sets = Vec::new();
        for setting in settings {
            learner_sets.push(self.learner_set(setting)?);
        }
        if self.rows.len() > Self::KEPT {
            self.teach(
                &mut learner_sets,
                |rows, first| Cow::Owned(self.panels.members(rows, first)),
                watch,
                |_| {},
            )?;
        } else {
            let members = self.members();
            for (number, learner_set) in learner_sets.iter_mut().enumerate() {
                self.teach(
                    std::slice::from_mut(learner_set),
                    |rows, _| Cow::Borrowed(&members[rows]),
                    &watch.part(number, settings.len()),
                    |_| {},
                )?;
            }
        }
        Ok(learner_sets
            .iter()
            .map(|learner_set| self.accuracy(learner_set))
            .collect())
    }

    /// Result of a setting after each epoch.
    ///
    /// # Errors
    ///
    /// A setting or a row that the core refuses.
    pub fn curve(&self, setting: Setting, watch: &Watch<'_>) -> Result<Vec<Accuracy>> {
        let members = self.members();
        let mut curve = Vec::new();
        self.teach(
            &mut [self.learner_set(&setting)?],
            |rows, _| Cow::Borrowed(&members[rows]),
            watch,
            |learner_sets| {
                curve.extend(
                    learner_sets
                        .iter()
                        .map(|learner_set| self.accuracy(learner_set)),
                );
            },
        )?;
        Ok(curve)
    }

    /// Percent of the tested rows that Servedio's average algorithm answers rightly: every row moves the hypothesis once.
    ///
    /// Its plane goes through the origin; with a `threshold` it begins at that of the other learners, and moves as theirs.
    ///
    /// # Errors
    ///
    /// A row that the core refuses.
    pub fn average(&self, threshold: bool) -> Result<f64> {
        let ([learned, tested], dim) = (self.parts(), self.rows.dim());
        // One step on an example has the size 1: what begins at the others' threshold is divided by their step size.
        let (radius, bias) = match threshold {
            true => (self.theta, -self.theta / self.plan.eta),
            false => (0.0, 0.0),
        };
        let mut learners = Vec::new();
        for class in self.learned_classes() {
            let linear = Linear::with_weights(SparseWeights::new(dim));
            let biased = Biased::new(linear, FixedRadius(radius), bias);
            let mut learner = Perceptron::from_parts(biased, Always).checked()?;
            for (row, (x, truth)) in learned.0.iter().zip(learned.1).enumerate() {
                let outcome = learner.learn(x.as_slice(), side(*truth == class));
                outcome.with_context(|| format!("row {row}"))?;
            }
            learners.push((class, learner));
        }
        let right = tested.0.iter().zip(tested.1).filter(|(x, truth)| {
            answer(&learners, |learner| {
                learner.hypothesis().score(x.as_slice())
            }) == **truth
        });
        Ok(100.0 * right.count() as f64 / tested.0.len() as f64)
    }

    fn members(&self) -> Vec<Member> {
        self.panels.members(0..self.learned, 0)
    }

    /// Learned rows with their classes, and tested ones.
    pub fn parts(&self) -> [(&[Vec<Feature>], &[usize]); 2] {
        let (learned, tested) = self.rows.features().split_at(self.learned);
        let (classes, truths) = self.rows.classes().split_at(self.learned);
        [(learned, classes), (tested, truths)]
    }

    /// Classes without a row among those that are learned.
    pub fn absent_classes(&self) -> usize {
        let learned = &self.rows.classes()[..self.learned];
        (0..self.rows.class_count)
            .filter(|class| !learned.contains(class))
            .count()
    }

    fn learner_set(&self, setting: &Setting) -> Result<LearnerSet> {
        let rule = rule(self.plan.eta, self.theta, setting);
        let learner = || -> Result<Learner> {
            let linear = Linear::with_weights(Products::new(self.rows.len()));
            let biased = Biased::new(linear, FixedRadius(self.theta), -self.theta);
            let mut counts = Grown::BLANK;
            counts.ensure(self.learned);
            let poll = Poll::new(Arc::clone(&self.tested));
            let watched = (
                Last::BLANK,
                (LongestSurvivor::new(), Voted::with_votes(poll)),
            );
            Ok(
                Perceptron::with_history(UpdateCounts::new(biased, counts), rule, watched)
                    .checked()?,
            )
        };
        self.learned_classes()
            .map(|class| Ok((class, learner()?)))
            .collect::<Result<_>>()
            .map(LearnerSet)
    }

    /// The classes that have a learner: of two classes the second one alone.
    fn learned_classes(&self) -> Range<usize> {
        match self.rows.class_count {
            2 => 1..2,
            more => 0..more,
        }
    }

    /// Shows every learned row to all learners, in every epoch; `members` finds the similarities of some of them with
    /// rows that will be looked at later.
    fn teach<'m>(
        &self,
        learner_sets: &mut [LearnerSet],
        members: impl Fn(Range<usize>, usize) -> Cow<'m, [Member]>,
        watch: &Watch<'_>,
        mut after: impl FnMut(&[LearnerSet]),
    ) -> Result<()> {
        for epoch in 1..=self.plan.epochs {
            for start in (0..self.learned).step_by(Self::TOGETHER) {
                // Looking at a row may take less than saying so.
                if start % 256 == 0 {
                    watch
                        .part(epoch - 1, self.plan.epochs)
                        .done(start, self.learned);
                }
                let rows = start..(start + Self::TOGETHER).min(self.learned);
                let first = if epoch == self.plan.epochs {
                    start + 1
                } else {
                    0
                };
                for (row, member) in rows.clone().zip(members(rows, first).iter()) {
                    let truth = self.rows.classes()[row];
                    for (class, learner) in learner_sets
                        .iter_mut()
                        .flat_map(|learner_set| &mut learner_set.0)
                    {
                        learner
                            .learn_with_id(member, side(*class == truth), Some(row as u32))
                            .with_context(|| format!("row {row}"))?;
                    }
                }
            }
            after(learner_sets);
        }
        Ok(())
    }

    fn accuracy(&self, learner_set: &LearnerSet) -> Accuracy {
        let percent = |score: &dyn Fn(&Learner, &Member) -> f32| {
            let right = self.tested.iter().filter(|x| {
                answer(&learner_set.0, |learner| score(learner, x))
                    == self.rows.classes()[x.position]
            });
            100.0 * right.count() as f64 / self.tested.len() as f64
        };
        Accuracy {
            last: percent(&|learner, x| learner.history().0.score(learner.hypothesis(), x)),
            longest: percent(&|learner, x| learner.history().1.0.score(learner.hypothesis(), x)),
            voted: percent(&|learner, x| learner.history().1.1.score(learner.hypothesis(), x)),
        }
    }
}

/// The label of a learner's class, or of another one.
fn side(own: bool) -> Sign {
    if own { Sign::Pos } else { Sign::Neg }
}

/// The class with the highest score, the first of several. One learner alone takes a score of zero for the negative
/// side, as the hypothesis does with which everything begins.
fn answer<L>(learners: &[(usize, L)], score: impl Fn(&L) -> f32) -> usize {
    if let [(class, learner)] = learners {
        return if score(learner) > 0.0 { *class } else { 0 };
    }
    let mut best = (0, f32::NEG_INFINITY);
    for (class, learner) in learners {
        let score = score(learner);
        if score > best.1 {
            best = (*class, score);
        }
    }
    best.0
}

/// Steps while the margin is missed, as patient as the setting says.
///
/// In units of steps the credit is `eta lambda |x|^2`, as if `lambda |x|^2` were added to the diagonal of the kernel
/// matrix. The paper's Equation 1 has no `eta`. Which of the two meets its figures better depends on the sets: see
/// [`LambdaUnits`](super::LambdaUnits).
fn rule(eta: f32, theta: f32, setting: &Setting) -> Soft<MarginRule> {
    let margin = MarginRule::new(eta).with_margin(setting.tau * theta);
    Soft::new(margin)
        .with_credit(setting.unit.credit(setting.lambda, eta))
        .with_bound(setting.alpha.unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests;
