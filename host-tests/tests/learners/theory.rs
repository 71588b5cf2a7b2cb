//! What the papers prove, on generated data.
//!
//! Each bound is computed in double precision from the separator that the data were made with; learners run in
//! `f32`. A relative slack of `SLACK` is for the rounding of the bound itself.

use pocketron::{
    classifier::OnlineClassifier as _,
    hypothesis::{Biased, FixedRadius, Linear, UpdateCounts},
    label::Sign,
    learners::perceptron::{LinearPerceptron, Perceptron},
    persist::Blank,
    rule::{Alma, Always, Credit, MarginRule, PassiveAggressive, Rule, Soft},
    stream::{Epochs, run_epochs},
};
use proptest::{collection::vec, prelude::*};

use super::separable::{
    D, Example, Plane, dot, norm, of_best_margin, plane, radius, separated, wide,
};

const SLACK: f64 = 1.0 + 1e-4;

fn linear<R>(rule: R) -> Perceptron<Linear<[f32; D]>, R> {
    Perceptron::from_parts(Linear::BLANK, rule)
}

fn mistakes(model: &mut LinearPerceptron<D>, rows: &[Example]) -> u32 {
    let mistake = |(x, label): &Example| model.learn(x, *label).expect("finite").mistake;
    rows.iter().map(mistake).map(u32::from).sum()
}

/// Labels that no plane explains, half of them a coin's.
fn inseparable() -> impl Strategy<Value = Vec<Example>> {
    let x = proptest::array::uniform4(-1.0f32..1.0);
    vec((x, any::<bool>()), 1..150).prop_map(|rows| {
        let label = |x: &[f32; D], coin| Sign::of(if coin { x[0] + x[1] } else { x[2] * x[3] });
        rows.into_iter()
            .map(|(x, coin)| (x, label(&x, coin)))
            .collect()
    })
}

/// A grid of quarters, on which sums and products are exact.
fn grid() -> impl Strategy<Value = Vec<Example>> {
    let feature = (-4i8..=4).prop_map(|step| f32::from(step) / 4.0);
    let x = [feature.clone(), feature.clone(), feature.clone(), feature];
    let label = any::<bool>().prop_map(|positive| if positive { Sign::Pos } else { Sign::Neg });
    vec((x, label), 1..=ROWS)
}

/// Examples of a grid at most, and entries of the ledgers here.
const ROWS: usize = 12;

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    /// fs Theorem 1.
    #[test]
    fn mistakes_on_separable_data_are_at_most_the_squared_radius_over_margin(
        (plane, rows) in separated(0.0, 0.08)
    ) {
        let gamma = plane.least(&rows, |_| true);
        prop_assert!(gamma > 0.07, "{}", gamma);
        let bound = (radius(&rows) / gamma).powi(2) * SLACK;
        let mut model = LinearPerceptron::<D>::new();
        let once = mistakes(&mut model, &rows);
        prop_assert!(f64::from(once) <= bound, "{once} > {bound}");

        // Over and over is one long sequence: the bound holds for all epochs together, and so learning ends.
        let mut model = LinearPerceptron::<D>::new();
        let Epochs { updates, converged, .. } = run_epochs(&mut model, &rows, bound as u32 + 2);
        prop_assert!(converged && f64::from(updates) <= bound, "{updates} > {bound}");
        prop_assert_eq!(mistakes(&mut model, &rows), 0);
    }

    /// fs Theorem 2, for any plane and margin whatsoever.
    #[test]
    fn mistakes_on_any_data_are_at_most_the_squared_radius_and_deviation_over_margin(
        rows in inseparable(), planes in vec(plane(0.0), 8)
    ) {
        let radius = radius(&rows);
        let mut model = LinearPerceptron::<D>::new();
        let count = f64::from(mistakes(&mut model, &rows));
        // The plane that was found may know the data better than those that were not looking.
        let found = wide(model.hypothesis().weights());
        let found = found.iter().any(|w| *w != 0.0).then(|| Plane::of(found, 0.0));
        for u in planes.iter().chain(&found) {
            for gamma in [0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 5.0] {
                let deviation = |row: &Example| (gamma - u.margin(row)).max(0.0).powi(2);
                let deviation = rows.iter().map(deviation).sum::<f64>().sqrt();
                let bound = ((radius + deviation) / gamma).powi(2) * SLACK;
                prop_assert!(count <= bound, "{count} > {bound} for {u:?} and {gamma}");
            }
        }
    }

    /// paum (2.4) and (2.6).
    #[test]
    fn paum_ends_in_time_and_with_the_margins_it_guarantees(
        (known, rows) in separated(0.4, 0.1),
        eta in prop::sample::select(vec![0.1f32, 0.5, 1.0, 3.0]),
        tau_neg in 0.0f32..2.0, tau_pos in 0.0f32..2.0,
    ) {
        let radius = radius(&rows);
        prop_assume!(known.b.abs() <= radius);
        let rule = MarginRule::new(eta).with_margins(tau_neg, tau_pos);
        let hypothesis = Biased::new(Linear::<[f32; D]>::BLANK, FixedRadius((radius * radius) as f32), 0.0);
        let mut model = Perceptron::from_parts(hypothesis, rule);

        let (eta, gamma) = (f64::from(eta), known.least(&rows, |_| true));
        let largest = f64::from(tau_pos.max(tau_neg));
        let bound = 4.0 * ((radius / gamma).powi(2) + largest / (eta * gamma * gamma)) * SLACK;
        let ended = run_epochs(&mut model, &rows, bound as u32 + 2);
        prop_assert!(ended.converged && f64::from(ended.updates) <= bound, "{ended:?}, bound {bound}");

        let hypothesis = model.hypothesis();
        let weights = wide(hypothesis.inner().weights());
        let found = Plane::of(weights, f64::from(hypothesis.bias()));
        let reach = |tau: f32| eta * radius * radius + f64::from(tau);
        let is = |wanted| move |label: Sign| label == wanted;
        let (known_neg, known_pos) = (known.least(&rows, is(Sign::Neg)), known.least(&rows, is(Sign::Pos)));
        // The largest pair of margins with the ratio that the theorem asks for.
        let psi = reach(tau_pos) / reach(tau_neg);
        let gamma_neg = known_neg.min(known_pos / psi);
        for (label, tau, gamma) in [(Sign::Neg, tau_neg, gamma_neg), (Sign::Pos, tau_pos, psi * gamma_neg)] {
            let guaranteed = gamma * f64::from(tau) / (8.0f64.sqrt() * reach(tau));
            let least = found.least(&rows, is(label));
            prop_assert!(least * SLACK >= guaranteed, "{label:?}: {least} < {guaranteed}");
        }
    }

    /// kw's alpha bound, on data that come back with both labels and so never give in.
    #[test]
    fn no_example_causes_more_steps_than_its_bound(rows in grid(), bound in 1u32..4, tau in 0i8..3) {
        let rule = MarginRule::new(0.5).with_margin(f32::from(tau) / 4.0);
        let rule = Soft::new(rule).with_bound(bound);
        let counts = UpdateCounts::new(Linear::<[f32; D]>::BLANK, [0; 2 * ROWS]);
        let mut model = Perceptron::from_parts(counts, rule);
        let twisted = rows.iter().map(|(x, label)| (*x, if *label == Sign::Pos { Sign::Neg } else { Sign::Pos }));
        let both: Vec<Example> = rows.iter().copied().chain(twisted).collect();
        let mut steps = vec![0; both.len()];
        for _ in 0..10 {
            for (id, (x, label)) in both.iter().enumerate() {
                let outcome = model.learn_with_id(x, *label, Some(id as u32)).expect("known");
                steps[id] += u32::from(outcome.changed());
            }
        }
        prop_assert!(steps.iter().all(|steps| *steps <= bound), "{steps:?}");
        // Contradictions fail again and again, so that somebody is held back.
        prop_assert!(steps.contains(&bound), "{steps:?}");
    }

    /// paum's section on the lambda trick: a credit of `eta lambda` a step is a feature `sqrt(lambda)` that only
    /// this example has.
    #[test]
    fn the_lambda_trick_is_a_dimension_of_its_own_for_every_example(rows in grid(), tau in -2i8..4) {
        let rule = MarginRule::new(0.5).with_margin(f32::from(tau) / 4.0);
        let soft = Soft::new(rule).with_credit(Credit::PerStep(0.5 * 0.25));
        let counts = UpdateCounts::new(Linear::<[f32; D]>::BLANK, [0; ROWS]);
        let mut short = Perceptron::from_parts(counts, soft);
        let mut long = Perceptron::from_parts(Linear::<[f32; D + ROWS]>::BLANK, rule);
        for _ in 0..4 {
            for (id, (x, label)) in rows.iter().enumerate() {
                let own = |i: usize| if i == D + id { 0.5 } else { 0.0 };
                let extended = std::array::from_fn(|i| x.get(i).copied().unwrap_or_else(|| own(i)));
                let a = short.learn_with_id(x, *label, Some(id as u32)).expect("known");
                let b = long.learn(&extended, *label).expect("finite");
                prop_assert_eq!(a.changed(), b.changed(), "row {}", id);
            }
        }
        let (short, long) = (short.hypothesis().inner().weights(), long.hypothesis().weights());
        prop_assert_eq!(&short[..], &long[..D]);
    }

    /// Whatever the labels: examples that speak for themselves can all be satisfied.
    #[test]
    fn the_lambda_trick_makes_all_data_separable(rows in grid()) {
        let soft = Soft::new(MarginRule::new(0.5)).with_credit(Credit::PerStep(0.5));
        let counts = UpdateCounts::new(Linear::<[f32; D]>::BLANK, [0; ROWS]);
        let mut model = Perceptron::from_parts(counts, soft);
        // lambda = 1: R^2 <= 4 + 1, and the plane through the own features alone has margin 1 / sqrt(rows).
        let bound = 5 * rows.len() as u32;
        let ended = run_epochs(&mut model, &rows, bound + 1);
        prop_assert!(ended.converged && ended.updates <= bound, "{:?}", ended);
    }

    /// Servedio's average algorithm.
    #[test]
    fn adding_always_is_the_sum_of_labelled_examples(rows in grid()) {
        let mut model = linear(Always);
        for (x, label) in &rows {
            prop_assert!(model.learn(x, *label).expect("finite").changed());
        }
        let sum = |i: usize| rows.iter().map(|(x, label)| label.value() * x[i]).sum::<f32>();
        prop_assert_eq!(model.hypothesis().weights(), &std::array::from_fn(sum));
    }

    #[test]
    fn alma_never_leaves_the_unit_ball(rows in inseparable(), alpha in 0.05f32..=1.0) {
        let mut model = linear(Alma::new(alpha).expect("an accuracy"));
        for _ in 0..5 {
            for (x, label) in &rows {
                model.learn(x, *label).expect("finite");
                let length = norm(model.hypothesis().weights());
                prop_assert!(length <= 1.0 + 1e-5, "{length}");
            }
        }
    }

    #[test]
    fn alma_ends_with_nearly_the_best_margin(
        (gamma, rows) in prop::sample::select(vec![0.1, 0.2, 0.4, 0.6]).prop_flat_map(|gamma| (Just(gamma), of_best_margin(gamma))),
        alpha in prop::sample::select(vec![0.2f32, 0.5, 0.8, 0.9]),
    ) {
        let mut model = linear(Alma::new(alpha).expect("an accuracy"));
        let ended = run_epochs(&mut model, &rows, 20_000);
        prop_assert!(ended.converged, "{:?}", ended);
        let weights = wide(model.hypothesis().weights());
        let length = norm(model.hypothesis().weights());
        let margin = |(x, label): &Example| f64::from(label.value()) * dot(&weights, x) / norm(x);
        let margin = rows.iter().map(margin).fold(f64::INFINITY, f64::min);
        // What every example had to exceed in the last epoch.
        let alpha = f64::from(alpha);
        let wanted = (1.0 - alpha) / (alpha * f64::from(ended.updates + 1).sqrt());
        prop_assert!(margin * SLACK >= wanted, "{margin} < {wanted}");
        prop_assert!(margin / length * SLACK >= (1.0 - alpha) * gamma, "{} of {gamma}", margin / length);
    }
}

/// The margins are known: the generated points are what they are said to be.
#[test]
fn no_direction_has_a_better_margin_than_the_best() {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};
    let mut runner = TestRunner::deterministic();
    let mut sample = || {
        let tree = of_best_margin(0.3).new_tree(&mut runner);
        tree.expect("a sample").current()
    };
    let rows = sample();
    let best = |rows: &[Example], u: &Plane| {
        let margin = |row: &Example| u.margin(row) / norm(&row.0);
        rows.iter().map(margin).fold(f64::INFINITY, f64::min)
    };
    let mut runner = TestRunner::deterministic();
    for _ in 0..2000 {
        let tree = plane(0.0).new_tree(&mut runner).expect("a plane");
        assert!(best(&rows, &tree.current()) <= 0.3 + 1e-6);
    }
    // PAM with a tiny step comes near the best, and never beyond it, once lengths are out of the way.
    let rows = rows
        .iter()
        .map(|(x, label)| (x.map(|f| f / norm(x) as f32), *label));
    let rows: Vec<Example> = rows.collect();
    let rule = MarginRule::new(0.001).with_margin(1.0);
    let mut model = linear(rule);
    assert!(run_epochs(&mut model, &rows, 200_000).converged);
    let found = best(&rows, &Plane::of(wide(model.hypothesis().weights()), 0.0));
    assert!((0.29..=0.3 + 1e-5).contains(&found), "{found}");
}

/// alpha = 1/2: B = 2, so the margin wanted is 1 / sqrt(k), and the step sqrt(2 / k).
#[test]
fn the_first_steps_of_alma_are_those_of_a_pocket_calculator() {
    let mut model = linear(Alma::new(0.5).expect("an accuracy"));
    let pad = |x: [f32; 2]| [x[0], x[1], 0.0, 0.0];
    let steps: [([f32; 2], Sign, Option<[f32; 2]>); 4] = [
        // sqrt(2) (0.6, 0.8), cut back to length one.
        ([3.0, 4.0], Sign::Pos, Some([0.6, 0.8])),
        // -0.8 <= 1 / sqrt(2): one step of 1 along (0, -1); its length stays below one.
        ([0.0, -2.0], Sign::Pos, Some([0.6, -0.2])),
        // 0.6 > 1 / sqrt(3) = 0.577.
        ([-1.0, 0.0], Sign::Neg, None),
        // 0.2 <= 0.577: sqrt(2/3) = 0.816 along (0, -1) gives (0.6, -1.0165), of length 1.18038.
        ([0.0, 1.0], Sign::Neg, Some([0.508_31, -0.861_16])),
    ];
    let mut before = [0.0; 2];
    for (x, label, after) in steps {
        let outcome = model.learn(&pad(x), label).expect("finite");
        assert_eq!(outcome.changed(), after.is_some(), "{x:?}");
        before = after.unwrap_or(before);
        let weights = model.hypothesis().weights();
        let near = weights
            .iter()
            .zip(pad(before))
            .all(|(w, wanted)| (w - wanted).abs() < 2e-5);
        assert!(near, "{weights:?} is not {before:?}");
    }
}

/// An accuracy of one asks for no margin: mistakes alone move.
#[test]
fn alma_of_accuracy_one_moves_on_mistakes_only() {
    let mut model = linear(Alma::new(1.0).expect("an accuracy"));
    assert!(
        model
            .learn(&[1.0, 0.0, 0.0, 0.0], Sign::Pos)
            .expect("finite")
            .changed()
    );
    assert!(
        !model
            .learn(&[1e-3, 1.0, 0.0, 0.0], Sign::Pos)
            .expect("finite")
            .changed()
    );
    assert!(
        model
            .learn(&[0.0, 1.0, 0.0, 0.0], Sign::Pos)
            .expect("finite")
            .changed()
    );
}

/// Three examples may each be learned once; then they come again.
fn nothing_happens_beyond_the_bound<R: Rule + Copy>(name: &str, rule: R) {
    let rule = Soft::new(rule).with_bound(1);
    let counts = UpdateCounts::new(Linear::<[f32; D]>::BLANK, [0; 3]);
    let mut model = Perceptron::from_parts(counts, rule);
    let rows = [
        ([1.0, 0.0, 0.0, 0.0], Sign::Pos),
        ([0.0, 1.0, 0.0, 0.0], Sign::Pos),
        ([1.0, 0.1, 0.0, 0.0], Sign::Neg),
    ];
    let mut learn = |id: usize| {
        let (x, label) = rows[id];
        let outcome = model.learn_with_id(&x, label, Some(id as u32));
        let changed = outcome.expect("known").changed();
        (changed, *model.hypothesis().inner().weights())
    };
    let last = [0, 1, 2].map(&mut learn)[2].1;
    for id in [0, 1, 2, 0, 1, 2] {
        let (changed, weights) = learn(id);
        assert!(!changed, "{name}: example {id} moved again");
        assert_eq!(weights, last, "{name}: example {id}");
    }
}

#[test]
fn an_example_beyond_its_bound_changes_nothing() {
    let passive = PassiveAggressive::new(0.1).expect("an aggressiveness");
    nothing_happens_beyond_the_bound("margin", MarginRule::new(1.0).with_margin(10.0));
    nothing_happens_beyond_the_bound("passive-aggressive", passive);
    nothing_happens_beyond_the_bound("always", Always);
}

/// ALMA must neither count a step that is held back nor let its shrinking through.
#[test]
fn an_example_beyond_its_bound_changes_nothing_in_alma() {
    nothing_happens_beyond_the_bound("alma", Alma::new(0.1).expect("an accuracy"));
}
