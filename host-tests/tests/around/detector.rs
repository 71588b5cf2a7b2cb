//! Three rates of errors.

use pocketron::wrap::drift::ErrorRateDetector;
use pocketron_testkit::data::shuffle::SplitMix64;

#[test]
fn the_detector_does_what_its_formula_says() {
    let mut rng = SplitMix64::new(9);
    let mut detector = ErrorRateDetector::new();
    let (mut fast, mut slow, mut slowest) = (0.0_f64, 0.0_f64, 0.0_f64);
    let (mut wait, mut seen, mut alarms) = (0, 0_u32, 0);
    for t in 1..40_000_u64 {
        // Now and then it gets worse for a while, and at last little by little.
        let bad = t < 20_000 && t % 3000 > 2500;
        let creeping = t.saturating_sub(25_000) / 400;
        let mistake = rng.below(100) < if bad { 45 } else { 8 + creeping };
        let e = f64::from(u8::from(mistake));
        seen = (seen + 1).min(8192);
        fast += (e - fast) / 32.0;
        slow += (e - slow) / f64::from(seen.min(512));
        slowest += (e - slowest) / f64::from(seen);
        let limit = |rate: f64, n: f64| 5.0 * ((rate * (1.0 - rate)).max(0.03) / n).sqrt();
        let worse = fast - slow > limit(slow, 63.0) || slow - slowest > limit(slowest, 1023.0);
        let mut alarm = false;
        if wait > 0 {
            wait -= 1;
        } else if seen > 200 && worse {
            (alarm, slow, slowest) = (true, fast, fast);
            (wait, seen) = (200, 32);
        }
        assert_eq!(detector.watch(mistake), alarm, "{t}: {fast} {slow}");
        assert_eq!(detector.alarmed(), alarm);
        let ours = [
            detector.recent_error(),
            detector.earlier_error(),
            detector.long_term_error(),
        ];
        for (ours, reference) in ours.into_iter().zip([fast, slow, slowest]) {
            assert!((f64::from(ours) - reference).abs() < 1e-5, "{t}");
        }
        alarms += u32::from(alarm);
    }
    assert!((6..14).contains(&alarms), "{alarms}");
}

fn alarms(percent: u64, examples: u32, seed: u64) -> u32 {
    let mut rng = SplitMix64::new(seed);
    let mut detector = ErrorRateDetector::new();
    (0..examples)
        .map(|_| u32::from(detector.watch(rng.below(100) < percent)))
        .sum()
}

#[test]
fn a_steady_stream_hardly_ever_alarms() {
    for percent in [0, 1, 2, 3, 5, 10, 20, 30, 50] {
        let false_alarms: u32 = (0..50).map(|seed| alarms(percent, 20_000, seed)).sum();
        assert!(
            false_alarms <= 12,
            "{percent} %: {false_alarms} in a million"
        );
    }
}

#[test]
fn a_jump_is_noticed_and_a_fall_is_not() {
    for (before, after, soon) in [(5, 50, 60), (10, 60, 60), (1, 40, 60), (20, 80, 60)] {
        let mut rng = SplitMix64::new(before);
        let mut detector = ErrorRateDetector::new();
        for _ in 0..2000 {
            assert!(!detector.watch(rng.below(100) < before));
        }
        let noticed = (0..500).find(|_| detector.watch(rng.below(100) < after));
        assert!(noticed.is_some_and(|n| n < soon), "{before}: {noticed:?}");
        for _ in 0..2000 {
            assert!(!detector.watch(rng.below(100) < before), "it is better");
        }
    }
}

#[test]
fn what_gets_worse_little_by_little_is_noticed() {
    for seed in 0..10 {
        let mut rng = SplitMix64::new(seed);
        let mut detector = ErrorRateDetector::new();
        for _ in 0..4000 {
            assert!(!detector.watch(rng.below(1000) < 100));
        }
        // From 10 to 30 % in 10,000 examples.
        let noticed = (0..10_000).find(|n| detector.watch(rng.below(1000) < 100 + n / 50));
        assert!(noticed.is_some_and(|n| n < 6000), "{noticed:?}");
    }
}

#[test]
fn nothing_is_judged_at_first_and_after_an_alarm() {
    let mut detector = ErrorRateDetector::new();
    assert!((0..150).all(|_| !detector.watch(false)));
    assert!((0..50).all(|_| !detector.watch(true)), "too early");
    assert!(detector.watch(true));
    assert!(detector.alarmed() && !detector.is_stable());
    assert!((0..200).all(|_| !detector.watch(true)));
    assert!(!detector.alarmed());
    // What became usual is no alarm.
    assert!((0..5000).all(|_| !detector.watch(true)));
    assert!((0..300).all(|_| !detector.watch(false)));
    assert!(detector.is_stable());
}
