//! The side that reads.

use core::ops::RangeInclusive;

use super::{ImageError, PIECE};

/// Source of the bytes of an image: memory, flash, a file.
pub trait ByteSource {
    /// Bytes of the image.
    fn len(&self) -> u32;

    /// Whether there is nothing.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `piece` with the bytes from `offset` on.
    fn read(&mut self, offset: u32, piece: &mut [u8]) -> Result<(), ImageError>;
}

/// Bytes in memory.
impl ByteSource for &[u8] {
    fn len(&self) -> u32 {
        <[u8]>::len(self) as u32
    }

    fn read(&mut self, offset: u32, piece: &mut [u8]) -> Result<(), ImageError> {
        let bytes = self.get(offset as usize..).unwrap_or_default();
        let bytes = bytes.get(..piece.len()).ok_or(ImageError::Unreadable)?;
        for (to, from) in piece.iter_mut().zip(bytes) {
            *to = *from;
        }
        Ok(())
    }
}

/// Gives the words of an image one after the other.
///
/// In a *dry run* everything is read and judged, and nothing is changed.
pub struct Reader<'a> {
    source: &'a mut dyn ByteSource,
    position: u32,
    end: u32,
    buffer: [u8; PIECE],
    buffered: u32,
    dry_run: bool,
    slots: usize,
}

/// The exponent of a number: all ones in infinities and NaN.
const EXPONENT: u32 = f32::INFINITY.to_bits();

/// No place in an image: nothing is buffered.
const NOWHERE: u32 = u32::MAX;

impl<'a> Reader<'a> {
    /// Reads from the beginning to `end`.
    pub(super) fn new(source: &'a mut dyn ByteSource, end: u32) -> Self {
        Self::at(source, 0, end)
    }

    /// Reads from `position`, a whole number of words, to `end`.
    pub(super) fn at(source: &'a mut dyn ByteSource, position: u32, end: u32) -> Self {
        Reader {
            source,
            position,
            end,
            buffer: [0; PIECE],
            buffered: NOWHERE,
            dry_run: false,
            slots: usize::MAX,
        }
    }

    /// From here on, nothing is changed.
    pub(super) fn set_dry_run(&mut self) {
        self.dry_run = true;
    }

    /// Fails unless everything has been read.
    pub(super) fn finish(self) -> Result<(), ImageError> {
        if self.position == self.end {
            Ok(())
        } else {
            Err(ImageError::Malformed)
        }
    }

    /// The next 32 bits.
    pub fn word(&mut self) -> Result<u32, ImageError> {
        let next = self.position.checked_add(4);
        let next = next.filter(|next| *next <= self.end);
        let next = next.ok_or(ImageError::Malformed)?;
        let inside = self.position as usize % PIECE;
        let start = self.position - inside as u32;
        if self.buffered != start {
            self.buffered = NOWHERE;
            let len = PIECE.min(self.end.saturating_sub(start) as usize);
            let piece = self.buffer.get_mut(..len).unwrap_or_default();
            self.source.read(start, piece)?;
            self.buffered = start;
        }
        self.position = next;
        let word = self
            .buffer
            .get(inside..)
            .and_then(|rest| rest.first_chunk());
        word.map(|bytes| u32::from_le_bytes(*bytes))
            .ok_or(ImageError::Malformed)
    }

    /// The next number; fails if it is infinite or NaN.
    #[inline(never)]
    pub fn finite(&mut self) -> Result<f32, ImageError> {
        let word = self.word()?;
        // By bits: without a floating-point unit a comparison of floats is a call.
        if word & EXPONENT == EXPONENT {
            return Err(ImageError::Malformed);
        }
        Ok(f32::from_bits(word))
    }

    /// Reads something that is not in its place yet, so that it is read in a dry run, too.
    pub(super) fn elsewhere<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, ImageError>,
    ) -> Result<T, ImageError> {
        let dry_run = core::mem::replace(&mut self.dry_run, false);
        let found = read(self);
        self.dry_run = dry_run;
        found
    }

    /// Reads a number into its place; fails if the part would never have written it. NaN is in no range, and minus zero
    /// in none that begins at zero.
    pub fn number(
        &mut self,
        place: &mut f32,
        range: RangeInclusive<f32>,
    ) -> Result<(), ImageError> {
        let found = f32::from_bits(self.word()?);
        let below_zero = *range.start() == 0.0 && found.is_sign_negative();
        if below_zero || !range.contains(&found) {
            return Err(ImageError::Malformed);
        }
        self.put(place, found);
        Ok(())
    }

    /// Puts a value in its place, unless this is a dry run.
    pub fn put<T>(&self, place: &mut T, value: T) {
        if !self.dry_run {
            *place = value;
        }
    }

    /// Offset of the next word.
    pub(crate) fn position(&self) -> u32 {
        self.position
    }

    /// Goes to another word: a column is then read across.
    pub(crate) fn seek(&mut self, position: u32) {
        self.position = position;
    }

    /// Bytes that have not been read yet.
    pub fn left(&self) -> u32 {
        self.end.saturating_sub(self.position)
    }

    /// Whether nothing may be changed.
    pub fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    /// Entries of each column that are in use; `usize::MAX` for all of them.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// Entries of each column that are in use from here on.
    pub fn set_slots(&mut self, slots: usize) {
        self.slots = slots;
    }

    /// Reads a part with columns of its own: what it says of their use ends with it.
    pub fn with_slots(
        &mut self,
        part: impl FnOnce(&mut Self) -> Result<(), ImageError>,
    ) -> Result<(), ImageError> {
        let outer = core::mem::replace(&mut self.slots, usize::MAX);
        part(self)?;
        self.slots = outer;
        Ok(())
    }
}
