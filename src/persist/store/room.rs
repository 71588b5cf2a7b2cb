//! A region that is large enough.

use core::ops::Range;

use embedded_storage::nor_flash::NorFlash;

use super::{
    error::StoreError,
    layout::{PAYLOAD, sector},
    ring::SlotRing,
};
use crate::persist::BoundedImage;

impl<F: NorFlash, const N: usize> SlotRing<F, N> {
    /// Bytes of the smallest region for payloads of up to `payload` bytes: `N` slots of header, mark and payload, each in whole sectors.
    ///
    /// A region that is too small for the model then does not compile:
    ///
    /// ```
    /// use core::ops::Range;
    /// use pocketron::{persist::store::{RamFlash, SlotRing}, prelude::*};
    ///
    /// type Model = PocketronMulti<12, 24, 5>;
    /// type Ring = SlotRing<RamFlash<8>>;
    /// const REGION: Range<u32> = 0..8192;
    /// const _: () = assert!(REGION.end - REGION.start >= Ring::region_bytes(Model::MAX_BYTES));
    /// ```
    ///
    /// # Panics
    ///
    /// If there is no such region in 4 GiB; in a `const`, that does not compile.
    pub const fn region_bytes(payload: usize) -> u32 {
        let slot = (PAYLOAD as u64 + payload as u64).next_multiple_of(sector::<F>() as u64);
        let bytes = slot.saturating_mul(N as u64);
        assert!(bytes <= u32::MAX as u64, "the region is larger than 4 GiB");
        bytes as u32
    }

    /// As [`mount`](Self::mount), but a region in which the longest image of `model` would not fit is refused: a save would fail
    /// later, when the model has grown.
    ///
    /// ```
    /// use pocketron::{persist::store::{RamFlash, SlotRing, StoreError}, prelude::*};
    ///
    /// let model = PocketronMulti::<64, 100, 10>::new(); // an image has up to 9 KB
    /// let ring: Result<SlotRing<_>, _> = SlotRing::mount_for(RamFlash::<8>::new(), 0..8192, &model);
    /// assert_eq!(ring.err(), Some(StoreError::TooSmall(18432)));
    /// ```
    pub fn mount_for<M: BoundedImage>(
        flash: F,
        region: Range<u32>,
        _model: &M,
    ) -> Result<Self, StoreError> {
        let least = const { Self::region_bytes(M::MAX_BYTES) };
        let ring = Self::mount(flash, region)?;
        if (ring.capacity() as usize) < M::MAX_BYTES {
            return Err(StoreError::TooSmall(least));
        }
        Ok(ring)
    }
}
