//! Streams in which something happens, and how learners come out of it.

use anyhow::Result;

use super::{
    Plan,
    compared_learner::ComparedLearner,
    schedule::{Look, Schedule},
    short,
    stream::{Change, Segment, Wild},
    task::Task,
};
use crate::reproduce::{About, Cell, Experiment, FinishedCells, Line, Scope};

/// The tasks: one with two classes, one with four.
const SETS: [&str; 2] = ["quad2", "quad4"];

/// A quick run has all lengths divided by this.
const QUICK: u64 = 10;

/// Kinds of disturbance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// Wrong labels come to an end.
    Heal,
    /// A sensor is stuck for a while.
    Stuck,
    /// One of the first readings is wild.
    Wild,
    /// The concept changes.
    Swap,
}

impl Experiment for Disturbance {
    fn about(&self) -> About {
        About {
            name: match self {
                Disturbance::Heal => "long-life-heal",
                Disturbance::Stuck => "long-life-stuck",
                Disturbance::Wild => "long-life-wild",
                Disturbance::Swap => "long-life-swap",
            },
            title: match self {
                Disturbance::Heal => "the error after wrong labels have come to an end",
                Disturbance::Stuck => "the error after a sensor was stuck",
                Disturbance::Wild => "the error after a wild reading among the first",
                Disturbance::Swap => "the error after the concept has changed",
            },
            remarks: match self {
                Disturbance::Heal => {
                    "Tasks, learners and measurement of `long-life-noise`, five runs. 300,000 examples with wrong labels, then \
                 clean ones. *0*: the error before the first clean example."
                }
                Disturbance::Stuck => {
                    "Tasks, learners and measurement of `long-life-noise`, five runs. After 2,000 or 200,000 good examples, every \
                 reading is the last one, bit for bit, while labels go on; after 50,000 or 100,000 of these, readings are good \
                 again. *before* and *after*: the error at both ends of the constant readings. The percentage of wrong labels \
                 is the same all the time."
                }
                Disturbance::Wild => {
                    "Tasks, learners and measurement of `long-life-noise`, five runs. All features of the first, second or third \
                 reading have the same value."
                }
                Disturbance::Swap => {
                    "Tasks, learners and measurement of `long-life-noise`, five runs. After 300,000 examples the concept changes for \
                 good: class c becomes class c + 1 (with two classes, labels are swapped); the same only where `x0 > 0.4`; or \
                 the first sensor reads `2 x + 0.7`. *before*: the error before the change, on the old concept; all others are \
                 measured on the new one."
                }
            },
            sets: &SETS,
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        self.for_each_plan(scope, |_, plan| cells.extend(plan.cells(scope)));
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let mut lines = Vec::new();
        self.for_each_plan(scope, |title, plan| {
            for look in &plan.schedule.looks {
                lines.push(Line::percent(
                    format!("{title}, error %"),
                    format!(
                        "{}, {} %, {}",
                        plan.task.name,
                        plan.noise,
                        plan.learner.name()
                    ),
                    look.name.clone(),
                    kept.spread(plan.names(scope), &look.name),
                ));
            }
        });
        lines
    }
}

/// A disturbance, and the stream after it with some percentage of wrong labels.
struct Scenario {
    title: String,
    schedule: Schedule,
}

impl Disturbance {
    /// Percentages of wrong labels.
    fn noises(self, scope: &Scope) -> &'static [u64] {
        match self {
            _ if scope.quick => &[10],
            Disturbance::Heal => &[10, 20],
            Disturbance::Wild => &[0, 10],
            Disturbance::Stuck | Disturbance::Swap => &[0, 10, 20],
        }
    }

    /// Calls `with` with all that is wanted, in the order of the tables.
    fn for_each_plan(self, scope: &Scope, mut with: impl FnMut(&str, &Plan<'_>)) {
        let tasks = SETS.into_iter().filter(|set| scope.wants_set(set));
        let tasks: Vec<&'static Task> = tasks.filter_map(Task::named).collect();
        let own = |one: &ComparedLearner| !scope.quick || one.is_own();
        // The noise settles the segments, not which scenarios there are.
        for number in 0..self.scenarios(scope, 0).len() {
            for &task in &tasks {
                for &noise in self.noises(scope) {
                    let Scenario { title, schedule } = &self.scenarios(scope, noise)[number];
                    let contenders = ComparedLearner::LASTING.into_iter().filter(own);
                    for learner in contenders.filter(|one| one.fits(task)) {
                        let plan = Plan {
                            task,
                            learner,
                            schedule,
                            noise,
                        };
                        with(title, &plan);
                    }
                }
            }
        }
    }

    fn scenarios(self, scope: &Scope, noise: u64) -> Vec<Scenario> {
        let divisor = if scope.quick { QUICK } else { 1 };
        let segments = Segments { noise, divisor };
        match self {
            Disturbance::Heal => vec![segments.heal()],
            Disturbance::Stuck => [2000, 200_000]
                .into_iter()
                .flat_map(|good| [50_000, 100_000].map(|constant| segments.stuck(good, constant)))
                .collect(),
            Disturbance::Wild => [0, 1, 2]
                .into_iter()
                .flat_map(|position| [1e6, 1e18, 0.0].map(|value| segments.wild(position, value)))
                .collect(),
            Disturbance::Swap => [
                (Change::Labels, "all labels change"),
                (Change::SomeLabels, "labels change where x0 > 0.4"),
                (Change::Sensor, "sensor 0: gain 2, offset 0.7"),
            ]
            .map(|(change, title)| segments.swap(change, title))
            .into(),
        }
    }
}

/// Segments with that percentage of wrong labels and lengths divided by that.
#[derive(Clone, Copy)]
struct Segments {
    noise: u64,
    divisor: u64,
}

impl Segments {
    fn segment(self, len: u64) -> Segment {
        Segment {
            len: len / self.divisor,
            noise: self.noise,
            ..Segment::default()
        }
    }

    fn look(name: &str, at: u64) -> Look {
        let name = name.to_owned();
        Look { name, at }
    }

    /// So many examples after `from`, which is divided already.
    fn later(self, from: u64, more: u64) -> Look {
        let more = more / self.divisor;
        Look {
            name: format!("+{}", short(more)),
            at: from + more,
        }
    }

    fn heal(self) -> Scenario {
        let noisy = self.segment(300_000);
        let clean = Segment {
            noise: 0,
            ..Segment::default()
        };
        let mut looks = vec![Self::look("0", noisy.len)];
        looks.extend([3000, 10_000, 100_000].map(|more| self.later(noisy.len, more)));
        Scenario {
            title: format!("{} noisy examples, then clean ones", short(noisy.len)),
            schedule: Schedule {
                name: format!("heal-{}", noisy.len),
                segments: vec![noisy, clean],
                looks,
                wild: None,
            },
        }
    }

    fn stuck(self, good: u64, constant: u64) -> Scenario {
        let good = self.segment(good);
        let constant = Segment {
            stuck: true,
            ..self.segment(constant)
        };
        let end = good.len + constant.len;
        let mut looks = vec![Self::look("before", good.len), Self::look("after", end)];
        looks.extend([2000, 10_000, 100_000].map(|more| self.later(end, more)));
        Scenario {
            title: format!(
                "{} good, then {} constant readings",
                short(good.len),
                short(constant.len)
            ),
            schedule: Schedule {
                name: format!("stuck-{}-{}", good.len, constant.len),
                segments: vec![good, constant, good],
                looks,
                wild: None,
            },
        }
    }

    fn wild(self, position: u64, value: f32) -> Scenario {
        let looks = [300, 3000, 30_000, 100_000].map(|at| Look {
            name: short(at / self.divisor),
            at: at / self.divisor,
        });
        let (end, value_name) = (looks[3].at, name_of(value));
        Scenario {
            title: format!("reading {position} is {value_name}"),
            schedule: Schedule {
                name: format!("wild-{position}-{value_name}-{end}"),
                segments: vec![self.segment(100_000)],
                looks: looks.into(),
                wild: Some(Wild { position, value }),
            },
        }
    }

    fn swap(self, change: Change, title: &str) -> Scenario {
        let old = self.segment(300_000);
        let new = Segment { change, ..old };
        let mut looks = vec![Self::look("before", old.len)];
        let after = [2000, 5000, 10_000, 20_000, 100_000];
        looks.extend(after.map(|more| self.later(old.len, more)));
        Scenario {
            title: format!("{title} after {}", short(old.len)),
            schedule: Schedule {
                name: format!("{change:?}-{}", old.len).to_lowercase(),
                segments: vec![old, new],
                looks,
                wild: None,
            },
        }
    }
}

/// A value as tables have it: `1e6`, `0`.
fn name_of(value: f32) -> String {
    match value {
        0.0 => "0".into(),
        _ => format!("{value:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_come_in_order_and_courses_have_names_of_their_own() {
        let all = [
            Disturbance::Heal,
            Disturbance::Stuck,
            Disturbance::Wild,
            Disturbance::Swap,
        ];
        let mut names = Vec::new();
        for quick in [false, true] {
            let scope = Scope {
                quick,
                ..Scope::default()
            };
            for Scenario { title, schedule } in all.iter().flat_map(|one| one.scenarios(&scope, 10))
            {
                let looks = &schedule.looks;
                assert!(looks.is_sorted_by(|one, next| one.at < next.at), "{title}");
                assert!(!names.contains(&schedule.name), "{title}");
                names.push(schedule.name);
            }
        }
        // One, four, nine and three of them, each also as a quick one.
        assert_eq!(names.len(), 2 * 17);
    }
}
