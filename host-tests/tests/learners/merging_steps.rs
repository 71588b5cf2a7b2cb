//! Merging in the core, in `f32`, against the reference, one step at a time.
//!
//! Two runs part as soon as one merger is chosen by rounding, and from then on show nothing. Here the reference is
//! given the core's vectors before every step, so that each step is compared, wherever in the run it stands.

use pocketron::{
    budget::{Admission, Merging},
    kernel::Gaussian,
    prelude::*,
    rule::Rule,
    storage::Inline,
};
use pocketron_testkit::reference::{
    Example, Kernel, Model, Step, SupportVector, bsgd, kernel::squared_distance, merge,
};

use crate::common::{
    f64s,
    streams::{Stream, checkerboard, two_gaussians},
};

const D: usize = 3;
const B: usize = 12;
const LAMBDA: f32 = 0.01;
const EXAMPLES: usize = 800;

/// Weights closer than this share are the same: the core takes the first of them.
const SAME: f64 = 3e-6;
/// Losses farther apart than this share of the vectors' squared lengths are told apart in `f32`.
const CLEAR: f64 = 2e-5;
/// Error of a merged weight, relative.
const WEIGHT: f64 = 2e-6;
/// `gamma` times the squared error of a merged point: the weight has a flat maximum there, and `f32` does not see
/// farther than the weight tells.
const PLACE: f64 = 1e-6;

type Core<R> = KernelPerceptron<Gaussian, Merging, Inline<D, B>, R>;

/// The core's vectors as the reference has them, rows named by slots. Weights that the core cannot tell from an
/// earlier one, or from `usual`, are made equal, since the reference tells apart what is only rounding.
fn copy<R>(core: &Core<R>, gamma: f32, usual: f64) -> Model {
    let mut model = Model::new(Kernel::Gaussian {
        gamma: f64::from(gamma),
    });
    let mut sizes = vec![usual];
    for (row, alpha) in core.support().alphas().iter().enumerate() {
        let size = f64::from(alpha.abs());
        let same = sizes
            .iter()
            .find(|known| (size / **known - 1.0).abs() <= SAME);
        let size = same.copied().unwrap_or(size);
        sizes.push(size);
        let y = f64::from(alpha.signum());
        let x = f64s(&core.support().point(row));
        model.insert(&Example { row, x: &x, y }, y * size);
    }
    model
}

/// What merging the lightest of two vectors gives, and its loss.
fn merged(
    kernel: Kernel,
    lightest: &SupportVector,
    partner: &SupportVector,
) -> (SupportVector, f64) {
    let mut pair = Model::new(kernel);
    pair.vectors = vec![lightest.clone(), partner.clone()];
    merge::merge_lightest(&mut pair);
    let (a, b, z) = (lightest.alpha, partner.alpha, pair.vectors.remove(0));
    let k = kernel.value(&lightest.x, &partner.x);
    let loss = a * a + b * b + 2.0 * a * b * k - z.alpha * z.alpha;
    (z, loss)
}

/// What a step must come to, if that is clear.
struct Expected {
    lightest: SupportVector,
    partner: Option<(SupportVector, SupportVector)>,
}

/// The lightest vector of a full model and its best partner with their union, or nothing if rounding decides.
fn expected(full: &Model) -> Option<Expected> {
    let sizes = || full.vectors.iter().map(|v| v.alpha.abs());
    let least = sizes().fold(f64::INFINITY, f64::min);
    let nearly = sizes().filter(|size| (size / least - 1.0).abs() <= 2.0 * SAME);
    let exactly = sizes().filter(|size| (size - least).abs() <= 1e-12 * least);
    if nearly.count() != exactly.count() {
        return None;
    }
    // The oldest of them; by a share, for the sake of weights that were shrunk.
    let is_least = |v: &&SupportVector| v.alpha.abs() <= least * (1.0 + 1e-12);
    let lightest = full.vectors.iter().find(is_least)?.clone();
    let partners = full.vectors.iter();
    let partners = partners.filter(|v| v.birth != lightest.birth && v.alpha * lightest.alpha > 0.0);
    let mut unions: Vec<_> = partners
        .map(|partner| (partner, merged(full.kernel, &lightest, partner)))
        .collect();
    unions.sort_by(|(_, (_, a)), (_, (_, b))| a.total_cmp(b));
    if let [(a, (_, first)), (b, (_, second)), ..] = &unions[..] {
        let size = lightest.alpha.powi(2) + a.alpha.powi(2).max(b.alpha.powi(2));
        if second - first <= CLEAR * size {
            return None;
        }
    }
    let partner = unions.into_iter().next();
    let partner = partner.map(|(partner, (union, _))| (partner.clone(), union));
    Some(Expected { lightest, partner })
}

/// How many steps found the memory full, and how many of them were clear.
#[derive(Debug, Default)]
struct Tally {
    full: usize,
    clear: usize,
}

/// Compares every step; `usual` is the size of a weight that no merger has touched before example `t` comes, and
/// `step` is the reference's.
fn compare<R: Rule>(
    mut core: Core<R>,
    gamma: f32,
    mut step: impl Step,
    usual: impl Fn(f64) -> f64,
    rows: &Stream,
) -> Tally {
    let mut tally = Tally::default();
    for (row, (x, label)) in rows.iter().enumerate() {
        let mut reference = copy(&core, gamma, usual((row + 1) as f64));
        let x: [f32; D] = x[..].try_into().expect("three features");
        let (exact, y) = (f64s(&x), f64::from(label.value()));
        let outcome = core.learn(&x, *label).expect("finite");
        let len = reference.vectors.len();
        let example = Example {
            row: len,
            x: &exact,
            y,
        };
        // Everything but the merger: the weights after the step, the newcomer last.
        let mut full = reference.clone();
        // The core's own score: whether the rule fires is not the question here.
        let fired = step.learn(&mut reference, &example, f64::from(outcome.score));
        assert_eq!(fired, outcome.admission.is_some(), "{row}");
        if !fired || len < B {
            continue;
        }
        tally.full += 1;
        let t = (row + 1) as f64;
        full.scale(usual(t + 1.0) / usual(t));
        full.insert(&example, y * usual(t + 1.0));
        let Some(Expected { lightest, partner }) = expected(&full) else {
            continue;
        };
        tally.clear += 1;
        let stays = |v: &SupportVector| v.row != lightest.row;
        let slots: Vec<usize> = full
            .vectors
            .iter()
            .filter(|v| stays(v))
            .map(|v| v.row)
            .collect();
        let kept: Vec<usize> = reference.vectors.iter().map(|v| v.row).collect();
        assert_eq!(kept, slots, "{row}: the reference frees the lightest");
        let freed = (lightest.row < len).then_some(lightest.row);
        let Some((partner, union)) = partner else {
            let dropped = freed.map_or(Admission::Refused, Admission::Shifted);
            assert_eq!(outcome.admission, Some(dropped), "{row}");
            continue;
        };
        let into = partner.row;
        assert_eq!(
            outcome.admission,
            Some(Admission::Merged { into, freed }),
            "{row}"
        );
        assert_same(&core, &full, &slots, (&lightest, &partner, &union), row);
    }
    tally
}

/// The vectors of the core after a step: all as before, but the partner, which is as good a union as the reference's.
fn assert_same<R>(
    core: &Core<R>,
    full: &Model,
    slots: &[usize],
    (lightest, partner, union): (&SupportVector, &SupportVector, &SupportVector),
    row: usize,
) {
    for (slot, &place) in slots.iter().enumerate() {
        let (x, alpha) = (
            f64s(&core.support().point(slot)),
            f64::from(core.support().alpha(slot)),
        );
        let before = &full.vectors[place];
        if place != partner.row {
            assert_eq!(x, before.x, "{row}");
            assert!(
                (alpha / before.alpha - 1.0).abs() <= 2.0 * SAME,
                "{row}: {alpha} {}",
                before.alpha
            );
            continue;
        }
        // The weight that this point keeps of the two, and the weight of the best point.
        let kept = |z: &[f64]| {
            let part = |v: &SupportVector| v.alpha * full.kernel.value(&v.x, z);
            part(lightest) + part(partner)
        };
        let (ours, best) = (kept(&x), union.alpha);
        assert!(
            (alpha / ours - 1.0).abs() <= WEIGHT + 2.0 * SAME,
            "{row}: {alpha} at a point of {ours}"
        );
        assert!(
            ours / best >= 1.0 - WEIGHT,
            "{row}: {ours} where {best} is possible"
        );
        let distance = |a: &[f64], b: &[f64]| squared_distance(a, b).sqrt();
        let whole = distance(&lightest.x, &partner.x);
        let detour = distance(&lightest.x, &x) + distance(&x, &partner.x) - whole;
        assert!(
            detour <= 1e-5 * whole.max(1.0),
            "{row}: off the line by {detour}"
        );
        // Nearer than this there is one maximum; farther apart, one at each end.
        let Kernel::Gaussian { gamma } = full.kernel else {
            panic!("merging needs the Gaussian kernel")
        };
        if gamma * whole * whole < 1.5 {
            let off = squared_distance(&x, &union.x);
            assert!(gamma * off <= PLACE, "{row}: off by {off} squared");
        }
    }
}

fn streams() -> [(f32, Stream); 3] {
    [
        (1.0, checkerboard(EXAMPLES, D, 2, 0.1, 1)),
        (0.5, two_gaussians(EXAMPLES, D, 2)),
        (4.0, checkerboard(EXAMPLES, D, 2, 0.1, 3)),
    ]
}

/// Most steps must be clear, or the test says little.
fn assert_clear(tally: &Tally, share: f64) {
    println!("{tally:?}");
    assert!(tally.full > 100, "{tally:?}");
    assert!(tally.clear as f64 >= share * tally.full as f64, "{tally:?}");
}

#[test]
fn every_merger_of_unit_steps_is_the_references() {
    for (gamma, rows) in streams() {
        let rule = MarginRule::new(1.0).with_margin(1.0);
        let core = MergingPerceptron::<D, B>::with_rule(Gaussian::constant(gamma), rule);
        let step = merge::Merge {
            margin: 1.0,
            budget: B,
        };
        assert_clear(&compare(core, gamma, step, |_| 1.0, &rows), 0.9);
    }
}

#[test]
fn every_merger_of_shrinking_steps_is_the_references() {
    for (gamma, rows) in streams() {
        let rule = Shrinking::new(LAMBDA).expect("lambda");
        let core = Bsgd::<D, B>::with_rule(Gaussian::constant(gamma), rule);
        let lambda = f64::from(LAMBDA);
        let step = bsgd::Bsgd::new(1.0, B, lambda);
        // A weight of step s, shrunk ever since: 1 / (lambda t) after example t, so 1 / (lambda (t - 1)) before.
        let usual = |t: f64| 1.0 / (lambda * (t - 1.0).max(0.5));
        assert_clear(&compare(core, gamma, step, usual, &rows), 0.9);
    }
}
