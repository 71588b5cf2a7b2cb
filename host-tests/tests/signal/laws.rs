//! What holds for every input.

use pocketron::{
    persist::Blank,
    signal::{FrontEnd, Motion, Quality, Windowed, features::*},
};
use proptest::prelude::*;

use crate::signals::All;

type Rich<S> =
    Windowed<S, (PerChannel<All<2>>, Magnitude<All<2>>, Correlations), 3, 16, 2, { 4 * 10 + 3 }>;
type Spectra<S> = Windowed<S, PerChannel<Spectrum<16, 4>>, 3, 16, 2, 12>;

/// Any bits, and those that are awkward.
fn float() -> impl Strategy<Value = f32> {
    let awkward = [
        0.0,
        -0.0,
        f32::MAX,
        f32::MIN,
        f32::NAN,
        f32::INFINITY,
        1e-45,
        1e12,
        -2e12,
    ];
    prop_oneof![
        any::<u32>().prop_map(f32::from_bits),
        prop::sample::select(awkward.to_vec()),
        -1.0..1.0_f32
    ]
}

fn whole() -> impl Strategy<Value = i16> {
    prop_oneof![any::<i16>(), Just(i16::MIN), Just(i16::MAX), -3..3_i16]
}

fn finite<F: FrontEnd>(samples: &[F::Sample]) -> Vec<F::Features> {
    let mut front_end = F::BLANK;
    let features: Vec<F::Features> = samples
        .iter()
        .filter_map(|sample| front_end.push(sample))
        .collect();
    for row in &features {
        assert!(
            row.as_ref().iter().all(|x| x.is_finite()),
            "{:?}",
            row.as_ref()
        );
    }
    features
}

proptest! {
    #[test]
    fn no_float_makes_a_feature_that_is_not_finite(samples in prop::collection::vec([float(), float(), float()], 64)) {
        let usable = samples.iter().filter(|sample| sample.iter().all(|x| x.is_finite())).count();
        let rows = finite::<Rich<f32>>(&samples).len();
        prop_assert!(rows <= 7 && (usable < 64 || rows == 7), "{rows}");
        prop_assert_eq!(finite::<Spectra<f32>>(&samples).len(), rows);
        let mut front_end = Rich::<f32>::BLANK;
        for sample in &samples {
            front_end.push(sample);
        }
        prop_assert_eq!(front_end.quality().non_finite as usize, 64 - usable);
        prop_assert_eq!(front_end.quality().samples, 64);
    }

    #[test]
    fn no_whole_number_makes_a_feature_that_is_not_finite(samples in prop::collection::vec([whole(), whole(), whole()], 64)) {
        prop_assert_eq!(finite::<Rich<i16>>(&samples).len(), 7);
        prop_assert_eq!(finite::<Spectra<i16>>(&samples).len(), 7);
    }

    #[test]
    fn an_offset_moves_mean_and_range_and_nothing_else(
        samples in prop::collection::vec([-9000..9000_i16, -9000..9000_i16, -9000..9000_i16], 40),
        offset in -9000..9000_i16,
    ) {
        type Moved = Windowed<i16, (PerChannel<(MeanDeviation, Range, Crossings, MeanStep, Peaks, Bands<2>)>, Correlations), 3, 16, 2, 30>;
        let moved: Vec<[i16; 3]> = samples.iter().map(|sample| sample.map(|x| x + offset)).collect();
        for (before, after) in finite::<Moved>(&samples).iter().zip(finite::<Moved>(&moved)) {
            for feature in 0..30 {
                let moves = feature < 27 && [0, 2, 3].contains(&(feature % 9));
                if moves {
                    let expected = before[feature] + f32::from(offset);
                    prop_assert!((after[feature] - expected).abs() < 0.01, "{} {}", after[feature], expected);
                } else {
                    prop_assert_eq!(before[feature], after[feature], "feature {}", feature);
                }
            }
        }
    }

    #[test]
    fn a_long_gap_begins_a_new_window(samples in prop::collection::vec([whole(), whole(), whole()], 64), at in 0..64_usize, lost in 2..9_u32) {
        let (before, after) = samples.split_at(at);
        let (mut front_end, mut found) = (Rich::<i16>::BLANK, Vec::new());
        found.extend(before.iter().filter_map(|sample| front_end.push(sample)));
        front_end.skip(lost);
        found.extend(after.iter().filter_map(|sample| front_end.push(sample)));
        let mut expected = finite::<Rich<i16>>(before);
        expected.extend(finite::<Rich<i16>>(after));
        prop_assert_eq!(found, expected);
        prop_assert_eq!(front_end.quality().lost, lost);
    }

    /// In windows of 128 samples up to four of a hop.
    #[test]
    fn a_short_gap_is_bridged_by_the_sample_before_it(samples in prop::collection::vec([whole(), whole(), whole()], 400), at in 1..400_usize, lost in 1..5_usize) {
        let (before, after) = samples.split_at(at);
        let repeated = vec![before[at - 1]; lost];
        let expected = finite::<Motion<128>>(&[before, &repeated, after].concat());
        let (mut front_end, mut found) = (Motion::<128>::BLANK, Vec::new());
        found.extend(before.iter().filter_map(|sample| front_end.push(sample)));
        front_end.skip(lost as u32);
        found.extend(after.iter().filter_map(|sample| front_end.push(sample)));
        prop_assert!(expected[..found.len()] == found);
        // Behind the last sample nothing is bridged.
        prop_assert!(found.len() + 1 >= expected.len());
        prop_assert_eq!(front_end.quality().lost, lost as u32);
        prop_assert_eq!(front_end.quality().samples, 400);
    }
}

/// A bus error in every window, or in every hop.
#[test]
fn a_sensor_that_loses_a_sample_now_and_then_still_answers() {
    for every in [100, 40, 16] {
        let (mut front_end, mut rows) = (Motion::<128>::BLANK, 0);
        for t in 0..6400_i16 {
            if t % every == 0 {
                front_end.skip(1);
            } else {
                rows += u32::from(front_end.push(&[t % 50, t % 7, 1000]).is_some());
            }
        }
        assert!(rows >= 98, "{rows} windows with an error every {every}");
    }
    // More than a thirty-second of the samples: there is not enough left of the signal.
    let mut front_end = Motion::<128>::BLANK;
    let push = |t: i16| match t % 8 {
        0 => {
            front_end.skip(1);
            None
        }
        _ => front_end.push(&[t % 50, t % 7, 1000]),
    };
    assert_eq!((0..6400).filter_map(push).count(), 0);
}

#[test]
fn no_window_spans_a_gap_of_samples_that_are_not_finite() {
    let still = [0.5, 0.0, 1.0];
    let shaken = |t: usize| [(t % 5) as f32, 0.0, 1.0];
    let mut front_end = Motion::<128, f32>::BLANK;
    let gap = [[f32::NAN, 0.0, 1.0]; 250];
    let mut push = |sample: [f32; 3]| front_end.push(&sample);
    assert_eq!((0..100).filter_map(|_| push(still)).count(), 0);
    assert_eq!(gap.into_iter().filter_map(&mut push).count(), 0);
    let rows: Vec<_> = (0..128).filter_map(|t| push(shaken(t))).collect();
    let alone: Vec<[f32; 3]> = (0..128).map(shaken).collect();
    assert_eq!(rows, finite::<Motion<128, f32>>(&alone));
    // A single one is bridged.
    assert_eq!(push([f32::INFINITY, 0.0, 1.0]), None);
    assert_eq!((0..63).filter_map(|t| push(shaken(t))).count(), 1);
    assert_eq!(front_end.quality().non_finite, 251);
}

#[test]
fn the_names_of_a_hundred_features_differ() {
    type Fine = Windowed<i16, PerChannel<Spectrum<256, 128>>, 1, 256, 1, 128>;
    let mut names: Vec<String> = (0..128)
        .map(|feature| {
            let mut name = String::new();
            Fine::feature_name(feature, &mut name).expect("a string");
            name
        })
        .collect();
    assert!(names[127].ends_with("128"), "{}", names[127]);
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 128);
}

#[test]
fn a_constant_signal_has_finite_features_and_is_noticed() {
    let mut front_end = Rich::<i16>::BLANK;
    let mut rows = 0;
    for _ in 0..48 {
        if let Some(features) = front_end.push(&[7, -7, 7]) {
            assert!(features.iter().all(|x| x.is_finite()));
            assert_eq!(features[1], 0.0, "deviation");
            assert_eq!(features[5..10], [0.0; 5], "crossings, step, peaks, bands");
            assert_eq!(features[40..], [0.0; 3], "correlations");
            rows += 1;
        }
    }
    assert_eq!(rows, 5);
    assert_eq!(front_end.quality().constant, 48 - Quality::STUCK);
    assert!(!front_end.quality().is_good());
    front_end.push(&[7, -7, 8]);
    front_end.push(&[7, -7, 8]);
    assert_eq!(front_end.quality().constant, 48 - Quality::STUCK);
}

#[test]
fn saturated_samples_are_counted_by_the_range_of_the_sensor() {
    let mut front_end = Motion::<128>::BLANK;
    let mut twelve_bits = Motion::<128, i16, 2047>::BLANK;
    for sample in [[0, i16::MAX, 0], [i16::MIN; 3], [2047, 0, 1], [-2048, 1, 0]] {
        front_end.push(&sample);
    }
    assert_eq!(front_end.quality().saturated, 2);
    for sample in [[2046, 0, 0], [2047, 0, 1], [-2048, 1, 0]] {
        twelve_bits.push(&sample);
    }
    assert_eq!(twelve_bits.quality().saturated, 2);
    let mut float = Motion::<128, f32, 8>::BLANK;
    float.push(&[0.0, 1e30, 0.0]);
    float.push(&[0.0, -8.0, 0.0]);
    float.push(&[0.0, 7.9, 0.0]);
    assert_eq!(float.quality().saturated, 2);
    let mut float = Rich::<f32>::BLANK;
    float.push(&[0.0, 1e30, 0.0]);
    float.push(&[0.0, 1e9, 0.0]);
    assert_eq!(float.quality().saturated, 1);
}

#[test]
fn restart_forgets_the_window_and_keeps_the_counters() {
    let mut front_end = Rich::<i16>::BLANK;
    let samples: Vec<[i16; 3]> = (0..40).map(|t| [t * 31 % 17, t * 13 % 11, t]).collect();
    samples[..15]
        .iter()
        .for_each(|sample| assert!(front_end.push(sample).is_none()));
    front_end.restart();
    let after: Vec<_> = samples
        .iter()
        .filter_map(|sample| front_end.push(sample))
        .collect();
    assert_eq!(after, finite::<Rich<i16>>(&samples));
    assert_eq!(
        front_end.quality(),
        Quality {
            samples: 55,
            ..Quality::default()
        }
    );
    front_end.skip(0);
    assert!(front_end.quality().is_good());
    front_end.skip(u32::MAX);
    front_end.skip(1);
    assert_eq!(front_end.quality().lost, u32::MAX);
}
