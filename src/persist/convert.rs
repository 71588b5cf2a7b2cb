//! Models from images of other sizes: new firmware with another budget keeps what its user taught.

use super::{
    ByteSource, HEADER, ImageError, Persist, Reader, check_frame, checksum::Checksum, describe,
};

/// A model that can be loaded from the image of one with another budget or another number of classes.
///
/// The default learners can, and so can `Confident`, `ExemplarReplay`, `Undo` and `Teacher` around them. A struct of your own
/// does what [`load`](Persist::load) does, calls `convert` of the part that can change, and [`same`](StoredSizes::same) for each
/// other part whose shape has sizes, in the order of the shape:
///
/// ```
/// use pocketron::{persist::{self, Convert, ImageError, Reader, StoredSizes, persist}, prelude::*};
///
/// struct Documented<L> {
///     learner: L,
///     celsius: f32,
/// }
/// persist!([L] Documented<L> as "documented" { learner, celsius });
///
/// impl<L: persist::Blank + Convert> Convert for Documented<L> {
///     fn convert(&mut self, stored: &mut StoredSizes, reader: &mut Reader<'_>) -> Result<(), ImageError> {
///         self.learner.convert(stored, reader)?;
///         persist::Persist::load(&mut self.celsius, reader)
///     }
/// }
/// ```
pub trait Convert: Persist {
    /// Reads the words of a model whose shape has these sizes.
    ///
    /// As in [`Persist::load`], nothing may change in a [dry run](Reader::is_dry_run), and a dry run finds every reason to refuse.
    fn convert(
        &mut self,
        stored: &mut StoredSizes,
        reader: &mut Reader<'_>,
    ) -> Result<(), ImageError>;
}

/// As what is borrowed.
impl<T: Convert + ?Sized> Convert for &mut T {
    fn convert(
        &mut self,
        stored: &mut StoredSizes,
        reader: &mut Reader<'_>,
    ) -> Result<(), ImageError> {
        (**self).convert(stored, reader)
    }
}

/// Makes `model` what the image is of, even if that has another budget or another number of classes.
///
/// - A larger budget: every vector stays as it is, so every score has the same bits.
/// - A smaller one: vectors are merged, those first that matter least.
/// - More classes: the new ones are without an example.
/// - Fewer: only if nothing was taught of the others; [`ImageError::TooManyClasses`] otherwise.
///
/// Anything else that differs is refused with [`ImageError::OtherShape`]. As after [`restore`](super::restore), the model is
/// unchanged after an error, except after [`ImageError::Torn`].
///
/// ```
/// use pocketron::{persist, prelude::*};
///
/// let mut old = PocketronMulti::<2, 8, 2>::new();
/// old.learn(&[0.0, 1.0], Class(0))?;
/// old.learn(&[3.0, 1.0], Class(1))?;
/// let mut buffer = [0; 512];
/// let image = old.to_bytes(&mut buffer)?;
///
/// // The next firmware has room for more.
/// let mut new = PocketronMulti::<2, 20, 4>::new();
/// assert!(persist::restore(&mut new, &mut &*image).is_err());
/// persist::convert(&mut new, &mut &*image)?;
/// assert_eq!(new.predict_scored(&[2.5, 0.9])?, old.predict_scored(&[2.5, 0.9])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn convert(model: &mut dyn Convert, source: &mut dyn ByteSource) -> Result<(), ImageError> {
    check_convertible(model, source)?;
    let body = source.len().saturating_sub(super::TRAILER);
    let mut reader = Reader::at(source, HEADER, body);
    convert_words(model, &mut reader)
        .and_then(|()| reader.finish())
        .map_err(|_| ImageError::Torn)
}

/// Fails if [`convert`](fn@convert) would; changes nothing.
pub fn check_convertible(
    model: &mut dyn Convert,
    source: &mut dyn ByteSource,
) -> Result<(), ImageError> {
    let body = check_frame(source)?;
    let mut reader = Reader::at(source, HEADER, body);
    reader.set_dry_run();
    convert_words(model, &mut reader)?;
    reader.finish()
}

fn convert_words(model: &mut dyn Convert, reader: &mut Reader<'_>) -> Result<(), ImageError> {
    let mut sizes = StoredSizes::read(model, reader)?;
    model.convert(&mut sizes, reader)?;
    sizes.finish()
}

/// Sizes in a shape: the numbers of its text, at most this many.
const MOST: usize = 32;

/// The sizes of a stored model, in the order in which its shape names them.
#[derive(Debug)]
pub struct StoredSizes {
    sizes: [usize; MOST],
    count: usize,
    next: usize,
    /// Hash of the stored shape.
    shape: u32,
}

impl StoredSizes {
    /// Reads the text of a shape that may differ from that of `model` in its numbers, and in nothing else.
    fn read(model: &dyn Convert, reader: &mut Reader<'_>) -> Result<Self, ImageError> {
        let mut text = Text::begin(reader)?;
        let mut stored = StoredSizes {
            sizes: [0; MOST],
            count: 0,
            next: 0,
            shape: 0,
        };
        let mut same = true;
        describe(model, &mut |piece| {
            if !is_number(piece) {
                for byte in piece.bytes() {
                    same &= text.next() == Some(byte);
                }
            } else if let (Some(size), Some(place)) =
                (text.number(), stored.sizes.get_mut(stored.count))
            {
                *place = size;
                stored.count += 1;
            } else {
                same = false;
            }
        });
        same &= text.next().is_none();
        stored.shape = text.finish()?;
        if same {
            Ok(stored)
        } else {
            Err(stored.other())
        }
    }

    /// The next size.
    ///
    /// # Errors
    ///
    /// [`ImageError::OtherShape`] when there is none left.
    pub fn next_size(&mut self) -> Result<usize, ImageError> {
        let sizes = self.sizes.get(..self.count).unwrap_or_default();
        let size = sizes.get(self.next).copied().ok_or(self.other())?;
        self.next += 1;
        Ok(size)
    }

    /// Passes over the sizes of a part that is loaded as it is; they must be those of `part`.
    ///
    /// # Errors
    ///
    /// [`ImageError::OtherShape`] when they are not.
    pub fn same(&mut self, part: &dyn Persist) -> Result<(), ImageError> {
        let mut result = Ok(());
        describe(part, &mut |piece| {
            if is_number(piece) && result.is_ok() {
                result = match self.next_size() {
                    Ok(size) if Some(size) == number(piece) => Ok(()),
                    _ => Err(self.other()),
                };
            }
        });
        result
    }

    /// The error of a stored model that is too different.
    pub fn other(&self) -> ImageError {
        ImageError::OtherShape(self.shape)
    }

    /// Fails unless every size was asked for.
    fn finish(&self) -> Result<(), ImageError> {
        if self.next == self.count {
            Ok(())
        } else {
            Err(self.other())
        }
    }
}

/// Sizes come in pieces of their own.
fn is_number(piece: &str) -> bool {
    !piece.is_empty() && piece.bytes().all(|byte| byte.is_ascii_digit())
}

fn number(digits: &str) -> Option<usize> {
    digits.bytes().try_fold(0, |number, byte| {
        append_digit(number, byte.wrapping_sub(b'0').into())
    })
}

fn append_digit(number: usize, digit: usize) -> Option<usize> {
    number.checked_mul(10)?.checked_add(digit)
}

/// The text of a stored shape, byte by byte.
struct Text<'r, 's> {
    reader: &'r mut Reader<'s>,
    left: u32,
    /// Bytes of the present word.
    word: [u8; 4],
    used: usize,
    checksum: Checksum,
    failure: Option<ImageError>,
}

impl<'r, 's> Text<'r, 's> {
    fn begin(reader: &'r mut Reader<'s>) -> Result<Self, ImageError> {
        Ok(Text {
            left: reader.word()?,
            reader,
            word: [0; 4],
            used: 4,
            checksum: Checksum::new(),
            failure: None,
        })
    }

    /// The next byte, which stays the next one.
    fn peek(&mut self) -> Option<u8> {
        if self.left == 0 || self.failure.is_some() {
            return None;
        }
        if self.used == self.word.len() {
            match self.reader.word() {
                Ok(word) => (self.word, self.used) = (word.to_le_bytes(), 0),
                Err(error) => {
                    self.failure = Some(error);
                    return None;
                }
            }
        }
        self.word.get(self.used).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.checksum.update(&[byte]);
        self.used += 1;
        self.left -= 1;
        Some(byte)
    }

    /// A number, of one digit at least.
    fn number(&mut self) -> Option<usize> {
        let mut number = None;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            number = Some(append_digit(number.unwrap_or(0), (digit - b'0').into())?);
            self.next();
        }
        number
    }

    /// Reads what is left, and returns the hash of all.
    fn finish(mut self) -> Result<u32, ImageError> {
        while self.next().is_some() {}
        match self.failure {
            Some(error) => Err(error),
            None => Ok(self.checksum.finish()),
        }
    }
}

/// The page's program, which runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../../docs/updating-firmware.md")]
struct UpdatingFirmware;
