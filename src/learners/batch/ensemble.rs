//! Several planes that vote.

use super::Plane;
use crate::{
    error::InputError,
    label::Sign,
    learners::perceptron::finite,
    num::sum,
    persist::{Blank, ImageError, Persist, Reader, Shape, Writer},
    storage::{point::is_finite, put},
};

/// At most `R` planes, each with a vote: `R (4 D + 8) + 4` bytes.
///
/// `f(x)` is the sum of the votes of the planes with `x` on their positive side,
/// less that of the others: the boundary is no plane any more.
#[derive(Clone, Debug)]
pub struct Ensemble<const D: usize, const R: usize> {
    planes: [Plane<D>; R],
    votes: [f32; R],
    len: u32,
}

impl<const D: usize, const R: usize> Blank for Ensemble<D, R> {
    const BLANK: Self = {
        assert!(R > 0, "an ensemble without members knows nothing");
        Ensemble {
            planes: [Plane::BLANK; R],
            votes: [0.0; R],
            len: 0,
        }
    };
}

impl<const D: usize, const R: usize> Ensemble<D, R> {
    /// Number of planes.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no plane yet; then every score is zero.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether there is no room for another plane.
    pub const fn is_full(&self) -> bool {
        self.len() >= R
    }

    /// The planes and their votes, the oldest first.
    pub fn members(&self) -> impl Iterator<Item = (&Plane<D>, f32)> {
        let members = self.planes.iter().zip(self.votes);
        members.take(self.len())
    }

    /// Adds a plane; false when there is no room.
    pub fn push(&mut self, plane: Plane<D>, vote: f32) -> bool {
        let (slot, room) = (self.len(), !self.is_full());
        if room {
            put(&mut self.planes, slot, plane);
            put(&mut self.votes, slot, vote);
            self.len += 1;
        }
        room
    }

    /// Signed confidence; positive means [`Sign::Pos`].
    pub fn score(&self, x: &[f32; D]) -> Result<f32, InputError> {
        if !is_finite(x) {
            return Err(InputError::NonFinite);
        }
        let votes = self.votes.get(..self.len()).unwrap_or_default();
        finite(sum::zip_sum(votes, &self.planes, |vote, plane| {
            match plane.side(x) {
                // Infinity less infinity: the whole sum says so.
                side if side.is_nan() => side,
                side => Sign::of(side).value() * vote,
            }
        }))
    }

    /// Label of `x`.
    pub fn predict(&self, x: &[f32; D]) -> Result<Sign, InputError> {
        self.score(x).map(Sign::of)
    }
}

/// Named by features and room; as many planes as there are.
impl<const D: usize, const R: usize> Persist for Ensemble<D, R> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("ensemble", |inside| {
            inside.number(D);
            inside.number(R);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.len.save(writer);
        for (plane, vote) in self.members() {
            plane.save(writer);
            vote.save(writer);
        }
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let len = reader.word()?;
        if len as usize > R {
            return Err(ImageError::Malformed);
        }
        reader.put(&mut self.len, len);
        let members = self.planes.iter_mut().zip(&mut self.votes);
        for (number, (plane, vote)) in members.enumerate() {
            if number < len as usize {
                plane.load(reader)?;
                vote.load(reader)?;
            } else {
                reader.put(plane, Plane::BLANK);
                reader.put(vote, 0.0);
            }
        }
        Ok(())
    }
}
