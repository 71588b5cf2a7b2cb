//! Documents as vectors of weighted words, and how well a ranking of them is.

use std::sync::Arc;

use anyhow::Result;
use pocketron::label::Sign;

use super::drawn;
use crate::{
    data::{Dataset, RowView, names},
    reproduce::{Bench, Line, Scope},
    sparse::Feature,
};

/// Where documents come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Reuters-21578, as in the paper.
    Reuters,
    /// A few hundred documents that are drawn: they are learned in seconds, and no file is needed.
    Drawn,
}

/// The sets of both.
pub const SETS: [&str; 2] = [Source::Reuters.set(), Source::Drawn.set()];

impl Source {
    /// The documents for a scope.
    pub fn of(scope: &Scope) -> Self {
        match scope.quick {
            true => Source::Drawn,
            false => Source::Reuters,
        }
    }

    /// Their name on the command line.
    pub const fn set(self) -> &'static str {
        match self {
            Source::Reuters => "reuters",
            Source::Drawn => names::TOPICS,
        }
    }

    /// The files they need.
    pub const fn files(self) -> &'static [&'static str] {
        match self {
            Source::Reuters => &["reuters.train", "reuters.test"],
            Source::Drawn => &[],
        }
    }

    /// How many topics they have.
    pub const fn topics(self) -> usize {
        match self {
            Source::Reuters => 90,
            Source::Drawn => drawn::TOPICS,
        }
    }

    /// Cost of work, by its cost with Reuters-21578.
    pub const fn cost(self, reuters: u64) -> u64 {
        match self {
            Source::Reuters => reuters,
            Source::Drawn => reuters / 30,
        }
    }

    /// The lines of a table, without what the paper prints if it has other documents.
    pub fn compared(self, lines: Vec<Line>) -> Vec<Line> {
        let own = |line: Line| Line {
            block: format!("{}, {}", self.set(), line.block),
            printed: None,
            ..line
        };
        match self {
            Source::Reuters => lines,
            Source::Drawn => lines.into_iter().map(own).collect(),
        }
    }

    /// Those to learn, and those to rank.
    fn parts(self, bench: &Bench) -> Result<(Dataset, Dataset)> {
        match self {
            Source::Reuters => Ok(bench.places.load_split(self.set())?),
            Source::Drawn => drawn::parts(),
        }
    }
}

/// Documents, and whether each belongs to a topic.
pub type Examples<'a> = Vec<(&'a [Feature], Sign)>;

/// Documents of one part.
#[derive(Clone, Debug, Default)]
pub struct Documents {
    /// Words and their weights; every document has length one.
    rows: Vec<Vec<Feature>>,
    topics: Vec<Vec<usize>>,
}

impl Documents {
    /// All documents, and whether they belong to a topic.
    pub fn examples(&self, topic: usize) -> Examples<'_> {
        let label = |topics: &Vec<usize>| match topics.contains(&topic) {
            true => Sign::Pos,
            false => Sign::Neg,
        };
        let labels = self.topics.iter().map(label);
        self.rows.iter().map(Vec::as_slice).zip(labels).collect()
    }

    /// Documents that belong to a topic.
    pub fn size(&self, topic: usize) -> usize {
        let belong = self.topics.iter().filter(|topics| topics.contains(&topic));
        belong.count()
    }
}

/// Both parts.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// Number of words.
    pub dim: usize,
    /// To learn.
    pub train: Documents,
    /// To rank.
    pub test: Documents,
}

impl Corpus {
    /// The documents of a source, prepared once.
    ///
    /// # Errors
    ///
    /// A file is not there, or not what it should be.
    pub fn of(bench: &Bench, source: Source) -> Result<Arc<Self>> {
        bench.prepared(&format!("paum {}", source.set()), || {
            let (train, test) = source.parts(bench)?;
            Ok(Corpus::weighted(&train, &test))
        })
    }

    /// Words weighted by `tf log(m / df)`, with `df` of the `m` documents to learn that have the word; then every
    /// document is scaled to length one.
    fn weighted(train: &Dataset, test: &Dataset) -> Self {
        let dim = train.dim().max(test.dim());
        let mut frequency = vec![0_u32; dim];
        for (index, _) in train.rows().iter().flat_map(RowView::features) {
            frequency[index as usize - 1] += 1;
        }
        let all = train.len() as f64;
        let rarity: Vec<f64> = frequency
            .iter()
            .map(|&documents| (all / f64::from(documents.max(1))).ln())
            .collect();
        let documents = |part: &Dataset| Documents {
            rows: part.rows().iter().map(|row| vector(row, &rarity)).collect(),
            topics: part
                .rows()
                .iter()
                .map(|row| row.labels().iter().map(|&label| label as usize).collect())
                .collect(),
        };
        Corpus {
            dim,
            train: documents(train),
            test: documents(test),
        }
    }
}

fn vector(row: RowView<'_>, rarity: &[f64]) -> Vec<Feature> {
    let weight = |(index, count): (u32, f64)| (index - 1, count * rarity[index as usize - 1]);
    let weights: Vec<_> = row.features().map(weight).collect();
    let length = weights
        .iter()
        .map(|(_, weight)| weight * weight)
        .sum::<f64>()
        .sqrt();
    weights
        .into_iter()
        .filter(|(_, weight)| *weight != 0.0)
        .map(|(position, weight)| (position, (weight / length) as f32))
        .collect()
}

/// Mean, over the documents that belong to a topic, of the precision when the ranking is cut off there: the share
/// of documents that belong to it among those with at least that score. One, if the best are exactly those.
pub fn average_precision(scores: impl Iterator<Item = f64>, examples: &Examples<'_>) -> f64 {
    let mut ranking: Vec<_> = scores.zip(examples).collect();
    ranking.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let (mut seen, mut relevant, mut sum) = (0, 0, 0.0);
    // Documents with the same score stand on one place.
    for place in ranking.chunk_by(|(a, _), (b, _)| a == b) {
        let belong = place.iter().filter(|(_, (_, label))| *label == Sign::Pos);
        let here = belong.count();
        seen += place.len();
        relevant += here;
        sum += here as f64 * relevant as f64 / seen as f64;
    }
    if relevant == 0 {
        0.0
    } else {
        sum / relevant as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Row;
    use Sign::{Neg, Pos};

    fn document(topics: &[f64], counts: &[(u32, f64)]) -> Row {
        let mut row = Row::new(topics.to_vec());
        for (index, count) in counts {
            row.push(*index, *count).unwrap();
        }
        row
    }

    /// Word 1 is in all four documents and says nothing, word 2 in two, word 3 in one: log 2 and log 4 = 2 log 2.
    #[test]
    fn rare_words_weigh_more_and_documents_have_length_one() {
        let train = Dataset::new(
            "train",
            vec![
                document(&[0.0, 1.0], &[(1, 5.0), (2, 2.0), (3, 1.0)]),
                document(&[1.0], &[(1, 1.0), (2, 7.0)]),
                document(&[], &[(1, 3.0)]),
                document(&[], &[(1, 1.0)]),
            ],
        );
        let test = Dataset::new("test", vec![document(&[0.0], &[(2, 4.0), (3, 1.5)])]);
        let corpus = Corpus::weighted(&train, &test);
        let half = 0.5_f32.sqrt();
        let near = |row: &[Feature], wanted: &[Feature]| {
            assert_eq!(row.len(), wanted.len());
            for ((position, weight), (wanted_position, wanted)) in row.iter().zip(wanted) {
                assert_eq!(position, wanted_position);
                assert!((weight - wanted).abs() < 1e-6, "{weight} {wanted}");
            }
        };
        near(&corpus.train.rows[0], &[(1, half), (2, half)]);
        near(&corpus.train.rows[1], &[(1, 1.0)]);
        near(&corpus.train.rows[2], &[]);
        // 4 log 2 and 1.5 log 4 = 3 log 2: a triangle of 3, 4 and 5.
        near(&corpus.test.rows[0], &[(1, 0.8), (2, 0.6)]);
        let labels: Vec<_> = corpus.train.examples(1).iter().map(|one| one.1).collect();
        assert_eq!(labels, [Pos, Pos, Neg, Neg]);
        assert_eq!((corpus.train.size(0), corpus.train.size(1)), (1, 2));
    }

    #[test]
    fn the_precision_of_a_ranking_is_that_of_a_calculation_by_hand() {
        let precision = |ranking: &[(f64, Sign)]| {
            let examples = ranking.iter().map(|(_, label)| (&[][..], *label));
            average_precision(ranking.iter().map(|(score, _)| *score), &examples.collect())
        };
        // Ranks 1, 3 and 4: (1/1 + 2/3 + 3/4) / 3.
        let ranking = [(0.9, Pos), (0.2, Neg), (0.5, Pos), (0.8, Neg), (0.3, Pos)];
        let wanted = (1.0 + 2.0 / 3.0 + 3.0 / 4.0) / 3.0;
        assert!((precision(&ranking) - wanted).abs() < 1e-12);
        assert_eq!(precision(&[(3.0, Pos), (2.0, Pos), (1.0, Neg)]), 1.0);
        // All on one place: the share of the topic.
        assert_eq!(
            precision(&[(1.0, Pos), (1.0, Neg), (1.0, Neg), (1.0, Neg)]),
            0.25
        );
        assert_eq!(precision(&[(1.0, Neg), (2.0, Neg)]), 0.0);
    }
}
