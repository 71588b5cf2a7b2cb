//! One support set for all classes, which merges.

mod merger;
mod row;

pub use row::Row;

use core::borrow::Borrow;

use super::{Census, Update};
use crate::{
    budget::{Admission, nudge},
    drift::Restart,
    error::InputError,
    image::{ImageError, Persist, Reader, Shape, Writer},
    kernel::{KernelIn, Lesson, Mergeable, Slope},
    label::Class,
    memory::{Blank, Column, Inline, Memory, Point, Ready, close_gap, put},
    number::{Fixed, Number as _},
    perceptron::{Judge, OnlineClassifier, Outcome},
    point::{BLOCK, Points, Rounding},
    scale::Standardized,
    support::SupportSet,
};
use merger::{FRACTION, Merger, Weights, loss, merger, weight};
use row::DIGITS;

/// Classes over shared support vectors of bytes: each has a byte for every class, too, and a size
/// for all of them.
///
/// ```text
/// s_c(x) = sum_j alpha_j a_jc / 64 k(x_j, x)
/// ```
///
/// An example that the update `U` wants to learn teaches the [kernel](crate::kernel::Relevance),
/// moves the vector that is most like it [a little](crate::budget::Nudging), and is stored. When
/// there is no room, the vector `i` with the least `|A_i|`, the example included, and the partner `j`
/// with which it loses least become one between them, for all classes at once:
///
/// ```text
/// z = h x_i + (1-h) x_j,   A_z = A_i k^((1-h)^2) + A_j k^(h^2)
/// ```
///
/// A partner of any class will do. A class takes part from its first example on, and costs nothing
/// before.
///
/// Costs `B (D + C + 2) + 4 C` bytes, and those of kernel and update.
#[derive(Clone, Debug)]
pub struct SharedMerging<K, M: Memory, const C: usize, U> {
    kernel: K,
    update: U,
    /// Its own coefficients are the sizes of the rows.
    set: SupportSet<M>,
    rows: M::Column<Row<C>>,
    census: Census<C>,
}

impl<K, M: Memory, const C: usize, U> SharedMerging<K, M, C, U> {
    /// Nothing learned yet, over a store of points.
    pub const fn with_points(kernel: K, update: U, points: M::Points) -> Self {
        SharedMerging {
            kernel,
            update,
            set: SupportSet::with_points(points),
            rows: <M::Column<Row<C>>>::BLANK,
            census: Census::BLANK,
        }
    }

    /// The support vectors.
    pub fn support(&self) -> &SupportSet<M> {
        &self.set
    }

    /// The kernel.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    /// The update and its rules.
    pub fn update(&self) -> &U {
        &self.update
    }

    /// Coefficients of `class`, in slot order.
    pub fn coefficients(&self, class: Class) -> impl Iterator<Item = f32> {
        let rows = self.rows.as_slice().iter();
        self.set.coefficients().zip(rows).map(move |(size, row)| {
            let value = row.0.get(usize::from(class.0)).copied().unwrap_or(0);
            size * f32::from(value) * (1.0 / (1 << DIGITS) as f32)
        })
    }

    /// Examples of `class` learned so far.
    pub fn seen(&self, class: Class) -> u32 {
        self.census.seen(class)
    }

    /// The class that wins with these [`scores`](Self::scores), and its score.
    pub fn winner(&self, scores: &[f32; C]) -> (Class, f32) {
        self.census.winner(scores)
    }
}

impl<K, const D: usize, const B: usize, const C: usize, U>
    SharedMerging<K, Inline<D, B, i8>, C, U>
{
    /// Nothing learned yet.
    pub const fn new(kernel: K, update: U) -> Self {
        Self::with_points(kernel, update, crate::point::Rows::BLANK)
    }
}

impl<K: Blank, M: Memory, const C: usize, U: Blank> Blank for SharedMerging<K, M, C, U>
where
    M::Points: Blank,
{
    const BLANK: Self = Self::with_points(K::BLANK, U::BLANK, M::Points::BLANK);
}

impl<K: Ready, M: Memory, const C: usize, U: Ready> Ready for SharedMerging<K, M, C, U> where
    M::Points: Blank
{
}

impl<K, M, const C: usize, U> SharedMerging<K, M, C, U>
where
    K: Mergeable + KernelIn<i8>,
    M: Memory<Points: Points<Feature = i8>>,
{
    /// Score of every class; zero for those without an example so far.
    ///
    /// A block of vectors at a time, so that no row is needed.
    pub fn scores(&self, x: &Point<M>) -> Result<[f32; C], InputError> {
        self.set.points().check(x)?;
        self.kernel.check()?;
        let mut sums = [0; C];
        let mut block = [Fixed::ZERO; BLOCK];
        for first in (0..self.set.len()).step_by(BLOCK) {
            let count = (self.set.len() - first).min(BLOCK);
            let block = block.get_mut(..count).unwrap_or_default();
            self.kernel.bases_in(self.set.points(), x, first, block);
            self.kernel.map_in(self.set.step(), block);
            self.add_up(first, block, &mut sums);
        }
        Ok(self.totals(&sums))
    }

    /// Adds what the vectors from slot `first` on say, whose similarities are known.
    #[inline]
    fn add_up(&self, first: usize, similarities: &[Fixed], sums: &mut [i64; C]) {
        let sizes = self.set.stored().get(first..).unwrap_or_default();
        let rows = self.rows.as_slice().get(first..).unwrap_or_default();
        for ((size, row), near) in sizes.iter().zip(rows).zip(similarities) {
            let weight = weight(*size, *near);
            for (sum, coefficient) in sums.iter_mut().zip(&row.0) {
                *sum += i64::from(weight * i32::from(*coefficient));
            }
        }
    }

    fn totals(&self, sums: &[i64; C]) -> [f32; C] {
        let unit = self.set.value_of(1) * (1.0 / (1_u32 << (FRACTION + DIGITS)) as f32);
        sums.map(|sum| sum as f32 * unit)
    }

    fn weights(&self, slot: usize) -> Weights<C> {
        let size = self.set.stored().get(slot).copied().unwrap_or(0);
        let row = self.rows.as_slice().get(slot).copied();
        Weights::new(size, row.unwrap_or(Row::BLANK))
    }

    fn place(&mut self, slot: usize, size: f32, row: Row<C>) {
        self.rows.ensure(slot + 1);
        put(self.rows.as_mut_slice(), slot, row);
        self.set.set_alpha(slot, size);
    }

    /// Stores the example with steps of this size; when full, the weakest vector and its best
    /// partner become one. A function of its own: it is large, and rarely called.
    #[inline(never)]
    fn admit(&mut self, x: &Point<M>, size: f32, row: Row<C>) -> Admission {
        let newest = self.set.len();
        if self.set.push(x, size) {
            self.place(newest, size, row);
            return Admission::Inserted;
        }
        // Position `newest` stands for the example.
        let newcomer = Weights::new(self.set.store_with(size), row);
        let weights = |position| {
            if position == newest {
                newcomer
            } else {
                self.weights(position)
            }
        };
        let mut weakest = (newest, newcomer);
        for position in (0..newest).rev() {
            // A tie goes to the lowest slot.
            let other = weights(position);
            if other.norm_squared() <= weakest.1.norm_squared() {
                weakest = (position, other);
            }
        }
        let (weakest, own) = weakest;
        let point = self.set.point(weakest);
        let point = if weakest == newest { x } else { point.borrow() };

        let mut bases = <M::Column<Fixed>>::BLANK;
        bases.ensure(newest);
        self.set.bases(&self.kernel, point, bases.as_mut_slice());
        let bases = bases.as_slice().get(..newest).unwrap_or_default();
        let to_newest = self.kernel.base_of(point.as_ref(), x.as_ref());
        let bases = bases.iter().copied().chain([to_newest]).enumerate();
        let slope = Slope::new(self.kernel.rate(), self.set.step());
        let mut best = None;
        for (position, base) in bases.filter(|(position, _)| *position != weakest) {
            let other = weights(position);
            let loss = loss(slope, &own, &other, base);
            if best.is_none_or(|(_, _, _, least)| loss < least) {
                best = Some((position, other, base, loss));
            }
        }
        let Some((into, partner, base, _)) = best else {
            return Admission::Refused;
        };
        let exponent = self.kernel.exponent(base.base(self.set.step()));
        let merger = merger(&self.kernel, exponent, &own, &partner);

        let freed = (weakest != newest).then_some(weakest);
        if let Some(slot) = freed {
            self.set.remove(slot);
            close_gap(self.rows.as_mut_slice(), slot, newest);
            self.set.push(x, size);
            self.place(newest.saturating_sub(1), size, row);
        }
        let moved = usize::from(freed.is_some_and(|freed| into > freed));
        self.set
            .blend(into - moved, point, merger.share, Rounding::Nearest);
        self.combine(into - moved, &own, &merger);
        Admission::Merged { into, freed }
    }

    /// Gives the vector in `slot` what is left of its own coefficients and those of the weakest.
    fn combine(&mut self, slot: usize, weakest: &Weights<C>, merger: &Merger) {
        let own = self.weights(slot);
        let light = merger.kept.0 * self.set.value_of(weakest.size);
        let heavy = merger.kept.1 * self.set.value_of(own.size);
        let mut row = own.row;
        // What is stored counts, not what was to be stored.
        let heavy = self.set.store_with(heavy);
        let mut size = self.set.value_of(heavy);
        if heavy == 0 {
            (size, row) = (light, weakest.row);
        } else {
            for _ in 0..row.add(&weakest.row, light / size) {
                size *= 2.0;
            }
        }
        // Only as far as halves of the size are exact.
        let exact = self.set.store_with(size).trailing_zeros().min(i8::BITS);
        for _ in 0..row.fill(exact) {
            size *= 0.5;
        }
        self.place(slot, size, row);
    }
}

impl<K, M, const C: usize, U> OnlineClassifier for SharedMerging<K, M, C, U>
where
    K: Mergeable + KernelIn<i8>,
    M: Memory<Points: Points<Feature = i8>>,
    U: Update<C>,
{
    type Input = Point<M>;
    type Label = Class;

    fn predict(&self, x: &Point<M>) -> Result<Class, InputError> {
        Ok(self.census.winner(&self.scores(x)?).0)
    }

    fn knows(&self, label: Class) -> bool {
        self.census.check(label).is_ok()
    }

    fn accepts(&self, x: &Point<M>, label: Class, _: Option<u32>) -> Result<(), InputError> {
        self.census.check(label)?;
        self.set.points().check(x)?;
        self.kernel.check()?;
        Ok(self.update.check()?)
    }

    fn learn_known(
        &mut self,
        x: &Point<M>,
        label: Class,
        id: Option<u32>,
    ) -> Result<Outcome<Class>, InputError> {
        self.accepts(x, label, id)?;
        let similarities = self.set.similarities(&self.kernel, x);
        let similarities = similarities.as_slice();
        let similarities = similarities.get(..self.set.len()).unwrap_or_default();
        let mut sums = [0; C];
        self.add_up(0, similarities, &mut sums);
        let totals = self.totals(&sums);
        let known = self.census.takes_part(label);
        let (predicted, score) = self.census.winner(&totals);
        self.census.count(label);

        let mut scores = [None; C];
        let classes = (0..=u8::MAX).map(Class).zip(totals);
        for (score, (class, total)) in scores.iter_mut().zip(classes) {
            *score = self.census.takes_part(class).then_some(total);
        }
        let steps = self.update.steps(&scores, label);
        let size = steps.largest();
        let admission = (size > 0.0).then(|| {
            let row = Row::of(&steps.of, size);
            self.adapt(x, similarities, steps.mistake, size, &row);
            let rows = self.rows.as_slice();
            nudge(&mut self.set, x, similarities, |_, slot| {
                rows.get(slot).is_some_and(|own| own.dot(&row) > 0)
            });
            self.admit(x, size, row)
        });
        Ok(Outcome {
            predicted,
            score,
            mistake: !known || predicted != label,
            admission,
            warning: None,
        })
    }
}

/// What a learner of raw features knows about its classes.
impl<K, M, U, const D: usize, const C: usize, const SKIPPED: u32, const CUT: u32>
    Standardized<SharedMerging<K, M, C, U>, D, SKIPPED, CUT>
where
    K: Mergeable + KernelIn<i8>,
    M: Memory<Points: Points<Point = [i8; D], Feature = i8>>,
    U: Update<C>,
{
    /// Score of every class; zero for those without an example so far.
    pub fn scores(&self, x: &[f32; D]) -> Result<[f32; C], InputError> {
        self.learner().scores(&self.standardise(x)?)
    }
}

impl<K, M, const C: usize, U> Judge for SharedMerging<K, M, C, U>
where
    K: Mergeable + KernelIn<i8>,
    M: Memory<Points: Points<Feature = i8>>,
    U: Update<C>,
{
    fn judge(&self, x: &Point<M>) -> Result<(Class, f32), InputError> {
        Ok(self.census.winner(&self.scores(x)?))
    }
}

impl<K, M: Memory, const C: usize, U: Update<C>> Restart for SharedMerging<K, M, C, U> {
    fn restart(&mut self) {
        self.set.clear();
        self.update.restart();
        self.census = Census::BLANK;
    }
}

impl<K, M, const C: usize, U> SharedMerging<K, M, C, U>
where
    K: KernelIn<i8>,
    M: Memory<Points: Points<Feature = i8>>,
{
    /// A vector speaks for the example as far as its coefficients go the same way.
    #[inline(never)]
    fn adapt(&mut self, x: &Point<M>, row: &[Fixed], mistake: bool, size: f32, steps: &Row<C>) {
        let lesson = Lesson {
            x,
            row,
            mistake,
            size,
        };
        let (sizes, rows) = (self.set.stored(), self.rows.as_slice());
        let voice = |slot: usize, near: Fixed| {
            let size = sizes.get(slot).copied().unwrap_or(0);
            let along = rows.get(slot).map_or(0, |own| own.dot(steps));
            // 19 digits, and 8 when two classes move.
            (weight(size, near) >> 5).saturating_mul(along >> DIGITS)
        };
        self.kernel.adapt_by(&self.set, &lesson, voice);
    }
}

/// The census, the set, the row of each vector, then the rest.
impl<K, M, const C: usize, U> Persist for SharedMerging<K, M, C, U>
where
    K: Persist,
    M: Memory,
    U: Persist,
{
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("shared-merging", |inside| {
            self.census.shape(inside);
            self.set.shape(inside);
            self.kernel.shape(inside);
            self.update.shape(inside);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.census.save(writer);
        writer.apart(|writer| {
            self.set.save(writer);
            self.rows.save(writer);
            self.kernel.save(writer);
            self.update.save(writer);
        });
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.census.load(reader)?;
        reader.apart(|reader| {
            self.set.load(reader)?;
            self.rows.load(reader)?;
            self.kernel.load(reader)?;
            self.update.load(reader)
        })
    }
}
