//! The support vector machines of Table 6: the best accuracy of any cost, seen with hindsight.

use anyhow::Result;
use pocketron::label::Sign;

use super::task::Task;
use crate::{
    reproduce::{
        bench::Bench,
        cell::{Cell, Figures, Name, UNSOLVED},
        kept::Kept,
        progress::Watch,
    },
    spread::Spread,
    svm::{Slack, Svm, SvmKernel, SvmSettings},
};

/// A machine by its column in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The name of the column.
    pub column: &'static str,
    slack: Slack,
    /// Powers of ten that `C` is searched among.
    powers: (i32, i32),
}

/// The two machines. The second one of the paper has `1 / C` from `10^-4` to `10^3`.
pub const MACHINES: [Machine; 2] = [
    Machine {
        column: "SVM L1",
        slack: Slack::Linear,
        powers: (-5, 4),
    },
    Machine {
        column: "SVM L2",
        slack: Slack::Squared,
        powers: (-3, 4),
    },
];

impl Machine {
    fn powers(self) -> impl Iterator<Item = i32> {
        self.powers.0..=self.powers.1
    }

    fn name(self, task: Task) -> Name {
        task.with_learner(self.column)
    }

    /// The cell in which a task is learned with all costs.
    pub fn cell(self, task: Task) -> Cell {
        let work = move |bench: &Bench, watch: &Watch<'_>| self.learn(task, bench, watch);
        Cell::new(self.name(task), 1000, work).needing(task.problem.files())
    }

    fn learn(self, task: Task, bench: &Bench, watch: &Watch<'_>) -> Result<Figures> {
        let lessons = task.lessons(bench, watch, |lesson, watch| {
            let [(rows, classes), (tested, truths)] = lesson.parts();
            let sign = |class: &usize| if *class == 1 { Sign::Pos } else { Sign::Neg };
            let labels: Vec<_> = classes.iter().map(sign).collect();
            let truths: Vec<_> = truths.iter().map(sign).collect();
            let one_class = labels.iter().all(|label| Some(label) == labels.first());
            let mut figures = Figures::new();
            for (number, power) in self.powers().enumerate() {
                watch.done(number, self.powers().count());
                let settings = SvmSettings {
                    slack: self.slack,
                    ..SvmSettings::new(SvmKernel::Linear, 10_f64.powi(power))
                };
                let errors = if one_class {
                    // There is nothing to tell apart: all are of the class that is there.
                    truths
                        .iter()
                        .filter(|truth| !labels.contains(truth))
                        .count()
                } else {
                    let svm = Svm::train(rows, &labels, &settings)?;
                    if !svm.is_solved() {
                        // Larger costs are harder still.
                        let left = self.powers().count() - number;
                        figures.insert(UNSOLVED.into(), left as f64);
                        break;
                    }
                    svm.errors(tested, &truths)
                };
                let accuracy = 100.0 * (1.0 - errors as f64 / truths.len() as f64);
                figures.insert(figure(power), accuracy);
            }
            Ok(figures)
        })?;
        Ok(lessons.into_iter().flatten().collect())
    }

    /// Accuracies in the folds with the cost that is best in their mean, of those that were solved in all of them.
    pub fn hindsight(
        self,
        tasks: impl Iterator<Item = Task> + Clone,
        kept: &Kept,
    ) -> Option<Spread> {
        let with = |power| {
            let accuracy = |task| kept.figure(&self.name(task), &figure(power));
            let accuracies: Option<Vec<f64>> = tasks.clone().map(accuracy).collect();
            Spread::over(accuracies?.into_iter())
        };
        let spreads = self.powers().filter_map(with);
        spreads.max_by(|a, b| a.mean.total_cmp(&b.mean))
    }
}

fn figure(power: i32) -> String {
    format!("C 1e{power}")
}
