//! Weights as a sum over support vectors.

use super::{Averageable, Hypothesis, Snapshots};
use crate::{
    budget::{Admission, AppendOnly, Guarantee, KeepsAll, Policy},
    error::{ConfigError, InputError},
    kernel::KernelIn,
    num::{Coefficient as _, LARGEST, Number, saturate, saturated, sum::zip_sum},
    persist::{Blank, Ready, Restart},
    storage::{
        Column, EvaluatedIn, FeatureIn, Inline, Memory, NumberIn, Point, SupportSet, close_gap,
        point::{Feature, Points},
        put,
    },
};

/// `f(x) = sum_j alpha_j k(x_j, x)` over at most as many support vectors as the
/// memory has slots; the policy decides what to evict beyond that.
#[derive(Clone, Debug)]
pub struct Expansion<K, P, M: Memory> {
    kernel: K,
    policy: P,
    set: SupportSet<M>,
}

impl<K, P, const D: usize, const B: usize, F: Feature> Expansion<K, P, Inline<D, B, F>> {
    /// The zero function, inside the model.
    pub const fn new(kernel: K, policy: P) -> Self {
        Self::with_points(kernel, policy, F::Inline::BLANK)
    }
}

impl<K, P, M: Memory> Expansion<K, P, M> {
    /// The zero function over a store of points.
    pub const fn with_points(kernel: K, policy: P, points: M::Points) -> Self {
        Expansion {
            kernel,
            policy,
            set: SupportSet::with_points(points),
        }
    }

    /// The support vectors.
    pub fn support(&self) -> &SupportSet<M> {
        &self.set
    }

    /// The budget policy and what it keeps.
    pub fn policy(&self) -> &P {
        &self.policy
    }

    /// The kernel.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    /// Gives an empty model its kernel and policy.
    pub(crate) fn configure(&mut self, kernel: K, policy: P) -> Result<(), ConfigError> {
        if !self.set.is_empty() {
            return Err(ConfigError::InUse);
        }
        (self.kernel, self.policy) = (kernel, policy);
        Ok(())
    }
}

impl<K: Blank, P: Blank, M: Memory> Blank for Expansion<K, P, M>
where
    M::Points: Blank,
{
    const BLANK: Self = Self::with_points(K::BLANK, P::BLANK, M::Points::BLANK);
}

impl<K: Ready, P: Ready, M: Memory> Ready for Expansion<K, P, M> where M::Points: Blank {}

impl<K, P, M> Hypothesis for Expansion<K, P, M>
where
    K: KernelIn<FeatureIn<M>>,
    P: Policy<K, M>,
    M: Memory,
{
    type Input = Point<M>;
    type Number = NumberIn<M>;
    type Row = M::Column<NumberIn<M>>;

    #[inline]
    fn check(&self, x: &Point<M>) -> Result<(), InputError> {
        self.set.points().check(x)
    }

    fn check_parameters(&self) -> Result<(), ConfigError> {
        self.kernel.check()?;
        self.policy.check()
    }

    #[inline]
    fn score(&self, x: &Point<M>) -> f32 {
        self.set.score(&self.kernel, x)
    }

    #[inline]
    fn evaluate<'a>(&self, example: &mut EvaluatedIn<'a, M>, row: &'a mut Self::Row) {
        row.ensure(self.set.len());
        let similarities = row.as_mut_slice();
        if P::WANTS_NEAREST {
            let nearest = self
                .set
                .row_and_nearest(&self.kernel, example.x, similarities);
            example.nearest = nearest;
        } else {
            self.set.row(&self.kernel, example.x, similarities);
        }
        let similarities = row.as_slice();
        example.set_score(self.set.score_of_row(similarities));
        example.row = similarities.get(..self.set.len()).unwrap_or(similarities);
    }

    #[inline]
    fn self_similarity(&self, x: &Point<M>) -> f32 {
        self.set.own(&self.kernel, x)
    }

    #[inline]
    fn own_steps(&self, id: Option<u32>) -> Result<u32, InputError> {
        Ok(id.map_or(0, |id| self.policy.own_steps(&self.set, id)))
    }

    fn shrink(&mut self, factor: f32) {
        self.set.scale(factor);
        self.policy.shrunk(factor);
    }

    #[inline]
    fn pass(&mut self, example: &EvaluatedIn<'_, M>) {
        self.policy.passed(&self.kernel, &self.set, example);
    }

    #[inline]
    fn adapt_kernel(&mut self, example: &EvaluatedIn<'_, M>, coefficient: f32) {
        self.kernel.adapt(&self.set, example, coefficient);
    }

    fn has_underflowed(&self, admission: Admission) -> bool {
        let slot = match admission {
            Admission::Replaced(slot) => Some(slot),
            Admission::Inserted | Admission::Shifted(_) => self.set.len().checked_sub(1),
            _ => None,
        };
        let stored = slot.and_then(|slot| self.set.stored().get(slot));
        stored.is_some_and(|stored| stored.sign().is_none())
    }

    fn is_saturated(&self) -> bool {
        self.set.coefficients().any(|alpha| alpha.abs() >= LARGEST)
    }

    #[inline]
    fn apply(&mut self, example: &EvaluatedIn<'_, M>, coefficient: f32) -> Admission {
        self.policy
            .admit(&self.kernel, &mut self.set, example, coefficient)
    }
}

/// The kernel stays as it is, with what it has learned about features.
impl<K, P: Restart, M: Memory> Restart for Expansion<K, P, M> {
    fn restart(&mut self) {
        self.set.clear();
        self.policy.restart();
    }
}

impl<K, P: Guarantee<KeepsAll>, M: Memory> Guarantee<KeepsAll> for Expansion<K, P, M> {}

/// Vectors are only ever appended, so a past hypothesis is the number of vectors
/// it had. (Should the rule shrink, past hypotheses shrink along.)
impl<K, P, M> Snapshots for Expansion<K, P, M>
where
    K: KernelIn<FeatureIn<M>>,
    P: Policy<K, M> + Guarantee<AppendOnly>,
    M: Memory,
{
    type Snapshot = u32;

    fn snapshot(&self) -> u32 {
        self.set.len() as u32
    }

    fn score_at(&self, snapshot: &u32, x: &Point<M>) -> f32 {
        let row = self.set.similarities(&self.kernel, x);
        self.set.score_of_first(*snapshot as usize, row.as_slice())
    }
}

/// The sum keeps, for every slot, its coefficients summed over time.
///
/// A budget policy changes the past of a vector as it changes the vector: a vector
/// that is evicted takes its share of the sum with it, one that is merged hands
/// it to the vector that it becomes. Shrinking, as the Forgetron does, is of the
/// present and leaves the past alone. So the sum is always an expansion over the
/// vectors that are stored, and costs 4 bytes a slot.
impl<K, P, M> Averageable for Expansion<K, P, M>
where
    K: KernelIn<FeatureIn<M>>,
    P: Policy<K, M>,
    M: Memory,
{
    type Sum = M::Column<f32>;

    fn fold(&self, sum: &mut M::Column<f32>, weight: f32) {
        sum.ensure(self.set.len());
        for (mass, alpha) in sum.as_mut_slice().iter_mut().zip(self.set.coefficients()) {
            *mass += weight * alpha;
        }
        saturate(sum.as_mut_slice());
    }

    fn follow(&self, sum: &mut M::Column<f32>, admission: Admission) {
        let len = self.set.len();
        sum.ensure(len);
        let masses = sum.as_mut_slice();
        match admission {
            Admission::Inserted => put(masses, len.saturating_sub(1), 0.0),
            Admission::Replaced(slot) => put(masses, slot, 0.0),
            Admission::Shifted(slot) => {
                close_gap(masses, slot, len);
                put(masses, len.saturating_sub(1), 0.0);
            }
            Admission::Merged {
                into,
                freed: Some(freed),
            } => {
                let inherited = masses.get(freed).copied().unwrap_or(0.0);
                close_gap(masses, freed, len);
                put(masses, len.saturating_sub(1), 0.0);
                let into = if into > freed { into - 1 } else { into };
                if let Some(mass) = masses.get_mut(into) {
                    *mass = saturated(*mass + inherited);
                }
            }
            Admission::Merged { freed: None, .. }
            | Admission::Joined(_)
            | Admission::Absorbed
            | Admission::Refused
            | Admission::Exhausted => {}
        }
    }

    fn sum_score(&self, sum: &M::Column<f32>, weight: f32, x: &Point<M>) -> f32 {
        let row = self.set.similarities(&self.kernel, x);
        let occupied = row.as_slice().get(..self.set.len()).unwrap_or_default();
        let past = zip_sum(sum.as_slice(), occupied, |mass, near| mass * near.value());
        past + weight * self.set.score_of_row(occupied)
    }
}

// The set first: it says how much of every column is in use.
crate::persist::persist!(only [K: crate::persist::Persist, P: crate::persist::Persist, M: Memory] Expansion<K, P, M> as "expansion" { set, kernel, policy });
