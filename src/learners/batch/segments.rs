//! Segments of a line that deserve a closer look.

/// A line in pieces, each about half as long again as the one before, away from
/// its middle on either side.
///
/// A piece in which even all the steps down would not bring the loss to where it
/// comes elsewhere need not be looked into. What is left is one place in three
/// when examples are weighted by boosting, one in thirty on tame data.
pub(super) struct Segments([Segment; 2 * HALF]);

const HALF: usize = 20;

/// Exponent and first bit, as `f32` has them, of the places next to the
/// middle: up to `2^-6.5`.
const SHORTEST: u32 = 2 * (127 - 7);

/// More than sums of some thousand numbers are off.
const ROUNDING: f32 = 1.0 / 16_384.0;

#[derive(Clone, Copy)]
struct Segment {
    /// The loss where it begins.
    before: f32,
    /// Sum of the steps down, as a positive number.
    falls: f32,
    /// Sum of the steps up.
    rises: f32,
}

impl Segment {
    /// No loss in it is less.
    fn floor(&self) -> f32 {
        self.before - self.falls
    }

    /// The loss where it ends.
    fn after(&self) -> f32 {
        self.floor() + self.rises
    }
}

impl Segments {
    pub(super) const fn new() -> Self {
        let empty = Segment {
            before: 0.0,
            falls: 0.0,
            rises: 0.0,
        };
        Segments([empty; 2 * HALF])
    }

    /// Number of the stretch of a place; the numbers rise along the line.
    #[inline]
    pub(super) fn number(at: f32) -> usize {
        let size = at.to_bits() >> 22 & 0x1FF;
        let from_middle = (size.saturating_sub(SHORTEST) as usize).min(HALF - 1);
        if at < 0.0 {
            HALF - 1 - from_middle
        } else {
            HALF + from_middle
        }
    }

    /// Counts a place in.
    #[inline]
    pub(super) fn add(&mut self, at: f32, step: f32) {
        if let Some(segment) = self.0.get_mut(Self::number(at)) {
            segment.falls += (-step).max(0.0);
            segment.rises += step.max(0.0);
        }
    }

    /// Goes along the line, which begins with the loss `wrong`; returns the least
    /// loss between two stretches, and a little more.
    pub(super) fn lower_bounds(&mut self, wrong: f32) -> f32 {
        let (mut least, mut most, mut next) = (wrong, wrong, wrong);
        for segment in &mut self.0 {
            segment.before = next;
            next = segment.after();
            (least, most) = (least.min(next), most.max(next));
        }
        least + ROUNDING * most
    }

    /// Whether the loss may come down to `goal` around a place.
    #[inline]
    pub(super) fn may_reach(&self, goal: f32, at: f32) -> bool {
        let segment = self.0.get(Self::number(at));
        segment.is_some_and(|segment| segment.floor() <= goal)
    }

    /// The loss where a stretch begins.
    #[inline]
    pub(super) fn before(&self, number: usize) -> f32 {
        self.0.get(number).map_or(0.0, |segment| segment.before)
    }
}
