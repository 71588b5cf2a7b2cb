//! What happens to the flash while a ring is mounted on it.

use std::{cell::RefCell, rc::Rc};

use pocketron::persist::store::{
    SlotRing, StoreError,
    nor_flash::{ErrorType, NorFlash, ReadNorFlash},
};
use pocketron_testkit::flash::{Failure, SimFlash};

use super::{
    cuts::cuts,
    slots::{HEAD, SHAPE, load, payload, remounted},
};

/// A flash that somebody else has a hand on, too.
#[derive(Clone)]
struct Shared(Rc<RefCell<SimFlash<4, 4, 1024>>>);

impl ErrorType for Shared {
    type Error = Failure;
}

impl ReadNorFlash for Shared {
    const READ_SIZE: usize = 4;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Failure> {
        self.0.borrow_mut().read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.borrow().capacity()
    }
}

impl NorFlash for Shared {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = 1024;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Failure> {
        self.0.borrow_mut().erase(from, to)
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Failure> {
        self.0.borrow_mut().write(offset, bytes)
    }
}

fn shared() -> (Shared, SlotRing<Shared>) {
    let flash = Shared(Rc::new(RefCell::new(SimFlash::new(4))));
    let mut ring: SlotRing<_> = SlotRing::mount(flash.clone(), 0..4096).expect("mounts");
    ring.save_slice(SHAPE, &payload(1500, 1)).expect("saves");
    ring.save_slice(SHAPE, &payload(1500, 2)).expect("saves");
    (flash, ring)
}

#[test]
fn an_image_damaged_since_it_was_mounted_is_never_handed_out() {
    let (flash, mut ring) = shared();
    flash.0.borrow_mut().flip(2048 + HEAD + 1400, 3);
    // `load` would have collected the good pieces of the damaged image as well.
    assert_eq!(load(&mut ring), Some(payload(1500, 1)));
    assert_eq!(ring.status().passed_over, 1);
    flash.0.borrow_mut().flip(HEAD + 1400, 3);
    assert_eq!(load(&mut ring), None);
    assert_eq!(ring.status().passed_over, 2);
}

#[test]
fn an_image_that_changes_under_the_reader_is_an_error() {
    let (flash, mut ring) = shared();
    let loaded = ring.load(SHAPE, |offset, _| {
        if offset == 0 {
            flash.0.borrow_mut().flip(2048 + HEAD + 1400, 3);
        }
    });
    assert_eq!(loaded, Err(StoreError::Changed));
    assert_eq!(load(&mut ring), Some(payload(1500, 1)));
}

/// When the flash fails but the device goes on, it goes on with what a reset would find.
#[test]
fn a_ring_that_failed_agrees_with_a_fresh_mount() {
    let mut outcomes = [0; 2];
    for (step, tear, seed) in cuts(11, 3) {
        let (flash, mut ring) = shared();
        flash.0.borrow_mut().cut_after(step, tear, seed);
        assert!(ring.save_slice(SHAPE, &payload(1500, 3)).is_err());
        assert!(ring.load(SHAPE, |_, _| ()).is_err());
        assert!(ring.save_slice(SHAPE, b"no power").is_err());
        flash.0.borrow_mut().reboot();
        let fresh = remounted::<2>(&mut *flash.0.borrow_mut());
        assert_eq!(load(&mut ring), fresh, "{step} {tear:?} {seed}");
        let new = fresh == Some(payload(1500, 3));
        assert!(new || fresh == Some(payload(1500, 2)));
        outcomes[usize::from(new)] += 1;
        // The next one does not go where the newest is, and neither does it if it fails.
        flash.0.borrow_mut().cut_after(step, tear, seed);
        assert!(ring.save_slice(SHAPE, &payload(1500, 4)).is_err());
        flash.0.borrow_mut().reboot();
        assert!(load(&mut ring) == fresh || load(&mut ring) == Some(payload(1500, 4)));
        ring.save_slice(SHAPE, &payload(1500, 5)).expect("saves");
        assert_eq!(load(&mut ring), Some(payload(1500, 5)));
        assert_eq!(remounted::<2>(&mut ring.release()), Some(payload(1500, 5)));
    }
    assert!(outcomes.iter().all(|count| *count > 0), "{outcomes:?}");
}
