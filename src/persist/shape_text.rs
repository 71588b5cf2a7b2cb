//! The text of a shape at the beginning of an image.

use super::{ImageError, Persist, Reader, Writer, checksum::Checksum, describe, shape};

/// Writes the length of the shape's text, and the text in whole words.
pub(super) fn write(model: &dyn Persist, writer: &mut Writer<'_>) {
    let len = len(model);
    writer.word(len);
    describe(model, &mut |text| writer.bytes(text.as_bytes()));
    let padding = len.next_multiple_of(4).wrapping_sub(len) as usize;
    writer.bytes([0; 3].get(..padding).unwrap_or_default());
}

/// Reads the text of [`write`], and fails if it is not the shape of `model`.
pub(super) fn compare(model: &dyn Persist, reader: &mut Reader<'_>) -> Result<(), ImageError> {
    let found_len = reader.word()?;
    let mut rest = found_len;
    let mut found = Checksum::new();
    while rest > 0 {
        let bytes = reader.word()?.to_le_bytes();
        let used = rest.min(4);
        let (text, padding) = bytes.split_at_checked(used as usize).unwrap_or_default();
        if padding.iter().any(|byte| *byte != 0) {
            return Err(ImageError::Malformed);
        }
        found.update(text);
        rest -= used;
    }
    let found = found.finish();
    // The length besides: two texts may have one checksum.
    if found == shape(model) && found_len == len(model) {
        Ok(())
    } else {
        Err(ImageError::OtherShape(found))
    }
}

fn len(model: &dyn Persist) -> u32 {
    let mut len = 0_u32;
    describe(model, &mut |text| len = len.wrapping_add(text.len() as u32));
    len
}
