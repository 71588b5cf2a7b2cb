//! What whole features cost: the same learners over `f32`, `i16` and `i8`.

use anyhow::Result;

use super::{
    problem::Problem,
    runs::{self, Contender},
};
use crate::{
    learner::Format,
    reproduce::{
        cell::Cell,
        experiment::{Experiment, Scope},
        kept::Kept,
        line::{Line, Unit},
    },
    spread::Spread,
};

/// Learners that whole features were made for.
const CONTENDERS: [Contender; 7] = [
    runs::STOPTRON,
    runs::RANDOM,
    runs::FORGETRON,
    runs::TIGHTEST,
    runs::TIGHTEST_U16,
    runs::MERGING,
    runs::BSGD,
];

const SETS: [&str; 4] = ["banana", "letter", "pendigits", "waveform"];

const BUDGETS: [usize; 2] = [20, 100];

const FORMATS: [(Format, &str); 3] = [
    (Format::F32, "f32"),
    (Format::I16, "i16"),
    (Format::I8, "i8"),
];

/// Accuracy by number format.
pub struct Formats;

impl Experiment for Formats {
    fn name(&self) -> &'static str {
        "formats"
    }

    fn title(&self) -> &'static str {
        "accuracy of whole features"
    }

    fn remarks(&self) -> &'static str {
        "No paper's table: the problems and kernels of wv2, one pass. `f32` features are standardised by the whole \
         training part beforehand, as in wv2; `i16` and `i8` are standardised in the stream, by what came before. All formats \
         see the same rows in the same order. `tightest-u16` is Tightest with 16 bits for a similarity in its Gram cache."
    }

    fn sets(&self) -> Vec<&'static str> {
        SETS.to_vec()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for (problem, contender, budget) in rows(scope) {
            for (format, _) in FORMATS {
                let runs = orders(scope);
                cells.extend(
                    runs.map(|run| runs::cell_in(format, problem, contender, Some(budget), run)),
                );
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &Kept) -> Vec<Line> {
        let mut lines = Vec::new();
        for (problem, contender, budget) in rows(scope) {
            for (format, column) in FORMATS {
                let accuracy = |run: u64| {
                    let name = runs::name_in(format, problem, contender, Some(budget), run);
                    kept.figure(&name, "accuracy")
                };
                lines.push(Line {
                    block: format!("{}, B = {budget}, accuracy %", problem.name),
                    row: contender.name.into(),
                    column: column.into(),
                    printed: None,
                    ours: Spread::over(orders(scope).filter_map(accuracy)),
                    digits: 1,
                    unit: Unit::Percent,
                });
            }
        }
        lines
    }
}

/// Every row of the table: problem, learner, budget.
fn rows(scope: &Scope) -> Vec<(&'static Problem, &'static Contender, usize)> {
    let sets = SETS.iter().filter(|set| scope.wants_set(set));
    let sets = sets.filter(|set| !scope.quick || **set == "waveform");
    let problems: Vec<_> = sets.filter_map(|set| Problem::named(set)).collect();
    let budgets = BUDGETS
        .into_iter()
        .filter(|budget| scope.wants_budget(*budget));
    let budgets: Vec<_> = budgets
        .filter(|budget| !scope.quick || *budget == 20)
        .collect();
    let mut rows = Vec::new();
    for problem in problems {
        for &budget in &budgets {
            let row = |contender| (problem, contender, budget);
            rows.extend(CONTENDERS.iter().map(row));
        }
    }
    rows
}

fn orders(scope: &Scope) -> std::ops::Range<u64> {
    scope.runs(10, 1)
}
