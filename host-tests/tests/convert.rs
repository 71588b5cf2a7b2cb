//! Firmware with another budget or more classes keeps what was taught to the old one.

#[path = "common/kept.rs"]
mod kept;

use kept::{bytes_of, restore};
use pocketron::{
    label::Class,
    learners::continual::{AllViolating, AnnealedSteps},
    persist::{
        self, Convert, ImageError,
        store::{LoadError, SlotRing, StoreError},
    },
    prelude::*,
    signal::Teachable,
};
use pocketron_testkit::{
    data::Places,
    flash::{SimFlash, Tear},
};

/// Handwritten digits: 64 features, 10 classes.
struct Digits {
    learned: Vec<([f32; 64], Class)>,
    asked: Vec<([f32; 64], Class)>,
}

fn digits() -> Digits {
    let digits = Places::new(None).load("digits").expect("comes along");
    let rows = digits.permuted(3).to_dense().and_then(|rows| rows.to_f32());
    let rows = rows.expect("numbers");
    let rows: Vec<_> = rows
        .iter()
        .map(|(x, label)| (x.try_into().expect("64 features"), Class(label as u8)))
        .collect();
    let (learned, asked) = rows.split_at(1000);
    Digits {
        learned: learned.to_vec(),
        asked: asked.to_vec(),
    }
}

fn taught<L>(mut model: L, examples: &[([f32; 64], Class)]) -> L
where
    L: OnlineClassifier<Input = [f32; 64], Label = Class>,
{
    for (x, class) in examples {
        model.learn_with_id(x, *class, None).expect("good");
    }
    model
}

fn accuracy<L>(model: &L, examples: &[([f32; 64], Class)]) -> f64
where
    L: OnlineClassifier<Input = [f32; 64], Label = Class>,
{
    let right =
        |(x, class): &&([f32; 64], Class)| model.predict_scored(x).expect("good").0 == *class;
    100.0 * examples.iter().filter(right).count() as f64 / examples.len() as f64
}

/// Every label and every bit of its score.
fn same_answers<A, B>(one: &A, other: &B, examples: &[([f32; 64], Class)])
where
    A: OnlineClassifier<Input = [f32; 64], Label = Class>,
    B: OnlineClassifier<Input = [f32; 64], Label = Class>,
{
    for (x, _) in examples {
        let [one, other] = [one.predict_scored(x), other.predict_scored(x)]
            .map(|answer| answer.map(|(class, score)| (class, score.to_bits())));
        assert_eq!(one, other);
    }
}

fn convert(model: &mut impl Convert, image: &[u8]) -> Result<(), ImageError> {
    persist::convert(model, &mut &*image)
}

#[test]
fn a_larger_budget_gives_the_same_answers_bit_for_bit() {
    let digits = digits();
    let old = taught(PocketronMulti::<64, 24, 10>::new(), &digits.learned);
    let mut new = PocketronMulti::<64, 40, 10>::new();
    convert(&mut new, &bytes_of(&old)).expect("larger");
    assert_eq!((old.len(), new.len()), (24, 24));
    same_answers(&old, &new, &digits.asked);
    // There is room now: the next vectors are stored, not merged.
    let before = accuracy(&new, &digits.asked);
    let new = taught(new, &digits.learned[..500]);
    assert_eq!(new.len(), 40);
    assert!(accuracy(&new, &digits.asked) > before - 1.0);
}

#[test]
fn the_same_sizes_are_a_restore() {
    let digits = digits();
    let old = taught(Teachable::<64, 20, 10>::new(), &digits.learned[..300]);
    let image = bytes_of(&old);
    let mut new = Teachable::<64, 20, 10>::new();
    convert(&mut new, &image).expect("the same");
    assert!(bytes_of(&new) == image);
}

/// A budget cut in half costs about what a model lacks that had the half of it from the beginning.
#[test]
fn a_smaller_budget_loses_little() {
    let digits = digits();
    let old = taught(PocketronMulti::<64, 40, 10>::new(), &digits.learned);
    let mut new = PocketronMulti::<64, 20, 10>::new();
    convert(&mut new, &bytes_of(&old)).expect("smaller");
    assert_eq!((old.len(), new.len()), (40, 20));
    let small = taught(PocketronMulti::<64, 20, 10>::new(), &digits.learned);
    let [large, converted, small] = [
        accuracy(&old, &digits.asked),
        accuracy(&new, &digits.asked),
        accuracy(&small, &digits.asked),
    ];
    println!(
        "40 vectors {large:.1} %, 20 of them {converted:.1} %, 20 from the beginning {small:.1} %"
    );
    // It goes on learning as any other does.
    let later = accuracy(&taught(new, &digits.learned[..200]), &digits.asked);
    println!("after 200 examples more {later:.1} %");
    assert!(converted > large - 5.0 && later > small - 3.0);
}

#[test]
fn more_classes_know_what_was_known() {
    let mut digits = digits();
    let all = digits.asked.clone();
    for rows in [&mut digits.learned, &mut digits.asked] {
        rows.retain(|(_, class)| class.0 < 4);
    }
    let old = taught(PocketronMulti::<64, 24, 4>::new(), &digits.learned);
    let mut new = PocketronMulti::<64, 24, 6>::new();
    convert(&mut new, &bytes_of(&old)).expect("more classes");
    same_answers(&old, &new, &digits.asked);
    // A class of those that are new can be taught.
    let fours: Vec<_> = all.into_iter().filter(|(_, class)| class.0 == 4).collect();
    let (taught_now, asked) = fours.split_at(15);
    let new = taught(new, taught_now);
    assert!(accuracy(&new, asked) > 75.0, "{}", accuracy(&new, asked));
}

/// One rule for each class.
#[test]
fn every_kind_of_update_is_converted() {
    type Each<const C: usize> = AllViolating<AnnealedSteps<35, 3>, C>;
    let mut digits = digits();
    for rows in [&mut digits.learned, &mut digits.asked] {
        rows.retain(|(_, class)| class.0 < 4);
    }
    let old = taught(PocketronMulti::<64, 16, 4, Each<4>>::new(), &digits.learned);
    let mut new = PocketronMulti::<64, 20, 7, Each<7>>::new();
    convert(&mut new, &bytes_of(&old)).expect("more of both");
    same_answers(&old, &new, &digits.asked);
    // And back: nothing was taught of the others.
    let mut back = PocketronMulti::<64, 16, 4, Each<4>>::new();
    convert(&mut back, &bytes_of(&new)).expect("less of both");
    assert!(bytes_of(&back) == bytes_of(&old));

    let side = |class: Class| {
        if class.0.is_multiple_of(2) {
            Sign::Neg
        } else {
            Sign::Pos
        }
    };
    let mut old = Pocketron::<64, 16>::new();
    for (x, class) in &digits.learned {
        old.learn(x, side(*class)).expect("good");
    }
    let mut new = Pocketron::<64, 30>::new();
    convert(&mut new, &bytes_of(&old)).expect("larger");
    for (x, _) in &digits.asked {
        assert_eq!(old.score(x), new.score(x));
    }
}

/// Exemplars, calibration and what is known go along.
#[test]
fn a_device_taught_by_hand_is_converted() {
    let mut digits = digits();
    for rows in [&mut digits.learned, &mut digits.asked] {
        rows.retain(|(_, class)| class.0 < 4);
    }
    let old = taught(Teachable::<64, 20, 4>::new(), &digits.learned[..120]);
    let mut new = Teachable::<64, 32, 6>::new();
    convert(&mut new, &bytes_of(&old)).expect("more of both");
    for (x, _) in &digits.asked {
        let [old, new] = [old.answer(x), new.answer(x)];
        let (old, new) = (old.expect("good"), new.expect("good"));
        assert_eq!(old, new);
    }
    for class in (0..4).map(Class) {
        let (old, new) = (old.learner(), new.learner());
        assert_eq!(old.exemplars(class), new.exemplars(class));
        assert_eq!(old.taught(class), new.taught(class));
        assert_eq!(old.recall(class), new.recall(class));
    }
}

#[test]
fn a_class_that_was_taught_is_not_dropped() {
    let digits = digits();
    let old = taught(PocketronMulti::<64, 24, 10>::new(), &digits.learned);
    let before = taught(PocketronMulti::<64, 24, 9>::new(), &[]);
    let mut new = before.clone();
    assert_eq!(
        convert(&mut new, &bytes_of(&old)),
        Err(ImageError::TooManyClasses)
    );
    assert!(bytes_of(&new) == bytes_of(&before));
    // Unless it was forgotten.
    let mut old = old;
    old.forget(Class(9));
    convert(&mut new, &bytes_of(&old)).expect("nine classes");
    let asked: Vec<_> = digits
        .asked
        .into_iter()
        .filter(|(_, class)| class.0 < 9)
        .collect();
    same_answers(&old, &new, &asked);
}

/// Whatever else differs is another task.
#[test]
fn other_features_and_other_learners_are_refused() {
    let digits = digits();
    let old = taught(PocketronMulti::<64, 24, 10>::new(), &digits.learned);
    let image = bytes_of(&old);
    let shape = persist::shape(&old);
    let refused = Err(ImageError::OtherShape(shape));
    assert_eq!(
        convert(&mut PocketronMulti::<63, 24, 10>::new(), &image),
        refused
    );
    assert_eq!(convert(&mut Pocketron::<64, 24>::new(), &image), refused);
    assert_eq!(
        convert(&mut Teachable::<64, 24, 10>::new(), &image),
        refused
    );
    type Each = AllViolating<AnnealedSteps<35, 3>, 10>;
    assert_eq!(
        convert(&mut PocketronMulti::<64, 24, 10, Each>::new(), &image),
        refused
    );
    type Steeper = pocketron::learners::continual::BestWrongClass<AnnealedSteps<36, 3>>;
    assert_eq!(
        convert(&mut PocketronMulti::<64, 24, 10, Steeper>::new(), &image),
        refused
    );
}

/// Every flipped bit and every missing end leaves the model as it is.
#[test]
fn damaged_images_change_nothing() {
    let old = taught(PocketronMulti::<64, 5, 3>::new(), &few());
    let image = bytes_of(&old);
    let untouched = PocketronMulti::<64, 7, 4>::new();
    let before = bytes_of(&untouched);
    let refuses = |bytes: &[u8]| {
        let mut new = untouched.clone();
        assert!(convert(&mut new, bytes).is_err());
        assert!(bytes_of(&new) == before);
    };
    for bit in 0..8 * image.len() {
        let mut bad = image.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        refuses(&bad);
    }
    for len in 0..image.len() {
        refuses(&image[..len]);
    }
}

/// Nonsense under a right checksum is refused, or is a model: no panic, no NaN, and never half of a change.
#[test]
fn nonsense_under_a_right_checksum_is_refused_whole() {
    let old = taught(PocketronMulti::<64, 5, 3>::new(), &few());
    let image = bytes_of(&old);
    let untouched = PocketronMulti::<64, 3, 4>::new();
    let before = bytes_of(&untouched);
    let asked = few();
    let (mut refused, mut taken) = (0, 0);
    for at in (16..image.len() - 4).step_by(4) {
        for nonsense in [0, 1, 0x7F, 0x80, 0xFFFF_FFFF, 0x7F80_0000, 0x8000_0000_u32] {
            let mut bad = image.clone();
            bad[at..at + 4].copy_from_slice(&nonsense.to_le_bytes());
            let end = bad.len() - 4;
            let checksum = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(&bad[..end]);
            bad[end..].copy_from_slice(&checksum.to_le_bytes());
            let mut new = untouched.clone();
            match convert(&mut new, &bad) {
                Ok(()) => {
                    taken += 1;
                    for (x, _) in &asked {
                        assert!(
                            new.predict_scored(x)
                                .is_ok_and(|(_, score)| score.is_finite())
                        );
                    }
                    // What it would save, it would load.
                    restore(&mut new.clone(), &bytes_of(&new)).expect("its own image");
                }
                Err(error) => {
                    refused += 1;
                    assert!(error != ImageError::Torn, "word {at}: found in the dry run");
                    assert!(bytes_of(&new) == before, "word {at}");
                }
            }
        }
    }
    assert!(refused > 100 && taken > 100, "{refused} {taken}");
}

fn few() -> Vec<([f32; 64], Class)> {
    let digits = digits().learned.into_iter();
    digits.filter(|(_, class)| class.0 < 3).take(40).collect()
}

type Ring<'a> = SlotRing<&'a mut SimFlash<4, 4, 1024>>;

/// The firmware is updated, loads, and saves: whenever the power fails, the taught model is there, for the new firmware and, until a save is
/// complete, for the old one.
#[test]
fn power_cuts_while_a_model_is_converted_lose_nothing() {
    let digits = digits();
    let asked = &digits.asked[..20];
    let old = taught(PocketronMulti::<64, 12, 10>::new(), &digits.learned[..200]);
    let mut flash = SimFlash::<4, 4, 1024>::new(8);
    let whole = 0..8192;
    let mut ring: Ring<'_> = SlotRing::mount_for(&mut flash, whole.clone(), &old).expect("mounts");
    ring.save_model(&old).expect("saves");
    ring.save_model(&old).expect("saves");

    let update = |flash: &mut SimFlash<4, 4, 1024>| -> Result<(), LoadError> {
        let mut new = PocketronMulti::<64, 20, 10>::new();
        let mut ring: Ring<'_> = SlotRing::mount_for(flash, whole.clone(), &new)?;
        ring.load_or_convert(&mut new)?;
        same_answers(&old, &new, asked);
        ring.save_if_readable(&mut new)?;
        Ok(())
    };
    let steps = {
        let mut flash = flash.clone();
        let before = flash.steps();
        update(&mut flash).expect("powered");
        flash.steps() - before
    };
    let (mut before, mut after) = (0, 0);
    for step in 0..steps {
        for tear in Tear::ALL {
            let mut flash = flash.clone();
            flash.cut_after(step, tear, step);
            update(&mut flash).expect_err("cut off");
            flash.reboot();
            let ring: Ring<'_> = SlotRing::mount(&mut flash, whole.clone()).expect("mounts");
            match ring.newest().expect("an image").shape {
                shape if shape == persist::shape(&old) => before += 1,
                _ => after += 1,
            }
            // The next start goes on where this one was cut off.
            update(&mut flash).expect("powered");
        }
    }
    assert!(before > 20 && after > 0, "{before} {after}");
}

#[test]
fn an_image_that_could_not_be_read_is_not_overwritten_unless_told_to() {
    let digits = digits();
    let old = taught(PocketronMulti::<64, 12, 10>::new(), &digits.learned[..200]);
    let mut flash = SimFlash::<4, 4, 1024>::new(8);
    let mut ring: Ring<'_> = SlotRing::mount(&mut flash, 0..8192).expect("mounts");
    let mut other = PocketronMulti::<64, 12, 5>::new();
    assert_eq!(
        ring.load_or_convert(&mut other),
        Err(LoadError::Store(StoreError::Empty))
    );
    ring.save_if_readable(&mut other)
        .expect("there is nothing to lose");
    ring.save_model(&old).expect("saves");
    let newest = ring.newest();
    let refused = LoadError::Image(ImageError::TooManyClasses);
    assert_eq!(ring.load_or_convert(&mut other).err(), Some(refused));
    assert_eq!(ring.save_if_readable(&mut other).err(), Some(refused));
    assert_eq!(ring.newest(), newest);
    ring.save_model(&other).expect("told to");
    ring.save_if_readable(&mut other).expect("its own");
}

/// The formula of `docs/store.md`, held against the store itself.
#[test]
fn the_smallest_region_is_the_smallest_that_mounts() {
    type Model = PocketronMulti<64, 24, 10>;
    fn holds<const E: usize, const N: usize>(model: &Model) {
        let least = SlotRing::<SimFlash<4, 4, E>, N>::region_bytes(Model::MAX_BYTES) as usize;
        let slot = (64 + Model::MAX_BYTES).div_ceil(E) * E;
        assert_eq!(least, N * slot);
        let mut flash = SimFlash::<4, 4, E>::new(least / E);
        let mounted = SlotRing::<_, N>::mount_for(&mut flash, 0..least as u32, model);
        let mut ring = mounted.expect("large enough");
        ring.save(1, Model::MAX_BYTES as u32, |_, piece| {
            piece.fill(7);
            Ok(())
        })
        .expect("the longest image fits");
        let small = 0..(least - E) as u32;
        let refused = SlotRing::<_, N>::mount_for(&mut flash, small, model);
        assert_eq!(refused.err(), Some(StoreError::TooSmall(least as u32)));
    }
    let model = Model::new();
    holds::<256, 2>(&model);
    holds::<1024, 2>(&model);
    holds::<4096, 3>(&model);
    // A full model has no longer image.
    let model = taught(model, &digits().learned);
    assert!(persist::len(&model) as usize <= Model::MAX_BYTES);
}
