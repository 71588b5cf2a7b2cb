//! What the learner without labels promises to whoever teaches it.

#[path = "common/kept.rs"]
mod kept;

use kept::{bytes_of, reseal, restore};
use pocketron::{
    classifier::{RemoteModel as _, Warning},
    error::{ConfigError, InputError},
    learners::normal::MicroCluster,
    persist::{BufferTooSmall, ImageError},
    prelude::*,
};
use pocketron_testkit::data::shuffle::SplitMix64;
use proptest::prelude::*;

const D: usize = 5;
const B: usize = 24;
type Model = Normal<D, B>;
type Point = [f32; D];
type Draw = fn(&mut SplitMix64) -> Point;

/// Evenly between 0 and 1.
fn even(rng: &mut SplitMix64) -> f32 {
    rng.below(1 << 20) as f32 / (1 << 20) as f32
}

/// Nearly normally distributed, with a deviation of one.
fn bell(rng: &mut SplitMix64) -> f32 {
    (0..12).map(|_| even(rng)).sum::<f32>() - 6.0
}

/// A machine with two modes; the last feature follows from the others.
fn machine(rng: &mut SplitMix64) -> Point {
    let load = if rng.below(3) == 0 { 5.0 } else { 1.0 };
    let [a, b, c] = [(); 3].map(|()| bell(rng));
    let load = load + 0.2 * a;
    let warmth = 20.0 + 3.0 * load + 0.5 * b;
    [
        load,
        warmth,
        1013.0 + 0.1 * c,
        c,
        load * 0.3 + 0.02 * bell(rng),
    ]
}

fn taught(seed: u64, count: usize, sample: Draw) -> Model {
    let (mut rng, mut model) = (SplitMix64::new(seed), Model::new());
    for _ in 0..count {
        model.learn(&sample(&mut rng)).expect("finite");
    }
    model
}

/// Share of samples that are called anomalous.
fn alarms(model: &Model, samples: impl Iterator<Item = Point>) -> f64 {
    let found: Vec<_> = samples.map(|x| model.detect(&x).expect("finite")).collect();
    found.iter().filter(|found| **found).count() as f64 / found.len() as f64
}

fn draw(seed: u64, count: usize, sample: Draw) -> impl Iterator<Item = Point> {
    let mut rng = SplitMix64::new(seed);
    (0..count).map(move |_| sample(&mut rng))
}

#[test]
fn the_promised_share_of_normal_samples_is_called_anomalous() {
    let kinds: [(&str, Draw); 5] = [
        ("even", |rng| [(); D].map(|()| even(rng))),
        ("bell", |rng| [(); D].map(|()| bell(rng))),
        // Far out now and then.
        ("tails", |rng| {
            [(); D].map(|()| bell(rng) / (0.1 + even(rng)))
        }),
        // Counts, most of which are zero.
        ("counts", |rng| {
            [(); D].map(|()| rng.below(9).saturating_sub(6) as f32)
        }),
        ("machine", machine),
    ];
    for (kind, sample) in kinds {
        for share in [0.01, 0.02, 0.05, 0.1] {
            let mut rates = Vec::new();
            for seed in 0..4 {
                let mut model = Model::new();
                model.set_sensitivity(share).expect("a share");
                let mut rng = SplitMix64::new(seed);
                for _ in 0..3000 {
                    model.learn(&sample(&mut rng)).expect("finite");
                }
                rates.push(alarms(&model, draw(seed + 100, 2000, sample)));
            }
            let rate = rates.iter().sum::<f64>() / 4.0;
            let relative = rate / f64::from(share);
            assert!((0.5..2.0).contains(&relative), "{kind} {share}: {rates:?}");
        }
    }
}

#[test]
fn few_samples_suffice_for_anomalies_that_are_plain() {
    let mut rng = SplitMix64::new(3);
    let mut model = Model::new();
    let strange = [3.0, 60.0, 1013.0, 0.0, 0.9];
    for _ in 0..11 {
        model.learn(&machine(&mut rng)).expect("finite");
        assert!(!model.is_ready() && model.detect(&strange) == Ok(false));
    }
    for _ in 0..9 {
        model.learn(&machine(&mut rng)).expect("finite");
        assert!(model.is_ready() && model.detect(&strange) == Ok(true));
    }
    assert!(alarms(&model, draw(4, 1000, machine)) < 0.1);
}

#[test]
fn what_is_usual_alone_and_not_together_is_anomalous() {
    let model = taught(1, 500, machine);
    // The warmth of full load while idle, and between the two modes.
    for x in [[1.0, 35.0, 1013.0, 0.0, 0.3], [3.0, 29.0, 1013.0, 0.0, 0.9]] {
        assert_eq!(model.detect(&x), Ok(true), "{x:?}");
        assert!(model.score(&x).expect("finite") > model.threshold());
    }
}

/// One feature among many, each of which varies as it likes.
#[test]
fn a_single_feature_far_out_is_found_among_sixty_four() {
    let mut rng = SplitMix64::new(1);
    let mut model = Normal::<64, 16>::new();
    for _ in 0..200 {
        model
            .learn(&[(); 64].map(|()| bell(&mut rng)))
            .expect("finite");
    }
    for feature in [0, 31, 63] {
        let mut x = [(); 64].map(|()| bell(&mut rng));
        assert_eq!(model.detect(&x), Ok(false));
        x[feature] = 100.0;
        assert_eq!(model.detect(&x), Ok(true), "{feature}");
    }
}

#[test]
fn offset_and_scale_of_a_feature_do_not_matter() {
    // By powers of two nothing is rounded: the very same bits.
    let (mut plain, mut scaled) = (Model::new(), Model::new());
    let mut rng = SplitMix64::new(8);
    for _ in 0..400 {
        let x = machine(&mut rng);
        let y = core::array::from_fn(|n| x[n] * [0.25, 1024.0, 1.0, 2.0, 0.5][n]);
        assert_eq!(plain.learn(&x), scaled.learn(&y));
    }
    // Other units: nearly the same answers.
    let units = |x: Point| {
        core::array::from_fn(|n| {
            x[n] * [0.3, 1.8, 0.1, 7.0, 1e4][n] + [5.0, 32.0, -100.0, 0.0, 2e3][n]
        })
    };
    let mut other = Model::new();
    for x in draw(8, 400, machine) {
        other.learn(&units(x)).expect("finite");
    }
    let agree = draw(9, 1000, machine).filter(|x| other.detect(&units(*x)) == plain.detect(x));
    assert!(agree.count() >= 970);
}

#[test]
fn anomalies_that_creep_in_do_not_blind_it() {
    let strange = |rng: &mut SplitMix64| {
        let mut x = machine(rng);
        x[1] += 12.0;
        x
    };
    let mut rng = SplitMix64::new(5);
    let mut model = Model::new();
    for n in 0..3000 {
        let x = if n % 100 == 50 {
            strange(&mut rng)
        } else {
            machine(&mut rng)
        };
        model.learn(&x).expect("finite");
    }
    let found = alarms(&model, draw(6, 500, strange));
    assert!(found > 0.95, "{found}");
}

#[test]
fn a_slow_drift_is_followed_and_anomalies_are_still_found() {
    let (mut rng, mut model) = (SplitMix64::new(5), Model::new());
    let drifted = |mut x: Point, degrees: f32| {
        x[1] += degrees;
        x[2] += 0.1 * degrees;
        x
    };
    let mut alarms = 0;
    for n in 0..6000 {
        // Twenty deviations in all.
        let x = drifted(machine(&mut rng), n as f32 / 300.0);
        let mistake = model.learn(&x).expect("finite").mistake;
        alarms += u32::from(n > 200 && mistake);
    }
    assert!(alarms < 6000 / 25, "{alarms}");
    let test = |x| model.detect(&drifted(x, 20.0)).expect("finite");
    assert!(draw(6, 500, machine).filter(|x| test(*x)).count() < 40);
    // Where it began is not normal any more.
    let begin = draw(6, 500, machine).filter(|x| model.detect(x).expect("finite"));
    let begin = begin.count();
    assert!(begin > 400, "{begin}");
    let mut strange = [1.0, 23.0, 1013.0, 0.0, 0.3];
    strange[4] = 1.5;
    assert!(test(strange));
}

#[test]
fn asking_changes_nothing() {
    let model = taught(1, 300, machine);
    let before = bytes_of(&model);
    for x in draw(2, 50, machine) {
        let _ = (
            model.score(&x),
            model.detect(&x.map(|x| 9.0 * x)),
            model.threshold(),
        );
    }
    assert!(bytes_of(&model) == before);
}

#[test]
fn a_stuck_sensor_teaches_nothing_from_the_eighth_time_on() {
    let mut model = taught(1, 300, machine);
    let stuck = [1.0, 23.0, 1013.0, 0.0, 0.3];
    for _ in 1..=7 {
        assert_eq!(model.learn(&stuck).expect("finite").warning, None);
    }
    let before = bytes_of(&model);
    for _ in 8..5000 {
        let outcome = model.learn(&stuck).expect("finite");
        assert_eq!(outcome.warning, Some(Warning::StuckSensor));
        assert_eq!(Ok(outcome.score), model.score(&stuck));
    }
    assert!(bytes_of(&model) == before);
    assert!(alarms(&model, draw(2, 1000, machine)) < 0.06);
}

#[test]
fn memory_is_fixed_and_the_budget_is_kept() {
    assert_eq!(size_of::<Model>(), B * (D + 2) + 12 * D + 44);
    assert_eq!(size_of::<Normal<12, 32>>(), 636);
    let (mut rng, mut model) = (SplitMix64::new(1), Model::new());
    assert!(model.is_empty() && model.capacity() == B);
    for n in 0..4000_usize {
        model.learn(&machine(&mut rng)).expect("finite");
        assert_eq!(model.len(), B.min(n + 1));
        assert_eq!(model.seen() as usize, n + 1);
        let weight: f32 = model.micro_clusters().map(|cluster| cluster.weight).sum();
        // Never more samples than there were, nor than count.
        assert!(
            weight <= (n + 1).min(32 * B) as f32 && weight > 0.0,
            "{n}: {weight}"
        );
    }
    // Means are normal samples themselves.
    let usual = |cluster: &MicroCluster<D>| model.detect(&cluster.mean) == Ok(false);
    assert!(model.micro_clusters().filter(usual).count() >= B - 4);
}

#[test]
fn a_single_slot_is_enough_to_be_of_use() {
    let mut model = Normal::<1, 1>::new();
    for n in 0..100_u32 {
        model.learn(&[(n * 37 % 100) as f32]).expect("finite");
    }
    assert_eq!(model.detect(&[50.0]), Ok(false));
    assert_eq!(model.detect(&[500.0]), Ok(true));
}

#[test]
fn what_is_out_of_range_is_refused_and_changes_nothing() {
    let mut model = taught(1, 50, machine);
    let before = bytes_of(&model);
    for nonsense in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let x = [1.0, nonsense, 0.0, 0.0, 0.0];
        assert_eq!(model.learn(&x), Err(InputError::NonFinite));
        assert_eq!(model.score(&x), Err(InputError::NonFinite));
        assert_eq!(model.detect(&x), Err(InputError::NonFinite));
        assert_eq!(
            model.set_sensitivity(nonsense),
            Err(ConfigError::Sensitivity)
        );
    }
    for share in [-0.1, 0.0, 0.0009, 0.26, 1.0] {
        assert_eq!(model.set_sensitivity(share), Err(ConfigError::Sensitivity));
    }
    assert_eq!(
        model.learn_class(&[0.0; D], Class(1)),
        Err(InputError::UnknownClass)
    );
    assert!(bytes_of(&model) == before && model.sensitivity() == 0.02);
}

#[test]
fn the_usual_sensitivity_set_by_hand_changes_no_bit_of_the_threshold() {
    let mut model = Model::new();
    let mut set = Model::new();
    set.set_sensitivity(0.02).expect("in range");
    let mut rng = SplitMix64::new(12);
    for _ in 0..200 {
        let x = machine(&mut rng);
        model.learn(&x).expect("finite");
        set.learn(&x).expect("finite");
        assert_eq!(model.threshold().to_bits(), set.threshold().to_bits());
    }
    assert!(model.threshold() > 1.0);
}

#[test]
fn a_reset_model_is_a_new_one_of_the_same_sensitivity() {
    let mut model = taught(1, 500, machine);
    model.set_sensitivity(0.05).expect("a share");
    model.reset();
    let mut fresh = Model::new();
    fresh.set_sensitivity(0.05).expect("a share");
    assert!(bytes_of(&model) == bytes_of(&fresh));
    for x in draw(3, 100, machine) {
        assert_eq!(model.learn(&x), fresh.learn(&x));
    }
    assert!(bytes_of(&model) == bytes_of(&fresh));
}

/// Finite, however large, small or strange.
fn any_finite() -> impl Strategy<Value = f32> {
    prop_oneof![
        Just(0.0),
        Just(-0.0),
        Just(f32::MAX),
        Just(f32::MIN),
        Just(f32::MIN_POSITIVE),
        Just(1e-45),
        -10.0..10.0_f32,
        any::<f32>().prop_filter("finite", |x| x.is_finite()),
    ]
}

proptest! {
    #[test]
    fn no_finite_input_makes_a_score_that_is_no_number(
        rows in prop::collection::vec(prop::array::uniform3(any_finite()), 1..120),
        asked in prop::array::uniform3(any_finite()),
    ) {
        let mut model = Normal::<3, 6>::new();
        for x in &rows {
            let outcome = model.learn(x).expect("finite");
            prop_assert!(outcome.score.is_finite() && outcome.score >= 0.0);
            let score = model.score(&asked).expect("finite");
            prop_assert!(score.is_finite() && score >= 0.0, "{score}");
            prop_assert!(model.threshold().is_finite() && model.threshold() >= 1.0);
            prop_assert!(model.len() <= 6);
        }
        // Whatever it has become, it can be saved and restored.
        let mut again = Normal::<3, 6>::new();
        restore(&mut again, &bytes_of(&model)).expect("its own image");
        prop_assert!(bytes_of(&again) == bytes_of(&model));
    }
}

#[test]
fn a_model_goes_on_bit_for_bit_from_its_image() {
    let stream: Vec<_> = draw(1, 700, machine).collect();
    let mut uninterrupted = Model::new();
    uninterrupted.set_sensitivity(0.03).expect("a share");
    let fresh = uninterrupted.clone();
    let outcomes: Vec<_> = stream.iter().map(|x| uninterrupted.learn(x)).collect();
    for cut in [0, 1, 2, 3, 11, 12, 23, 24, 25, 100, 650] {
        let mut first = fresh.clone();
        for x in &stream[..cut] {
            first.learn(x).expect("finite");
        }
        let mut buffer = [0; Model::MAX_BYTES];
        let image = first.to_bytes(&mut buffer).expect("enough");
        let mut second = Model::from_bytes(image).expect("its own image");
        assert_eq!(second.sensitivity(), 0.03);
        for (x, outcome) in stream.iter().zip(&outcomes).skip(cut) {
            assert_eq!(second.learn(x), *outcome, "after {cut}");
        }
        assert!(bytes_of(&second) == bytes_of(&uninterrupted), "after {cut}");
    }
}

#[test]
fn no_image_is_longer_than_the_longest_and_no_shorter_one_loads() {
    let model = taught(1, 500, machine);
    let mut buffer = [0xff; Model::MAX_BYTES];
    let image = model.to_bytes(&mut buffer).expect("enough").to_vec();
    assert!(buffer.len() - image.len() < 16);
    for len in 0..image.len() {
        let needed = BufferTooSmall(image.len() as u32);
        assert_eq!(model.to_bytes(&mut buffer[..len]), Err(needed));
        assert!(Model::from_bytes(&image[..len]).is_err(), "{len}");
        let mut cut = image[..len].to_vec();
        if len >= 16 && len % 4 == 0 {
            cut[8..12].copy_from_slice(&(len as u32).to_le_bytes());
            reseal(&mut cut);
            assert!(Model::from_bytes(&cut).is_err(), "{len}");
        }
    }
    assert!(Normal::<D, { B + 1 }>::from_bytes(&image).is_err());
}

#[test]
fn words_that_no_model_would_write_are_refused() {
    let model = taught(1, 500, machine);
    let image = bytes_of(&model);
    let text = "normal(threshold,coarse-scale,i8(5,24))"
        .len()
        .next_multiple_of(4);
    let start = (12 + 4 + text) / 4;
    let scale = start + 4;
    let residuals = scale + 2 * D + 1;
    let clusters = residuals + D;
    let changed = |place: usize, word: u32| {
        let mut bytes = image.clone();
        bytes[4 * place..4 * place + 4].copy_from_slice(&word.to_le_bytes());
        reseal(&mut bytes);
        let mut other = taught(2, 30, machine);
        let before = bytes_of(&other);
        let restored = restore(&mut other, &bytes);
        assert!(restored.is_ok() || bytes_of(&other) == before);
        restored.map(|()| other)
    };
    let refused = |place: usize, word: u32| {
        let refusal = changed(place, word).map(drop);
        assert_eq!(refusal, Err(ImageError::Malformed), "{place}: {word:#x}");
    };
    assert_eq!(
        image[4 * clusters..4 * clusters + 2],
        (B as u16).to_le_bytes()
    );
    for nonsense in [f32::NAN, f32::INFINITY, -1.0, 1e30] {
        for place in (start..start + 4).chain(residuals..clusters) {
            refused(place, nonsense.to_bits());
        }
    }
    refused(start + 3, 0.3_f32.to_bits());
    // More clusters than slots; a turn and a pair of slots that there are not.
    refused(clusters, B as u32 + 1);
    refused(clusters, B as u32 | (B as u32) << 16);
    refused(clusters + 1, B as u32);
    refused(clusters + 1, (B as u32) << 16);
    // Without any weight nothing could be anomalous.
    let weights = B.div_ceil(2);
    let end = image.len() / 4 - 3;
    let mut weightless = image.clone();
    weightless[4 * (end - weights)..4 * end].fill(0);
    reseal(&mut weightless);
    let refusal = restore(&mut Model::new(), &weightless);
    assert_eq!(refusal, Err(ImageError::Malformed));
    // Any weights but these, and any bytes, are legal, and what comes of them is finite.
    for place in clusters + 2..image.len() / 4 - 3 {
        for word in [0, u32::MAX, 0x8080_8080] {
            let mut model = changed(place, word).expect("legal");
            for x in draw(7, 60, machine) {
                assert!(model.learn(&x).expect("finite").score.is_finite());
            }
        }
    }
}
