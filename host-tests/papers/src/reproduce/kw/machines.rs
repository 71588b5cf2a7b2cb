//! The support vector machines of Table 6: the best accuracy of any cost, seen with hindsight.

use anyhow::Result;
use pocketron::label::Sign;

use super::task::Task;
use crate::{
    reproduce::{Bench, Cell, Figures, FinishedCells, Name, UNSOLVED, Watch},
    spread::Spread,
    svm::{LinearSvm, Slack},
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
        // LIBSVM computed the cells without a solver in their names.
        task.with_learner(self.column)
            .with("solver", "interior-point")
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
                let errors = if one_class {
                    // There is nothing to tell apart: all are of the class that is there.
                    truths
                        .iter()
                        .filter(|truth| !labels.contains(truth))
                        .count()
                } else {
                    let costs = vec![10_f64.powi(power); rows.len()];
                    let svm = LinearSvm::train(rows, &labels, &costs, self.slack)?;
                    if !svm.is_solved() {
                        *figures.entry(UNSOLVED.into()).or_insert(0.0) += 1.0;
                        continue;
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

    /// Accuracies in the folds with the cost that is best in their mean; nothing unless the machines of all costs were
    /// solved in all folds, since one that was not might be the best.
    pub fn hindsight(
        self,
        tasks: impl Iterator<Item = Task> + Clone,
        kept: &FinishedCells,
    ) -> Option<Spread> {
        let with = |power| {
            let accuracy = |task| kept.figure(&self.name(task), &figure(power));
            let accuracies: Option<Vec<f64>> = tasks.clone().map(accuracy).collect();
            Spread::over(accuracies?.into_iter())
        };
        let spreads: Option<Vec<Spread>> = self.powers().map(with).collect();
        spreads?
            .into_iter()
            .max_by(|a, b| a.mean.total_cmp(&b.mean))
    }
}

fn figure(power: i32) -> String {
    format!("C 1e{power}")
}

#[cfg(test)]
mod tests {
    use super::super::problem::Problem;
    use super::*;
    use crate::reproduce::Finished;

    /// All costs have the accuracy 80 in all folds, but for one that has 90 or, if it was not solved, none.
    fn kept(machine: Machine, solved: bool) -> FinishedCells {
        let mut kept = FinishedCells::new();
        for task in Task::folds(Problem::whole("sonar"), 1) {
            let mut figures: Figures = machine.powers().map(|it| (figure(it), 80.0)).collect();
            figures.insert(figure(2), 90.0);
            if !solved {
                figures.remove(&figure(2));
                figures.insert(UNSOLVED.into(), 1.0);
            }
            kept.add(Finished {
                cell: machine.name(task).to_string(),
                figures,
                seconds: 0.0,
                at: 1,
                fingerprint: None,
                checksum: None,
            });
        }
        kept
    }

    #[test]
    fn no_figure_is_shown_of_which_a_machine_was_not_solved() {
        for machine in MACHINES {
            let folds = Task::folds(Problem::whole("sonar"), 1);
            let shown = |solved| machine.hindsight(folds.clone(), &kept(machine, solved));
            assert_eq!(shown(true).map(|spread| spread.mean), Some(90.0));
            assert!(shown(false).is_none());
        }
    }
}
