//! What an image is of, in text.

use super::{ImageError, Persist, Reader, Writer, describe, shape};
use crate::persist::checksum::Checksum;

/// Collects the names and sizes of a model's parts: `name(part,part,...)`.
pub struct Shape<'a> {
    out: &'a mut dyn FnMut(&str),
    before_next: &'static str,
}

impl<'a> Shape<'a> {
    pub(super) fn new(out: &'a mut dyn FnMut(&str)) -> Self {
        Shape {
            out,
            before_next: "",
        }
    }

    /// A part and, in `inside`, what it is made of.
    pub fn part(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        (self.out)(self.before_next);
        (self.out)(name);
        self.before_next = "(";
        inside(self);
        if self.before_next == "," {
            (self.out)(")");
        }
        self.before_next = ",";
    }

    /// A part that is a plain name.
    pub fn name(&mut self, name: &str) {
        self.part(name, |_| ());
    }

    /// A size.
    pub fn number(&mut self, number: usize) {
        // By hand, because the formatting of `core` is large and may panic.
        let mut digits = [0; 20];
        let mut rest = number;
        let mut used = 0;
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (rest % 10) as u8;
            rest /= 10;
            used += 1;
            if rest == 0 {
                break;
            }
        }
        let digits = digits.get(20 - used..).unwrap_or_default();
        self.name(core::str::from_utf8(digits).unwrap_or_default());
    }
}

/// Writes the length of the shape's text, and the text in whole words.
pub(super) fn write(model: &dyn Persist, writer: &mut Writer<'_>) {
    let len = len(model);
    writer.word(len);
    describe(model, &mut |text| writer.bytes(text.as_bytes()));
    let padding = len.next_multiple_of(4).wrapping_sub(len) as usize;
    writer.bytes([0; 3].get(..padding).unwrap_or_default());
}

/// Reads what [`write`] has written, and fails if it is not the shape of `model`.
pub(super) fn compare(model: &dyn Persist, reader: &mut Reader<'_>) -> Result<(), ImageError> {
    let mut rest = reader.word()?;
    let mut found = Checksum::new();
    while rest > 0 {
        let bytes = reader.word()?.to_le_bytes();
        let used = rest.min(4);
        found.update(bytes.get(..used as usize).unwrap_or_default());
        rest -= used;
    }
    let found = found.finish();
    if found == shape(model) {
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
