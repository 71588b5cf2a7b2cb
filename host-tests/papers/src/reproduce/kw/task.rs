//! Pieces of work: a problem, a division of its rows, and a group of settings.

use anyhow::Result;
use pocketron_cli::family::LambdaUnit;

use super::{
    folds::{FOLDS, divide},
    lesson::{Accuracy, Lesson},
    problem::{Prepared, Problem},
    setting::{BOUNDS, STRENGTHS, Setting},
};
use crate::{
    reproduce::{Bench, Cell, EMPTY_CLASSES, Figures, FinishedCells, Name, Watch},
    spread::Spread,
};

/// Who answers.
pub const PREDICTIONS: [&str; 3] = ["last", "longest", "voted"];

/// Which rows are learned and tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A fold is tested, the others are learned.
    Fold(usize),
    /// Without a fold, the others are divided into folds again: the mean over these.
    Within(usize),
    /// All of the stock is learned, the rest tested.
    Whole,
}

/// A problem and a division of its rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task {
    /// The problem.
    pub problem: Problem,
    /// The number of the order in which its rows are, or of the set that is drawn.
    pub run: u64,
    /// The division.
    pub part: Part,
    /// Learn only so many of the rows.
    pub limit: Option<usize>,
}

/// Parameter that is searched besides `tau`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SecondParameter {
    None,
    Lambda(LambdaUnit),
    Alpha,
}

/// Settings that are learned in one go.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Group {
    /// All of them if there is none.
    tau: Option<f32>,
    second: SecondParameter,
}

impl Group {
    fn settings(self) -> Vec<Setting> {
        let taus = STRENGTHS.into_iter();
        let taus = taus.filter(|tau| self.tau.is_none_or(|own| own == *tau));
        let at = |tau: f32| -> Vec<Setting> {
            let margin = Setting::margin(tau);
            let lambdas = STRENGTHS[1..]
                .iter()
                .map(|&lambda| Setting { lambda, ..margin });
            let in_units = |unit| move |setting| Setting { unit, ..setting };
            let alphas = BOUNDS[1..].iter().map(|&alpha| Setting { alpha, ..margin });
            match self.second {
                SecondParameter::None => vec![margin],
                SecondParameter::Lambda(unit) => lambdas.map(in_units(unit)).collect(),
                SecondParameter::Alpha => alphas.collect(),
            }
        };
        taus.flat_map(at).collect()
    }
}

impl Task {
    /// The task of a part, all of whose rows are learned.
    pub const fn new(problem: Problem, run: u64, part: Part) -> Self {
        Task {
            problem,
            run,
            part,
            limit: None,
        }
    }

    /// The same for the folds of a cross-validation.
    pub fn folds(problem: Problem, run: u64) -> impl Iterator<Item = Task> + Clone {
        (0..FOLDS).map(move |fold| Task::new(problem, run, Part::Fold(fold)))
    }

    /// A setting that comes to the same: an example that is seen once cannot be known again.
    fn effective(&self, setting: Setting) -> Setting {
        match self.problem.plan.epochs {
            1 => Setting::margin(setting.tau),
            _ => setting,
        }
    }

    fn group(&self, setting: Setting) -> Group {
        let (rows, _) = self.problem.size();
        let second = match self.effective(setting) {
            Setting { alpha: Some(_), .. } => SecondParameter::Alpha,
            Setting { lambda, unit, .. } if lambda != 0.0 => SecondParameter::Lambda(unit),
            _ => SecondParameter::None,
        };
        Group {
            // Beyond that, similarities are computed for all settings together.
            tau: (rows <= Lesson::KEPT).then_some(setting.tau),
            second,
        }
    }

    /// Which rows are learned and tested.
    fn rows_name(&self) -> Name {
        let name = Name::new("kw")
            .with("set", self.problem.rows_name())
            .with("run", self.run);
        let name = match self.part {
            Part::Fold(fold) => name.with("fold", fold),
            Part::Within(fold) => name.with("within", fold),
            Part::Whole => name,
        };
        match self.limit {
            Some(limit) => name.with("learned", limit),
            None => name,
        }
    }

    /// Name of a cell in which another learner learns these rows.
    pub fn with_learner(&self, learner: &str) -> Name {
        self.rows_name().with("learner", learner)
    }

    fn name(&self, group: Group) -> Name {
        let plan = self.problem.plan;
        let name = self
            .rows_name()
            .with("d", plan.degree)
            .with("T", plan.epochs)
            .with("eta", plan.eta);
        let name = match group.tau {
            Some(tau) => name.with("tau", tau),
            None => name.with("tau", "all"),
        };
        match group.second {
            SecondParameter::None => name,
            SecondParameter::Lambda(LambdaUnit::Step) => name.with("and", "lambda"),
            SecondParameter::Lambda(LambdaUnit::Norm) => name.with("and", "lambda |x|^2"),
            SecondParameter::Alpha => name.with("and", "alpha"),
        }
    }

    /// The cells in which these settings are learned.
    pub fn cells(self, settings: impl IntoIterator<Item = Setting>) -> Vec<Cell> {
        let mut groups: Vec<Group> = Vec::new();
        for setting in settings {
            let group = self.group(setting);
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        let cell = |group: Group| {
            let work =
                move |bench: &Bench, watch: &Watch<'_>| self.learn(bench, watch, &group.settings());
            Cell::new(self.name(group), self.cost(group), work).needing(self.problem.files())
        };
        groups.into_iter().map(cell).collect()
    }

    /// Percent of the tested rows that a setting answers rightly, if its cell is finished.
    pub fn accuracy(
        &self,
        kept: &FinishedCells,
        setting: Setting,
        prediction: &str,
    ) -> Option<f64> {
        let name = self.name(self.group(setting));
        kept.figure(&name, &figure(self.effective(setting), prediction))
    }

    /// The mean of that over some tasks, if all of their cells are finished.
    pub fn mean(
        tasks: impl Iterator<Item = Task>,
        kept: &FinishedCells,
        setting: Setting,
        prediction: &str,
    ) -> Option<f64> {
        let accuracies = tasks.map(|task| task.accuracy(kept, setting, prediction));
        let accuracies: Option<Vec<f64>> = accuracies.collect();
        Some(Spread::over(accuracies?.into_iter())?.mean)
    }

    /// Millions of multiplications, roughly: similarities of all pairs, then a step on every fifth example.
    fn cost(&self, group: Group) -> u64 {
        let (rows, features) = self.problem.size();
        let plan = self.problem.plan;
        let learned = self.limit.unwrap_or(rows);
        let again = if rows <= Lesson::KEPT { 1 } else { plan.epochs };
        let steps = learned * plan.epochs * group.settings().len();
        let lessons = if matches!(self.part, Part::Within(_)) {
            FOLDS
        } else {
            1
        };
        (lessons * (again * learned * rows * features + steps * (rows / 5 + 30)) / 1_000_000) as u64
    }

    /// Learned and tested rows of each lesson.
    fn divisions(&self, prepared: &Prepared) -> Vec<(Vec<usize>, Vec<usize>)> {
        let stock: Vec<usize> = (0..prepared.stock).collect();
        let mut divisions = match self.part {
            Part::Fold(fold) => vec![divide(&stock, fold)],
            Part::Within(fold) => {
                let (outside, _) = divide(&stock, fold);
                (0..FOLDS).map(|inner| divide(&outside, inner)).collect()
            }
            Part::Whole => vec![(stock, (prepared.stock..prepared.rows.len()).collect())],
        };
        if let Some(limit) = self.limit {
            divisions
                .iter_mut()
                .for_each(|(learned, _)| learned.truncate(limit));
        }
        divisions
    }

    /// Does `work` in each lesson of the task.
    pub fn lessons<T>(
        &self,
        bench: &Bench,
        watch: &Watch<'_>,
        work: impl Fn(&Lesson<'_>, &Watch<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let prepared = self.problem.prepare(bench, self.run)?;
        let divisions = self.divisions(&prepared);
        let count = divisions.len();
        let lesson = |(number, (learned, tested)): (usize, (Vec<usize>, Vec<usize>))| {
            let rows = prepared.rows.pick(learned.iter().chain(&tested).copied());
            let lesson = Lesson::new(&rows, learned.len(), self.problem.plan)?;
            let absent = lesson.absent_classes();
            if absent > 0 {
                watch.note(&format!(
                    "{}: {absent} of {} classes have no row to learn",
                    self.rows_name(),
                    rows.class_count
                ));
            }
            work(&lesson, &watch.part(number, count))
        };
        divisions.into_iter().enumerate().map(lesson).collect()
    }

    fn learn(&self, bench: &Bench, watch: &Watch<'_>, settings: &[Setting]) -> Result<Figures> {
        let lessons = self.lessons(bench, watch, |lesson, watch| {
            let accuracies = lesson.accuracies(settings, watch)?;
            Ok((accuracies, lesson.absent_classes() > 0))
        })?;
        let mut figures = Figures::new();
        let empty = lessons.iter().filter(|(_, empty)| *empty).count();
        if empty > 0 {
            figures.insert(EMPTY_CLASSES.into(), empty as f64);
        }
        for (accuracies, _) in &lessons {
            for (setting, accuracy) in settings.iter().zip(accuracies) {
                for (prediction, accuracy) in PREDICTIONS.into_iter().zip(accuracy.by_prediction())
                {
                    let mean = figures.entry(figure(*setting, prediction)).or_insert(0.0);
                    *mean += accuracy / lessons.len() as f64;
                }
            }
        }
        Ok(figures)
    }
}

fn figure(setting: Setting, prediction: &str) -> String {
    format!("{setting}, {prediction}")
}

impl Accuracy {
    /// In the order of [`PREDICTIONS`].
    pub fn by_prediction(&self) -> [f64; 3] {
        [self.last, self.longest, self.voted]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{problem::ONCE, setting::Variant};
    use super::*;
    use crate::reproduce::Finished;

    fn finish(cell: &Cell, bench: &Bench) -> Finished {
        Finished {
            cell: cell.name.to_string(),
            figures: cell.run(bench, &Watch::IDLE).unwrap(),
            seconds: 0.0,
            at: 1,
            ..Finished::default()
        }
    }

    #[test]
    fn every_setting_is_found_in_the_cells_that_it_asked_for() {
        let bench = Bench::new(None);
        let plan = super::super::lesson::TrainingPlan {
            epochs: 2,
            eta: 0.1,
            degree: 1,
        };
        let problem = Problem::whole("sonar").learned_by(plan);
        let [steps, alphas] = [Variant::TauAndLambda, Variant::Alpha].map(|it| it.settings(true));
        let norms = steps.iter().map(|setting| Setting {
            unit: LambdaUnit::Norm,
            ..*setting
        });
        let settings = [steps.clone(), norms.collect(), alphas].concat();
        for part in [Part::Fold(3), Part::Within(3)] {
            let task = Task::new(problem, 1, part);
            let cells = task.cells(settings.clone());
            // Each tau alone, each with all lambdas of either unit, and all alphas.
            assert_eq!(cells.len(), 7 + 7 + 7 + 1);
            let mut kept = FinishedCells::new();
            cells.iter().for_each(|cell| kept.add(finish(cell, &bench)));
            for setting in &settings {
                for prediction in PREDICTIONS {
                    let accuracy = task.accuracy(&kept, *setting, prediction).unwrap();
                    assert!((30.0..=100.0).contains(&accuracy), "{accuracy}");
                }
            }
        }
    }

    #[test]
    fn in_one_epoch_nothing_comes_back() {
        let task = Task::new(Problem::whole("sonar").learned_by(ONCE), 1, Part::Fold(0));
        let cells = task.cells(Variant::TauAndLambda.settings(true));
        assert_eq!(cells.len(), 7);
    }

    #[test]
    fn within_a_fold_its_rows_are_never_seen() {
        let bench = Bench::new(None);
        let problem = Problem::whole("sonar");
        let prepared = problem.prepare(&bench, 1).unwrap();
        for number in 0..FOLDS {
            let divisions = |part| Task::new(problem, 1, part).divisions(&prepared);
            let [(_, own)] = &divisions(Part::Fold(number))[..] else {
                panic!("one division");
            };
            let within = divisions(Part::Within(number));
            assert_eq!(within.len(), FOLDS);
            for (learned, tested) in within {
                assert_eq!(learned.len() + tested.len() + own.len(), 208);
                let seen = |row: &usize| learned.contains(row) || tested.contains(row);
                assert!(!own.iter().any(seen));
            }
        }
    }
}
