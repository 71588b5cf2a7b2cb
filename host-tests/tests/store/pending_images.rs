//! Images that arrive piece by piece.

use pocketron::persist::store::{RamFlash, SlotRing, StoreError};

/// A pending image that came too late must not touch what has been saved since.
#[test]
fn a_stale_draft_is_refused() {
    let mut flash = RamFlash::<8>::new();
    let mut ring: SlotRing<_> = SlotRing::mount(&mut flash, 0..8192).expect("a store");
    let mut pending = ring.begin(40).expect("a slot");
    ring.append(&mut pending, &[1; 40]).expect("room");
    ring.save_slice(7, b"newer").expect("saved");
    assert_eq!(ring.append(&mut pending, &[]), Err(StoreError::Interrupted));
    assert!(ring.review(&pending).is_err());
    assert_eq!(ring.commit(pending, 7), Err(StoreError::Interrupted));
    assert_eq!(ring.newest().map(|image| image.len), Some(5));

    // Of a ring that is no more: the same number of erases, but another image to come.
    let mut pending = ring.begin(40).expect("a slot");
    ring.append(&mut pending, &[2; 40]).expect("room");
    let _ = ring.release();
    let mut ring: SlotRing<_> = SlotRing::mount(&mut flash, 0..8192).expect("a store");
    ring.save_slice(7, b"newest").expect("saved");
    assert_eq!(ring.commit(pending, 7), Err(StoreError::Interrupted));
    assert_eq!(ring.newest().map(|image| image.len), Some(6));
}

#[test]
fn a_draft_arrives_in_pieces_of_any_size() {
    let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
    for size in [1, 7, 32, 33, 500] {
        let mut flash = RamFlash::<8>::new();
        let mut ring: SlotRing<_> = SlotRing::mount(&mut flash, 0..8192).expect("a store");
        let mut pending = ring.begin(1000).expect("a slot");
        for piece in bytes.chunks(size) {
            assert!(ring.review(&pending).is_err(), "not all is there");
            ring.append(&mut pending, piece).expect("room");
        }
        assert_eq!(ring.append(&mut pending, &[0]), Err(StoreError::TooLong(0)));
        assert_eq!(ring.newest(), None, "it does not count yet");
        ring.commit(pending, 9).expect("committed");
        let mut found = vec![0; 1000];
        assert_eq!(ring.load_slice(9, &mut found), Ok(1000));
        assert!(found == bytes, "in pieces of {size}");
    }
}
