//! Streams whose concept changes in the middle, at once or little by little.

use anyhow::{Context, Result};

use crate::{
    data::{Dense, DenseData, generate::Artificial, shuffle::SplitMix64},
    reproduce::{Bench, wv::Problem},
};

/// A stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stream {
    /// Its name.
    pub name: &'static str,
    /// Features.
    pub dim: usize,
    /// Examples.
    pub len: usize,
    /// How it changes.
    pub drift: DriftKind,
    points: Points,
    change: Change,
}

/// How a stream changes from its middle on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriftKind {
    /// At once, for good.
    Abrupt,
    /// Little by little, to the end.
    Gradual,
    /// At once, and back again after a 25th of the stream.
    Passing,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Points {
    /// A checkerboard with cells a third of the square's side, one label in ten wrong.
    Board,
    /// Wang and Vucetic's two normal distributions.
    Gauss,
    /// One of their problems, as its training part comes.
    Set(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    /// The concept turns by so many degrees.
    Turn(f64),
    /// Labels are swapped; where that is gradual, more and more of them.
    Swap,
    /// The sensor changes, and what is to be learned with it: all features are multiplied, then moved.
    Sensor { gain: f64, offset: f64 },
}

const fn stream(name: &'static str, dim: usize, len: usize, points: Points) -> Stream {
    Stream {
        name,
        dim,
        len,
        drift: DriftKind::Abrupt,
        points,
        change: Change::Swap,
    }
}

/// All of them.
pub const STREAMS: [Stream; 15] = [
    Stream {
        change: Change::Turn(45.0),
        ..stream("board turned", 2, 20_000, Points::Board)
    },
    Stream {
        change: Change::Turn(90.0),
        ..stream("gauss turned", 2, 20_000, Points::Gauss)
    },
    stream("gauss swapped", 2, 20_000, Points::Gauss),
    stream("pendigits swapped", 16, 7494, Points::Set("pendigits")),
    stream("usps swapped", 256, 7291, Points::Set("usps")),
    stream("waveform swapped", 21, 10_000, Points::Set("waveform")),
    Stream {
        change: Change::Turn(90.0),
        drift: DriftKind::Gradual,
        ..stream("board turning", 2, 20_000, Points::Board)
    },
    Stream {
        change: Change::Turn(180.0),
        drift: DriftKind::Gradual,
        ..stream("gauss turning", 2, 20_000, Points::Gauss)
    },
    Stream {
        drift: DriftKind::Gradual,
        ..stream("waveform swapping", 21, 10_000, Points::Set("waveform"))
    },
    Stream {
        drift: DriftKind::Passing,
        ..stream("gauss disturbed", 2, 20_000, Points::Gauss)
    },
    Stream {
        drift: DriftKind::Passing,
        ..stream("pendigits disturbed", 16, 7494, Points::Set("pendigits"))
    },
    Stream {
        drift: DriftKind::Passing,
        ..stream("waveform disturbed", 21, 10_000, Points::Set("waveform"))
    },
    Stream {
        change: SHIFT,
        ..stream("waveform shifted", 21, 10_000, Points::Set("waveform"))
    },
    Stream {
        change: SHIFT,
        drift: DriftKind::Gradual,
        ..stream("waveform shifting", 21, 10_000, Points::Set("waveform"))
    },
    Stream {
        change: Change::Sensor {
            gain: 4.0,
            offset: 0.0,
        },
        ..stream("pendigits amplified", 16, 7494, Points::Set("pendigits"))
    },
];

/// Ten or more standard deviations of Waveform's features.
const SHIFT: Change = Change::Sensor {
    gain: 1.0,
    offset: 20.0,
};

impl Stream {
    /// The files it needs.
    pub fn files(&self) -> Vec<String> {
        match self.points {
            Points::Set(set) => Problem::named(set).map_or(Vec::new(), Problem::files),
            _ => Vec::new(),
        }
    }

    /// How far the concept is from the first to the last, after a share of the stream.
    fn progress(&self, share: f64) -> f64 {
        match self.drift {
            _ if share < 0.5 => 0.0,
            DriftKind::Abrupt => 1.0,
            DriftKind::Gradual => 2.0 * share - 1.0,
            DriftKind::Passing => f64::from(u8::from(share < 0.54)),
        }
    }

    /// The examples of run `run`, in order.
    ///
    /// # Errors
    ///
    /// Data are missing.
    pub fn draw(&self, bench: &Bench, run: u64) -> Result<Dense<f32>> {
        let mut rng = SplitMix64::new(run);
        let mut share = move || rng.below(1 << 30) as f64 / (1_u64 << 30) as f64;
        let mut data = match self.points {
            Points::Board => self.board(&mut share),
            Points::Gauss => Artificial::Gauss.draw(self.len, run),
            Points::Set(set) => {
                let problem = Problem::named(set).with_context(|| format!("no set {set}"))?;
                problem.raw(bench, run)?.0
            }
        };
        for row in 0..data.len() {
            let progress = self.progress(row as f64 / data.len() as f64);
            match (self.change, self.points) {
                // The board has turned already: its points stay where they are.
                (Change::Turn(_), Points::Board) => {}
                (Change::Turn(degrees), _) => {
                    let x = &mut data.x[row * self.dim..(row + 1) * self.dim];
                    let turned = turn([x[0], x[1]], progress * degrees);
                    x.copy_from_slice(&turned);
                }
                (Change::Sensor { gain, offset }, _) => {
                    for x in &mut data.x[row * self.dim..(row + 1) * self.dim] {
                        *x = *x * (1.0 + progress * (gain - 1.0)) + progress * offset;
                    }
                }
                (Change::Swap, _) => {
                    if share() < progress {
                        data.labels[row] = -data.labels[row];
                    }
                }
            }
        }
        Ok(data.to_f32()?)
    }

    fn board(&self, share: &mut impl FnMut() -> f64) -> DenseData {
        let Change::Turn(degrees) = self.change else {
            return DenseData {
                dim: 2,
                x: Vec::new(),
                labels: Vec::new(),
            };
        };
        let mut data = DenseData {
            dim: 2,
            x: Vec::with_capacity(2 * self.len),
            labels: Vec::with_capacity(self.len),
        };
        for row in 0..self.len {
            let x = [2.0 * share() - 1.0, 2.0 * share() - 1.0];
            let progress = self.progress(row as f64 / self.len as f64);
            let [a, b] = turn(x, -progress * degrees);
            let cell = |along: f64| libm::floor(1.5 * (along + 1.0)) as i64;
            let positive = (cell(a) + cell(b)).rem_euclid(2) == 0;
            let wrong = share() < 0.1;
            data.x.extend(x);
            data.labels.push(if positive != wrong { 1.0 } else { -1.0 });
        }
        data
    }
}

fn turn([x, y]: [f64; 2], degrees: f64) -> [f64; 2] {
    let (sin, cos) = libm::sincos(degrees.to_radians());
    [cos * x - sin * y, sin * x + cos * y]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> (Stream, Dense<f32>) {
        let stream = STREAMS.into_iter().find(|stream| stream.name == name);
        let stream = stream.expect("a stream");
        let data = stream.draw(&Bench::new(None), 3).expect("it is drawn");
        assert_eq!((data.dim, data.len()), (stream.dim, stream.len));
        (stream, data)
    }

    #[test]
    fn before_the_middle_nothing_has_changed() {
        for (one, other) in [
            ("board turned", "board turning"),
            ("gauss turned", "gauss swapped"),
            ("waveform swapped", "waveform swapping"),
            ("waveform shifted", "waveform shifting"),
        ] {
            let ((stream, a), (_, b)) = (named(one), named(other));
            let half = stream.len / 2;
            assert_eq!(a.x[..half * a.dim], b.x[..half * a.dim], "{one}");
            assert_eq!(a.labels[..half], b.labels[..half], "{one}");
            assert!(a.x != b.x || a.labels != b.labels, "{one}");
        }
    }

    #[test]
    fn the_board_is_as_wrong_as_it_says_and_turns_into_itself() {
        let (_, data) = named("board turning");
        let right = |rows: std::ops::Range<usize>| {
            let right = rows.clone().filter(|row| {
                let x = data.row(*row);
                let cell = |along: f32| (1.5 * (along + 1.0)).floor() as i32;
                ((cell(x[0]) + cell(x[1])) % 2 == 0) == (data.labels[*row] > 0.0)
            });
            right.count() as f64 / rows.len() as f64
        };
        assert!((right(0..10_000) - 0.9).abs() < 0.02);
        // A quarter of a turn is none; half of that is another board.
        assert!((right(19_900..20_000) - 0.9).abs() < 0.1);
        assert!((right(14_500..15_500) - 0.9).abs() > 0.2);
    }

    #[test]
    fn a_disturbance_passes() {
        let ((_, disturbed), (_, swapped)) = (named("gauss disturbed"), named("gauss swapped"));
        let differs = |row: &usize| disturbed.labels[*row] != swapped.labels[*row];
        let rows: Vec<usize> = (0..20_000).filter(differs).collect();
        assert_eq!(rows, (10_800..20_000).collect::<Vec<_>>());
        assert_eq!(disturbed.x, swapped.x);
    }

    #[test]
    fn labels_that_swap_little_by_little_are_mixed_half_way() {
        let (_, data) = named("waveform swapping");
        let (_, swapped) = named("waveform swapped");
        let agree = |rows: std::ops::Range<usize>| {
            let same = rows
                .clone()
                .filter(|row| data.labels[*row] == swapped.labels[*row]);
            same.count() as f64 / rows.len() as f64
        };
        assert!(agree(9800..10_000) > 0.95);
        assert!((agree(7300..7700) - 0.5).abs() < 0.1);
    }
}
