//! The exact minimum of the weighted 0/1 loss along a line.
//!
//! Along `w + a d` every example changes sides once, at `a = -(w . x) / (d . x)`,
//! or never. Between two neighbouring such places the loss is constant, so it is
//! enough to sort them and to walk along once: `O(N D + N log N)`, in place. Most
//! of them need not even be sorted: see [`Segments`].

use super::{Breakpoint, Plane, Samples, samples::is_wrong, segments::Segments};
use crate::storage::put;

/// Best interval of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// Step along the line: the middle of the best interval.
    pub factor: f32,
    /// The weight on the wrong side there, summed along the line.
    pub wrong: f32,
}

/// The factor `a` for which `plane + a * direction` has the least weight on the
/// wrong side; in the first of the intervals that are equally good.
///
/// ```
/// use pocketron::{learners::batch::{Breakpoint, Plane, Samples, least_wrong}, persist::Blank};
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
    let mut line = LineSearch::new();
    let mut places = scratch.iter_mut();
    let mut used = 0;
    for (x, weight) in x.iter().zip(weights) {
        let (score, slope) = (plane.side(x), direction.side(x));
        let at = -score / slope;
        if slope == 0.0 || !at.is_finite() {
            let always = is_wrong(*weight, score);
            line.wrong += if always { weight.abs() } else { 0.0 };
            continue;
        }
        // A rising score is negative before its place and positive behind it, a falling one the other way round.
        let step = if slope > 0.0 { -weight } else { *weight };
        line.add(at, step);
        if let Some(place) = places.next() {
            *place = Breakpoint::new(at, step);
            used += 1;
        }
    }
    line.best(scratch.get_mut(..used).unwrap_or_default())
}

/// Losses along a line before its breakpoints are sorted.
struct LineSearch {
    /// The loss at the far negative end.
    wrong: f32,
    first: f32,
    last: f32,
    segments: Segments,
}

impl LineSearch {
    const fn new() -> Self {
        LineSearch {
            wrong: 0.0,
            first: f32::INFINITY,
            last: f32::NEG_INFINITY,
            segments: Segments::new(),
        }
    }

    #[inline]
    fn add(&mut self, at: f32, step: f32) {
        self.wrong += (-step).max(0.0);
        self.first = self.first.min(at);
        self.last = self.last.max(at);
        self.segments.add(at, step);
    }

    /// The best interval, now that all breakpoints are known.
    fn best(mut self, places: &mut [Breakpoint]) -> Best {
        let wrong = self.wrong;
        if places.is_empty() {
            return Best { factor: 0.0, wrong };
        }
        let goal = self.segments.lower_bounds(wrong);
        let promising = retain(places, |at| self.segments.may_reach(goal, at));
        sort(promising);
        self.walk(promising)
    }

    /// Goes along the sorted places.
    fn walk(&self, places: &[Breakpoint]) -> Best {
        let beyond = self.margin_beyond();
        let mut wrong = self.wrong;
        let mut best = Best {
            factor: self.first - beyond,
            wrong,
        };
        let mut present = None;
        let next = places.iter().skip(1).map(|place| place.at());
        let ends = next.chain([self.last + 2.0 * beyond]);
        for (place, end) in places.iter().zip(ends) {
            let at = place.at();
            let number = Segments::number(at);
            if present != Some(number) {
                present = Some(number);
                wrong = self.segments.before(number);
            }
            wrong += place.step();
            if wrong < best.wrong && at < end {
                best = Best {
                    factor: 0.5 * at + 0.5 * end,
                    wrong,
                };
            }
        }
        best
    }

    /// Step beyond the first and the last breakpoint: their distance. If all are one,
    /// its distance from zero, since a smaller step might be lost in rounding.
    fn margin_beyond(&self) -> f32 {
        let mut rooms = [self.last - self.first, self.first.abs()].into_iter();
        let usable = |room: &f32| *room > 0.0 && room.is_finite();
        rooms.find(usable).unwrap_or(1.0)
    }
}

/// Moves the places to keep to the front.
fn retain(places: &mut [Breakpoint], keep: impl Fn(f32) -> bool) -> &mut [Breakpoint] {
    let mut kept = 0;
    for next in 0..places.len() {
        if let Some(place) = places.get(next).copied() {
            // One that is not kept is overwritten by the next: no branch.
            put(places, kept, place);
            kept += usize::from(keep(place.at()));
        }
    }
    places.get_mut(..kept).unwrap_or_default()
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

/// Puts the item at `root` where it belongs among those below: down to the bottom
/// along the larger children, and up again. It came from the bottom, so the way up
/// is short; and which child is larger, nobody can predict, so there is no branch.
fn sift_down(heap: &mut [Breakpoint], root: usize) {
    let Some(item) = heap.get(root).copied() else {
        return;
    };
    let mut hole = root;
    while let Some(&[left, right]) = heap.get(2 * hole + 1..2 * hole + 3) {
        put(heap, hole, left.max(right));
        hole = 2 * hole + 1 + usize::from(left < right);
    }
    if let Some(only) = heap.get(2 * hole + 1).copied() {
        put(heap, hole, only);
        hole = 2 * hole + 1;
    }
    while hole > root {
        let parent = (hole - 1) / 2;
        match heap.get(parent) {
            Some(above) if *above < item => put(heap, hole, *above),
            _ => break,
        }
        hole = parent;
    }
    put(heap, hole, item);
}
