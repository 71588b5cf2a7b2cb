//! The columns of Tables 3 and 4 with `lambda`, in either unit of the credit.

use anyhow::Result;
use pocketron_cli::family::LambdaUnit;

use super::{
    problem::{Problem, SMALL},
    search::{Search, hindsight, narrow, noises},
    setting::{Setting, Variant},
    task::Task,
};
use crate::{
    reproduce::{About, Cell, Experiment, Figure, FinishedCells, Line, Scope, printed},
    spread::Spread,
};

/// Both units of `lambda` beside the paper's figures.
pub struct LambdaUnits;

/// The variants that search `lambda`.
const VARIANTS: [Variant; 2] = [Variant::Lambda, Variant::TauAndLambda];

/// The units, and what the credit is in them.
const UNITS: [(LambdaUnit, &str); 2] = [
    (LambdaUnit::Step, "lambda eta |x|^2"),
    (LambdaUnit::Norm, "lambda |x|^2 (Equation 1)"),
];

/// The settings of a variant in a unit.
fn settings(variant: Variant, unit: LambdaUnit) -> Vec<Setting> {
    let settings = variant.settings(false).into_iter();
    settings
        .map(|setting| Setting { unit, ..setting })
        .collect()
}

/// The small sets that are wanted, with the numbers of their orders.
fn natural(scope: &Scope) -> impl Iterator<Item = (&'static str, Problem, std::ops::Range<u64>)> {
    let sets = Search::wanted(scope).filter(|set| SMALL.contains(set));
    sets.map(|set| (set, Problem::whole(set), Search::runs(set, scope)))
}

/// The artificial sets that are wanted, by their noise.
fn artificial(scope: &Scope) -> impl Iterator<Item = (f64, Problem, std::ops::Range<u64>)> {
    noises(scope).map(|noise| (noise, narrow(noise), scope.runs(10, 1)))
}

/// The best accuracy in each run beside a figure of the paper.
fn line(
    figure: &Figure,
    place: [String; 2],
    (problem, runs): (Problem, std::ops::Range<u64>),
    unit: LambdaUnit,
    kept: &FinishedCells,
) -> Option<Line> {
    let (prediction, column) = (figure.label("prediction"), figure.label("variant"));
    let variant = Variant::named(column).filter(|variant| VARIANTS.contains(variant))?;
    let [block, row] = place;
    let settings = settings(variant, unit);
    let best = runs.filter_map(|run| hindsight(kept, problem, run, settings.clone(), prediction));
    let row = format!("{row}, {prediction}");
    Some(Line::percent(block, row, column, Spread::over(best)).beside(figure))
}

impl Experiment for LambdaUnits {
    fn about(&self) -> About {
        About {
            name: "kw-lambda",
            title: "the credit of lambda with and without the step size (Khardon and Wachman, Tables 3 and 4)",
            remarks: "The columns of Tables 3 and 4 that search `lambda`, each in both units. Equation 1 of the paper adds \
                     `lambda |x|^2` to the score of an example on which there was a step. Tables 3 to 7 above and below are computed \
                     with `lambda eta |x|^2`, what `lambda` steps on the example itself would add. `trace --learner kw` has both as \
                     `--lambda-unit norm` and `--lambda-unit step`. USPS and MNIST are left out: they are learned in one order only, and \
                     in MNIST's single epoch `lambda` has no effect.",
            why: "The unit that meets the figures better is not the same for all sets: compare the mean differences. Misses of either unit \
                     have the reasons that Tables 3 and 4 name.",
            ..About::EMPTY
        }
    }

    fn sets(&self) -> Vec<&'static str> {
        SMALL.into_iter().chain(["artificial"]).collect()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let settings = UNITS.map(|(unit, _)| VARIANTS.map(|variant| settings(variant, unit)));
        let settings: Vec<Setting> = settings.into_iter().flatten().flatten().collect();
        let natural = natural(scope).map(|(_, problem, runs)| (problem, runs));
        let artificial = artificial(scope).map(|(_, problem, runs)| (problem, runs));
        let tasks = natural
            .chain(artificial)
            .flat_map(|(problem, runs)| runs.flat_map(move |run| Task::folds(problem, run)));
        Ok(tasks
            .flat_map(|task| task.cells(settings.iter().copied()))
            .collect())
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let on_natural = printed::figures(include_str!("../../../printed/kw3.csv"));
        let on_artificial = printed::figures(include_str!("../../../printed/kw4.csv"));
        let mut lines = Vec::new();
        for (unit, words) in UNITS {
            lines.extend(on_natural.iter().filter_map(|figure| {
                let set = figure.label("set");
                let (_, problem, runs) = natural(scope).find(|(known, ..)| *known == set)?;
                let place = [format!("natural sets, {words}"), set.into()];
                line(figure, place, (problem, runs), unit, kept)
            }));
        }
        for (unit, words) in UNITS {
            lines.extend(on_artificial.iter().filter_map(|figure| {
                let noise: f64 = figure.label("noise").parse().ok()?;
                let (_, problem, runs) = artificial(scope).find(|(known, ..)| *known == noise)?;
                let place = [
                    format!("artificial sets, {words}"),
                    format!("noise {noise}"),
                ];
                line(figure, place, (problem, runs), unit, kept)
            }));
        }
        lines
    }
}
