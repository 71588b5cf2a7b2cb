//! Evict the vector whose removal causes the fewest errors on a validation set.

use core::borrow::Borrow;

use super::{Admission, EvaluatedIn, Policy, first_least};
use crate::{
    kernel::KernelIn,
    label::Sign,
    num::{Number, rng::XorShift32},
    persist::{Blank, ImageError, Persist, Reader, Ready, Restart, Shape, Writer},
    storage::{
        Column, FeatureIn, Inline, Memory, NumberIn, Point, SupportSet,
        point::{Feature, Points},
    },
};

/// Tighter: evicts the vector, the new one included, without which the fewest
/// points of the validation set `V` are misclassified.
///
/// ```text
/// r = argmin over j of  #{ v : y_v (f(x_v) - alpha_j k(x_j, x_v)) <= 0 }
/// ```
///
/// A removal costs one row of similarities for every validation point, and
/// nothing is kept between removals. `V` is one of [`OnSupport`] (Tighter0),
/// [`Reservoir`] (Tighter) and [`Everything`] (Tighter-Full).
#[derive(Clone, Copy, Debug, Default)]
pub struct FewestErrors<V> {
    validation: V,
}

impl<V> FewestErrors<V> {
    /// Validates on `validation`.
    pub const fn new(validation: V) -> Self {
        FewestErrors { validation }
    }
}

impl<V: Blank> Ready for FewestErrors<V> {}

impl<V: Restart> Restart for FewestErrors<V> {
    fn restart(&mut self) {
        self.validation.restart();
    }
}

/// The labelled points on which removals are judged.
pub trait Validation<M: Memory>: crate::sealed::Sealed {
    /// An example arrived.
    fn saw(&mut self, _x: &Point<M>, _label: Sign) {}

    /// A seen point is not, or no longer, a support vector.
    fn left_out(&mut self, _x: &Point<M>, _label: Sign) {}

    /// Visits every validation point.
    fn for_each(
        &self,
        set: &SupportSet<M>,
        candidate: &EvaluatedIn<'_, M>,
        visit: impl FnMut(&Point<M>, Sign),
    );
}

impl<K: KernelIn<FeatureIn<M>>, M: Memory, V: Validation<M>> Policy<K, M> for FewestErrors<V> {
    fn admit(
        &mut self,
        kernel: &K,
        set: &mut SupportSet<M>,
        candidate: &EvaluatedIn<'_, M>,
        coefficient: f32,
    ) -> Admission {
        self.validation.saw(candidate.x, candidate.label);
        if set.push(candidate.x, coefficient) {
            return Admission::Inserted;
        }
        let len = set.len();
        let (mut row, mut errors) = (<M::Column<NumberIn<M>>>::BLANK, <M::Column<u32>>::BLANK);
        row.ensure(len);
        errors.ensure(len);
        let mut errors_refused = 0;
        self.validation.for_each(set, candidate, |x, label| {
            set.row(kernel, x, row.as_mut_slice());
            let row = row.as_slice();
            let (y, before) = (label.value(), set.score_of_row(row));
            let score = before + coefficient * set.pair(kernel, x, candidate.x);
            let stored = set.coefficients().zip(row);
            for (errors, (alpha, near)) in errors.as_mut_slice().iter_mut().zip(stored) {
                *errors += u32::from(y * (score - alpha * near.value()) <= 0.0);
            }
            errors_refused += u32::from(y * before <= 0.0);
        });
        let errors = errors.as_slice().get(..len).unwrap_or_default().iter();
        let errors = errors.copied().chain([errors_refused]);
        let victim = first_least(errors.map(|errors| errors as f32));
        if victim == len {
            self.validation.left_out(candidate.x, candidate.label);
            return Admission::Refused;
        }
        let (point, label) = (set.point(victim), Sign::of(set.alpha(victim)));
        self.validation.left_out(point.borrow(), label);
        set.remove(victim);
        set.push(candidate.x, coefficient);
        Admission::Shifted(victim)
    }

    fn passed(&mut self, _: &K, _: &SupportSet<M>, candidate: &EvaluatedIn<'_, M>) {
        self.validation.saw(candidate.x, candidate.label);
        self.validation.left_out(candidate.x, candidate.label);
    }
}

/// Validates on the support vectors themselves: Tighter0, no memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnSupport;

impl<M: Memory> Validation<M> for OnSupport {
    fn for_each(
        &self,
        set: &SupportSet<M>,
        candidate: &EvaluatedIn<'_, M>,
        mut visit: impl FnMut(&Point<M>, Sign),
    ) {
        for (slot, alpha) in set.coefficients().enumerate() {
            visit(set.point(slot).borrow(), Sign::of(alpha));
        }
        visit(candidate.x, candidate.label);
    }
}

/// Validates on a uniform sample of the seen points that are not support
/// vectors: at most as many as memory `S` has slots, each with the same chance.
///
/// An example is offered when it passes, a support vector when it is evicted.
#[derive(Clone, Debug)]
pub struct Reservoir<S: Memory> {
    sample: SupportSet<S>,
    offered: u32,
    rng: XorShift32,
}

impl<const D: usize, const A: usize, F: Feature> Reservoir<Inline<D, A, F>> {
    /// Room for `A` points, drawn from `seed`.
    pub const fn new(seed: u32) -> Self {
        Self::with_points(F::Inline::BLANK, seed)
    }
}

impl<S: Memory> Reservoir<S> {
    /// Room for as many points as the store has slots, drawn from `seed`.
    pub const fn with_points(points: S::Points, seed: u32) -> Self {
        Reservoir {
            sample: SupportSet::with_points(points),
            offered: 0,
            rng: XorShift32::new(seed),
        }
    }

    fn offer(&mut self, x: &Point<S>, label: Sign) {
        self.offered = self.offered.saturating_add(1);
        if !self.sample.push(x, label.value()) {
            let slot = self.rng.below(self.offered) as usize;
            if slot < self.sample.len() {
                self.sample.replace(slot, x, label.value());
            }
        }
    }

    fn visit(&self, mut visit: impl FnMut(&Point<S>, Sign)) {
        for (slot, label) in self.sample.coefficients().enumerate() {
            visit(self.sample.point(slot).borrow(), Sign::of(label));
        }
    }
}

impl<S: Memory> Blank for Reservoir<S>
where
    S::Points: Blank,
{
    const BLANK: Self = Self::with_points(S::Points::BLANK, 0);
}

/// As a blank one: its seed is forgotten, too.
impl<S: Memory> Restart for Reservoir<S> {
    fn restart(&mut self) {
        self.sample.clear();
        (self.offered, self.rng) = (0, XorShift32::new(0));
    }
}

impl<M: Memory, S: Memory> Validation<M> for Reservoir<S>
where
    S::Points: Points<Point = Point<M>>,
{
    fn left_out(&mut self, x: &Point<M>, label: Sign) {
        self.offer(x, label);
    }

    fn for_each(
        &self,
        _: &SupportSet<M>,
        _: &EvaluatedIn<'_, M>,
        visit: impl FnMut(&Point<M>, Sign),
    ) {
        self.visit(visit);
    }
}

/// Validates on everything seen, the present example included, while memory `S`
/// lasts, then on a uniform sample of it: Tighter-Full, meant for a host.
#[derive(Clone, Debug)]
pub struct Everything<S: Memory>(Reservoir<S>);

impl<const D: usize, const A: usize, F: Feature> Everything<Inline<D, A, F>> {
    /// Room for `A` points; beyond that a sample, drawn from `seed`.
    pub const fn new(seed: u32) -> Self {
        Everything(Reservoir::new(seed))
    }
}

impl<S: Memory> Everything<S> {
    /// Room for as many points as the store has slots; beyond that a sample.
    pub const fn with_points(points: S::Points, seed: u32) -> Self {
        Everything(Reservoir::with_points(points, seed))
    }
}

impl<S: Memory> Blank for Everything<S>
where
    S::Points: Blank,
{
    const BLANK: Self = Everything(Reservoir::BLANK);
}

impl<S: Memory> Restart for Everything<S> {
    fn restart(&mut self) {
        self.0.restart();
    }
}

impl<M: Memory, S: Memory> Validation<M> for Everything<S>
where
    S::Points: Points<Point = Point<M>>,
{
    fn saw(&mut self, x: &Point<M>, label: Sign) {
        self.0.offer(x, label);
    }

    fn for_each(
        &self,
        _: &SupportSet<M>,
        _: &EvaluatedIn<'_, M>,
        visit: impl FnMut(&Point<M>, Sign),
    ) {
        self.0.visit(visit);
    }
}

crate::persist::persist!([V] FewestErrors<V> as "fewest-errors" { validation });

crate::persist::persist!([] OnSupport as "on-support");

crate::persist::persist!(only [S: Memory] Everything<S> as "everything" { 0 });

/// The sample has its own number of slots in use.
impl<S: Memory> Persist for Reservoir<S> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("reservoir", |inside| self.sample.shape(inside));
    }

    fn save(&self, writer: &mut Writer<'_>) {
        writer.with_slots(|writer| self.sample.save(writer));
        self.offered.save(writer);
        self.rng.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        reader.with_slots(|reader| self.sample.load(reader))?;
        self.offered.load(reader)?;
        self.rng.load(reader)
    }
}

impl crate::sealed::Sealed for OnSupport {}
impl<S: Memory> crate::sealed::Sealed for Reservoir<S> {}
impl<S: Memory> crate::sealed::Sealed for Everything<S> {}
