//! Wrong labels at a fixed rate for a million examples.

use anyhow::Result;

use super::{
    Plan,
    compared_learner::ComparedLearner,
    picture,
    schedule::{ABOVE_BEST, Schedule},
    short,
    task::{TASKS, Task},
};
use crate::{
    reproduce::{About, Cell, Demand, Experiment, FinishedCells, Line, Pictures, Scope, Target},
    spread::Spread,
};

/// Percentages of wrong labels.
const NOISES: [u64; 5] = [0, 5, 10, 20, 30];

/// Looks that have a column, beside the last one.
const COLUMNS: [u64; 6] = [3000, 30_000, 300_000, 1_000_000, 3_000_000, 10_000_000];

/// The part of the table that the target is about.
const RISE: &str = "points of error above the best look, worst run";

/// The target's noise.
const PROMISED: [u64; 3] = [0, 10, 20];

/// Wrong labels.
pub struct LongLife;

impl Experiment for LongLife {
    fn about(&self) -> About {
        About {
            name: "long-life-noise",
            title: "the error of learners that learn a million examples, some of them with wrong labels",
            remarks: "Six generated tasks, a model that never stops learning, wrong labels at a fixed rate (uniform among the other \
                     classes), five runs with other examples. The error is measured on 4,000 clean unseen examples of the run, the \
                     same at every look. *quad2*: the sign of `x0 x1`, 4 features of which 2 are noise, 32 support vectors. *quad4*: \
                     the 4 quadrants of 2 features are 4 classes, 64 vectors. *blobs*: 4 normal distributions around `(±1, ±1)` with a \
                     standard deviation of 0.6, 64 vectors; the Bayes error is 9.3 %. *plane*: the side of a plane, 4 features, 32 \
                     vectors. *disc*: inside or outside of a circle of half the area, 3 features of which 1 is noise, 32 vectors. \
                     *checker*: a 4 x 4 checkerboard, 2 features, 64 vectors. Features are uniform in `[-1, 1]` where nothing else is \
                     said. `PocketronMulti` has as many classes as the task. The papers' learners have as many vectors of `f32` \
                     features as they come, and a Gaussian kernel whose width was chosen for each task among 0.25, 0.5, 1, ..., 32 by their \
                     mean error after 30,000 clean examples of three other runs; they take no part in tasks of four classes. *Best look*: the least error of the run at 3k, 10k, \
                     30k, 100k, ... examples. `--examples 3000000` goes on to 3M.",
            targets: &[Target {
                demands: "In every run of Pocketron and PocketronMulti with 0, 10 or 20 % of wrong labels, the error at the end \
                      is at most 2 points above the best look",
                about: is_promised,
                each: Demand::AtMost(2.0),
                percent: 100,
            }],
            ..About::EMPTY
        }
    }

    fn sets(&self) -> Vec<&'static str> {
        TASKS.iter().map(|task| task.name).collect()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for_each_plan(scope, |plan| cells.extend(plan.cells(scope)));
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let at_end = format!("error % after {}", short(length(scope)));
        let mut lines = side_by_side(&at_end, scope, |plan| end(plan, scope, kept));
        lines.extend(means(&at_end, &lines, scope));
        lines.extend(side_by_side(RISE, scope, |plan| {
            let rises = plan.names(scope);
            let rises = rises.filter_map(|name| kept.figure(&name, ABOVE_BEST));
            rises.reduce(f64::max).map(Spread::single)
        }));
        for learner in ComparedLearner::ALL {
            let block = format!("error % of {}", learner.name());
            lines.extend(over_time(&block, learner, scope, kept));
        }
        lines
    }

    fn pictures(&self, scope: &Scope, kept: &FinishedCells, to: &mut Pictures<'_>) -> Result<()> {
        for noise in noises(scope) {
            let schedule = Schedule::steady(length(scope), noise);
            let tasks = tasks(scope);
            picture::draw(&schedule, noise, tasks, scope, kept, to)?;
        }
        Ok(())
    }
}

/// Whether the target is about a figure.
fn is_promised(line: &Line) -> bool {
    let own = ComparedLearner::ALL.into_iter().filter(|one| one.is_own());
    let noise = |noise: &u64| line.row.ends_with(&format!(", {noise} %"));
    line.block == RISE
        && own.clone().any(|one| one.name() == line.column)
        && PROMISED.iter().any(noise)
}

/// Examples of a schedule.
fn length(scope: &Scope) -> u64 {
    let usual = if scope.quick { 30_000 } else { 1_000_000 };
    scope.examples.unwrap_or(usual)
}

fn tasks(scope: &Scope) -> impl Iterator<Item = &'static Task> {
    let quick = |task: &&Task| !scope.quick || ["quad2", "quad4"].contains(&task.name);
    let wanted = TASKS.iter().filter(|task| scope.wants_set(task.name));
    wanted.filter(quick)
}

fn noises(scope: &Scope) -> impl Iterator<Item = u64> {
    let quick = scope.quick;
    let noises = NOISES.into_iter();
    noises.filter(move |noise| !quick || [0, 10].contains(noise))
}

/// The rows of a part of the table.
fn rows(scope: &Scope) -> impl Iterator<Item = (&'static Task, u64)> {
    tasks(scope).flat_map(|task| noises(scope).map(move |noise| (task, noise)))
}

/// Every learner on every task that it fits, with every noise.
fn for_each_plan(scope: &Scope, mut with: impl FnMut(&Plan<'_>)) {
    for (task, noise) in rows(scope) {
        let schedule = &Schedule::steady(length(scope), noise);
        for learner in ComparedLearner::ALL
            .into_iter()
            .filter(|one| one.fits(task))
        {
            with(&Plan {
                task,
                learner,
                schedule,
                noise,
            });
        }
    }
}

/// The error at the end.
fn end(plan: &Plan<'_>, scope: &Scope, kept: &FinishedCells) -> Option<Spread> {
    let last = plan.schedule.looks.last()?;
    kept.spread(plan.names(scope), &last.name)
}

/// A figure of all contenders, a row for each task and noise.
fn side_by_side(
    block: &str,
    scope: &Scope,
    figure: impl Fn(&Plan<'_>) -> Option<Spread>,
) -> Vec<Line> {
    let mut lines = Vec::new();
    for_each_plan(scope, |plan| {
        let row = row(plan.task.name, plan.noise);
        lines.push(Line::percent(block, row, plan.learner.name(), figure(plan)));
    });
    lines
}

/// Means over the tasks with two classes, which all contenders can learn, if all of them are wanted.
fn means(block: &str, lines: &[Line], scope: &Scope) -> Vec<Line> {
    let of_two: Vec<_> = TASKS.iter().filter(|task| task.classes == 2).collect();
    if !of_two
        .iter()
        .all(|task| tasks(scope).any(|wanted| wanted == *task))
    {
        return Vec::new();
    }
    let mut means = Vec::new();
    for noise in noises(scope) {
        for learner in ComparedLearner::ALL {
            let errors = of_two.iter().map(|task| {
                let own = |line: &&Line| {
                    line.row == row(task.name, noise) && line.column == learner.name()
                };
                Some(lines.iter().find(own)?.ours?.mean)
            });
            let errors: Option<Vec<f64>> = errors.collect();
            let mean = errors.and_then(|errors| Spread::over(errors.into_iter()));
            let (row, mean) = (
                row("mean of two classes", noise),
                mean.map(Spread::mean_alone),
            );
            means.push(Line::percent(block, row, learner.name(), mean));
        }
    }
    means
}

/// The error of a learner at the looks.
fn over_time(
    block: &str,
    learner: ComparedLearner,
    scope: &Scope,
    kept: &FinishedCells,
) -> Vec<Line> {
    let mut lines = Vec::new();
    for (task, noise) in rows(scope).filter(|(task, _)| learner.fits(task)) {
        let schedule = Schedule::steady(length(scope), noise);
        let plan = Plan {
            task,
            learner,
            schedule: &schedule,
            noise,
        };
        let columns = schedule.looks.iter();
        let columns =
            columns.filter(|look| COLUMNS.contains(&look.at) || look.at == schedule.len());
        for look in columns {
            let ours = kept.spread(plan.names(scope), &look.name);
            lines.push(Line::percent(
                block,
                row(task.name, noise),
                &look.name,
                ours,
            ));
        }
    }
    lines
}

fn row(task: &str, noise: u64) -> String {
    format!("{task}, {noise} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_about_every_task_with_our_learners() {
        let scope = Scope::default();
        let lines = LongLife.lines(&scope, &FinishedCells::new());
        let promised = lines.iter().filter(|line| is_promised(line)).count();
        // Four tasks with both learners, two with one, three percentages of wrong labels.
        assert_eq!(promised, 3 * (4 * 2 + 2));
    }
}
