//! Artificial sets of any size, each drawn from a seed.
//!
//! The functions of `libm` are the same on every machine, those of `std` need not be.

use super::dense::DenseData;
use super::rng::TestRng;

/// A distribution of labelled points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Artificial {
    /// A disk in two colours with an eye in each half: far from linear, no noise.
    YinYang,
    /// Two normal distributions in 20 dimensions, one inside of the other.
    RingNorm,
    /// In 20 dimensions, two normal distributions against one.
    ThreeNorm,
    /// Wang and Vucetic's 4 x 4 checkerboard.
    Checkerboard,
    /// The same with 15 % of the labels turned round.
    NoisyCheckerboard,
    /// Two normal distributions in the plane that overlap, one twice as wide as the other.
    Gauss,
    /// Breiman's waves: the first of his three classes against the others, 21 features.
    Waveform,
}

impl Artificial {
    /// All of them by name.
    pub const ALL: [(&'static str, Self); 7] = [
        ("yinyang", Artificial::YinYang),
        ("ringnorm", Artificial::RingNorm),
        ("threenorm", Artificial::ThreeNorm),
        ("checkerboard", Artificial::Checkerboard),
        ("ncheckerboard", Artificial::NoisyCheckerboard),
        ("gauss", Artificial::Gauss),
        ("waveform", Artificial::Waveform),
    ];

    /// The distribution of that name.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find_map(|(own, set)| (own == name).then_some(set))
    }

    /// Features of a point.
    pub const fn dim(self) -> usize {
        match self {
            Artificial::YinYang
            | Artificial::Checkerboard
            | Artificial::NoisyCheckerboard
            | Artificial::Gauss => 2,
            Artificial::RingNorm | Artificial::ThreeNorm => 20,
            Artificial::Waveform => 21,
        }
    }

    /// `n` points out of a seed.
    pub fn draw(self, n: usize, seed: u64) -> DenseData {
        let mut rng = TestRng::new(seed);
        let mut data = DenseData {
            dim: self.dim(),
            x: Vec::with_capacity(n * self.dim()),
            labels: Vec::with_capacity(n),
        };
        for _ in 0..n {
            let (x, positive) = match self {
                Artificial::YinYang => rng.yinyang(),
                Artificial::RingNorm => rng.ringnorm(),
                Artificial::ThreeNorm => rng.threenorm(),
                Artificial::Checkerboard => rng.checkerboard(0.0),
                Artificial::NoisyCheckerboard => rng.checkerboard(0.15),
                Artificial::Gauss => rng.gauss(),
                Artificial::Waveform => rng.waveform(),
            };
            data.x.extend(x);
            data.labels.push(if positive { 1.0 } else { -1.0 });
        }
        data
    }
}

/// Points of a distribution, as a name says it: `gauss:5000`, or `gauss:5000:2` for those of another seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The distribution.
    pub set: Artificial,
    /// Points.
    pub rows: usize,
    /// Seed they are drawn from: 1 unless the name says another.
    pub seed: u64,
}

impl Sample {
    /// The most points.
    pub const LIMIT: usize = 1_000_000;

    /// What a name stands for; nothing if it does not begin with that of a distribution.
    ///
    /// # Errors
    ///
    /// It does, and says nothing sensible behind it; the message tells what would be.
    pub fn parse(name: &str) -> Option<Result<Self, String>> {
        let mut words = name.split(':');
        let own = words.next()?;
        let set = Artificial::named(own)?;
        let rows = words.next().and_then(|rows| rows.parse().ok());
        let seed = words.next().map_or(Some(1), |seed| seed.parse().ok());
        Some(match (rows, seed, words.next()) {
            (Some(rows @ 1..=Self::LIMIT), Some(seed), None) => Ok(Sample { set, rows, seed }),
            _ => Err(format!(
                "`{own}` is drawn from a seed: `{own}:5000` are 5000 rows of it (at most {} are possible), \
                 `{own}:5000:2` others",
                Self::LIMIT
            )),
        })
    }

    /// The points.
    pub fn draw(self) -> DenseData {
        self.set.draw(self.rows, self.seed)
    }
}

/// Whether a point belongs to the light half. The symbol has radius 1, its eyes
/// 0.18; beyond its edge the halves go on, divided by the first axis.
fn is_light(x: f64, y: f64) -> bool {
    const EYE: f64 = 0.18;
    let (right, left) = (libm::hypot(x - 0.5, y), libm::hypot(x + 0.5, y));
    right <= EYE || (left > EYE && left <= 0.5) || (y > 0.0 && right > 0.5 && left > 0.5)
}

impl TestRng {
    /// Evenly out of a disk of radius 1.1.
    fn yinyang(&mut self) -> (Vec<f64>, bool) {
        const RADIUS: f64 = 1.1;
        loop {
            let (x, y) = (2.0 * self.unit() - 1.0, 2.0 * self.unit() - 1.0);
            if libm::hypot(x, y) <= 1.0 {
                let (x, y) = (RADIUS * x, RADIUS * y);
                return (vec![x, y], is_light(x, y));
            }
        }
    }

    /// Variance 4 around 0, or variance 1 around `1 / sqrt(20)` in every feature.
    fn ringnorm(&mut self) -> (Vec<f64>, bool) {
        let positive = self.unit() < 0.5;
        let (sd, mean) = if positive {
            (2.0, 0.0)
        } else {
            (1.0, 1.0 / 20_f64.sqrt())
        };
        (
            (0..20).map(|_| mean + sd * self.gaussian()).collect(),
            positive,
        )
    }

    /// Variance 1 around `a` or `-a` in every feature, or around `a, -a, a, ...`, with `a = 2 / sqrt(20)`.
    fn threenorm(&mut self) -> (Vec<f64>, bool) {
        let positive = self.unit() < 0.5;
        let side = if self.unit() < 0.5 { 1.0 } else { -1.0 };
        let a = 2.0 / 20_f64.sqrt();
        let mean = |feature: i32| match positive {
            true => side * a,
            false => a * f64::from(1 - 2 * (feature % 2)),
        };
        let x = (0..20).map(|feature| mean(feature) + self.gaussian());
        (x.collect(), positive)
    }

    /// Fields of side 1, a share of whose labels is turned round.
    fn checkerboard(&mut self, flipped: f64) -> (Vec<f64>, bool) {
        let (x, y) = (4.0 * self.unit(), 4.0 * self.unit());
        let field = (x as u32 + y as u32).is_multiple_of(2);
        (vec![x, y], field != (self.unit() < flipped))
    }

    /// Variance 1 around (0, 0), or variance 4 around (2, 0).
    fn gauss(&mut self) -> (Vec<f64>, bool) {
        let positive = self.unit() < 0.5;
        let (sd, mean) = if positive { (1.0, 0.0) } else { (2.0, 2.0) };
        (
            vec![mean + sd * self.gaussian(), sd * self.gaussian()],
            positive,
        )
    }

    /// A random mixture of two of three triangles, with noise of variance 1.
    fn waveform(&mut self) -> (Vec<f64>, bool) {
        let triangle = |feature: i32, top: i32| f64::from((6 - (feature - top).abs()).max(0));
        let class = self.below(3);
        let (one, other) = [(7, 15), (7, 11), (15, 11)][class as usize];
        let share = self.unit();
        let wave =
            |feature| share * triangle(feature, one) + (1.0 - share) * triangle(feature, other);
        let x = (1..=21).map(|feature| wave(feature) + self.gaussian());
        (x.collect(), class > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_of_the_symbol_are_mirror_images() {
        let all = Artificial::YinYang.draw(2000, 1);
        for (x, label) in all.iter() {
            assert!(x[0].hypot(x[1]) <= 1.1);
            assert_eq!(is_light(x[0], x[1]), label > 0.0);
            assert_ne!(is_light(-x[0], -x[1]), label > 0.0, "{x:?}");
        }
        // An eye of the other colour in each head.
        assert!(is_light(0.5, 0.1) && !is_light(0.5, 0.3));
        assert!(!is_light(-0.5, 0.1) && is_light(-0.5, 0.3));
        assert!(is_light(0.0, 1.05) && !is_light(0.0, -1.05));
    }

    #[test]
    fn normal_sets_have_their_means_and_variances() {
        for set in [Artificial::RingNorm, Artificial::ThreeNorm] {
            let data = set.draw(20_000, 3);
            for wanted in [1.0, -1.0] {
                let own: Vec<f64> = data
                    .iter()
                    .filter(|(_, label)| *label == wanted)
                    .map(|(x, _)| x[0])
                    .collect();
                let mean = own.iter().sum::<f64>() / own.len() as f64;
                let square = own.iter().map(|x| x * x).sum::<f64>() / own.len() as f64;
                let (expected_mean, expected_square) = match (set, wanted > 0.0) {
                    (Artificial::RingNorm, true) => (0.0, 4.0),
                    (Artificial::RingNorm, false) => (0.2236, 1.05),
                    (_, true) => (0.0, 1.2),
                    (_, false) => (0.4472, 1.2),
                };
                assert!((mean - expected_mean).abs() < 0.06, "{set:?} {mean}");
                assert!((square - expected_square).abs() < 0.15, "{set:?} {square}");
            }
        }
    }

    /// One feature does not tell the corners apart, pairs of features do.
    #[test]
    fn threenorm_has_its_means_in_three_corners() {
        let data = Artificial::ThreeNorm.draw(20_000, 5);
        // a^2 = 4 / 20, up to the deviation of a mean of 10,000 products.
        let near = |value: f64, expected: f64| (value - expected).abs() < 0.05;
        for i in 0..20 {
            let mean = |wanted: f64, figure: &dyn Fn(&[f64]) -> f64| {
                let own = data.iter().filter(|(_, label)| *label == wanted);
                let (sum, count) = own.fold((0.0, 0), |(sum, count), (x, _)| {
                    (sum + figure(x), count + 1)
                });
                sum / f64::from(count)
            };
            let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
            assert!(near(mean(-1.0, &|x| x[i]), sign * 0.2_f64.sqrt()), "{i}");
            assert!(near(mean(1.0, &|x| x[i]), 0.0), "{i}");
            // The positive class is at a or at -a in all features alike.
            let j = (i + 1) % 20;
            assert!(near(mean(1.0, &|x| x[i] * x[j]), 0.2), "{i}");
            assert!(near(mean(-1.0, &|x| x[i] * x[j]), -0.2), "{i}");
        }
    }

    #[test]
    fn neighbours_on_the_board_differ_but_for_the_noise() {
        let truth = |x: &[f64]| (x[0].floor() + x[1].floor()) % 2.0 == 0.0;
        let right = |set: Artificial| {
            let board = set.draw(20_000, 5);
            let right = board.iter().filter(|(x, label)| truth(x) == (*label > 0.0));
            right.count() as f64 / 20_000.0
        };
        assert_eq!(right(Artificial::Checkerboard), 1.0);
        let noisy = right(Artificial::NoisyCheckerboard);
        assert!((noisy - 0.85).abs() < 0.01, "{noisy}");
    }

    #[test]
    fn a_third_of_the_waves_is_of_the_first_class() {
        let waves = Artificial::Waveform.draw(30_000, 2);
        let share = waves.labels.iter().filter(|label| **label < 0.0).count() as f64 / 30_000.0;
        assert!((share - 1.0 / 3.0).abs() < 0.01, "{share}");
        // Only the other classes have the triangle in the middle.
        let mean = |sign: f64| {
            let own = waves.iter().filter(|(_, label)| *label == sign);
            let own: Vec<f64> = own.map(|(x, _)| x[10]).collect();
            own.iter().sum::<f64>() / own.len() as f64
        };
        let (first, others) = (mean(-1.0), mean(1.0));
        assert!((first - 2.0).abs() < 0.05, "{first}");
        assert!((others - 4.0).abs() < 0.05, "{others}");
    }

    #[test]
    fn the_wide_half_of_gauss_lies_around_two() {
        let data = Artificial::Gauss.draw(20_000, 4);
        let wide: Vec<_> = data.iter().filter(|(_, label)| *label < 0.0).collect();
        let n = wide.len() as f64;
        let mean = wide.iter().map(|(x, _)| x[0]).sum::<f64>() / n;
        let square = wide.iter().map(|(x, _)| x[1] * x[1]).sum::<f64>() / n;
        assert!(
            (mean - 2.0).abs() < 0.1 && (square - 4.0).abs() < 0.2,
            "{mean} {square}"
        );
    }

    #[test]
    fn a_seed_names_its_points() {
        let draw = |seed| Artificial::YinYang.draw(10, seed);
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }
}
