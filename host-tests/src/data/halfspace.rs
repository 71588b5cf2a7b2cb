//! Khardon and Wachman's artificial sets: two sides of a plane, a margin between them, and noise.

use super::dense::DenseData;
use super::shuffle::SplitMix64;

/// Points with whole coordinates on both sides of a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    /// Features of a point, each an integer from -10 to 10.
    pub dim: usize,
    /// No point is nearer to the plane than this share of its threshold.
    pub margin: f64,
    /// Share of the labels that are turned round.
    pub noise: f64,
}

/// A plane `w . x = threshold`.
#[derive(Clone, Debug, PartialEq)]
struct Plane {
    weights: Vec<f64>,
    threshold: f64,
}

impl Plane {
    fn product(&self, x: &[f64]) -> f64 {
        self.weights.iter().zip(x).map(|(w, x)| w * x).sum()
    }

    /// `w` is the sum of those points on which a coin falls heads, the threshold half the mean of `|w . x|`.
    fn through(points: &[Vec<f64>], coin: &mut SplitMix64) -> Self {
        let mut plane = Plane {
            weights: vec![0.0; points.first().map_or(0, Vec::len)],
            threshold: 0.0,
        };
        for x in points.iter().filter(|_| coin.below(2) == 1) {
            plane.weights.iter_mut().zip(x).for_each(|(w, x)| *w += x);
        }
        let sum: f64 = points.iter().map(|x| plane.product(x).abs()).sum();
        plane.threshold = 0.5 * sum / points.len() as f64;
        plane
    }
}

impl HalfSpace {
    /// `n` points out of a seed. The plane is made of the first `n` that are drawn; those that lie within the
    /// margin are replaced by others.
    pub fn draw(&self, n: usize, seed: u64) -> DenseData {
        let mut rng = SplitMix64::new(seed);
        let point = |rng: &mut SplitMix64| -> Vec<f64> {
            let coordinates = (0..self.dim).map(|_| rng.below(21) as f64 - 10.0);
            coordinates.collect()
        };
        let mut points: Vec<_> = (0..n).map(|_| point(&mut rng)).collect();
        let plane = Plane::through(&points, &mut rng);
        let outside =
            |x: &[f64]| (plane.product(x) - plane.threshold).abs() >= self.margin * plane.threshold;
        points.retain(|x| outside(x));
        while points.len() < n {
            let x = point(&mut rng);
            if outside(&x) {
                points.push(x);
            }
        }
        let label = |x: &Vec<f64>| {
            let side = if plane.product(x) > plane.threshold {
                1.0
            } else {
                -1.0
            };
            let chance = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            if chance < self.noise { -side } else { side }
        };
        DenseData {
            dim: self.dim,
            labels: points.iter().map(label).collect(),
            x: points.concat(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLEAN: HalfSpace = HalfSpace {
        dim: 50,
        margin: 0.25,
        noise: 0.0,
    };

    /// The same points and, as another noise turns only labels round, their true labels.
    fn truth(set: HalfSpace, seed: u64) -> DenseData {
        HalfSpace { noise: 0.0, ..set }.draw(600, seed)
    }

    #[test]
    fn coordinates_are_whole_numbers_up_to_ten() {
        let data = CLEAN.draw(600, 1);
        assert_eq!((data.len(), data.dim), (600, 50));
        assert!(data.x.iter().all(|x| x.fract() == 0.0 && x.abs() <= 10.0));
        let mean = data.x.iter().sum::<f64>() / data.x.len() as f64;
        let square = data.x.iter().map(|x| x * x).sum::<f64>() / data.x.len() as f64;
        // 21 equally likely numbers have the variance (21^2 - 1) / 12.
        assert!(
            mean.abs() < 0.2 && (square - 440.0 / 12.0).abs() < 1.0,
            "{mean} {square}"
        );
    }

    #[test]
    fn a_perceptron_separates_what_has_no_noise() {
        for seed in 1..4 {
            let data = HalfSpace {
                margin: 0.75,
                ..CLEAN
            }
            .draw(600, seed);
            let (mut w, mut b) = (vec![0.0; data.dim], 0.0);
            let mut mistakes = 1;
            for _ in 0..2000 {
                mistakes = 0;
                for (x, y) in data.iter() {
                    let score: f64 = w.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + b;
                    if y * score <= 0.0 {
                        w.iter_mut().zip(x).for_each(|(w, x)| *w += y * x);
                        b += y * 1800.0;
                        mistakes += 1;
                    }
                }
                if mistakes == 0 {
                    break;
                }
            }
            assert_eq!(mistakes, 0, "seed {seed}");
        }
    }

    #[test]
    fn noise_turns_its_share_of_labels_round() {
        for noise in [0.05, 0.25] {
            let set = HalfSpace { noise, ..CLEAN };
            let turned: usize = (0..20)
                .map(|seed| {
                    let (noisy, true_labels) = (set.draw(600, seed), truth(set, seed));
                    assert_eq!(noisy.x, true_labels.x);
                    let pairs = noisy.labels.iter().zip(&true_labels.labels);
                    pairs.filter(|(a, b)| a != b).count()
                })
                .sum();
            let share = turned as f64 / 12_000.0;
            assert!((share - noise).abs() < 0.015, "{share}");
        }
    }

    #[test]
    fn fewer_points_are_positive_as_the_threshold_is() {
        // |w . x| has the mean 0.8 s, so that the threshold is 0.4 s.
        let positive: usize = (0..20)
            .map(|seed| CLEAN.draw(600, seed))
            .map(|data| data.labels.iter().filter(|y| **y > 0.0).count())
            .sum();
        let share = positive as f64 / 12_000.0;
        assert!((0.3..0.5).contains(&share), "{share}");
    }

    #[test]
    fn the_plane_is_the_sum_of_about_half_the_points() {
        let points: Vec<_> = (0..100).map(|_| vec![1.0, 2.0]).collect();
        let plane = Plane::through(&points, &mut SplitMix64::new(3));
        let heads = plane.weights[0];
        assert!((30.0..70.0).contains(&heads));
        assert_eq!(plane.weights[1], 2.0 * heads);
        assert_eq!(plane.threshold, 0.5 * 5.0 * heads);
    }
}
