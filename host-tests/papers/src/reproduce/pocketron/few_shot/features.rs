//! Features of raw signals: six numbers a channel.

use crate::data::DenseData;

/// Features of each channel.
pub const EACH: usize = 6;

/// Replaces raw channels of `samples` values each by six features a channel.
pub fn of_channels(raw: &DenseData, samples: usize) -> DenseData {
    let features = |channel: &[f64]| summary(channel);
    let x: Vec<f64> = raw.x.chunks_exact(samples).flat_map(features).collect();
    DenseData {
        dim: raw.dim / samples * EACH,
        x,
        labels: raw.labels.clone(),
    }
}

/// Mean, standard deviation, minimum, maximum, zero crossings of the mean-free signal, and the mean absolute step.
fn summary(signal: &[f64]) -> [f64; EACH] {
    let mean_of = |values: &mut dyn Iterator<Item = f64>| {
        let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
        sum / f64::from(count.max(1))
    };
    let mean = mean_of(&mut signal.iter().copied());
    let variance = mean_of(&mut signal.iter().map(|value| (value - mean).powi(2)));
    let steps = || signal.windows(2);
    let crossings = steps().filter(|step| (step[0] >= mean) != (step[1] >= mean));
    [
        mean,
        variance.sqrt(),
        signal.iter().copied().fold(f64::INFINITY, f64::min),
        signal.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        crossings.count() as f64,
        mean_of(&mut steps().map(|step| (step[1] - step[0]).abs())),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_channel_becomes_six_numbers() {
        let raw = DenseData {
            dim: 8,
            x: vec![1.0, 3.0, 1.0, 3.0, 5.0, 5.0, 5.0, 9.0],
            labels: vec![1.0],
        };
        let made = of_channels(&raw, 4);
        assert_eq!(made.dim, 12);
        assert_eq!(made.row(0)[..6], [2.0, 1.0, 1.0, 3.0, 3.0, 2.0]);
        let second = [6.0, 3.0_f64.sqrt(), 5.0, 9.0, 1.0, 4.0 / 3.0];
        assert_eq!(made.row(0)[6..], second);
    }
}
