//! The store: whatever happens to power and flash, the newest acknowledged image comes back, whole.

use std::{cell::RefCell, rc::Rc};

use flate2::Crc;
use pocketron::store::{
    Interrupted, RamFlash, SlotRing, Status, StoreError, WearError, WearLimit,
    nor_flash::{ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash},
};
use pocketron_host::flash::{Failure, SimFlash, Tear};

const SHAPE: u32 = 0x5EED_CAFE;

/// Header and mark.
const HEAD: usize = 64;

/// Bytes that look like nothing.
fn payload(len: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9) | 1;
    let bytes = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 11) as u8
    });
    bytes.take(len).collect()
}

fn mount<F: NorFlash, const N: usize>(flash: &mut F) -> Result<SlotRing<&mut F, N>, StoreError> {
    let end = flash.capacity() as u32;
    SlotRing::mount(flash, 0..end)
}

fn load<F: NorFlash, const N: usize>(ring: &mut SlotRing<F, N>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    match ring.load(SHAPE, |offset, piece| {
        assert_eq!(offset as usize, bytes.len(), "pieces follow one another");
        bytes.extend_from_slice(piece);
    }) {
        Ok(image) => {
            assert_eq!(image.len as usize, bytes.len());
            Some(bytes)
        }
        Err(StoreError::Empty) => None,
        Err(other) => panic!("{other}"),
    }
}

/// What a device finds when it starts.
fn remounted<const N: usize>(flash: &mut impl NorFlash) -> Option<Vec<u8>> {
    load(&mut mount::<_, N>(flash).expect("mounts"))
}

/// A slot made by hand from `docs/store.md`, with another program's CRC-32.
fn slot_by_hand(version: u32, sequence: u32, wear: u32, payload: &[u8]) -> Vec<u8> {
    let crc = |bytes: &[u8]| {
        let mut crc = Crc::new();
        crc.update(bytes);
        crc.sum()
    };
    let mut slot = b"PKTR".to_vec();
    for word in [
        version,
        sequence,
        payload.len() as u32,
        SHAPE,
        crc(payload),
        wear,
    ] {
        slot.extend(word.to_le_bytes());
    }
    slot.extend(crc(&slot).to_le_bytes());
    slot.extend([0; 32]);
    slot.extend(payload);
    slot
}

/// Slots of `size` bytes, the rest of each erased.
fn region<const R: usize, const W: usize, const E: usize>(
    size: usize,
    slots: &[Vec<u8>],
) -> SimFlash<R, W, E> {
    let padded = slots.iter().flat_map(|slot| {
        let rest = size - slot.len();
        slot.iter().copied().chain(std::iter::repeat_n(0xFF, rest))
    });
    SimFlash::holding(padded.collect())
}

// ---- Power cuts ----

/// Which second cuts follow a first one.
#[derive(Clone, Copy, PartialEq)]
enum Second {
    /// At every instant, in every way.
    Every,
    /// At one instant, in one way, another one each time.
    Sampled,
}

/// Runs a save on a copy of `flash` and cuts it off.
fn cut_save<const W: usize, const E: usize, const N: usize>(
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
fn steps_of_a_save<const W: usize, const E: usize, const N: usize>(
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
fn cuts(steps: u64, seeds: u64) -> impl Iterator<Item = (u64, Tear, u64)> {
    (0..steps).flat_map(move |step| {
        Tear::ALL.into_iter().flat_map(move |tear| {
            let seeds = if tear.is_random() { seeds } else { 1 };
            (0..seeds).map(move |seed| (step, tear, seed ^ (step << 8)))
        })
    })
}

/// Cuts a save of `len` bytes at every instant, then the next save too; returns how many cuts that were.
fn survives_every_cut<const W: usize, const E: usize, const N: usize>(
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

// ---- At rest ----

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

// ---- Bytes ----

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
    assert_eq!(ring.save_slice(SHAPE, &too_long), Err(StoreError::TooLong));
    assert_eq!(ring.newest(), last);
    let mut small = vec![0; capacity as usize - 1];
    assert_eq!(ring.load_slice(SHAPE, &mut small), Err(StoreError::TooLong));
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

// ---- Refusals ----

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
        assert_eq!(refused(misaligned), Some(StoreError::Misaligned));
    }
    assert_eq!(refused(0..9 * 1024), Some(StoreError::OutOfRange));
    #[expect(clippy::reversed_empty_ranges)]
    for small in [0..0, 0..1024, 1024..3 * 1024, 4096..1024] {
        assert_eq!(refused(small), Some(StoreError::TooSmall));
    }
    let mut tiny = SimFlash::<4, 4, 64>::new(6);
    let too_small = SlotRing::<_, 3>::mount(&mut tiny, 0..3 * 64).err();
    assert_eq!(
        too_small,
        Some(StoreError::TooSmall),
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
fn every_error_says_something_else() {
    let errors = [
        StoreError::Misaligned,
        StoreError::OutOfRange,
        StoreError::TooSmall,
        StoreError::Version(3),
        StoreError::Empty,
        StoreError::Shape(3),
        StoreError::TooLong,
        StoreError::Interrupted,
        StoreError::Worn,
        StoreError::Changed,
        StoreError::Flash(NorFlashErrorKind::Other),
    ];
    let mut texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
    texts.push(WearError::Exhausted.to_string());
    texts.push(WearError::TooSoon { wait: 3 }.to_string());
    let count = texts.len();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), count);
}

// ---- Wear ----

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
        let Status { wear, newest, .. } = ring.status();
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

// ---- Costs, and the flash itself ----

#[test]
fn a_ring_takes_the_documented_bytes_of_ram() {
    assert_eq!(size_of::<SlotRing<RamFlash<2, 128>>>() - 256, 64);
    assert_eq!(size_of::<SlotRing<RamFlash<2, 128>, 5>>() - 256, 64);
}

#[test]
fn the_simulated_flash_forgives_nothing() {
    type Flash = SimFlash<4, 8, 64>;
    let panics = |misuse: fn(&mut Flash) -> Result<(), Failure>| {
        let mut flash = Flash::new(2);
        flash.erase(0, 64).expect("has power");
        flash.write(0, &[0xF0; 8]).expect("is erased");
        std::panic::catch_unwind(move || misuse(&mut flash)).is_err()
    };
    assert!(!panics(|flash| flash.write(8, &[0; 56])));
    assert!(panics(|flash| flash.write(4, &[0; 8])), "off the grid");
    assert!(panics(|flash| flash.write(8, &[0; 4])), "half a word");
    assert!(panics(|flash| flash.write(0, &[0; 8])), "a word twice");
    assert!(panics(|flash| flash.write(64, &[0; 8])), "never erased");
    assert!(panics(|flash| flash.write(128, &[0; 8])), "outside");
    assert!(panics(|flash| flash.read(2, &mut [0; 4])), "off the grid");
    assert!(panics(|flash| flash.read(124, &mut [0; 8])), "outside");
    assert!(panics(|flash| flash.erase(0, 32)), "half a sector");
    assert!(panics(|flash| flash.erase(64, 192)), "outside");
    let rewrite = |byte| {
        let mut flash = Flash::new(1).rewritable();
        flash.erase(0, 64).expect("has power");
        flash.write(0, &[0xF0; 8]).expect("is erased");
        std::panic::catch_unwind(move || flash.write(0, &[byte; 8])).is_err()
    };
    assert!(!rewrite(0x30));
    assert!(rewrite(0xF1), "sets a bit");
    for tear in [
        Tear::Subset,
        Tear::Unstable,
        Tear::WeakOld,
        Tear::WeakNew,
        Tear::Unreadable,
    ] {
        let torn = move || {
            let mut flash = Flash::new(1).rewritable();
            flash.erase(0, 64)?;
            flash.write(0, &[0; 64])?;
            flash.cut_after(0, tear, 1);
            assert_eq!(flash.erase(0, 64), Err(Failure::NoPower));
            flash.reboot();
            flash.write(0, &[0xFF; 64])
        };
        let torn = std::panic::catch_unwind(torn);
        assert!(
            torn.is_err(),
            "writes into cells that are half erased: {tear:?}"
        );
    }
}

// ---- While mounted ----

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

// ---- Drafts ----

/// A draft that came too late must not touch what has been saved since.
#[test]
fn a_stale_draft_is_refused() {
    let mut flash = RamFlash::<8>::new();
    let mut ring: SlotRing<_> = SlotRing::mount(&mut flash, 0..8192).expect("a store");
    let mut draft = ring.begin(40).expect("a slot");
    ring.append(&mut draft, &[1; 40]).expect("room");
    ring.save_slice(7, b"newer").expect("saved");
    assert_eq!(ring.append(&mut draft, &[]), Err(StoreError::Interrupted));
    assert!(ring.review(&draft).is_err());
    assert_eq!(ring.commit(draft, 7), Err(StoreError::Interrupted));
    assert_eq!(ring.newest().map(|image| image.len), Some(5));

    // Of a ring that is no more: the same number of erases, but another image to come.
    let mut draft = ring.begin(40).expect("a slot");
    ring.append(&mut draft, &[2; 40]).expect("room");
    let _ = ring.release();
    let mut ring: SlotRing<_> = SlotRing::mount(&mut flash, 0..8192).expect("a store");
    ring.save_slice(7, b"newest").expect("saved");
    assert_eq!(ring.commit(draft, 7), Err(StoreError::Interrupted));
    assert_eq!(ring.newest().map(|image| image.len), Some(6));
}

#[test]
fn a_draft_arrives_in_pieces_of_any_size() {
    let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
    for size in [1, 7, 32, 33, 500] {
        let mut flash = RamFlash::<8>::new();
        let mut ring: SlotRing<_> = SlotRing::mount(&mut flash, 0..8192).expect("a store");
        let mut draft = ring.begin(1000).expect("a slot");
        for piece in bytes.chunks(size) {
            assert!(ring.review(&draft).is_err(), "not all is there");
            ring.append(&mut draft, piece).expect("room");
        }
        assert_eq!(ring.append(&mut draft, &[0]), Err(StoreError::TooLong));
        assert_eq!(ring.newest(), None, "it does not count yet");
        ring.commit(draft, 9).expect("committed");
        let mut found = vec![0; 1000];
        assert_eq!(ring.load_slice(9, &mut found), Ok(1000));
        assert!(found == bytes, "in pieces of {size}");
    }
}
