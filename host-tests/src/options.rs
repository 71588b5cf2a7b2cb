//! What the commands that run a learner have in common.

use anyhow::{Context, Result, bail};
use clap::Args;
use pocketron::label::Sign;

use crate::{
    data::{Dataset, Places},
    kernel::AnyKernel,
    learner::{self, Algorithm, Learner, Settings},
};

/// Which data.
#[derive(Args, Clone, Debug)]
pub struct DataOptions {
    /// Data set in LIBSVM form, plain or gzip: a file, or a name looked for in
    /// $POCKETRON_DATA, in data/ and among the small sets that come along
    #[arg(long, value_name = "FILE")]
    pub data: String,
    /// Use only the first N rows
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Labels that count as +1, all others as -1 [default: labels above 0]
    #[arg(long, value_name = "L,L,...", value_delimiter = ',')]
    pub positive: Option<Vec<f64>>,
    /// Scale every feature to mean 0 and standard deviation 1
    #[arg(long)]
    pub standardize: bool,
}

impl DataOptions {
    /// Reads a set and makes its labels -1 and +1.
    pub fn load(&self, name: &str) -> Result<Dataset> {
        let data = Places::new(None).load(name)?;
        let data = data.binary(self.positive.as_deref());
        let data = data.with_context(|| format!("labels of {name}"))?;
        if data.is_empty() {
            bail!("{name} has no rows");
        }
        if data.classes().len() == 1 {
            eprintln!("note: all rows of {name} have the same label; --positive chooses");
        }
        Ok(data)
    }

    /// The rows to learn from: the set, cut to the limit.
    pub fn training_rows(&self) -> Result<Dataset> {
        let data = self.load(&self.data)?;
        Ok(match self.limit {
            Some(limit) => data.limit(limit),
            None => data,
        })
    }
}

/// Which learner.
#[derive(Args, Clone, Debug)]
pub struct LearnerOptions {
    /// Algorithm
    #[arg(long, value_enum, value_name = "NAME")]
    pub learner: Algorithm,
    /// Kernel: rbf:GAMMA is exp(-GAMMA d^2), poly:DEGREE is (1 + a.b)^DEGREE, or linear
    #[arg(long, value_name = "KERNEL")]
    pub kernel: AnyKernel,
    /// Support vectors at most [default: as many as there are examples]
    #[arg(long, value_name = "B")]
    pub budget: Option<usize>,
    /// Passes over the data
    #[arg(long, value_name = "T", default_value_t = 1)]
    pub epochs: usize,
    /// Update while y f(x) <= M
    #[arg(
        long,
        value_name = "M",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    pub beta: f32,
    /// Seed of random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u32,
    /// Projectron: squared residual that is folded in [default: 0; 0.1 for projectron++]
    #[arg(long, value_name = "E")]
    pub tolerance: Option<f32>,
    /// BPA-S: largest step
    #[arg(long = "C", value_name = "C", default_value_t = 1.0)]
    pub aggressiveness: f32,
    /// BSGD: regularisation [default: 10 / examples]
    #[arg(long, value_name = "LAMBDA")]
    pub lambda: Option<f32>,
}

impl LearnerOptions {
    /// A fresh learner for `rows` rows of `dim` features.
    pub fn build(&self, dim: usize, rows: usize) -> Result<Box<dyn Learner>> {
        let tolerance = match self.learner {
            Algorithm::ProjectronPlus => 0.1,
            _ => 0.0,
        };
        let settings = Settings {
            kernel: self.kernel,
            budget: self.budget,
            margin: self.beta,
            seed: self.seed,
            tolerance: self.tolerance.unwrap_or(tolerance),
            aggressiveness: self.aggressiveness,
            lambda: self.lambda,
        };
        if self.epochs == 0 {
            bail!("--epochs 0 learns nothing");
        }
        learner::build(self.learner, &settings, dim, rows * self.epochs)
    }
}

/// The sign of a label that [`DataOptions::load`] made.
pub fn sign(label: f64) -> Sign {
    if label > 0.0 { Sign::Pos } else { Sign::Neg }
}
