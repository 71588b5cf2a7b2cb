//! `rho += 0.01 ((m <= 0) - rho)`, `eta0 = (0.3 / (rho + 0.001))^4` from 0.05 to 1, and what becomes of it in the long run.

use pocketron::{
    label::Sign,
    learners::continual::{AnnealedSteps, StepContext, StepRule as _},
};
use pocketron_testkit::data::rng::TestRng;

/// A step rounds three times, each by at most 2^-24 of a number below one, and leaves 0.99 of what it was off before.
const SHARE: f64 = 3.0 * 6e-8 / 0.01;
/// A power of four multiplies that by four, over a share of at least 0.05 where a step is below one; twice where it is
/// squared for robust_to_noise.
const SIZE: f64 = 2.0 * (4.0 * SHARE / 0.05 + 1e-6);

const SLOTS: usize = 3;

#[derive(Debug, Default)]
struct Tally {
    drifted: usize,
    distrusted: usize,
    settled: usize,
    absent: usize,
    new: usize,
}

fn follows_its_formula<const PERCENT: u32, const POWER: u32>(seed: u64, tally: &mut Tally) {
    let mut rng = TestRng::new(seed);
    let mut rule = AnnealedSteps::<PERCENT, POWER>::default();
    let (mut rho, mut updates) = (0.5, 0.0_f64);
    for n in 0..20_000 {
        // Times in which nearly all labels are right, and times in which hardly any is.
        let trust = [0.98, 0.7, 0.4][n / 700 % 3];
        let margin = if rng.between(0.0, 1.0) < trust {
            rng.between(0.0, 1.5)
        } else {
            rng.between(-2.5, 0.0)
        } as f32;
        let context = StepContext {
            slots: SLOTS,
            gain: 2.0,
            new_class: rng.between(0.0, 1.0) < 0.02,
            full: n > 500,
            merged: n > 600,
            mostly_absent: rng.between(0.0, 1.0) < 0.1,
            error_rate: if rng.between(0.0, 1.0) < 0.02 {
                0.75
            } else {
                0.25
            },
            immaturity: 1.0 / (1.0 + n as f32 / 10_000.0),
            annealing: true,
            robust_to_noise: true,
        };
        let step = rule.step(Sign::Pos, margin, &context);
        if margin > 1.0 {
            assert_eq!(step, None, "{n}");
            continue;
        }
        if context.mostly_absent {
            tally.absent += 1;
        } else {
            rho += 0.01 * (f64::from(u8::from(margin <= 0.0)) - rho);
        }
        let trusted = f64::from(PERCENT) / 100.0;
        let trusted = (trusted / (rho + 0.001))
            .powi(POWER as i32)
            .clamp(0.05, 1.0);
        let annealing = (1.0 / (1.0 + updates / (64.0 * SLOTS as f64)).sqrt()).max(0.05);
        let (mut size, mut mobility) = (trusted * annealing, annealing);
        if context.new_class {
            size = size.max((1.0 - f64::from(margin)) / 2.0);
            mobility = 1.0;
            tally.new += 1;
        } else if context.full && margin < 0.0 && context.error_rate > 0.5 {
            updates *= 63.0 / 64.0;
            size = trusted.max(0.5);
            tally.drifted += 1;
        } else if context.full && margin < -1.0 {
            let immaturity = f64::from(context.immaturity);
            let factor = trusted + (1.0 - trusted) * immaturity.powi(4);
            size *= factor;
            mobility *= factor;
            tally.distrusted += 1;
        }
        if context.merged && !context.mostly_absent {
            updates += 1.0;
        }
        let step = step.expect("within the margin");
        assert!(
            (f64::from(rule.mistakes()) - rho).abs() <= SHARE,
            "{n}: {rho} {rule:?}"
        );
        assert!(
            (f64::from(step.size) / size - 1.0).abs() <= SIZE,
            "{n}: {step:?} {size}"
        );
        assert!(
            (f64::from(step.mobility) / mobility - 1.0).abs() <= SIZE,
            "{n}: {step:?} {mobility}"
        );
        tally.settled += usize::from(annealing < 0.5);
    }
}

#[test]
fn steps_follow_their_formula_as_they_settle() {
    let mut tally = Tally::default();
    for seed in 0..5 {
        follows_its_formula::<30, 4>(seed, &mut tally);
        follows_its_formula::<35, 3>(seed, &mut tally);
    }
    println!("{tally:?}");
    let Tally {
        drifted,
        distrusted,
        settled,
        absent,
        new,
    } = tally;
    assert!(
        drifted.min(distrusted).min(settled).min(absent).min(new) > 300,
        "{tally:?}"
    );
}

#[test]
fn steps_do_not_settle_where_they_are_told_not_to() {
    let mut rule = AnnealedSteps::<30, 4>::default();
    let context = StepContext {
        slots: 1,
        gain: 1.0,
        new_class: false,
        full: true,
        merged: true,
        mostly_absent: false,
        error_rate: 0.0,
        immaturity: 0.5,
        annealing: false,
        robust_to_noise: false,
    };
    for _ in 0..2000 {
        let step = rule.step(Sign::Neg, 0.5, &context).expect("too close");
        assert_eq!(step.mobility, 1.0);
        assert_eq!(step.size, rule.size());
    }
    // Nor do rehearsals, which take the same factor.
    assert_eq!(rule.annealing(1), 1.0);
}
