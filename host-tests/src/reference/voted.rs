//! The voted perceptron (Freund, Schapire 1999), kernel form: each mistake opens a new hypothesis.
//!
//! v_1 = 0 with c_1 = 0 votes. A right prediction adds a vote to the present hypothesis; a mistake
//! opens v_k+1 = v_k + y k(x, .) with c_k+1 = 1. v_1 never predicts rightly and so never gets a
//! vote.

use super::Kernel;

/// The hypotheses as prefixes of one list of support vectors: v_1 has none of them, v_2 the first,
/// and so on.
#[derive(Clone, Debug, PartialEq)]
pub struct Voted {
    /// The rows whose mistakes opened v_2, v_3, ...
    pub sv: Vec<usize>,
    /// The labels of those rows.
    pub sign: Vec<f64>,
    /// c_1 = 0, c_2, c_3, ...: the votes, one more than there are rows.
    pub counts: Vec<f64>,
}

impl Voted {
    /// The score of the last hypothesis.
    pub fn last(&self, kernel: Kernel, data: &[(Vec<f64>, f64)], x: &[f64]) -> f64 {
        self.sv
            .iter()
            .zip(&self.sign)
            .map(|(&row, sign)| sign * kernel.value(&data[row].0, x))
            .sum()
    }

    /// The vote: sum_k c_k sign(v_k(x)), each v_k a prefix of the list. A hypothesis that scores 0
    /// abstains.
    pub fn vote(&self, kernel: Kernel, data: &[(Vec<f64>, f64)], x: &[f64]) -> f64 {
        let (mut f, mut vote) = (0.0, 0.0);
        for ((&row, sign), count) in self.sv.iter().zip(&self.sign).zip(&self.counts[1..]) {
            f += sign * kernel.value(&data[row].0, x);
            vote += if f == 0.0 {
                0.0
            } else {
                f64::signum(f) * count
            };
        }
        vote
    }
}

/// Trains on `data` in the given order, `epochs` times.
pub fn voted(kernel: Kernel, data: &[(Vec<f64>, f64)], epochs: usize) -> Voted {
    let mut voted = Voted {
        sv: vec![],
        sign: vec![],
        counts: vec![0.0],
    };
    for _ in 0..epochs {
        for (row, (x, y)) in data.iter().enumerate() {
            if y * voted.last(kernel, data, x) <= 0.0 {
                voted.sv.push(row);
                voted.sign.push(*y);
                voted.counts.push(1.0);
            } else if let Some(count) = voted.counts.last_mut() {
                *count += 1.0;
            }
        }
    }
    voted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_casts_one_vote() {
        let data = vec![
            (vec![1.0, 0.2], 1.0),
            (vec![-0.5, 1.0], -1.0),
            (vec![0.3, 0.4], 1.0),
            (vec![-1.0, -1.0], -1.0),
        ];
        let voted = voted(Kernel::Linear, &data, 5);
        assert_eq!(voted.counts.iter().sum::<f64>(), 20.0);
        // The last hypothesis has the most votes here and the data are separable, so the vote is
        // right everywhere.
        assert!(
            data.iter()
                .all(|(x, y)| y * voted.vote(Kernel::Linear, &data, x) > 0.0)
        );
    }
}
