//! Power cuts in a row, each of which leaves cells that read well at one start and badly at the next.

use std::collections::HashSet;

use pocketron::persist::store::StoreError;
use pocketron_testkit::{
    data::shuffle::SplitMix64,
    flash::{SimFlash, Tear},
};

use super::{
    cuts::steps_of_a_save,
    slots::{SHAPE, mount, payload, remounted},
    unstable_flash::UnstableFlash,
};

const BYTES: usize = 100;

/// Erase, payload, header, mark.
const STEPS: u32 = 4;

/// What can be left after a number of cuts.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    /// Different contents of the flash that the cuts can leave.
    states: usize,
    /// Starts that found an older image than the acknowledged one.
    older: usize,
    /// Starts that found none.
    nothing: usize,
}

/// Every sequence of cuts, at every instant, with every reading of what they left that [`UnstableFlash`] models, at every start.
fn outcomes<const N: usize>(cuts: u32) -> Vec<Outcome> {
    let mut flash = UnstableFlash::new(N);
    let mut ring = mount::<_, N>(&mut flash).expect("mounts");
    // Every slot has held an image; the last one is acknowledged.
    for seed in 0..=N as u32 {
        ring.save_slice(SHAPE, &payload(BYTES, seed))
            .expect("saves");
    }
    let acknowledged = N as u32;
    let mut states = HashSet::from([flash]);
    let mut outcomes = Vec::new();
    for cut in 1..=cuts {
        let next = payload(BYTES, acknowledged + cut);
        let mut left = HashSet::new();
        for state in &states {
            for reading in 0..state.readings() {
                for step in 0..STEPS {
                    let mut flash = state.clone();
                    flash.start(reading);
                    flash.cut_after(step);
                    // A store that has lost everything is not asked for more.
                    let Ok(mut ring) = mount::<_, N>(&mut flash) else {
                        continue;
                    };
                    if ring.newest().is_none() {
                        continue;
                    }
                    let saved = ring.save_slice(SHAPE, &next);
                    assert!(matches!(saved, Err(StoreError::Flash(_))), "{saved:?}");
                    assert!(!flash.is_powered());
                    left.insert(flash);
                }
            }
        }
        let mut outcome = Outcome {
            states: left.len(),
            ..Outcome::default()
        };
        for state in &left {
            for reading in 0..state.readings() {
                let mut flash = state.clone();
                flash.start(reading);
                let found = remounted::<N>(&mut flash);
                let age = (0..=acknowledged + cut)
                    .find(|seed| found.as_ref() == Some(&payload(BYTES, *seed)));
                match age {
                    Some(age) if age >= acknowledged => {}
                    Some(_) => outcome.older += 1,
                    None => {
                        assert_eq!(found, None, "a mix");
                        outcome.nothing += 1;
                    }
                }
            }
        }
        println!("{N} slots, {cut} cuts: {outcome:?}");
        outcomes.push(outcome);
        states = left;
    }
    outcomes
}

/// The sequence that `docs/store.md` names exists; and two cuts are not enough for it.
#[test]
fn with_two_slots_three_unlucky_cuts_can_leave_nothing() {
    let outcomes = outcomes::<2>(3);
    for outcome in &outcomes[..2] {
        assert_eq!((outcome.older, outcome.nothing), (0, 0), "{outcome:?}");
    }
    assert!(outcomes[2].nothing > 0);
}

#[test]
fn with_three_slots_it_takes_five_unlucky_cuts() {
    let outcomes = outcomes::<3>(5);
    for outcome in &outcomes[..4] {
        assert!(outcome.states >= 4, "{outcome:?}");
        assert_eq!((outcome.older, outcome.nothing), (0, 0), "{outcome:?}");
    }
    assert!(outcomes[4].older + outcomes[4].nothing > 0);
}

/// Ten cuts in a row, as when a supply comes up slowly; returns how often the acknowledged image was lost.
fn storms<const N: usize>(tears: &[Tear], count: u64) -> u32 {
    let mut random = SplitMix64::new(7);
    let mut flash = SimFlash::<4, 4, 512>::new(3 * N);
    let mut ring = mount::<_, N>(&mut flash).expect("mounts");
    for seed in 0..=N as u32 {
        ring.save_slice(SHAPE, &payload(1000, seed)).expect("saves");
    }
    let acknowledged = N as u32;
    let steps = steps_of_a_save::<4, 512, N>(&flash, &payload(1000, 99));
    let mut lost = 0;
    for storm in 0..count {
        let mut flash = flash.clone();
        for cut in 1..=10 {
            let tear = tears[random.next_u64() as usize % tears.len()];
            flash.cut_after(random.next_u64() % steps, tear, storm * 16 + cut);
            // What it finds it goes on from; the power fails in the save, or even before.
            if let Ok(mut ring) = mount::<_, N>(&mut flash) {
                let saved = ring.save_slice(SHAPE, &payload(1000, acknowledged + cut as u32));
                assert!(saved.is_err());
            }
            flash.reboot();
        }
        let found = remounted::<N>(&mut flash);
        let known = (0..=10).any(|cut| found.as_ref() == Some(&payload(1000, acknowledged + cut)));
        lost += u32::from(!known);
        if known {
            steps_of_a_save::<4, 512, N>(&flash, &payload(1000, 100));
        }
    }
    println!("{N} slots, {count} storms of ten cuts ({tears:?}): {lost} lost");
    lost
}

#[test]
fn storms_of_ten_cuts_lose_nothing() {
    let stable = [
        Tear::Nothing,
        Tear::Complete,
        Tear::Prefix,
        Tear::Subset,
        Tear::Unreadable,
    ];
    assert_eq!(storms::<2>(&stable, 2000), 0);
    assert_eq!(storms::<3>(&stable, 2000), 0);
    // Cells that change their reading, too: what the page promises for three slots.
    assert_eq!(storms::<3>(&Tear::ALL, 4000), 0);
}

/// An erase that does nothing and does not say so: the save goes elsewhere or fails, and the old image stays.
#[test]
fn a_slot_that_cannot_be_erased_is_passed_over_or_reported() {
    fn check<const N: usize>() {
        for broken in 0..N {
            let mut flash = UnstableFlash::new(N);
            let mut ring = mount::<_, N>(&mut flash).expect("mounts");
            for seed in 0..N as u32 {
                ring.save_slice(SHAPE, &payload(BYTES, seed))
                    .expect("saves");
            }
            let mut newest = payload(BYTES, N as u32 - 1);
            flash.stop_erasing(broken);
            let (mut saved, mut failed) = (0, 0);
            for seed in 10..20 {
                let next = payload(BYTES, seed);
                let mut ring = mount::<_, N>(&mut flash).expect("mounts");
                match ring.save_slice(SHAPE, &next) {
                    Ok(_) => {
                        saved += 1;
                        newest = next;
                    }
                    Err(error) => {
                        assert_eq!(error, StoreError::Worn);
                        failed += 1;
                    }
                }
                assert_eq!(
                    remounted::<N>(&mut flash).as_ref(),
                    Some(&newest),
                    "{broken}"
                );
            }
            assert!(
                failed == 0 || N == 2,
                "{N} slots: {saved} saved, {failed} failed"
            );
        }
    }
    check::<2>();
    check::<3>();
}
