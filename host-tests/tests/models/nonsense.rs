//! Words that no part would have written, with a right checksum: the default learners and what goes around them refuse
//! them, or go on to learn and to answer in finite numbers.

use pocketron::{
    classifier::{OnlineClassifier, Scorer},
    label::Class,
    learners::continual::{AllViolating, AnnealedSteps},
    persist::Persist,
    prelude::*,
    rule::F1,
    wrap::{
        confidence::{Calibrated, Confident, EvidenceSource, NoveltyDetector},
        drift::{DriftMonitor, Freeze, Reset, RollBack, Snapshot},
    },
};

use crate::{
    images::{Point, Stream, collect},
    kept::{bytes_of, reseal, restore},
    sensor::{FEATURES, Sensor},
};

const B: usize = 8;
const C: usize = 3;
type Two = Pocketron<FEATURES, B>;
type Several = PocketronMulti<FEATURES, B, C>;

/// Small and large counts, and numbers that are none, beyond measure, or of the wrong sign.
pub fn words() -> [u32; 16] {
    let numbers = [f32::NAN, f32::INFINITY, f32::MAX, 1e20, 2.0, 1e-40].map(f32::to_bits);
    let negative = [f32::NEG_INFINITY, f32::MIN, -1.0].map(f32::to_bits);
    let [nan, infinite, largest, large, two, small] = numbers;
    let [minus_infinite, least, minus_one] = negative;
    let lowest = u32::from_le_bytes([i8::MIN as u8; 4]);
    [
        0,
        1,
        7,
        1_000,
        0x7fff_8000,
        u32::MAX,
        lowest,
        nan,
        infinite,
        largest,
        large,
        two,
        small,
        minus_infinite,
        least,
        minus_one,
    ]
}

fn two_classes(count: usize) -> Stream<Sign> {
    let side = |Class(class): Class| if class == 0 { Sign::Pos } else { Sign::Neg };
    let stream = collect(Sensor::fields()).into_iter().take(count);
    stream.map(|(x, class, id)| (x, side(class), id)).collect()
}

fn several_classes(count: usize) -> Stream<Class> {
    let stream = collect(Sensor::fields()).into_iter().take(count);
    let few = |Class(class): Class| Class(class % C as u8);
    stream.map(|(x, class, id)| (x, few(class), id)).collect()
}

/// Puts every word in the place of every word of a model's image. `answers` looks at what else the model says.
fn withstands<L>(mut model: L, stream: &Stream<L::Label>, answers: impl Fn(&L, &Point))
where
    L: OnlineClassifier<Input = Point> + Persist + Clone,
{
    let (first, later) = stream.split_at(stream.len() - 40);
    for (x, label, _) in first {
        model.learn(x, *label).expect("good examples");
    }
    let bytes = bytes_of(&model);
    let (mut taken, mut refused) = (0, 0);
    for word in 3..bytes.len() / 4 - 1 {
        for value in words() {
            let mut changed = bytes.clone();
            changed[4 * word..4 * word + 4].copy_from_slice(&value.to_le_bytes());
            reseal(&mut changed);
            let mut other = model.clone();
            if restore(&mut other, &changed).is_err() {
                assert!(bytes_of(&other) == bytes, "word {word} = {value:#x}");
                refused += 1;
                continue;
            }
            taken += 1;
            for (x, label, _) in later {
                let told = other.predict_scored(x).map(|(_, score)| score.is_finite());
                assert_eq!(told, Ok(true), "word {word} = {value:#x}");
                let learned = other.learn(x, *label).map(|told| told.score.is_finite());
                assert_eq!(learned, Ok(true), "word {word} = {value:#x}");
                answers(&other, x);
            }
            // What has come of it is no nonsense either.
            let after = bytes_of(&other);
            let mut again = model.clone();
            assert_eq!(
                restore(&mut again, &after),
                Ok(()),
                "word {word} = {value:#x}"
            );
        }
    }
    assert!(taken > 100 && refused > 100, "{taken} {refused}");
}

fn nothing_more<L>(_: &L, _: &Point) {}

#[test]
fn the_default_learners_withstand_nonsense() {
    withstands(Two::new(), &two_classes(400), nothing_more);
    withstands(Several::new(), &several_classes(400), nothing_more);
    let each = PocketronMulti::<FEATURES, B, C, AllViolating<AnnealedSteps<35, 3>, C>>::new();
    withstands(each, &several_classes(400), nothing_more);
}

#[test]
fn learners_of_rare_classes_withstand_nonsense() {
    let balanced = PocketronRare::<FEATURES, B>::new();
    withstands(balanced, &two_classes(400), nothing_more);
    let f1 = PocketronRare::<FEATURES, B, F1>::new();
    withstands(f1, &two_classes(400), nothing_more);
}

#[test]
fn learners_that_know_their_confidence_withstand_nonsense() {
    withstands(Calibrated::<Two>::new(), &two_classes(400), |model, x| {
        let probability = model.probability(x).expect("good");
        assert!((0.0..=1.0).contains(&probability), "{probability}");
        assert!(model.score(x).is_ok_and(f32::is_finite));
    });
    withstands(
        NoveltyDetector::<Two>::new(),
        &two_classes(400),
        |model, _| {
            assert!(model.level().is_finite());
        },
    );
    let several = NoveltyDetector::<Several>::new();
    withstands(several, &several_classes(400), |model, _| {
        assert!(model.level().is_finite());
    });
}

#[test]
fn learners_that_answer_with_probability_withstand_nonsense() {
    fn check<L>(model: Confident<L, C>, stream: &Stream<L::Label>)
    where
        L: EvidenceSource<Input = Point> + Persist + Clone,
    {
        withstands(model, stream, |model, x| {
            let answer = model.answer(x).expect("good");
            assert!((0.0..=1.0).contains(&answer.probability));
            let novelty = model.novelty(x).expect("good");
            assert!(novelty.is_none_or(f32::is_finite) && model.limit().is_finite());
        });
    }
    check(Confident::<Two, C>::new(), &two_classes(400));
    check(Confident::<Several, C>::new(), &several_classes(400));
    // Before the first merger.
    check(Confident::<Several, C>::new(), &several_classes(46));
}

#[test]
fn watched_learners_withstand_nonsense() {
    fn check<
        R: pocketron::wrap::drift::Reaction<Two> + pocketron::persist::Ready + Persist + Clone,
    >() {
        let model = DriftMonitor::<Two, R>::new();
        withstands(model, &two_classes(700), |model, _| {
            let rates = model.detector();
            for rate in [
                rates.recent_error(),
                rates.earlier_error(),
                rates.long_term_error(),
            ] {
                assert!((0.0..=1.0).contains(&rate), "{rate}");
            }
        });
    }
    check::<Reset>();
    check::<Freeze>();
    check::<RollBack<Two>>();
    check::<Snapshot<Two>>();
}
