//! Saves that are cut off, at every instant and in every way.

use pocketron::persist::store::{StoreError, nor_flash::NorFlashErrorKind};
use pocketron_testkit::flash::{SimFlash, Tear};

use super::slots::{SHAPE, mount, payload, remounted};

/// Which second cuts follow a first one.
#[derive(Clone, Copy, PartialEq)]
pub enum Second {
    /// At every instant, in every way.
    Every,
    /// At one instant, in one way, another one each time.
    Sampled,
}

/// Runs a save on a copy of `flash` and cuts it off.
pub fn cut_save<const W: usize, const E: usize, const N: usize>(
    flash: &SimFlash<W, W, E>,
    bytes: &[u8],
    (step, tear, seed): (u64, Tear, u64),
) -> SimFlash<W, W, E> {
    let mut flash = flash.clone();
    flash.cut_after(step, tear, seed);
    let saved = mount::<_, N>(&mut flash)
        .expect("mounts")
        .save_slice(SHAPE, bytes);
    assert_eq!(
        saved,
        Err(StoreError::Flash(NorFlashErrorKind::Other)),
        "a save cut off at {step} must not be acknowledged"
    );
    assert!(!flash.is_powered());
    assert!(mount::<_, N>(&mut flash).is_err(), "no power, no store");
    flash.reboot();
    flash
}

/// The instants of a complete save of `bytes`.
pub fn steps_of_a_save<const W: usize, const E: usize, const N: usize>(
    flash: &SimFlash<W, W, E>,
    bytes: &[u8],
) -> u64 {
    let mut flash = flash.clone();
    let before = flash.steps();
    let saved = mount::<_, N>(&mut flash)
        .expect("mounts")
        .save_slice(SHAPE, bytes);
    saved.expect("saves");
    assert_eq!(remounted::<N>(&mut flash).as_deref(), Some(bytes));
    flash.steps() - before
}

/// Every instant, every tear, so many seeds for those that are random.
pub fn cuts(steps: u64, seeds: u64) -> impl Iterator<Item = (u64, Tear, u64)> {
    (0..steps).flat_map(move |step| {
        Tear::ALL.into_iter().flat_map(move |tear| {
            let seeds = if tear.is_random() { seeds } else { 1 };
            (0..seeds).map(move |seed| (step, tear, seed ^ (step << 8)))
        })
    })
}

/// Cuts a save of `len` bytes at every instant, then the next save too; returns how many cuts that were.
pub fn survives_every_cut<const W: usize, const E: usize, const N: usize>(
    mut flash: SimFlash<W, W, E>,
    len: usize,
    seeds: u64,
    second: Second,
) -> u64 {
    // Every slot has held an image before, and the last one is acknowledged.
    let mut ring = mount::<_, N>(&mut flash).expect("mounts");
    for seed in 0..=N as u32 {
        ring.save_slice(SHAPE, &payload(len, seed)).expect("saves");
    }
    let old = payload(len, N as u32);
    let new = payload(len, 100);
    let newer = payload(len - 1, 200);
    // A mix, or something older than the last acknowledged image, has no age.
    // What a mount has returned is the least that the next one returns, cut or not.
    let images = [&old, &new, &newer];
    let age = |found: Option<Vec<u8>>| {
        images
            .iter()
            .position(|image| Some(*image) == found.as_ref())
    };
    let steps = steps_of_a_save::<W, E, N>(&flash, &new);
    let mut total = 0;
    let mut outcomes = [0; 2];
    let mut samples = (0..steps)
        .cycle()
        .step_by(7)
        .zip(Tear::ALL.into_iter().cycle());

    for cut in cuts(steps, seeds) {
        let mut flash = cut_save::<W, E, N>(&flash, &new, cut);
        total += 1;
        let first = age(remounted::<N>(&mut flash)).unwrap_or_else(|| panic!("{cut:?}"));
        assert!(first < 2, "{cut:?}: an image that was not saved yet");
        outcomes[first] += 1;

        let second_cuts: Vec<_> = match second {
            Second::Every => cuts(steps_of_a_save::<W, E, N>(&flash, &newer), 1).collect(),
            Second::Sampled => {
                let (step, tear) = samples.next().expect("endless");
                vec![(step, tear, cut.2 + 1000)]
            }
        };
        for again in second_cuts {
            let mut flash = cut_save::<W, E, N>(&flash, &newer, again);
            total += 1;
            let then = age(remounted::<N>(&mut flash));
            assert!(then >= Some(first), "{cut:?}, then {again:?}: {then:?}");
            if len <= 4096 && again.0 % 4 == 0 {
                // A clean reset on top, which brings out the weak bits of both cuts; then all is well again.
                flash.reboot();
                let last = age(remounted::<N>(&mut flash));
                assert!(last.is_some(), "{cut:?}, then {again:?}, reset");
                steps_of_a_save::<W, E, N>(&flash, &new);
            }
        }
    }
    assert!(outcomes.iter().all(|count| *count > 0), "{outcomes:?}");
    println!("{len} bytes, {N} slots: {total} cuts, old and new {outcomes:?}");
    total
}
