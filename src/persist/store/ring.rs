//! The slots, and the order in which things happen to them.

use core::ops::Range;

use embedded_storage::nor_flash::NorFlash;

use super::{
    buffer::{Aligned, CHUNK, UNIT},
    error::{Interrupted, StoreError},
    header::{Found, Header},
    layout::{Layout, MARK, PAYLOAD, pieces},
};
use crate::persist::checksum::Checksum;

/// Written behind the header once that has been read back.
const COMMITTED: Aligned<UNIT> = Aligned([0; UNIT]);

/// Writes the payload's bytes from an offset on into a piece.
type Producer<'a> = &'a mut dyn FnMut(u32, &mut [u8]) -> Result<(), Interrupted>;

/// Takes a piece of the payload, and its offset.
type Consumer<'a> = &'a mut dyn FnMut(u32, &[u8]);

/// Description of a saved image, known without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct StoredImage {
    /// Grows by one or more with each save, and wraps.
    pub sequence: u32,
    /// Bytes of payload.
    pub len: u32,
    /// Which kind of model can read the payload.
    pub shape: u32,
}

/// How a store is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct StoreStatus {
    /// The image that would be loaded.
    pub newest: Option<StoredImage>,
    /// Erase cycles of the slot that has most of them, to compare with the data sheet.
    ///
    /// An erase that the power or a reset makes futile is not counted.
    pub wear: u32,
    /// Newer images that were damaged when the store was mounted, so that an older one was taken.
    pub passed_over: u32,
}

// Functions that are called from several places are kept out of line: time does not matter beside
// that of the flash, and code does.

/// The newest image, in one of `N` slots of NOR flash.
///
/// `mount` takes the driver by value or, since the traits hold for references too,
/// as `&mut driver`, which keeps it yours when mounting fails.
///
/// Fewer than two slots do not compile: one slot cannot be both kept and rewritten.
///
/// ```compile_fail
/// use pocketron::persist::store::{RamFlash, SlotRing};
/// let _ = SlotRing::<_, 1>::mount(RamFlash::<8>::new(), 0..8192);
/// ```
#[derive(Clone, Debug)]
pub struct SlotRing<F, const N: usize = 2> {
    flash: F,
    layout: Layout,
    state: State,
    /// Whether the last save failed so late that its result must be read from flash.
    in_doubt: bool,
    /// Changes with every erase, so that a pending image can tell that it has lost its slot.
    era: u32,
}

/// State of the store that is known without reading flash.
#[derive(Clone, Copy, Debug)]
struct State {
    newest: Option<Slot>,
    next_sequence: u32,
    wear: u32,
    passed_over: u32,
    /// Whether the last erase has not led to an image.
    futile: bool,
}

/// A slot with a header.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub number: u32,
    pub header: Header,
    committed: bool,
}

impl Slot {
    /// A committed image comes before one that is not; then the newer one.
    fn comes_before(&self, other: &Slot) -> bool {
        if self.committed == other.committed {
            self.header.is_newer_than(&other.header)
        } else {
            self.committed
        }
    }
}

impl<F: NorFlash, const N: usize> SlotRing<F, N> {
    /// Finds the newest image in `region`, which holds whole sectors. Writes nothing.
    ///
    /// Flash that was never used for a store, whatever it contains, is an empty store.
    pub fn mount(flash: F, region: Range<u32>) -> Result<Self, StoreError> {
        let mut ring = Self::unknown(flash, region)?;
        ring.state = ring.scan()?;
        Ok(ring)
    }

    /// Erases `region` and mounts it: the way out of a store of another version.
    ///
    /// All images are lost, and the wear counter starts at zero.
    pub fn format(flash: F, region: Range<u32>) -> Result<Self, StoreError> {
        let mut ring = Self::unknown(flash, region)?;
        for slot in 0..N as u32 {
            ring.erase(ring.layout.head(slot))?;
            ring.erase(ring.layout.tail(slot))?;
        }
        ring.state = ring.scan()?;
        Ok(ring)
    }

    fn unknown(flash: F, region: Range<u32>) -> Result<Self, StoreError> {
        const { assert!(N >= 2, "one slot cannot be both kept and rewritten") };
        const { assert!(N <= 1024, "at most 1024 slots") };
        let layout = Layout::new(&flash, region, N)?;
        let state = State {
            newest: None,
            next_sequence: 0,
            wear: 0,
            passed_over: 0,
            futile: false,
        };
        Ok(SlotRing {
            flash,
            layout,
            state,
            in_doubt: false,
            era: 0,
        })
    }

    /// The longest payload, in bytes.
    pub fn capacity(&self) -> u32 {
        self.layout.capacity()
    }

    /// The image that would be loaded.
    pub fn newest(&self) -> Option<StoredImage> {
        self.state.newest.map(|slot| slot.header.image())
    }

    /// How the store is doing.
    pub fn status(&self) -> StoreStatus {
        StoreStatus {
            newest: self.newest(),
            wear: self.state.wear,
            passed_over: self.state.passed_over,
        }
    }

    /// Gives the driver back.
    pub fn release(self) -> F {
        self.flash
    }

    /// Saves `len` bytes that `produce` writes piece by piece; returns when they are safe.
    ///
    /// `produce` gets the offset of each piece: they follow one another, and start
    /// again at zero when a slot turns out to be worn and the next one is tried.
    /// After an error the previous image is still the newest, except that a driver
    /// which fails at the very last step may leave the new one, complete.
    pub fn save(
        &mut self,
        shape: u32,
        len: u32,
        mut produce: impl FnMut(u32, &mut [u8]) -> Result<(), Interrupted>,
    ) -> Result<StoredImage, StoreError> {
        if len > self.capacity() {
            return Err(StoreError::TooLong(self.capacity()));
        }
        self.settle()?;
        let kept = self.state.newest.map(|slot| slot.number);
        let mut reason = StoreError::Worn;
        let first = self.spare_slot();
        for number in (first..).take(N).map(|number| number % N as u32) {
            // Neither the image that was there nor one that a failed try has left behind.
            let newest = self.state.newest.map(|slot| slot.number);
            if [kept, newest].contains(&Some(number)) {
                continue;
            }
            match self.write_slot(number, shape, len, &mut produce) {
                Ok(image) => return Ok(image),
                Err(StoreError::Interrupted) => return Err(StoreError::Interrupted),
                Err(other) => reason = other,
            }
            self.settle()?;
        }
        Err(reason)
    }

    /// Saves bytes that are in memory.
    pub fn save_slice(&mut self, shape: u32, bytes: &[u8]) -> Result<StoredImage, StoreError> {
        // What is longer than 4 GiB is longer than any slot.
        let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        self.save(shape, len, |offset, piece| {
            let rest = bytes.get(offset as usize..).ok_or(Interrupted)?;
            piece
                .iter_mut()
                .zip(rest)
                .for_each(|(to, from)| *to = *from);
            Ok(())
        })
    }

    /// Hands the newest image to `consume` piece by piece, after all of it was checked.
    ///
    /// `consume` gets the offset of each piece; they follow one another. If the
    /// image was damaged since it was mounted, the next older one takes its place.
    pub fn load(
        &mut self,
        shape: u32,
        mut consume: impl FnMut(u32, &[u8]),
    ) -> Result<StoredImage, StoreError> {
        let slot = self.checked_newest(shape)?;
        if self.read_payload(&slot, &mut consume)? != slot.header.checksum {
            return Err(StoreError::Changed);
        }
        Ok(slot.header.image())
    }

    /// Loads the newest image into `bytes` and returns how many it has.
    pub fn load_slice(&mut self, shape: u32, bytes: &mut [u8]) -> Result<usize, StoreError> {
        let image = self.load(shape, |offset, piece| {
            let rest = bytes.get_mut(offset as usize..).unwrap_or_default();
            rest.iter_mut()
                .zip(piece)
                .for_each(|(to, from)| *to = *from);
        })?;
        let len = image.len as usize;
        (len <= bytes.len())
            .then_some(len)
            .ok_or(StoreError::TooLong(bytes.len() as u32))
    }

    /// The newest image whose payload is still intact.
    pub(super) fn checked_newest(&mut self, shape: u32) -> Result<Slot, StoreError> {
        self.settle()?;
        let slot = self.newest_of(shape)?;
        if self.read_payload(&slot, &mut |_, _| ())? == slot.header.checksum {
            return Ok(slot);
        }
        self.state = self.scan()?;
        self.newest_of(shape)
    }

    /// The slot to be written next: never the one that holds the newest image.
    pub(super) fn spare_slot(&self) -> u32 {
        let kept = self.state.newest.map(|slot| slot.number);
        kept.map_or(0, |kept| (kept + 1) % N as u32)
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Changes with every erase.
    pub(super) fn era(&self) -> u32 {
        self.era
    }

    /// The number that the next image will have.
    pub(super) fn next_sequence(&self) -> u32 {
        self.state.next_sequence
    }

    fn newest_of(&self, shape: u32) -> Result<Slot, StoreError> {
        let slot = self.state.newest.ok_or(StoreError::Empty)?;
        if slot.header.shape == shape {
            Ok(slot)
        } else {
            Err(StoreError::Shape(slot.header.shape))
        }
    }

    /// Looks into the flash if only that knows what the last save has come to.
    ///
    /// An image that a mount would choose must not be erased, even if its save has failed.
    pub(super) fn settle(&mut self) -> Result<(), StoreError> {
        if self.in_doubt {
            self.state = self.scan()?;
            self.in_doubt = false;
        }
        Ok(())
    }

    /// Looks at every slot, and reads the newest image, or as many as it takes to find an intact one.
    ///
    /// A slot that cannot be read is as good as empty, because a write cut off can
    /// leave words that their error correction refuses to read. A flash of which
    /// nothing can be read has failed.
    #[inline(never)]
    fn scan(&mut self) -> Result<State, StoreError> {
        let mut slots = [None; N];
        let mut failure = None;
        let mut readable = false;
        for (number, slot) in (0..).zip(&mut slots) {
            match self.examine(number) {
                Ok(found) => {
                    readable = true;
                    *slot = found;
                }
                Err(StoreError::Flash(kind)) => failure = Some(StoreError::Flash(kind)),
                Err(other) => return Err(other),
            }
        }
        if let Some(failure) = failure.filter(|_| !readable) {
            return Err(failure);
        }

        let headers = || slots.iter().flatten().map(|slot| slot.header);
        let latest = headers().reduce(|a, b| if b.is_newer_than(&a) { b } else { a });
        let mut state = State {
            newest: None,
            next_sequence: latest.map_or(0, |header| header.sequence.wrapping_add(1)),
            wear: headers().fold(self.state.wear, |wear, header| wear.max(header.wear)),
            passed_over: 0,
            futile: self.state.futile,
        };
        while let Some(best) = first(&slots) {
            if self.read_payload(&best, &mut |_, _| ()) == Ok(best.header.checksum) {
                state.newest = Some(best);
                break;
            }
            state.passed_over += 1;
            if let Some(slot) = slots.get_mut(best.number as usize) {
                *slot = None;
            }
        }
        Ok(state)
    }

    /// Reads header and mark of a slot.
    fn examine(&mut self, number: u32) -> Result<Option<Slot>, StoreError> {
        let start = self.layout.slot(number);
        let header = match Header::decode(&self.read_unit(start)?.0) {
            Found::Header(header) if header.len <= self.capacity() => header,
            Found::OtherVersion(version) => return Err(StoreError::Version(version)),
            Found::Header(_) | Found::Nothing => return Ok(None),
        };
        let committed = self.is_marked(number)?;
        Ok(Some(Slot {
            number,
            header,
            committed,
        }))
    }

    /// Erases, writes, reads back, and only then lets the slot count.
    fn write_slot(
        &mut self,
        number: u32,
        shape: u32,
        len: u32,
        produce: Producer<'_>,
    ) -> Result<StoredImage, StoreError> {
        let wear = self.clear(number)?;
        let checksum = self.write_payload(number, len, produce)?;
        self.seal(number, shape, len, checksum, wear)
    }

    /// Reads the payload of a slot back, and lets it count.
    pub(super) fn seal(
        &mut self,
        number: u32,
        shape: u32,
        len: u32,
        checksum: u32,
        wear: u32,
    ) -> Result<StoredImage, StoreError> {
        let header = Header {
            sequence: self.state.next_sequence,
            len,
            shape,
            checksum,
            wear,
        };
        let slot = Slot {
            number,
            header,
            committed: true,
        };
        if self.read_payload(&slot, &mut |_, _| ())? != checksum {
            return Err(StoreError::Worn);
        }
        self.in_doubt = true;
        self.write_header(&slot)?;
        self.in_doubt = false;
        self.state.newest = Some(slot);
        self.state.next_sequence = slot.header.sequence.wrapping_add(1);
        self.state.futile = false;
        Ok(slot.header.image())
    }

    /// Erases a slot, its header first, and returns its wear.
    ///
    /// Cells that read as erased may be half erased, so it is done even if they do.
    pub(super) fn clear(&mut self, number: u32) -> Result<u32, StoreError> {
        let start = self.layout.slot(number);
        let wear = match self.read_unit(start).map(|unit| Header::decode(&unit.0)) {
            Ok(Found::Header(header)) => header.wear.saturating_add(1),
            // Lost with the header, but slots take turns: as much as the others.
            _ => self.state.wear.saturating_add(self.state.futile.into()),
        }
        .max(1);
        self.state.wear = self.state.wear.max(wear);
        self.state.futile = true;
        self.era = self.era.wrapping_add(1);
        self.erase(self.layout.head(number))?;
        self.erase(self.layout.tail(number))?;
        if self.read_unit(start)? != Aligned::ERASED || self.is_marked(number)? {
            return Err(StoreError::Worn);
        }
        Ok(wear)
    }

    /// Writes the payload and returns its checksum.
    fn write_payload(
        &mut self,
        number: u32,
        len: u32,
        produce: Producer<'_>,
    ) -> Result<u32, StoreError> {
        let start = self.layout.slot(number) + PAYLOAD;
        let mut checksum = Checksum::new();
        for (offset, size) in pieces(len) {
            let mut buffer = Aligned::<CHUNK>::ERASED;
            let piece = buffer.0.get_mut(..size).unwrap_or_default();
            produce(offset, piece)?;
            checksum.update(piece);
            let written = self.flash.write(start + offset, buffer.padded(size));
            written.map_err(StoreError::flash)?;
        }
        Ok(checksum.finish())
    }

    /// Reads the payload and returns its checksum.
    #[inline(never)]
    fn read_payload(&mut self, slot: &Slot, consume: Consumer<'_>) -> Result<u32, StoreError> {
        let start = self.layout.slot(slot.number) + PAYLOAD;
        let mut checksum = Checksum::new();
        let mut buffer = Aligned::<CHUNK>::ERASED;
        for (offset, size) in pieces(slot.header.len) {
            let read = self.flash.read(start + offset, buffer.padded(size));
            read.map_err(StoreError::flash)?;
            let piece = buffer.0.get(..size).unwrap_or_default();
            checksum.update(piece);
            consume(offset, piece);
        }
        Ok(checksum.finish())
    }

    /// Writes the header, then the mark that says it stands.
    fn write_header(&mut self, slot: &Slot) -> Result<(), StoreError> {
        let start = self.layout.slot(slot.number);
        let header = Aligned(slot.header.encode());
        self.write_unit(start, &header)?;
        if self.read_unit(start)? != header {
            return Err(StoreError::Worn);
        }
        self.write_unit(start + MARK, &COMMITTED)?;
        if !self.is_marked(slot.number)? {
            return Err(StoreError::Worn);
        }
        Ok(())
    }

    /// One programmed bit is proof enough: the mark is begun only when the header stands.
    fn is_marked(&mut self, number: u32) -> Result<bool, StoreError> {
        let mark = self.read_unit(self.layout.slot(number) + MARK)?;
        Ok(mark != Aligned::ERASED)
    }

    pub(super) fn write_unit(
        &mut self,
        offset: u32,
        unit: &Aligned<UNIT>,
    ) -> Result<(), StoreError> {
        let written = self.flash.write(offset, &unit.0);
        written.map_err(StoreError::flash)
    }

    #[inline(never)]
    pub(super) fn read_unit(&mut self, offset: u32) -> Result<Aligned<UNIT>, StoreError> {
        let mut unit = Aligned::ERASED;
        let read = self.flash.read(offset, &mut unit.0);
        read.map(|()| unit).map_err(StoreError::flash)
    }

    #[inline(never)]
    fn erase(&mut self, range: Range<u32>) -> Result<(), StoreError> {
        if range.is_empty() {
            return Ok(());
        }
        let erased = self.flash.erase(range.start, range.end);
        erased.map_err(StoreError::flash)
    }
}

impl Header {
    pub(super) fn image(&self) -> StoredImage {
        StoredImage {
            sequence: self.sequence,
            len: self.len,
            shape: self.shape,
        }
    }
}

/// The slot to be tried first.
fn first(slots: &[Option<Slot>]) -> Option<Slot> {
    let slots = slots.iter().flatten().copied();
    slots.reduce(
        |best, slot| {
            if slot.comes_before(&best) { slot } else { best }
        },
    )
}
