//! The bounded set of support vectors.

use core::borrow::Borrow;

use crate::{
    image::{ImageError, Persist, Reader, Shape, Writer},
    kernel::{Kernel, KernelIn},
    memory::{Blank, Column, FeatureIn, Inline, Memory, NumberIn, Point, StoredIn, close_gap, put},
    number::Number,
    point::{BLOCK, Base, Feature, Points, Rounding},
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
    unit: <NumberIn<M> as Number>::Unit,
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

    /// How `alpha` would be stored beside the others. If it needs room, all of
    /// them are stored more coarsely from now on.
    #[inline]
    pub fn store_with(&mut self, alpha: f32) -> StoredIn<M> {
        let len = self.len();
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

    /// What a feature of one stands for.
    #[inline]
    pub fn step(&self) -> f32 {
        self.points.step()
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

    /// `f(x)`: the kernel expansion at `x`.
    ///
    /// A block of slots at a time, each in three passes (base numbers, kernel,
    /// sum): the passes vectorise one by one, and no row is needed.
    #[inline]
    pub fn score<K: KernelIn<FeatureIn<M>>>(&self, kernel: &K, x: &Point<M>) -> f32 {
        let mut sum = <NumberIn<M> as Number>::Sum::default();
        let mut block = [<NumberIn<M>>::ZERO; BLOCK];
        for (index, stored) in self.stored().chunks(BLOCK).enumerate() {
            let block = block.get_mut(..stored.len()).unwrap_or_default();
            let first = BLOCK * index;
            kernel.bases_in(&self.points, x, first, block);
            kernel.map_in(self.step(), block);
            <NumberIn<M>>::add_products(&mut sum, stored, block);
        }
        <NumberIn<M>>::total(sum, self.unit)
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

    /// Similarity of two points.
    #[inline]
    pub fn pair<K: KernelIn<FeatureIn<M>>>(&self, kernel: &K, a: &Point<M>, b: &Point<M>) -> f32 {
        kernel.of_in(self.step(), kernel.base_of(a.as_ref(), b.as_ref()))
    }

    /// Base number of two points.
    #[inline]
    pub fn base_of<K>(&self, kernel: &K, a: &Point<M>, b: &Point<M>) -> f32
    where
        K: KernelIn<FeatureIn<M>>,
    {
        let base = kernel.base_of(a.as_ref(), b.as_ref());
        base.base(self.step())
    }

    /// Similarity of a point with itself.
    #[inline]
    pub fn own<K: Kernel>(&self, kernel: &K, x: &Point<M>) -> f32 {
        kernel.own_with(|| {
            let base = Base::Product.of_pair(x.as_ref(), x.as_ref());
            base.base(self.step())
        })
    }

    /// Base numbers of `x` with every stored vector, into `row`.
    #[inline]
    pub fn bases<K>(&self, kernel: &K, x: &Point<M>, row: &mut [NumberIn<M>])
    where
        K: KernelIn<FeatureIn<M>>,
    {
        kernel.bases_in(&self.points, x, 0, self.occupied(row));
    }

    /// Similarities of `x` with every stored vector, into `row`.
    #[inline]
    pub fn row<K: KernelIn<FeatureIn<M>>>(
        &self,
        kernel: &K,
        x: &Point<M>,
        row: &mut [NumberIn<M>],
    ) {
        self.bases(kernel, x, row);
        kernel.map_in(self.step(), self.occupied(row));
    }

    /// Similarities of `x` with every stored vector, in a row of their own; what
    /// lies behind the occupied slots is zero.
    #[inline]
    pub fn similarities<K>(&self, kernel: &K, x: &Point<M>) -> M::Column<NumberIn<M>>
    where
        K: KernelIn<FeatureIn<M>>,
    {
        let mut row = <M::Column<NumberIn<M>>>::BLANK;
        row.ensure(self.len());
        self.row(kernel, x, row.as_mut_slice());
        row
    }

    /// Similarities of the vector in `slot` with every stored vector, into `row`.
    #[inline]
    pub fn row_of<K: KernelIn<FeatureIn<M>>>(
        &self,
        kernel: &K,
        slot: usize,
        row: &mut [NumberIn<M>],
    ) {
        self.row(kernel, self.point(slot).borrow(), row);
    }

    /// Like [`row`](Self::row), and the slot nearest to `x`.
    #[inline]
    pub fn row_and_nearest<K: KernelIn<FeatureIn<M>>>(
        &self,
        kernel: &K,
        x: &Point<M>,
        row: &mut [NumberIn<M>],
    ) -> Option<usize> {
        if kernel.base() == Base::Distance {
            self.bases(kernel, x, row);
        } else {
            self.points.bases(Base::Distance, x, 0, self.occupied(row));
        }
        let nearest = first_nearest(self.occupied(row), None);
        if kernel.base() != Base::Distance {
            self.bases(kernel, x, row);
        }
        kernel.map_in(self.step(), self.occupied(row));
        nearest.map(|(slot, _)| slot)
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
    fn occupied<'a, T>(&self, row: &'a mut [T]) -> &'a mut [T] {
        row.get_mut(..self.len()).unwrap_or_default()
    }
}

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
fn first_nearest<N: Number>(distances: &[N], except: Option<usize>) -> Option<(usize, N)> {
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
        if len as usize > self.capacity() {
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
