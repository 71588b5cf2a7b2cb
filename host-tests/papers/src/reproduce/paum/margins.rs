//! The choice of margins by ten-fold cross-validation on the documents to learn.

use anyhow::Result;
use pocketron::label::Sign;

use super::{
    corpus::{Corpus, Examples, Source},
    ranking::LAMBDA,
    topic::Learner,
};
use crate::{
    data::shuffle::permutation,
    reproduce::{Bench, Cell, EMPTY_CLASSES, Figures, FinishedCells, Name, Watch},
};

/// The paper's choice for negative documents.
const TAU_NEG: [f32; 7] = [-1.5, -1.0, -0.5, 0.0, 0.1, 0.5, 1.0];

/// The paper's choice for positive documents.
const TAU_POS: [f32; 10] = [-1.0, -0.5, 0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 50.0];

const FOLDS: usize = 10;

/// Topics with fewer documents do not take part.
const SMALLEST: usize = 40;

fn name(source: Source, topic: usize, tau_neg: f32) -> Name {
    Name::new("paum")
        .with("set", source.set())
        .with("topic", topic)
        .with("folds", FOLDS)
        .with("lambda", LAMBDA)
        .with("neg", tau_neg)
}

fn figure(tau_pos: f32) -> String {
    format!("pos={tau_pos}")
}

/// The work: a cell for each topic and each margin of negative documents.
pub fn cells(source: Source) -> impl Iterator<Item = Cell> {
    let topics = 0..source.topics();
    let settings = topics.flat_map(|topic| TAU_NEG.map(|tau_neg| (topic, tau_neg)));
    settings.map(move |(topic, tau_neg)| {
        let work = move |bench: &Bench, watch: &Watch<'_>| {
            precisions(&*Corpus::of(bench, source)?, topic, tau_neg, watch)
        };
        // A third of the topics takes part.
        let cell = Cell::new(name(source, topic, tau_neg), source.cost(1_000), work);
        cell.needing(source.files().iter().copied())
    })
}

/// Mean average precision over the folds, for each margin of positive documents.
fn precisions(corpus: &Corpus, topic: usize, tau_neg: f32, watch: &Watch<'_>) -> Result<Figures> {
    let mut figures = Figures::new();
    if corpus.train.size(topic) < SMALLEST {
        return Ok(figures);
    }
    let examples = corpus.train.examples(topic);
    let order = permutation(examples.len(), 1);
    let part = |wanted: &dyn Fn(usize) -> bool| -> Examples<'_> {
        let numbered = order.iter().enumerate();
        let chosen = numbered.filter(|(place, _)| wanted(place % FOLDS));
        let mut rows: Vec<_> = chosen.map(|(_, &row)| row).collect();
        // In the order of the corpus, as the whole of it is learned.
        rows.sort_unstable();
        rows.into_iter().map(|row| examples[row]).collect()
    };
    let parts = |fold| (part(&|other| other != fold), part(&|other| other == fold));
    let belongs = |examples: &Examples<'_>| examples.iter().any(|(_, label)| *label == Sign::Pos);
    // A fold in which no document belongs to the topic has no precision.
    let folds = (0..FOLDS).map(parts);
    let folds: Vec<_> = folds
        .filter(|(train, test)| belongs(train) && belongs(test))
        .collect();
    if folds.len() < FOLDS {
        figures.insert(EMPTY_CLASSES.into(), (FOLDS - folds.len()) as f64);
    }
    for (fold, (train, test)) in folds.iter().enumerate() {
        let watch = watch.part(fold, FOLDS);
        for (number, tau_pos) in TAU_POS.into_iter().enumerate() {
            watch.done(number, TAU_POS.len());
            let learner = Learner::Paum {
                tau_neg,
                tau_pos,
                lambda: LAMBDA,
            };
            let learned = learner.learn(corpus.dim, train, test)?;
            *figures.entry(figure(tau_pos)).or_default() += learned.precision / folds.len() as f64;
        }
    }
    Ok(figures)
}

/// The margins with the best mean precision over all topics that take part, and that precision; nothing until all
/// cells are finished.
pub fn chosen(source: Source, kept: &FinishedCells) -> Option<(f32, f32, f64)> {
    let mut best: Option<(f32, f32, f64)> = None;
    for tau_neg in TAU_NEG {
        let topics: Option<Vec<&Figures>> = (0..source.topics())
            .map(|topic| kept.figures(&name(source, topic, tau_neg)))
            .collect();
        let topics = topics?;
        for tau_pos in TAU_POS {
            let figure = figure(tau_pos);
            let precisions = topics.iter().filter_map(|figures| figures.get(&figure));
            let (count, sum) =
                precisions.fold((0, 0.0), |(count, sum), one| (count + 1, sum + one));
            let mean = sum / f64::from(count);
            if best.is_none_or(|(_, _, most)| mean > most) {
                best = Some((tau_neg, tau_pos, mean));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::Finished;

    #[test]
    fn the_best_margins_are_those_with_the_best_mean() {
        let mut kept = FinishedCells::new();
        let source = Source::Reuters;
        let topics = 0..source.topics();
        for (topic, tau_neg) in topics.flat_map(|topic| TAU_NEG.map(|tau| (topic, tau))) {
            assert_eq!(chosen(source, &kept), None);
            let precision = |tau_pos: f32| match (topic, tau_neg, tau_pos) {
                (0, 1.0, 50.0) => 0.7,
                (1, 1.0, 50.0) => 0.9,
                // Better on one topic, worse on both.
                (0, 0.5, 10.0) => 0.95,
                _ => 0.6,
            };
            let large = topic < 2;
            kept.add(Finished {
                cell: name(source, topic, tau_neg).to_string(),
                figures: TAU_POS
                    .iter()
                    .filter(|_| large)
                    .map(|&tau_pos| (figure(tau_pos), precision(tau_pos)))
                    .collect(),
                seconds: 0.0,
                at: 1,
                ..Finished::default()
            });
        }
        let (tau_neg, tau_pos, mean) = chosen(source, &kept).unwrap();
        assert_eq!((tau_neg, tau_pos), (1.0, 50.0));
        assert!((mean - 0.8).abs() < 1e-12);
    }
}
