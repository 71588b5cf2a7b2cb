//! The header of every image, whatever the model.

use pocketron::persist::{self, ImageError, Persist, Reader, Shape, Writer};

/// The whole image of a model.
pub fn image_of(model: &dyn Persist) -> Vec<u8> {
    let mut bytes = vec![0; persist::len(model) as usize];
    persist::fill(model, 0, &mut bytes);
    bytes
}

/// The outside of an image whose checksum holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageHeader {
    /// Shape of the model.
    pub shape: String,
    /// The same as a number.
    pub shape_hash: u32,
    /// Offset of the model's own words.
    pub body: usize,
}

impl ImageHeader {
    /// Checks an image without knowing the model.
    pub fn open(bytes: &[u8]) -> Result<Self, ImageError> {
        let shape_hash = match persist::check(&mut Nothing, &mut &*bytes) {
            Err(ImageError::OtherShape(hash)) => hash,
            Err(error) => return Err(error),
            Ok(()) => return Err(ImageError::Malformed),
        };
        // Magic, version and length come first: four bytes each.
        let len = bytes.get(12..).and_then(|rest| rest.first_chunk());
        let len = len.map_or(0, |len| u32::from_le_bytes(*len)) as usize;
        let text = bytes.get(16..).and_then(|rest| rest.get(..len));
        let text = text.and_then(|text| str::from_utf8(text).ok());
        Ok(ImageHeader {
            shape: text.ok_or(ImageError::Malformed)?.into(),
            shape_hash,
            body: 16 + len.next_multiple_of(4),
        })
    }
}

/// A model without a shape, which no image is of: everything up to the shape gets checked.
struct Nothing;

impl Persist for Nothing {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, _: &mut Writer<'_>) {}

    fn load(&mut self, _: &mut Reader<'_>) -> Result<(), ImageError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pocketron::prelude::*;

    #[test]
    fn an_image_tells_its_shape() {
        let model = Stoptron::<3, 5>::new(Gaussian::constant(1.0));
        let image_header = ImageHeader::open(&image_of(&model)).expect("an image");
        assert_eq!(image_header.shape_hash, persist::shape(&model));
        let mut shape = String::new();
        persist::describe(&model, &mut |text| shape.push_str(text));
        assert_eq!(image_header.shape, shape);
    }

    #[test]
    fn every_damaged_byte_is_noticed() {
        let good = image_of(&Stoptron::<1, 2>::new(Gaussian::constant(1.0)));
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            assert!(ImageHeader::open(&bad).is_err(), "byte {at}");
            assert!(ImageHeader::open(&good[..at]).is_err(), "cut at {at}");
        }
    }
}
