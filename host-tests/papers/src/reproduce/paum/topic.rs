//! Learning one topic of the corpus.

use anyhow::Result;
use pocketron::{
    classifier::Scorer as _,
    hypothesis::{Biased, FixedRadius, Linear, UpdateCounts, Weights},
    label::Sign,
    learners::perceptron::Perceptron,
    persist::Blank,
    rule::{Credit, MarginRule, Soft},
    storage::Column,
};

use super::corpus::{Corpus, Examples, Source, average_precision};
use crate::{
    family::{self, Until},
    heap::Grown,
    reproduce::{Bench, Cell, Figures, Name, Watch},
    sparse::SparseWeights,
    svm::{Svm, SvmKernel, SvmSettings},
};

/// Epochs after which a training that does not settle is given up.
pub const EPOCHS: usize = 1000;

/// Who learns the topic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Learner {
    /// The perceptron with uneven margins, until it settles.
    Paum {
        /// Margin of negative documents.
        tau_neg: f32,
        /// Margin of positive documents.
        tau_pos: f32,
        /// Added to `k(x, x)` for the document's own weight.
        lambda: f32,
    },
    /// A linear support vector machine of this cost.
    Svm(f64),
}

/// Its result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Learned {
    /// Average precision of the ranking of unseen documents.
    pub precision: f64,
    /// Documents with a coefficient that is not zero.
    pub support: usize,
    /// Epochs until it settled, or all of them.
    pub epochs: usize,
}

impl Learner {
    /// Learns some documents and ranks others.
    ///
    /// # Errors
    ///
    /// A class is empty, which the machine minds.
    pub fn learn(self, dim: usize, train: &Examples<'_>, test: &Examples<'_>) -> Result<Learned> {
        let (scores, support, epochs) = match self {
            Learner::Paum {
                tau_neg,
                tau_pos,
                lambda,
            } => {
                let rule = MarginRule::new(1.0).with_margins(tau_neg, tau_pos);
                let rule = Soft::new(rule).with_credit(Credit::PerStep(lambda));
                perceptron(dim, rule, train, test)?
            }
            Learner::Svm(cost) => machine(cost, train, test)?,
        };
        Ok(Learned {
            precision: average_precision(scores.into_iter(), test),
            support,
            epochs,
        })
    }

    /// Name of its cell of a topic.
    pub fn name(&self, source: Source, topic: usize) -> Name {
        let name = Name::new("paum")
            .with("set", source.set())
            .with("topic", topic);
        match self {
            Learner::Paum {
                tau_neg,
                tau_pos,
                lambda,
            } => name
                .with("neg", tau_neg)
                .with("pos", tau_pos)
                .with("lambda", lambda),
            Learner::Svm(cost) => name.with("svm", cost),
        }
    }

    /// The work on a topic.
    pub fn cell(self, source: Source, topic: usize) -> Cell {
        let cost = match self {
            Learner::Paum { .. } => 30,
            Learner::Svm(_) => 1_000,
        };
        let work =
            move |bench: &Bench, _: &Watch<'_>| self.figures(&*Corpus::of(bench, source)?, topic);
        let cell = Cell::new(self.name(source, topic), source.cost(cost), work);
        cell.needing(source.files().iter().copied())
    }

    fn figures(self, corpus: &Corpus, topic: usize) -> Result<Figures> {
        let (train, test) = (corpus.train.examples(topic), corpus.test.examples(topic));
        let learned = self.learn(corpus.dim, &train, &test)?;
        Ok([
            ("size", corpus.train.size(topic) as f64),
            ("map", learned.precision),
            ("sparsity", learned.support as f64),
            ("epochs", learned.epochs as f64),
        ]
        .map(|(name, figure)| (name.to_owned(), figure))
        .into())
    }
}

type Outcome = (Vec<f64>, usize, usize);

/// The perceptron with uneven margins, and a count of the steps on every document.
pub type Model = Perceptron<
    UpdateCounts<Biased<Linear<SparseWeights>, FixedRadius>, Grown<u32>>,
    Soft<MarginRule>,
>;

/// A perceptron that has settled, or was given up.
pub struct Settled {
    /// The perceptron.
    pub model: Model,
    /// Whether a document moved it.
    pub moved: Vec<bool>,
    /// Epochs until it settled, or all of them.
    pub epochs: usize,
}

/// The largest squared norm of a document.
pub fn radius_squared(examples: &Examples<'_>) -> f32 {
    let norms = examples.iter();
    let norms = norms.map(|(x, _)| SparseWeights::norm_squared(x));
    norms.fold(0.0, f32::max)
}

/// Learns over and over, until nothing moves.
///
/// # Errors
///
/// The rule is refused.
pub fn settle(dim: usize, rule: Soft<MarginRule>, train: &Examples<'_>) -> Result<Settled> {
    let radius = FixedRadius(radius_squared(train));
    let linear = Linear::with_weights(SparseWeights::new(dim));
    let mut counts = Grown::BLANK;
    counts.ensure(train.len());
    let hypothesis = UpdateCounts::new(Biased::new(linear, radius, 0.0), counts);
    let mut model = Perceptron::from_parts(hypothesis, rule).checked()?;
    let mut moved = vec![false; train.len()];
    let watch = |row: usize, outcome: &pocketron::classifier::Outcome<Sign>| {
        moved[row] |= outcome.changed();
    };
    let progress = family::learn_epochs(&mut model, train, (EPOCHS, Until::Settled), watch)?;
    Ok(Settled {
        model,
        moved,
        epochs: progress.epochs,
    })
}

fn perceptron(
    dim: usize,
    rule: Soft<MarginRule>,
    train: &Examples<'_>,
    test: &Examples<'_>,
) -> Result<Outcome> {
    let settled = settle(dim, rule, train)?;
    let scores: Result<Vec<_>, _> = test.iter().map(|(x, _)| settled.model.score(x)).collect();
    Ok((
        scores?.into_iter().map(f64::from).collect(),
        settled.moved.into_iter().filter(|moved| *moved).count(),
        settled.epochs,
    ))
}

fn machine(cost: f64, train: &Examples<'_>, test: &Examples<'_>) -> Result<Outcome> {
    let (rows, labels): (Vec<_>, Vec<_>) =
        train.iter().map(|(x, label)| (x.to_vec(), *label)).unzip();
    let svm = Svm::train(&rows, &labels, &SvmSettings::new(SvmKernel::Linear, cost))?;
    let scores = test.iter().map(|(x, _)| svm.score(x)).collect();
    Ok((scores, svm.support_vectors(), 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::Feature;
    use Sign::{Neg, Pos};

    /// Three words: the topic has the second, and once the third, which others have as well.
    #[test]
    fn every_learner_ranks_a_topic_with_a_word_of_its_own() {
        let rows: [&[Feature]; 5] = [
            &[(0, 0.6), (1, 0.8)],
            &[(1, 1.0)],
            &[(0, 1.0)],
            &[(2, 1.0)],
            &[(0, 0.8), (2, 0.6)],
        ];
        let examples: Examples<'_> = rows.into_iter().zip([Pos, Pos, Neg, Neg, Neg]).collect();
        let paum = |tau_neg, tau_pos, lambda| Learner::Paum {
            tau_neg,
            tau_pos,
            lambda,
        };
        for learner in [
            paum(0.0, 0.0, 0.0),
            paum(1.0, 50.0, 1.0),
            Learner::Svm(10.0),
        ] {
            let learned = learner.learn(3, &examples, &examples).unwrap();
            assert_eq!(learned.precision, 1.0, "{learner:?}");
            assert!(learned.support >= 2 && learned.epochs < EPOCHS);
        }
    }

    /// The same document with both labels can never be settled without a weight of its own.
    #[test]
    fn lambda_settles_what_no_plane_separates() {
        let rows: [&[Feature]; 2] = [&[(0, 1.0)], &[(0, 1.0)]];
        let examples: Examples<'_> = rows.into_iter().zip([Pos, Neg]).collect();
        let epochs = |lambda| {
            let learner = Learner::Paum {
                tau_neg: 0.0,
                tau_pos: 0.0,
                lambda,
            };
            learner.learn(1, &examples, &examples).unwrap().epochs
        };
        assert_eq!(epochs(0.0), EPOCHS);
        assert!(epochs(1.0) < 10);
    }
}
