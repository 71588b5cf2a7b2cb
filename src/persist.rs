//! A model as bytes, to be kept in flash, sent over a wire or moved to a PC.
//!
//! An *image* says what it is (a text such as
//! `perceptron(expansion(f32(2,20),gaussian(fast),merging),margin,last(raw))`), holds
//! every number that the model needs to go on learning, random state included,
//! and ends with a checksum. A model restored from its image continues bit for
//! bit as if it had never been interrupted, on whatever machine. The default
//! learners have one exception: they count equal readings anew, by which they
//! notice a sensor that is stuck. The bytes are written down in `docs/image.md`.
//!
//! ```
//! use pocketron::{persist, prelude::*};
//!
//! let mut model = Tightest::<2, 20>::new(Gaussian::constant(0.5));
//! model.learn(&[1.0, 0.0], Sign::Pos)?;
//!
//! let mut buffer = [0; 512];
//! let image = persist::to_bytes(&model, &mut buffer)?;
//!
//! let mut other = Tightest::<2, 20>::BLANK;
//! persist::restore(&mut other, &mut &*image)?;
//! assert_eq!(other.score(&[0.3, 0.1])?, model.score(&[0.3, 0.1])?);
//!
//! // Another kind of model is refused, and left as it was.
//! let mut larger = Tightest::<2, 21>::BLANK;
//! assert_eq!(
//!     persist::restore(&mut larger, &mut &*image),
//!     Err(persist::ImageError::OtherShape(persist::shape(&model))),
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing is copied as a whole: [`fill`] writes any piece of the image on
//! demand. [`restore`] reads the image from a [`ByteSource`] in small pieces, twice: to verify, then to load.
//! [`convert`](fn@convert) also reads images of models with another budget or another number of classes. [`SlotRing`](crate::persist::store::SlotRing) does both with flash. A part of your own is
//! saved with [`persist!`].

pub(crate) mod checksum;
mod codec;
mod convert;
mod element;
mod error;
pub(crate) mod packed;
mod reader;
mod shape;
mod shape_text;
mod state;
pub mod store;
mod writer;

pub(crate) use codec::persist_choice;
pub use codec::{BoundedImage, Persist, persist};
pub use convert::{Convert, StoredSizes, check_convertible, convert};
pub use element::Element;
pub use error::{BufferTooSmall, ImageError};
pub use reader::{ByteSource, Reader};
pub use shape::Shape;
pub use state::{Blank, Ready, Restart};
pub(crate) use state::{blank, restart_blank};
pub use writer::Writer;

use checksum::Checksum;

/// The first bytes of every image.
const MAGIC: [u8; 4] = *b"PKTN";

/// Version of the format as a whole; a part whose words change gets another name instead.
pub const VERSION: u32 = 1;

/// Magic, version, length.
const HEADER: u32 = 12;

/// The checksum at the end.
const TRAILER: u32 = 4;

/// Bytes that are handled at a time where a whole image is gone through.
const PIECE: usize = 64;

/// Bytes of the image of `model` as it is now.
pub fn len(model: &dyn Persist) -> u32 {
    walk(model, 0, Writer::window(0, &mut [])).wrapping_add(TRAILER)
}

/// Writes the bytes of the image from `offset` on into `piece`.
///
/// The model must not change between the pieces of one image.
pub fn fill(model: &dyn Persist, offset: u32, piece: &mut [u8]) {
    let len = len(model);
    let end = walk(model, len, Writer::window(offset, piece));
    if u64::from(offset) + piece.len() as u64 > u64::from(end) {
        let mut checksum = Checksum::new();
        walk(model, len, Writer::checksum(&mut checksum));
        let mut writer = Writer::window(offset, piece);
        writer.skip(end);
        writer.word(checksum.finish());
    }
}

/// Writes the image to the front of `buffer`, and returns that part of it.
pub fn to_bytes<'a>(model: &dyn Persist, buffer: &'a mut [u8]) -> Result<&'a [u8], BufferTooSmall> {
    let len = len(model);
    let image = buffer.get_mut(..len as usize);
    let image = image.ok_or(BufferTooSmall(len))?;
    fill(model, 0, image);
    Ok(image)
}

/// The shape of `model` as a number: equal for models that can read each other's images.
pub fn shape(model: &dyn Persist) -> u32 {
    let mut checksum = Checksum::new();
    describe(model, &mut |text| checksum.update(text.as_bytes()));
    checksum.finish()
}

/// The shape of `model` as text, piece by piece.
pub fn describe(model: &dyn Persist, out: &mut dyn FnMut(&str)) {
    model.shape(&mut Shape::new(out));
}

/// Fails if `model` could not be restored from `source`; changes nothing.
pub fn check(model: &mut dyn Persist, source: &mut dyn ByteSource) -> Result<(), ImageError> {
    let body = check_frame(source)?;
    let mut reader = Reader::at(source, HEADER, body);
    reader.set_dry_run();
    shape_text::compare(model, &mut reader)?;
    model.load(&mut reader)?;
    reader.finish()
}

/// Fails unless length and checksum hold; the end of the words otherwise.
fn check_frame(source: &mut dyn ByteSource) -> Result<u32, ImageError> {
    let len = source.len();
    let body = len.checked_sub(TRAILER).ok_or(ImageError::NotAnImage)?;
    let mut reader = Reader::new(source, body);
    reader.set_dry_run();
    if reader.word()? != u32::from_le_bytes(MAGIC) {
        return Err(ImageError::NotAnImage);
    }
    match reader.word()? {
        VERSION => {}
        other => return Err(ImageError::Version(other)),
    }
    if reader.word()? != len || !is_intact(source, body)? {
        return Err(ImageError::Damaged);
    }
    Ok(body)
}

/// Makes `model` what it was when the image was written.
///
/// After an error it is unchanged, except after [`ImageError::Torn`]: then the
/// source has failed after it was checked, and the model is neither the old nor
/// the new one.
pub fn restore(model: &mut dyn Persist, source: &mut dyn ByteSource) -> Result<(), ImageError> {
    check(model, source)?;
    load_checked(model, source).map_err(|_| ImageError::Torn)
}

/// Reads an image that has been checked.
fn load_checked(model: &mut dyn Persist, source: &mut dyn ByteSource) -> Result<(), ImageError> {
    let body = source.len().saturating_sub(TRAILER);
    let mut reader = Reader::at(source, HEADER, body);
    shape_text::compare(model, &mut reader)?;
    model.load(&mut reader)?;
    reader.finish()
}

/// Writes everything but the checksum, and returns where that comes.
fn walk(model: &dyn Persist, len: u32, mut writer: Writer<'_>) -> u32 {
    writer.bytes(&MAGIC);
    writer.word(VERSION);
    writer.word(len);
    shape_text::write(model, &mut writer);
    model.save(&mut writer);
    writer.position()
}

fn is_intact(source: &mut dyn ByteSource, body: u32) -> Result<bool, ImageError> {
    let mut checksum = Checksum::new();
    let mut buffer = [0; PIECE];
    for offset in (0..body).step_by(PIECE) {
        let size = PIECE.min((body - offset) as usize);
        let piece = buffer.get_mut(..size).unwrap_or_default();
        source.read(offset, piece)?;
        checksum.update(piece);
    }
    let mut trailer = [0; TRAILER as usize];
    source.read(body, &mut trailer)?;
    Ok(checksum.finish() == u32::from_le_bytes(trailer))
}
