//! fs Theorems 3 and 4 with their corollaries, to the digit: examples are drawn from a set so small that all sequences
//! can be enumerated, and an expectation is a mean over them.

use pocketron::{
    classifier::OnlineClassifier as _,
    history::{Voted, Voters},
    hypothesis::Linear,
    label::Sign,
    learners::perceptron::{LinearPerceptron, Perceptron},
    persist::Blank,
    rule::UnitSteps,
    stream::run_epochs,
};
use proptest::{collection::vec, prelude::*};

type Point = [f32; 2];
type Example = (Point, Sign);

/// Different examples.
const SET: usize = 4;
/// Examples of a sequence, `m + 1`: all but the last are learned.
const LENGTH: usize = 5;
/// All sequences.
const SEQUENCES: usize = SET.pow(LENGTH as u32);

type Sequence = [Example; LENGTH];

/// All sequences of a set: each is as likely as any other.
fn sequences(set: &[Example]) -> impl Iterator<Item = Sequence> {
    (0..SEQUENCES)
        .map(|number| std::array::from_fn(|place| set[number / SET.pow(place as u32) % SET]))
}

/// A grid of quarters, on which scores are exact; no point is zero.
fn point() -> impl Strategy<Value = Point> {
    let feature = (-4i8..=4).prop_map(|step| f32::from(step) / 4.0);
    let point = [feature.clone(), feature];
    point.prop_filter("a direction", |x| *x != [0.0; 2])
}

/// Any labels: most sets have no separator.
fn any_set() -> impl Strategy<Value = Vec<Example>> {
    let label = any::<bool>().prop_map(|positive| if positive { Sign::Pos } else { Sign::Neg });
    vec((point(), label), SET)
}

/// Labels of a plane through the origin that leaves a margin of 0.2.
fn separable_set() -> impl Strategy<Value = Vec<Example>> {
    let angle = 0.0..std::f64::consts::TAU;
    (vec(point(), SET), angle)
        .prop_map(|(points, angle)| {
            let u = direction(angle);
            let label = |x: Point| Sign::of(along(u, &x) as f32);
            points.into_iter().map(|x| (x, label(x))).collect()
        })
        .prop_filter("a margin", |set: &Vec<Example>| best_margin(set) > 0.2)
}

fn direction(angle: f64) -> [f64; 2] {
    [angle.cos(), angle.sin()]
}

fn along(u: [f64; 2], x: &Point) -> f64 {
    u[0] * f64::from(x[0]) + u[1] * f64::from(x[1])
}

/// `y x`.
fn signed((x, label): &Example) -> Point {
    x.map(|feature| feature * label.value())
}

fn radius(rows: &[Example]) -> f64 {
    let length = |(x, _): &Example| f64::from(x[0]).hypot(f64::from(x[1]));
    rows.iter().map(length).fold(0.0, f64::max)
}

/// The largest least margin of any plane through the origin. In the plane it is reached along an example, or where two
/// of them have the same margin.
fn best_margin(rows: &[Example]) -> f64 {
    let rows: Vec<Point> = rows.iter().map(signed).collect();
    let unit = |x: f64, y: f64| [x / x.hypot(y), y / x.hypot(y)];
    let mut planes = Vec::new();
    for a in &rows {
        planes.push(unit(f64::from(a[0]), f64::from(a[1])));
        for b in rows.iter().filter(|b| *b != a) {
            planes.push(unit(f64::from(a[1] - b[1]), f64::from(b[0] - a[0])));
        }
    }
    let least = |u: [f64; 2]| {
        rows.iter()
            .map(|x| along(u, x))
            .fold(f64::INFINITY, f64::min)
    };
    planes
        .into_iter()
        .map(least)
        .fold(f64::NEG_INFINITY, f64::max)
}

/// `((R + D) / gamma)^2`, the least of a grid of planes and margins, and so not less than the infimum of the paper.
fn least_bound(rows: &[Example]) -> f64 {
    let radius = radius(rows);
    let mut least = f64::INFINITY;
    for degrees in (0..360).step_by(3) {
        let u = direction(f64::from(degrees).to_radians());
        let margins: Vec<f64> = rows.iter().map(|row| along(u, &signed(row))).collect();
        for gamma in (1..=30).map(|step| 0.05 * f64::from(step)) {
            let deviation = margins
                .iter()
                .map(|margin| (gamma - margin).max(0.0).powi(2));
            let deviation = deviation.sum::<f64>().sqrt();
            least = least.min(((radius + deviation) / gamma).powi(2));
        }
    }
    least
}

/// One pass over a sequence: the hypotheses before each example, and which of them failed.
fn online(rows: &[Example]) -> (Vec<Point>, Vec<Example>) {
    let mut model = LinearPerceptron::<2>::new();
    let (mut before, mut failed) = (Vec::new(), Vec::new());
    for (x, label) in rows {
        before.push(*model.hypothesis().weights());
        if model.learn(x, *label).expect("finite").mistake {
            failed.push((*x, *label));
        }
    }
    (before, failed)
}

type VotedLearner = Perceptron<Linear<Point>, UnitSteps, Voted<Voters<Point, LENGTH>>>;

fn voted(rows: &[Example]) -> VotedLearner {
    let mut model = VotedLearner::with_history(Linear::BLANK, UnitSteps, Blank::BLANK);
    for (x, label) in rows {
        model.learn(x, *label).expect("finite");
    }
    model
}

/// Whether a score is wrong; zero always is.
fn is_wrong(score: f64, label: Sign) -> bool {
    score * f64::from(label.value()) <= 0.0
}

/// What came of all sequences of a set, counted.
#[derive(Default)]
struct Counts {
    /// Mistakes of the online algorithm on all examples of a sequence: `E`.
    online: usize,
    /// Mistakes on the last example of the `m + 1` hypotheses that the randomized conversion draws from.
    randomized: usize,
    /// Mistakes on the last example of the voted perceptron.
    voted: usize,
    /// Sums of the bounds of Corollaries 1 and 2.
    all: f64,
    failed: f64,
}

fn counts(set: &[Example]) -> Result<Counts, TestCaseError> {
    let mut counts = Counts::default();
    for rows in sequences(set) {
        let (train, (x, label)) = (&rows[..LENGTH - 1], &rows[LENGTH - 1]);
        let (hypotheses, failed) = online(&rows);
        counts.online += failed.len();
        let score =
            |w: &Point| f64::from(w[0]) * f64::from(x[0]) + f64::from(w[1]) * f64::from(x[1]);
        let wrong = hypotheses.iter().filter(|w| is_wrong(score(w), *label));
        counts.randomized += wrong.count();
        let vote = voted(train).predict_scored(x).expect("finite").1;
        // The hypotheses before each example and after the last one learned: the majority is the vote.
        let majority: f64 = hypotheses
            .iter()
            .map(score)
            .filter(|f| *f != 0.0)
            .map(f64::signum)
            .sum();
        prop_assert_eq!(f64::from(vote), majority, "{:?}", rows);
        counts.voted += usize::from(is_wrong(f64::from(vote), *label));
        counts.all += least_bound(&rows);
        let bound = least_bound(&failed);
        prop_assert!(
            failed.len() as f64 <= bound * (1.0 + 1e-9),
            "{} > {}",
            failed.len(),
            bound
        );
        counts.failed += bound;
    }
    Ok(counts)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..Default::default() })]

    /// fs Theorem 3 and Corollaries 1 and 2. All sides are multiplied by `m + 1` and the number of sequences.
    #[test]
    fn the_vote_errs_at_most_twice_as_often_as_the_online_algorithm(set in any_set()) {
        let counts = counts(&set)?;
        // The theorem says at most; with independent examples both are the same expectation.
        prop_assert_eq!(counts.randomized, counts.online);
        prop_assert!(counts.voted * LENGTH <= 2 * counts.online, "{} {}", counts.voted, counts.online);
        prop_assert!(counts.online as f64 <= counts.failed && counts.online as f64 <= counts.all);
    }

    /// fs Theorem 4.
    #[test]
    fn the_converged_perceptron_errs_at_most_as_often_as_examples_were_needed(set in separable_set()) {
        let (wrong, needed) = converged(&set)?;
        prop_assert!((wrong * LENGTH) as f64 <= needed * (1.0 + 1e-9), "{wrong} {needed}");
    }
}

/// Mistakes on the last example after learning the others to convergence, and the sum of what bounds them: the
/// examples that were needed, or `(R / gamma)^2` of them.
fn converged(set: &[Example]) -> Result<(usize, f64), TestCaseError> {
    let (mut wrong, mut needed) = (0, 0.0);
    for rows in sequences(set) {
        let (train, (x, label)) = (&rows[..LENGTH - 1], &rows[LENGTH - 1]);
        let mut model = LinearPerceptron::<2>::new();
        prop_assert!(run_epochs(&mut model, train, 1000).converged);
        let score = model.predict_scored(x).expect("finite").1;
        wrong += usize::from(is_wrong(f64::from(score), *label));

        let failed = failed_until_convergence(&rows);
        let bound = (radius(&failed) / best_margin(&failed)).powi(2);
        prop_assert!(
            failed.len() as f64 <= bound * (1.0 + 1e-9),
            "{failed:?} {bound}"
        );
        needed += (failed.len() as f64).min(bound);
    }
    Ok((wrong, needed))
}

/// The examples that the perceptron got wrong until it got none wrong.
fn failed_until_convergence(rows: &Sequence) -> Vec<Example> {
    let mut model = LinearPerceptron::<2>::new();
    let mut failed = [false; LENGTH];
    loop {
        let before = *model.hypothesis().weights();
        for ((x, label), failed) in rows.iter().zip(&mut failed) {
            *failed |= model.learn(x, *label).expect("finite").mistake;
        }
        if before == *model.hypothesis().weights() {
            break;
        }
    }
    let failed = rows.iter().zip(failed).filter(|(_, failed)| *failed);
    failed.map(|(row, _)| *row).collect()
}

/// Two of these point away from each other, so that one of them alone misleads about the other.
#[test]
fn the_bound_of_the_converged_perceptron_is_not_idle() {
    let points = [[1.0, 0.0], [-0.75, 1.0], [0.5, 0.75], [-0.25, 1.0]];
    let set = points.map(|x| (x, Sign::Pos));
    let (wrong, needed) = converged(&set).expect("a plane separates them");
    let all = (SEQUENCES * LENGTH) as f64;
    assert!(wrong > 0 && needed < all, "{wrong} {needed} {all}");
    assert!((wrong * LENGTH) as f64 >= 0.1 * needed, "{wrong} {needed}");
}
