//! The default learner as numbers, from which a predictor in another language is made.

use pocketron::{label::Class, learners::continual::Update, storage::point::Points as _};

use super::classes::continual::Learner;

/// All that a prediction needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Predictor {
    /// Offset and factor of each feature.
    pub standardisation: Vec<(f32, f32)>,
    /// Weight of each feature; `None` while all count alike.
    pub weights: Option<Vec<u16>>,
    /// Multiplier of a distance and the bits that it has too many.
    pub rate: (u32, u32),
    /// The stored vectors.
    pub vectors: Vec<Vec<i8>>,
    /// Coefficients of each of them and their common exponent.
    pub rows: Vec<(Vec<i8>, u32)>,
    /// Whether each class has an example.
    pub present: Vec<bool>,
}

impl Predictor {
    /// Of a learner.
    pub(super) fn of<U, const C: usize, const N: usize>(learner: &Learner<U, C, N>) -> Self
    where
        U: Update<C, N>,
    {
        let vectors = learner.vectors();
        let features = vectors.points().dim();
        let classes = (0..C).map(|class| Class(class as u8));
        let rows = vectors.rows().iter();
        Predictor {
            standardisation: (0..features)
                .map(|at| learner.standardisation(at))
                .collect(),
            weights: learner.kernel().whole_weights().map(<[u16]>::to_vec),
            rate: learner.kernel().rate_of_bytes(),
            vectors: (0..vectors.len())
                .map(|slot| vectors.points().fetch(slot).to_vec())
                .collect(),
            rows: rows
                .map(|row| (row.values().to_vec(), row.exponent()))
                .collect(),
            present: classes.map(|class| learner.seen(class) > 0).collect(),
        }
    }
}
