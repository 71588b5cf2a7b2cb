//! Batch learners of the core on whole sets: what `pocketron rcd` and the tests of the paper's figures run.

mod soft_svm;

pub use soft_svm::SoftSvm;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use pocketron::{
    label::Sign,
    learners::batch::{
        AdaBoost, AveragedPerceptron, Breakpoint, Directions, Draw, Ensemble, LeastSquaresDescent,
        Plane, Pocket, RandomPerceptron, Ranges, Rcd, ReweightedAverage, ReweightedPocket, Samples,
        Seeding, WeightedLearner,
    },
    persist::Blank,
    rule::{LeastSquares, UnitSteps},
};

use crate::{
    data::{Dataset, Dense, DenseData, Places, generate::Artificial},
    options::sign,
};

/// Rounds that an ensemble has room for.
pub const ROUNDS: usize = 200;

/// Learning rate of the paper's gradient descent.
const RATE: f32 = 0.002;

/// A batch learner by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Learner {
    /// Random coordinate descent along random directions
    RcdPlain,
    /// The same, along the bias now and then
    RcdBias,
    /// Random coordinate descent along misclassified examples
    RcdGrad,
    /// The same along any example
    RcdGradAny,
    /// Cyclic coordinate descent
    Ccd,
    /// Perceptron learning rule
    Plr,
    /// Pocket algorithm with ratchet
    Pocket,
    /// The same, the examples' weights multiplying its steps
    PocketReweighted,
    /// Averaged perceptron
    AvePerc,
    /// The same, the examples' weights multiplying its steps
    AvePercReweighted,
    /// Stochastic gradient descent on the modified least squares, rate 0.002
    SgdMls,
    /// Linear soft-margin support vector machine of a library, cost chosen by cross-validation, in one epoch
    SoftSvm,
}

impl Learner {
    /// The learner itself, which draws from `seed`.
    pub fn build<const D: usize>(self, draw: Draw, seed: u32) -> Box<dyn WeightedLearner<D>> {
        let rcd = |directions| Box::new(Rcd::<D>::new(directions, seed).with_draw(draw));
        match self {
            Learner::RcdPlain => rcd(Directions::Plain),
            Learner::RcdBias => rcd(Directions::Bias),
            Learner::RcdGrad => rcd(Directions::Gradient),
            Learner::RcdGradAny => rcd(Directions::AnyExample),
            Learner::Ccd => rcd(Directions::Cyclic),
            Learner::Plr => Box::new(RandomPerceptron::<D>::new(UnitSteps, seed)),
            Learner::Pocket => Box::new(Pocket::<D>::new(seed)),
            Learner::PocketReweighted => Box::new(ReweightedPocket::<D>::new(seed)),
            Learner::AvePercReweighted => Box::new(ReweightedAverage::<D>::new(seed)),
            Learner::AvePerc => Box::new(AveragedPerceptron::<D>::new(UnitSteps, seed)),
            Learner::SgdMls => {
                let rule = LeastSquares::new(RATE).expect("a good rate");
                Box::new(LeastSquaresDescent::<D>::new(rule, seed))
            }
            Learner::SoftSvm => Box::new(SoftSvm::<D>::new(seed)),
        }
    }
}

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// Who learns.
    pub learner: Learner,
    /// Where it starts.
    pub seeding: Seeding,
    /// Distribution of random directions.
    pub draw: Draw,
    /// Epochs, in each round of boosting if there are rounds.
    pub epochs: u32,
    /// Rounds of AdaBoost, at most [`ROUNDS`]; `None` for a learner alone.
    pub rounds: Option<usize>,
    /// Seed of random choices.
    pub seed: u32,
}

impl Training {
    /// The paper's training: uniform directions, no boosting.
    pub const fn new(learner: Learner, seeding: Seeding, epochs: u32) -> Self {
        Training {
            learner,
            seeding,
            draw: Draw::Uniform,
            epochs,
            rounds: None,
            seed: 1,
        }
    }

    /// Epochs of a whole run.
    pub fn total(&self) -> u64 {
        u64::from(self.epochs) * self.rounds.unwrap_or(1) as u64
    }
}

/// Errors of one run in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errors {
    /// On the examples learned.
    pub training: f64,
    /// On the others.
    pub test: f64,
    /// Planes that vote: one without boosting.
    pub planes: usize,
}

/// A set that can be split again and again.
#[derive(Clone, Debug)]
pub enum Set {
    /// Rows that are there: four fifths are learned.
    Rows(Dataset),
    /// Points drawn for each run: 600 to learn and 4400 to test, as in the paper.
    Drawn(Artificial),
}

impl Set {
    /// The artificial set of that name, or the rows that are found under it: those labelled above zero are positive.
    pub fn load(name: &str, places: &Places) -> Result<Self> {
        if let Some(set) = Artificial::named(name) {
            return Ok(Set::Drawn(set));
        }
        let rows = places.load(name)?.binary(None);
        let rows = rows.with_context(|| format!("labels of {name}"))?;
        Ok(Set::Rows(rows))
    }

    /// Examples to learn in each run.
    pub fn learned(&self) -> usize {
        match self {
            Set::Rows(rows) => (4 * rows.len() + 2) / 5,
            Set::Drawn(_) => 600,
        }
    }

    /// Training and test part of run `run`.
    pub fn split(&self, run: u64) -> Result<(Dense<f32>, Dense<f32>)> {
        let (train, test) = match self {
            Set::Rows(rows) => {
                let (train, test) = rows.clone().permuted(run).split(self.learned())?;
                (train.to_dense()?, test.to_dense()?)
            }
            Set::Drawn(set) => {
                let half = |part: u64| 2 * run + part;
                (set.draw(self.learned(), half(0)), set.draw(4400, half(1)))
            }
        };
        ensure!(!train.is_empty() && !test.is_empty(), "too few rows");
        let single = |rows: DenseData| rows.to_f32();
        Ok((single(train)?, single(test)?))
    }
}

/// A number of features is a type: these are compiled in.
macro_rules! by_features {
    ($($features:literal)*) => {
        /// Numbers of features that a set may have: those of the small sets of the papers.
        pub const FEATURES: &[usize] = &[$($features),*];

        /// Learns `train` and tests on `test`; `tick` is told of every epoch.
        pub fn run(
            train: &Dense<f32>,
            test: &Dense<f32>,
            training: &Training,
            tick: impl Fn(u64),
        ) -> Result<Errors> {
            ensure!(train.dim == test.dim, "test rows with other features");
            match train.dim {
                $( $features => Ok(run_shaped::<$features>(train, test, training, tick)), )*
                other => bail!(
                    "sets of {other} features are not compiled in, only of {FEATURES:?}; \
                     `by_features!` in host-tests/papers/src/batch.rs lists them"
                ),
            }
        }
    };
}

by_features!(2 4 6 8 9 13 14 15 16 20 24 30 32 33 34 60);

fn run_shaped<const D: usize>(
    train: &Dense<f32>,
    test: &Dense<f32>,
    training: &Training,
    tick: impl Fn(u64),
) -> Errors {
    let points = |rows: &Dense<f32>| -> Vec<[f32; D]> { rows.x.as_chunks().0.to_vec() };
    let mut ranges = Ranges::BLANK;
    for x in &points(train) {
        ranges.see(x).expect("rounded to finite numbers");
    }
    let scaled = |rows| -> Vec<[f32; D]> { points(rows).iter().map(|x| ranges.apply(x)).collect() };
    let (x, unseen) = (scaled(train), scaled(test));
    let mut weights: Vec<f32> = train
        .labels
        .iter()
        .map(|label| sign(*label).value())
        .collect();
    let mut scratch = vec![Breakpoint::BLANK; x.len()];
    let mut samples =
        Samples::new(&x, &mut weights, &mut scratch).expect("a finite weight for each example");

    let mut learner = training.learner.build::<D>(training.draw, training.seed);
    let model = match training.rounds {
        None => {
            learner.restart(&training.seeding.plane(&samples));
            for _ in 0..training.epochs {
                learner.step(&mut samples);
                tick(1);
            }
            Model::Plane(learner.plane())
        }
        Some(rounds) => {
            let (seeding, epochs) = (training.seeding, training.epochs);
            let mut boost = AdaBoost::<_, D, ROUNDS>::new(&mut *learner, seeding, epochs);
            while !boost.step(&mut samples).finished && boost.ensemble().len() < rounds {
                tick(1);
            }
            Model::Ensemble(Box::new(boost.ensemble().clone()))
        }
    };
    Errors {
        training: model.error(&x, &train.labels),
        test: model.error(&unseen, &test.labels),
        planes: model.planes(),
    }
}

/// Its result.
enum Model<const D: usize> {
    Plane(Plane<D>),
    Ensemble(Box<Ensemble<D, ROUNDS>>),
}

impl<const D: usize> Model<D> {
    /// Percent on the wrong side; a score of zero is on no side.
    fn error(&self, x: &[[f32; D]], labels: &[f64]) -> f64 {
        let wrong = |(x, label): &(&[f32; D], &f64)| {
            let score = match self {
                Model::Plane(plane) => plane.score(x),
                Model::Ensemble(ensemble) => ensemble.score(x),
            };
            let side: Sign = sign(**label);
            !score.is_ok_and(|score| side.value() * score > 0.0)
        };
        let wrong = x.iter().zip(labels).filter(wrong).count();
        100.0 * wrong as f64 / labels.len() as f64
    }

    fn planes(&self) -> usize {
        match self {
            Model::Plane(_) => 1,
            Model::Ensemble(ensemble) => ensemble.len(),
        }
    }
}
