//! Points whose distances are known: a finite set is learned again and again, in many orders and by many learners, and
//! the sums over features are the same every time.

use std::sync::Arc;

use pocketron::{
    error::InputError,
    num::Base,
    persist::{Element, ImageError, Persist, Reader, Shape, Writer},
    storage::{
        Memory,
        point::{Points, Rounding},
    },
};

use super::{Grown, HeapPoints, HeapSquare};
use crate::data::Dense;

/// The base (dot product or squared distance) of every row of a set with every row that can be stored.
#[derive(Debug)]
pub struct Bases {
    base: Base,
    storable: usize,
    numbers: Vec<f32>,
}

impl Bases {
    /// Of all rows of `stored`, followed by those of `others`, with all rows of `stored`: four bytes a pair.
    ///
    /// # Panics
    ///
    /// If there is no row to store, or the others have another number of features.
    pub fn new(base: Base, stored: &Dense<f32>, others: &Dense<f32>) -> Self {
        assert_eq!(stored.dim, others.dim, "rows of one set");
        let mut points = HeapPoints::new(stored.dim, stored.len());
        for (slot, (x, _)) in stored.iter().enumerate() {
            points.write(slot, x);
        }
        let mut numbers = vec![0.0; (stored.len() + others.len()) * stored.len()];
        let rows = stored.iter().chain(others.iter());
        for (line, (x, _)) in numbers.chunks_mut(stored.len()).zip(rows) {
            points.bases(base, x, 0, line);
        }
        Bases {
            base,
            storable: stored.len(),
            numbers,
        }
    }

    /// Rows that can be asked about.
    pub fn len(&self) -> usize {
        self.numbers.len() / self.storable
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    fn of(&self, row: usize) -> &[f32] {
        &self.numbers[row * self.storable..][..self.storable]
    }
}

/// A row by its number, in the form in which learners take points.
///
/// ```
/// # use pocketron_testkit::heap::row_point;
/// assert_eq!(row_point(7290), [7290.0]);
/// ```
pub fn row_point(row: usize) -> [f32; 1] {
    // Exact up to 2^24, and no table is that long.
    [row as f32]
}

/// Memory for learners over a [table](Bases): to them, a point is the [number of a row](row_point). Their bits are
/// those of learners that see the features.
#[derive(Clone, Copy, Debug)]
pub struct Tabled;

impl Memory for Tabled {
    type Points = TabledPoints;
    type Column<T: Element> = Grown<T>;
    type Square<T: Element> = HeapSquare<T>;
}

/// Numbers of rows, and their table.
#[derive(Clone, Debug)]
pub struct TabledPoints {
    rows: HeapPoints,
    table: Arc<Bases>,
}

impl TabledPoints {
    /// Room for all rows that can be stored.
    pub fn new(table: Arc<Bases>) -> Self {
        let rows = HeapPoints::new(1, table.storable);
        TabledPoints { rows, table }
    }
}

impl Points for TabledPoints {
    type Feature = f32;
    type Point = [f32];
    type Owned = Vec<f32>;

    fn capacity(&self) -> usize {
        self.rows.capacity()
    }

    fn dim(&self) -> usize {
        self.rows.dim()
    }

    fn check(&self, x: &[f32]) -> Result<(), InputError> {
        self.rows.check(x)?;
        let known = x.iter().all(|row| (*row as usize) < self.table.len());
        if known {
            Ok(())
        } else {
            Err(InputError::UnknownExample)
        }
    }

    fn write(&mut self, slot: usize, x: &[f32]) {
        self.rows.write(slot, x);
    }

    fn blend(&mut self, slot: usize, x: &[f32], share: f32, rounding: Rounding) {
        self.rows.blend(slot, x, share, rounding);
    }

    fn fetch(&self, slot: usize) -> Vec<f32> {
        self.rows.fetch(slot)
    }

    fn close_gap(&mut self, slot: usize, len: usize) {
        self.rows.close_gap(slot, len);
    }

    fn gather(&self, feature: impl FnMut(usize) -> f32) -> Vec<f32> {
        self.rows.gather(feature)
    }

    fn change_feature(&mut self, feature: usize, len: usize, change: impl FnMut(&mut f32)) {
        self.rows.change_feature(feature, len, change);
    }

    fn bases(&self, base: Base, x: &[f32], first: usize, out: &mut [f32]) {
        assert_eq!(base, self.table.base, "the kernel that the table is for");
        let line = self.table.of(x[0] as usize);
        // The product with one is the number of the stored row itself.
        self.rows.bases(Base::Product, &[1.0], first, out);
        for number in out {
            *number = line[*number as usize];
        }
    }
}

impl Persist for TabledPoints {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("rows", |inside| self.rows.shape(inside));
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.rows.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.rows.load(reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{data::generate::Artificial, heap::Heap};
    use pocketron::{
        budget::{NoBudget, WithIdentities},
        classifier::{OnlineClassifier as _, Scorer as _},
        hypothesis::Expansion,
        kernel::Gaussian,
        learners::perceptron::Perceptron,
        rule::MarginRule,
    };
    use pocketron_cli::options::sign;

    #[test]
    fn a_table_gives_the_bits_of_the_features() {
        let (train, test) = (
            Artificial::RingNorm.draw(90, 1).to_f32().unwrap(),
            Artificial::RingNorm.draw(40, 2).to_f32().unwrap(),
        );
        let kernel = Gaussian::new(0.02).unwrap();
        let rule = MarginRule::new(1.0).with_margin(0.5);
        let table = Arc::new(Bases::new(Base::Distance, &train, &test));
        let features = Expansion::<_, _, Heap>::with_points(
            kernel,
            WithIdentities::new(NoBudget),
            HeapPoints::new(train.dim, train.len()),
        );
        let tabled = Expansion::<_, _, Tabled>::with_points(
            kernel,
            WithIdentities::new(NoBudget),
            TabledPoints::new(table),
        );
        let mut features = Perceptron::from_parts(features, rule);
        let mut tabled = Perceptron::from_parts(tabled, rule);
        for _ in 0..3 {
            for (row, (x, label)) in train.iter().enumerate() {
                let (label, id) = (sign(label), Some(row as u32));
                assert_eq!(
                    features.learn_with_id(x, label, id).unwrap(),
                    tabled.learn_with_id(&row_point(row), label, id).unwrap()
                );
            }
        }
        for (row, (x, _)) in test.iter().enumerate() {
            let known = row_point(train.len() + row);
            let (a, b) = (features.score(x).unwrap(), tabled.score(&known).unwrap());
            assert_eq!(a.to_bits(), b.to_bits());
        }
        assert!(tabled.score(&row_point(130)).is_err());
    }
}
