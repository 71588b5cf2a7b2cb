//! Which past hypotheses get a say: in the primal and the dual alike, and as a naive memory of all of them has it.

mod common;
#[path = "common/voters.rs"]
mod voters;

use std::collections::BTreeMap;

use common::streams::Dice;
use pocketron::{
    budget::{
        Admission, Compensating, LargestMargin, LeastLoss, Merging, Oldest, Policy, Random,
        Remembering, Stop, Unbounded,
    },
    history::{Averaged, Drawn, History, Last, LongestSurvivor, Prefixes, Raw, UnitNorm, Voted},
    hypothesis::{Biased, Expansion, Given, Hypothesis, Ledgered, Linear},
    kernel::{self, Gaussian, Kernel, Polynomial},
    label::Sign,
    memory::{Blank, Inline},
    perceptron::{KernelPerceptron, OnlineClassifier, Perceptron, Scorer},
    rule::{Alma, Always, Credit, MarginRule, PassiveAggressive, Rule, Shrinking, Soft, UnitSteps},
};
use pocketron_host::{ballots::Ballots, data::shuffle::SplitMix64};
use proptest::{collection::vec, prelude::*};

const D: usize = 3;
/// Examples of a set at most.
const ROWS: usize = 40;
/// Epochs over it.
const EPOCHS: usize = 3;
/// Slots for a vector a step.
const MANY: usize = ROWS * EPOCHS;

type Rows = Vec<([f32; D], Sign)>;

fn label(positive: bool) -> Sign {
    if positive { Sign::Pos } else { Sign::Neg }
}

/// A grid of quarters: sums and products of it are exact, so that every order of addition gives the same.
fn grid() -> impl Strategy<Value = Rows> {
    let feature = (-4i8..=4).prop_map(|step| f32::from(step) / 4.0);
    let x = [feature.clone(), feature.clone(), feature];
    vec((x, any::<bool>().prop_map(label)), 1..=ROWS)
}

/// Points of a cube, labelled by a plane with some noise.
fn cube(seed: u64) -> Rows {
    let mut dice = Dice::new(seed);
    let mut example = || {
        let x = [dice.even(), dice.even(), dice.even()];
        (
            x,
            label((x[0] + 0.5 * x[1] - 0.3 * x[2] > 0.0) != dice.chance(0.2)),
        )
    };
    (0..ROWS).map(|_| example()).collect()
}

// ---------------------------------------------------------------------------------------------------------------
// Primal and dual
// ---------------------------------------------------------------------------------------------------------------

type Primal = Ledgered<Linear<[f32; D]>, [u32; ROWS]>;
type Dual = Ledgered<Expansion<kernel::Linear, Unbounded, Inline<D, MANY>>, [u32; ROWS]>;
type Plain = Expansion<kernel::Linear, Unbounded, Inline<D, MANY>>;
type Known = Expansion<kernel::Linear, Remembering<Unbounded, Inline<D, ROWS>>, Inline<D, ROWS>>;

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
        let p = a.learn_known(x, *label, Some(id as u32)).expect("finite");
        let d = b.learn_known(x, *label, Some(id as u32)).expect("finite");
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
    Perceptron::with_history(Ledgered::new(Linear::BLANK, [0; ROWS]), rule, history)
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
    ledger: bool,
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
    compare!("voted", now, Voted<Ballots<W>>, Voted<Ballots<u32>>);
    compare!(
        "voted from 0",
        now,
        Voted<Ballots<W>, 0>,
        Voted<Ballots<u32>, 0>
    );
    compare!("averaged", now, Averaged<Option<W>>, Averaged<[f32; MANY]>);
    compare!("averaged from 0", now, Averaged<Option<W>, Raw, 0>, Averaged<[f32; MANY], Raw, 0>);
    compare!("averaged, unit norm", scaled_sum, Averaged<Option<W>, UnitNorm>, Averaged<[f32; MANY], UnitNorm>);
    type PrimalDraw<N> = Drawn<W, N>;
    type DualDraw<N> = Drawn<u32, N>;
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
    if !ledger {
        type Count<const OPENING: u32> = Voted<Prefixes<Inline<D, MANY>>, OPENING>;
        compare!(
            "voted by prefixes",
            now,
            Voted::<Ballots<W>>::BLANK,
            Count::<1>::BLANK,
            Plain::BLANK
        );
        compare!(
            "voted by prefixes from 0",
            now,
            Voted::<Ballots<W>, 0>::BLANK,
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

// ---------------------------------------------------------------------------------------------------------------
// A naive memory
// ---------------------------------------------------------------------------------------------------------------

/// Every hypothesis there ever was, in full, with the examples it survived.
struct Past {
    kernel: Polynomial,
    hypotheses: Vec<Kept>,
}

#[derive(Clone, Debug)]
struct Kept {
    vectors: Vec<([f32; D], f64)>,
    run: u32,
}

impl Past {
    /// A perceptron with steps of `eta` while `y f <= tau`, that stores `budget` vectors and then stops.
    fn of(
        rows: &Rows,
        kernel: Polynomial,
        (eta, tau): (f64, f64),
        (opening, budget): (u32, usize),
    ) -> Self {
        let zero = Kept {
            vectors: vec![],
            run: 0,
        };
        let mut past = Past {
            kernel,
            hypotheses: vec![zero],
        };
        for (x, label) in rows {
            let mut now = past.hypotheses.last().expect("at least one").clone();
            let y = f64::from(label.value());
            if y * past.score(&now, x) > tau {
                past.hypotheses.last_mut().expect("at least one").run += 1;
                continue;
            }
            // One that failed and must stay all the same counts anew, from zero.
            now.run = 0;
            if now.vectors.len() < budget {
                now.vectors.push((*x, eta * y));
                now.run = opening;
            }
            past.hypotheses.push(now);
        }
        past
    }

    fn score(&self, kept: &Kept, x: &[f32; D]) -> f64 {
        let near = |z: &[f32; D]| f64::from(self.kernel.pair(z, x));
        kept.vectors.iter().map(|(z, alpha)| alpha * near(z)).sum()
    }

    fn norm(&self, kept: &Kept) -> f64 {
        let square: f64 = kept
            .vectors
            .iter()
            .map(|(z, alpha)| alpha * self.score(kept, z))
            .sum();
        square.max(0.0).sqrt()
    }

    fn weighted(&self, term: impl Fn(&Kept) -> f64) -> f64 {
        let terms = self
            .hypotheses
            .iter()
            .map(|kept| f64::from(kept.run) * term(kept));
        terms.sum()
    }

    fn vote(&self, x: &[f32; D]) -> f64 {
        let side = |f: f64| if f == 0.0 { 0.0 } else { f.signum() };
        self.weighted(|kept| side(self.score(kept, x)))
    }

    fn sum(&self, x: &[f32; D]) -> f64 {
        self.weighted(|kept| self.score(kept, x))
    }

    fn scaled_sum(&self, x: &[f32; D]) -> f64 {
        self.weighted(|kept| {
            let norm = self.norm(kept);
            if norm > 0.0 {
                self.score(kept, x) / norm
            } else {
                0.0
            }
        })
    }

    /// The earliest of those with the longest run.
    fn longest(&self) -> &Kept {
        let longest = self.hypotheses.iter().map(|kept| kept.run).max();
        let mut kept = self.hypotheses.iter();
        kept.find(|kept| Some(kept.run) == longest)
            .expect("at least one")
    }
}

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

fn taught<C: OnlineClassifier<Input = [f32; D], Label = Sign>>(mut model: C, rows: &Rows) -> C {
    for (x, label) in rows {
        model.learn(x, *label).expect("finite");
    }
    model
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
        stopping::<_, B>(Voted::<Ballots<u32>, OPENING>::BLANK),
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
    let kept: u32 = history.ballot().votes().iter().sum::<u32>() + history.current_votes();
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
        let line = || Line::new(Linear::BLANK, Given(2.0), 0.0);
        let rule = MarginRule::new(ETA).with_margin(TAU);
        let voted = taught(Perceptron::with_history(line(), rule, Voted::<Ballots<Snapshot>>::BLANK), &rows);
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

// ---------------------------------------------------------------------------------------------------------------
// Drawing
// ---------------------------------------------------------------------------------------------------------------

fn drawn_in_proportion<const OPENING: u32>() {
    let rows = cube(3);
    let rule = MarginRule::new(1.0);
    let line = || Linear::<[f32; D]>::BLANK;
    // The hypotheses and their runs; the last one has not retired and is not drawn.
    let (mut runs, mut run) = (vec![], 0);
    let mut model = Perceptron::from_parts(line(), rule);
    for (x, label) in &rows {
        let before = *model.hypothesis().weights();
        if model.learn(x, *label).expect("finite").changed() {
            runs.push((before, run));
            run = OPENING;
        } else {
            run += 1;
        }
    }
    runs.retain(|(_, run)| *run > 0);
    assert!(runs.len() >= 4, "{runs:?}");
    let probe = [0.9, -0.4, 0.77];
    let total: u32 = runs.iter().map(|(_, run)| run).sum();
    let mut expected = BTreeMap::new();
    for (weights, run) in &runs {
        let score: f32 = weights
            .iter()
            .zip(probe)
            .fold(0.0, |sum, (w, x)| sum + w * x);
        *expected.entry(score.to_bits()).or_insert(0.0) += f64::from(*run) / f64::from(total);
    }
    assert_eq!(
        expected.len(),
        runs.len(),
        "scores tell the hypotheses apart"
    );

    const DRAWS: usize = 6000;
    let mut seeds = SplitMix64::new(5);
    let mut counted = BTreeMap::new();
    for _ in 0..DRAWS {
        let history = Drawn::<[f32; D], Raw, OPENING>::new(seeds.next_u64() as u32);
        let model = taught(Perceptron::with_history(line(), rule, history), &rows);
        let score = model.score(&probe).expect("finite");
        *counted.entry(score.to_bits()).or_insert(0usize) += 1;
    }
    let mut chi_square = 0.0;
    for (score, share) in &expected {
        let expected = share * DRAWS as f64;
        let seen = counted.remove(score).unwrap_or(0) as f64;
        chi_square += (seen - expected).powi(2) / expected;
    }
    assert!(counted.is_empty(), "others were drawn: {counted:?}");
    // Mean n, variance 2 n for n degrees of freedom.
    let n = (expected.len() - 1) as f64;
    assert!(
        chi_square <= n + 5.0 * (2.0 * n).sqrt(),
        "{chi_square} for {n} degrees of freedom"
    );
}

#[test]
fn a_hypothesis_is_drawn_with_its_survivals_as_chances() {
    drawn_in_proportion::<0>();
    drawn_in_proportion::<1>();
}

/// Before anybody has retired with a run there is only the present one.
#[test]
fn without_a_draw_the_present_hypothesis_predicts() {
    let history = Drawn::<[f32; D], Raw, 0>::new(1);
    let mut model = Perceptron::with_history(Linear::<[f32; D]>::BLANK, UnitSteps, history);
    let x = [1.0, 0.0, 0.0];
    assert_eq!(model.score(&x), Ok(0.0));
    model.learn(&x, Sign::Pos).expect("finite");
    assert_eq!(model.score(&x), Ok(1.0));
    // It fails at once, having survived nothing: it must not be drawn.
    model.learn(&[0.0, 1.0, 0.0], Sign::Neg).expect("finite");
    assert_eq!(model.score(&[0.0, 1.0, 0.0]), Ok(-1.0));
}

// ---------------------------------------------------------------------------------------------------------------
// Averaging within a budget
// ---------------------------------------------------------------------------------------------------------------

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
    let expansion = Expansion::<_, _, Inline<2, 1>>::new(kernel::Linear, Oldest::new());
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

// ---------------------------------------------------------------------------------------------------------------
// Cost
// ---------------------------------------------------------------------------------------------------------------

/// What a history adds to a learner of `D` features and `B` slots.
#[test]
fn histories_have_the_sizes_that_their_documentation_states() {
    fn adds<H: Hypothesis, Y: History<H>>() -> usize {
        assert_eq!(align_of::<Perceptron<H, UnitSteps, Y>>(), 4);
        size_of::<Perceptron<H, UnitSteps, Y>>() - size_of::<Perceptron<H, UnitSteps, Last>>()
    }
    fn of<const D: usize, const B: usize>() {
        type Line<const D: usize> = Linear<[f32; D]>;
        type Sum<const D: usize, const B: usize> = Expansion<Gaussian, Unbounded, Inline<D, B>>;
        assert_eq!(
            size_of::<KernelPerceptron<Gaussian, Unbounded, Inline<D, B>>>(),
            B * (4 * D + 4) + 8
        );
        assert_eq!(size_of::<Last>(), 0, "costs nothing");
        assert_eq!(adds::<Sum<D, B>, Last<UnitNorm>>(), 4);
        // 4 bytes a slot, and the run of the present hypothesis.
        assert_eq!(
            adds::<Sum<D, B>, Voted<Prefixes<Inline<D, B>>>>(),
            4 * B + 4
        );
        assert_eq!(adds::<Sum<D, B>, Averaged<[f32; B]>>(), 4 * B + 4);
        assert_eq!(adds::<Sum<D, B>, Averaged<[f32; B], UnitNorm>>(), 4 * B + 8);
        // A number of vectors instead of a copy; with the option, the record and the run.
        assert_eq!(adds::<Sum<D, B>, LongestSurvivor<u32>>(), 4 + 4 + 8);
        assert_eq!(adds::<Sum<D, B>, Drawn<u32>>(), 4 + 4 + 16);
        // A copy of the weights, or their sum.
        assert_eq!(adds::<Line<D>, LongestSurvivor<[f32; D]>>(), 4 * D + 4 + 8);
        assert_eq!(adds::<Line<D>, Drawn<[f32; D]>>(), 4 * D + 4 + 16);
        assert_eq!(adds::<Line<D>, Averaged<Option<[f32; D]>>>(), 4 * D + 4 + 4);
    }
    of::<1, 1>();
    of::<2, 20>();
    of::<13, 33>();
}
