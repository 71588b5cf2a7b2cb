//! The bounded set of support vectors.

use core::borrow::Borrow;

use crate::{
    image::{ImageError, Persist, Reader, Shape, Writer},
    kernel::Kernel,
    memory::{Blank, Column, Inline, Memory, Point, close_gap, put},
    point::{BLOCK, Base, InlinePoints, Points},
    sum::LaneSum,
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
    alpha: M::Column<f32>,
    // Not `usize`: a model has the same size on a PC as on the core.
    len: u32,
}

impl<M: Memory> Blank for SupportSet<M>
where
    M::Points: Blank,
{
    const BLANK: Self = Self::with_points(M::Points::BLANK);
}

impl<const D: usize, const B: usize> SupportSet<Inline<D, B>> {
    /// An empty set inside the model; usable in a `static`.
    pub const fn new() -> Self {
        Self::with_points(InlinePoints::BLANK)
    }
}

impl<const D: usize, const B: usize> Default for SupportSet<Inline<D, B>> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Memory> SupportSet<M> {
    /// An empty set over a store of points.
    pub const fn with_points(points: M::Points) -> Self {
        SupportSet {
            points,
            alpha: <M::Column<f32>>::BLANK,
            len: 0,
        }
    }

    /// Number of occupied slots.
    #[inline]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether nothing has been stored yet.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a further vector needs a slot to be freed.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.len() >= self.points.capacity()
    }

    /// Number of slots: the budget.
    pub fn capacity(&self) -> usize {
        self.points.capacity()
    }

    /// The store of points.
    pub fn points(&self) -> &M::Points {
        &self.points
    }

    /// Signed coefficients, in slot order.
    #[inline]
    pub fn alphas(&self) -> &[f32] {
        let alpha = self.alpha.as_slice();
        alpha.get(..self.len()).unwrap_or(alpha)
    }

    /// Signed coefficients, in slot order, to be changed.
    #[inline]
    pub fn alphas_mut(&mut self) -> &mut [f32] {
        let alpha = self.alpha.as_mut_slice();
        alpha.get_mut(..self.len as usize).unwrap_or_default()
    }

    /// Coefficient in `slot`; zero when it is not occupied.
    #[inline]
    pub fn alpha(&self, slot: usize) -> f32 {
        self.alphas().get(slot).copied().unwrap_or(0.0)
    }

    /// Copy of the point in `slot`.
    #[inline]
    pub fn point(&self, slot: usize) -> <M::Points as Points>::Owned {
        self.points.fetch(slot)
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
        put(self.alpha.as_mut_slice(), slot, alpha);
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

    /// Moves the vector in `slot` to `share * x + (1 - share) * itself` and
    /// gives it the coefficient `alpha`.
    pub fn blend(&mut self, slot: usize, x: &Point<M>, share: f32, alpha: f32) {
        self.points.blend(slot, x, share);
        put(self.alpha.as_mut_slice(), slot, alpha);
    }

    /// Multiplies every coefficient by `factor`.
    pub fn scale(&mut self, factor: f32) {
        for alpha in self.alphas_mut() {
            *alpha *= factor;
        }
    }

    /// Forgets every vector.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// `f(x)`: the kernel expansion at `x`.
    ///
    /// A block of slots at a time, each in three passes (base numbers, kernel,
    /// sum): the passes vectorise one by one, and no row is needed.
    #[inline]
    pub fn score<K: Kernel>(&self, kernel: &K, x: &Point<M>) -> f32 {
        let mut sum = LaneSum::default();
        let mut block = [0.0; BLOCK];
        for (index, alphas) in self.alphas().chunks(BLOCK).enumerate() {
            let block = block.get_mut(..alphas.len()).unwrap_or_default();
            let first = BLOCK * index;
            self.points.bases(kernel.base(), x, first, block);
            kernel.map(block);
            sum.add_products(alphas, block);
        }
        sum.total()
    }

    /// Base numbers of `x` with every stored vector, into `row`.
    #[inline]
    pub fn bases<K: Kernel>(&self, kernel: &K, x: &Point<M>, row: &mut [f32]) {
        self.points.bases(kernel.base(), x, 0, self.occupied(row));
    }

    /// Similarities of `x` with every stored vector, into `row`.
    #[inline]
    pub fn row<K: Kernel>(&self, kernel: &K, x: &Point<M>, row: &mut [f32]) {
        self.bases(kernel, x, row);
        kernel.map(self.occupied(row));
    }

    /// Similarities of `x` with every stored vector, in a row of their own; what
    /// lies behind the occupied slots is zero.
    #[inline]
    pub fn similarities<K: Kernel>(&self, kernel: &K, x: &Point<M>) -> M::Column<f32> {
        let mut row = <M::Column<f32>>::BLANK;
        row.ensure(self.len());
        self.row(kernel, x, row.as_mut_slice());
        row
    }

    /// Similarities of the vector in `slot` with every stored vector, into `row`.
    #[inline]
    pub fn row_of<K: Kernel>(&self, kernel: &K, slot: usize, row: &mut [f32]) {
        self.row(kernel, self.point(slot).borrow(), row);
    }

    /// Like [`row`](Self::row), and the slot nearest to `x`.
    #[inline]
    pub fn row_and_nearest<K: Kernel>(
        &self,
        kernel: &K,
        x: &Point<M>,
        row: &mut [f32],
    ) -> Option<usize> {
        self.points.bases(Base::Distance, x, 0, self.occupied(row));
        let nearest = first_nearest(self.occupied(row), None);
        if kernel.base() != Base::Distance {
            self.bases(kernel, x, row);
        }
        kernel.map(self.occupied(row));
        nearest.map(|(slot, _)| slot)
    }

    /// Slot nearest to `x`, the lowest on a tie, and its squared distance;
    /// `except` is left out. `scratch` has room for a row.
    pub fn nearest(
        &self,
        x: &Point<M>,
        except: Option<usize>,
        scratch: &mut [f32],
    ) -> Option<(usize, f32)> {
        let scratch = self.occupied(scratch);
        self.points.bases(Base::Distance, x, 0, scratch);
        first_nearest(scratch, except)
    }

    /// The part of a row that belongs to occupied slots.
    #[inline]
    fn occupied<'a>(&self, row: &'a mut [f32]) -> &'a mut [f32] {
        row.get_mut(..self.len()).unwrap_or_default()
    }
}

/// The least distance and its slot. By distance and not by similarity: far
/// away, the Gaussian of many distances is zero.
#[inline]
fn first_nearest(distances: &[f32], except: Option<usize>) -> Option<(usize, f32)> {
    let mut found: Option<(usize, f32)> = None;
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
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let len = reader.word()?;
        if len as usize > self.capacity() {
            return Err(ImageError::Malformed);
        }
        reader.set_slots(len as usize);
        self.points.load(reader)?;
        self.alpha.load(reader)?;
        reader.put(&mut self.len, len);
        Ok(())
    }
}
