//! The exact minimum of the weighted 0/1 loss along a line.
//!
//! Along `w + a d` every example changes sides once, at `a = -(w . x) / (d . x)`,
//! or never. Between two neighbouring such places the loss is constant, so it is
//! enough to sort them and to walk along once: `O(N D + N log N)`, in place.

use super::{Plane, Samples, samples::is_wrong};
use crate::memory::{Blank, put};

/// A place along a line where one example changes sides: 8 bytes of scratch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breakpoint {
    /// How far along the line.
    pub(super) at: f32,
    /// What is added to the loss there.
    pub(super) step: f32,
}

impl Blank for Breakpoint {
    const BLANK: Self = Breakpoint { at: 0.0, step: 0.0 };
}

impl Breakpoint {
    /// By place, then by step, so that the result does not depend on the way of sorting.
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        let order = self.at.total_cmp(&other.at);
        order.then(self.step.total_cmp(&other.step)).is_lt()
    }
}

/// Where a line is best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// How far to go along the line: the middle of the best interval.
    pub factor: f32,
    /// The weight on the wrong side there, summed along the line.
    pub wrong: f32,
}

/// The factor `a` for which `plane + a * direction` has the least weight on the
/// wrong side; in the first of the intervals that are equally good.
///
/// ```
/// use pocketron::{batch::{Breakpoint, Plane, Samples, least_wrong}, memory::Blank};
///
/// let x = [[1.0], [2.0], [3.0]];
/// let mut weights = [-1.0, 1.0, 1.0];
/// let mut scratch = [Breakpoint::BLANK; 3];
/// let mut samples = Samples::new(&x, &mut weights, &mut scratch).unwrap();
/// let plane = Plane { weights: [1.0], bias: 0.0 };
/// let bias = Plane { weights: [0.0], bias: 1.0 };
/// let best = least_wrong(&mut samples, &plane, &bias);
/// assert_eq!((best.factor, best.wrong), (-1.5, 0.0)); // between the first two
/// ```
#[inline(never)] // large, and called from every kind of training
pub fn least_wrong<const D: usize>(
    samples: &mut Samples<'_, D>,
    plane: &Plane<D>,
    direction: &Plane<D>,
) -> Best {
    let (x, weights, scratch) = samples.split();
    let mut places = scratch.iter_mut();
    let mut used = 0;
    // The loss at the far negative end.
    let mut wrong = 0.0;
    for (x, weight) in x.iter().zip(weights) {
        let (score, slope) = (plane.side(x), direction.side(x));
        let at = -score / slope;
        if slope == 0.0 || !at.is_finite() {
            wrong += if is_wrong(*weight, score) {
                weight.abs()
            } else {
                0.0
            };
            continue;
        }
        // A rising score is negative before its place and positive behind it, a falling one the other way round.
        let step = if slope > 0.0 { -weight } else { *weight };
        if step < 0.0 {
            wrong -= step;
        }
        if let Some(place) = places.next() {
            *place = Breakpoint { at, step };
            used += 1;
        }
    }
    let places = scratch.get_mut(..used).unwrap_or_default();
    sort(places);
    walk(places, wrong)
}

/// Goes along the sorted places, with `wrong` the loss before the first.
fn walk(places: &[Breakpoint], mut wrong: f32) -> Best {
    let (Some(first), Some(last)) = (places.first(), places.last()) else {
        return Best { factor: 0.0, wrong };
    };
    let span = last.at - first.at;
    let beyond = if span > 0.0 && span.is_finite() {
        span
    } else {
        1.0
    };
    let mut best = Best {
        factor: first.at - beyond,
        wrong,
    };
    let next = places.iter().skip(1).map(|place| place.at);
    let ends = next.chain([last.at + 2.0 * beyond]);
    for (place, end) in places.iter().zip(ends) {
        wrong += place.step;
        if wrong < best.wrong && place.at < end {
            best = Best {
                factor: 0.5 * place.at + 0.5 * end,
                wrong,
            };
        }
    }
    best
}

/// Heapsort: in place, no recursion, and no input makes it slow.
fn sort(places: &mut [Breakpoint]) {
    for root in (0..places.len() / 2).rev() {
        sift_down(places, root);
    }
    for end in (1..places.len()).rev() {
        let Some((heap, [last, ..])) = places.split_at_mut_checked(end) else {
            return;
        };
        if let Some(top) = heap.first_mut() {
            core::mem::swap(top, last);
        }
        sift_down(heap, 0);
    }
}

fn sift_down(heap: &mut [Breakpoint], root: usize) {
    let Some(item) = heap.get(root).copied() else {
        return;
    };
    let mut hole = root;
    while let Some(left) = heap.get(2 * hole + 1) {
        let (child, larger) = match heap.get(2 * hole + 2) {
            Some(right) if left.precedes(right) => (2 * hole + 2, *right),
            _ => (2 * hole + 1, *left),
        };
        if !item.precedes(&larger) {
            break;
        }
        put(heap, hole, larger);
        hole = child;
    }
    put(heap, hole, item);
}
