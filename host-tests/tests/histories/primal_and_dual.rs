//! Every history in the primal and in the dual: the same decisions, the same scores.

use pocketron::{
    budget::{NoBudget, WithIdentities},
    classifier::Scorer,
    history::{Averaged, Last, LongestSurvivor, Prefixes, RandomHypothesis, Raw, UnitNorm, Voted},
    hypothesis::{Expansion, Linear, UpdateCounts},
    kernel,
    learners::perceptron::Perceptron,
    persist::Blank,
    rule::{Alma, Always, Credit, MarginRule, PassiveAggressive, Rule, Shrinking, Soft, UnitSteps},
    storage::Inline,
};
use pocketron_testkit::all_voters::AllVoters;
use proptest::prelude::*;

use super::rows::{D, EPOCHS, MANY, ROWS, Rows, cube, grid};

type Primal = UpdateCounts<Linear<[f32; D]>, [u32; ROWS]>;
type Dual = UpdateCounts<Expansion<kernel::LinearKernel, NoBudget, Inline<D, MANY>>, [u32; ROWS]>;
type Plain = Expansion<kernel::LinearKernel, NoBudget, Inline<D, MANY>>;
type Known =
    Expansion<kernel::LinearKernel, WithIdentities<NoBudget, Inline<D, ROWS>>, Inline<D, ROWS>>;

/// How far two scores may be apart.
#[derive(Clone, Copy, Debug)]
enum Agreement {
    /// Not at all.
    Exact,
    /// Within this share of the larger one, or of one.
    Close(f32),
    /// On the same side, unless within this distance of zero.
    Side(f32),
}

impl Agreement {
    fn of(self, a: f32, b: f32) -> bool {
        match self {
            Agreement::Exact => a == b,
            Agreement::Close(share) => (a - b).abs() <= share * a.abs().max(b.abs()).max(1.0),
            Agreement::Side(near) => a.abs().min(b.abs()) <= near || (a > 0.0) == (b > 0.0),
        }
    }
}

/// How a comparison ended.
#[derive(Debug, PartialEq)]
enum Twins {
    Alike,
    /// Decisions differed although the scores agreed: rounding at the very margin.
    Forked,
}

/// Learns the same rows with both; every decision and every score before it must agree.
fn twins<A, B>(mut a: A, mut b: B, rows: &Rows, agreement: Agreement) -> Result<Twins, String>
where
    A: Scorer<Input = [f32; D]>,
    B: Scorer<Input = [f32; D]>,
{
    for (step, (id, (x, label))) in (0..EPOCHS)
        .flat_map(|_| rows.iter().enumerate())
        .enumerate()
    {
        let (p, d) = (a.score(x).expect("finite"), b.score(x).expect("finite"));
        if !agreement.of(p, d) {
            return Err(format!("step {step}: {p} and {d}"));
        }
        let p = a.learn_with_id(x, *label, Some(id as u32)).expect("finite");
        let d = b.learn_with_id(x, *label, Some(id as u32)).expect("finite");
        let exact = matches!(agreement, Agreement::Exact);
        if (p.changed(), p.mistake) != (d.changed(), d.mistake) {
            let close = Agreement::Close(1e-4).of(p.score, d.score);
            let fork = close && !exact;
            return if fork {
                Ok(Twins::Forked)
            } else {
                Err(format!("step {step}: {p:?} and {d:?}"))
            };
        }
    }
    for (x, _) in rows {
        let (p, d) = (a.score(x).expect("finite"), b.score(x).expect("finite"));
        if !agreement.of(p, d) {
            return Err(format!("at the end: {p} and {d}"));
        }
    }
    Ok(Twins::Alike)
}

fn primal<R, Y>(rule: R, history: Y) -> Perceptron<Primal, R, Y> {
    Perceptron::with_history(UpdateCounts::new(Linear::BLANK, [0; ROWS]), rule, history)
}

/// How close which scores are.
#[derive(Clone, Copy)]
struct Closeness {
    /// Of the present hypothesis, votes and sums.
    now: Agreement,
    /// Of an earlier hypothesis.
    past: Agreement,
    /// Divided by a norm.
    scaled: Agreement,
    /// Of an earlier hypothesis, divided by its norm.
    scaled_past: Agreement,
    /// Of as many as `MANY` hypotheses, each divided by its norm: they may cancel.
    scaled_sum: Agreement,
}

/// Every history over the primal, over the dual that keeps a vector a step, and over the dual that knows examples
/// again; returns how many pairs there were and how many forked.
fn every_history<R: Rule + Copy>(
    rule: R,
    rows: &Rows,
    close: Closeness,
    counted: bool,
) -> Result<(u32, u32), String> {
    let (mut pairs, mut forked) = (0, 0);
    let mut note = |what: &str, twins: Result<Twins, String>| match twins {
        Ok(twins) => {
            pairs += 1;
            forked += u32::from(twins == Twins::Forked);
            Ok(())
        }
        Err(why) => Err(format!("{what}: {why}")),
    };
    macro_rules! compare {
        ($what:literal, $agreement:expr, $primal:ty, $dual:ty) => {
            compare!(
                $what,
                $agreement,
                <$primal>::BLANK,
                <$dual>::BLANK,
                Dual::BLANK
            )
        };
        ($what:literal, $agreement:expr, $primal:expr, $dual:expr, $hypothesis:expr) => {
            let dual = Perceptron::with_history($hypothesis, rule, $dual);
            note($what, twins(primal(rule, $primal), dual, rows, $agreement))?
        };
    }
    let Closeness {
        now,
        past,
        scaled,
        scaled_past,
        scaled_sum,
    } = close;
    type W = [f32; D];
    compare!("last", now, Last, Last);
    compare!("last, unit norm", scaled, Last<UnitNorm>, Last<UnitNorm>);
    compare!("longest", past, LongestSurvivor<W>, LongestSurvivor<u32>);
    compare!("voted", now, Voted<AllVoters<W>>, Voted<AllVoters<u32>>);
    compare!(
        "voted from 0",
        now,
        Voted<AllVoters<W>, 0>,
        Voted<AllVoters<u32>, 0>
    );
    compare!("averaged", now, Averaged<Option<W>>, Averaged<[f32; MANY]>);
    compare!("averaged from 0", now, Averaged<Option<W>, Raw, 0>, Averaged<[f32; MANY], Raw, 0>);
    compare!("averaged, unit norm", scaled_sum, Averaged<Option<W>, UnitNorm>, Averaged<[f32; MANY], UnitNorm>);
    type PrimalDraw<N> = RandomHypothesis<W, N>;
    type DualDraw<N> = RandomHypothesis<u32, N>;
    for seed in [0, 7, 123_456_789] {
        let (p, d) = (PrimalDraw::<Raw>::new(seed), DualDraw::<Raw>::new(seed));
        compare!("drawn", past, p, d, Dual::BLANK);
        let (p, d) = (
            PrimalDraw::<UnitNorm>::new(seed),
            DualDraw::<UnitNorm>::new(seed),
        );
        compare!("drawn, unit norm", scaled_past, p, d, Dual::BLANK);
    }
    // Examples known again: one vector each, and steps counted there.
    compare!(
        "last, known",
        now,
        Last::<Raw>::BLANK,
        Last::<Raw>::BLANK,
        Known::BLANK
    );
    compare!(
        "last, known, unit norm",
        scaled,
        Last::<UnitNorm>::BLANK,
        Last::<UnitNorm>::BLANK,
        Known::BLANK
    );
    compare!(
        "averaged, known",
        now,
        Averaged::<Option<W>>::BLANK,
        Averaged::<[f32; ROWS]>::BLANK,
        Known::BLANK
    );
    compare!(
        "averaged, known, unit norm",
        scaled_sum,
        Averaged::<Option<W>, UnitNorm>::BLANK,
        Averaged::<[f32; ROWS], UnitNorm>::BLANK,
        Known::BLANK
    );
    // Prefix sums know no ledger: for rules that do not ask for one.
    if !counted {
        type Count<const OPENING: u32> = Voted<Prefixes<Inline<D, MANY>>, OPENING>;
        compare!(
            "voted by prefixes",
            now,
            Voted::<AllVoters<W>>::BLANK,
            Count::<1>::BLANK,
            Plain::BLANK
        );
        compare!(
            "voted by prefixes from 0",
            now,
            Voted::<AllVoters<W>, 0>::BLANK,
            Count::<0>::BLANK,
            Plain::BLANK
        );
    }
    Ok((pairs, forked))
}

const EXACT: Closeness = Closeness {
    now: Agreement::Exact,
    past: Agreement::Exact,
    scaled: Agreement::Close(1e-5),
    scaled_past: Agreement::Close(1e-5),
    scaled_sum: Agreement::Close(3e-4),
};

/// On the grid nothing is rounded, so that primal and dual must agree to the last bit.
fn exact<R: Rule + Copy>(
    name: &str,
    rule: R,
    rows: &Rows,
    soft: bool,
) -> Result<(), TestCaseError> {
    match every_history(rule, rows, EXACT, soft) {
        Ok((_, 0)) => Ok(()),
        Ok((_, forked)) => Err(TestCaseError::fail(format!("{name}: {forked} forks"))),
        Err(why) => Err(TestCaseError::fail(format!("{name}: {why}"))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    #[test]
    fn primal_is_dual_for_every_history_and_every_rule_of_fixed_steps(rows in grid(), tau in -1i8..4) {
        let margins = MarginRule::new(0.5).with_margins(f32::from(tau) / 8.0, 0.25);
        exact("unit steps", UnitSteps, &rows, false)?;
        exact("uneven margins", margins, &rows, false)?;
        exact("always", Always, &rows, false)?;
        let soft = Soft::new(margins);
        exact("per step", soft.with_credit(Credit::PerStep(0.25)), &rows, true)?;
        exact("once", soft.with_credit(Credit::Once(0.5)), &rows, true)?;
        exact("bound", soft.with_bound(2), &rows, true)?;
        exact("credit and bound", soft.with_credit(Credit::Once(0.25)).with_bound(1), &rows, true)?;
    }
}

/// Streams that are not on a grid: decisions agree but for rounding at the margin, which must be rare.
fn close_but_for_rare_forks<R: Rule + Copy>(rule: R, close: Closeness) {
    let (mut pairs, mut forked) = (0, 0);
    for seed in 0..40 {
        let counts = every_history(rule, &cube(seed), close, false);
        let counts = counts.unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        (pairs, forked) = (pairs + counts.0, forked + counts.1);
    }
    assert!(50 * forked <= pairs, "{forked} of {pairs} forked");
}

#[test]
fn primal_is_dual_for_every_history_and_passive_aggressive_steps() {
    let rule = PassiveAggressive::new(0.25).expect("an aggressiveness");
    let near = Agreement::Close(2e-4);
    let close = Closeness {
        now: near,
        past: near,
        scaled: near,
        scaled_past: near,
        scaled_sum: Agreement::Close(5e-3),
    };
    close_but_for_rare_forks(rule, close);
}

/// In the dual, past hypotheses shrink along with the present one (`Snapshots for Expansion`): their sides agree.
#[test]
fn primal_is_dual_for_every_history_and_rules_that_shrink() {
    let (near, side) = (Agreement::Close(1e-3), Agreement::Side(1e-4));
    let close = Closeness {
        now: near,
        past: side,
        scaled: near,
        scaled_past: side,
        scaled_sum: Agreement::Close(5e-3),
    };
    close_but_for_rare_forks(Shrinking::new(0.1).expect("a regularisation"), close);
    close_but_for_rare_forks(Alma::new(0.5).expect("an accuracy"), close);
}
