//! Words that no part would have written, with a right checksum: every learner refuses them, or goes on to learn and to
//! answer in finite numbers.

use pocketron::{
    budget::{Compensating, Forget, LeastLoss},
    classifier::{OnlineClassifier, Scorer},
    error::InputError,
    history::{Averaged, UnitNorm},
    hypothesis::{Biased, LargestNorm, Linear},
    label::Class,
    learners::continual::{AllViolating, AnnealedSteps},
    persist::Persist,
    prelude::*,
    rule::{F1, Factor, Factors, LeastSquares, PerClass},
    storage::Inline,
    wrap::{
        Standardized,
        confidence::{Calibrated, Confident, EvidenceSource, NoveltyDetector},
        drift::{DriftMonitor, Freeze, Reset, RollBack, Snapshot},
    },
};

use crate::{
    all_learners::{self, Failed, Visitor},
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

/// A finite score, or the message that features and model do not go together; what is refused changes nothing.
fn answers_or_refuses<L>(model: &mut L, (x, label, id): &(Point, L::Label, Option<u32>)) -> bool
where
    L: OnlineClassifier<Input = Point> + Persist,
{
    let told = model.predict_scored(x).map(|(_, score)| score.is_finite());
    let before = bytes_of(model);
    let learned = model.learn_with_id(x, *label, *id);
    let unchanged = learned.is_ok() || bytes_of(model) == before;
    let learned = learned.map(|outcome| outcome.score.is_finite());
    let is_fine = |told| matches!(told, Ok(true) | Err(InputError::Overflow));
    is_fine(told) && is_fine(learned) && unchanged
}

/// The features of other learners may be of any size, so that a score may leave `f32`. That is an error, and never a
/// number that is none.
#[test]
fn every_learner_withstands_nonsense() {
    struct Withstands;
    impl Visitor for Withstands {
        fn every<C>(&mut self, name: &str, fresh: C, stream: Sensor<C::Label>) -> Result<(), Failed>
        where
            C: OnlineClassifier<Input = Point> + Persist + Clone,
        {
            let stream = collect(stream);
            let (first, later) = stream[..288].split_at(280);
            let mut model = fresh;
            for (x, label, id) in first {
                model.learn_with_id(x, *label, *id).expect("good examples");
            }
            let bytes = bytes_of(&model);
            let text = u32::from_le_bytes(bytes[12..16].try_into().expect("a word"));
            let (start, end) = (4 + text.div_ceil(4) as usize, bytes.len() / 4 - 1);
            // All of the last words, where most parameters are, and some of the long columns before.
            for word in (start..end).filter(|word| word % 13 == 0 || word + 40 > end) {
                for value in words() {
                    let place = format!("{name}: word {word} = {value:#x}");
                    let mut changed = bytes.clone();
                    changed[4 * word..4 * word + 4].copy_from_slice(&value.to_le_bytes());
                    reseal(&mut changed);
                    let mut other = model.clone();
                    if restore(&mut other, &changed).is_err() {
                        assert!(bytes_of(&other) == bytes, "{place}");
                        continue;
                    }
                    for example in later {
                        assert!(answers_or_refuses(&mut other, example), "{place}");
                    }
                    let again = restore(&mut model.clone(), &bytes_of(&other));
                    assert_eq!(again, Ok(()), "{place}");
                }
            }
            Ok(())
        }
    }
    all_learners::visit_all(&mut Withstands).expect("the parameters are good");
}

/// Features from the smallest to the largest, one size after the other.
const SIZES: [f32; 11] = [
    1.0, 1e-30, 1e6, 1e-12, 2e6, 1e12, 1e18, 1e-19, 7e18, 1e30, 3e38,
];

/// Whatever is learned, the image of it can be loaded.
fn stays_loadable<C>(name: &str, fresh: C, stream: Stream<C::Label>)
where
    C: OnlineClassifier<Input = Point> + Persist + Clone,
{
    let mut model = fresh.clone();
    let mut learned = 0;
    for ((x, label, id), size) in stream[..450].iter().zip(SIZES.into_iter().cycle()) {
        let example = (x.map(|feature| feature * size), *label, *id);
        assert!(answers_or_refuses(&mut model, &example), "{name}: {size:e}");
        learned += usize::from(model.learn_with_id(&example.0, *label, *id).is_ok());
        let again = restore(&mut fresh.clone(), &bytes_of(&model));
        assert_eq!(again, Ok(()), "{name}: {size:e}");
    }
    assert!(learned > 100, "{name} learned {learned} examples");
}

#[test]
fn what_any_features_make_of_a_model_can_be_loaded() {
    struct Stays;
    impl Visitor for Stays {
        fn every<C>(&mut self, name: &str, fresh: C, stream: Sensor<C::Label>) -> Result<(), Failed>
        where
            C: OnlineClassifier<Input = Point> + Persist + Clone,
        {
            stays_loadable(name, fresh, collect(stream));
            Ok(())
        }
    }
    all_learners::visit_all(&mut Stays).expect("the parameters are good");
}

#[test]
fn what_the_largest_parameters_make_of_a_model_can_be_loaded() {
    const LARGEST: f32 = pocketron::num::LARGEST;
    let kernel = Gaussian::constant(1.0);
    let stream = || collect(Sensor::<Sign>::new());
    let margin = MarginRule::new(LARGEST).with_margin(LARGEST);
    let linear = Linear::<Point>::BLANK;
    let biased = Biased::new(linear.clone(), LargestNorm::new(), 0.0);
    let descent = LeastSquares::new(LARGEST).expect("the largest");
    let shrinking = Shrinking::new(2.0 / LARGEST).expect("nearly the smallest");
    let rare = Factor {
        margin: 1e-14,
        step: LARGEST,
    };
    let uneven = PerClass::with_factors(
        margin,
        Factors {
            pos: rare,
            neg: Factor::ONE,
        },
    );
    let averaged = Averaged::<(Option<Point>, f32)>::BLANK;
    let normed = Averaged::<Option<Point>, UnitNorm>::BLANK;

    let model = Perceptron::from_parts(linear.clone(), margin);
    stays_loadable("margin", model, stream());
    let model = Perceptron::with_history(linear, descent, normed);
    stays_loadable("descent", model, stream());
    let passive = PassiveAggressive::new(LARGEST).expect("the largest");
    let model = Perceptron::with_history(biased.clone(), passive, averaged);
    stays_loadable("passive", model, stream());
    stays_loadable("uneven", Perceptron::from_parts(biased, uneven), stream());
    type Dual<K, P, R, F> = KernelPerceptron<K, P, Inline<FEATURES, B, F>, R>;
    let model = Dual::<_, _, _, f32>::with_policy(kernel, Forget::new(), margin);
    stays_loadable("forget", model, stream());
    let model = Dual::<_, _, _, f32>::with_policy(kernel, Compensating, passive);
    stays_loadable("compensating", model, stream());
    let steep = Polynomial::new(16, 40.0, 0.0).expect("steep");
    let model =
        Dual::<_, _, _, f32>::with_policy(steep, LeastLoss::<Inline<FEATURES, B>>::new(), margin);
    stays_loadable("steep", model, stream());
    let model = Bsgd::<FEATURES, B>::with_rule(kernel, shrinking);
    stays_loadable("bsgd", model, stream());
    let model =
        Standardized::<_, FEATURES>::of(Bsgd::<FEATURES, B, i8>::with_rule(kernel, shrinking));
    stays_loadable("bsgd-i8", model, stream());
}
