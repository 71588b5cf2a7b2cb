//! One owner for a flash file.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
    thread::sleep,
    time::Duration,
};

use anyhow::{Context, Result, bail};

/// Attempts to lock, and the time between two of them: a program that another thread starts has a copy of the lock until it is
/// running.
const ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(20);

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
    match patiently(|| file.try_lock()) {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            bail!("{name} is the flash of a device that is running: end that one first")
        }
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("the flash file {name} cannot be locked"))
        }
    }
}

/// Locks, unless somebody keeps the lock.
fn patiently(mut try_lock: impl FnMut() -> Result<(), TryLockError>) -> Result<(), TryLockError> {
    for _ in 1..ATTEMPTS {
        match try_lock() {
            Err(TryLockError::WouldBlock) => sleep(PAUSE),
            other => return other,
        }
    }
    try_lock()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_held_for_a_moment_is_waited_for() {
        for held in 0..10 {
            let mut attempts = 0;
            let locked = patiently(|| {
                attempts += 1;
                match attempts > held {
                    true => Ok(()),
                    false => Err(TryLockError::WouldBlock),
                }
            });
            assert_eq!(locked.is_ok(), held < ATTEMPTS, "{held}");
            assert_eq!(attempts, (held + 1).min(ATTEMPTS));
        }
    }
}
