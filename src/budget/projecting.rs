//! Keep the part of a vector that the others can express.

use super::{Admission, ChangesOneSlot, EvaluatedIn, Guarantee, Policy};
use crate::{
    error::{ConfigError, is_non_negative},
    kernel::Uniform,
    num::{Number, saturate, sum::zip_sum},
    persist::{Blank, Ready, Restart},
    storage::{Column, Memory, NumberIn, Square, SupportSet, put},
};

/// Projectron: a vector that nearly lies in the span of the stored ones is
/// folded into their coefficients; any other one asks `P` for a slot, and is
/// folded in all the same when `P` has none.
///
/// With the inverse Gram matrix `K^-1` of the stored vectors and `k` the row of
/// similarities, the projection has the coordinates `d = K^-1 k` and leaves the
/// squared residual `delta^2 = k(x, x) - k . d`. The vector is folded in,
/// `alpha += coefficient * d`, when `delta^2 <= tolerance`. The inverse is kept
/// up to date in `O(B^2)`; it costs `4 B^2` bytes.
///
/// In `f32` the inverse of a nearly singular matrix is noise. So a vector whose
/// squared residual is below a hundredth of its own squared norm never gets a
/// slot, however small the tolerance.
#[derive(Clone, Debug)]
pub struct Projecting<P, M: Memory> {
    pub(super) inner: P,
    pub(super) inverse: M::Square<f32>,
    pub(super) tolerance: f32,
}

/// Least share of its squared norm that a stored vector has to itself.
const INDEPENDENT: f32 = 1e-2;

/// `sum_j weight_j k(x, x_j)`.
pub(super) fn weigh<N: Number>(weights: &[f32], row: &[N]) -> f32 {
    zip_sum(weights, row, |weight, near| weight * near.value())
}

/// Position of a vector relative to the span of the stored ones.
pub(super) struct Projection<M: Memory> {
    /// Coordinates of the nearest point of the span.
    pub coordinates: M::Column<f32>,
    /// Squared distance to it, never negative.
    pub residual: f32,
}

impl<P, M: Memory> Projecting<P, M> {
    /// Folds in what leaves a squared residual of at most `tolerance`.
    pub fn new(inner: P, tolerance: f32) -> Result<Self, ConfigError> {
        if !is_non_negative(tolerance) {
            return Err(ConfigError::Tolerance);
        }
        Ok(Projecting {
            inner,
            inverse: <M::Square<f32>>::BLANK,
            tolerance,
        })
    }

    /// Projects a vector with these similarities to the stored ones.
    pub(super) fn project(&self, row: &[NumberIn<M>], self_similarity: f32) -> Projection<M> {
        let mut coordinates = <M::Column<f32>>::BLANK;
        coordinates.ensure(row.len());
        for (slot, coordinate) in coordinates.as_mut_slice().iter_mut().enumerate() {
            *coordinate = weigh(self.inverse.row(slot), row);
        }
        let explained = weigh(coordinates.as_slice(), row);
        Projection {
            coordinates,
            residual: (self_similarity - explained).max(0.0),
        }
    }

    /// `alpha += coefficient * d`.
    pub(super) fn fold_in(
        set: &mut SupportSet<M>,
        projection: &Projection<M>,
        coefficient: f32,
    ) -> Admission {
        for (slot, coordinate) in projection.coordinates.as_slice().iter().enumerate() {
            if slot < set.len() {
                set.set_alpha(slot, set.alpha(slot) + coefficient * coordinate);
            }
        }
        Admission::Absorbed
    }

    /// Takes `slot` of `len` out of the inverse (Schur complement).
    fn forget(&mut self, slot: usize, len: usize) {
        let mut pivot = <M::Column<f32>>::BLANK;
        pivot.ensure(len);
        for (copy, entry) in pivot.as_mut_slice().iter_mut().zip(self.inverse.row(slot)) {
            *copy = *entry;
        }
        let own = pivot.as_slice().get(slot).copied().unwrap_or(1.0);
        for other in 0..len {
            let line = self.inverse.row_mut(other);
            let factor = line.get(slot).copied().unwrap_or(0.0) / own;
            for (entry, pivot) in line.iter_mut().zip(pivot.as_slice()) {
                *entry -= factor * pivot;
            }
            saturate(line);
            put(line, slot, 0.0);
        }
        for entry in self.inverse.row_mut(slot) {
            *entry = 0.0;
        }
    }

    /// Puts a vector whose projection on the others is known into `slot`.
    fn extend(&mut self, slot: usize, len: usize, mut projection: Projection<M>) {
        self.inverse.ensure(len);
        projection.coordinates.ensure(len);
        put(projection.coordinates.as_mut_slice(), slot, -1.0);
        let coordinates = projection.coordinates.as_slice();
        let coordinates = coordinates.get(..len).unwrap_or(coordinates);
        for (line, own) in coordinates.iter().enumerate() {
            let factor = own / projection.residual;
            let line = self.inverse.row_mut(line);
            for (entry, other) in line.iter_mut().zip(coordinates) {
                *entry += factor * other;
            }
            saturate(line);
        }
    }
}

impl<P: Ready, M: Memory> Ready for Projecting<P, M> {}

impl<P: Restart, M: Memory> Restart for Projecting<P, M> {
    fn restart(&mut self) {
        self.inner.restart();
        self.inverse = <M::Square<f32>>::BLANK;
    }
}

impl<P, K, M> Policy<K, M> for Projecting<P, M>
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
        let own = candidate.self_similarity;
        let projection = self.project(candidate.row, own);
        // Nothing can be folded into an empty set, however large the tolerance.
        let in_span = projection.residual <= self.tolerance.max(INDEPENDENT * own);
        if in_span && !set.is_empty() {
            return Self::fold_in(set, &projection, coefficient);
        }
        match self.inner.admit(kernel, set, candidate, coefficient) {
            Admission::Inserted => {
                self.extend(set.len() - 1, set.len(), projection);
                Admission::Inserted
            }
            Admission::Replaced(slot) => {
                self.forget(slot, set.len());
                // Fewer vectors explain less: a smaller residual would be rounding.
                let floor = projection.residual;
                let mut projection = self.project(candidate.row, own);
                projection.residual = projection.residual.max(floor);
                self.extend(slot, set.len(), projection);
                Admission::Replaced(slot)
            }
            _ => Self::fold_in(set, &projection, coefficient),
        }
    }

    super::forward!(inner);

    fn check(&self) -> Result<(), ConfigError> {
        if is_non_negative(self.tolerance) {
            self.inner.check()
        } else {
            Err(ConfigError::Tolerance)
        }
    }
}

crate::persist::persist!([P; M: Memory] Projecting<P, M> as "projecting" { inner, inverse, tolerance if is_non_negative });
