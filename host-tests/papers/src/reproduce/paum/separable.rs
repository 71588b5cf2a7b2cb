//! Table 4: the lambda trick on topics that a plane separates.

use anyhow::Result;

use super::{
    corpus::{SETS, Source},
    ranking::unit,
    topic::{EPOCHS, Learner},
};
use crate::{
    reproduce::{About, Cell, Experiment, FinishedCells, Line, Printed, Scope, Unit, printed},
    spread::Spread,
};

const PRINTED: &str = include_str!("../../../printed/paum4.csv");

/// Topics that the paper finds separable.
const SEPARABLE: f64 = 77.0;

/// Table 4.
pub struct Separable;

/// The plain perceptron with the lambda trick.
const fn learner(lambda: f32) -> Learner {
    Learner::Paum {
        tau_neg: 0.0,
        tau_pos: 0.0,
        lambda,
    }
}

/// The topics that the perceptron settles without help; nothing until all are finished.
fn separable(source: Source, kept: &FinishedCells) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    for topic in 0..source.topics() {
        let epochs = kept.figure(&learner(0.0).name(source, topic), "epochs")?;
        if epochs < EPOCHS as f64 {
            found.push(topic);
        }
    }
    Some(found)
}

impl Experiment for Separable {
    fn about(&self) -> About {
        About {
            name: "paum4",
            title: "the lambda trick on separable topics of Reuters-21578 (Li et al., Table 4)",
            remarks: "Separable are the topics on which the perceptron comes to rest.",
            why: "With other words other topics are separable, and which ones the paper averaged over is not known.",
            sets: &SETS,
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let source = Source::of(scope);
        let topics = (0..source.topics()).filter(|_| scope.wants_set(source.set()));
        let cells = |topic| [0.0, 1.0].map(|lambda| learner(lambda).cell(source, topic));
        Ok(topics.flat_map(cells).collect())
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let source = Source::of(scope);
        let topics = separable(source, kept);
        let mut lines = Vec::new();
        for figure in printed::figures(PRINTED) {
            let (what, lambda) = (figure.label("figure"), figure.label("lambda"));
            let learner = lambda.parse().map(learner).ok();
            let names = topics.iter().flatten().zip(learner.iter().cycle());
            let names = names.map(|(topic, learner)| learner.name(source, *topic));
            lines.push(
                Line::percent(
                    "mean over the separable topics",
                    what,
                    format!("lambda = {lambda}"),
                    kept.spread(names, what).map(Spread::mean_alone),
                )
                .in_unit(unit(what))
                .beside(&figure),
            );
        }
        lines.push(Line {
            block: "separable topics".into(),
            row: "topics".into(),
            column: format!("of {}", source.topics()),
            unit: Unit::Count,
            printed: Some(Printed::bare(SEPARABLE)),
            ours: topics.map(|topics| Spread::single(topics.len() as f64)),
            digits: 0,
        });
        source.compared(lines)
    }
}
