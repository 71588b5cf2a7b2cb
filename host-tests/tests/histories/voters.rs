//! Voting in the primal with a fixed number of members: `Voted<Voters<W, V>>`.

use std::fmt::Debug;

use pocketron::{
    budget::{NoBudget, Stop},
    classifier::{OnlineClassifier, Scorer as _},
    history::{Prefixes, Voted, Voters},
    hypothesis::{Expansion, Linear},
    kernel,
    label::Sign,
    learners::perceptron::Perceptron,
    persist::Blank,
    rule::{Always, MarginRule, UnitSteps},
    storage::Inline,
};
use proptest::{collection::vec, prelude::*};

const D: usize = 2;
const MANY: usize = 40;

type W = [f32; D];
type Rows = Vec<(W, Sign)>;
type Line<const V: usize, const OPENING: u32> =
    Perceptron<Linear<W>, MarginRule, Voted<Voters<W, V>, OPENING>>;

/// A grid of quarters, on which sums are exact.
fn grid() -> impl Strategy<Value = Rows> {
    let feature = (-4i8..=4).prop_map(|step| f32::from(step) / 4.0);
    let label = any::<bool>().prop_map(|positive| if positive { Sign::Pos } else { Sign::Neg });
    vec(([feature.clone(), feature], label), 1..=MANY)
}

fn rule() -> MarginRule {
    MarginRule::new(0.5).with_margins(0.125, 0.25)
}

/// The members, by the documented rule: when they run out, the voter with the fewest votes, the earliest on a tie,
/// makes way for a newcomer with more.
struct Naive<const V: usize> {
    members: Vec<(W, u32)>,
    now: W,
    run: u32,
}

impl<const V: usize> Naive<V> {
    fn of(rows: &Rows, opening: u32) -> Self {
        let mut naive = Naive {
            members: vec![],
            now: [0.0; D],
            run: 0,
        };
        for (x, label) in rows {
            let y = label.value();
            let tau = if *label == Sign::Pos { 0.25 } else { 0.125 };
            if y * (naive.now[0] * x[0] + naive.now[1] * x[1]) > tau {
                naive.run += 1;
                continue;
            }
            naive.retire();
            naive.now = std::array::from_fn(|i| naive.now[i] + 0.5 * y * x[i]);
            naive.run = opening;
        }
        naive
    }

    fn retire(&mut self) {
        if self.run == 0 {
            return;
        }
        let newcomer = (self.now, self.run);
        if self.members.len() < V {
            self.members.push(newcomer);
            return;
        }
        let fewest = self
            .members
            .iter()
            .map(|(_, votes)| *votes)
            .min()
            .expect("a member");
        let at = self
            .members
            .iter()
            .position(|(_, votes)| *votes == fewest)
            .expect("a member");
        if self.run > fewest {
            self.members[at] = newcomer;
        }
    }

    fn vote(&self, x: &W) -> f32 {
        let side = |w: &W| match w[0] * x[0] + w[1] * x[1] {
            f if f > 0.0 => 1.0,
            f if f < 0.0 => -1.0,
            _ => 0.0,
        };
        let past: f32 = self
            .members
            .iter()
            .map(|(w, votes)| *votes as f32 * side(w))
            .sum();
        past + self.run as f32 * side(&self.now)
    }
}

fn taught<const V: usize, const OPENING: u32>(rows: &Rows) -> Line<V, OPENING> {
    let mut model = Perceptron::with_history(Linear::BLANK, rule(), Voted::BLANK);
    for (x, label) in rows {
        model.learn(x, *label).expect("finite");
    }
    model
}

fn seats_as_documented<const V: usize, const OPENING: u32>(
    rows: &Rows,
) -> Result<(), TestCaseError> {
    let (model, naive) = (taught::<V, OPENING>(rows), Naive::<V>::of(rows, OPENING));
    prop_assert_eq!(
        model.history().vote_store().members(),
        &naive.members[..],
        "{} members",
        V
    );
    prop_assert_eq!(model.history().current_votes(), naive.run);
    for (x, _) in rows {
        prop_assert_eq!(model.score(x), Ok(naive.vote(x)), "{} members", V);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn when_voters_run_out_the_weakest_makes_way_for_a_stronger_one(rows in grid()) {
        seats_as_documented::<1, 1>(&rows)?;
        seats_as_documented::<2, 0>(&rows)?;
        seats_as_documented::<3, 1>(&rows)?;
        seats_as_documented::<MANY, 0>(&rows)?;
        seats_as_documented::<MANY, 1>(&rows)?;
    }

    /// With a member for everybody: the votes of prefix sums in the dual.
    #[test]
    fn enough_seats_are_as_good_as_prefix_sums(rows in grid()) {
        type Dual = Expansion<kernel::LinearKernel, NoBudget, Inline<D, MANY>>;
        let mut dual = Perceptron::with_history(Dual::BLANK, rule(), Voted::<Prefixes<Inline<D, MANY>>>::BLANK);
        for (x, label) in &rows {
            dual.learn(x, *label).expect("finite");
        }
        let primal = taught::<MANY, 1>(&rows);
        for (x, _) in &rows {
            prop_assert_eq!(primal.score(x), dual.score(x));
        }
    }

    /// Seats work in the dual too, where a voter is the number of its vectors; refused updates do not disturb them.
    #[test]
    fn seats_in_the_dual_hold_numbers_of_vectors(rows in grid()) {
        type Full = Expansion<kernel::LinearKernel, Stop, Inline<D, 3>>;
        let mut members = Perceptron::with_history(Full::BLANK, rule(), Voted::<Voters<u32, MANY>>::BLANK);
        let mut prefixes = Perceptron::with_history(Full::BLANK, rule(), Voted::<Prefixes<Inline<D, 3>>>::BLANK);
        for (x, label) in &rows {
            prop_assert_eq!(members.learn(x, *label), prefixes.learn(x, *label));
            prop_assert_eq!(members.score(x), prefixes.score(x));
        }
    }
}

/// Two members: runs of 3, 1 and 2. The second voter goes, the first stays; then a run of 1 finds no member.
#[test]
fn the_weakest_voter_goes_first() {
    fn learn<M: OnlineClassifier<Input = W, Label = Sign>>(
        model: &mut M,
        x: W,
        label: Sign,
        times: usize,
    ) where
        M::Label: Debug,
    {
        for _ in 0..times {
            model.learn(&x, label).expect("finite");
        }
    }
    let mut model =
        Perceptron::with_history(Linear::<W>::BLANK, UnitSteps, Voted::<Voters<W, 2>>::BLANK);
    learn(&mut model, [1.0, 0.0], Sign::Pos, 3);
    learn(&mut model, [0.0, 1.0], Sign::Pos, 1);
    learn(&mut model, [0.0, 1.0], Sign::Neg, 1);
    // Back at (1, 0), which fails on this one.
    learn(&mut model, [-4.0, 1.0], Sign::Pos, 2);
    let votes = |model: &Perceptron<_, _, Voted<Voters<W, 2>>>| -> Vec<u32> {
        let members = model.history().vote_store().members().iter();
        members.map(|(_, votes)| *votes).collect()
    };
    // The first voter has 3; the second, then the third had 1: an equal newcomer takes no member.
    assert_eq!(votes(&model), [3, 1]);
    assert_eq!(model.history().vote_store().members()[1].0, [1.0, 1.0]);
    learn(&mut model, [0.0, 1.0], Sign::Neg, 1);
    // Two votes displace the one.
    assert_eq!(votes(&model), [3, 2]);
    assert_eq!(model.history().vote_store().members()[1].0, [-3.0, 1.0]);
}

/// Each voter is a copy of the weights and a count; beside them the number of voters and the run.
#[test]
fn seats_have_the_size_of_their_copies() {
    fn of<const D: usize, const V: usize>() {
        type Seated<const D: usize, const V: usize> =
            Perceptron<Linear<[f32; D]>, Always, Voted<Voters<[f32; D], V>>>;
        assert_eq!(size_of::<Seated<D, V>>(), 4 * D + V * (4 * D + 4) + 4 + 4);
        assert_eq!(align_of::<Seated<D, V>>(), 4);
    }
    of::<1, 1>();
    of::<2, 5>();
    of::<13, 8>();
}
