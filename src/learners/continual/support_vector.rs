//! Stored vectors, as a user reads them.

use super::{ContinualLearner, Update, label};
use crate::{
    persist::BoundedImage,
    storage::{Features, Inline},
};

/// A support vector in the units of the input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportVector<const D: usize, L> {
    /// The features.
    pub x: [f32; D],
    /// The class that it stands for.
    pub label: L,
    /// Its coefficient in the score of that class; in the one score of two classes it has the sign of the label.
    pub coefficient: f32,
}

impl<U, const D: usize, const B: usize, const C: usize, const N: usize, T> BoundedImage
    for ContinualLearner<Features<D>, Inline<D, B, i8>, U, C, N, T>
where
    U: Update<C, N>,
{
    /// No image is longer, if the name of `U` has at most 48 bytes and its numbers are words.
    const MAX_BYTES: usize = {
        let frame = 12 + 4 + TEXT + 4;
        let vectors = 4 + D * B.next_multiple_of(4) + B * (N.next_multiple_of(4) + 4);
        let scale = 8 * D + 4;
        let kernel = 8 + (2 * D).next_multiple_of(4);
        frame + (4 * C + 8) + scale + vectors + kernel + size_of::<U>() + 12
    };

    fn sealed(&self, _: crate::sealed::Token) {}
}

impl<U, const D: usize, const B: usize, const C: usize, const N: usize, T>
    ContinualLearner<Features<D>, Inline<D, B, i8>, U, C, N, T>
where
    U: Update<C, N>,
{
    /// The support vectors in the units of the input: standardisation is undone by the present scale.
    pub fn support_vectors(&self) -> impl Iterator<Item = SupportVector<D, U::Label>> + '_ {
        let vectors = 0..self.vectors.len();
        vectors.filter_map(|slot| {
            let row = self.vectors.row(slot);
            let class = U::owner(row.values());
            let mut x = [0.0; D];
            for (feature, (x, byte)) in x.iter_mut().zip(self.vectors.point(slot)).enumerate() {
                *x = self.scale.dequantise(feature, byte);
            }
            Some(SupportVector {
                x,
                label: label::<U::Label>(class).ok()?,
                coefficient: row.coefficient(U::column(class).unwrap_or(0)),
            })
        })
    }
}

/// The longest text of a shape: of the learner with five digits for each of its sizes, and of `U`.
const TEXT: usize = "continual(65536,i8(65536,65536),65536,coarse-scale,relevance,)"
    .len()
    .next_multiple_of(4)
    + 48;
