//! The linear model that all batch learners train.

use crate::{
    error::InputError,
    hypothesis::{Biased, FixedRadius, Linear, Weights},
    label::Sign,
    learners::perceptron::finite,
    persist::{ImageError, Persist, Reader, Shape, Writer},
};

/// `f(x) = w . x + b`: `4 D + 4` bytes.
///
/// Only the side of a score counts here, so a plane may be multiplied by any
/// positive number. [`hypothesis`](Self::hypothesis) makes it the start of a
/// perceptron that goes on learning from a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane<const D: usize> {
    /// `w`.
    pub weights: [f32; D],
    /// `b`, the weight of a feature that is always one.
    pub bias: f32,
}

crate::persist::blank!([; const D: usize] Plane<D> { weights, bias });

impl<const D: usize> Plane<D> {
    /// Signed confidence; positive means [`Sign::Pos`].
    #[inline]
    pub fn score(&self, x: &[f32; D]) -> Result<f32, InputError> {
        self.weights.check(x)?;
        finite(self.side(x))
    }

    /// Label of `x`.
    #[inline]
    pub fn predict(&self, x: &[f32; D]) -> Result<Sign, InputError> {
        self.score(x).map(Sign::of)
    }

    /// The score of features that are known to be finite.
    #[inline]
    pub(super) fn side(&self, x: &[f32; D]) -> f32 {
        self.weights.dot(x) + self.bias
    }

    /// `self + factor * direction`.
    pub fn moved(&self, direction: &Self, factor: f32) -> Self {
        let mut moved = *self;
        moved.weights.add_weights(&direction.weights, factor);
        moved.bias += factor * direction.bias;
        moved
    }

    /// The same plane with its largest number in `[1, 2)`.
    ///
    /// The factor is a power of two, so that no side changes; without it the
    /// numbers of a long training would drift out of range.
    pub(super) fn rescaled(mut self) -> Self {
        let sizes = self.weights.iter().chain([&self.bias]);
        let exponent = sizes.map(|size| (size.to_bits() >> 23) & 0xFF).max();
        // 2^(127 - exponent): the bits of a power of two are its exponent alone.
        let factor = exponent.filter(|exponent| (1..=253).contains(exponent));
        if let Some(factor) = factor.map(|exponent| f32::from_bits((254 - exponent) << 23)) {
            self.weights.scale(factor);
            self.bias *= factor;
        }
        self
    }

    /// Whether every number is finite.
    pub(super) fn is_finite(&self) -> bool {
        crate::storage::point::is_finite(&self.weights) && self.bias.is_finite()
    }

    /// The same function as a hypothesis whose bias learns like a weight.
    pub const fn hypothesis(&self) -> Biased<Linear<[f32; D]>> {
        Biased::new(
            Linear::with_weights(self.weights),
            FixedRadius(1.0),
            self.bias,
        )
    }

    /// The function of a linear hypothesis with a bias.
    pub fn of<S>(hypothesis: &Biased<Linear<[f32; D]>, S>) -> Self {
        Plane {
            weights: *hypothesis.inner().weights(),
            bias: hypothesis.bias(),
        }
    }
}

/// Named by the number of weights.
impl<const D: usize> Persist for Plane<D> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("plane", |inside| inside.number(D));
    }

    fn save(&self, writer: &mut Writer<'_>) {
        writer.with_slots(|writer| self.weights.save(writer));
        self.bias.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        reader.with_slots(|reader| self.weights.load(reader))?;
        self.bias.load(reader)
    }
}
