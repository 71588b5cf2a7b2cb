//! Flash at rest: bits that turn over, and bytes that were never a store.

use pocketron_testkit::flash::SimFlash;

use super::slots::{HEAD, SHAPE, load, mount, payload, remounted};

/// Flips one bit after the other of the newest slot's bytes and looks what is loaded.
fn every_flip_is_noticed<const E: usize>(
    slot_sectors: usize,
    len: usize,
    addresses: impl Iterator<Item = usize>,
) {
    let mut flash = SimFlash::<4, 4, E>::new(2 * slot_sectors);
    let mut ring = mount::<_, 2>(&mut flash).expect("mounts");
    let (old, new) = (payload(len, 1), payload(len, 2));
    let before = ring.save_slice(SHAPE, &old).expect("saves");
    let after = ring.save_slice(SHAPE, &new).expect("saves");
    let newest = slot_sectors * E;
    for address in addresses {
        for bit in 0..8 {
            flash.flip(newest + address, bit);
            let mut ring = mount::<_, 2>(&mut flash).expect("mounts");
            let status = ring.status();
            if (32..HEAD).contains(&address) {
                assert_eq!(status.newest, Some(after), "a mark is more than one bit");
            } else {
                assert_eq!(status.newest, Some(before), "bit {bit} of byte {address}");
                let noticed_at_the_payload = u32::from(address >= HEAD);
                assert_eq!(status.passed_over, noticed_at_the_payload);
                if bit == address % 8 {
                    assert_eq!(load(&mut ring).as_ref(), Some(&old));
                }
            }
            flash.flip(newest + address, bit);
        }
    }
    assert_eq!(remounted::<2>(&mut flash), Some(new));
}

#[test]
fn every_flipped_bit_of_1_kb_is_noticed() {
    every_flip_is_noticed::<512>(3, 1024, 0..HEAD + 1024);
}

#[test]
fn every_flipped_bit_of_4_kb_is_noticed() {
    every_flip_is_noticed::<4096>(2, 4096, 0..HEAD + 4096);
}

#[test]
fn every_flipped_bit_of_a_large_images_header_is_noticed() {
    for (sectors, len, stride) in [(5, 16384, 97), (17, 65536, 769)] {
        let sample = (HEAD..HEAD + len).step_by(stride);
        every_flip_is_noticed::<4096>(sectors, len, (0..HEAD).chain(sample));
    }
}

#[test]
fn flash_without_a_store_is_an_empty_store() {
    let size = 4096;
    let magic = b"PKTR\x01\0\0\0".repeat(size / 8);
    let mut fillings = vec![vec![0xFF; size], vec![0; size], magic];
    fillings.extend((0..100).map(|seed| payload(size, seed)));
    for filling in fillings {
        let mut flash = SimFlash::<4, 4, 1024>::holding(filling.clone());
        let mut ring = mount::<_, 2>(&mut flash).expect("mounts");
        let status = ring.status();
        assert_eq!(
            (status.newest, status.wear, status.passed_over),
            (None, 0, 0)
        );
        assert_eq!(load(&mut ring), None);
        assert_eq!(flash.cells(), filling, "looking changes nothing");
        let mut ring = mount::<_, 2>(&mut flash).expect("mounts");
        ring.save_slice(SHAPE, b"a beginning").expect("saves");
        assert_eq!(
            remounted::<2>(&mut flash).as_deref(),
            Some(&b"a beginning"[..])
        );
    }
}
