//! Flash that wears out: passed over, counted, spared.

use pocketron::persist::store::{
    Interrupted, StoreError, StoreStatus, WearError, WearLimit, nor_flash::NorFlashErrorKind,
};
use pocketron_testkit::flash::SimFlash;

use super::{
    cuts::{Second, survives_every_cut},
    slots::{HEAD, SHAPE, load, mount, payload, region, remounted, slot_by_hand},
};

/// Three sectors a slot.
const SLOT: usize = 3 * 512;

/// A worn byte anywhere in the next slot: the save goes elsewhere or fails, and nothing is lost.
fn worn_bytes_are_survived<const N: usize>() {
    let (old, new) = (payload(1024, 1), payload(1024, 2));
    let mut blank = SimFlash::<4, 4, 512>::new(3 * N);
    let mut ring = mount::<_, N>(&mut blank).expect("mounts");
    ring.save_slice(SHAPE, &old).expect("saves");
    let mut outcomes = [0; 2];
    for address in 0..HEAD + 1024 {
        for (mask, ones) in [
            (0xFF, true),
            (0xFF, false),
            (1 << (address % 8), address % 3 == 0),
        ] {
            let mut flash = blank.clone();
            flash.wear_out(SLOT + address, mask, ones);
            let mut ring = mount::<_, N>(&mut flash).expect("mounts");
            let saved = ring.save_slice(SHAPE, &new);
            let expected = if saved.is_ok() { &new } else { &old };
            assert_eq!(load(&mut ring).as_ref(), Some(expected), "{address}");
            assert_eq!(
                remounted::<N>(&mut flash).as_ref(),
                Some(expected),
                "{address}"
            );
            if N > 2 {
                assert!(saved.is_ok(), "there is another slot: {address}");
            } else if let Err(error) = saved {
                assert_eq!(error, StoreError::Worn);
            }
            if N == 2 && (32..HEAD).contains(&address) {
                assert_eq!(
                    saved.is_ok(),
                    ones,
                    "a slot that is born with a mark: {address}"
                );
            }
            outcomes[usize::from(saved.is_ok())] += 1;
        }
    }
    assert!(
        N > 2 || outcomes.iter().all(|count| *count > 500),
        "{outcomes:?}"
    );
}

#[test]
fn a_worn_byte_costs_at_most_the_new_image() {
    worn_bytes_are_survived::<2>();
    worn_bytes_are_survived::<3>();
}

#[test]
fn a_broken_sector_is_passed_over_or_reported() {
    let broken = |sector: usize| {
        let mut flash = SimFlash::<4, 4, 512>::new(9);
        let mut ring = mount::<_, 3>(&mut flash).expect("mounts");
        ring.save_slice(SHAPE, b"old").expect("saves");
        flash.break_sector(SLOT + 512 * sector);
        flash
    };
    for sector in 0..3 {
        let mut flash = broken(sector);
        for seed in 0..5 {
            let bytes = payload(1000, seed);
            let mut ring = mount::<_, 3>(&mut flash).expect("mounts");
            ring.save_slice(SHAPE, &bytes).expect("two slots are left");
            assert_eq!(remounted::<3>(&mut flash), Some(bytes));
        }
        let mut flash = broken(sector);
        flash.break_sector(2 * SLOT);
        let mut ring = mount::<_, 3>(&mut flash).expect("mounts");
        let saved = ring.save_slice(SHAPE, &payload(1000, 1));
        assert_eq!(saved, Err(StoreError::Flash(NorFlashErrorKind::Other)));
        assert_eq!(remounted::<3>(&mut flash).as_deref(), Some(&b"old"[..]));
    }
}

#[test]
fn a_cut_while_a_worn_slot_is_passed_over_loses_nothing() {
    for (worn, ones) in [(0, false), (8, true), (40, false), (HEAD + 1000, true)] {
        let mut flash = SimFlash::<4, 4, 512>::new(9);
        flash.wear_out(2 * SLOT + worn, 0xFF, ones);
        flash.wear_out(2 * SLOT + worn + 1, 0xFF, ones);
        let total = survives_every_cut::<4, 512, 3>(flash, 1024, 1, Second::Every);
        assert!(total > 6_000, "{total}");
    }
}

/// The mark is 256 bits that all say the same: one that works is enough.
#[test]
fn a_worn_mark_still_counts() {
    let mut flash = SimFlash::<4, 4, 512>::new(6);
    for byte in 32..HEAD {
        flash.wear_out(byte, 0xFF, true);
        flash.wear_out(SLOT + byte, if byte == 40 { 0xFE } else { 0xFF }, true);
    }
    let mut ring = mount::<_, 2>(&mut flash).expect("mounts");
    ring.save_slice(SHAPE, b"model")
        .expect("saves in the second slot");
    assert_eq!(remounted::<2>(&mut flash).as_deref(), Some(&b"model"[..]));
    let mut ring = mount::<_, 2>(&mut flash).expect("mounts");
    assert_eq!(ring.save_slice(SHAPE, b"next"), Err(StoreError::Worn));
    assert_eq!(load(&mut ring).as_deref(), Some(&b"model"[..]));
}

#[test]
fn saves_take_turns_and_are_counted() {
    let mut flash = SimFlash::<4, 4, 512>::new(9);
    for save in 0..20_u32 {
        let before = flash.counts();
        let mut ring = mount::<_, 3>(&mut flash).expect("mounts");
        ring.save_slice(SHAPE, &payload(1024, save)).expect("saves");
        let StoreStatus { wear, newest, .. } = ring.status();
        assert_eq!(wear, save / 3 + 1);
        assert_eq!(newest.map(|image| image.sequence), Some(save));
        assert_eq!(
            mount::<_, 3>(&mut flash).expect("mounts").status().wear,
            wear
        );
        // What docs/store.md says a save costs.
        let after = flash.counts();
        let (mounts, saves) = (2 * (3 * 64 + 1024), 1024 + 160);
        assert!(save < 3 || after.read - before.read == mounts + saves);
        assert_eq!(after.erases - before.erases, 3);
        assert_eq!(after.writes - before.writes, 5 + 2);
        assert_eq!(after.written - before.written, 1024 + 64);
    }
}

#[test]
fn a_lost_wear_counter_is_replaced_by_the_largest() {
    let slots = [
        slot_by_hand(1, 5, 70, b"a"),
        slot_by_hand(1, 4, 50, b"b"),
        vec![],
    ];
    let mut flash = region::<4, 4, 512>(512, &slots);
    let mut ring = mount::<_, 3>(&mut flash).expect("mounts");
    assert_eq!(ring.status().wear, 70);
    ring.save_slice(SHAPE, b"c").expect("saves"); // in slot 1, which knows its wear
    assert_eq!(ring.status().wear, 70);
    ring.save_slice(SHAPE, b"d").expect("saves"); // in slot 2, which does not
    assert_eq!(ring.status().wear, 70);
    assert_eq!(flash.cells()[2 * 512..][..65], slot_by_hand(1, 7, 70, b"d"));
    // Saves that come to nothing wear the flash as well.
    let mut ring = mount::<_, 3>(&mut flash).expect("mounts");
    for futile in 1..=5 {
        let saved = ring.save(SHAPE, 1, |_, _| Err(Interrupted));
        assert_eq!(saved, Err(StoreError::Interrupted));
        assert_eq!(ring.status().wear, 70 + futile);
    }
    ring.save_slice(SHAPE, b"e").expect("saves");
    assert_eq!(ring.status().wear, 76);
}

#[test]
fn the_limit_grants_one_save_per_interval_within_the_budget() {
    let mut limit = WearLimit::new(10, 3);
    let granted: Vec<_> = (100..150)
        .filter(|now| limit.admit(*now, 0).is_ok())
        .collect();
    assert_eq!(granted, [100, 110, 120, 130, 140]);
    assert_eq!(limit.admit(149, 0), Err(WearError::TooSoon { wait: 1 }));
    assert_eq!(limit.admit(150, 3), Err(WearError::Exhausted));
    assert_eq!(limit.admit(150, 4), Err(WearError::Exhausted));
    assert_eq!(
        limit.admit(150, 2),
        Ok(()),
        "a refusal does not count as a save"
    );
    assert_eq!(
        limit.admit(5, 0),
        Err(WearError::TooSoon { wait: 10 }),
        "a clock that went back"
    );

    let mut patient = WearLimit::new(10, 3).waiting_from(1000);
    assert_eq!(patient.admit(1009, 0), Err(WearError::TooSoon { wait: 1 }));
    assert_eq!(patient.admit(1010, 0), Ok(()));

    let mut free = WearLimit::new(0, u32::MAX);
    assert!((0..5).all(|_| free.admit(7, u32::MAX - 1).is_ok()));
    let mut late = WearLimit::new(u64::MAX, 1).waiting_from(u64::MAX);
    assert!(late.admit(u64::MAX, 0).is_err());
}
