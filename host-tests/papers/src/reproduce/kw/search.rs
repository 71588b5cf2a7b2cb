//! Tables 3 and 4: the best accuracy of any setting, seen with hindsight.

use anyhow::Result;

use super::{
    problem::{ONCE, Problem, SMALL},
    setting::{Setting, Variant, best},
    task::Task,
};
use crate::{
    data::halfspace::HalfSpace,
    reproduce::{About, Cell, Experiment, Figure, FinishedCells, Line, Scope, printed},
    spread::Spread,
};

/// Sets that the repository has, and that are learned in seconds.
const QUICK: [&str; 1] = ["sonar"];

/// Whether a set is wanted, and learned in seconds if time is short.
pub fn wants(scope: &Scope, set: &str) -> bool {
    scope.wants_set(set) && (!scope.quick || QUICK.contains(&set))
}

/// The searched variants, each without the values that have no effect.
const VARIANTS: [Variant; 6] = [
    Variant::Nothing,
    Variant::Tau,
    Variant::Lambda,
    Variant::Alpha,
    Variant::TauAndLambda,
    Variant::TauAndAlpha,
];

/// Cross-validates `problem` in `run` with the settings of some variants.
fn cells(problem: Problem, run: u64, variants: &[Variant]) -> Vec<Cell> {
    let settings = variants.iter().flat_map(|variant| variant.settings(false));
    let cells = |task: Task| task.cells(settings.clone());
    Task::folds(problem, run).flat_map(cells).collect()
}

/// The best of some settings, by the mean over the folds.
pub fn hindsight(
    kept: &FinishedCells,
    problem: Problem,
    run: u64,
    settings: Vec<Setting>,
    prediction: &str,
) -> Option<f64> {
    let mean = |setting| Task::mean(Task::folds(problem, run), kept, setting, prediction);
    Some(best(settings, mean)?.1)
}

/// The paper's figure next to ours, over all runs.
fn line(
    figure: &Figure,
    block: String,
    problem: Problem,
    runs: impl Iterator<Item = u64>,
    kept: &FinishedCells,
) -> Option<Line> {
    let (prediction, column) = (figure.label("prediction"), figure.label("variant"));
    let variant = Variant::named(column)?;
    let settings = variant.settings(false);
    let best = runs.filter_map(|run| hindsight(kept, problem, run, settings.clone(), prediction));
    Some(Line::percent(block, prediction, column, Spread::over(best)).beside(figure))
}

/// Table 3.
pub struct Search;

/// How a set of Table 3 is learned, and which of the variants it has.
pub fn searched(set: &'static str) -> (Problem, &'static [Variant]) {
    let problem = Problem::whole(set);
    match set {
        "mnist" => (problem.learned_by(ONCE), &VARIANTS[..2]),
        _ => (problem, &VARIANTS),
    }
}

impl Search {
    /// The sets that are wanted.
    pub(super) fn wanted(scope: &Scope) -> impl Iterator<Item = &'static str> {
        let all = SMALL.into_iter().chain(["usps", "mnist"]);
        all.filter(|set| wants(scope, set))
    }

    /// Large sets are learned in one order only.
    pub(super) fn runs(set: &str, scope: &Scope) -> std::ops::Range<u64> {
        let large = !SMALL.contains(&set);
        scope.runs(if large { 1 } else { 5 }, 1)
    }
}

impl Experiment for Search {
    fn about(&self) -> About {
        About {
            name: "kw3",
            title: "parameter search: the best accuracy of any setting, on natural sets (Khardon and Wachman, Table 3)",
            remarks: "Ten-fold cross-validation of a random order, 100 epochs in that order, `eta = 0.1`. The threshold begins at the \
                     mean squared norm `C` and moves by `-eta y C` (the paper's Figure 2 has a plus, with which nothing is learned); \
                     `tau` is in units of `C`. Each figure is the best of the variant's settings by their mean over the folds, seen in \
                     hindsight; a variant leaves out the value that has no effect. The credit of `lambda` is `lambda` steps on the \
                     example itself, `eta lambda |x|^2`; Equation 1 of the paper has no `eta`, and kw-lambda shows both. \
                     Features are as the files have them, but for MNIST's pixels, which are from 0 to 1. The paper has one order, ours \
                     are means and deviations over five, over one for USPS (all 9,298 digits) and MNIST (all 70,000, one epoch, \
                     `eta = 1`; nothing comes back in one epoch, so that `lambda` has no effect).",
            why: "Where no plane separates the classes, the last hypothesis is a matter of the last few examples: without margin, \
                     it deviates by several points from order to order on bupa, crx and wpbc, and \
                     the paper shows one order; votes deviate far less. Promoters is separable, so that all predictions and \
                     bounds have one figure in an order: 78.8 in the paper's, and ours deviate by six points from order to order.",
            ..About::EMPTY
        }
    }

    fn sets(&self) -> Vec<&'static str> {
        SMALL.into_iter().chain(["usps", "mnist"]).collect()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let of_set = |set| {
            let (problem, variants) = searched(set);
            Self::runs(set, scope).flat_map(move |run| cells(problem, run, variants))
        };
        Ok(Self::wanted(scope).flat_map(of_set).collect())
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let figures = printed::figures(include_str!("../../../printed/kw3.csv"));
        let line = |figure: &Figure| {
            let set = Self::wanted(scope).find(|set| *set == figure.label("set"))?;
            let (problem, _) = searched(set);
            line(figure, set.into(), problem, Self::runs(set, scope), kept)
        };
        figures.iter().filter_map(line).collect()
    }
}

/// Table 4.
pub struct ArtificialSearch;

/// Noise of the artificial sets.
const NOISES: [f64; 5] = [0.0, 0.05, 0.1, 0.15, 0.25];

/// One of them for those who have little time: the whole of its row or block.
const QUICK_NOISE: f64 = 0.1;

/// The noises that are wanted; none if artificial sets are not.
pub fn noises(scope: &Scope) -> impl Iterator<Item = f64> {
    let wanted =
        |noise: &f64| scope.wants_set("artificial") && (!scope.quick || *noise == QUICK_NOISE);
    NOISES.into_iter().filter(wanted)
}

/// The set of Tables 4 and 6 with that noise.
pub fn narrow(noise: f64) -> Problem {
    Problem::drawn(HalfSpace {
        dim: 50,
        margin: 0.05,
        noise,
    })
}

impl Experiment for ArtificialSearch {
    fn about(&self) -> About {
        About {
            name: "kw4",
            title: "parameter search: the best accuracy of any setting, on artificial sets (Khardon and Wachman, Table 4)",
            remarks: "As Table 3, on 600 points of 50 features drawn as the paper says, with a margin of 0.05. The paper draws two sets \
                     of each kind and does not say which of them it shows; ours are means and deviations over ten.",
            why: "Without noise the paper's figures are those of an ordinary set of ours; the more noise, the farther they \
                     lie above. With `tau` and the last hypothesis it has 81.6 at 0.15 and 70.7 at 0.25, where twenty sets drawn \
                     and learned by a second, independent program had 77.2 ± 2.2 and 65.9 ± 2.7 (and 89.3 ± 1.6 at 0.05, printed as \
                     89.4), so that it is no slip of the core. Among 600 labels the share that is turned round deviates by 1.5 and 1.8 \
                     points from set to set, and a set with fewer of them would do; whether the paper's were such is not known.",
            sets: &["artificial"],
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let of_noise = |noise| {
            let runs = scope.runs(10, 1);
            runs.flat_map(move |run| cells(narrow(noise), run, &VARIANTS))
        };
        Ok(noises(scope).flat_map(of_noise).collect())
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let figures = printed::figures(include_str!("../../../printed/kw4.csv"));
        let line = |figure: &Figure| {
            let noise: f64 = figure.label("noise").parse().ok()?;
            let noise = noises(scope).find(|wanted| *wanted == noise)?;
            let block = format!("noise {noise}");
            line(figure, block, narrow(noise), scope.runs(10, 1), kept)
        };
        figures.iter().filter_map(line).collect()
    }
}
