//! Table 2: how well topics are ranked, and how many documents that takes.

use anyhow::Result;

use super::{
    corpus::{SETS, Source},
    margins,
    topic::Learner,
};
use crate::{
    reproduce::{
        About, Cell, Experiment, Figure, FinishedCells, Line, Printed, Scope, Unit, printed,
    },
    spread::Spread,
};

const PRINTED: &str = include_str!("../../../printed/paum2.csv");

/// The paper does not say which `lambda` it used for this table; some topics need one.
pub const LAMBDA: f32 = 1.0;

/// The paper does not say which cost it used.
const COST: f64 = 10.0;

/// Table 2.
pub struct Ranking;

/// Who got a figure, and what the table calls him. The machine has no margins.
fn learner(figure: &Figure) -> (String, Learner) {
    let label = figure.label("learner");
    let margin = |column| figure.label(column).parse::<f32>();
    let (Ok(tau_neg), Ok(tau_pos)) = (margin("tau_neg"), margin("tau_pos")) else {
        return (label.to_owned(), Learner::Svm(COST));
    };
    let name = match label {
        "paum" => format!("paum({tau_neg}; {tau_pos})"),
        "pam" => format!("pam({tau_pos})"),
        other => other.to_owned(),
    };
    let learner = Learner::Paum {
        tau_neg,
        tau_pos,
        lambda: LAMBDA,
    };
    (name, learner)
}

/// Unit of a figure of a topic.
pub(super) fn unit(figure: &str) -> Unit {
    match figure {
        "map" => Unit::Share,
        _ => Unit::Count,
    }
}

/// The mean of a figure over a group of topics; nothing until all topics are finished.
fn mean(
    source: Source,
    learner: &Learner,
    figure: &str,
    group: &str,
    kept: &FinishedCells,
) -> Option<f64> {
    let topic = |topic| {
        let figures = kept.figures(&learner.name(source, topic))?;
        Some((*figures.get("size")?, *figures.get(figure)?))
    };
    let topics: Option<Vec<(f64, f64)>> = (0..source.topics()).map(topic).collect();
    let mut topics = topics?;
    topics.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let group = match group {
        "top10" => &topics[..10],
        "last30" => &topics[source.topics() - 30..],
        _ => &topics[..],
    };
    let sum: f64 = group.iter().map(|(_, figure)| figure).sum();
    Some(sum / group.len() as f64)
}

impl Experiment for Ranking {
    fn about(&self) -> About {
        About {
            name: "paum2",
            title: "ranking of Reuters-21578 topics with uneven margins (Li et al., Table 2)",
            remarks: "Terms weighted by tf-idf over the training part and divided by the norm; the paper does not tell how it made its \
                     20,000 features, ours are 19,955 stems. `lambda` is 1, the machine's cost 10, and documents are seen in the order of \
                     the corpus. Table 3 of the paper needs weeks of Reuters Volume 1 that are not public \
                     and is left out.",
            why: "Our words are not the paper's: stems, stop words and the cut to 20,000 features are not told, and neither are its \
                     `lambda` and the cost of its machine. The paper's footnote calls the sparsity the number of zero coefficients; its \
                     figures fit the number of others, which is what is counted here.",
            sets: &SETS,
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let source = Source::of(scope);
        if !scope.wants_set(source.set()) {
            return Ok(Vec::new());
        }
        let figures = printed::figures(PRINTED);
        let mut learners: Vec<Learner> = Vec::new();
        for (_, learner) in figures.iter().map(learner) {
            if !learners.contains(&learner) {
                learners.push(learner);
            }
        }
        let cells = |topic| learners.iter().map(move |one| one.cell(source, topic));
        let topics = (0..source.topics()).flat_map(cells);
        Ok(topics.chain(margins::cells(source)).collect())
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let source = Source::of(scope);
        let line = |figure: &Figure| {
            let (row, learner) = learner(figure);
            let (what, group) = (figure.label("figure"), figure.label("topics"));
            Line::percent(
                match what {
                    "map" => "macro-averaged precision",
                    _ => "documents with a coefficient",
                },
                row,
                group,
                mean(source, &learner, what, group, kept).map(Spread::single),
            )
            .in_unit(unit(what))
            .beside(figure)
        };
        let mut lines: Vec<_> = printed::figures(PRINTED).iter().map(line).collect();
        let chosen = margins::chosen(source, kept);
        let margin = |column: &str, value, ours: Option<f32>| Line {
            block: "margins with the best precision in ten folds, topics of 40 documents or more"
                .into(),
            row: "paum".into(),
            column: column.into(),
            unit: Unit::Value,
            printed: Some(Printed::bare(value)),
            ours: ours.map(|margin| Spread::single(margin.into())),
            digits: 1,
        };
        lines.push(margin("negative", 1.0, chosen.map(|best| best.0)));
        lines.push(margin("positive", 50.0, chosen.map(|best| best.1)));
        source.compared(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::Finished;

    #[test]
    fn groups_are_made_by_the_size_of_topics() {
        let (source, learner) = (Source::Reuters, Learner::Svm(COST));
        let mut kept = FinishedCells::new();
        for topic in 0..source.topics() {
            assert_eq!(mean(source, &learner, "map", "all", &kept), None);
            // The larger the number of the topic, the larger the topic, and the better the ranking.
            let figures = [("size", topic as f64), ("map", topic as f64)];
            kept.add(Finished {
                cell: learner.name(source, topic).to_string(),
                figures: figures.map(|(name, figure)| (name.into(), figure)).into(),
                seconds: 0.0,
                at: 1,
                ..Finished::default()
            });
        }
        let mean = |group| mean(source, &learner, "map", group, &kept).unwrap();
        assert_eq!(
            (mean("all"), mean("top10"), mean("last30")),
            (44.5, 84.5, 14.5)
        );
    }
}
