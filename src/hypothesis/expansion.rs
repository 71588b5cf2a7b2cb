//! Weights as a sum over support vectors.

use super::{Hypothesis, Labelled};
use crate::{
    budget::{Admission, Candidate, Policy},
    error::{ConfigError, InputError},
    kernel::Kernel,
    memory::{Blank, Column, Inline, Memory, Point},
    point::{InlinePoints, Points},
    sum::dot,
    support::SupportSet,
};

/// `f(x) = sum_j alpha_j k(x_j, x)` over at most as many support vectors as the
/// memory has slots; the policy decides what to give up beyond that.
#[derive(Clone, Debug)]
pub struct Expansion<K, P, M: Memory> {
    kernel: K,
    policy: P,
    set: SupportSet<M>,
}

/// What an evaluation leaves for learning.
#[derive(Clone, Debug)]
pub struct Row<M: Memory> {
    similarities: M::Column<f32>,
    nearest: Option<usize>,
}

impl<M: Memory> Blank for Row<M> {
    const BLANK: Self = Row {
        similarities: <M::Column<f32>>::BLANK,
        nearest: None,
    };
}

impl<K, P, const D: usize, const B: usize> Expansion<K, P, Inline<D, B>> {
    /// The zero function, inside the model.
    pub const fn new(kernel: K, policy: P) -> Self {
        Self::with_points(kernel, policy, InlinePoints::BLANK)
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

    /// Sets the kernel of a blank model.
    ///
    /// Changing it after the first example makes another function of the same
    /// support vectors; policies that cache similarities would then be wrong.
    pub fn set_kernel(&mut self, kernel: K) {
        self.kernel = kernel;
    }
}

impl<K: Blank, P: Blank, M: Memory> Blank for Expansion<K, P, M>
where
    M::Points: Blank,
{
    const BLANK: Self = Self::with_points(K::BLANK, P::BLANK, M::Points::BLANK);
}

impl<K, P, M> Expansion<K, P, M>
where
    K: Kernel,
    P: Policy<K, M>,
    M: Memory,
{
    fn candidate<'a>(
        &self,
        example: &Labelled<'a, Point<M>>,
        row: &'a Row<M>,
    ) -> Candidate<'a, Point<M>> {
        let similarities = row.similarities.as_slice();
        Candidate {
            x: example.x,
            label: example.label,
            score: example.score,
            row: similarities.get(..self.set.len()).unwrap_or(similarities),
            self_similarity: example.self_similarity,
            nearest: row.nearest,
        }
    }
}

impl<K, P, M> Hypothesis for Expansion<K, P, M>
where
    K: Kernel,
    P: Policy<K, M>,
    M: Memory,
{
    type Input = Point<M>;
    type Trail = Row<M>;

    #[inline]
    fn check(&self, x: &Point<M>) -> Result<(), InputError> {
        self.set.points().check(x)
    }

    fn check_parameters(&self) -> Result<(), ConfigError> {
        self.kernel.check()
    }

    #[inline]
    fn score(&self, x: &Point<M>) -> f32 {
        self.set.score(&self.kernel, x)
    }

    #[inline]
    fn evaluate(&self, x: &Point<M>, row: &mut Row<M>) -> f32 {
        row.similarities.ensure(self.set.len());
        let similarities = row.similarities.as_mut_slice();
        if P::WANTS_NEAREST {
            row.nearest = self.set.row_and_nearest(&self.kernel, x, similarities);
        } else {
            self.set.row(&self.kernel, x, similarities);
        }
        dot(self.set.alphas(), row.similarities.as_slice())
    }

    #[inline]
    fn self_similarity(&self, x: &Point<M>) -> f32 {
        self.kernel.own(x.as_ref())
    }

    fn shrink(&mut self, factor: f32) {
        self.set.scale(factor);
        self.policy.shrunk(factor);
    }

    #[inline]
    fn pass(&mut self, example: &Labelled<'_, Point<M>>, row: &Row<M>) {
        let candidate = self.candidate(example, row);
        self.policy.passed(&self.kernel, &self.set, &candidate);
    }

    #[inline]
    fn apply(
        &mut self,
        example: &Labelled<'_, Point<M>>,
        coefficient: f32,
        row: &Row<M>,
    ) -> Admission {
        let candidate = self.candidate(example, row);
        self.policy
            .admit(&self.kernel, &mut self.set, &candidate, coefficient)
    }
}
