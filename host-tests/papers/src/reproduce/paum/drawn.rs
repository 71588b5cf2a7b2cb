//! A small corpus out of a seed: documents of counted words, with topics of very different sizes.
//!
//! Only integers are drawn, so that the documents are the same on every machine.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use crate::data::{Dataset, Row, names, shuffle::SplitMix64};

/// Topics: more than 30, as the tables have a column for the last 30.
pub const TOPICS: usize = 40;

/// Documents to learn and to rank.
const DOCUMENTS: [usize; 2] = [600, 300];

/// Words that all documents share: so few that no plane separates the larger topics.
const WORDS: u64 = 60;

/// Words that a topic has more often than others.
const OWN: u64 = 6;

/// Documents to learn, and documents to rank.
///
/// # Errors
///
/// None: words are in their order.
pub fn parts() -> Result<(Dataset, Dataset)> {
    let mut rng = SplitMix64::new(1);
    let own: Vec<Vec<u64>> = (0..TOPICS)
        .map(|_| (0..OWN).map(|_| rng.below(WORDS)).collect())
        .collect();
    let [train, test] = DOCUMENTS.map(|count| -> Result<Dataset> {
        let rows = (0..count).map(|number| document(number, &own, &mut rng));
        Ok(Dataset::new(
            names::TOPICS,
            rows.collect::<Result<Vec<_>>>()?,
        ))
    });
    Ok((train?, test?))
}

/// A number below `bound`, the smaller, the likelier: drawn so many times, each time not above the last.
fn small(rng: &mut SplitMix64, bound: u64, times: u32) -> u64 {
    (0..times).fold(bound, |below, _| 1 + rng.below(below)) - 1
}

/// A document of one topic, a third of whose words are its topic's own; one in four also belongs to a topic that its
/// words do not tell.
fn document(number: usize, own: &[Vec<u64>], rng: &mut SplitMix64) -> Result<Row> {
    let mut topic = || small(rng, TOPICS as u64, 3) as usize;
    // The first ones see to it that no topic is empty.
    let told = if number < 2 * TOPICS {
        number % TOPICS
    } else {
        topic()
    };
    let untold = (number % 4 == 3).then(topic);
    let topics = BTreeSet::from_iter(untold.into_iter().chain([told]));
    let mut counts = BTreeMap::new();
    for _ in 0..20 + rng.below(20) {
        let word = match rng.below(3) {
            0 => own[told][rng.below(OWN) as usize],
            _ => small(rng, WORDS, 2),
        };
        *counts.entry(word as u32 + 1).or_insert(0.0) += 1.0;
    }
    let mut row = Row::new(topics.into_iter().map(|topic| topic as f64).collect());
    for (word, count) in counts {
        row.push(word, count)?;
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_large_and_small_and_none_is_empty() {
        let (train, test) = parts().unwrap();
        for part in [&train, &test] {
            let size = |topic| {
                part.rows()
                    .iter()
                    .filter(|row| row.has_any(&[topic as f64]))
                    .count()
            };
            let sizes: Vec<_> = (0..TOPICS).map(size).collect();
            assert!(sizes.iter().all(|size| *size >= 2), "{sizes:?}");
            assert!(5 * sizes[TOPICS - 1] < sizes[0], "{sizes:?}");
        }
    }

    #[test]
    fn the_documents_are_always_the_same() {
        let (train, _) = parts().unwrap();
        assert_eq!(train.rows(), parts().unwrap().0.rows());
        assert_eq!(train.len(), DOCUMENTS[0]);
    }
}
