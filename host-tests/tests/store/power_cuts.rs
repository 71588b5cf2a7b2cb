//! Power cuts: a save that was cut off leaves the old image or the new one.

use pocketron_testkit::flash::SimFlash;

use super::{
    cuts::{Second, cut_save, cuts, steps_of_a_save, survives_every_cut},
    slots::{HEAD, payload, region, remounted, slot_by_hand},
};

#[test]
fn no_cut_at_1_kb_loses_or_mixes_images() {
    let mut total = survives_every_cut::<4, 512, 2>(SimFlash::new(6), 1024, 4, Second::Every);
    total += survives_every_cut::<4, 512, 3>(SimFlash::new(9), 1024, 4, Second::Every);
    assert!(total > 40_000, "{total}");
}

#[test]
fn no_cut_between_two_words_loses_or_mixes_images() {
    fn flash<const W: usize, const E: usize>(sectors: usize) -> SimFlash<W, W, E> {
        SimFlash::new(sectors).word_by_word()
    }
    let mut total = survives_every_cut::<4, 512, 2>(flash(6), 1024, 2, Second::Sampled);
    total += survives_every_cut::<8, 512, 3>(flash(9), 1024, 2, Second::Sampled);
    total += survives_every_cut::<32, 1024, 2>(flash(10), 4096, 2, Second::Sampled);
    assert!(total > 15_000, "{total}");
}

#[test]
fn no_cut_at_4_kb_loses_or_mixes_images() {
    let mut total = survives_every_cut::<8, 1024, 2>(SimFlash::new(10), 4096, 12, Second::Sampled);
    total += survives_every_cut::<8, 1024, 3>(SimFlash::new(15), 4096, 12, Second::Sampled);
    assert!(total > 7_000, "{total}");
}

#[test]
fn no_cut_at_16_kb_loses_or_mixes_images() {
    let mut total = survives_every_cut::<4, 4096, 2>(SimFlash::new(10), 16384, 3, Second::Sampled);
    total += survives_every_cut::<16, 4096, 3>(SimFlash::new(15), 16384, 3, Second::Sampled);
    assert!(total > 4_000, "{total}");
}

#[test]
fn no_cut_at_64_kb_with_two_slots_loses_or_mixes_images() {
    let flash = SimFlash::new(34);
    let total = survives_every_cut::<4, 4096, 2>(flash, 65536, 1, Second::Sampled);
    assert!(total > 4_000, "{total}");
}

#[test]
fn no_cut_at_64_kb_with_three_slots_loses_or_mixes_images() {
    let flash = SimFlash::new(51);
    let total = survives_every_cut::<8, 4096, 3>(flash, 65536, 1, Second::Sampled);
    assert!(total > 4_000, "{total}");
}

/// The first save of all has nothing to fall back to: it is there or it is not.
#[test]
fn a_cut_in_the_first_save_leaves_nothing_or_all_of_it() {
    let blank = SimFlash::<4, 4, 512>::new(6);
    let bytes = payload(1000, 1);
    let mut outcomes = [0; 2];
    for cut in cuts(steps_of_a_save::<4, 512, 2>(&blank, &bytes), 10) {
        let mut flash = cut_save::<4, 512, 2>(&blank, &bytes, cut);
        let found = remounted::<2>(&mut flash);
        assert!(found.is_none() || found.as_ref() == Some(&bytes), "{cut:?}");
        outcomes[usize::from(found.is_some())] += 1;
        steps_of_a_save::<4, 512, 2>(&flash, &bytes); // and the next one succeeds
    }
    assert!(outcomes.iter().all(|count| *count > 0), "{outcomes:?}");
}

/// The mark makes the difference: a header that barely took must not make its slot the one to be kept.
#[test]
fn a_header_without_its_mark_does_not_displace_an_acknowledged_image() {
    let size = 1024;
    let old = slot_by_hand(1, 7, 1, b"old");
    let mut new = slot_by_hand(1, 8, 1, b"new");
    new[32..64].fill(0xFF);
    let mut flash = region::<4, 4, 1024>(size, &[old.clone(), new.clone()]);
    assert_eq!(remounted::<2>(&mut flash).as_deref(), Some(&b"old"[..]));

    let mut damaged = old;
    damaged[HEAD] ^= 1;
    let mut flash = region::<4, 4, 1024>(size, &[damaged, new.clone()]);
    assert_eq!(remounted::<2>(&mut flash).as_deref(), Some(&b"new"[..]));

    new[63] = 0x7F; // begun is enough
    let old = slot_by_hand(1, 7, 1, b"old");
    let mut flash = region::<4, 4, 1024>(size, &[old, new]);
    assert_eq!(remounted::<2>(&mut flash).as_deref(), Some(&b"new"[..]));
}
