//! Options of all commands that run a learner.

use std::{path::PathBuf, sync::LazyLock};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum, builder::PossibleValue};
use pocketron::{label::Sign, rule::MarginRule};

use crate::{
    classes::{self, ClassSettings, UpdatedClasses},
    data::{Dataset, DenseData, Places},
    family::Family,
    kernel::AnyKernel,
    learner::{self, Algorithm, Format, Learner, Settings},
};

/// Options of the data.
#[derive(Args, Clone, Debug)]
pub struct DataOptions {
    /// Data set in LIBSVM form, plain or gzip, or in columns (label,value,value,... in a .csv): a
    /// file, or a name looked for in --data-dir, in $POCKETRON_DATA, in data/ and among the small
    /// sets that come along; gauss:5000 draws 5000 rows of an artificial one
    #[arg(long, value_name = "FILE|NAME")]
    pub data: String,
    /// Directory in which names are looked for first
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Use only the first N rows
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Labels that count as +1, all others as -1 [default: labels above 0]
    #[arg(long, value_name = "L,L,...", value_delimiter = ',')]
    pub positive: Option<Vec<f64>>,
    /// Divide every value by V, such as 255 for pixels
    #[arg(long, value_name = "V")]
    pub divide: Option<f64>,
    /// Scale every feature to mean 0 and standard deviation 1
    #[arg(long)]
    pub standardize: bool,
}

impl DataOptions {
    /// Reads a set and makes its labels -1 and +1, unless all classes are wanted.
    pub fn load(&self, name: &str, all_classes: bool) -> Result<Dataset> {
        let data = Places::new(self.data_dir.as_deref()).load(name)?;
        if all_classes {
            return Ok(data);
        }
        let labels = data.classes().len();
        let data = data.binary(self.positive.as_deref());
        let data = data.with_context(|| format!("labels of {name}"))?;
        if labels > 2 && self.positive.is_none() {
            eprintln!(
                "note: {name} has {labels} labels; those above 0 are told from the others. --positive chooses, and \
                 evaluate --multiclass tells all apart"
            );
        }
        if data.is_empty() {
            bail!("{name} has no rows");
        }
        if data.classes().len() == 1 {
            eprintln!("note: all rows of {name} have the same label; --positive chooses");
        }
        Ok(data)
    }

    /// Rows as a matrix, divided as asked.
    pub fn dense(&self, data: &Dataset) -> Result<DenseData> {
        let mut data = data.to_dense().with_context(|| data.name().to_owned())?;
        if let Some(divisor) = self.divide {
            if !(divisor.is_finite() && divisor > 0.0) {
                bail!("--divide {divisor}: must be positive");
            }
            for value in &mut data.x {
                *value /= divisor;
            }
        }
        Ok(data)
    }

    /// The rows to learn from: the set, cut to the limit.
    pub fn training_rows(&self, all_classes: bool) -> Result<Dataset> {
        let data = self.load(&self.data, all_classes)?;
        match self.limit {
            Some(0) => bail!("--limit 0 leaves no rows"),
            Some(limit) => Ok(data.limit(limit)),
            None => Ok(data),
        }
    }
}

/// A learner by name: one with a budget, or one of the perceptron family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// Differs from others in what it evicts.
    Budget(Algorithm),
    /// Differs in its rule or history.
    Family(Family),
}

impl ValueEnum for Name {
    fn value_variants<'a>() -> &'a [Self] {
        static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| {
            let budget = Algorithm::value_variants().iter().copied();
            let family = Family::value_variants().iter().copied();
            budget
                .map(Name::Budget)
                .chain(family.map(Name::Family))
                .collect()
        });
        &NAMES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Name::Budget(algorithm) => algorithm.to_possible_value(),
            Name::Family(family) => family.to_possible_value(),
        }
    }
}

/// Options of the learner.
#[derive(Args, Clone, Debug)]
pub struct LearnerOptions {
    /// Algorithm
    #[arg(long, value_enum, value_name = "NAME")]
    pub learner: Name,
    /// Kernel: rbf:GAMMA is exp(-GAMMA d^2), poly:DEGREE is (1 + a.b)^DEGREE, or linear [default:
    /// linear; pocketron has its own, to which rbf:GAMMA is a width to start from, by default 3 / features]
    #[arg(long, value_name = "KERNEL")]
    kernel: Option<AnyKernel>,
    /// Support vectors at most [default: as many as there are examples]
    #[arg(long, value_name = "B", value_parser = at_least_one)]
    pub budget: Option<usize>,
    /// pocketron: as many as fit into the bytes of N vectors of Tightest with f32 features
    #[arg(long, value_name = "N", conflicts_with = "budget", value_parser = at_least_one)]
    pub vectors: Option<usize>,
    /// pocketron: as many as fit into a model of N bytes of RAM
    #[arg(long, value_name = "N", conflicts_with_all = ["budget", "vectors"], value_parser = at_least_one)]
    pub bytes: Option<usize>,
    /// pocketron with --multiclass: every class that is too close takes a step of its own, not only the true and the
    /// best wrong one
    #[arg(long)]
    pub each: bool,
    /// Format of the features
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
    /// Passes over the data
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = at_least_one)]
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
    /// bpa-s: largest step [default: 1]; kw: step of the threshold [default: the mean of |x|^2]
    #[arg(long = "C", value_name = "C")]
    pub c: Option<f32>,
    /// bsgd: regularisation [default: 10 / examples]; kw: credit of an example that was a mistake, in units of
    /// --lambda-unit
    #[arg(long, value_name = "LAMBDA")]
    pub lambda: Option<f32>,
}

impl LearnerOptions {
    /// A fresh learner for `rows` rows of `dim` features.
    pub fn build(&self, dim: usize, rows: usize) -> Result<Box<dyn Learner>> {
        let Name::Budget(algorithm) = self.learner else {
            bail!(
                "`evaluate` does not know this learner for two classes; `trace` does, and \
                 `evaluate --multiclass` knows paum-kernel and voted"
            );
        };
        if self.each {
            bail!("--each is for several classes (--multiclass)");
        }
        let tolerance = match algorithm {
            Algorithm::ProjectronPlus => 0.1,
            _ => 0.0,
        };
        if algorithm.is_pocketron() {
            self.check_pocketron()?;
        }
        let settings = Settings {
            kernel: self.kernel,
            budget: self.budget_for(dim)?,
            margin: self.beta,
            seed: self.seed,
            tolerance: self.tolerance.unwrap_or(tolerance),
            aggressiveness: self.c.unwrap_or(1.0),
            lambda: self.lambda,
        };
        learner::build_in(self.format, algorithm, &settings, dim, rows * self.epochs)
    }

    /// The kernel that was asked for, for learners that have none of their own.
    pub fn kernel(&self) -> AnyKernel {
        self.kernel.unwrap_or_default()
    }

    /// The kernel, in words.
    pub fn kernel_in_words(&self) -> String {
        match (self.learner, self.kernel) {
            (Name::Budget(own), Some(AnyKernel::Gaussian(kernel))) if own.is_pocketron() => {
                format!(
                    "weighted kernel, starting from exp(-{} d^2)",
                    kernel.gamma()
                )
            }
            (Name::Budget(own), _) if own.is_pocketron() => "weighted kernel".into(),
            (_, None) => format!("{} (no --kernel)", self.kernel()),
            (_, Some(kernel)) => kernel.to_string(),
        }
    }

    fn updated(&self) -> UpdatedClasses {
        if self.each {
            UpdatedClasses::AllViolating
        } else {
            UpdatedClasses::BestWrongClass
        }
    }

    /// Parameters of a learner of so many classes.
    ///
    /// # Errors
    ///
    /// Something was asked for that the learner would not hear, or the bytes do not hold a vector.
    pub fn class_settings(
        &self,
        rule: MarginRule,
        dim: usize,
        classes: usize,
    ) -> Result<ClassSettings> {
        if self.learner == Name::Budget(Algorithm::Pocketron) {
            self.check_pocketron()?;
            if rule != MarginRule::new(1.0) {
                bail!(
                    "pocketron has a rule of its own: --eta, --tau-neg and --tau-pos are for others"
                );
            }
        } else if self.each {
            bail!("--each is for pocketron");
        } else if self.format != Format::F32 {
            bail!("--format is for two classes: of several, all but pocketron learn f32");
        } else if self.beta != 0.0 {
            bail!("--beta is for two classes; margins of several are --tau-neg and --tau-pos");
        }
        Ok(ClassSettings {
            kernel: self.kernel,
            budget: self.class_budget(dim, classes)?,
            rule,
            updated: self.updated(),
        })
    }

    /// The budget of a learner of so many classes.
    fn class_budget(&self, dim: usize, classes: usize) -> Result<Option<usize>> {
        let Some(room) = self.room(dim) else {
            return Ok(self.budget);
        };
        if self.learner != Name::Budget(Algorithm::Pocketron) {
            bail!("{} is for pocketron; others have --budget", room.option);
        }
        let budget = |bytes| classes::budget_in(dim, classes, bytes, self.updated());
        room.budget(dim, budget).map(Some)
    }

    /// The bytes that were asked for.
    fn room(&self, dim: usize) -> Option<Room> {
        let room = |option, number, step| Room {
            option,
            number,
            step,
        };
        let vectors = self
            .vectors
            .map(|number| room("--vectors", number, learner::tightest_bytes(dim)));
        vectors.or(self.bytes.map(|number| room("--bytes", number, 1)))
    }

    /// The reason for the budget, if it is not given.
    pub fn room_in_words(&self) -> String {
        match (self.vectors, self.bytes) {
            (Some(vectors), _) => format!(" in the bytes of {vectors} vectors of Tightest"),
            (_, Some(bytes)) => format!(" in {bytes} bytes"),
            _ => String::new(),
        }
    }

    /// Refuses what would be taken and then not heard.
    fn check_pocketron(&self) -> Result<()> {
        if !matches!(self.kernel, None | Some(AnyKernel::Gaussian(_))) {
            bail!(learner::OWN_KERNEL);
        }
        if self.beta != 0.0 {
            bail!("pocketron has a margin of its own: --beta is for others");
        }
        if !matches!(self.format, Format::F32 | Format::I8) {
            bail!("pocketron keeps its features as bytes: --format is for others");
        }
        Ok(())
    }

    /// Fails if the learner cannot have the features of the data of that name.
    pub fn check_features(&self, data: &str, dim: usize) -> Result<()> {
        let own = matches!(self.learner, Name::Budget(algorithm) if algorithm.is_pocketron());
        learner::check_features(own || self.format.is_fixed(), dim).with_context(|| data.to_owned())
    }

    /// Support vectors at most.
    ///
    /// # Errors
    ///
    /// The bytes do not hold one, or it is not bytes that the learner has.
    pub fn budget_for(&self, dim: usize) -> Result<Option<usize>> {
        let Some(room) = self.room(dim) else {
            return Ok(self.budget);
        };
        let algorithm = match self.learner {
            Name::Budget(algorithm) if algorithm.is_pocketron() => algorithm,
            _ => bail!("{} is for pocketron; others have --budget", room.option),
        };
        let budget = |bytes| learner::budget_in(algorithm, dim, bytes);
        room.budget(dim, budget).map(Some)
    }
}

/// Bytes for a model: a number in steps of some bytes.
struct Room {
    option: &'static str,
    number: usize,
    step: usize,
}

impl Room {
    /// The support vectors that fit, at least one; `budget` tells those of so many bytes.
    fn budget(&self, dim: usize, budget: impl Fn(usize) -> usize) -> Result<usize> {
        let Room {
            option,
            number,
            step,
        } = *self;
        let budget = |number: usize| match step {
            // The size of a model is a multiple of 4.
            1 => budget(number - number % 4),
            _ => budget(number.saturating_mul(step)),
        };
        match budget(number) {
            0 => {
                let least = (number..).find(|more| budget(*more) > 0).unwrap_or(number);
                bail!(
                    "{option} {number} holds no support vector of {dim} features; the least is {least}"
                )
            }
            vectors => Ok(vectors),
        }
    }
}

fn at_least_one(text: &str) -> Result<usize> {
    match text.parse()? {
        0 => bail!("there must be at least one"),
        number => Ok(number),
    }
}

/// The sign of a label that [`DataOptions::load`] made.
pub fn sign(label: f64) -> Sign {
    if label > 0.0 { Sign::Pos } else { Sign::Neg }
}
