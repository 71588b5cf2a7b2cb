//! Soft-margin support vector machines, which the papers compare with.
//!
//! | machine | solver | for |
//! |---|---|---|
//! | [`Svm`], [`ClassSvm`] | LIBSVM | kernels, sparse rows of many features, several classes |
//! | [`LinearSvm`] | interior point | few features of any size, a cost for each example |
//!
//! No solver is from here. LIBSVM's is the library `libsvm-rs`: the solver of LIBSVM, which the papers themselves used, in Rust without
//! `unsafe` and with one small dependency, under the BSD licence, checked by its authors against LIBSVM itself. It
//! takes sparse rows as they are. `linfa-svm` 0.8 finds the same machines (tried on pima, german and sonar) in 2 to 70
//! times the time, wants dense rows and brings dozens of crates along; the bindings to LIBSVM and LIBLINEAR have
//! rested since 2019.
//!
//! ```
//! use pocketron::label::Sign::{Neg, Pos};
//! use pocketron_papers::svm::{Svm, SvmKernel, SvmSettings};
//!
//! // The plane halfway between two points; features are pairs of position and value.
//! let rows = [vec![(0, 1.0)], vec![(0, 3.0)]];
//! let svm = Svm::train(&rows, &[Neg, Pos], &SvmSettings::new(SvmKernel::Linear, 100.0))?;
//! assert!((svm.score(&[(0, 2.5)]) - 0.5).abs() < 1e-3);
//! assert_eq!(svm.support_vectors(), 2);
//! # Ok::<(), anyhow::Error>(())
//! ```

mod linear;

pub use linear::LinearSvm;

use anyhow::{Context, Result, ensure};
use libsvm_rs::{
    KernelType, SvmModel, SvmNode, SvmParameter, SvmProblem, check_parameter,
    predict::{predict, predict_values},
    train::svm_train,
};
use pocketron::label::Sign;

use crate::{data::shuffle::permutation, sparse::Feature};

/// Similarity of two rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SvmKernel {
    /// `a . b`.
    Linear,
    /// `exp(-gamma |a - b|^2)`.
    Gaussian(f64),
    /// `(1 + a . b)^degree`.
    Polynomial(u8),
}

/// Cost of an example that misses its margin by `xi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slack {
    /// `C xi`.
    Linear,
    /// `C xi^2 / 2`, for the linear kernel only.
    Squared,
}

/// Parameters of the objective: half of the squared norm, and the cost of all examples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SvmSettings {
    /// Similarity of two rows.
    pub kernel: SvmKernel,
    /// How a missed margin counts.
    pub slack: Slack,
    /// `C`.
    pub cost: f64,
    /// Factor of `C` for positive examples.
    pub positive_weight: f64,
}

impl SvmSettings {
    /// The usual machine: linear slack, both classes alike.
    pub const fn new(kernel: SvmKernel, cost: f64) -> Self {
        SvmSettings {
            kernel,
            slack: Slack::Linear,
            cost,
            positive_weight: 1.0,
        }
    }

    /// `C` of a class.
    fn cost_of(&self, label: Sign) -> f64 {
        match label {
            Sign::Pos => self.cost * self.positive_weight,
            Sign::Neg => self.cost,
        }
    }

    fn parameters(&self) -> SvmParameter {
        // Squared slack has no upper bound of its own; this one is never reached.
        const UNBOUNDED: f64 = 1e10;
        let (cost, positive_weight) = match self.slack {
            Slack::Linear => (self.cost, self.positive_weight),
            Slack::Squared => (UNBOUNDED, 1.0),
        };
        let (kernel_type, gamma, degree) = match self.kernel {
            SvmKernel::Linear => (KernelType::Linear, 1.0, 1),
            SvmKernel::Gaussian(gamma) => (KernelType::Rbf, gamma, 1),
            SvmKernel::Polynomial(degree) => (KernelType::Polynomial, 1.0, degree.into()),
        };
        SvmParameter {
            kernel_type,
            gamma,
            degree,
            coef0: 1.0,
            c: cost,
            weight: vec![(1, positive_weight)],
            ..SvmParameter::default()
        }
    }
}

/// A trained machine.
#[derive(Clone, Debug)]
pub struct Svm {
    model: SvmModel,
    /// Weights of the features and the bias, where the kernel is linear.
    plane: Option<(Vec<f64>, f64)>,
    /// How far the worst example is from what holds at the optimum, where the kernel is linear.
    violation: f64,
}

/// LIBSVM stops at 0.001, or after ten million steps, wherever it is then.
const SOLVED: f64 = 0.01;

impl Svm {
    /// Trains a machine.
    ///
    /// # Errors
    ///
    /// There is no example of a class, or a parameter is not positive.
    pub fn train(rows: &[Vec<Feature>], labels: &[Sign], settings: &SvmSettings) -> Result<Self> {
        ensure!(
            labels.contains(&Sign::Pos) && labels.contains(&Sign::Neg),
            "a support vector machine needs examples of both classes"
        );
        let linear = settings.kernel == SvmKernel::Linear;
        ensure!(
            linear || settings.slack == Slack::Linear,
            "squared slack needs the linear kernel"
        );
        let dim = rows.iter().map(|row| end(row)).max().unwrap_or(0);
        let mut instances: Vec<_> = rows.iter().map(|row| nodes(row)).collect();
        if settings.slack == Slack::Squared {
            // The squared slack of an example is a feature that only this example has.
            for (number, (row, label)) in instances.iter_mut().zip(labels).enumerate() {
                row.push(SvmNode {
                    index: (dim + number + 1) as i32,
                    value: settings.cost_of(*label).recip().sqrt(),
                });
            }
        }
        let problem = SvmProblem {
            labels: labels
                .iter()
                .map(|label| f64::from(label.value()))
                .collect(),
            instances,
        };
        let parameters = settings.parameters();
        check_parameter(&problem, &parameters)?;
        libsvm_rs::set_quiet(true);
        let model = svm_train(&problem, &parameters);
        let violation = if linear {
            violation(&model, &problem, dim + rows.len(), settings)
        } else {
            0.0
        };
        let plane = linear.then(|| plane(&model, dim));
        Ok(Svm {
            model,
            plane,
            violation,
        })
    }

    /// Whether the solver arrived; only asked of linear machines, which may take for ever on features of unlike sizes.
    pub fn is_solved(&self) -> bool {
        self.violation <= SOLVED
    }

    /// Signed distance from the boundary, in units of the margin.
    pub fn score(&self, x: &[Feature]) -> f64 {
        if let Some((weights, bias)) = &self.plane {
            let weight = |position: u32| weights.get(position as usize).copied().unwrap_or(0.0);
            let terms = x
                .iter()
                .map(|(position, value)| weight(*position) * f64::from(*value));
            return terms.sum::<f64>() + bias;
        }
        let mut score = [0.0];
        predict_values(&self.model, &nodes(x), &mut score);
        score[0] * first_label(&self.model)
    }

    /// Examples with a coefficient that is not zero.
    pub fn support_vectors(&self) -> usize {
        self.model.sv.len()
    }

    /// Weights of the features and the bias, where the kernel is linear.
    pub fn plane(&self) -> Option<(&[f64], f64)> {
        let (weights, bias) = self.plane.as_ref()?;
        Some((weights, *bias))
    }

    /// Examples on the wrong side, or on neither.
    pub fn errors(&self, rows: &[Vec<Feature>], labels: &[Sign]) -> usize {
        let examples = rows.iter().zip(labels);
        let wrong = examples.filter(|(x, label)| f64::from(label.value()) * self.score(x) <= 0.0);
        wrong.count()
    }
}

/// Machines for every pair of classes, which vote.
#[derive(Clone, Debug)]
pub struct ClassSvm {
    model: SvmModel,
}

impl ClassSvm {
    /// Trains one machine for every two classes; the slack is linear and all classes count alike.
    ///
    /// # Errors
    ///
    /// There are less than two classes, or a parameter is not positive.
    pub fn train(
        rows: &[Vec<Feature>],
        classes: &[u8],
        kernel: SvmKernel,
        cost: f64,
    ) -> Result<Self> {
        ensure!(
            classes.iter().any(|class| Some(class) != classes.first()),
            "support vector machines need examples of two classes"
        );
        let problem = SvmProblem {
            labels: classes.iter().map(|class| f64::from(*class)).collect(),
            instances: rows.iter().map(|row| nodes(row)).collect(),
        };
        let mut parameters = SvmSettings::new(kernel, cost).parameters();
        parameters.weight.clear();
        check_parameter(&problem, &parameters)?;
        libsvm_rs::set_quiet(true);
        let model = svm_train(&problem, &parameters);
        Ok(ClassSvm { model })
    }

    /// The class that wins most pairs.
    pub fn predict(&self, x: &[Feature]) -> u8 {
        predict(&self.model, &nodes(x)) as u8
    }

    /// Different examples with a coefficient that is not zero in any pair.
    pub fn support_vectors(&self) -> usize {
        self.model.sv.len()
    }
}

/// The one of some costs with which a linear machine makes the fewest errors in a cross-validation, the least one if
/// several do.
///
/// Every fold has its share of either class; `seed` decides which examples.
///
/// # Errors
///
/// Those of [`LinearSvm::train`]: a class has so few examples that a fold lacks it.
pub fn choose_cost(
    rows: &[Vec<Feature>],
    labels: &[Sign],
    slack: Slack,
    costs: &[f64],
    (folds, seed): (usize, u64),
) -> Result<f64> {
    let mut order = permutation(rows.len(), seed);
    order.sort_by_key(|&row| labels[row] == Sign::Pos);
    let mut fold_of = vec![0; rows.len()];
    for (place, &row) in order.iter().enumerate() {
        fold_of[row] = place % folds;
    }
    let part = |wanted: &dyn Fn(usize) -> bool| -> (Vec<Vec<Feature>>, Vec<Sign>) {
        let chosen = (0..rows.len()).filter(|&row| wanted(fold_of[row]));
        chosen.map(|row| (rows[row].clone(), labels[row])).unzip()
    };
    let mut errors = vec![0; costs.len()];
    for fold in 0..folds {
        let (train, train_labels) = part(&|other| other != fold);
        let (test, test_labels) = part(&|other| other == fold);
        for (errors, &cost) in errors.iter_mut().zip(costs) {
            let svm = LinearSvm::train(&train, &train_labels, &vec![cost; train.len()], slack)?;
            *errors += svm.errors(&test, &test_labels);
        }
    }
    let tried = errors.iter().zip(costs);
    let best = tried.min_by(|(a, c), (b, d)| a.cmp(b).then(c.total_cmp(d)));
    best.map(|(_, cost)| *cost)
        .context("no cost to choose from")
}

/// One behind the last position of a row.
fn end(row: &[Feature]) -> usize {
    row.last().map_or(0, |(position, _)| *position as usize + 1)
}

fn nodes(row: &[Feature]) -> Vec<SvmNode> {
    let node = |(position, value): &Feature| SvmNode {
        index: *position as i32 + 1,
        value: f64::from(*value),
    };
    row.iter().map(node).collect()
}

/// The label that a positive score of LIBSVM stands for: that of the first example.
fn first_label(model: &SvmModel) -> f64 {
    f64::from(model.label[0])
}

/// The support vectors of a linear machine, added up; the features of squared slack stay out.
fn plane(model: &SvmModel, dim: usize) -> (Vec<f64>, f64) {
    let sign = first_label(model);
    let mut weights = vec![0.0; dim];
    for (vector, coefficient) in model.sv.iter().zip(&model.sv_coef[0]) {
        for node in vector {
            if let Some(weight) = weights.get_mut(node.index as usize - 1) {
                *weight += sign * coefficient * node.value;
            }
        }
    }
    (weights, -sign * model.rho[0])
}

/// By how much the worst example misses the conditions of an optimum (Karush, Kuhn, Tucker): without a coefficient it lies
/// beyond the margin, with the largest one within it, and otherwise on it. `dim` counts the features of squared slack too.
fn violation(model: &SvmModel, problem: &SvmProblem, dim: usize, settings: &SvmSettings) -> f64 {
    let (weights, bias) = plane(model, dim);
    let mut alphas = vec![0.0; problem.instances.len()];
    for (number, coefficient) in model.sv_indices.iter().zip(&model.sv_coef[0]) {
        alphas[number - 1] = coefficient.abs();
    }
    let largest = |label: f64| match settings.slack {
        Slack::Linear => settings.cost_of(Sign::of(label as f32)),
        Slack::Squared => f64::INFINITY,
    };
    let examples = problem.instances.iter().zip(&problem.labels).zip(alphas);
    let violations = examples.map(|((row, label), alpha)| {
        let terms = row
            .iter()
            .map(|node| weights[node.index as usize - 1] * node.value);
        let beyond = label * (terms.sum::<f64>() + bias) - 1.0;
        if alpha == 0.0 {
            (-beyond).max(0.0)
        } else if alpha >= largest(*label) {
            beyond.max(0.0)
        } else {
            beyond.abs()
        }
    });
    violations.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        data::{Places, generate::Artificial},
        options::sign,
        sparse::sparse,
    };
    use Sign::{Neg, Pos};
    use pocketron::{learners::batch::Ranges, persist::Blank};

    fn dense(rows: &[[f32; 2]]) -> Vec<Vec<Feature>> {
        rows.iter().map(|row| sparse(row)).collect()
    }

    fn examples(data: &crate::data::Dense<f32>) -> (Vec<Vec<Feature>>, Vec<Sign>) {
        data.iter()
            .map(|(x, label)| (sparse(x), sign(label)))
            .unzip()
    }

    /// Two points on either side, the nearest two apart: the plane is x + y = 3, the margin ends at 2 and 4.
    #[test]
    fn separable_points_have_the_widest_margin() {
        let rows = dense(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [4.0, 3.0]]);
        let labels = [Neg, Neg, Pos, Pos];
        let settings = SvmSettings::new(SvmKernel::Linear, 1e3);
        let svm = Svm::train(&rows, &labels, &settings).unwrap();
        let (weights, bias) = svm.plane().unwrap();
        assert!((weights[0] - 1.0).abs() < 1e-3 && (weights[1] - 1.0).abs() < 1e-3);
        assert!((bias + 3.0).abs() < 1e-3, "{bias}");
        assert_eq!((svm.support_vectors(), svm.errors(&rows, &labels)), (2, 0));
        // The sign does not depend on which class comes first.
        let turned = Svm::train(&rows, &[Pos, Pos, Neg, Neg], &settings).unwrap();
        assert!((turned.score(&[(0, 1.0)]) + svm.score(&[(0, 1.0)])).abs() < 1e-6);
    }

    /// Three blocks on a line: each pair is told apart, and the votes are right on all of them.
    #[test]
    fn pairs_of_classes_vote() {
        let rows: Vec<_> = (0..30).map(|n| vec![(0, n as f32)]).collect();
        let classes: Vec<u8> = (0..30).map(|n| 3 + n / 10).collect();
        let svm = ClassSvm::train(&rows, &classes, SvmKernel::Gaussian(0.05), 100.0).unwrap();
        let right = rows
            .iter()
            .zip(&classes)
            .filter(|(x, class)| svm.predict(x) == **class);
        assert_eq!(right.count(), 30);
        assert!(svm.support_vectors() < 30);
        assert!(ClassSvm::train(&rows, &[1; 30], SvmKernel::Linear, 1.0).is_err());
    }

    /// Two examples at distance d of zero have alpha = min(C, 1 / (2 d^2)) with linear slack, and
    /// 2 / (4 d^2 + 2 / C) with squared slack; w = 2 alpha d.
    #[test]
    fn slack_costs_what_its_formula_says() {
        let rows = [vec![(0, -0.5)], vec![(0, 0.5)]];
        let weight = |slack, cost| {
            let settings = SvmSettings {
                slack,
                ..SvmSettings::new(SvmKernel::Linear, cost)
            };
            let svm = Svm::train(&rows, &[Neg, Pos], &settings).unwrap();
            assert!(svm.is_solved(), "{slack:?} {cost}: {}", svm.violation);
            svm.plane().unwrap().0[0]
        };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-3, "{a} {b}");
        // Another plane is no solution.
        let mut svm = Svm::train(
            &rows,
            &[Neg, Pos],
            &SvmSettings::new(SvmKernel::Linear, 10.0),
        )
        .unwrap();
        assert!(svm.is_solved(), "{}", svm.violation);
        svm.model.rho[0] += 0.1;
        let problem = SvmProblem {
            labels: vec![-1.0, 1.0],
            instances: rows.iter().map(|row| nodes(row)).collect(),
        };
        let settings = SvmSettings::new(SvmKernel::Linear, 10.0);
        near(violation(&svm.model, &problem, 3, &settings), 0.1);
        near(weight(Slack::Linear, 0.3), 0.3);
        near(weight(Slack::Linear, 10.0), 2.0);
        near(weight(Slack::Squared, 4.0), 2.0 / 1.5);
        near(weight(Slack::Squared, 1.0), 2.0 / 3.0);
    }

    #[test]
    fn kernels_without_a_plane_bend_the_boundary() {
        let data = Artificial::YinYang.draw(300, 1).to_f32().unwrap();
        let (rows, labels) = examples(&data);
        let errors = |kernel| {
            let svm = Svm::train(&rows, &labels, &SvmSettings::new(kernel, 100.0)).unwrap();
            svm.errors(&rows, &labels)
        };
        let straight = errors(SvmKernel::Linear);
        assert!(2 * errors(SvmKernel::Gaussian(2.0)) < straight);
        assert!(2 * errors(SvmKernel::Polynomial(5)) < straight);
    }

    /// Another library, `linfa-svm`, finds 423 support vectors and 171 errors here as well.
    #[test]
    fn pima_has_the_support_vectors_that_another_library_finds() {
        let rows = Places::new(None).load("pima").unwrap();
        let data = rows.to_dense().unwrap().to_f32().unwrap();
        let points = data.x.as_chunks::<8>().0;
        let mut ranges = Ranges::BLANK;
        points
            .iter()
            .for_each(|x| ranges.see(x).expect("finite points"));
        let rows: Vec<_> = points.iter().map(|x| sparse(&ranges.apply(x))).collect();
        let labels: Vec<_> = data.labels.iter().map(|label| sign(*label)).collect();
        let settings = SvmSettings::new(SvmKernel::Linear, 0.5);
        let svm = Svm::train(&rows, &labels, &settings).unwrap();
        assert_eq!(svm.support_vectors(), 423);
        assert!(svm.is_solved(), "{}", svm.violation);
        assert_eq!(svm.errors(&rows, &labels), 171);
    }

    /// Noise makes a large cost useless: of these, the one in the middle errs least.
    #[test]
    fn the_cost_with_the_fewest_errors_is_chosen() {
        let data = Artificial::RingNorm.draw(120, 5).to_f32().unwrap();
        let (rows, labels) = examples(&data);
        let chosen =
            choose_cost(&rows, &labels, Slack::Linear, &[1e-4, 10.0, 1.0], (5, 1)).unwrap();
        assert!(chosen >= 1.0, "{chosen}");
        assert!(choose_cost(&rows[..1], &labels[..1], Slack::Linear, &[1.0], (5, 1)).is_err());
    }
}
