//! Histories against a naive memory of all hypotheses.

use pocketron::{
    budget::Stop,
    classifier::{OnlineClassifier as _, Scorer as _},
    history::{Averaged, History, Last, LongestSurvivor, Prefixes, Raw, UnitNorm, Voted},
    hypothesis::{Biased, Expansion, FixedRadius, Linear},
    kernel::Polynomial,
    label::Sign,
    learners::perceptron::Perceptron,
    persist::Blank,
    rule::{Alma, MarginRule, UnitSteps},
    storage::Inline,
};
use pocketron_testkit::all_voters::AllVoters;
use proptest::prelude::*;

use super::{
    past::Past,
    rows::{D, MANY, Rows, cube, grid, taught},
};

const QUADRATIC: fn() -> Polynomial = || Polynomial::new(2, 1.0, 1.0).expect("a kernel");
const ETA: f32 = 0.5;
const TAU: f32 = 0.25;

/// A learner in the dual with `B` slots and nothing given up.
fn stopping<Y, const B: usize>(
    history: Y,
) -> Perceptron<Expansion<Polynomial, Stop, Inline<D, B>>, MarginRule, Y> {
    let rule = MarginRule::new(ETA).with_margin(TAU);
    Perceptron::with_history(Expansion::new(QUADRATIC(), Stop), rule, history)
}

fn past<const OPENING: u32, const B: usize>(rows: &Rows) -> Past {
    Past::of(
        rows,
        QUADRATIC(),
        (f64::from(ETA), f64::from(TAU)),
        (OPENING, B),
    )
}

fn voted_as_naively<const OPENING: u32, const B: usize>(rows: &Rows) -> Result<(), TestCaseError> {
    let past = past::<OPENING, B>(rows);
    let prefixes = taught(
        stopping::<_, B>(Voted::<Prefixes<Inline<D, B>>, OPENING>::BLANK),
        rows,
    );
    let copies = taught(
        stopping::<_, B>(Voted::<AllVoters<u32>, OPENING>::BLANK),
        rows,
    );
    for (x, _) in rows {
        let naive = past.vote(x);
        prop_assert_eq!(
            f64::from(prefixes.score(x).expect("finite")),
            naive,
            "opening {}, budget {}",
            OPENING,
            B
        );
        prop_assert_eq!(f64::from(copies.score(x).expect("finite")), naive, "copies");
    }
    // Every vote is somewhere: those that fell to the zero function have no slot.
    let history = prefixes.history();
    let kept: u32 = history.vote_store().votes().iter().sum::<u32>() + history.current_votes();
    let naive = past
        .hypotheses
        .iter()
        .filter(|kept| !kept.vectors.is_empty() || kept.run == 0);
    prop_assert_eq!(kept, naive.map(|kept| kept.run).sum::<u32>());
    Ok(())
}

fn averaged_as_naively<const OPENING: u32, const B: usize>(
    rows: &Rows,
) -> Result<(), TestCaseError> {
    let past = past::<OPENING, B>(rows);
    let raw = taught(
        stopping::<_, B>(Averaged::<[f32; B], Raw, OPENING>::BLANK),
        rows,
    );
    let scaled = taught(
        stopping::<_, B>(Averaged::<[f32; B], UnitNorm, OPENING>::BLANK),
        rows,
    );
    for (x, _) in rows {
        prop_assert_eq!(
            f64::from(raw.score(x).expect("finite")),
            past.sum(x),
            "opening {}, budget {}",
            OPENING,
            B
        );
        let (ours, naive) = (
            f64::from(scaled.score(x).expect("finite")),
            past.scaled_sum(x),
        );
        let size = past
            .hypotheses
            .iter()
            .map(|kept| f64::from(kept.run))
            .sum::<f64>()
            * 4.0;
        prop_assert!(
            (ours - naive).abs() <= 1e-5 * size.max(1.0),
            "{ours} and {naive}"
        );
    }
    Ok(())
}

fn longest_as_naively<const B: usize>(rows: &Rows) -> Result<(), TestCaseError> {
    let past = past::<0, B>(rows);
    let model = taught(stopping::<_, B>(LongestSurvivor::<u32>::BLANK), rows);
    prop_assert_eq!(model.history().record(), past.longest().run);
    for (x, _) in rows {
        let naive = past.score(past.longest(), x);
        prop_assert_eq!(
            f64::from(model.score(x).expect("finite")),
            naive,
            "budget {}",
            B
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn votes_by_prefix_sums_are_those_of_a_naive_count(rows in grid()) {
        voted_as_naively::<0, MANY>(&rows)?;
        voted_as_naively::<1, MANY>(&rows)?;
    }

    #[test]
    fn votes_stay_right_when_a_full_memory_refuses(rows in grid()) {
        voted_as_naively::<0, 3>(&rows)?;
        voted_as_naively::<1, 3>(&rows)?;
        voted_as_naively::<1, 1>(&rows)?;
    }

    #[test]
    fn the_average_is_the_sum_of_all_hypotheses(rows in grid()) {
        averaged_as_naively::<0, MANY>(&rows)?;
        averaged_as_naively::<1, MANY>(&rows)?;
        averaged_as_naively::<0, 3>(&rows)?;
        averaged_as_naively::<1, 3>(&rows)?;
    }

    #[test]
    fn the_longest_survivor_is_the_earliest_of_the_longest_runs(rows in grid()) {
        longest_as_naively::<MANY>(&rows)?;
        longest_as_naively::<4>(&rows)?;
        longest_as_naively::<1>(&rows)?;
    }

    #[test]
    fn the_norm_kept_along_is_the_norm(rows in grid()) {
        let past = past::<1, MANY>(&rows);
        let last = past.hypotheses.last().expect("at least one");
        let model = taught(stopping::<_, MANY>(Last::<UnitNorm>::BLANK), &rows);
        for (x, _) in &rows {
            let norm = past.norm(last);
            let naive = if norm > 0.0 { past.score(last, x) / norm } else { 0.0 };
            let ours = f64::from(model.score(x).expect("finite"));
            prop_assert!((ours - naive).abs() <= 1e-5 * naive.abs().max(1.0), "{ours} and {naive}");
        }
    }

    /// A bias is a part of every hypothesis: in votes, in sums and in the survivor.
    #[test]
    fn a_bias_is_remembered_with_its_hypothesis(rows in grid()) {
        type Line = Biased<Linear<[f32; D]>>;
        type Snapshot = ([f32; D], f32);
        let line = || Line::new(Linear::BLANK, FixedRadius(2.0), 0.0);
        let rule = MarginRule::new(ETA).with_margin(TAU);
        let voted = taught(Perceptron::with_history(line(), rule, Voted::<AllVoters<Snapshot>>::BLANK), &rows);
        let summed = taught(Perceptron::with_history(line(), rule, Averaged::<(Option<[f32; D]>, f32)>::BLANK), &rows);
        let longest = taught(Perceptron::with_history(line(), rule, LongestSurvivor::<Snapshot>::BLANK), &rows);
        // b = 2 sum of steps: the kernel x . z + 2.
        let kernel = Polynomial::new(1, 1.0, 2.0).expect("a kernel");
        let past = Past::of(&rows, kernel, (f64::from(ETA), f64::from(TAU)), (1, MANY));
        let counted_from_zero = Past::of(&rows, kernel, (f64::from(ETA), f64::from(TAU)), (0, MANY));
        for (x, _) in &rows {
            prop_assert_eq!(f64::from(voted.score(x).expect("finite")), past.vote(x));
            prop_assert_eq!(f64::from(summed.score(x).expect("finite")), past.sum(x));
            let naive = counted_from_zero.score(counted_from_zero.longest(), x);
            prop_assert_eq!(f64::from(longest.score(x).expect("finite")), naive);
        }
    }

    /// Every other example of an alternation at one point fails: nothing ever survives, and the first hypothesis predicts.
    #[test]
    fn the_first_hypothesis_predicts_until_another_survives(start in -3i8..=3, turns in 0usize..6) {
        type Line = Biased<Linear<[f32; D]>>;
        type Snapshot = ([f32; D], f32);
        let start = f32::from(start) / 4.0;
        let line = Line::new(Linear::BLANK, FixedRadius(64.0), start);
        let mut model = Perceptron::with_history(line, UnitSteps, LongestSurvivor::<Snapshot>::BLANK);
        let x = [0.25; D];
        let first = if start > 0.0 { Sign::Neg } else { Sign::Pos };
        let second = if start > 0.0 { Sign::Pos } else { Sign::Neg };
        for label in [first, second].into_iter().cycle().take(turns) {
            prop_assert!(model.learn(&x, label).expect("finite").mistake);
            prop_assert_eq!(model.score(&x).expect("finite"), start);
        }
        prop_assert_eq!(model.history().record(), 0);
        prop_assert_eq!(model.score(&x).expect("finite"), start);
    }

    #[test]
    fn two_histories_watch_what_each_would_see_alone(rows in grid()) {
        type Votes = Voted<Prefixes<Inline<D, MANY>>>;
        let both = taught(stopping::<_, MANY>(<(LongestSurvivor<u32>, Votes)>::BLANK), &rows);
        let longest = taught(stopping::<_, MANY>(LongestSurvivor::<u32>::BLANK), &rows);
        let voted = taught(stopping::<_, MANY>(Votes::BLANK), &rows);
        for (x, _) in &rows {
            prop_assert_eq!(both.score(x), longest.score(x), "the first one predicts");
            let second = both.history().1.score(both.hypothesis(), x);
            prop_assert_eq!(Ok(second), voted.score(x));
        }
    }
}

/// The sum of the hypotheses that survived, not of what a shrinking step made of them afterwards.
#[test]
fn a_hypothesis_enters_the_average_as_it_was_when_it_survived() {
    let rule = Alma::new(0.9).expect("an accuracy");
    for seed in 0..20 {
        let rows = cube(seed);
        let mut model = Perceptron::with_history(
            Linear::<[f32; D]>::BLANK,
            rule,
            Averaged::<Option<[f32; D]>>::BLANK,
        );
        let (mut sum, mut now, mut run) = ([0.0f64; D], [0.0f64; D], 0.0);
        let fold = |sum: &mut [f64; D], now: &[f64; D], run: f64| {
            sum.iter_mut().zip(now).for_each(|(sum, w)| *sum += run * w);
        };
        for (x, label) in &rows {
            if model.learn(x, *label).expect("finite").changed() {
                fold(&mut sum, &now, run);
                (now, run) = (model.hypothesis().weights().map(f64::from), 1.0);
            } else {
                run += 1.0;
            }
        }
        fold(&mut sum, &now, run);
        for (x, _) in &rows {
            let naive: f64 = sum.iter().zip(x).map(|(w, x)| w * f64::from(*x)).sum();
            let ours = f64::from(model.score(x).expect("finite"));
            assert!(
                (ours - naive).abs() <= 1e-3 * naive.abs().max(1.0),
                "seed {seed}: {ours} and {naive}"
            );
        }
    }
}
