//! The documented bytes, in flash and in RAM, in units of every size.

use pocketron::persist::store::{RamFlash, SlotRing, StoreError};
use pocketron_testkit::flash::SimFlash;

use super::slots::{SHAPE, load, mount, payload, region, remounted, slot_by_hand};

#[test]
fn a_slot_holds_the_documented_bytes() {
    let mut flash = SimFlash::<4, 4, 512>::new(4);
    let mut ring = mount::<_, 2>(&mut flash).expect("mounts");
    ring.save_slice(SHAPE, b"123456789").expect("saves");
    let by_hand = slot_by_hand(1, 0, 1, b"123456789");
    assert_eq!(flash.cells()[..by_hand.len()], by_hand);
    assert!(
        flash.cells()[by_hand.len()..]
            .iter()
            .all(|byte| *byte == 0xFF)
    );
    // Format 1, for ever: these bytes must load in every later version.
    let golden = [
        0x50, 0x4B, 0x54, 0x52, 1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, //
        0xFE, 0xCA, 0xED, 0x5E, 0x26, 0x39, 0xF4, 0xCB, 1, 0, 0, 0,
    ];
    assert_eq!(by_hand[..28], golden);
}

#[test]
fn an_image_made_by_hand_is_loaded() {
    for len in [0, 1, 31, 32, 33, 191, 192, 193, 447, 448, 449, 960] {
        let bytes = payload(len, 5);
        let slots = [slot_by_hand(1, 41, 3, &bytes), vec![]];
        let mut flash = region::<1, 1, 1024>(1024, &slots);
        assert_eq!(remounted::<2>(&mut flash), Some(bytes), "{len}");
    }
}

#[test]
fn every_length_up_to_the_capacity_comes_back() {
    let mut flash = SimFlash::<4, 4, 256>::new(9);
    let mut ring = mount::<_, 3>(&mut flash).expect("mounts");
    let capacity = ring.capacity();
    assert_eq!(capacity, 3 * 256 - 64);
    for len in 0..=capacity {
        let bytes = payload(len as usize, len);
        ring.save_slice(SHAPE, &bytes).expect("saves");
        assert_eq!(load(&mut ring), Some(bytes), "{len}");
    }
    let last = ring.newest();
    let too_long = payload(capacity as usize + 1, 1);
    let refused = Err(StoreError::TooLong(capacity));
    assert_eq!(ring.save_slice(SHAPE, &too_long), refused);
    assert_eq!(ring.newest(), last);
    let mut small = vec![0; capacity as usize - 1];
    let refused = Err(StoreError::TooLong(capacity - 1));
    assert_eq!(ring.load_slice(SHAPE, &mut small), refused);
    small.push(0);
    assert_eq!(ring.load_slice(SHAPE, &mut small), Ok(small.len()));
}

fn works_in_units_of<const READ: usize, const WRITE: usize, const ERASE: usize>() {
    for rewritable in [false, true] {
        let mut flash = SimFlash::<READ, WRITE, ERASE>::new(8 * 1024 / ERASE);
        if rewritable {
            flash = flash.rewritable();
        }
        for (seed, len) in [1, 33, 500, 777, 1024].into_iter().enumerate() {
            let bytes = payload(len, seed as u32);
            let mut ring = mount::<_, 3>(&mut flash).expect("mounts");
            ring.save_slice(SHAPE, &bytes).expect("saves");
            assert_eq!(load(&mut ring).as_ref(), Some(&bytes));
            assert_eq!(remounted::<3>(&mut flash), Some(bytes));
        }
    }
}

#[test]
fn every_grid_of_reads_writes_and_sectors_will_do() {
    works_in_units_of::<1, 1, 1>();
    works_in_units_of::<1, 1, 256>();
    works_in_units_of::<1, 4, 1024>();
    works_in_units_of::<4, 4, 32>();
    works_in_units_of::<8, 8, 512>();
    works_in_units_of::<1, 16, 2048>();
    works_in_units_of::<32, 32, 64>();
    works_in_units_of::<32, 32, 1024>();
    works_in_units_of::<4, 1, 128>();
}

#[test]
fn sequence_numbers_wrap() {
    for first in (0..4).map(|back| u32::MAX - back) {
        let slots = [slot_by_hand(1, first, 9, b"0"), vec![], vec![]];
        let mut flash = region::<4, 4, 512>(512, &slots);
        for (step, name) in (1..=8).zip(b'1'..) {
            let mut ring = mount::<_, 3>(&mut flash).expect("mounts");
            let image = ring.save_slice(SHAPE, &[name]).expect("saves");
            assert_eq!(image.sequence, first.wrapping_add(step));
            assert_eq!(remounted::<3>(&mut flash), Some(vec![name]));
        }
    }
    // Whatever lies where: the newer one is the one that was counted later.
    for sequence in [0, 1, u32::MAX - 1, u32::MAX, i32::MAX as u32] {
        let old = slot_by_hand(1, sequence, 1, b"old");
        let new = slot_by_hand(1, sequence.wrapping_add(1), 1, b"new");
        for slots in [[old.clone(), new.clone()], [new, old]] {
            let mut flash = region::<4, 4, 512>(512, &slots);
            assert_eq!(remounted::<2>(&mut flash).as_deref(), Some(&b"new"[..]));
        }
    }
}

#[test]
fn a_ring_takes_the_documented_bytes_of_ram() {
    assert_eq!(size_of::<SlotRing<RamFlash<2, 128>>>() - 256, 64);
    assert_eq!(size_of::<SlotRing<RamFlash<2, 128>, 5>>() - 256, 64);
}
