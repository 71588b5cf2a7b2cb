//! The bounded set of support vectors.

use crate::{
    num::{Base, Number, limited},
    persist::{Blank, ImageError, Persist, Reader, Shape, Writer},
    storage::{
        Column, Inline, Memory, NumberIn, Point, StoredIn, close_gap,
        point::{Feature, Points, Rounding},
        put,
    },
};

/// Stored points with signed coefficients, in numbered slots.
///
/// Slots `0..len` are occupied. A budget policy that needs to know ages keeps
/// them in order of insertion: [`remove`](Self::remove) moves the later ones
/// down, so that slot 0 is the oldest and a tie goes to the lowest slot. One
/// that does not care overwrites in place.
#[derive(Clone, Debug)]
pub struct SupportSet<M: Memory> {
    points: M::Points,
    alpha: M::Column<StoredIn<M>>,
    pub(crate) unit: <NumberIn<M> as Number>::Unit,
    // Not `usize`: a model has the same size on a PC as on the core.
    len: u32,
}

impl<M: Memory> Blank for SupportSet<M>
where
    M::Points: Blank,
{
    const BLANK: Self = Self::with_points(M::Points::BLANK);
}

impl<const D: usize, const B: usize, F: Feature> SupportSet<Inline<D, B, F>> {
    /// An empty set inside the model; usable in a `static`.
    pub const fn new() -> Self {
        Self::with_points(F::Inline::BLANK)
    }
}

impl<const D: usize, const B: usize, F: Feature> Default for SupportSet<Inline<D, B, F>> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Memory> SupportSet<M> {
    /// An empty set over a store of points.
    pub const fn with_points(points: M::Points) -> Self {
        SupportSet {
            points,
            alpha: <M::Column<StoredIn<M>>>::BLANK,
            unit: <NumberIn<M> as Number>::Unit::BLANK,
            len: 0,
        }
    }

    /// Signed coefficients, in slot order.
    #[inline]
    pub fn coefficients(&self) -> impl Iterator<Item = f32> + Clone {
        let stored = self.stored().iter();
        stored.map(|stored| self.value_of(*stored))
    }

    /// Signed coefficients as they are stored, in slot order: multiples of
    /// something that they have in common.
    #[inline]
    pub fn stored(&self) -> &[StoredIn<M>] {
        let alpha = self.alpha.as_slice();
        alpha.get(..self.len()).unwrap_or(alpha)
    }

    /// The stored value of `alpha` beside the others. If it needs room, all of
    /// them are stored more coarsely from now on.
    #[inline]
    pub fn store_with(&mut self, alpha: f32) -> StoredIn<M> {
        let (len, alpha) = (self.len(), limited(alpha));
        let stored = self.alpha.as_mut_slice().get_mut(..len).unwrap_or_default();
        <NumberIn<M>>::make_room(stored, &mut self.unit, alpha);
        <NumberIn<M>>::stored(alpha, self.unit)
    }

    /// The coefficient that is stored as `stored`.
    #[inline]
    pub fn value_of(&self, stored: StoredIn<M>) -> f32 {
        <NumberIn<M>>::coefficient(stored, self.unit)
    }

    /// Coefficient in `slot`; zero when it is not occupied.
    #[inline]
    pub fn alpha(&self, slot: usize) -> f32 {
        let stored = self.stored().get(slot);
        stored.map_or(0.0, |stored| self.value_of(*stored))
    }

    /// Gives the vector in `slot` another coefficient.
    #[inline]
    pub fn set_alpha(&mut self, slot: usize, alpha: f32) {
        let stored = self.store_with(alpha);
        put(self.alpha.as_mut_slice(), slot, stored);
    }

    /// The quantisation step: the value of a feature of one.
    #[inline]
    pub fn step(&self) -> f32 {
        self.points.step()
    }

    /// Appends a vector; false when full.
    #[inline]
    pub fn push(&mut self, x: &Point<M>, alpha: f32) -> bool {
        if self.is_full() {
            return false;
        }
        let slot = self.len();
        self.len += 1;
        self.alpha.ensure(slot + 1);
        self.replace(slot, x, alpha);
        true
    }

    /// Overwrites `slot` in place.
    #[inline]
    pub fn replace(&mut self, slot: usize, x: &Point<M>, alpha: f32) {
        self.points.write(slot, x);
        self.set_alpha(slot, alpha);
    }

    /// Frees `slot`; the later vectors move down by one and keep their order.
    #[inline]
    pub fn remove(&mut self, slot: usize) {
        let len = self.len();
        if slot < len {
            self.points.close_gap(slot, len);
            close_gap(self.alpha.as_mut_slice(), slot, len);
            self.len -= 1;
        }
    }

    /// Moves the vector in `slot` to `share * x + (1 - share) * itself`, away from `x` if the
    /// share is negative.
    pub fn blend(&mut self, slot: usize, x: &Point<M>, share: f32, rounding: Rounding) {
        self.points.blend(slot, x, share, rounding);
    }

    /// Multiplies every coefficient by `factor`.
    pub fn scale(&mut self, factor: f32) {
        let len = self.len();
        let stored = self.alpha.as_mut_slice().get_mut(..len).unwrap_or_default();
        <NumberIn<M>>::scale(stored, &mut self.unit, factor);
    }

    /// Forgets every vector.
    pub fn clear(&mut self) {
        self.len = 0;
        self.unit = <NumberIn<M> as Number>::Unit::BLANK;
    }

    /// `f(x)` of a point whose similarities are known.
    #[inline]
    pub fn score_of_row(&self, row: &[NumberIn<M>]) -> f32 {
        self.score_of_first(self.len(), row)
    }

    /// The same over the first `len` vectors only.
    #[inline]
    pub fn score_of_first(&self, len: usize, row: &[NumberIn<M>]) -> f32 {
        let stored = self.stored();
        let stored = stored.get(..len).unwrap_or(stored);
        <NumberIn<M>>::dot(stored, self.unit, row)
    }

    /// Slot nearest to `x`, the lowest on a tie, and its squared distance;
    /// `except` is left out. `scratch` has room for a row.
    pub fn nearest(
        &self,
        x: &Point<M>,
        except: Option<usize>,
        scratch: &mut [NumberIn<M>],
    ) -> Option<(usize, NumberIn<M>)> {
        let scratch = self.occupied(scratch);
        self.points.bases(Base::Distance, x, 0, scratch);
        first_nearest(scratch, except)
    }

    /// The part of a row that belongs to occupied slots.
    #[inline]
    pub(crate) fn occupied<'a, T>(&self, row: &'a mut [T]) -> &'a mut [T] {
        row.get_mut(..self.len()).unwrap_or_default()
    }
}

crate::storage::slots!([M: Memory] SupportSet<M>);

/// Coefficients that are numbers of their own.
impl<M: Memory> SupportSet<M>
where
    M::Points: Points<Feature = f32>,
{
    /// Signed coefficients, in slot order.
    #[inline]
    pub fn alphas(&self) -> &[f32] {
        self.stored()
    }
}

/// The least distance and its slot. By distance and not by similarity: far
/// away, the Gaussian of many distances is zero.
#[inline]
pub(crate) fn first_nearest<N: Number>(
    distances: &[N],
    except: Option<usize>,
) -> Option<(usize, N)> {
    let mut found: Option<(usize, N)> = None;
    for (slot, distance) in distances.iter().enumerate() {
        if Some(slot) != except && found.is_none_or(|(_, least)| *distance < least) {
            found = Some((slot, *distance));
        }
    }
    found
}

/// Says how many slots are in use, for itself and for all that is kept beside it.
impl<M: Memory> Persist for SupportSet<M> {
    fn shape(&self, shape: &mut Shape<'_>) {
        self.points.shape(shape);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.len.save(writer);
        writer.set_slots(self.len());
        self.points.save(writer);
        self.alpha.save(writer);
        self.unit.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let len = reader.word()?;
        // Memory on a host grows with the vectors: not beyond those that there can be.
        if len as usize > self.capacity() || len > reader.left() {
            return Err(ImageError::Malformed);
        }
        reader.set_slots(len as usize);
        self.points.load(reader)?;
        self.alpha.load(reader)?;
        <NumberIn<M>>::load_unit(&mut self.unit, reader)?;
        reader.put(&mut self.len, len);
        Ok(())
    }
}
