//! What holds for every learner and every stream.

use pocketron::{
    budget::{Admission, LargestMargin, LeastLoss, NoBudget as Everything},
    kernel::{self, Gaussian},
    label::Sign,
    learners::perceptron::LinearPerceptron,
    num::sum::dot,
    persist::Blank,
    prelude::*,
    storage::Inline,
};
use pocketron_cli::{
    learner::{self, Algorithm, Learner, Settings},
    slot_tracker::SlotTracker,
};
use proptest::{collection::vec, prelude::*};

use crate::common::{algorithms, bits, embedded, settings, streams::checkerboard};

/// Features and budget of the streams here.
const D: usize = 3;
const B: usize = 7;

type Rows = Vec<([f32; D], bool)>;

/// Streams on a coarse grid: points come again, scores tie and cancel.
fn rows() -> impl Strategy<Value = Rows> {
    let feature = (-4i8..=4).prop_map(|step| f32::from(step) / 4.0);
    let fine = -1.0f32..1.0;
    let x = prop_oneof![
        [feature.clone(), feature.clone(), feature],
        [fine.clone(), fine.clone(), fine]
    ];
    vec((x, any::<bool>()), 1..120)
}

/// An algorithm, a width and a margin.
fn numbers() -> impl Strategy<Value = (Algorithm, Settings)> {
    let algorithm = proptest::sample::select(algorithms().collect::<Vec<_>>());
    let gamma = proptest::sample::select(vec![0.3, 2.0, 20.0]);
    let margin = proptest::sample::select(vec![0.0, 0.5, 1.0]);
    (algorithm, gamma, margin, any::<u32>()).prop_map(|(algorithm, gamma, margin, seed)| {
        let settings = Settings {
            margin,
            seed,
            ..settings(gamma, B)
        };
        (algorithm, settings)
    })
}

fn label(positive: bool) -> Sign {
    if positive { Sign::Pos } else { Sign::Neg }
}

fn on_the_heap(algorithm: Algorithm, settings: &Settings) -> Box<dyn Learner> {
    learner::build(algorithm, settings, D, embedded::MANY).expect("good settings")
}

/// Every score and every admission, bit for bit, and the last coefficients.
#[derive(Debug, PartialEq)]
struct Record {
    steps: Vec<(u32, bool, Option<Admission>)>,
    alphas: Vec<u32>,
}

fn record(learner: &mut dyn Learner, rows: &Rows) -> Record {
    let step = |(x, positive): &([f32; D], bool)| {
        let outcome = learner.learn(x, label(*positive)).expect("finite rows");
        (outcome.score.to_bits(), outcome.mistake, outcome.admission)
    };
    let steps = rows.iter().map(step).collect();
    let alphas = bits(&learner.alphas());
    Record { steps, alphas }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_learner_exceeds_its_budget_and_every_admission_is_true(
        (algorithm, settings) in numbers(), rows in rows()
    ) {
        let mut learner = on_the_heap(algorithm, &settings);
        let mut slot_tracker = SlotTracker::default();
        let budget = if algorithm == Algorithm::Perceptron { embedded::MANY } else { B };
        for (row, (x, positive)) in rows.iter().enumerate() {
            let before = bits(&learner.alphas());
            let outcome = learner.learn(x, label(*positive)).expect("finite rows");
            let admission = outcome.admission.unwrap_or(Admission::Refused);
            slot_tracker.follow(row, admission);
            let after = learner.alphas();
            prop_assert!(after.len() <= budget, "{algorithm:?}");
            prop_assert_eq!(slot_tracker.len(), after.len(), "{:?} {:?}", algorithm, admission);
            prop_assert!(after.iter().all(|alpha| alpha.is_finite()), "{algorithm:?} {after:?}");
            let moves = algorithm == Algorithm::Bsgd;
            if !admission.changed() && !moves {
                prop_assert_eq!(before, bits(&after), "{:?}: nothing was to change", algorithm);
            }
        }
    }

    #[test]
    fn a_device_and_a_host_give_the_same_bits((algorithm, settings) in numbers(), rows in rows()) {
        let host = record(on_the_heap(algorithm, &settings).as_mut(), &rows);
        let device = record(embedded::build::<D, B>(algorithm, &settings).as_mut(), &rows);
        prop_assert_eq!(host, device, "{:?}", algorithm);
    }

    #[test]
    fn a_run_can_be_repeated((algorithm, settings) in numbers(), rows in rows()) {
        let once = record(on_the_heap(algorithm, &settings).as_mut(), &rows);
        prop_assert_eq!(once, record(on_the_heap(algorithm, &settings).as_mut(), &rows));
    }

    #[test]
    fn prediction_and_learning_give_the_same_score((algorithm, settings) in numbers(), rows in rows()) {
        let mut learner = on_the_heap(algorithm, &settings);
        for (x, positive) in &rows {
            let predicted = learner.score(x).expect("finite");
            let learned = learner.learn(x, label(*positive)).expect("finite").score;
            prop_assert_eq!(predicted.to_bits(), learned.to_bits(), "{:?}", algorithm);
        }
    }

    #[test]
    fn features_of_zero_change_no_bit((algorithm, settings) in numbers(), rows in rows()) {
        let narrow = record(on_the_heap(algorithm, &settings).as_mut(), &rows);
        let mut wide = learner::build(algorithm, &settings, D + 2, embedded::MANY).expect("good settings");
        for ((x, positive), step) in rows.iter().zip(&narrow.steps) {
            let padded = [x[0], 0.0, x[1], x[2], 0.0];
            let outcome = wide.learn(&padded, label(*positive)).expect("finite");
            prop_assert_eq!((outcome.score.to_bits(), outcome.mistake, outcome.admission), *step);
        }
        prop_assert_eq!(narrow.alphas, bits(&wide.alphas()));
    }

    #[test]
    fn slots_to_spare_change_no_bit(rows in rows(), gamma in 0.1f32..9.0) {
        let kernel = Gaussian::new(gamma).expect("a width");
        let mut few = Unbounded::<D, 120>::new(kernel);
        let mut many = Unbounded::<D, 333>::new(kernel);
        for (x, positive) in &rows {
            let (few, many) = (few.learn(x, label(*positive)), many.learn(x, label(*positive)));
            prop_assert_eq!(few.map(|outcome| outcome.score.to_bits()), many.map(|outcome| outcome.score.to_bits()));
        }
    }

    #[test]
    fn remembered_similarities_are_the_computed_ones(
        rows in rows(), (_, settings) in numbers()
    ) {
        let computed = record(embedded::build::<D, B>(Algorithm::Tightest, &settings).as_mut(), &rows);
        let remembered = record(embedded::tightest_cached::<D, B>(&settings).as_mut(), &rows);
        prop_assert_eq!(computed, remembered);
    }

    #[test]
    fn dual_with_the_linear_kernel_is_the_primal(rows in rows()) {
        let mut primal = LinearPerceptron::<D>::new();
        let mut dual: KernelPerceptron<kernel::LinearKernel, Everything, Inline<D, 120>> =
            KernelPerceptron::<_, _, Inline<D, 120>>::new(kernel::LinearKernel);
        // On this grid every product and sum is exact, so the two must agree to the last decision.
        for (x, positive) in &rows {
            let x = x.map(|feature| (feature * 4.0).round() / 4.0);
            let (p, d) = (primal.learn(&x, label(*positive)), dual.learn(&x, label(*positive)));
            let (p, d) = (p.expect("finite"), d.expect("finite"));
            prop_assert_eq!((p.predicted, p.mistake, p.score), (d.predicted, d.mistake, d.score));
        }
    }

    #[test]
    fn merging_keeps_signs_and_never_adds_a_vector(rows in rows(), (_, settings) in numbers()) {
        let mut learner = on_the_heap(Algorithm::Merge, &settings);
        for (x, positive) in &rows {
            let before = learner.alphas().to_vec();
            let admission = learner.learn(x, label(*positive)).expect("finite").admission;
            let after = learner.alphas();
            prop_assert!(after.len() <= before.len() + usize::from(admission == Some(Admission::Inserted)));
            if let Some(Admission::Merged { into, freed }) = admission {
                prop_assert_eq!(after.len(), before.len());
                let mut signs: Vec<bool> = before.iter().map(|alpha| *alpha > 0.0).chain([*positive]).collect();
                let gone = signs.remove(freed.unwrap_or(before.len()));
                let merged = if into > freed.unwrap_or(before.len()) { into - 1 } else { into };
                prop_assert_eq!(signs[merged], gone, "only vectors of one sign merge");
                let now: Vec<bool> = after.iter().map(|alpha| *alpha > 0.0).collect();
                prop_assert_eq!(signs, now);
            }
        }
    }

    #[test]
    fn the_forgetron_only_ever_shrinks(rows in rows(), (_, settings) in numbers()) {
        let mut learner = on_the_heap(Algorithm::Forgetron, &settings);
        for (x, positive) in &rows {
            learner.learn(x, label(*positive)).expect("finite");
            prop_assert!(learner.alphas().iter().all(|alpha| alpha.abs() <= 1.0), "{:?}", learner.alphas());
        }
    }

    #[test]
    fn a_sum_is_the_sum_whatever_follows_it(
        pairs in vec((-1e3f32..1e3, -1e3f32..1e3), 0..70), zeros in 0usize..20
    ) {
        let (mut a, mut b): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
        let sum = dot(&a, &b);
        let products = || a.iter().zip(&b).map(|(a, b)| f64::from(*a) * f64::from(*b));
        let (exact, size): (f64, f64) = (products().sum(), products().map(f64::abs).sum());
        prop_assert!((f64::from(sum) - exact).abs() <= 20.0 * f64::from(f32::EPSILON) * size, "{sum} {exact}");
        b.extend(vec![1e3; zeros]);
        prop_assert_eq!(dot(&a, &b).to_bits(), sum.to_bits(), "the shorter one decides");
        prop_assert_eq!(dot(&b, &a).to_bits(), sum.to_bits(), "the shorter one decides");
        a.extend(vec![0.0; zeros]);
        prop_assert_eq!(dot(&a, &b).to_bits(), sum.to_bits(), "zeros behind the last");
    }

    #[test]
    fn a_refused_example_changes_nothing((algorithm, settings) in numbers(), rows in rows(), at in 0usize..D) {
        let (mut disturbed, mut left_alone) = (on_the_heap(algorithm, &settings), on_the_heap(algorithm, &settings));
        for (number, (x, positive)) in rows.iter().enumerate() {
            let mut bad = *x;
            bad[at] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY][number % 3];
            prop_assert!(disturbed.learn(&bad, label(!positive)).is_err());
            prop_assert!(disturbed.learn(&x[..D - 1], label(*positive)).is_err());
            prop_assert!(disturbed.learn(&[0.5; D + 1], label(*positive)).is_err());
            let (a, b) = (disturbed.learn(x, label(*positive)), left_alone.learn(x, label(*positive)));
            prop_assert_eq!(a, b);
            prop_assert_eq!(bits(&disturbed.alphas()), bits(&left_alone.alphas()));
        }
    }

    #[test]
    fn a_blank_model_once_configured_is_a_new_one(rows in rows(), gamma in 0.1f32..9.0) {
        let (kernel, rule) = (Gaussian::new(gamma).expect("a width"), MarginRule::new(1.0).with_margin(0.5));
        let mut blank = <KernelPerceptron<Gaussian, LeastLoss<Inline<D, B>>, Inline<D, B>, MarginRule>>::BLANK;
        let mut new = KernelPerceptron::<_, LeastLoss<Inline<D, B>>, Inline<D, B>, _>::with_rule(kernel, rule);
        prop_assert!(blank.learn(&rows[0].0, Sign::Pos).is_err());
        prop_assert!(blank.score(&rows[0].0).is_err());
        blank.configure(kernel, rule).expect("a blank model");
        for (x, positive) in &rows {
            prop_assert_eq!(blank.learn(x, label(*positive)), new.learn(x, label(*positive)));
        }
    }

    #[test]
    fn unit_steps_are_the_margin_rule_without_a_margin(rows in rows(), gamma in 0.1f32..9.0) {
        let kernel = Gaussian::new(gamma).expect("a width");
        let mut unit = FixedBudget::<D, B>::new(kernel);
        let mut margin = KernelPerceptron::<_, LargestMargin<Inline<D, B>>, Inline<D, B>, _>::with_rule(kernel, MarginRule::new(1.0));
        for (x, positive) in &rows {
            prop_assert_eq!(unit.learn(x, label(*positive)), margin.learn(x, label(*positive)));
        }
    }
}

/// Slots 0, 1, 2, ... hold what came first, second, third: the tie rule depends on it.
#[test]
fn policies_that_shift_keep_their_slots_in_order_of_arrival() {
    use Algorithm as A;
    let stream = checkerboard(1500, D, 2, 0.1, 5);
    for algorithm in [
        A::Fixed,
        A::Tighter0,
        A::Tighter,
        A::TighterFull,
        A::Tightest,
    ] {
        let learner = learner::build(algorithm, &settings(3.0, B), D, stream.len());
        let (mut learner, mut slot_tracker, mut shifted) =
            (learner.expect("good"), SlotTracker::default(), 0);
        for (row, (x, label)) in stream.iter().enumerate() {
            let outcome = learner.learn(x, *label).expect("finite");
            shifted += usize::from(matches!(outcome.admission, Some(Admission::Shifted(_))));
            slot_tracker.follow(row, outcome.admission.unwrap_or(Admission::Refused));
            let rows: Vec<usize> = (0..slot_tracker.len())
                .map(|slot| slot_tracker.row(slot))
                .collect();
            assert!(rows.is_sorted(), "{algorithm:?} {rows:?}");
            let labels = rows.iter().map(|&row| stream[row].1);
            let alphas = learner.alphas();
            let signs = alphas.iter().map(|alpha| Sign::of(*alpha));
            assert!(
                labels.eq(signs),
                "{algorithm:?}: the tracker follows the slots"
            );
        }
        assert!(shifted > 10, "{algorithm:?} shifted {shifted} times");
    }
}

/// Far corners with one label each are alike in every respect, except in age; so they go in the order in which they
/// came, round and round.
#[test]
fn a_tie_goes_to_the_oldest() {
    use Algorithm as A;
    const BUDGET: usize = 4;
    // Along the axes to both sides, and farther out with every round.
    let corner = |number: usize| {
        let (axis, round) = (number % D, number / D);
        let mut x = [0.0; D];
        x[axis] = 9.0 * [1.0, -1.0][round % 2] * (1 + round / 2) as f32;
        x
    };
    for algorithm in [
        A::RemoveOldest,
        A::Fixed,
        A::Forgetron,
        A::Tightest,
        A::Tighter0,
        A::TighterFull,
        A::BpaS,
        A::Merge,
    ] {
        let learner = learner::build(algorithm, &settings(1.0, BUDGET), D, 3 * BUDGET);
        let (mut learner, mut slot_tracker) =
            (learner.expect("good settings"), SlotTracker::default());
        for row in 0..3 * BUDGET {
            let oldest = slot_tracker
                .by_age()
                .first()
                .map(|&slot| slot_tracker.row(slot));
            let outcome = learner.learn(&corner(row), Sign::Pos).expect("finite");
            let admission = outcome.admission.expect("far from all others");
            if row < BUDGET {
                assert_eq!(admission, Admission::Inserted, "{algorithm:?}");
            } else {
                let evicted = admission.evicted().map(|slot| slot_tracker.row(slot));
                assert_eq!(evicted, oldest, "{algorithm:?} {row}: {admission:?}");
                assert_eq!(evicted, Some(row - BUDGET), "{algorithm:?}");
            }
            slot_tracker.follow(row, admission);
        }
    }
}
