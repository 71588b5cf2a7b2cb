//! Accuracy against the bytes of the model: what a byte is worth to each policy.

use anyhow::Result;

use super::{
    problem::Problem,
    runs::{self, ComparedLearner},
};
use crate::{
    learner::{Algorithm, Format},
    plot::{Axis, COLOURS, Lines, Trend},
    reproduce::{About, Cell, Experiment, FinishedCells, Line, Pictures, Scope},
    spread::Spread,
};

/// A learner over features of some format.
type LearnerFormat = (ComparedLearner, Format);

/// Everybody with a budget, but for Tighter-Full, whose memory has no bound.
const LEARNER_FORMATS: [LearnerFormat; 16] = [
    (runs::POCKETRON, Format::I8),
    (runs::BSGD, Format::I8),
    (runs::MERGING, Format::I8),
    (runs::BSGD, Format::F32),
    (runs::MERGING, Format::F32),
    (runs::TIGHTEST, Format::F32),
    (runs::TIGHTER, Format::F32),
    (runs::TIGHTER_0, Format::F32),
    (runs::PROJECTRON, Format::F32),
    (runs::PROJECTRON_PLUS, Format::F32),
    (runs::BPA_S, Format::F32),
    (runs::STOPTRON, Format::F32),
    (runs::FORGETRON, Format::F32),
    (runs::RANDOM, Format::F32),
    (runs::REMOVE_OLDEST, Format::F32),
    (runs::FIXED, Format::F32),
];

/// Small, noisy, of many kinds: two, 16 and 21 features.
const SETS: [&str; 5] = ["banana", "ncheckerboard", "letter", "pendigits", "waveform"];

/// Bytes of a model: 256 to 64 KB.
const BYTES: [usize; 9] = [256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];

/// Accuracy against bytes.
pub struct Bytes;

impl Experiment for Bytes {
    fn about(&self) -> About {
        About {
            name: "bytes",
            title: "accuracy against the bytes of the model, mean of five sets",
            remarks: "No paper's table: as many support vectors as the bytes allow, on the problems and with the \
                     kernels of wv2 (Banana, NCheckerboard, Letter, Pendigits, Waveform), one pass in three orders. Pocketron and `i8` keep features as bytes and \
                     standardise in the stream, and the scale is paid out of their bytes; the others get `f32` features that were standardised beforehand, \
                     for nothing. Pocketron knows no kernel width; BSGD knows the length of the stream. Merging and Projectron++ (tolerance 0.1) \
                     learn while `y f <= 1`. Tighter-Full is left out: it keeps all that it sees, and at a budget of thousands a removal compares \
                     all of that with all vectors. Where the bytes do not hold a single vector there is no point; where they hold more \
                     than a learner has mistakes it is the learner without a budget.",
            sets: &SETS,
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for problem in problems(scope) {
            for run in orders(scope) {
                for compared in &LEARNER_FORMATS {
                    let (learner, format) = compared;
                    let budgets =
                        limits(scope).filter_map(|bytes| budget(compared, problem.dim, bytes));
                    cells.extend(
                        budgets.map(|budget| {
                            runs::cell_in(*format, problem, learner, Some(budget), run)
                        }),
                    );
                }
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let mut lines = Vec::new();
        for (block, sets) in blocks(scope) {
            for bytes in limits(scope) {
                for compared in &LEARNER_FORMATS {
                    lines.push(Line::percent(
                        block.clone(),
                        format!("{bytes} bytes"),
                        name(compared),
                        accuracy(compared, &sets, bytes, scope, kept),
                    ));
                }
            }
        }
        lines
    }

    fn pictures(&self, scope: &Scope, kept: &FinishedCells, to: &mut Pictures<'_>) -> Result<()> {
        for (block, sets) in blocks(scope) {
            let trends = LEARNER_FORMATS
                .iter()
                .enumerate()
                .map(|(number, compared)| {
                    let points = limits(scope).filter_map(|bytes| {
                        let accuracy = accuracy(compared, &sets, bytes, scope, kept)?;
                        Some((bytes as f64, accuracy.mean, 0.0))
                    });
                    Trend {
                        name: name(compared),
                        colour: number % COLOURS,
                        // There are fewer colours than policies.
                        dashed: number >= COLOURS,
                        points: points.collect(),
                    }
                });
            let trends: Vec<_> = trends.filter(|trend| !trend.points.is_empty()).collect();
            if trends.is_empty() {
                continue;
            }
            let file = match sets[..] {
                [alone] => format!("{}-{}", self.name(), alone.name),
                _ => self.name().to_owned(),
            };
            let chart = Lines {
                title: &format!("What a byte is worth: {block}"),
                axes: [
                    Axis::logarithmic("bytes of the model"),
                    Axis::even("accuracy (%)"),
                ],
                lines: &trends,
            };
            let caption = format!("accuracy against the bytes of the model: {block}");
            to.add(&file, &caption, |path| chart.write(path))?;
        }
        Ok(())
    }
}

/// The mean of all sets, then each of them.
fn blocks(scope: &Scope) -> Vec<(String, Vec<&'static Problem>)> {
    let all: Vec<_> = problems(scope).collect();
    let alone = all.iter().map(|set| (set.name.to_owned(), vec![*set]));
    let alone: Vec<_> = alone.collect();
    let mean = (all.len() > 1).then(|| (format!("mean of {} sets", all.len()), all));
    mean.into_iter().chain(alone).collect()
}

/// Its name in tables.
fn name((learner, format): &LearnerFormat) -> String {
    match format {
        Format::I8 if !learner.algorithm.is_pocketron() => format!("{} i8", learner.name),
        _ => learner.name.to_owned(),
    }
}

fn problems(scope: &Scope) -> impl Iterator<Item = &'static Problem> {
    let wanted = SETS.iter().filter(|set| scope.wants_set(set));
    let drawn = |set: &&&str| !scope.quick || **set == "waveform";
    wanted.filter(drawn).filter_map(|set| Problem::named(set))
}

fn orders(scope: &Scope) -> std::ops::Range<u64> {
    scope.runs(3, 1)
}

fn limits(scope: &Scope) -> impl Iterator<Item = usize> {
    let quick = scope.quick;
    let all = BYTES.into_iter();
    all.filter(move |bytes| !quick || [512, 2048].contains(bytes))
}

/// Mean over the sets, and its deviation over the orders; only where all sets are finished.
fn accuracy(
    compared: &LearnerFormat,
    sets: &[&Problem],
    bytes: usize,
    scope: &Scope,
    kept: &FinishedCells,
) -> Option<Spread> {
    let (learner, format) = compared;
    let mean = |run: u64| {
        let one = |problem: &&Problem| {
            let budget = budget(compared, problem.dim, bytes)?;
            let name = runs::name_in(*format, problem, learner, Some(budget), run);
            kept.figure(&name, "accuracy")
        };
        let all: Option<Vec<f64>> = sets.iter().map(one).collect();
        Some(Spread::over(all?.into_iter())?.mean)
    };
    Spread::over(orders(scope).filter_map(mean))
}

/// Bytes of a model of `dim` features of `f32` with `budget` support vectors; a test holds them against the types.
fn bytes(algorithm: Algorithm, dim: usize, budget: usize) -> usize {
    use Algorithm as A;
    // Beyond the point in four bytes a feature.
    let (slot, rest) = match algorithm {
        A::Pocketron => return (budget * (dim + 3)).next_multiple_of(4) + 12 * dim + 56,
        A::PocketronBalanced | A::PocketronF1 => {
            return bytes(A::Pocketron, dim, budget) + 8;
        }
        A::Perceptron | A::Stoptron | A::Tighter0 => (4, 8),
        A::Random | A::RemoveOldest | A::BpaS => (4, 12),
        A::Fixed => (8, 8),
        A::Forgetron | A::Bsgd => (4, 16),
        A::Tighter | A::TighterFull => (4 * dim + 8, 20),
        A::Tightest => (20, 8),
        A::TightestU16 => (20 + 2 * budget, 8),
        A::Projectron => (4 + 4 * budget, 12),
        A::ProjectronPlus => (4 + 4 * budget, 24),
        A::Merge => (4, 20),
    };
    budget * (4 * dim + slot) + rest
}

/// The same of a learner and a format: features of a byte and coefficients of two, with the scale that makes them.
fn bytes_of((learner, format): &LearnerFormat, dim: usize, budget: usize) -> usize {
    let rest = match (learner.algorithm, format) {
        (Algorithm::Merge, Format::I8) => 24,
        (Algorithm::Bsgd, Format::I8) => 20,
        (algorithm, _) => return bytes(algorithm, dim, budget),
    };
    (budget * (dim + 2)).next_multiple_of(4) + rest + 8 * dim + 4
}

/// As many support vectors as fit.
fn budget(compared: &LearnerFormat, dim: usize, limit: usize) -> Option<usize> {
    let fits = |budget: &usize| bytes_of(compared, dim, *budget) <= limit;
    (1..=limit).take_while(fits).last()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pocketron::{learners as fixed, wrap::Standardized};

    #[test]
    fn bytes_are_those_of_the_types() {
        macro_rules! same {
            ($($algorithm:ident $kind:ident <$($size:literal),*>),* $(,)?) => {
                $( assert_eq!(
                    bytes(Algorithm::$algorithm, 16, 50),
                    size_of::<fixed::$kind<$($size),*>>(),
                    stringify!($algorithm),
                ); )*
            };
        }
        same! {
            Stoptron Stoptron<16, 50>, Random RandomBudget<16, 50>, RemoveOldest RemoveOldest<16, 50>,
            Fixed FixedBudget<16, 50>, Forgetron Forgetron<16, 50>, Tighter0 Tighter0<16, 50>,
            Tighter Tighter<16, 50, 50>, Tightest Tightest<16, 50>, Projectron Projectron<16, 50>,
            ProjectronPlus ProjectronPlus<16, 50>, BpaS BpaS<16, 50>, Merge MergingPerceptron<16, 50>,
            Bsgd Bsgd<16, 50>, Pocketron Pocketron<16, 50>,
        }
    }

    #[test]
    fn bytes_of_whole_features_are_those_of_the_types_behind_a_scale() {
        type Whole<L> = Standardized<L, 16>;
        let of = |learner, budget| bytes_of(&(learner, Format::I8), 16, budget);
        let merging = size_of::<Whole<fixed::MergingPerceptron<16, 51, i8>>>();
        assert_eq!(of(runs::MERGING, 51), merging);
        let bsgd = size_of::<Whole<fixed::Bsgd<16, 50, i8>>>();
        assert_eq!(of(runs::BSGD, 50), bsgd);
        assert_eq!(
            of(runs::POCKETRON, 50),
            size_of::<fixed::Pocketron<16, 50>>()
        );
        assert_eq!(
            bytes(Algorithm::PocketronBalanced, 16, 50),
            size_of::<fixed::PocketronRare<16, 50>>()
        );
    }

    #[test]
    fn a_budget_fits_and_one_more_would_not() {
        for compared in &LEARNER_FORMATS {
            let budget = budget(compared, 16, 4096).unwrap();
            assert!(bytes_of(compared, 16, budget) <= 4096);
            assert!(bytes_of(compared, 16, budget + 1) > 4096);
        }
        assert_eq!(budget(&(runs::TIGHTEST, Format::F32), 100, 256), None);
    }
}
