//! Log messages for debugging.
//!
//! With the feature `_defmt-log`, over semihosting in the format of defmt; without it, not a byte.
//! Nothing below an error is logged unless `DEFMT_LOG` says so at build time, as
//! `cargo xtask firmware --log` does. To read it:
//!
//! ```sh
//! cargo install defmt-print --locked
//! cargo xtask firmware --log --run 2>/dev/null | defmt-print -e IMAGE   # IMAGE as built
//! ```

#[cfg(feature = "_defmt-log")]
use {
    cortex_m as _, defmt_semihosting as _,
    pocketron::device::{
        frame::decode,
        message::{Message, Reply},
    },
};

use pocketron::{
    device::message::Fault,
    persist::store::{StoreError, StoreStatus},
};

/// The board starts.
pub fn start(fault: Fault) {
    #[cfg(feature = "_defmt-log")]
    match fault {
        Fault::None => defmt::info!("start"),
        fault => defmt::warn!("start after {}", fault),
    }
    let _ = fault;
}

/// The store was looked for.
pub fn mounted(status: Result<StoreStatus, StoreError>) {
    #[cfg(feature = "_defmt-log")]
    match status {
        Ok(status) => defmt::info!("store: {}", status),
        Err(error) => defmt::error!("no store: {}", error),
    }
    let _ = status;
}

/// A reply goes out; one that says no is worth a line.
pub fn reply(frame: &[u8]) {
    #[cfg(feature = "_defmt-log")]
    {
        // Reading it overwrites it, and its final zero is no part of what is read.
        let mut copy = heapless::Vec::<u8, 512>::new();
        if copy.extend_from_slice(frame).is_err() || copy.pop() != Some(0) {
            return;
        }
        if let Ok(Message { number, body }) = decode(&mut copy)
            && let Reply::Refused(error) = body
        {
            defmt::warn!("request {} refused: {}", number, error);
        }
    }
    let _ = frame;
}
