//! The same images as those of models in fixed memory.

use pocketron::{
    persist::{Blank, Element, ImageError, Persist, Reader, Shape, Writer},
    storage::{
        Column, Square,
        point::{Feature, Points},
    },
};

use super::{Grown, HeapPoints, HeapSquare};

/// A fixed column is blank where nothing was put yet, this one may end there.
impl<T: Element> Persist for Grown<T> {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, writer: &mut Writer<'_>) {
        writer.column(self.as_slice());
        if writer.slots() != usize::MAX {
            for _ in self.as_slice().len()..writer.slots() {
                T::BLANK.save(writer);
            }
        }
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        if reader.slots() == usize::MAX {
            return reader.column(self.as_mut_slice());
        }
        let mut column = Self::BLANK;
        column.ensure(reader.slots());
        reader.column(column.as_mut_slice())?;
        // A rehearsal has read into nothing.
        reader.put(self, column);
        Ok(())
    }
}

impl<T: Element> Persist for HeapSquare<T> {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, writer: &mut Writer<'_>) {
        let side = writer.slots();
        for slot in 0..side {
            let mut row = self.row(slot).to_vec();
            row.resize(side, T::BLANK);
            writer.entries(&row);
        }
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let side = reader.slots();
        let mut square = Self::BLANK;
        square.ensure(side);
        for slot in 0..side {
            reader.column(square.row_mut(slot))?;
        }
        reader.put(self, square);
        Ok(())
    }
}

impl<F: Feature> Persist for HeapPoints<F> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part(F::NAME, |inside| {
            inside.number(self.dim);
            inside.number(self.budget);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        let points: Vec<Vec<F>> = (0..writer.slots()).map(|slot| self.fetch(slot)).collect();
        for feature in 0..self.dim {
            let column: Vec<F> = points.iter().map(|point| point[feature]).collect();
            writer.entries(&column);
        }
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let mut points = vec![vec![F::BLANK; self.dim]; reader.slots()];
        let mut column = vec![F::BLANK; reader.slots()];
        for feature in 0..self.dim {
            F::read(&mut column, self.dim, reader)?;
            for (point, entry) in points.iter_mut().zip(&column) {
                point[feature] = *entry;
            }
        }
        let mut store = HeapPoints::new(self.dim, self.budget);
        for (slot, point) in points.iter().enumerate() {
            store.write(slot, point);
        }
        reader.put(self, store);
        Ok(())
    }
}
