//! Projection that also learns from right answers that were too close.

use super::{
    Admission, ChangesOneSlot, EvaluatedIn, Guarantee, Policy, Projecting, projecting::weigh,
};
use crate::{
    error::{ConfigError, is_positive},
    kernel::Uniform,
    num::math::{Math, Precise},
    persist::{ImageError, Persist, Reader, Restart, Shape, Writer},
    storage::{Column, Memory, SupportSet},
};

/// Projectron++: [`Projecting`] on mistakes, and on margin errors
/// `0 < y f(x) <= 1` a step along the projection alone.
///
/// With the hinge loss `l = 1 - y f(x)`, the residual `delta`, the projection's
/// squared norm `p^2` and `eta^2` the tolerance, a margin error moves the
/// hypothesis when `l > delta / eta`, by
///
/// ```text
/// tau = min(l / p^2,  2 (l - delta / eta) / p^2,  1)
/// ```
///
/// and never takes a slot. Use it with a margin of one:
/// `MarginRule::new(1.0).with_margin(1.0)`.
#[derive(Clone, Debug)]
pub struct ProjectingMargins<P, M: Memory>(Projecting<P, M>);

impl<P, M: Memory> ProjectingMargins<P, M> {
    /// Folds in what leaves a squared residual of at most `tolerance`, which
    /// must be positive: with a tolerance of zero no margin error would count.
    pub fn new(inner: P, tolerance: f32) -> Result<Self, ConfigError> {
        if !is_positive(tolerance) {
            return Err(ConfigError::Tolerance);
        }
        Projecting::new(inner, tolerance).map(ProjectingMargins)
    }
}

impl<P: Restart, M: Memory> Restart for ProjectingMargins<P, M> {
    fn restart(&mut self) {
        self.0.restart();
    }
}

impl<P, K, M> Policy<K, M> for ProjectingMargins<P, M>
where
    P: Policy<K, M> + Guarantee<ChangesOneSlot>,
    K: Uniform,
    M: Memory,
{
    const WANTS_NEAREST: bool = P::WANTS_NEAREST;

    fn admit(
        &mut self,
        kernel: &K,
        set: &mut SupportSet<M>,
        candidate: &EvaluatedIn<'_, M>,
        coefficient: f32,
    ) -> Admission {
        let margin = candidate.label.value() * candidate.score;
        if margin <= 0.0 {
            return self.0.admit(kernel, set, candidate, coefficient);
        }
        let projection = self.0.project(candidate.row, candidate.self_similarity);
        let norm = weigh(projection.coordinates.as_slice(), candidate.row);
        let loss = 1.0 - margin;
        let (eta, delta) = (
            Precise::sqrt(self.0.tolerance),
            Precise::sqrt(projection.residual),
        );
        let surplus = loss - delta / eta;
        if !(surplus > 0.0 && norm > 0.0) {
            return Admission::Refused;
        }
        let step = (loss / norm).min(2.0 * surplus / norm).min(1.0);
        Projecting::<P, M>::fold_in(set, &projection, coefficient * step)
    }

    super::forward!(0);

    fn check(&self) -> Result<(), ConfigError> {
        if is_positive(self.0.tolerance) {
            Policy::<K, M>::check(&self.0)
        } else {
            Err(ConfigError::Tolerance)
        }
    }
}

crate::persist::blank!([P; M: Memory] ProjectingMargins<P, M> { 0 });

/// As [`Projecting`], but for a tolerance of zero.
impl<P: Persist, M: Memory> Persist for ProjectingMargins<P, M> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("projecting-margins", |inside| self.0.shape(inside));
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.0.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.0.inner.load(reader)?;
        self.0.inverse.load(reader)?;
        reader.checked(&mut self.0.tolerance, is_positive)
    }
}
