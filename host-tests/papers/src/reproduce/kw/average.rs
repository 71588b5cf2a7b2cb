//! Servedio's average algorithm on the sets of Tables 3 to 5.

use anyhow::Result;

use super::{
    problem::{ADULT, Problem},
    search::{Search, narrow, noises, searched},
    setting::{Setting, Variant, best},
    task::Task,
};
use crate::{
    reproduce::{About, Bench, Cell, Experiment, Figures, FinishedCells, Line, Name, Scope, Watch},
    spread::Spread,
};

/// The average algorithm beside the perceptron.
pub struct Average;

/// Rows of Adult that are learned, as many as Table 5 has at most.
const ADULT_ROWS: usize = 20_000;

/// A set in some orders.
struct Rows {
    name: String,
    problem: Problem,
    limit: Option<usize>,
    runs: std::ops::Range<u64>,
}

impl Rows {
    /// All that are wanted.
    fn wanted(scope: &Scope) -> Vec<Self> {
        let natural = Search::wanted(scope).map(|set| Rows {
            name: set.into(),
            problem: searched(set).0,
            limit: None,
            runs: Search::runs(set, scope),
        });
        let adult = (scope.wants_set("adult") && !scope.quick).then(|| Rows {
            name: "adult".into(),
            problem: Problem::whole("adult").learned_by(ADULT).first_file(),
            limit: Some(ADULT_ROWS),
            runs: scope.runs(1, 1),
        });
        let artificial = noises(scope).map(|noise| Rows {
            name: format!("artificial, noise {noise}"),
            problem: narrow(noise),
            limit: None,
            runs: scope.runs(10, 1),
        });
        natural.chain(adult).chain(artificial).collect()
    }

    /// The folds of an order.
    fn tasks(&self, run: u64) -> impl Iterator<Item = Task> + Clone + use<> {
        let limit = self.limit;
        Task::folds(self.problem, run).map(move |task| Task { limit, ..task })
    }

    /// The mean over the folds of each order.
    fn spread(&self, of_run: impl Fn(u64) -> Option<f64>) -> Option<Spread> {
        Spread::over(self.runs.clone().filter_map(of_run))
    }

    /// The average algorithm's.
    fn average(&self, kept: &FinishedCells, figure: &str) -> Option<Spread> {
        self.spread(|run| {
            let accuracy = |task: Task| kept.figure(&name(task), figure);
            let accuracies: Option<Vec<f64>> = self.tasks(run).map(accuracy).collect();
            Some(Spread::over(accuracies?.into_iter())?.mean)
        })
    }

    /// The perceptron's best with one of some settings.
    fn perceptron(
        &self,
        kept: &FinishedCells,
        settings: &[Setting],
        prediction: &str,
    ) -> Option<Spread> {
        self.spread(|run| {
            let mean = |setting| Task::mean(self.tasks(run), kept, setting, prediction);
            Some(best(settings.to_vec(), mean)?.1)
        })
    }
}

fn name(task: Task) -> Name {
    task.with_learner("average")
}

/// The figures of a cell: the plane goes through the origin, or has the threshold of the other learners.
const FIGURES: [(&str, bool); 2] = [("through the origin", false), ("with a threshold", true)];

fn learn(task: Task, bench: &Bench, watch: &Watch<'_>) -> Result<Figures> {
    let lessons = task.lessons(bench, watch, |lesson, _| {
        let figure =
            |(figure, threshold): (&str, bool)| Ok((figure.to_owned(), lesson.average(threshold)?));
        FIGURES.into_iter().map(figure).collect::<Result<Figures>>()
    })?;
    Ok(lessons.into_iter().flatten().collect())
}

impl Experiment for Average {
    fn about(&self) -> About {
        About {
            name: "kw-average",
            title: "the average algorithm on the sets of Tables 3 to 5 (Khardon and Wachman, end of Section 3.3)",
            remarks: "Servedio's algorithm adds every example once, right or wrong. The paper ran it on its sets and says, without figures, \
                     that it was not competitive. Here its plane goes through the origin, as Servedio has it, or has the threshold \
                     of the paper's Figure 1, which begins at the mean squared norm and moves with every example. Beside it stand \
                     the perceptron of the same folds without a parameter and with the best `tau` in hindsight. Of Adult 20,000 rows are \
                     learned in each fold.",
            ..About::EMPTY
        }
    }

    fn sets(&self) -> Vec<&'static str> {
        let natural = Experiment::sets(&Search).into_iter();
        natural.chain(["adult", "artificial"]).collect()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for rows in Rows::wanted(scope) {
            for task in rows.runs.clone().flat_map(|run| rows.tasks(run)) {
                let work = move |bench: &Bench, watch: &Watch<'_>| learn(task, bench, watch);
                cells.push(Cell::new(name(task), 10, work).needing(task.problem.files()));
                cells.extend(task.cells(Variant::Tau.settings(true)));
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let (nothing, margins) = (
            Variant::Nothing.settings(false),
            Variant::Tau.settings(false),
        );
        let of_rows = |rows: Rows| {
            let perceptron = |settings, prediction| rows.perceptron(kept, settings, prediction);
            let columns = [
                ("average", rows.average(kept, FIGURES[0].0)),
                ("average, threshold", rows.average(kept, FIGURES[1].0)),
                ("perceptron, last", perceptron(&nothing, "last")),
                ("perceptron, voted", perceptron(&nothing, "voted")),
                ("best tau, last", perceptron(&margins, "last")),
            ];
            columns.map(|(column, ours)| Line::percent("", rows.name.clone(), column, ours))
        };
        let rows = Rows::wanted(scope).into_iter();
        rows.flat_map(of_rows).collect()
    }
}
