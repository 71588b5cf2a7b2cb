//! The core's learners of several classes, chosen by name at run time.

use anyhow::{Context, Result, bail};
use pocketron::{
    budget::{NoBudget, Stop, WithIdentities},
    classifier::OnlineClassifier,
    error::InputError,
    history::{Prefixes, Voted},
    hypothesis::Expansion,
    label::Class,
    learners::{
        continual::{AllParts, ContinualLearner, Tuning, Update},
        multiclass::{OneVsRest, SharedSupport},
        perceptron::Perceptron,
    },
    persist::Blank,
    rule::{MarginRule, UnitSteps},
};

use crate::{
    family::Family,
    heap::{Heap, HeapPoints},
    kernel::AnyKernel,
    learner::{self, Algorithm},
    model::BoxedLearner,
    options::Name,
};

/// Classes at most; those without an example cost nothing.
pub const CAPACITY: usize = 32;

/// A learner of several classes whose type is forgotten.
pub trait ClassLearner {
    /// Predicts and learns row `row`; whether the prediction was wrong.
    fn learn(&mut self, x: &[f32], class: Class, row: usize) -> Result<bool, InputError>;

    /// The class of `x`.
    fn predict(&self, x: &[f32]) -> Result<Class, InputError>;

    /// Different rows among the support vectors of all classes.
    fn support_vectors(&self) -> usize;
}

/// Counts the rows that moved any class: the union of support vectors.
struct Counted<C> {
    learner: C,
    moved: Vec<bool>,
}

impl<C: OnlineClassifier<Input = [f32], Label = Class>> ClassLearner for Counted<C> {
    fn learn(&mut self, x: &[f32], class: Class, row: usize) -> Result<bool, InputError> {
        let outcome = self.learner.learn_with_id(x, class, Some(row as u32))?;
        self.moved[row] |= outcome.changed();
        Ok(outcome.mistake)
    }

    fn predict(&self, x: &[f32]) -> Result<Class, InputError> {
        self.learner.predict(x)
    }

    fn support_vectors(&self) -> usize {
        self.moved.iter().filter(|moved| **moved).count()
    }
}

/// Parameters of a learner of several classes.
#[derive(Clone, Copy, Debug)]
pub struct ClassSettings {
    /// Similarity of two points; `None` for the default learner's own, or the dot product of others.
    pub kernel: Option<AnyKernel>,
    /// Support vectors at most; `None` for as many as there are rows.
    pub budget: Option<usize>,
    /// Step and margins.
    pub rule: MarginRule,
    /// pocketron: who takes steps.
    pub updated: UpdatedClasses,
}

/// Classes that an example moves in the default learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdatedClasses {
    /// The true one and the best wrong one.
    BestWrongClass,
    /// Every one that is too close, with steps of its own.
    AllViolating,
}

/// Vectors of the default learner for `classes` classes that fit into the bytes of so many of Tightest's with `f32`
/// features, `4 D + 13` each: `D + C + 2` for one of its own, and the rest of the model.
pub fn pocketron_budget(
    dim: usize,
    classes: usize,
    vectors: usize,
    updated: UpdatedClasses,
) -> usize {
    budget_in(
        dim,
        classes,
        learner::tightest_bytes(dim) * vectors,
        updated,
    )
}

/// The same for a number of bytes.
pub fn budget_in(dim: usize, classes: usize, bytes: usize, updated: UpdatedClasses) -> usize {
    bytes.saturating_sub(pocketron_bytes(dim, classes, 0, updated)) / (dim + classes + 2)
}

/// Bytes of the default learner for this many classes; a test holds them against the types.
pub fn pocketron_bytes(
    dim: usize,
    classes: usize,
    budget: usize,
    updated: UpdatedClasses,
) -> usize {
    let rules = match updated {
        UpdatedClasses::BestWrongClass => 8,
        UpdatedClasses::AllViolating => 8 * classes,
    };
    (budget * (dim + classes + 2) + 12 * dim + 4 * classes + 40 + rules).next_multiple_of(4)
}

/// Assembles the learner `name` for `rows` rows, `epochs` times, of `dim` features.
pub fn build(
    name: Name,
    settings: &ClassSettings,
    dim: usize,
    (rows, epochs): (usize, usize),
) -> Result<Box<dyn ClassLearner>> {
    let kernel = settings.kernel.unwrap_or_default();
    let rule = settings.rule.checked().context("margins and step")?;
    if dim == 0 || rows == 0 || settings.budget == Some(0) {
        bail!("a learner needs at least one feature, one row and a budget of at least one");
    }
    let expansion = || {
        let points = HeapPoints::new(dim, rows * epochs);
        Expansion::<_, _, Heap>::with_points(kernel, NoBudget, points)
    };
    fn counted<C>(learner: C, rows: usize) -> Box<dyn ClassLearner>
    where
        C: OnlineClassifier<Input = [f32], Label = Class> + 'static,
    {
        let moved = vec![false; rows];
        Box::new(Counted { learner, moved })
    }
    Ok(match name {
        Name::Family(Family::PaumKernel) | Name::Budget(Algorithm::Perceptron) => {
            let points = HeapPoints::new(dim, rows);
            let policy = WithIdentities::<_, Heap>::new(NoBudget);
            type Shared<P> = SharedSupport<AnyKernel, P, Heap, CAPACITY, MarginRule>;
            counted(Shared::with_points(kernel, policy, rule, points), rows)
        }
        Name::Budget(Algorithm::Stoptron) => {
            let points = HeapPoints::new(dim, settings.budget.unwrap_or(rows));
            let policy = WithIdentities::<_, Heap>::new(Stop);
            type Shared<P> = SharedSupport<AnyKernel, P, Heap, CAPACITY, MarginRule>;
            counted(Shared::with_points(kernel, policy, rule, points), rows)
        }
        Name::Family(Family::Voted) => {
            let history = Voted::<Prefixes<Heap>>::BLANK;
            let binary = Perceptron::with_history(expansion(), UnitSteps, history);
            counted(OneVsRest::<_, CAPACITY>::of(&binary), rows)
        }
        Name::Budget(Algorithm::Pocketron) => {
            learner::check_features(true, dim)?;
            let points = HeapPoints::new(dim, settings.budget.unwrap_or(rows));
            let parts = (learner::own_kernel(settings.kernel)?, points);
            Box::new(settings.updated.learner::<CAPACITY>(parts))
        }
        _ => bail!("for several classes: pocketron, perceptron, paum-kernel, stoptron or voted"),
    })
}

/// The default learner.
impl ClassLearner for BoxedLearner<Class> {
    fn learn(&mut self, x: &[f32], class: Class, _: usize) -> Result<bool, InputError> {
        Ok(OnlineClassifier::learn(self, x, class)?.mistake)
    }

    fn predict(&self, x: &[f32]) -> Result<Class, InputError> {
        OnlineClassifier::predict(self, x)
    }

    fn support_vectors(&self) -> usize {
        let classes = self.model_info();
        let used = classes.iter().filter_map(|(_, info)| Some(info.vectors?.0));
        used.sum()
    }
}

/// [`PocketronMulti`](pocketron::learners::PocketronMulti) for any number of features.
pub type HeapPocketronMulti<U, T = AllParts> =
    ContinualLearner<Heap<i8>, Heap<i8>, U, CAPACITY, CAPACITY, T>;

impl<U, T> ClassLearner for HeapPocketronMulti<U, T>
where
    U: Update<CAPACITY, CAPACITY, Label = Class>,
    T: Tuning,
{
    fn learn(&mut self, x: &[f32], class: Class, _: usize) -> Result<bool, InputError> {
        Ok(OnlineClassifier::learn(self, x, class)?.mistake)
    }

    fn predict(&self, x: &[f32]) -> Result<Class, InputError> {
        OnlineClassifier::predict(self, x)
    }

    fn support_vectors(&self) -> usize {
        self.vectors().len()
    }
}
