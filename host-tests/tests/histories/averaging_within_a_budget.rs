//! Averages of hypotheses whose vectors come and go.

use pocketron::{
    budget::{
        Admission, Compensating, LargestMargin, LeastLoss, Merging, Oldest, Policy, Random, Stop,
    },
    classifier::{OnlineClassifier as _, Scorer as _},
    history::{Averaged, Raw},
    hypothesis::Expansion,
    kernel::{self, Gaussian, Kernel},
    label::Sign,
    learners::perceptron::Perceptron,
    persist::Blank,
    rule::{MarginRule, PassiveAggressive, Rule, UnitSteps},
    storage::Inline,
};

use super::rows::{D, Rows, cube};

/// The rule of `Averageable for Expansion`: a slot has a mass, the sum of its coefficients over time, which goes
/// where its vector goes.
fn follow(masses: &mut Vec<f64>, admission: Admission) {
    match admission {
        Admission::Inserted => masses.push(0.0),
        Admission::Replaced(slot) => masses[slot] = 0.0,
        Admission::Shifted(slot) => {
            masses.remove(slot);
            masses.push(0.0);
        }
        Admission::Merged { into, freed } => {
            // The example is the last of the slots until one of them is freed.
            masses.push(0.0);
            let freed = freed.unwrap_or(masses.len() - 1);
            masses[into] += masses[freed];
            masses.remove(freed);
        }
        Admission::Joined(_) | Admission::Absorbed => {}
        Admission::Refused | Admission::Exhausted => unreachable!("nothing changed"),
    }
}

/// Averages within a budget as the rule has it; returns how many vectors were given up and how many merged.
fn averaged_within_a_budget<P, R, const OPENING: u32>(policy: P, rule: R, seed: u64) -> (u32, u32)
where
    P: Policy<Gaussian, Inline<D, B>> + Clone,
    R: Rule + Copy,
{
    let kernel = Gaussian::constant(1.5);
    let expansion = || Expansion::<_, _, Inline<D, B>>::new(kernel, policy.clone());
    let mut plain = Perceptron::from_parts(expansion(), rule);
    let mut model =
        Perceptron::with_history(expansion(), rule, Averaged::<[f32; B], Raw, OPENING>::BLANK);
    let (mut masses, mut run, mut evicted, mut merged): (Vec<f64>, u32, u32, u32) =
        (vec![], 0, 0, 0);
    let rows: Rows = (0..5).flat_map(|part| cube(1000 * seed + part)).collect();
    for (x, label) in &rows {
        let before: Vec<f32> = plain.hypothesis().support().alphas().to_vec();
        let outcome = plain.learn(x, *label).expect("finite");
        assert_eq!(
            model.learn(x, *label),
            Ok(outcome),
            "a history only watches"
        );
        match outcome.admission {
            None => run += 1,
            Some(admission) => {
                for (mass, alpha) in masses.iter_mut().zip(&before) {
                    *mass += f64::from(run) * f64::from(*alpha);
                }
                run = 0;
                if admission.changed() {
                    follow(&mut masses, admission);
                    run = OPENING;
                }
                evicted += u32::from(admission.evicted().is_some());
                merged += u32::from(matches!(admission, Admission::Merged { .. }));
            }
        }
        let set = plain.hypothesis().support();
        assert_eq!(masses.len(), set.len());
        let share = |slot: usize| masses[slot] + f64::from(run) * f64::from(set.alpha(slot));
        let near = |slot: usize| f64::from(kernel.pair(&set.point(slot), x));
        let terms: Vec<f64> = (0..set.len())
            .map(|slot| share(slot) * near(slot))
            .collect();
        let (naive, size) = (
            terms.iter().sum::<f64>(),
            terms.iter().map(|term| term.abs()).sum::<f64>(),
        );
        let ours = f64::from(model.score(x).expect("finite"));
        assert!(
            (ours - naive).abs() <= 1e-5 * size.max(1.0),
            "{ours} and {naive}"
        );
    }
    (evicted, merged)
}

const B: usize = 6;

#[test]
fn what_a_budget_gives_up_takes_its_share_of_the_average_with_it() {
    fn both<P: Policy<Gaussian, Inline<D, B>> + Clone>(name: &str, policy: P) -> u32 {
        let mut evicted = 0;
        for seed in 0..6 {
            evicted += averaged_within_a_budget::<_, _, 1>(policy.clone(), UnitSteps, seed).0;
            let rule = MarginRule::new(0.5).with_margins(0.1, 0.4);
            evicted += averaged_within_a_budget::<_, _, 0>(policy.clone(), rule, seed).0;
        }
        assert!(
            evicted >= 100 || name == "stop",
            "{name}: {evicted} evicted"
        );
        evicted
    }
    both("oldest", Oldest::new());
    both("random", Random::new(9));
    both("largest margin", LargestMargin::<Inline<D, B>>::new());
    both("least loss", LeastLoss::<Inline<D, B>>::new());
    assert_eq!(both("stop", Stop), 0);
    let passive = PassiveAggressive::new(0.5).expect("an aggressiveness");
    assert!(averaged_within_a_budget::<_, _, 1>(Compensating, passive, 1).0 > 10);
}

#[test]
fn a_merged_vector_hands_its_share_of_the_average_on() {
    let (mut evicted, mut merged) = (0, 0);
    for seed in 0..10 {
        let rule = MarginRule::new(1.0).with_margin(1.0);
        let counts = averaged_within_a_budget::<_, _, 1>(Merging, rule, seed);
        (evicted, merged) = (evicted + counts.0, merged + counts.1);
    }
    assert!(merged >= 200, "{merged} merged");
    // Now and then the example itself is merged away and nothing is evicted, or nothing merges.
    assert!(
        evicted > 0 && evicted != merged,
        "{evicted} evicted, {merged} merged"
    );
}

/// One slot, two directions at right angles: after the second came, the first has no say any more.
#[test]
fn nothing_is_left_of_a_vector_that_was_given_up() {
    let expansion = Expansion::<_, _, Inline<2, 1>>::new(kernel::LinearKernel, Oldest::new());
    let mut model = Perceptron::with_history(expansion, UnitSteps, Averaged::<[f32; 1]>::BLANK);
    let (east, north) = ([1.0, 0.0], [0.0, 1.0]);
    for _ in 0..4 {
        model.learn(&east, Sign::Pos).expect("finite");
    }
    // One vote to begin with and three survivals.
    assert_eq!(
        (model.score(&east), model.score(&north)),
        (Ok(4.0), Ok(0.0))
    );
    for _ in 0..2 {
        model.learn(&north, Sign::Neg).expect("finite");
    }
    assert_eq!(
        (model.score(&east), model.score(&north)),
        (Ok(0.0), Ok(-2.0))
    );
}
