//! What a watched learner does when the world has changed.

use pocketron::{
    classifier::Scorer,
    label::Class,
    persist::Ready,
    prelude::*,
    wrap::drift::{
        DriftMonitor, ErrorRateDetector, Freeze, Reaction, Report, Reset, RollBack, Snapshot,
    },
};

use crate::{kept::bytes_of, turned, yinyang};

type Inner = Pocketron<2, 40>;

/// Learns 4000 examples, then turned ones until it alarms; returns how many that took.
fn until_alarm<R: Reaction<Inner>>(model: &mut DriftMonitor<Inner, R>) -> usize {
    for (x, label) in &yinyang(4000, 1, 0) {
        model.learn(x, *label).expect("finite");
        assert!(!model.alarmed());
    }
    let alarm = turned(&yinyang(400, 2, 0))
        .iter()
        .position(|(x, label)| {
            model.learn(x, *label).expect("finite");
            model.alarmed()
        })
        .expect("an alarm");
    assert!(alarm < 40, "{alarm}");
    alarm
}

fn right(model: &Inner) -> f64 {
    let test = yinyang(2000, 7, 0);
    let right = |(x, label): &&([f32; 2], Sign)| model.predict(x) == Ok(*label);
    test.iter().filter(right).count() as f64 / 2000.0
}

/// Examples of both classes so far.
fn seen(model: &Inner) -> u32 {
    model.seen(Class(0)) + model.seen(Class(1))
}

fn watched<R: Ready>() -> DriftMonitor<Inner, R> {
    DriftMonitor::new()
}

#[test]
fn before_the_alarm_all_learn_as_without() {
    fn check<R: Reaction<Inner> + Ready>() {
        let (mut plain, mut model) = (Inner::new(), watched::<R>());
        for (x, label) in &yinyang(3000, 3, 10) {
            assert_eq!(plain.learn(x, *label), model.learn(x, *label));
            assert_eq!(plain.score(x), model.score(x));
        }
        assert!(bytes_of(&plain) == bytes_of(model.learner()));
    }
    check::<Report>();
    check::<Reset>();
    check::<Freeze>();
    check::<RollBack<Inner>>();
    check::<Snapshot<Inner, Reset>>();
}

#[test]
fn telling_changes_nothing() {
    let mut model = watched::<Report>();
    let taught = until_alarm(&mut model);
    let mut plain = Inner::new();
    let after = turned(&yinyang(400, 2, 0));
    for (x, label) in yinyang(4000, 1, 0).iter().chain(&after[..=taught]) {
        plain.learn(x, *label).expect("finite");
    }
    assert!(bytes_of(&plain) == bytes_of(model.learner()));
}

#[test]
fn emptying_forgets_and_learns_the_new_world_sooner() {
    let (mut empty, mut plain) = (watched::<Reset>(), watched::<Report>());
    until_alarm(&mut empty);
    until_alarm(&mut plain);
    assert!(empty.learner().vectors().is_empty());
    assert_eq!(seen(empty.learner()), 0);
    for (x, label) in &turned(&yinyang(400, 5, 0)) {
        empty.learn(x, *label).expect("finite");
        plain.learn(x, *label).expect("finite");
    }
    let wrong_now = [right(empty.learner()), right(plain.learner())];
    assert!(wrong_now[0] < 0.15, "{wrong_now:?}");
    assert!(wrong_now[0] < wrong_now[1] - 0.1, "{wrong_now:?}");
}

#[test]
fn emptying_finds_a_sensor_that_has_moved() {
    let moved = |n, seed| {
        let mut examples = yinyang(n, seed, 0);
        for (x, _) in &mut examples {
            *x = x.map(|x| x + 30.0);
        }
        examples
    };
    let (mut empty, mut plain) = (watched::<Reset>(), watched::<Report>());
    for (x, label) in yinyang(4000, 1, 0).iter().chain(&moved(1500, 2)) {
        empty.learn(x, *label).expect("finite");
        plain.learn(x, *label).expect("finite");
    }
    let test = moved(1000, 7);
    let share_right = |model: &Inner| {
        let right = |(x, label): &&([f32; 2], Sign)| model.predict(x) == Ok(*label);
        test.iter().filter(right).count() as f64 / 1000.0
    };
    let right = [share_right(empty.learner()), share_right(plain.learner())];
    assert!(right[0] > 0.85 && right[0] > right[1] + 0.1, "{right:?}");
}

#[test]
fn a_frozen_model_stays_what_it_is_until_it_may_learn_again() {
    let mut model = watched::<Freeze>();
    until_alarm(&mut model);
    assert!(model.is_frozen());
    let before = bytes_of(model.learner());
    for (x, label) in &turned(&yinyang(500, 5, 0)) {
        let score = model.score(x).expect("finite");
        let outcome = model.learn(x, *label).expect("finite");
        assert_eq!((outcome.score, outcome.admission), (score, None));
        assert_eq!(outcome.predicted, Sign::of(score));
        assert_eq!(outcome.mistake, label.value() * score <= 0.0);
    }
    assert!(before == bytes_of(model.learner()));
    assert!(model.learn(&[f32::NAN, 0.0], Sign::Pos).is_err());
    assert!(right(model.learner()) > 0.85);
    model.resume();
    assert!(!model.is_frozen());
    model.learn(&[0.0, 0.0], Sign::Pos).expect("finite");
    assert!(before != bytes_of(model.learner()));
}

#[test]
fn rolling_back_brings_the_model_of_the_good_times() {
    let mut model = watched::<RollBack<Inner>>();
    until_alarm(&mut model);
    let kept = model.reaction().kept().expect("there were good times");
    assert!(bytes_of(kept) == bytes_of(model.learner()));
    // At most two copies ago, and nothing of what came after the change.
    let seen = seen(kept);
    assert!((4000 - 600..=4002).contains(&seen), "{seen}");
    assert!(right(model.learner()) > 0.9);
}

#[test]
fn a_snapshot_stays_until_it_is_taken() {
    let mut model = watched::<Snapshot<Inner, Reset>>();
    assert!(model.reaction().kept().is_none());
    until_alarm(&mut model);
    assert!(model.learner().vectors().is_empty());
    let kept = model.reaction().kept().expect("there were good times");
    assert!(right(kept) > 0.9);
    let before = bytes_of(kept);
    for (x, label) in &turned(&yinyang(2000, 5, 0)) {
        model.learn(x, *label).expect("finite");
    }
    let kept = model.reaction_mut().take().expect("it stayed");
    assert!(bytes_of(&kept) == before);
    assert!(model.reaction().kept().is_none() && model.reaction_mut().take().is_none());
}

#[test]
fn a_second_alarm_goes_back_again() {
    let mut model = watched::<RollBack<Inner>>();
    until_alarm(&mut model);
    // The disturbance is over for a while, and comes back.
    let mut stable = 0;
    for (x, label) in &yinyang(3000, 5, 0) {
        model.learn(x, *label).expect("finite");
        stable += u32::from(model.is_stable());
    }
    assert!(stable > 1000, "{stable}");
    let again = turned(&yinyang(400, 6, 0)).iter().any(|(x, label)| {
        model.learn(x, *label).expect("finite");
        model.alarmed()
    });
    assert!(again && right(model.learner()) > 0.9);
}

#[test]
fn watching_costs_what_its_table_says() {
    let inner = size_of::<Inner>();
    assert_eq!(size_of::<ErrorRateDetector>(), 16);
    assert_eq!(size_of::<DriftMonitor<Inner, Report>>(), inner + 16);
    assert_eq!(size_of::<DriftMonitor<Inner, Reset>>(), inner + 16);
    assert_eq!(size_of::<DriftMonitor<Inner, Freeze>>(), inner + 20);
    // Whether there is a copy needs no byte of its own.
    let copied = inner + 4;
    assert_eq!(
        size_of::<DriftMonitor<Inner, RollBack<Inner>>>(),
        inner + 16 + copied
    );
    let snapshot = size_of::<DriftMonitor<Inner, Snapshot<Inner, Reset>>>();
    assert_eq!(snapshot, inner + 16 + copied + 4);
}
