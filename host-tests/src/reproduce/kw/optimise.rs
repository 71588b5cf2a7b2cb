//! Tables 6 and 7: the accuracy with settings that were chosen on the learned rows alone.

use anyhow::Result;

use super::{
    folds::FOLDS,
    lesson::Course,
    machines::MACHINES,
    problem::{ADULT, ONCE, Problem, SMALL, USUAL},
    search::narrow,
    setting::Variant,
    task::{Part, Task},
};
use crate::{
    reproduce::{
        cell::Cell,
        experiment::{Experiment, Scope},
        kept::Kept,
        line::Line,
        printed::{self, Figure},
    },
    spread::Spread,
};

/// The accuracy of `tested` with the setting that did best in the mean over `trials`.
fn optimised(
    kept: &Kept,
    trials: impl Iterator<Item = Task> + Clone,
    tested: Task,
    variant: Variant,
    prediction: &str,
) -> Option<f64> {
    let chosen = variant.choose(|setting| Task::mean(trials.clone(), kept, setting, prediction))?;
    tested.accuracy(kept, chosen, prediction)
}

/// Table 6.
pub struct Optimisation;

impl Optimisation {
    fn sets() -> impl Iterator<Item = (&'static str, Problem)> {
        let natural = SMALL.into_iter().filter(|set| *set != "promoters");
        let natural = natural.map(|set| (set, Problem::whole(set)));
        natural.chain([("artificial", narrow(0.05))])
    }

    fn wanted(scope: &Scope) -> impl Iterator<Item = (&'static str, Problem)> {
        Self::sets().filter(|(set, _)| scope.wants_set(set) && !scope.quick)
    }
}

impl Experiment for Optimisation {
    fn name(&self) -> &'static str {
        "kw6"
    }

    fn title(&self) -> &'static str {
        "parameter optimisation by double cross-validation (Khardon and Wachman, Table 6)"
    }

    fn remarks(&self) -> &'static str {
        "Ten-fold cross-validation, 100 epochs in the same order, `eta = 0.1`, all as in the paper. The setting is chosen by cross-validation inside of each training part; the products search both values together. The support vector machines are those of a library."
    }

    fn sets(&self) -> Vec<&'static str> {
        Self::sets().map(|(set, _)| set).collect()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        // The two products have all settings of the others.
        let settings = [Variant::TauAndLambda, Variant::TauAndAlpha];
        let settings = settings.map(|variant| variant.settings(true)).concat();
        let cells = |(set, problem): (&str, Problem)| {
            let folds = Task::folds(problem, scope.seed);
            let within = (0..FOLDS).map(Part::Within);
            let within = within.map(|part| Task::new(problem, scope.seed, part));
            let mut cells: Vec<_> = within
                .chain(folds.clone())
                .flat_map(|task| task.cells(settings.clone()))
                .collect();
            if set != "artificial" {
                let machines = MACHINES.into_iter();
                cells
                    .extend(machines.flat_map(|svm| folds.clone().map(move |task| svm.cell(task))));
            }
            cells
        };
        Ok(Self::wanted(scope).flat_map(cells).collect())
    }

    fn lines(&self, scope: &Scope, kept: &Kept) -> Vec<Line> {
        let figures = printed::figures(include_str!("../../../papers/kw6.csv"));
        let line = |figure: &Figure| {
            let (set, problem) =
                Self::wanted(scope).find(|(set, _)| *set == figure.label("set"))?;
            let (column, row) = (figure.label("variant"), figure.label("prediction"));
            let folds = Task::folds(problem, scope.seed);
            let ours = match MACHINES.iter().find(|svm| svm.column == column) {
                Some(svm) => svm.hindsight(folds, kept),
                None => {
                    let variant = Variant::named(column)?;
                    let in_fold = |(number, tested): (usize, Task)| {
                        let trial = Task::new(problem, scope.seed, Part::Within(number));
                        optimised(kept, std::iter::once(trial), tested, variant, row)
                    };
                    Spread::over(folds.enumerate().filter_map(in_fold))
                }
            };
            Some(Line {
                block: set.into(),
                row: row.into(),
                column: column.into(),
                printed: Some(figure.printed),
                ours,
                digits: figure.digits,
            })
        };
        figures.iter().filter_map(line).collect()
    }
}

/// Table 7.
pub struct LargeOptimisation;

/// The sets of the table by their degrees: how they are learned, and what is searched at most.
const LARGE: [(&str, u32, Course, Variant); 5] = [
    (
        "usps",
        1,
        Course {
            epochs: 10,
            ..USUAL
        },
        Variant::TauAndLambda,
    ),
    ("adult", 1, ADULT, Variant::TauAndLambda),
    ("mnist", 1, ONCE, Variant::TauAndLambda),
    (
        "usps",
        4,
        Course {
            epochs: 10,
            degree: 4,
            ..USUAL
        },
        Variant::Tau,
    ),
    ("mnist", 4, Course { degree: 4, ..ONCE }, Variant::Tau),
];

fn large(scope: &Scope) -> impl Iterator<Item = (&'static str, u32, Problem, Variant)> {
    let wanted = |set: &str| scope.wants_set(set) && !scope.quick;
    let rows = LARGE.into_iter().filter(move |(set, ..)| wanted(set));
    rows.map(|(set, degree, course, searched)| {
        (set, degree, Problem::divided(set, course), searched)
    })
}

impl Experiment for LargeOptimisation {
    fn name(&self) -> &'static str {
        "kw7"
    }

    fn title(&self) -> &'static str {
        "parameter optimisation on large sets (Khardon and Wachman, Table 7)"
    }

    fn remarks(&self) -> &'static str {
        "The setting is chosen by cross-validation on the training part, then tested once."
    }

    fn sets(&self) -> Vec<&'static str> {
        vec!["usps", "adult", "mnist"]
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let cells = |(_, _, problem, searched): (_, _, Problem, Variant)| {
            let whole = Task::new(problem, scope.seed, Part::Whole);
            let tasks = Task::folds(problem, scope.seed).chain([whole]);
            tasks
                .flat_map(|task| task.cells(searched.settings(true)))
                .collect::<Vec<_>>()
        };
        Ok(large(scope).flat_map(cells).collect())
    }

    fn lines(&self, scope: &Scope, kept: &Kept) -> Vec<Line> {
        let figures = printed::figures(include_str!("../../../papers/kw7.csv"));
        let line = |figure: &Figure| {
            let (set, degree) = (figure.label("set"), figure.label("degree").parse().ok()?);
            let found = large(scope).find(|(name, own, ..)| *name == set && *own == degree);
            let (_, _, problem, _) = found?;
            let (column, row) = (figure.label("variant"), figure.label("prediction"));
            let variant = Variant::named(column)?;
            let whole = Task::new(problem, scope.seed, Part::Whole);
            let trials = Task::folds(problem, scope.seed);
            let accuracy = optimised(kept, trials, whole, variant, row);
            Some(Line {
                block: match degree {
                    1 => set.into(),
                    degree => format!("{set}, kernel of degree {degree}"),
                },
                row: row.into(),
                column: column.into(),
                printed: Some(figure.printed),
                ours: Spread::over(accuracy.into_iter()),
                digits: figure.digits,
            })
        };
        figures.iter().filter_map(line).collect()
    }
}
