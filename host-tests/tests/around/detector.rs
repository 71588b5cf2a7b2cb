//! Two rates of errors.

use pocketron::drift::TwoRates;
use pocketron_host::data::shuffle::SplitMix64;

#[test]
fn the_detector_does_what_its_formula_says() {
    let mut dice = SplitMix64::new(9);
    let mut detector = TwoRates::new();
    let (mut fast, mut slow, mut wait, mut alarms) = (0.0_f64, 0.0_f64, 0, 0);
    for t in 1..20_000_u64 {
        // Now and then it gets worse for a while.
        let bad = t % 3000 > 2500;
        let mistake = dice.below(100) < if bad { 45 } else { 8 };
        let e = f64::from(u8::from(mistake));
        fast += (e - fast) / 32.0;
        slow += (e - slow) / t.min(512) as f64;
        let mut alarm = false;
        if wait > 0 {
            wait -= 1;
        } else if t > 200 && fast - slow > 5.0 * ((slow * (1.0 - slow)).max(0.03) / 63.0).sqrt() {
            (alarm, slow, wait) = (true, fast, 200);
        }
        assert_eq!(detector.watch(mistake), alarm, "{t}: {fast} {slow}");
        assert_eq!(detector.alarmed(), alarm);
        assert!((f64::from(detector.lately()) - fast).abs() < 1e-5);
        assert!((f64::from(detector.before()) - slow).abs() < 1e-5);
        alarms += u32::from(alarm);
    }
    assert!((4..10).contains(&alarms), "{alarms}");
}

fn alarms(percent: u64, examples: u32, seed: u64) -> u32 {
    let mut dice = SplitMix64::new(seed);
    let mut detector = TwoRates::new();
    (0..examples)
        .map(|_| u32::from(detector.watch(dice.below(100) < percent)))
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
        let mut dice = SplitMix64::new(before);
        let mut detector = TwoRates::new();
        for _ in 0..2000 {
            assert!(!detector.watch(dice.below(100) < before));
        }
        let noticed = (0..500).find(|_| detector.watch(dice.below(100) < after));
        assert!(noticed.is_some_and(|n| n < soon), "{before}: {noticed:?}");
        for _ in 0..2000 {
            assert!(!detector.watch(dice.below(100) < before), "it is better");
        }
    }
}

#[test]
fn nothing_is_judged_at_first_and_after_an_alarm() {
    let mut detector = TwoRates::new();
    assert!((0..150).all(|_| !detector.watch(false)));
    assert!((0..50).all(|_| !detector.watch(true)), "too early");
    assert!(detector.watch(true));
    assert!(detector.alarmed() && !detector.is_calm());
    assert!((0..200).all(|_| !detector.watch(true)));
    assert!(!detector.alarmed());
    // What became usual is no alarm.
    assert!((0..5000).all(|_| !detector.watch(true)));
    assert!((0..300).all(|_| !detector.watch(false)));
    assert!(detector.is_calm());
}
