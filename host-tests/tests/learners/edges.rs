//! Borders: where a rule stops to move, where single precision or a zero could break a learner.

use pocketron::{
    budget::{Admission, Compensating, LargestMargin, Merging, Projecting, Stop},
    classifier::{Outcome, RemoteModel, Warning},
    error::InputError,
    hypothesis::Linear,
    kernel::{Kernel, LinearKernel},
    label::Sign,
    learners::perceptron::LinearPerceptron,
    persist::Blank,
    prelude::*,
    rule::{Evaluated, Factor, Factors, LeastSquares, PerClass, Rule},
    storage::Inline,
};

use crate::common::streams::checkerboard;

/// Coefficient of an example with this `y f` and `k(x, x) = 2`.
fn coefficient(rule: &mut impl Rule, label: Sign, margin: f32) -> Option<f32> {
    let score = label.value() * margin;
    let example = Evaluated {
        self_similarity: 2.0,
        ..Evaluated::scored(label, score)
    };
    rule.step(&example).coefficient
}

#[test]
fn every_rule_moves_up_to_its_margin_and_no_further() {
    for label in [Sign::Neg, Sign::Pos] {
        let y = label.value();
        let tau_pos = if label == Sign::Pos { 0.5 } else { 9.0 };
        let tau_neg = if label == Sign::Neg { 0.5 } else { 9.0 };
        let mut uneven = MarginRule {
            eta: 0.25,
            tau_pos,
            tau_neg,
        };
        let mut passive = PassiveAggressive::new(0.75).expect("C");
        for (margin, unit, even, pa, shrinks) in [
            (-1.0, Some(y), Some(0.25 * y), Some(0.75 * y), true),
            (0.0, Some(y), Some(0.25 * y), Some(0.5 * y), true),
            (0.25, None, Some(0.25 * y), Some(0.375 * y), true),
            (0.5, None, Some(0.25 * y), Some(0.25 * y), true),
            (0.9375, None, None, Some(0.03125 * y), true),
            (1.0, None, None, None, true),
            (1.0625, None, None, None, false),
        ] {
            assert_eq!(coefficient(&mut UnitSteps, label, margin), unit, "{margin}");
            assert_eq!(coefficient(&mut uneven, label, margin), even, "{margin}");
            assert_eq!(coefficient(&mut passive, label, margin), pa, "{margin}");
            let mut shrinking = Shrinking::new(0.5).expect("lambda");
            for t in 1..=4 {
                let step = shrinks.then_some(y / (0.5 * t as f32));
                assert_eq!(
                    coefficient(&mut shrinking, label, margin),
                    step,
                    "{margin} at {t}"
                );
            }
        }
    }
}

/// The scores that a policy keeps must shrink with the weights, the newest one's too.
#[test]
fn kept_scores_follow_a_rule_that_shrinks() {
    type Memory = Inline<2, 8>;
    let kernel = Gaussian::constant(3.0);
    let rule = Shrinking::new(0.5).expect("lambda");
    let mut model =
        KernelPerceptron::<_, LargestMargin<Memory>, Memory, _>::with_rule(kernel, rule);
    let mut shifted = 0;
    for (t, (x, label)) in (1..).zip(checkerboard(400, 2, 2, 0.1, 3)) {
        let x = [x[0], x[1]];
        let before = model.support().clone();
        let admission = model.learn(&x, label).expect("finite").admission;
        let Some(Admission::Shifted(victim)) = admission else {
            continue;
        };
        shifted += 1;
        let (shrink, step) = (1.0 - 1.0 / t as f32, 2.0 / t as f32);
        let mut members: Vec<([f32; 2], f32)> = (0..before.len())
            .map(|slot| (before.point(slot), shrink * before.alpha(slot)))
            .collect();
        members.push((x, step * label.value()));
        let margin = |(place, alpha): &([f32; 2], f32)| {
            let score: f32 = members.iter().map(|(x, a)| a * kernel.pair(x, place)).sum();
            Sign::of(*alpha).value() * (score - alpha)
        };
        let margins: Vec<f32> = members.iter().map(margin).collect();
        let largest = margins.iter().copied().fold(f32::MIN, f32::max);
        let size: f32 = members.iter().map(|(_, alpha)| alpha.abs()).sum();
        assert!(
            margins[victim] >= largest - 1e-4 * size,
            "{t}: slot {victim} of {margins:?}"
        );
    }
    assert!(shifted > 20, "{shifted}");
}

/// With one vector of weight 1 and a mistake at similarity `k`, `a = 2 k - 1` and `phi` is a smooth function of it:
/// nothing happens where `a` goes through zero.
#[test]
fn the_forgetron_shrinks_smoothly_where_its_parabola_is_nearly_a_line() {
    let half = f32::sqrt(std::f32::consts::LN_2);
    for step in -2000..=2000 {
        let distance = half + step as f32 * 6e-8;
        let mut model = Forgetron::<1, 1>::new(Gaussian::constant(1.0));
        model.learn(&[0.0], Sign::Pos).expect("finite");
        model.learn(&[distance], Sign::Neg).expect("finite");
        let k = f64::exp(-f64::from(distance) * f64::from(distance));
        let (a, b, c) = (2.0 * k - 1.0, 2.0, -30.0 / 32.0);
        let phi = -2.0 * c / (b + f64::sqrt(b * b - 4.0 * a * c));
        let alpha = f64::from(model.support().alpha(0));
        assert!(
            (alpha + phi).abs() <= 1e-5,
            "at {distance}: {alpha}, not {}",
            -phi
        );
    }
}

/// `k(x, x) = 0` must not be divided by: a sensor at rest reads zero.
#[test]
fn a_point_at_the_origin_of_a_linear_kernel_leaves_the_model_finite() {
    type Small = Inline<2, 2>;
    let corners = [([1.0, 0.0], Sign::Pos), ([0.0, 1.0], Sign::Neg)];
    let stay_finite = |learn: &mut dyn FnMut(&[f32; 2], Sign) -> f32| {
        for (x, label) in corners
            .iter()
            .chain([&([0.0, 0.0], Sign::Pos)])
            .chain(&corners)
        {
            let score = learn(x, *label);
            assert!(score.is_finite(), "{score} at {x:?}");
        }
    };
    let mut replaced = KernelPerceptron::<_, Compensating, Small>::new(LinearKernel);
    stay_finite(&mut |x, y| {
        replaced
            .learn(x, y)
            .map_or(f32::NAN, |outcome| outcome.score)
    });
    let mut projected = KernelPerceptron::<_, Projecting<Stop, Small>, Small>::new(LinearKernel);
    stay_finite(&mut |x, y| {
        projected
            .learn(x, y)
            .map_or(f32::NAN, |outcome| outcome.score)
    });
    let rule = PassiveAggressive::new(1.0).expect("C");
    let mut passive = BpaS::<2, 2, LinearKernel>::with_rule(LinearKernel, rule);
    stay_finite(&mut |x, y| {
        passive
            .learn(x, y)
            .map_or(f32::NAN, |outcome| outcome.score)
    });
}

/// Every parameter that passes its check makes steps that single precision can hold.
#[test]
fn a_step_of_an_accepted_rule_is_finite() {
    for lambda in [1e-45, 1e-40, 1e-39, 1e-38, 1e-30] {
        let Ok(rule) = Shrinking::new(lambda) else {
            continue;
        };
        let mut model = Bsgd::<1, 2>::with_rule(Gaussian::constant(1.0), rule);
        model.learn(&[0.0], Sign::Pos).expect("finite");
        assert!(model.support().alpha(0).is_finite(), "lambda = {lambda:e}");
        assert!(
            model.learn(&[0.1], Sign::Neg).is_ok(),
            "lambda = {lambda:e}"
        );
    }
}

/// In fixed point all coefficients share a unit: a step that is nothing beside the others says so.
#[test]
fn a_step_that_is_rounded_to_zero_is_reported() {
    type Rule = PerClass<MarginRule, Factors>;
    type Dual<F> = KernelPerceptron<Gaussian, Merging, Inline<1, 4, F>, Rule>;
    let light = Factor {
        margin: 1.0,
        step: 1e-6,
    };
    let factors = Factors {
        pos: Factor::ONE,
        neg: light,
    };
    let rule = PerClass::with_factors(MarginRule::new(1.0), factors);
    let kernel = Gaussian::constant(1.0);
    let mut fixed = Dual::<i8>::with_rule(kernel, rule);
    let mut float = Dual::<f32>::with_rule(kernel, rule);
    let learned =
        |told: Result<Outcome<Sign>, InputError>| told.map(|told| (told.admission, told.warning));
    let inserted = Some(Admission::Inserted);
    for (near, label, warning) in [
        (false, Sign::Pos, None),
        (true, Sign::Neg, Some(Warning::Underflow)),
    ] {
        let (byte, float_x) = if near { (5, 0.2) } else { (127, 4.0) };
        let told = learned(fixed.learn(&[byte], label));
        assert_eq!(told, Ok((inserted, warning)));
        assert_eq!(
            learned(float.learn(&[float_x], label)),
            Ok((inserted, None))
        );
    }
    assert!(!fixed.is_saturated() && !float.is_saturated());
}

#[test]
fn a_step_that_is_cut_off_is_reported() {
    let descent = LeastSquares::new(1e28).expect("the largest");
    let mut model = LinearPerceptron::<1, LeastSquares>::from_parts(Linear::BLANK, descent);
    let told = model.learn(&[1.0], Sign::Pos).expect("finite");
    assert_eq!((told.warning, model.is_saturated()), (None, false));
    let told = model.learn(&[1.0], Sign::Neg).expect("finite");
    assert_eq!(told.warning, Some(Warning::Saturated));
    // The largest step from there: features of 1e12 take the weight to the end of `f32`.
    let mut model =
        LinearPerceptron::<1, MarginRule>::from_parts(Linear::BLANK, MarginRule::new(1e28));
    model.learn(&[1e15], Sign::Pos).expect("finite");
    assert!(model.is_saturated());
    assert!(model.score(&[1e-20]).is_ok_and(f32::is_finite));
}
