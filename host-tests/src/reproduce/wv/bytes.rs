//! Accuracy against the bytes of the model: what a byte is worth to each policy.

use std::path::Path;

use anyhow::Result;

use super::{
    problem::Problem,
    runs::{self, Contender},
};
use crate::{
    learner::Algorithm,
    plot::{Axis, Lines, Trend},
    reproduce::{
        cell::Cell,
        experiment::{Experiment, Scope},
        kept::Kept,
        line::{Line, Unit},
    },
    spread::Spread,
};

/// Everybody with a budget, but for Tighter-Full, whose memory has no bound.
const CONTENDERS: [Contender; 13] = [
    runs::POCKETRON,
    runs::BSGD,
    runs::MERGING,
    runs::TIGHTEST,
    runs::TIGHTER,
    runs::TIGHTER_0,
    runs::PROJECTRON,
    runs::BPA_S,
    runs::STOPTRON,
    runs::FORGETRON,
    runs::RANDOM,
    runs::REMOVE_OLDEST,
    runs::FIXED,
];

/// Small, noisy, of many kinds: two, 16 and 21 features.
const SETS: [&str; 4] = ["banana", "letter", "pendigits", "waveform"];

/// Bytes of a model: 256 to 64 KB.
const BYTES: [usize; 9] = [256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];

/// Accuracy against bytes.
pub struct Bytes;

impl Experiment for Bytes {
    fn name(&self) -> &'static str {
        "bytes"
    }

    fn title(&self) -> &'static str {
        "accuracy against the bytes of the model, mean of four sets"
    }

    fn remarks(&self) -> &'static str {
        "No paper's table: as many support vectors as the bytes allow, of `f32` features but for Pocketron, on the problems and with the \
         kernels of wv2 (Banana, Letter, Pendigits, Waveform), one pass. Pocketron knows no kernel width, its scale is \
         paid out of its bytes. BSGD knows the length of the stream. Where \
         the bytes do not hold a single vector there is no point."
    }

    fn sets(&self) -> Vec<&'static str> {
        SETS.to_vec()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for problem in problems(scope) {
            for run in orders(scope) {
                for contender in &CONTENDERS {
                    let budgets =
                        limits(scope).filter_map(|bytes| budget(contender, problem.dim, bytes));
                    cells.extend(
                        budgets.map(|budget| runs::cell(problem, contender, Some(budget), run)),
                    );
                }
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &Kept) -> Vec<Line> {
        let mut lines = Vec::new();
        for bytes in limits(scope) {
            for contender in &CONTENDERS {
                lines.push(Line {
                    block: "accuracy %".into(),
                    row: format!("{bytes} bytes"),
                    column: contender.name.into(),
                    unit: Unit::Percent,
                    printed: None,
                    ours: accuracy(contender, bytes, scope, kept),
                    digits: 1,
                });
            }
        }
        lines
    }

    fn pictures(
        &self,
        scope: &Scope,
        kept: &Kept,
        directory: &Path,
    ) -> Result<Vec<(String, String)>> {
        let trends = CONTENDERS.iter().enumerate().map(|(number, contender)| {
            let points = limits(scope).filter_map(|bytes| {
                let accuracy = accuracy(contender, bytes, scope, kept)?;
                Some((bytes as f64, accuracy.mean, 0.0))
            });
            Trend {
                name: contender.name.to_owned(),
                colour: number,
                // There are fewer colours than policies.
                dashed: number >= 7,
                points: points.collect(),
            }
        });
        let trends: Vec<_> = trends.filter(|trend| !trend.points.is_empty()).collect();
        if trends.is_empty() {
            return Ok(Vec::new());
        }
        let file = format!("{}.svg", self.name());
        Lines {
            title: "What a byte is worth",
            axes: [
                Axis::logarithmic("bytes of the model"),
                Axis::even("accuracy (%), mean of four sets"),
            ],
            lines: &trends,
        }
        .write(&directory.join(&file))?;
        Ok(vec![(file, self.title().to_owned())])
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
fn accuracy(contender: &Contender, bytes: usize, scope: &Scope, kept: &Kept) -> Option<Spread> {
    let mean = |run: u64| {
        let one = |problem: &'static Problem| {
            let budget = budget(contender, problem.dim, bytes)?;
            let name = runs::name(problem, contender, Some(budget), run);
            kept.figure(&name, "accuracy")
        };
        let all: Option<Vec<f64>> = problems(scope).map(one).collect();
        Some(Spread::over(all?.into_iter())?.mean)
    };
    Spread::over(orders(scope).filter_map(mean))
}

/// Bytes of a model of `dim` features of `f32` with `budget` support vectors; a test holds them against the types.
fn bytes(algorithm: Algorithm, dim: usize, budget: usize) -> usize {
    use Algorithm as A;
    // Beyond the point in four bytes a feature.
    let (slot, rest) = match algorithm {
        A::Pocketron => return (budget * (dim + 2)).next_multiple_of(4) + 12 * dim + 24,
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

/// As many support vectors as fit.
fn budget(contender: &Contender, dim: usize, limit: usize) -> Option<usize> {
    let fits = |budget: &usize| bytes(contender.algorithm, dim, *budget) <= limit;
    (1..=limit / 4).take_while(fits).last()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pocketron::learners as fixed;

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
    fn a_budget_fits_and_one_more_would_not() {
        for contender in &CONTENDERS {
            let budget = budget(contender, 16, 4096).unwrap();
            assert!(bytes(contender.algorithm, 16, budget) <= 4096);
            assert!(bytes(contender.algorithm, 16, budget + 1) > 4096);
        }
        assert_eq!(budget(&runs::TIGHTEST, 100, 256), None);
    }
}
