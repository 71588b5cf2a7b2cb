//! Two averages of the errors, and when they differ too much.

use crate::{
    image::{ImageError, Persist, Reader, Shape, Writer},
    memory::{Blank, Ready},
};

/// Compares the errors of late with those of before: 12 bytes.
///
/// ```text
/// fast += (e - fast) / 32,   slow += (e - slow) / min(t, 512),   e = 1 for a mistake, 0 otherwise
/// alarm when fast - slow > 5 sqrt(max(slow (1 - slow), 0.03) / 63)
/// ```
///
/// `1 / 63` of the variance of a single error is that of `fast`: five standard deviations, so that a
/// stream which does not change almost never alarms: at most 8 times in a million examples, whatever its share of
/// mistakes. Nothing is judged in the first 200 examples. After an
/// alarm `slow = fast`, and nothing is judged in the next 200.
///
/// ```
/// use pocketron::drift::TwoRates;
///
/// let mut detector = TwoRates::new();
/// // One mistake in ten, for a while; then every second example is one.
/// assert!((0..2000).all(|n| !detector.watch(n % 10 == 0)));
/// let noticed = (0..100).find(|n| detector.watch(n % 2 == 0));
/// assert!(noticed < Some(50));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TwoRates {
    fast: f32,
    slow: f32,
    /// Examples in which nothing will be judged.
    wait: u16,
    /// Examples seen, up to [`LONGEST`].
    seen: u16,
}

const FAST: f32 = 1.0 / 32.0;
/// The slow average forgets over so many examples.
const LONGEST: u16 = 512;
/// Examples before anything is judged, at the start and after an alarm.
const PAUSE: u16 = 200;
/// Square of the standard deviations that alarm, over twice the length of the fast average less one.
const FACTOR: f32 = 25.0 / 63.0;
/// A variance is taken for no less: where mistakes are rare, three in a row are no change yet. (With 0.01, a share of 1 %
/// alarms 27 times in a million examples.)
const LEAST_VARIANCE: f32 = 0.03;

impl TwoRates {
    /// Nothing seen yet.
    pub const fn new() -> Self {
        Self::BLANK
    }

    /// Share of mistakes of late.
    pub const fn lately(&self) -> f32 {
        self.fast
    }

    /// Share of mistakes over a longer time.
    pub const fn before(&self) -> f32 {
        self.slow
    }

    /// Whether the last example raised the alarm.
    pub const fn alarmed(&self) -> bool {
        self.wait == PAUSE
    }

    /// Whether all is well: enough has been seen, no alarm of late, and no more mistakes than usual.
    pub fn is_calm(&self) -> bool {
        self.wait == 0 && self.seen > PAUSE && self.fast <= self.slow
    }

    /// Takes in whether a prediction was a mistake, and tells whether that is too much.
    pub fn watch(&mut self, mistake: bool) -> bool {
        let error = if mistake { 1.0 } else { 0.0 };
        self.seen = (self.seen + 1).min(LONGEST);
        self.fast += (error - self.fast) * FAST;
        self.slow += (error - self.slow) / f32::from(self.seen);
        if let Some(wait) = self.wait.checked_sub(1) {
            self.wait = wait;
            return false;
        }
        let excess = self.fast - self.slow;
        let variance = (self.slow * (1.0 - self.slow)).max(LEAST_VARIANCE);
        // Squares instead of a root.
        let alarm = self.seen > PAUSE && excess > 0.0 && excess * excess > FACTOR * variance;
        if alarm {
            self.slow = self.fast;
            self.wait = PAUSE;
        }
        alarm
    }
}

impl Blank for TwoRates {
    const BLANK: Self = TwoRates {
        fast: 0.0,
        slow: 0.0,
        wait: 0,
        seen: 0,
    };
}

impl Ready for TwoRates {}

/// The two rates, then both counts in a word.
impl Persist for TwoRates {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("two-rates", |_| {});
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.fast.save(writer);
        self.slow.save(writer);
        writer.word(u32::from(self.wait) | u32::from(self.seen) << 16);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.fast.load(reader)?;
        self.slow.load(reader)?;
        let counts = reader.word()?;
        let (wait, seen) = (counts as u16, (counts >> 16) as u16);
        if wait > PAUSE || seen > LONGEST {
            return Err(ImageError::Malformed);
        }
        reader.put(&mut self.wait, wait);
        reader.put(&mut self.seen, seen);
        Ok(())
    }
}
