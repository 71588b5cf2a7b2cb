//! The error against the number of examples, a chart for each task.

use anyhow::Result;

use super::{Plan, compared_learner::ComparedLearner, schedule::Schedule, task::Task};
use crate::{
    plot::{Axis, Grid, Lines, Trend},
    reproduce::{FinishedCells, Pictures, Scope},
};

/// The least error that is drawn: half an example of 4,000. Zero has no place on a logarithmic axis.
const LEAST: f64 = 0.0125;

/// Draws the courses of some tasks, as far as any are finished.
pub fn draw(
    schedule: &Schedule,
    noise: u64,
    tasks: impl Iterator<Item = &'static Task>,
    scope: &Scope,
    kept: &FinishedCells,
    to: &mut Pictures<'_>,
) -> Result<()> {
    let trend = |task: &'static Task, (colour, learner): (usize, ComparedLearner)| {
        let plan = Plan {
            task,
            learner,
            schedule,
            noise,
        };
        let point = |look: &super::Look| {
            let error = kept.spread(plan.names(scope), &look.name)?;
            Some((look.at as f64, error.mean.max(LEAST), 0.0))
        };
        Trend {
            name: learner.name().into(),
            colour,
            dashed: !learner.is_own(),
            points: schedule.looks.iter().filter_map(point).collect(),
        }
    };
    let trends = |task: &'static Task| {
        let contenders = ComparedLearner::LASTING.into_iter().enumerate();
        let trends = contenders.map(|learner| trend(task, learner));
        let trends: Vec<_> = trends.filter(|trend| !trend.points.is_empty()).collect();
        (task, trends)
    };
    let charts: Vec<_> = tasks
        .map(trends)
        .filter(|(_, all)| !all.is_empty())
        .collect();
    if charts.is_empty() {
        return Ok(());
    }
    let charts: Vec<_> = charts
        .iter()
        .map(|(task, trends)| Lines {
            title: task.name,
            axes: [Axis::decades("examples"), Axis::logarithmic("error (%)")],
            lines: trends,
        })
        .collect();
    let file = format!("long-life-{noise}");
    let title = format!("error on clean examples with {noise} % of wrong labels");
    let grid = Grid { charts: &charts };
    to.add(&file, &title, |path| grid.write(path))
}
