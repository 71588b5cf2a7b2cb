//! The same images as those of models in fixed memory.

use pocketron::{
    persist::{Blank, Element, ImageError, Persist, Reader, Shape, Writer},
    storage::{
        Column, Square,
        point::{Feature, Points},
    },
};

use super::{Grown, HeapPoints, HeapSquare};

/// Fails unless the image can hold so many entries: memory is taken for those that are there, not for those that somebody
/// has claimed.
fn is_there<const N: usize>(
    bytes: u64,
    counts: [usize; N],
    reader: &Reader<'_>,
) -> Result<(), ImageError> {
    let counts = counts.map(|count| count as u64);
    let bytes = counts.into_iter().fold(bytes, u64::saturating_mul);
    match bytes <= reader.left().into() {
        true => Ok(()),
        false => Err(ImageError::Malformed),
    }
}

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
        is_there(1, [T::image_len(reader.slots()) as usize], reader)?;
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
        is_there(size_of::<T>() as u64, [side, side], reader)?;
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
        is_there(size_of::<F>() as u64, [self.dim, reader.slots()], reader)?;
        let point = |_| vec![F::BLANK; self.dim];
        let mut points: Vec<Vec<F>> = (0..reader.slots()).map(point).collect();
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
