//! Long streams: what learners know after a million examples, wrong labels, a stuck sensor, wild first readings and
//! changes of the concept.

mod compared_learner;
mod default_learner;
mod disturbance;
mod noise;
mod picture;
mod schedule;
mod stream;
mod task;

pub use compared_learner::{ComparedLearner, Model};
pub use disturbance::Disturbance;
pub use noise::LongLife;
pub use schedule::{ABOVE_BEST, Look, Schedule};
pub use stream::{Change, Example, Segment, Stream, Wild};
pub use task::{TASKS, Task};

use super::super::{
    bench::Bench,
    cell::{Cell, Name},
    experiment::Scope,
    progress::Watch,
};

/// Runs of a learner on a task unless said otherwise: each has other examples.
const RUNS: u64 = 5;

/// The numbers of the runs.
fn runs(scope: &Scope) -> std::ops::Range<u64> {
    scope.runs(RUNS, 1)
}

/// A learner on a schedule: the cells are its runs.
#[derive(Clone, Copy)]
struct Plan<'a> {
    task: &'static Task,
    learner: ComparedLearner,
    schedule: &'a Schedule,
    /// Percentage of wrong labels, as far as the schedule has noise.
    noise: u64,
}

impl Plan<'_> {
    /// Name of a run.
    fn name(&self, run: u64) -> Name {
        let name = Name::new("long-life").with("set", self.task.name);
        let name = name.with("course", &self.schedule.name);
        let name = name.with("noise", self.noise);
        name.with("learner", self.learner.name()).with("run", run)
    }

    /// The names of all runs that are wanted.
    fn names(&self, scope: &Scope) -> impl Iterator<Item = Name> {
        runs(scope).map(|run| self.name(run))
    }

    /// All runs that are wanted.
    fn cells(&self, scope: &Scope) -> impl Iterator<Item = Cell> {
        let (task, learner) = (self.task, self.learner);
        let cost = self.schedule.len() * (task.dim * task.budget) as u64 / 1_000_000;
        runs(scope).map(move |run| {
            let schedule = self.schedule.clone();
            let work = move |_: &Bench, watch: &Watch<'_>| {
                let mut model = learner.build(task)?;
                schedule.run(task, &mut *model, run, watch)
            };
            Cell::new(self.name(run), cost, work)
        })
    }
}

/// A number of examples as a heading has it: `3k`, `1M`.
fn short(examples: u64) -> String {
    match examples {
        1_000_000.. if examples.is_multiple_of(1_000_000) => format!("{}M", examples / 1_000_000),
        1000.. if examples.is_multiple_of(1000) => format!("{}k", examples / 1000),
        _ => examples.to_string(),
    }
}
