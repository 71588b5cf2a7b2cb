//! The slots, and the order in which things happen to them.

mod read;
mod scan;
mod write;

pub(super) use write::Payload;

use core::ops::Range;

use embedded_storage::nor_flash::NorFlash;

use super::{error::StoreError, header::Header, layout::Layout};

/// Description of a saved image, known without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct StoredImage {
    /// Grows by one or more with each save, and wraps.
    pub sequence: u32,
    /// Bytes of payload.
    pub len: u32,
    /// Shape of the models that can read the payload.
    pub shape: u32,
}

/// Status of a store.
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

    /// Status of the store.
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

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Changes with every erase.
    pub(super) fn era(&self) -> u32 {
        self.era
    }

    /// The number that the next image will have.
    pub(crate) fn next_sequence(&self) -> u32 {
        self.state.next_sequence
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
