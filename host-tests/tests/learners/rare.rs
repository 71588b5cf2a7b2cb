//! Rare classes: margins and steps by class.

use pocketron::{
    label::Sign,
    prelude::*,
    rule::{Balanced, ClassCounts, Evaluated, F1, Factor, Factors, PerClass, Rule, Step},
};
use pocketron_testkit::data::shuffle::SplitMix64;

/// A point of the plane, one in `rare` of which is positive: a disc in the middle, with some that are wrong.
fn stream(seed: u64, examples: usize, rare: u64) -> Vec<([f32; 2], Sign)> {
    let mut rng = SplitMix64::new(seed);
    let mut even =
        |from: f32, to: f32| from + (to - from) * (rng.below(1 << 20) as f32 / (1 << 20) as f32);
    let mut one = || {
        if even(0.0, rare as f32) < 1.0 {
            ([even(-0.6, 0.6), even(-0.6, 0.6)], Sign::Pos)
        } else {
            ([even(-2.0, 2.0), even(-2.0, 2.0)], Sign::Neg)
        }
    };
    (0..examples).map(|_| one()).collect()
}

fn example(label: Sign, score: f32) -> Evaluated<'static, ()> {
    Evaluated::scored(label, score)
}

fn plain_rule() -> MarginRule {
    MarginRule::new(1.0).with_margin(1.0)
}

#[test]
fn factors_of_one_change_no_bit() {
    let even = Factors {
        pos: Factor::ONE,
        neg: Factor::ONE,
    };
    let (mut plain, mut factored) = (plain_rule(), PerClass::with_factors(plain_rule(), even));
    // So do counts of classes that come in turn: the first of a pair is the common one.
    let mut balanced = PerClass::<_, Balanced>::new(plain_rule());
    let mut rng = SplitMix64::new(4);
    for n in 0..2000 {
        let score = rng.below(4000) as f32 / 1000.0 - 2.0;
        let label = if n % 2 == 0 { Sign::Pos } else { Sign::Neg };
        let example = example(label, score);
        let step = plain.step(&example);
        assert_eq!(step, factored.step(&example));
        assert_eq!(step, balanced.step(&example));
    }
}

/// Whether an example of a class and score is learned, and how far.
fn step(rule: &impl Fn() -> PerClass<MarginRule, Factors>, label: Sign, score: f32) -> Option<f32> {
    let Step { coefficient, .. } = rule().step(&example(label, score));
    coefficient
}

#[test]
fn values_are_the_margins_and_steps_of_their_class() {
    let factors = Factors {
        pos: Factor {
            margin: 4.0,
            step: 2.0,
        },
        neg: Factor {
            margin: 0.25,
            step: 1.0,
        },
    };
    let rule = || PerClass::with_factors(MarginRule::new(0.5).with_margin(1.0), factors);
    assert_eq!(step(&rule, Sign::Pos, 4.0), Some(1.0));
    assert_eq!(step(&rule, Sign::Pos, 4.01), None);
    assert_eq!(step(&rule, Sign::Neg, -0.25), Some(-0.5));
    assert_eq!(step(&rule, Sign::Neg, -0.26), None);
    // The same as PAUM's, step aside.
    let mut paum = MarginRule::new(0.5).with_margins(0.25, 4.0);
    for score in [-5.0_f32, -0.3, 0.0, 0.2, 0.3, 3.9, 4.1] {
        for label in [Sign::Pos, Sign::Neg] {
            let paum = paum.step(&example(label, score)).coefficient;
            assert_eq!(
                paum.is_some(),
                step(&rule, label, score).is_some(),
                "{score}"
            );
        }
    }
}

#[test]
fn factors_outside_their_domain_are_refused() {
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        for (margin, step) in [(bad, 1.0), (1.0, bad)] {
            let bad = Factor { margin, step };
            for (pos, neg) in [(bad, Factor::ONE), (Factor::ONE, bad)] {
                let rule = PerClass::with_factors(plain_rule(), Factors { pos, neg });
                assert!(rule.check().is_err(), "{margin} {step}");
            }
        }
    }
}

fn counted(pos: u32, neg: u32) -> (PerClass<MarginRule, Balanced>, PerClass<MarginRule, F1>) {
    let rule = MarginRule::new(1.0).with_margin(1.0);
    let (mut balanced, mut f1) = (PerClass::new(rule), PerClass::new(rule));
    for n in 0..pos.max(neg) {
        for (label, count) in [(Sign::Pos, pos), (Sign::Neg, neg)] {
            if n < count {
                balanced.step(&example(label, 9.0 * label.value()));
                f1.step(&example(label, 9.0 * label.value()));
            }
        }
    }
    (balanced, f1)
}

#[test]
fn the_ratio_is_the_root_of_the_counts_from_one_to_ten() {
    assert_eq!(ClassCounts::default().ratio(), 1.0);
    for (pos, neg, ratio) in [
        (0, 1, 1.0),
        (0, 9, 3.0),
        (4, 100, 5.0),
        (100, 4, 5.0),
        (1, 99, 99_f32.sqrt()),
        (1, 100, 10.0),
        (2, 5000, 10.0),
        (7, 7, 1.0),
    ] {
        let (balanced, f1) = counted(pos, neg);
        assert_eq!(balanced.factors().counts().of(Sign::Pos), pos);
        assert_eq!(balanced.factors().counts().of(Sign::Neg), neg);
        assert!(
            (f1.factors().counts().ratio() - ratio).abs() < 1e-5,
            "{pos} {neg}"
        );
    }
}

#[test]
fn each_mode_moves_the_margins_and_steps_that_it_says() {
    // 24 negative and one positive to come: rho is sqrt(24).
    let rho = 24_f32.sqrt();
    let at = |label: Sign, margin: f32| example(label, label.value() * margin);
    let (balanced, f1) = counted(0, 24);
    for (margin, size) in [
        (0.99 * rho, Some(rho)),
        (1.01 * rho, None),
        (-3.0, Some(rho)),
    ] {
        let step = balanced.clone().step(&at(Sign::Pos, margin)).coefficient;
        assert_eq!(step.is_some(), size.is_some(), "{margin}");
        assert!((step.unwrap_or(0.0) - size.unwrap_or(0.0)).abs() < 1e-5);
        let step = f1.clone().step(&at(Sign::Pos, margin)).coefficient;
        assert_eq!(step, (margin <= 1.0).then_some(1.0));
    }
    // After 24 and one, another negative: rho is five.
    let (balanced, f1) = counted(1, 24);
    for (margin, plain, shy) in [
        (0.19, true, true),
        (0.21, true, false),
        (1.01, false, false),
    ] {
        let step = balanced.clone().step(&at(Sign::Neg, margin)).coefficient;
        assert_eq!(step, plain.then_some(-1.0), "{margin}");
        let step = f1.clone().step(&at(Sign::Neg, margin)).coefficient;
        assert_eq!(step, shy.then_some(-1.0), "{margin}");
    }
}

/// Recall, and the share of negatives that are right, after one pass; over six streams.
fn rates<C>(fresh: fn() -> C) -> [f64; 2]
where
    C: OnlineClassifier<Input = [f32; 2], Label = Sign>,
{
    let (mut right, mut all) = ([0.0; 2], [0.0; 2]);
    for seed in 0..6 {
        let mut model = fresh();
        for (x, label) in stream(1 + 10 * seed, 12_000, 50) {
            model.learn(&x, label).expect("good");
        }
        for (x, label) in stream(2 + 10 * seed, 12_000, 50) {
            let class = usize::from(label == Sign::Neg);
            all[class] += 1.0;
            right[class] += f64::from(u8::from(model.predict(&x) == Ok(label)));
        }
    }
    [right[0] / all[0], right[1] / all[1]]
}

#[test]
fn modes_find_more_of_a_rare_class_and_pay_in_false_alarms() {
    let [plain, plain_silent] = rates(Pocketron::<2, 40>::new);
    let [f1, f1_silent] = rates(PocketronRare::<2, 40, F1>::new);
    let [balanced, balanced_silent] = rates(PocketronRare::<2, 40>::new);
    assert!(plain <= f1 && f1 < balanced, "{plain} {f1} {balanced}");
    assert!(
        plain_silent >= f1_silent && f1_silent > balanced_silent,
        "{plain_silent} {f1_silent} {balanced_silent}"
    );
    assert!(
        balanced > 0.6 && balanced_silent > 0.8,
        "{balanced} {balanced_silent}"
    );
}

/// The disc is nearly all that can be told: one negative in eleven lies in it.
#[test]
fn balanced_errors_find_nine_in_ten_of_a_rare_class() {
    let [balanced, balanced_silent] = rates(PocketronRare::<2, 40>::new);
    assert!(
        balanced > 0.9 && balanced_silent > 0.8,
        "{balanced} {balanced_silent}"
    );
}

#[test]
fn the_modes_cost_eight_bytes() {
    assert_eq!(
        size_of::<PocketronRare<5, 30>>(),
        size_of::<Pocketron<5, 30>>() + 8
    );
    assert_eq!(
        size_of::<PocketronRare<5, 30, F1>>(),
        size_of::<Pocketron<5, 30>>() + 8
    );
}

/// A step of ten for a rare class must not bend the kernel ten times as fast.
#[test]
fn large_steps_leave_features_their_pace() {
    let mut model = PocketronRare::<2, 12>::new();
    let (mut before, mut least) = (1.0_f32, 1.0_f32);
    for (x, label) in stream(3, 3000, 100) {
        // Far from everything, each on its own: there the kernel widens.
        let far = if label == Sign::Pos { 20.0 } else { 0.5 };
        model.learn(&x.map(|x| far * x), label).expect("good");
        let largest = model.kernel().weights().fold(0.0, f32::max);
        if largest > 0.0 {
            let pace = (largest / before).max(before / largest);
            assert!(pace < 1.13, "{before} {largest}");
            least = least.min(largest);
            before = largest;
        }
    }
    // How it ends is a matter of the last few examples.
    assert!(least < 0.9, "{least}: it did widen");
}
