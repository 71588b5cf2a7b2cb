//! All mistakes in order: what the hypotheses of all classes are made of.

use std::collections::HashMap;

use pocketron::{
    budget::NoBudget,
    history::{ScoreScale, UnitNorm},
    hypothesis::Expansion,
    kernel::Polynomial,
    label::Sign,
    storage::Evaluated,
};

use crate::heap::Heap;

/// A training row that has just been looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit<'a> {
    /// Visits before it.
    pub time: u32,
    pub row: u32,
    /// The class it belongs to.
    pub class: usize,
    /// Its score for each class.
    pub scores: &'a [f32],
    pub self_similarity: f32,
}

impl Visit<'_> {
    /// Which side it is on for `class`.
    fn side(&self, class: usize) -> Sign {
        side(class == self.class)
    }

    /// Whether `class` got it wrong; a score of zero is.
    fn is_mistake_of(&self, class: usize) -> bool {
        self.side(class).value() * self.scores[class] <= 0.0
    }
}

/// The side of an example in the problem of a class against the rest.
pub(super) fn side(belongs: bool) -> Sign {
    if belongs { Sign::Pos } else { Sign::Neg }
}

/// A visit that at least one class got wrong.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// Visits before it.
    pub time: u32,
    /// The training row.
    pub row: u32,
    /// Its number among the support vectors of all classes.
    pub vector: u32,
    /// The classes that got it wrong.
    pub steps: Vec<Step>,
}

/// A class adds a support vector, and a new hypothesis begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub class: usize,
    pub slot: usize,
    pub alpha: f32,
    /// Votes of the hypothesis that retires.
    pub votes: u32,
    /// One divided by the norm of the new hypothesis.
    pub factor: f32,
}

/// The mistakes of all classes.
#[derive(Debug)]
pub(super) struct MistakeLog {
    pub events: Vec<Event>,
    /// The numbers of the support vectors, by training row.
    vectors: HashMap<u32, u32>,
    class_histories: Vec<ClassHistory>,
}

impl MistakeLog {
    pub fn new(classes: usize) -> Self {
        MistakeLog {
            events: Vec::new(),
            vectors: HashMap::new(),
            class_histories: (0..classes).map(|_| ClassHistory::default()).collect(),
        }
    }

    /// Takes note of a visit; whether it was a mistake of any class.
    pub fn record(&mut self, visit: &Visit<'_>) -> bool {
        let fresh = self.vectors.len() as u32;
        let vector = self.vectors.get(&visit.row).copied().unwrap_or(fresh);
        let class_histories = self.class_histories.iter_mut().enumerate();
        let wrong = class_histories.filter(|(class, _)| visit.is_mistake_of(*class));
        let steps = wrong.map(|(class, history)| history.step(class, vector, visit));
        let steps: Vec<Step> = steps.collect();
        let mistaken = !steps.is_empty();
        if mistaken {
            self.vectors.insert(visit.row, vector);
            self.events.push(Event {
                time: visit.time,
                row: visit.row,
                vector,
                steps,
            });
        }
        mistaken
    }

    /// The hypotheses of each class.
    pub fn class_histories(&self) -> &[ClassHistory] {
        &self.class_histories
    }

    /// Different rows among the mistakes of all classes.
    pub fn support_vectors(&self) -> usize {
        self.vectors.len()
    }
}

/// The hypotheses of one class: each has one vector more than the one before.
#[derive(Debug, Default)]
pub struct ClassHistory {
    opened: Vec<u32>,
    alphas: Vec<f32>,
    vectors: Vec<u32>,
    norm: UnitNorm,
    unit_masses: Vec<f32>,
}

/// The kind of hypothesis whose norm is kept.
type Dual = Expansion<Polynomial, NoBudget, Heap>;

impl ClassHistory {
    /// The visits that were mistakes, counted from 0: each opened a hypothesis.
    pub fn opened(&self) -> &[u32] {
        &self.opened
    }

    /// Coefficients, in slot order.
    pub fn alphas(&self) -> &[f32] {
        &self.alphas
    }

    /// Different rows among the mistakes.
    pub fn support_vectors(&self) -> usize {
        let mut vectors = self.vectors.clone();
        vectors.sort_unstable();
        vectors.dedup();
        vectors.len()
    }

    /// Votes of the present hypothesis after so many visits: those that it survived and the one
    /// that opened it.
    pub fn votes(&self, visits: u32) -> u32 {
        self.opened.last().map_or(0, |opened| visits - opened)
    }

    /// One divided by the norm of the present hypothesis.
    pub fn factor(&self) -> f32 {
        ScoreScale::<Dual>::factor(&self.norm)
    }

    /// By slot, its row's number among the support vectors of all classes.
    pub(super) fn vectors(&self) -> &[u32] {
        &self.vectors
    }

    /// By slot, the coefficient times the votes of each retired hypothesis, summed. Whole numbers,
    /// and so the same in any order up to 2^24 visits.
    pub(super) fn masses(&self) -> Vec<f32> {
        let present = self.opened.last().copied().unwrap_or(0);
        let slots = self.opened.iter().zip(&self.alphas);
        let mass = |(opened, alpha): (&u32, &f32)| alpha * (present - opened) as f32;
        slots.map(mass).collect()
    }

    /// The same, each hypothesis divided by its norm.
    pub(super) fn unit_masses(&self) -> &[f32] {
        &self.unit_masses
    }

    fn step(&mut self, class: usize, vector: u32, visit: &Visit<'_>) -> Step {
        let votes = self.votes(visit.time);
        let weight = votes as f32 * self.factor();
        for (mass, alpha) in self.unit_masses.iter_mut().zip(&self.alphas) {
            *mass += weight * alpha;
        }
        let example = Evaluated {
            self_similarity: visit.self_similarity,
            ..Evaluated::scored(visit.side(class), visit.scores[class])
        };
        let alpha = example.label.value();
        ScoreScale::<Dual>::moved(&mut self.norm, &example, alpha);
        self.opened.push(visit.time);
        self.alphas.push(alpha);
        self.vectors.push(vector);
        self.unit_masses.push(0.0);
        Step {
            class,
            slot: self.opened.len() - 1,
            alpha,
            votes,
            factor: self.factor(),
        }
    }
}
