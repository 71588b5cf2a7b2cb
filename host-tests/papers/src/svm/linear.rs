//! Linear soft-margin machines by an interior-point method, where every example may have a cost of its own.
//!
//! The solver is Clarabel. LIBSVM updates two coefficients at a time. On features of very different sizes it does not
//! converge in ten million steps, and it knows costs of classes only. An interior-point method takes some dozens of
//! steps whatever the sizes are. A step costs `n D^2` operations for `n` examples of `D` features, so that it is for
//! sets of few features.
//!
//! ```
//! use pocketron::label::Sign::{Neg, Pos};
//! use pocketron_papers::svm::{LinearSvm, Slack};
//!
//! let rows = [vec![(0, 1.0)], vec![(0, 3.0)]];
//! let svm = LinearSvm::train(&rows, &[Neg, Pos], &[100.0, 100.0], Slack::Linear)?;
//! assert!((svm.score(&[(0, 2.5)]) - 0.5).abs() < 1e-6);
//! assert!(svm.is_solved());
//! # Ok::<(), anyhow::Error>(())
//! ```

use anyhow::{Context, Result, ensure};
use clarabel::{
    algebra::CscMatrix,
    solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT},
};
use pocketron::label::Sign;

use super::Slack;
use crate::sparse::Feature;

/// How far the cost may be from the optimum, relative to the latter.
const SOLVED: f64 = 1e-6;

/// A plane with the largest soft margin.
#[derive(Clone, Debug)]
pub struct LinearSvm {
    weights: Vec<f64>,
    bias: f64,
    gap: f64,
}

impl LinearSvm {
    /// Minimises half of the squared norm plus the costs of all examples.
    ///
    /// `costs` has the `C` of each example. An example without cost is left out.
    ///
    /// # Errors
    ///
    /// There is no example of a class, or a cost is negative or not finite.
    pub fn train(
        rows: &[Vec<Feature>],
        labels: &[Sign],
        costs: &[f64],
        slack: Slack,
    ) -> Result<Self> {
        let problem = Problem::new(rows, labels, costs, slack)?;
        let (weights, bias, alphas) = problem.solve()?;
        let primal = problem.primal(&weights, bias);
        let dual = problem.dual(&problem.feasible(alphas));
        Ok(LinearSvm {
            weights,
            bias,
            gap: (primal - dual) / primal.abs().max(f64::MIN_POSITIVE),
        })
    }

    /// Whether the plane is as good as the best one: its cost is compared with a lower bound, which any coefficients
    /// that satisfy the constraints of the dual problem give.
    pub fn is_solved(&self) -> bool {
        self.gap <= SOLVED
    }

    /// Weights of the features and the bias.
    pub fn plane(&self) -> (&[f64], f64) {
        (&self.weights, self.bias)
    }

    /// Signed distance from the boundary, in units of the margin.
    pub fn score(&self, x: &[Feature]) -> f64 {
        dot(&self.weights, x) + self.bias
    }

    /// Examples on the wrong side, or on neither.
    pub fn errors(&self, rows: &[Vec<Feature>], labels: &[Sign]) -> usize {
        let examples = rows.iter().zip(labels);
        let wrong = examples.filter(|(x, label)| f64::from(label.value()) * self.score(x) <= 0.0);
        wrong.count()
    }
}

/// Features beyond the weights count nothing.
fn dot(weights: &[f64], x: &[Feature]) -> f64 {
    let weight = |position: u32| weights.get(position as usize).copied().unwrap_or(0.0);
    let terms = x.iter();
    terms
        .map(|(position, value)| weight(*position) * f64::from(*value))
        .sum()
}

/// An example that has a cost.
struct Example<'a> {
    x: &'a [Feature],
    y: f64,
    cost: f64,
}

/// The objective.
struct Problem<'a> {
    examples: Vec<Example<'a>>,
    dim: usize,
    slack: Slack,
}

impl<'a> Problem<'a> {
    fn new(rows: &'a [Vec<Feature>], labels: &[Sign], costs: &[f64], slack: Slack) -> Result<Self> {
        ensure!(
            rows.len() == labels.len() && rows.len() == costs.len(),
            "every row needs a label and a cost"
        );
        ensure!(
            costs.iter().all(|cost| cost.is_finite() && *cost >= 0.0),
            "a cost is negative or not finite"
        );
        let examples = rows.iter().zip(labels).zip(costs);
        let examples = examples.filter(|(_, cost)| **cost > 0.0);
        let examples: Vec<_> = examples
            .map(|((x, label), cost)| Example {
                x,
                y: f64::from(label.value()),
                cost: *cost,
            })
            .collect();
        ensure!(
            [-1.0, 1.0].map(|y| examples.iter().any(|it| it.y == y)) == [true, true],
            "a support vector machine needs examples of both classes"
        );
        let dim = examples.iter().map(|it| super::end(it.x)).max();
        Ok(Problem {
            examples,
            dim: dim.unwrap_or(0),
            slack,
        })
    }

    /// Weights, bias, and the coefficient of each example.
    ///
    /// The unknowns are weights, bias and slacks. Clarabel minimises `x' P x / 2 + q' x` where `b - A x` has no negative
    /// component.
    fn solve(&self) -> Result<(Vec<f64>, f64, Vec<f64>)> {
        let (count, dim) = (self.examples.len(), self.dim);
        let unknowns = dim + 1 + count;
        // Small costs make a small objective, which the solver's tolerance would take for zero.
        let total: f64 = self.examples.iter().map(|it| it.cost).sum();
        let scale = total.recip().max(1.0);
        let costs = || self.examples.iter().map(|it| scale * it.cost);
        let (curved, linear): (Vec<f64>, Vec<f64>) = match self.slack {
            Slack::Linear => (vec![0.0; count], costs().collect()),
            Slack::Squared => (costs().collect(), vec![0.0; count]),
        };
        // Features of one size: weights in units of a feature's largest value are of like sizes, too.
        let sizes = self.sizes();
        let square = |size: &f64| scale * size.powi(-2);
        let squared = [sizes.iter().map(square).collect(), vec![0.0], curved].concat();
        let objective = [vec![0.0; dim + 1], linear].concat();

        // Columns of `A`: the margins first, then slacks that must not be negative. A negative slack of a squared cost
        // would only cost more.
        let mut columns = vec![Vec::new(); unknowns];
        for (row, example) in self.examples.iter().enumerate() {
            for (position, value) in example.x {
                let position = *position as usize;
                columns[position].push((row, -example.y * f64::from(*value) / sizes[position]));
            }
            columns[dim].push((row, -example.y));
            columns[dim + 1 + row].push((row, -1.0));
        }
        let mut bounds = vec![-1.0; count];
        if self.slack == Slack::Linear {
            for (number, column) in columns[dim + 1..].iter_mut().enumerate() {
                column.push((count + number, -1.0));
            }
            bounds.resize(2 * count, 0.0);
        }
        let quadratic = matrix(unknowns, squared.into_iter().enumerate().map(|it| vec![it]));
        let constraints = matrix(bounds.len(), columns);
        let cones = [NonnegativeConeT(bounds.len())];
        let settings = DefaultSettings {
            verbose: false,
            // One by one: cells of a table share the cores already.
            max_threads: 1,
            // Beyond what counts as solved, since the bound is of coefficients that are made feasible afterwards.
            tol_feas: 1e-10,
            tol_gap_abs: 1e-10,
            tol_gap_rel: 1e-10,
            ..DefaultSettings::default()
        };
        let solver = DefaultSolver::new(
            &quadratic,
            &objective,
            &constraints,
            &bounds,
            &cones,
            settings,
        );
        let mut solver = solver.context("a support vector machine cannot be set up")?;
        solver.solve();
        let mut weights = solver.solution.x;
        let bias = weights[dim];
        weights.truncate(dim);
        for (weight, size) in weights.iter_mut().zip(&sizes) {
            *weight /= size;
        }
        let mut alphas = solver.solution.z;
        alphas.truncate(count);
        for alpha in &mut alphas {
            *alpha /= scale;
        }
        Ok((weights, bias, alphas))
    }

    /// The largest value of each feature; 1 if it is always zero.
    fn sizes(&self) -> Vec<f64> {
        let mut sizes = vec![0.0_f64; self.dim];
        for (position, value) in self.examples.iter().flat_map(|example| example.x) {
            let size = &mut sizes[*position as usize];
            *size = size.max(f64::from(value.abs()));
        }
        sizes
            .iter()
            .map(|size| if *size > 0.0 { *size } else { 1.0 })
            .collect()
    }

    /// The cost of a plane.
    fn primal(&self, weights: &[f64], bias: f64) -> f64 {
        let costs = self.examples.iter().map(|Example { x, y, cost }| {
            let missed = (1.0 - y * (dot(weights, x) + bias)).max(0.0);
            match self.slack {
                Slack::Linear => cost * missed,
                Slack::Squared => cost * missed * missed / 2.0,
            }
        });
        costs.sum::<f64>() + squared_norm(weights) / 2.0
    }

    /// A bound that no plane costs less than, for coefficients that are feasible.
    fn dual(&self, alphas: &[f64]) -> f64 {
        let mut weights = vec![0.0; self.dim];
        let mut bound = 0.0;
        for (Example { x, y, cost }, alpha) in self.examples.iter().zip(alphas) {
            for (position, value) in *x {
                weights[*position as usize] += alpha * y * f64::from(*value);
            }
            bound += alpha;
            if self.slack == Slack::Squared {
                bound -= alpha * alpha / (2.0 * cost);
            }
        }
        bound - squared_norm(&weights) / 2.0
    }

    /// Coefficients near these that are in their ranges, and of which both classes have the same sum.
    fn feasible(&self, mut alphas: Vec<f64>) -> Vec<f64> {
        for (alpha, example) in alphas.iter_mut().zip(&self.examples) {
            let most = match self.slack {
                Slack::Linear => example.cost,
                Slack::Squared => f64::INFINITY,
            };
            *alpha = alpha.clamp(0.0, most);
        }
        let sum = |y: f64| -> f64 {
            let own = self.examples.iter().zip(&alphas);
            own.filter(|(it, _)| it.y == y)
                .map(|(_, alpha)| alpha)
                .sum()
        };
        let (positive, negative) = (sum(1.0), sum(-1.0));
        let least = positive.min(negative);
        for (alpha, example) in alphas.iter_mut().zip(&self.examples) {
            let own = if example.y > 0.0 { positive } else { negative };
            if own > 0.0 {
                *alpha *= least / own;
            }
        }
        alphas
    }
}

fn squared_norm(weights: &[f64]) -> f64 {
    weights.iter().map(|weight| weight * weight).sum()
}

/// A sparse matrix of columns; zeros stay out.
fn matrix(rows: usize, columns: impl IntoIterator<Item = Vec<(usize, f64)>>) -> CscMatrix<f64> {
    let (mut starts, mut positions, mut values) = (vec![0], Vec::new(), Vec::new());
    for column in columns {
        for (row, value) in column {
            if value != 0.0 {
                positions.push(row);
                values.push(value);
            }
        }
        starts.push(positions.len());
    }
    CscMatrix::new(rows, starts.len() - 1, starts, positions, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        data::{Dataset, Places},
        options::sign,
        sparse::sparse,
        svm::{Svm, SvmKernel, SvmSettings},
    };
    use Sign::{Neg, Pos};
    use pocketron::{learners::batch::Ranges, persist::Blank};

    type Examples = (Vec<Vec<Feature>>, Vec<Sign>);

    /// Rows of a set, as they are.
    fn unscaled(set: &str) -> Examples {
        let rows: Dataset = Places::new(None).load(set).unwrap();
        let data = rows.to_dense().unwrap().to_f32().unwrap();
        data.iter()
            .map(|(x, label)| (sparse(x), sign(label)))
            .unzip()
    }

    /// Pima with features from -1 to 1.
    fn scaled() -> Examples {
        let rows = Places::new(None).load("pima").unwrap();
        let data = rows.to_dense().unwrap().to_f32().unwrap();
        let points = data.x.as_chunks::<8>().0;
        let mut ranges = Ranges::BLANK;
        points.iter().for_each(|x| ranges.see(x).unwrap());
        let labels = data.labels.iter().map(|label| sign(*label));
        let rows = points.iter().map(|x| sparse(&ranges.apply(x)));
        rows.zip(labels).unzip()
    }

    #[test]
    fn well_conditioned_machines_cost_what_libsvm_finds() {
        for ((rows, labels), slack, cost) in [
            (scaled(), Slack::Linear, 0.5),
            (scaled(), Slack::Squared, 0.5),
            (unscaled("sonar"), Slack::Linear, 1.0),
            (unscaled("sonar"), Slack::Squared, 10.0),
        ] {
            let settings = SvmSettings {
                slack,
                ..SvmSettings::new(SvmKernel::Linear, cost)
            };
            let theirs = Svm::train(&rows, &labels, &settings).unwrap();
            assert!(theirs.is_solved());
            let costs = vec![cost; rows.len()];
            let ours = LinearSvm::train(&rows, &labels, &costs, slack).unwrap();
            let problem = Problem::new(&rows, &labels, &costs, slack).unwrap();
            let cost = |(weights, bias): (&[f64], f64)| problem.primal(weights, bias);
            let (ours, theirs) = (cost(ours.plane()), cost(theirs.plane().unwrap()));
            assert!((ours - theirs).abs() <= 1e-4 * theirs, "{ours} {theirs}");
            assert!(ours <= theirs * (1.0 + 1e-6), "{ours} {theirs}");
        }
    }

    /// Karush, Kuhn and Tucker: the weights are the sum of the examples times their coefficients, and a coefficient says
    /// on which side of its margin an example is. Features here go up to 846, and costs to 10^4; LIBSVM gives up.
    #[test]
    fn ill_conditioned_machines_satisfy_the_conditions_of_an_optimum() {
        let (rows, labels) = unscaled("pima");
        for slack in [Slack::Linear, Slack::Squared] {
            for cost in [1e-4, 1.0, 1e4] {
                let costs = vec![cost; rows.len()];
                let problem = Problem::new(&rows, &labels, &costs, slack).unwrap();
                let (weights, bias, alphas) = problem.solve().unwrap();
                let mut rest = weights.clone();
                let (mut balance, mut terms) = (0.0, 0.0);
                for (Example { x, y, .. }, alpha) in problem.examples.iter().zip(&alphas) {
                    for (at, value) in *x {
                        rest[*at as usize] -= alpha * y * f64::from(*value);
                    }
                    balance += alpha * y;
                    let values = x.iter().map(|(_, value)| f64::from(*value));
                    terms += alpha * squared_norm(&values.collect::<Vec<_>>()).sqrt();
                    let beyond = y * (dot(&weights, x) + bias) - 1.0;
                    let share = alpha / cost;
                    let expected = match slack {
                        // On its margin an example has any coefficient.
                        Slack::Linear if beyond.abs() <= 1e-3 => share.clamp(0.0, 1.0),
                        Slack::Linear => f64::from(u8::from(beyond < 0.0)),
                        Slack::Squared => (-beyond).max(0.0),
                    };
                    assert!(
                        (share - expected).abs() <= 1e-3 * expected.max(1.0),
                        "{slack:?} {cost}: {share} of C, {beyond} beyond the margin"
                    );
                }
                assert!(
                    balance.abs() <= 1e-6 * alphas.iter().sum::<f64>(),
                    "{balance}"
                );
                // Terms that nearly cancel: the solver's tolerance is relative to their sizes.
                let rest = squared_norm(&rest).sqrt();
                assert!(rest <= 1e-7 * terms, "{slack:?} {cost}: {rest} of {terms}");
                let svm = LinearSvm::train(&rows, &labels, &costs, slack).unwrap();
                assert!(svm.is_solved(), "{slack:?} {cost}: {}", svm.gap);
            }
        }
    }

    #[test]
    fn a_plane_beside_the_best_one_is_not_solved() {
        let (rows, labels) = scaled();
        let costs = vec![0.5; rows.len()];
        let problem = Problem::new(&rows, &labels, &costs, Slack::Linear).unwrap();
        let (weights, bias, alphas) = problem.solve().unwrap();
        let bound = problem.dual(&problem.feasible(alphas));
        let solved = |bias: f64| problem.primal(&weights, bias) - bound <= SOLVED * bound;
        assert!(solved(bias) && !solved(bias + 0.1) && !solved(bias - 0.1));
    }

    /// Costs that are multiples of one are as many copies; without a cost an example is not there.
    #[test]
    fn a_cost_is_as_many_examples() {
        let (rows, labels) = scaled();
        let times = |row: usize| row % 4;
        let costs: Vec<f64> = (0..rows.len()).map(|row| 0.5 * times(row) as f64).collect();
        let copies = (0..rows.len()).flat_map(|row| vec![row; times(row)]);
        let (copied, copied_labels): Examples =
            copies.map(|row| (rows[row].clone(), labels[row])).unzip();
        let alike = vec![0.5; copied.len()];
        for slack in [Slack::Linear, Slack::Squared] {
            let one = LinearSvm::train(&rows, &labels, &costs, slack).unwrap();
            let other = LinearSvm::train(&copied, &copied_labels, &alike, slack).unwrap();
            let ((a, bias), (b, other_bias)) = (one.plane(), other.plane());
            for (a, b) in a.iter().zip(b).chain([(&bias, &other_bias)]) {
                assert!(
                    (a - b).abs() <= 1e-4 * a.abs().max(1.0),
                    "{slack:?}: {a} {b}"
                );
            }
        }
    }

    #[test]
    fn costs_that_make_no_sense_are_refused() {
        let rows = [vec![(0, 1.0)], vec![(0, 3.0)]];
        let train = |costs: &[f64]| LinearSvm::train(&rows, &[Neg, Pos], costs, Slack::Linear);
        assert!(train(&[1.0, 1.0]).is_ok());
        for costs in [&[1.0, 0.0][..], &[1.0, -1.0], &[1.0, f64::NAN], &[1.0]] {
            assert!(train(costs).is_err(), "{costs:?}");
        }
    }
}
