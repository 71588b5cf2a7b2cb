//! Trainings as bytes: interrupted anywhere, they go on as if nothing had happened, and images that were
//! written once load for ever.

use crate::all_learners::{
    Failed,
    batch::{self, Batch, BatchVisitor, Buffer, HELD},
};
use crate::kept::{Kept, bytes_of, checksum, reseal, restore, text_of};
use crate::sensor::{FEATURES, Sensor};
use pocketron::{
    learners::batch::{
        AdaBoost, Directions, Draw, Ensemble, Plane, Ranges, Rcd, Replay, Scratch, Seeding,
    },
    persist::{ImageError, Persist, store::SlotRing},
    prelude::*,
    stream::ExampleSource,
};
use pocketron_testkit::flash::{SimFlash, Tear};

/// Shows every learner to a function-like check, with a buffer of its own.
struct Every<F>(F);

trait Check {
    fn check(&mut self, name: &str, learner: impl Batch, buffer: Buffer);
}

impl<T: Check> BatchVisitor for Every<T> {
    fn visit(
        &mut self,
        name: &str,
        learner: impl Batch,
        buffer: &mut Buffer,
        _: &mut Scratch<HELD>,
    ) -> Result<(), Failed> {
        self.0.check(name, learner, buffer.clone());
        Ok(())
    }
}

fn for_every_learner(check: impl Check) {
    batch::visit(&mut Every(check)).expect("the parameters are good");
}

fn train(learner: &mut impl Batch, buffer: &mut Buffer, epochs: usize) -> Vec<(u32, u32)> {
    let mut scratch = Scratch::BLANK;
    let mut step = || learner.step(&mut buffer.samples(&mut scratch));
    (0..epochs)
        .map(|_| step())
        .map(|(n, error)| (n, error.to_bits()))
        .collect()
}

#[test]
fn every_training_continues_bit_for_bit() {
    struct Continues;
    impl Check for Continues {
        fn check(&mut self, name: &str, fresh: impl Batch, start: Buffer) {
            const EPOCHS: usize = 60;
            let (mut whole, mut buffer) = (fresh.clone(), start.clone());
            let steps = train(&mut whole, &mut buffer, EPOCHS);
            let end = [bytes_of(whole.state()), bytes_of(&buffer)];
            // Somebody with another past: none of it may shine through.
            let (mut used, mut other) = (fresh.clone(), Buffer::new(77));
            other.offer(&[0.3; FEATURES], Sign::Pos).expect("finite");
            other.offer(&[0.1; FEATURES], Sign::Neg).expect("finite");
            train(&mut used, &mut other, 13);
            for cut in [0, 1, 8, 9, 10, 31, EPOCHS] {
                let (mut first, mut buffer) = (fresh.clone(), start.clone());
                train(&mut first, &mut buffer, cut);
                let images = [bytes_of(first.state()), bytes_of(&buffer)];
                for mut second in [fresh.clone(), used.clone()] {
                    let mut buffer = other.clone();
                    restore(second.state(), &images[0]).expect("its own image");
                    restore(&mut buffer, &images[1]).expect("its own image");
                    assert!(bytes_of(second.state()) == images[0], "{name} after {cut}");
                    let rest = train(&mut second, &mut buffer, EPOCHS - cut);
                    assert!(rest == steps[cut..], "{name} goes astray after {cut}");
                    let found = [bytes_of(second.state()), bytes_of(&buffer)];
                    assert!(found == end, "{name} after {cut}");
                }
            }
        }
    }
    for_every_learner(Continues);
}

/// What belongs together is saved together: at whatever instant of a save the power fails, the old pair or
/// the new one is there, and goes on as if nothing had happened.
#[test]
fn a_boosting_and_its_buffer_survive_a_power_cut_as_one() {
    type Pair = (AdaBoost<Rcd<FEATURES>, FEATURES, 8>, Buffer);
    /// Epochs before the first save, before the second, and in all: rounds end at 9, 18, 27 and so on.
    const SAVES: [usize; 2] = [13, 29];
    const EPOCHS: usize = 70;
    let rcd = Rcd::new(Directions::Bias, 7);
    let mut fresh: Pair = (AdaBoost::new(rcd, Seeding::Fisher, 9), Buffer::new(5));
    batch::fill(&mut fresh.1);
    let mut whole = fresh.clone();
    let steps = train(&mut whole.0, &mut whole.1, EPOCHS);
    let end = bytes_of(&whole);
    let mut found = [0; 2];
    for cut in 0.. {
        let mut flash = SimFlash::<4, 4, 4096>::new(4);
        let mut device = fresh.clone();
        train(&mut device.0, &mut device.1, SAVES[0]);
        let mut ring: SlotRing<_> = SlotRing::mount(&mut flash, 0..16_384).expect("fits");
        ring.save_model(&device).expect("power");
        train(&mut device.0, &mut device.1, SAVES[1] - SAVES[0]);
        flash.cut_after(cut, Tear::ALL[cut as usize % Tear::ALL.len()], cut);
        let mut ring: SlotRing<_> = SlotRing::mount(&mut flash, 0..16_384).expect("fits");
        let (boost, buffer) = &mut device;
        let acknowledged = ring.save_model(&(boost, buffer)).is_ok();

        flash.reboot();
        let mut ring: SlotRing<_> = SlotRing::mount(&mut flash, 0..16_384).expect("fits");
        // A device that starts: with its settings, and nothing else.
        let mut restored = Pair::BLANK;
        ring.load_model(&mut restored).expect("one of the two");
        let new = usize::from(bytes_of(&restored) == bytes_of(&device));
        assert!(new == 1 || !acknowledged, "an acknowledged save is lost");
        found[new] += 1;
        let rest = train(&mut restored.0, &mut restored.1, EPOCHS - SAVES[new]);
        assert!(rest == steps[SAVES[new]..], "goes astray, cut {cut}");
        assert!(bytes_of(&restored) == end, "cut {cut}");
        if acknowledged {
            break;
        }
    }
    assert!(found[0] > 10 && found[1] > 1, "{found:?}");
}

#[test]
fn a_buffer_goes_on_collecting_bit_for_bit() {
    let mut sensor = Sensor::new();
    let mut samples = Vec::new();
    while let Ok(Some(sample)) = sensor.next_example() {
        samples.push((*sample.x, sample.label));
    }
    let offer = |buffer: &mut Replay<FEATURES, 30>, part: &[([f32; FEATURES], Sign)]| {
        for (x, label) in part {
            buffer.offer(x, *label).expect("finite");
        }
    };
    let mut whole = Replay::new(4);
    offer(&mut whole, &samples);
    for cut in [0, 5, 29, 30, 31, 400] {
        let mut first = Replay::new(4);
        offer(&mut first, &samples[..cut]);
        let mut second = Replay::new(9);
        offer(&mut second, &samples[100..140]);
        restore(&mut second, &bytes_of(&first)).expect("its own image");
        assert!(bytes_of(&second) == bytes_of(&first));
        offer(&mut second, &samples[cut..]);
        assert!(bytes_of(&second) == bytes_of(&whole), "{cut}");
    }
}

#[test]
fn shapes_tell_trainings_apart() {
    struct Shapes(Vec<String>);
    impl Check for &mut Shapes {
        fn check(&mut self, _: &str, mut learner: impl Batch, _: Buffer) {
            self.0.push(text_of(learner.state()));
        }
    }
    let mut shapes = Shapes(Vec::new());
    for_every_learner(&mut shapes);
    assert!(
        shapes.0.contains(&"rcd(plane(4),xorshift)".into()),
        "{shapes:?}",
        shapes = shapes.0
    );
    let boost = "adaboost(ensemble(4,8),rcd(plane(4),xorshift))";
    assert!(shapes.0.contains(&boost.into()), "{:?}", shapes.0);
    shapes.0.sort();
    shapes.0.dedup();
    // The seven kinds of coordinate descent are one type, whose directions live at run time.
    assert_eq!(shapes.0.len(), 17 - 6);
    assert_eq!(text_of(&Buffer::BLANK), "replay(4,200)");
    assert_eq!(text_of(&Ranges::<3>::BLANK), "ranges(3)");
    let pair = (AdaBoost::<Rcd<4>, 4, 8>::BLANK, Buffer::BLANK);
    assert_eq!(text_of(&pair), format!("{boost},replay(4,200)"));
}

/// A saved model is that much flash, less the frame around it.
#[test]
fn models_are_as_long_as_their_numbers() {
    let frame = |model: &dyn Persist| {
        let text = text_of(model).len().next_multiple_of(4);
        bytes_of(model).len() - text - 20
    };
    assert_eq!(frame(&Plane::<7>::BLANK), 4 * 7 + 4);
    assert_eq!(frame(&Ranges::<7>::BLANK), 8 * 7 + 4);
    let mut ensemble = Ensemble::<7, 50>::BLANK;
    assert_eq!(frame(&ensemble), 4);
    ensemble.push(Plane::BLANK, 1.0);
    assert_eq!(frame(&ensemble), 4 + 4 * 7 + 8);
    let mut buffer = Replay::<2, 300>::new(1);
    buffer.offer(&[1.0, 2.0], Sign::Neg).expect("finite");
    assert_eq!(frame(&buffer), 12 + 16);
}

/// Counts and numbers, and what is none.
const WORDS: [f32; 12] = [
    0.0,
    1.0,
    -1.0,
    1e20,
    1e-40,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NAN,
    f32::from_bits(1),
    f32::from_bits(9),
    f32::from_bits(u32::MAX),
];

/// The image with a word changed, and its checksum right.
fn with_word(bytes: &[u8], word: usize, value: f32) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    changed[4 * word..4 * word + 4].copy_from_slice(&value.to_bits().to_le_bytes());
    reseal(&mut changed);
    changed
}

/// The checksum holds, and still no word may do harm: what was restored can be trained, and saved and restored again.
#[test]
fn nonsense_with_a_right_checksum_never_half_restores() {
    struct Nonsense;
    impl Nonsense {
        fn trains(place: &str, mut learner: impl Batch, mut buffer: Buffer) {
            train(&mut learner, &mut buffer, 2);
            let images = [bytes_of(learner.state()), bytes_of(&buffer)];
            assert_eq!(restore(learner.state(), &images[0]), Ok(()), "{place}");
            assert_eq!(restore(&mut buffer, &images[1]), Ok(()), "{place}");
        }
    }
    impl Check for Nonsense {
        fn check(&mut self, name: &str, fresh: impl Batch, start: Buffer) {
            let (mut learner, mut buffer) = (fresh.clone(), start);
            train(&mut learner, &mut buffer, 20);
            let bytes = bytes_of(learner.state());
            for word in 3..bytes.len() / 4 - 1 {
                for value in WORDS {
                    let place = format!("{name}: word {word} = {value:e}");
                    let mut second = learner.clone();
                    match restore(second.state(), &with_word(&bytes, word, value)) {
                        Ok(()) => Self::trains(&place, second, buffer.clone()),
                        Err(_) => assert!(bytes_of(second.state()) == bytes, "{place}"),
                    }
                }
            }
            let bytes = bytes_of(&buffer);
            for word in (3..bytes.len() / 4 - 1).step_by(37) {
                for value in WORDS {
                    let place = format!("{name}: word {word} of the buffer = {value:e}");
                    let mut second = buffer.clone();
                    match restore(&mut second, &with_word(&bytes, word, value)) {
                        Ok(()) => Self::trains(&place, learner.clone(), second),
                        Err(_) => assert!(bytes_of(&second) == bytes, "{place}"),
                    }
                }
            }
        }
    }
    for_every_learner(Nonsense);
    let mut buffer = Replay::<1, 4>::new(1);
    let bytes = bytes_of(&buffer);
    let mut longer = bytes.clone();
    let len = bytes.len();
    longer[len - 20..len - 16].copy_from_slice(&5_u32.to_le_bytes());
    reseal(&mut longer);
    assert_eq!(restore(&mut buffer, &longer), Err(ImageError::Malformed));
}

#[test]
fn images_of_version_1_load_for_ever() {
    struct Golden<'a>(&'a mut Kept);
    impl Check for Golden<'_> {
        fn check(&mut self, name: &str, fresh: impl Batch, start: Buffer) {
            let (mut learner, mut buffer) = (fresh.clone(), start.clone());
            train(&mut learner, &mut buffer, 30);
            let bytes = self.0.image(name, learner.state());
            let mut restored = fresh;
            restore(restored.state(), &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(
                bytes_of(restored.state()) == bytes,
                "{name} changes what it has read"
            );
            train(&mut restored, &mut buffer, 3);
            self.0.future(name, checksum(&bytes_of(restored.state())));
        }
    }
    let mut kept = Kept::in_folder("v1/batch");
    for_every_learner(Golden(&mut kept));

    let mut buffer = Replay::<FEATURES, 12>::new(5);
    let mut sensor = Sensor::new();
    for _ in 0..40 {
        let sample = sensor.next_example().expect("no error").expect("a sample");
        buffer.offer(sample.x, sample.label).expect("finite");
    }
    let ranges = buffer.normalise();
    let plane = Plane {
        weights: [0.5, -1.25, 1.0, 0.0],
        bias: -0.75,
    };
    let mut ensemble = Ensemble::<FEATURES, 3>::BLANK;
    ensemble.push(plane, 0.5);
    let rcd = Rcd::new(Directions::Cyclic, 3).with_draw(Draw::UnitBias);
    let mut boost = AdaBoost::<_, FEATURES, 5>::new(rcd, Seeding::FisherMidway, 4);
    let (mut weighted, mut scratch) = (buffer.clone(), Scratch::BLANK);
    for _ in 0..6 {
        boost.step(&mut weighted.samples(&mut scratch));
    }
    keeps(&mut kept, "boosting-and-replay", &(boost, weighted));
    keeps(&mut kept, "replay", &buffer);
    keeps(&mut kept, "ranges", &ranges);
    keeps(&mut kept, "plane", &plane);
    keeps(&mut kept, "ensemble", &ensemble);
    kept.all_were_used();
}

/// The image of that name is that of the model, and makes it of a blank one.
fn keeps<P: Persist + Blank>(kept: &mut Kept, name: &str, model: &P) {
    let bytes = kept.image(name, model);
    let mut blank = P::BLANK;
    restore(&mut blank, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(
        bytes_of(&blank) == bytes && bytes_of(model) == bytes,
        "{name}"
    );
}
