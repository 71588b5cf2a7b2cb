//! Models as bytes: whoever is restored goes on as if nothing had happened, and
//! images that were written once load for ever.

use pocketron::{
    label::{Class, Label},
    persist::{self, ByteSource, ImageError, Persist},
    prelude::*,
    stream::ExampleSource,
};

use crate::{
    all_learners::{self, Failed, Visitor},
    kept::{Kept, bytes_of, checksum, reseal, restore, text_of},
    sensor::{FEATURES, Sensor},
};

pub type Point = [f32; FEATURES];
pub type Stream<L> = Vec<(Point, L, Option<u32>)>;

pub fn collect<L: Label>(mut sensor: Sensor<L>) -> Stream<L> {
    let mut stream = Vec::new();
    while let Ok(Some(example)) = sensor.next_example() {
        stream.push((*example.x, example.label, example.id));
    }
    stream
}

fn learn<C: OnlineClassifier<Input = Point>>(
    learner: &mut C,
    stream: &[(Point, C::Label, Option<u32>)],
) -> Vec<u32> {
    let learned = stream.iter().map(|(x, label, id)| {
        let outcome = learner
            .learn_with_id(x, *label, *id)
            .expect("good examples");
        outcome.score.to_bits()
    });
    learned.collect()
}

#[test]
fn every_learner_continues_bit_for_bit() {
    struct Continues;
    impl Visitor for Continues {
        fn every<C>(&mut self, name: &str, fresh: C, stream: Sensor<C::Label>) -> Result<(), Failed>
        where
            C: OnlineClassifier<Input = Point> + Persist + Clone,
        {
            let stream = &collect(stream)[..600];
            let mut uninterrupted = fresh.clone();
            let scores = learn(&mut uninterrupted, stream);
            // Somebody with another past: none of it may shine through.
            let mut used = fresh.clone();
            learn(&mut used, &stream[200..500]);
            for cut in [0, 1, 17, 100, 433, 600] {
                let mut first = fresh.clone();
                learn(&mut first, &stream[..cut]);
                let bytes = bytes_of(&first);
                drop(first);
                for mut second in [fresh.clone(), used.clone()] {
                    restore(&mut second, &bytes).expect("its own image");
                    assert_eq!(bytes_of(&second), bytes, "{name} after {cut}");
                    let rest = learn(&mut second, &stream[cut..]);
                    assert!(rest == scores[cut..], "{name} goes astray after {cut}");
                    let end = bytes_of(&second);
                    assert!(end == bytes_of(&uninterrupted), "{name} after {cut}");
                }
            }
            Ok(())
        }
    }
    all_learners::visit_all(&mut Continues).expect("the parameters are good");
}

#[test]
fn an_image_can_be_had_in_pieces_of_any_size() {
    struct Pieces;
    impl Visitor for Pieces {
        fn every<C>(
            &mut self,
            name: &str,
            mut learner: C,
            stream: Sensor<C::Label>,
        ) -> Result<(), Failed>
        where
            C: OnlineClassifier<Input = Point> + Persist + Clone,
        {
            learn(&mut learner, &collect(stream)[..300]);
            let whole = bytes_of(&learner);
            for size in [1, 3, 64, 100, 256] {
                let mut pieces = vec![0xA5; whole.len()];
                let offsets = (0..).step_by(size);
                for (offset, piece) in offsets.zip(pieces.chunks_mut(size)) {
                    persist::fill(&learner, offset, piece);
                }
                assert!(pieces == whole, "{name} in pieces of {size}");
            }
            let mut beyond = [0xA5; 8];
            persist::fill(&learner, whole.len() as u32, &mut beyond);
            assert_eq!(beyond, [0xA5; 8], "nothing follows the checksum");
            Ok(())
        }
    }
    all_learners::visit_all(&mut Pieces).expect("the parameters are good");
}

#[test]
fn shapes_tell_learners_apart() {
    struct Shapes(Vec<(String, String)>);
    impl Visitor for Shapes {
        fn every<C>(&mut self, name: &str, learner: C, _: Sensor<C::Label>) -> Result<(), Failed>
        where
            C: OnlineClassifier<Input = Point> + Persist + Clone,
        {
            if name.ends_with("-taught") {
                // The same learner with another stream.
                return Ok(());
            }
            let text = text_of(&learner);
            let open = text.matches('(').count();
            assert_eq!(open, text.matches(')').count(), "{text}");
            let twin = self.0.iter().find(|(_, other)| *other == text);
            assert!(twin.is_none(), "{name} and {twin:?} are both {text}");
            self.0.push((name.to_string(), text));
            Ok(())
        }
    }
    let mut shapes = Shapes(Vec::new());
    all_learners::visit_all(&mut shapes).expect("the parameters are good");
    let of = |wanted| shapes.0.iter().find(|(name, _)| name == wanted);
    assert_eq!(
        of("merge").map(|(_, text)| text.as_str()),
        Some("perceptron(expansion(f32(4,20),gaussian(fast),merging),margin,last(raw))"),
    );
    assert!(shapes.0.len() > 30);
}

#[test]
fn images_of_version_1_load_for_ever() {
    struct Golden<'a>(&'a mut Kept);
    impl Visitor for Golden<'_> {
        fn every<C>(&mut self, name: &str, fresh: C, stream: Sensor<C::Label>) -> Result<(), Failed>
        where
            C: OnlineClassifier<Input = Point> + Persist + Clone,
        {
            let stream = collect(stream);
            let mut today = fresh.clone();
            learn(&mut today, &stream[..300]);
            let bytes = self.0.image(name, &today);
            let mut learner = fresh;
            restore(&mut learner, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(
                bytes_of(&learner) == bytes,
                "{name} changes what it has read"
            );
            let scores = learn(&mut learner, &stream[300..400]);
            let scores: Vec<u8> = scores.iter().flat_map(|bits| bits.to_le_bytes()).collect();
            self.0.future(name, checksum(&scores));
            Ok(())
        }
    }
    let mut kept = Kept::in_folder("v1");
    all_learners::visit_all(&mut Golden(&mut kept)).expect("the parameters are good");
    kept.all_were_used();
}

type Model = OneVsRestOfTighter;
type OneVsRestOfTighter = pocketron::learners::multiclass::OneVsRest<Tighter<FEATURES, 8, 5>, 3>;

/// A model with everything that can go wrong: lengths inside of lengths, and random state.
fn taught() -> Model {
    let mut binary = Tighter::<FEATURES, 8, 5>::BLANK;
    let kernel = Gaussian::constant(2.0);
    let policy = pocketron::budget::FewestErrors::new(pocketron::budget::Reservoir::new(3));
    binary
        .configure_policy(kernel, policy, UnitSteps)
        .expect("good parameters");
    let mut model = Model::of(&binary);
    for (x, class, _) in &collect(Sensor::fields())[..100] {
        model.learn(x, Class(class.0 % 3)).expect("good examples");
    }
    model
}

/// Restoring these bytes fails, for that reason, and changes nothing.
#[track_caller]
fn refused(model: &mut Model, bytes: &[u8], reason: impl Fn(ImageError) -> bool) {
    let before = bytes_of(model);
    let error = restore(model, bytes).expect_err("it must not be restored");
    assert!(reason(error), "{error:?}");
    assert!(bytes_of(model) == before, "the model changed");
}

#[test]
fn every_flipped_bit_and_every_cut_is_refused() {
    let bytes = bytes_of(&taught());
    let mut model = Model::BLANK;
    for bit in 0..8 * bytes.len() {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        refused(&mut model, &damaged, |_| true);
    }
    for len in 0..bytes.len() {
        refused(&mut model, &bytes[..len], |_| true);
    }
    let longer = [&bytes[..], &[0; 4]].concat();
    refused(&mut model, &longer, |error| error == ImageError::Damaged);
}

#[test]
fn refusals_say_why() {
    let bytes = bytes_of(&taught());
    let mut model = taught();
    refused(&mut model, b"GIF89a......................", |error| {
        error == ImageError::NotAnImage
    });
    let mut newer = bytes.clone();
    newer[4] = 2;
    reseal(&mut newer);
    refused(&mut model, &newer, |error| error == ImageError::Version(2));
    let other = Tightest::<FEATURES, 20>::BLANK;
    refused(&mut model, &bytes_of(&other), |error| {
        error == ImageError::OtherShape(persist::shape(&other))
    });
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    refused(&mut model, &damaged, |error| error == ImageError::Damaged);
}

/// The checksum holds, and still no word may do harm. Learners that devices start with: see `nonsense`.
#[test]
fn nonsense_with_a_right_checksum_never_half_restores() {
    let bytes = bytes_of(&taught());
    let words = bytes.len() / 4;
    let (mut taken, mut malformed) = (0, 0);
    for word in 3..words - 1 {
        for value in [0, 1, 2, 7, 9, 1_000, u32::MAX, f32::NAN.to_bits()] {
            let mut changed = bytes.clone();
            changed[4 * word..4 * word + 4].copy_from_slice(&value.to_le_bytes());
            reseal(&mut changed);
            let mut model = taught();
            match restore(&mut model, &changed) {
                Ok(()) => {
                    taken += 1;
                    // Whatever it is now, it answers, and can be taught.
                    let _ = model.predict(&[0.1; FEATURES]);
                    let _ = model.learn(&[0.1; FEATURES], Class(1));
                }
                Err(_) => {
                    malformed += 1;
                    assert!(bytes_of(&model) == bytes, "word {word} = {value:#x}");
                }
            }
        }
    }
    assert!(taken > 0 && malformed > 0, "{taken} {malformed}");
}

/// A source that fails after so many reads.
struct Failing<'a> {
    bytes: &'a [u8],
    reads: usize,
}

impl ByteSource for Failing<'_> {
    fn len(&self) -> u32 {
        self.bytes.len() as u32
    }

    fn read(&mut self, offset: u32, piece: &mut [u8]) -> Result<(), ImageError> {
        self.reads = self.reads.checked_sub(1).ok_or(ImageError::Unreadable)?;
        self.bytes.read(offset, piece)
    }
}

#[test]
fn a_source_that_fails_while_it_is_checked_changes_nothing() {
    let bytes = bytes_of(&taught());
    let mut model = Model::BLANK;
    let blank = bytes_of(&model);
    for reads in 0.. {
        let mut source = Failing {
            bytes: &bytes,
            reads,
        };
        let checked = persist::check(&mut model, &mut source);
        assert!(bytes_of(&model) == blank, "a check changes nothing");
        if checked.is_ok() {
            break;
        }
        assert_eq!(checked, Err(ImageError::Unreadable));
    }
}
