//! Every feature against float64, over windows of all overlaps.

use pocketron::{
    num::rng::XorShift32,
    persist::{self, Blank},
    signal::{FrontEnd, Motion, Vibration, Windowed, features::*},
};

use crate::{reference, signals::All};

const OF_CHANNEL: usize = 13;

type Rich<S, const N: usize, const P: usize> = Windowed<
    S,
    (PerChannel<All<5>>, Magnitude<All<5>>, Correlations),
    3,
    N,
    P,
    { 4 * OF_CHANNEL + 3 },
>;

/// A rhythm with a tilt that changes, and noise of several sizes.
fn movement(seed: u32, samples: usize) -> Vec<[i16; 3]> {
    let mut generator = XorShift32::new(seed);
    let sample = |t: usize| {
        let mut noise = |size: u32| generator.below(2 * size + 1) as i32 - size as i32;
        let tilt = 700 * (t as i32 / 200 % 3 - 1);
        let swing = 40 * (10 - (t as i32 % 23 - 11).abs());
        [
            swing + noise(3),
            tilt + swing / 2 + noise(200),
            1000 - tilt + noise(1),
        ]
    };
    (0..samples)
        .map(sample)
        .map(|sample| sample.map(|x| x as i16))
        .collect()
}

/// Compares every window with the reference, and returns how many there were.
fn compare<S: Copy, F>(samples: &[[S; 3]], value: impl Fn(S) -> f64, is_whole: bool) -> usize
where
    F: FrontEnd<Sample = [S; 3]>,
{
    let floor = if is_whole { 1.0 } else { (2.0_f64).powi(-20) };
    let (mut front_end, mut windows) = (F::BLANK, 0);
    let mut channels: [Vec<f64>; 4] = Default::default();
    for (number, sample) in samples.iter().enumerate() {
        let exact = sample.map(&value);
        let length = exact.iter().map(|x| x * x).sum::<f64>().sqrt();
        for (channel, x) in channels.iter_mut().zip(exact) {
            channel.push(x);
        }
        channels[3].push(if is_whole {
            length.floor()
        } else {
            f64::from(length as f32)
        });
        let Some(features) = front_end.push(sample) else {
            assert!(number + 1 < F::WINDOW || (number + 1) % F::HOP != 0);
            continue;
        };
        assert_eq!((number + 1) % F::HOP, 0);
        let begin = number + 1 - F::WINDOW;
        let mut expected = Vec::new();
        for channel in &channels {
            expected.extend(reference::channel(channel, F::WINDOW, F::HOP, floor));
        }
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            expected.push(reference::correlation(
                &channels[a][begin..],
                &channels[b][begin..],
            ));
        }
        for (feature, (found, expected)) in features.as_ref().iter().zip(&expected).enumerate() {
            let error = (f64::from(*found) - expected).abs();
            let tolerance = if is_whole { 1e-6 } else { 2e-4 };
            assert!(
                error <= tolerance * expected.abs().max(1.0),
                "sample {number}, {}: {found} instead of {expected}",
                name::<F>(feature)
            );
        }
        windows += 1;
    }
    windows
}

fn name<F: FrontEnd>(feature: usize) -> String {
    let mut name = String::new();
    F::feature_name(feature, &mut name).expect("text");
    name
}

#[test]
fn whole_numbers_give_the_features_of_the_reference_at_every_overlap() {
    let samples = movement(1, 1000);
    assert_eq!(
        compare::<i16, Rich<i16, 128, 1>>(&samples, f64::from, true),
        7
    );
    assert_eq!(
        compare::<i16, Rich<i16, 128, 2>>(&samples, f64::from, true),
        14
    );
    assert_eq!(
        compare::<i16, Rich<i16, 128, 4>>(&samples, f64::from, true),
        28
    );
    assert_eq!(
        compare::<i16, Rich<i16, 96, 3>>(&samples, f64::from, true),
        29
    );
}

#[test]
fn the_largest_whole_numbers_do_not_overflow() {
    let mut generator = XorShift32::new(5);
    let ends = [i16::MIN, i16::MAX, i16::MIN, 0];
    let mut end = || ends[generator.below(4) as usize];
    let samples: Vec<[i16; 3]> = (0..400).map(|_| [end(), end(), end()]).collect();
    assert_eq!(
        compare::<i16, Rich<i16, 64, 2>>(&samples, f64::from, true),
        11
    );
    // The longest window of the steepest signal.
    let steep: Vec<[i16; 3]> = (0..32768)
        .map(|t| [ends[t % 2], ends[t % 2], ends[(t + 1) % 2]])
        .collect();
    assert_eq!(
        compare::<i16, Rich<i16, 32768, 1>>(&steep, f64::from, true),
        1
    );
}

#[test]
fn floating_point_gives_the_features_of_the_reference() {
    let in_g = |sample: &[i16; 3]| sample.map(|x| f32::from(x) / 1000.0);
    let samples: Vec<[f32; 3]> = movement(2, 1000).iter().map(in_g).collect();
    assert_eq!(
        compare::<f32, Rich<f32, 128, 2>>(&samples, f64::from, false),
        14
    );
    assert_eq!(
        compare::<f32, Rich<f32, 96, 3>>(&samples, f64::from, false),
        29
    );
}

#[test]
fn a_large_offset_costs_a_float_no_digits_of_its_deviation() {
    // Pascals: steps of 1/128 are all that a float has there.
    let samples = (0..64).map(|t| [101_325.0 + if t % 2 == 0 { 0.0 } else { 0.25 }]);
    let mut front_end = Windowed::<f32, PerChannel<MeanDeviation>, 1, 64, 2, 2>::BLANK;
    let features = samples.filter_map(|sample| front_end.push(&sample)).last();
    assert_eq!(features, Some([101_325.125, 0.125]));
}

#[test]
fn the_spectrum_is_that_of_its_definition() {
    let mut front_end = Windowed::<i16, PerChannel<Spectrum<128, 8>>, 3, 128, 2, 24>::BLANK;
    let samples = movement(3, 640);
    let mut windows = 0;
    for (number, sample) in samples.iter().enumerate() {
        let Some(features) = front_end.push(sample) else {
            continue;
        };
        windows += 1;
        for channel in 0..3 {
            let window = &samples[number + 1 - 128..=number];
            let window: Vec<f64> = window.iter().map(|sample| sample[channel].into()).collect();
            let expected = reference::spectrum(&window, 8, 1.0);
            let found = &features[8 * channel..8 * (channel + 1)];
            for (part, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let error = (f64::from(*found) - expected).abs();
                assert!(
                    error < 1e-3,
                    "channel {channel}, part {part}: {found} {expected}"
                );
            }
        }
    }
    assert_eq!(windows, 9);
}

#[test]
fn a_tone_is_in_the_band_of_its_octave() {
    // Periods of 3, 6, 12 and 24 samples lie in the middle of bands 1 to 4.
    for band in 0..4 {
        let period = f64::from(3 << band);
        let mut front_end = Windowed::<i16, PerChannel<Bands<4>>, 3, 128, 2, 12>::BLANK;
        let tone = |t: u32| (8000.0 * (f64::from(t) * std::f64::consts::TAU / period).sin()) as i16;
        let features = (0..128).find_map(|t| front_end.push(&[tone(t), 0, 1000]));
        let features = features.expect("a window");
        let bands = &features[..4];
        let loudest = (0..4).max_by(|a, b| bands[*a].total_cmp(&bands[*b]));
        assert_eq!(loudest, Some(band), "{bands:?}");
    }
}

#[test]
fn levels_are_logarithms_of_deviation_and_step() {
    type Plain = Windowed<i16, PerChannel<(MeanDeviation, MeanStep)>, 3, 64, 2, 9>;
    type Levels = Windowed<i16, PerChannel<(MeanLevel, StepLevel)>, 3, 64, 2, 9>;
    let (mut plain, mut levels, mut windows) = (Plain::BLANK, Levels::BLANK, 0);
    let mut samples = movement(6, 400);
    samples.extend([[7, 7, 7]; 200]);
    for sample in samples {
        let (Some(plain), Some(levels)) = (plain.push(&sample), levels.push(&sample)) else {
            continue;
        };
        for ([mean, deviation, step], [other, level, step_level]) in
            plain.as_chunks().0.iter().zip(levels.as_chunks().0)
        {
            assert_eq!(mean, other);
            for (size, logarithm) in [(deviation, level), (step, step_level)] {
                let expected = (1.0 + f64::from(*size).powi(2)).log2();
                assert!(
                    (f64::from(*logarithm) - expected).abs() < 1e-3,
                    "{size} {logarithm}"
                );
            }
        }
        windows += 1;
    }
    assert_eq!(windows, 17);
}

#[test]
fn features_have_names_in_their_order() {
    let names: Vec<String> = (0..4).map(name::<Motion<128>>).collect();
    assert_eq!(names, ["x mean", "x level", "x step level", "y mean"]);
    assert_eq!(name::<Motion<128>>(11), "z to x");
    assert_eq!(name::<Motion<128>>(12), "");
    assert_eq!(name::<Vibration<64>>(12), "band 6");
    assert_eq!(name::<Rich<f32, 128, 1>>(39), "magnitude mean");
    let last = [52, 53, 54].map(name::<Rich<f32, 128, 1>>);
    assert_eq!(last, ["x to y", "y to z", "z to x"]);
    let names: std::collections::BTreeSet<String> = (0..55).map(name::<Rich<i16, 64, 1>>).collect();
    assert_eq!(names.len(), 55, "all different");
    type Many = Windowed<i16, (PerChannel<MeanDeviation>, Correlations), 12, 8, 1, 36>;
    assert_eq!(name::<Many>(23), "channel 12 deviation");
    assert_eq!(name::<Many>(35), "channel 12 to 1");
}

#[test]
fn an_image_says_which_features_and_holds_no_window() {
    let text = |part: &dyn persist::Persist| {
        let mut text = String::new();
        persist::describe(part, &mut |piece| text += piece);
        text
    };
    let mut motion = Motion::<128>::BLANK;
    assert_eq!(
        text(&motion),
        "windowed(i16(3,128,2),each(mean-level,step-level),correlations)"
    );
    let spectrum = Windowed::<f32, PerChannel<Spectrum<64, 4>>, 1, 64, 1, 4>::BLANK;
    assert_eq!(text(&spectrum), "windowed(f32(1,64,1),each(spectrum(4)))");
    assert_eq!(
        text(&Rich::<i16, 64, 2>::BLANK),
        "windowed(i16(3,64,2),\
         each(moments,range,energy,crossings,step,peaks,bands(5)),\
         magnitude(moments,range,energy,crossings,step,peaks,bands(5)),correlations)"
    );

    let mut buffer = [0; 256];
    let image = persist::to_bytes(&motion, &mut buffer)
        .expect("room")
        .to_vec();
    for sample in &movement(4, 100) {
        assert!(motion.push(sample).is_none());
    }
    assert_eq!(persist::to_bytes(&motion, &mut buffer), Ok(&image[..]));
    persist::restore(&mut motion, &mut &image[..]).expect("its own image");
    let mut shorter = Motion::<64>::BLANK;
    assert!(persist::restore(&mut shorter, &mut &image[..]).is_err());
    let rest = movement(4, 128);
    let found = rest[100..].iter().find_map(|sample| motion.push(sample));
    let mut other = Motion::<128>::BLANK;
    assert_eq!(found, rest.iter().find_map(|sample| other.push(sample)));
    assert!(found.is_some(), "the window went on");
}

#[test]
fn the_watch_data_have_their_size_and_the_features_of_the_reference() {
    let recording = pocketron_testkit::data::recording::watch().expect("the recording");
    assert_eq!((recording.len(), recording.segments.len()), (244_102, 140));
    assert_eq!((recording.classes.len(), recording.people.len()), (7, 10));
    let samples = recording.samples_i16::<3>().expect("whole numbers");
    let first = recording.segments[0].samples.clone();
    assert!(compare::<i16, Rich<i16, 128, 2>>(&samples[first], f64::from, true) > 10);
}

/// Twice the movement is two more, in units above the floor; below it, nothing is seen.
#[test]
fn levels_tell_movements_apart_whose_deviation_is_above_the_floor() {
    const LEVELS: [usize; 6] = [1, 2, 4, 5, 7, 8];
    /// Levels and step levels of a square wave of that size, three samples up and three down.
    fn levels<F: FrontEnd>(sample: impl Fn(bool) -> F::Sample) -> [f32; 6] {
        let mut front_end = F::BLANK;
        let features = (0..96).find_map(|t| front_end.push(&sample(t % 6 < 3)));
        let features = features.expect("a window");
        LEVELS.map(|level| features.as_ref()[level])
    }
    let rise_f32 = |size: f32| {
        let at = |size: f32| levels::<Motion<96, f32>>(|up| [if up { size } else { -size }; 3]);
        let (single, double) = (at(size), at(2.0 * size));
        [0, 1, 2, 3, 4, 5].map(|level| double[level] - single[level])
    };
    let rise_i16 = |size: i16| {
        let at = |size: i16| levels::<Motion<96>>(|up| [if up { size } else { -size }; 3]);
        let (single, double) = (at(size), at(2 * size));
        [0, 1, 2, 3, 4, 5].map(|level| double[level] - single[level])
    };
    let is_seen = |rise: [f32; 6]| rise.iter().all(|rise| (1.5..2.01).contains(rise));
    for size in [0.002, 0.01, 1.0, 1e3, 1e6] {
        assert!(is_seen(rise_f32(size)), "{size}: {:?}", rise_f32(size));
    }
    for size in [2, 10, 1000, 16_000] {
        assert!(is_seen(rise_i16(size)), "{size}: {:?}", rise_i16(size));
    }
    // The earth's magnetic field in tesla.
    assert!(rise_f32(5e-5).iter().all(|rise| *rise < 0.02));
}
