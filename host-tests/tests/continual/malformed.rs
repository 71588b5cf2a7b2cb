//! Words that no learner would have written, with a right checksum, are refused.

use pocketron::{persist::ImageError, prelude::*};

use crate::{
    kept::{bytes_of, reseal, restore},
    streams::{CLASSES, D, blocks},
};

const B: usize = 20;
type Model = PocketronMulti<D, B, CLASSES>;

fn taught() -> Model {
    let mut model = Model::new();
    for (x, class) in blocks(1, &[0, 1, 2, 3, 4, 5, 2], 9) {
        model.learn(&x, class).expect("good");
    }
    model
}

/// Where the words of an image lie.
struct Places {
    bytes: Vec<u8>,
    counts: usize,
    chance: usize,
    last: usize,
    moments: usize,
    seen: usize,
    len: usize,
    rows: usize,
    gamma: usize,
    update: usize,
    flags: usize,
}

const ROW: usize = CLASSES.div_ceil(4) + 1;

impl Places {
    fn of(model: &Model) -> Self {
        let bytes = bytes_of(model);
        let used = model.vectors().len();
        // From the end: checksum, slots, flags, dice, update, kernel, rows, points.
        let flags = bytes.len() / 4 - 3;
        let update = flags - 1 - 2;
        let gamma = update - 2 - D.div_ceil(2);
        let rows = gamma - ROW * used;
        let column: usize = (used / 16) * 4 + (used % 16).div_ceil(4);
        let len = rows - D * column - 1;
        let seen = len - 1;
        let moments = seen - 2 * D;
        let last = moments - 1;
        let places = Places {
            bytes,
            counts: last - 1 - CLASSES,
            chance: last - 1,
            last,
            moments,
            seen,
            len,
            rows,
            gamma,
            update,
            flags,
        };
        assert_eq!(places.word(len) as usize, used);
        assert_eq!(places.word(last), 2);
        assert_eq!(places.word(seen), 63);
        assert_eq!(places.word(moments), model.moments()[0].mean.to_bits());
        assert_eq!(places.word(places.counts) & 0xff_ffff, 9);
        assert_eq!(places.word(gamma), 0);
        let row = model.vectors().row(used - 1);
        assert_eq!(places.word(gamma - 1) & 0xff, row.exponent());
        places
    }

    fn word(&self, place: usize) -> u32 {
        let word = self.bytes[4 * place..4 * place + 4].try_into();
        u32::from_le_bytes(word.expect("four bytes"))
    }

    fn restored(&self, place: usize, word: u32) -> Result<Model, ImageError> {
        let mut bytes = self.bytes.clone();
        bytes[4 * place..4 * place + 4].copy_from_slice(&word.to_le_bytes());
        reseal(&mut bytes);
        let mut model = taught();
        model.rehearse(3);
        let before = bytes_of(&model);
        let restored = restore(&mut model, &bytes);
        if restored.is_err() {
            assert!(
                bytes_of(&model) == before,
                "a refused image changes nothing"
            );
        } else {
            assert!(bytes_of(&model) == bytes, "it changes what it has read");
        }
        restored.map(|()| model)
    }

    #[track_caller]
    fn refused(&self, place: usize, word: u32) {
        let refusal = self.restored(place, word).map(drop);
        assert_eq!(refusal, Err(ImageError::Malformed), "{word:#x}");
    }
}

const NO_NUMBERS: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

#[test]
fn rows_that_no_row_would_write_are_refused() {
    let places = Places::of(&taught());
    let (values, tail) = (places.rows, places.rows + ROW - 1);
    for exponent in [18, 19, 31, 64, 255] {
        places.refused(tail, places.word(tail) & !0xff | exponent);
    }
    places.refused(tail, places.word(tail) | 1 << 16);
    places.refused(tail, places.word(tail) | 1 << 31);
    // -128 in any of six places, and something in those behind.
    for byte in 0..4 {
        let word = places.word(values) & !(0xff << (8 * byte));
        places.refused(values, word | 0x80 << (8 * byte));
    }
    places.refused(values + 1, places.word(values + 1) & 0xff00 | 0x80);
    places.refused(values + 1, places.word(values + 1) | 1 << 16);
    // The largest that there are.
    for (place, word) in [(tail, 17 | 0xff << 8), (values, 0x7f81_7f81)] {
        let mut model = places.restored(place, word).expect("legal");
        for (x, class) in blocks(4, &[5, 1], 20) {
            let outcome = model.learn(&x, class).expect("good");
            assert!(outcome.score.is_finite());
        }
    }
}

#[test]
fn a_census_that_none_would_take_is_refused() {
    let places = Places::of(&taught());
    for last in [CLASSES as u32, 255, 256, u32::MAX] {
        places.refused(places.last, last);
    }
    for chance in NO_NUMBERS.into_iter().chain([-0.1, 1.1]) {
        places.refused(places.chance, chance.to_bits());
    }
    // Counts are all legal: 24 digits of examples and 8 of what came since.
    for class in 0..CLASSES {
        let mut model = places
            .restored(places.counts + class, u32::MAX)
            .expect("legal");
        for (x, class) in blocks(4, &[class, 1, class], 20) {
            model.learn(&x, class).expect("good");
        }
    }
}

#[test]
fn moments_that_are_no_numbers_are_refused() {
    let places = Places::of(&taught());
    for feature in 0..D {
        let mean = places.moments + 2 * feature;
        for nonsense in NO_NUMBERS {
            places.refused(mean, nonsense.to_bits());
            places.refused(mean + 1, nonsense.to_bits());
        }
        places.refused(mean + 1, (-1.0_f32).to_bits());
    }
    places.refused(places.seen, 8193);
    places.refused(places.seen, u32::MAX);
    places.refused(places.seen, 63 | 256 << 16);
}

#[test]
fn more_vectors_than_slots_are_refused() {
    let places = Places::of(&taught());
    for len in [B as u32 + 1, 1 << 16, u32::MAX] {
        places.refused(places.len, len);
    }
}

#[test]
fn kernels_updates_and_flags_out_of_range_are_refused() {
    let places = Places::of(&taught());
    for gamma in NO_NUMBERS.into_iter().chain([-1.0, 1e25]) {
        places.refused(places.gamma, gamma.to_bits());
    }
    places.refused(places.gamma + 1, 2);
    for excess in NO_NUMBERS.into_iter().chain([-0.6, 0.6]) {
        places.refused(places.update, excess.to_bits());
    }
    for updates in NO_NUMBERS.into_iter().chain([-1.0, 2e7]) {
        places.refused(places.update + 1, updates.to_bits());
    }
    for flags in [2, 2 << 8, 1 << 24] {
        places.refused(places.flags, flags);
    }
    // Turns of slots that there are not begin anew.
    let mut model = places.restored(places.flags + 1, u32::MAX).expect("legal");
    for (x, class) in blocks(4, &[5, 1], 20) {
        model.learn(&x, class).expect("good");
    }
}
