//! Counting the steps taken on each example.

use super::{Averageable, Hypothesis, Snapshots};
use crate::{
    budget::{Admission, Guarantee, KeepsAll},
    error::{ConfigError, InputError},
    persist::{Blank, ImageError, Persist, Reader, Shape, Writer},
    storage::{Column, Evaluated},
};

/// Keeps, for each numbered example, how many steps were taken on it: what
/// [`Soft`](crate::rule::Soft) needs around a hypothesis that does not remember
/// its examples.
///
/// `L` is `[u32; N]` for examples `0..N`; a number beyond that is refused.
/// Examples without a number are not counted.
#[derive(Clone, Debug)]
pub struct UpdateCounts<H, L> {
    inner: H,
    steps: L,
}

impl<H, L> UpdateCounts<H, L> {
    /// Counts in `steps`.
    pub const fn new(inner: H, steps: L) -> Self {
        UpdateCounts { inner, steps }
    }

    /// The function itself.
    pub const fn inner(&self) -> &H {
        &self.inner
    }
}

impl<H: Blank, L: Blank> Blank for UpdateCounts<H, L> {
    const BLANK: Self = UpdateCounts::new(H::BLANK, L::BLANK);
}

impl<H: Hypothesis, L: Column<u32>> Hypothesis for UpdateCounts<H, L> {
    type Input = H::Input;
    type Number = H::Number;
    type Row = H::Row;

    #[inline]
    fn check(&self, x: &H::Input) -> Result<(), InputError> {
        self.inner.check(x)
    }

    fn check_parameters(&self) -> Result<(), ConfigError> {
        self.inner.check_parameters()
    }

    #[inline]
    fn score(&self, x: &H::Input) -> f32 {
        self.inner.score(x)
    }

    #[inline]
    fn evaluate<'a>(&self, example: &mut Evaluated<'a, H::Input, H::Number>, row: &'a mut H::Row) {
        self.inner.evaluate(example, row);
    }

    #[inline]
    fn self_similarity(&self, x: &H::Input) -> f32 {
        self.inner.self_similarity(x)
    }

    fn own_steps(&self, id: Option<u32>) -> Result<u32, InputError> {
        let Some(id) = id else {
            return Ok(0);
        };
        let steps = self.steps.as_slice().get(id as usize);
        steps.copied().ok_or(InputError::UnknownExample)
    }

    fn shrink(&mut self, factor: f32) {
        self.inner.shrink(factor);
    }

    #[inline]
    fn pass(&mut self, example: &Evaluated<'_, H::Input, H::Number>) {
        self.inner.pass(example);
    }

    #[inline]
    fn adapt_kernel(&mut self, example: &Evaluated<'_, H::Input, H::Number>, coefficient: f32) {
        self.inner.adapt_kernel(example, coefficient);
    }

    fn has_underflowed(&self, admission: Admission) -> bool {
        self.inner.has_underflowed(admission)
    }

    fn is_saturated(&self) -> bool {
        self.inner.is_saturated()
    }

    fn apply(
        &mut self,
        example: &Evaluated<'_, H::Input, H::Number>,
        coefficient: f32,
    ) -> Admission {
        let admission = self.inner.apply(example, coefficient);
        let entry = example.id.map(|id| id as usize);
        let entry = entry.and_then(|id| self.steps.as_mut_slice().get_mut(id));
        if let Some(steps) = entry.filter(|_| admission.changed()) {
            *steps = steps.saturating_add(1);
        }
        admission
    }
}

impl<H: Guarantee<KeepsAll>, L> Guarantee<KeepsAll> for UpdateCounts<H, L> {}

impl<H: Snapshots, L: Column<u32>> Snapshots for UpdateCounts<H, L> {
    type Snapshot = H::Snapshot;

    fn snapshot(&self) -> H::Snapshot {
        self.inner.snapshot()
    }

    fn score_at(&self, snapshot: &H::Snapshot, x: &H::Input) -> f32 {
        self.inner.score_at(snapshot, x)
    }
}

impl<H: Averageable, L: Column<u32>> Averageable for UpdateCounts<H, L> {
    type Sum = H::Sum;

    fn fold(&self, sum: &mut H::Sum, weight: f32) {
        self.inner.fold(sum, weight);
    }

    fn follow(&self, sum: &mut H::Sum, admission: Admission) {
        self.inner.follow(sum, admission);
    }

    fn sum_score(&self, sum: &H::Sum, weight: f32, x: &H::Input) -> f32 {
        self.inner.sum_score(sum, weight, x)
    }
}

/// All counts, whatever the hypothesis has in use.
impl<H: Persist, L: Column<u32>> Persist for UpdateCounts<H, L> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("ledgered", |inside| {
            self.inner.shape(inside);
            inside.number(self.steps.as_slice().len());
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.inner.save(writer);
        writer.with_slots(|writer| self.steps.save(writer));
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.inner.load(reader)?;
        reader.with_slots(|reader| self.steps.load(reader))
    }
}
