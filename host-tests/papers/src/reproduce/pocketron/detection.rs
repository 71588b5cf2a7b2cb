//! How well a rare class is found.

/// Scores of examples, and whether they were positive.
#[derive(Clone, Debug, Default)]
pub struct Detection {
    positive: Vec<f32>,
    negative: Vec<f32>,
}

impl Detection {
    /// One more example.
    pub fn add(&mut self, score: f32, positive: bool) {
        let scores = if positive {
            &mut self.positive
        } else {
            &mut self.negative
        };
        scores.push(score);
    }

    fn found(&self) -> f64 {
        raised(&self.positive)
    }

    fn false_alarms(&self) -> f64 {
        raised(&self.negative)
    }

    /// Share of the positive examples that were found.
    pub fn recall(&self) -> f64 {
        share(self.found(), self.positive.len() as f64)
    }

    /// Share of the alarms that were right; none if there was no alarm.
    pub fn precision(&self) -> f64 {
        share(self.found(), self.found() + self.false_alarms())
    }

    /// Mean of the shares of both classes that were right.
    pub fn balanced(&self) -> f64 {
        let silent = self.negative.len() as f64 - self.false_alarms();
        0.5 * (self.recall() + share(silent, self.negative.len() as f64))
    }

    /// Harmonic mean of recall and precision.
    pub fn f1(&self) -> f64 {
        let missed = self.positive.len() as f64 - self.found();
        share(
            2.0 * self.found(),
            2.0 * self.found() + missed + self.false_alarms(),
        )
    }

    /// Share of all examples that were right.
    pub fn accuracy(&self) -> f64 {
        let silent = self.negative.len() as f64 - self.false_alarms();
        let all = self.positive.len() + self.negative.len();
        share(self.found() + silent, all as f64)
    }

    /// Area under the curve of recall against false alarms: the share of pairs of both classes in which the
    /// positive example has the larger score, a tie being half.
    pub fn area(&self) -> f64 {
        area(&self.positive, &self.negative)
    }
}

/// The share of pairs in which the first is larger; a tie counts half.
pub fn area(larger: &[f32], smaller: &[f32]) -> f64 {
    let mut sorted = smaller.to_vec();
    sorted.sort_by(f32::total_cmp);
    let beaten = |score: &f32| {
        let below = sorted.partition_point(|other| other < score);
        let to = sorted.partition_point(|other| other <= score);
        0.5 * (below + to) as f64
    };
    let beaten: f64 = larger.iter().map(beaten).sum();
    share(beaten, larger.len() as f64 * sorted.len() as f64)
}

/// As in the papers, a score of zero is no alarm.
fn raised(scores: &[f32]) -> f64 {
    scores.iter().filter(|score| **score > 0.0).count() as f64
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_counts_pairs() {
        assert_eq!(area(&[2.0, 3.0], &[0.0, 1.0]), 1.0);
        assert_eq!(area(&[0.0], &[1.0]), 0.0);
        assert_eq!(area(&[1.0, 2.0], &[1.0, 2.0]), 0.5);
        assert_eq!(area(&[1.5, 0.5], &[1.0]), 0.5);
    }

    #[test]
    fn figures_of_six_examples_by_hand() {
        let mut seen = Detection::default();
        // Found, missed with a tie; a false alarm above nobody; silence.
        for (score, positive) in [(2.0, true), (-1.0, true)] {
            seen.add(score, positive);
        }
        for score in [1.0, -1.0, -2.0, -3.0] {
            seen.add(score, false);
        }
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        close(seen.recall(), 0.5);
        close(seen.precision(), 0.5);
        close(seen.balanced(), 0.625);
        close(seen.f1(), 0.5);
        close(seen.accuracy(), 4.0 / 6.0);
        // 2.0 beats four; -1.0 beats two and ties with one: 6.5 of 8.
        close(seen.area(), 6.5 / 8.0);
        close(Detection::default().f1(), 0.0);
    }
}
