//! What is refused, with which words, and that nothing changes.

use std::error::Error as _;

use pocketron::{
    device::frame::FrameError,
    persist::{
        ImageError,
        store::{
            Interrupted, LoadError, RamFlash, SlotRing, StoreError, WearError,
            nor_flash::NorFlashErrorKind,
        },
    },
    prelude::*,
};
use pocketron_testkit::flash::SimFlash;

use super::slots::{SHAPE, load, mount, payload, region, remounted, slot_by_hand};

#[test]
fn another_shape_is_refused_and_nothing_changes() {
    let mut flash = RamFlash::<4>::new();
    let mut ring = mount::<_, 2>(&mut flash).expect("mounts");
    ring.save_slice(SHAPE, b"model").expect("saves");
    let refused = ring.load(SHAPE ^ 1, |_, _| panic!("nothing to consume"));
    assert_eq!(refused, Err(StoreError::Shape(SHAPE)));
    let mut bytes = [9; 8];
    assert_eq!(
        ring.load_slice(0, &mut bytes),
        Err(StoreError::Shape(SHAPE))
    );
    assert_eq!(bytes, [9; 8]);
    assert_eq!(load(&mut ring).as_deref(), Some(&b"model"[..]));
    assert!(StoreError::Shape(SHAPE).to_string().contains("0x5eedcafe"));
}

#[test]
fn another_version_is_refused_until_the_store_is_formatted() {
    let ours = slot_by_hand(1, 4, 1, b"ours");
    let theirs = slot_by_hand(2, 5, 1, b"theirs");
    for slots in [[ours.clone(), theirs.clone()], [theirs, ours]] {
        let mut flash = region::<4, 4, 512>(512, &slots);
        let before = flash.clone();
        let refused = mount::<_, 2>(&mut flash).map(|ring| ring.status());
        assert_eq!(refused, Err(StoreError::Version(2)));
        assert_eq!(flash.cells(), before.cells());
        assert_eq!(flash.counts().writes + flash.counts().erases, 0);
        let ring = SlotRing::<_, 2>::format(&mut flash, 0..1024).expect("formats");
        assert_eq!(ring.newest(), None);
        assert!(flash.cells().iter().all(|byte| *byte == 0xFF));
    }
    assert!(StoreError::Version(2).to_string().contains("version 2"));
}

#[test]
fn a_region_must_fit() {
    let refused = |region| {
        let mut flash = SimFlash::<4, 4, 1024>::new(8);
        let ring = SlotRing::<_, 3>::mount(&mut flash, region);
        let error = ring.map(|ring| ring.capacity()).err();
        assert_eq!(
            flash.counts(),
            Default::default(),
            "refused before any access"
        );
        error
    };
    for misaligned in [1..8192, 512..8192, 0..8191, 0..3 * 1024 + 512] {
        assert_eq!(refused(misaligned), Some(StoreError::Misaligned(1024)));
    }
    assert_eq!(refused(0..9 * 1024), Some(StoreError::OutOfRange(8192)));
    #[expect(clippy::reversed_empty_ranges)]
    for small in [0..0, 0..1024, 1024..3 * 1024, 4096..1024] {
        assert_eq!(refused(small), Some(StoreError::TooSmall(3 * 1024)));
    }
    let mut tiny = SimFlash::<4, 4, 64>::new(6);
    let too_small = SlotRing::<_, 3>::mount(&mut tiny, 0..3 * 64).err();
    assert_eq!(
        too_small,
        Some(StoreError::TooSmall(6 * 64)),
        "no room for a payload"
    );
    assert!(SlotRing::<_, 3>::mount(&mut tiny, 0..6 * 64).is_ok());
}

#[test]
fn nothing_outside_the_region_is_touched() {
    let filling = payload(8 * 1024, 3);
    let mut flash = SimFlash::<4, 4, 1024>::holding(filling.clone());
    // Five sectors for two slots: two each, and one left over.
    let mut ring = SlotRing::<_, 2>::mount(&mut flash, 1024..6 * 1024).expect("mounts");
    assert_eq!(ring.capacity(), 2048 - 64);
    for seed in 0..4 {
        ring.save_slice(SHAPE, &payload(2048 - 64, seed))
            .expect("saves");
    }
    assert_eq!(flash.cells()[..1024], filling[..1024]);
    assert_eq!(flash.cells()[5 * 1024..], filling[5 * 1024..]);
}

#[test]
fn a_producer_that_gives_up_leaves_the_old_image() {
    let mut flash = SimFlash::<4, 4, 1024>::new(4);
    let mut ring = mount::<_, 2>(&mut flash).expect("mounts");
    ring.save_slice(SHAPE, b"old").expect("saves");
    for stop in [0, 192, 448, 704] {
        let saved = ring.save(SHAPE, 800, |offset, piece| {
            piece.fill(1);
            if offset == stop {
                Err(Interrupted)
            } else {
                Ok(())
            }
        });
        assert_eq!(saved, Err(StoreError::Interrupted));
        assert_eq!(load(&mut ring).as_deref(), Some(&b"old"[..]));
    }
    ring.save_slice(SHAPE, b"new").expect("saves");
    assert_eq!(remounted::<2>(&mut flash).as_deref(), Some(&b"new"[..]));
}

#[test]
fn a_model_that_could_not_be_loaded_is_not_saved_on_request() {
    let mut flash = SimFlash::<4, 4, 1024>::new(4);
    let mut ring = mount::<_, 2>(&mut flash).expect("mounts");
    let mut model = Forgetron::<2, 4>::new(Gaussian::constant(0.5));
    model.learn(&[1.0, 0.0], Sign::Pos).expect("finite");
    let saved = ring.save_checked(&mut model).expect("it loads");
    let (score, mut blank) = (model.score(&[0.5, 0.5]), Forgetron::<2, 4>::BLANK);
    for _ in 0..3 {
        let refused = ring.save_checked(&mut blank);
        assert_eq!(refused, Err(LoadError::Image(ImageError::Malformed)));
        assert_eq!(ring.newest(), Some(saved));
    }
    ring.load_model(&mut blank).expect("the one before");
    assert_eq!(blank.score(&[0.5, 0.5]), score);
}

#[test]
fn every_error_says_something_else() {
    let errors = [
        StoreError::Misaligned(1024),
        StoreError::OutOfRange(8192),
        StoreError::TooSmall(2048),
        StoreError::Version(3),
        StoreError::Empty,
        StoreError::Shape(3),
        StoreError::TooLong(960),
        StoreError::Interrupted,
        StoreError::Worn,
        StoreError::Changed,
        StoreError::Flash(NorFlashErrorKind::Other),
    ];
    let mut texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
    texts.push(WearError::Exhausted.to_string());
    texts.push(WearError::TooSoon { wait: 3 }.to_string());
    texts.push(LoadError::Store(StoreError::Empty).to_string());
    texts.push(LoadError::Image(ImageError::Torn).to_string());
    texts.push(FrameError::Damaged.to_string());
    texts.push(FrameError::Malformed.to_string());
    let count = texts.len();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), count);
}

#[test]
fn a_load_error_has_the_cause_as_its_source() {
    let cause = |error: LoadError| error.source().expect("a cause").to_string();
    let (store, image) = (StoreError::Empty, ImageError::Torn);
    assert_eq!(cause(LoadError::Store(store)), store.to_string());
    assert_eq!(cause(LoadError::Image(image)), image.to_string());
    assert_eq!(Interrupted.to_string(), StoreError::Interrupted.to_string());
}
