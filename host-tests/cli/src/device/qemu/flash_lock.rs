//! One owner for a flash file.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
};

use anyhow::{Context, Result, bail};

/// Opens the file, or makes an empty one, and locks it; two devices that write one flash would destroy what both have saved.
///
/// QEMU gets the lock, too, so that it holds until both have ended.
pub fn take(path: &Path) -> Result<File> {
    let name = path.display();
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .with_context(|| format!("the flash file {name} cannot be opened"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            bail!("{name} is the flash of a device that is running: end that one first")
        }
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("the flash file {name} cannot be locked"))
        }
    }
}
