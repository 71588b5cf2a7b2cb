//! `rho += 0.01 ((m <= 0) - rho)`, `eta = (0.3 / (rho + 0.001))^4`, from 0.05 to 1.

use pocketron::{
    label::Sign,
    rule::{Evaluated, Rule, SelfTunedBelow},
};

use crate::formulas::TestRng;

/// A step rounds three times, each by at most 2^-24 of a number below one, and leaves 0.99 of what it was off before.
const SHARE: f64 = 3.0 * 6e-8 / 0.01;
/// A power of four multiplies that by four, over a share of at least 0.05 where a step is below one.
const SIZE: f64 = 4.0 * SHARE / 0.05 + 1e-6;

fn follows_its_formula<const PERCENT: u32, const POWER: u32>(seed: u64) {
    let mut rng = TestRng::new(seed);
    let mut rule = SelfTunedBelow::<PERCENT, POWER>::new();
    let mut rho = 0.5;
    let (mut least, mut most) = (1.0_f64, 0.0_f64);
    for n in 0..20_000 {
        // Times in which nearly all labels are right, and times in which hardly any is.
        let trust = [0.98, 0.7, 0.4][n / 700 % 3];
        let label = if rng.chance(0.5) {
            Sign::Pos
        } else {
            Sign::Neg
        };
        let margin = if rng.chance(trust) {
            rng.even(0.0, 1.5)
        } else {
            rng.even(-1.5, 0.0)
        } as f32;
        let example = Evaluated {
            label,
            score: label.value() * margin,
            self_similarity: 1.0,
            own_steps: 0,
        };
        let step = rule.step(&example);
        if margin > 1.0 {
            assert_eq!(step.coefficient, None, "{n}");
            continue;
        }
        rho += 0.01 * (f64::from(u8::from(margin <= 0.0)) - rho);
        let trusted = f64::from(PERCENT) / 100.0;
        let eta = (trusted / (rho + 0.001))
            .powi(POWER as i32)
            .clamp(0.05, 1.0);
        let coefficient = f64::from(step.coefficient.expect("within the margin"));
        let expected = eta * f64::from(label.value());
        assert!(
            (f64::from(rule.mistakes()) - rho).abs() <= SHARE,
            "{n}: {rho} {rule:?}"
        );
        assert!(
            (coefficient / expected - 1.0).abs() <= SIZE,
            "{n}: {coefficient} {expected}"
        );
        (least, most) = (least.min(eta), most.max(eta));
    }
    assert!(
        least < 0.1 && most == 1.0,
        "from {least} to {most} says little"
    );
}

#[test]
fn the_share_of_mistakes_and_the_step_follow_their_formula() {
    for seed in 0..5 {
        follows_its_formula::<30, 4>(seed);
        follows_its_formula::<35, 3>(seed);
    }
}
