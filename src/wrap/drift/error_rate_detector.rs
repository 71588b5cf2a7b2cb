//! Three running error rates, and an alarm when they differ too much.

use crate::persist::{Blank, ImageError, Persist, Reader, Ready, Shape, Writer};

/// Compares a fast, a slow and a slowest running error rate: 16 bytes.
///
/// With `e = 1` for a mistake and `0` otherwise, of example `t`,
///
/// ```text
/// fast += (e - fast) / 32,   slow += (e - slow) / min(t, 512),   slowest += (e - slowest) / min(t, 8192)
/// alarm when fast - slow    > 5 sqrt(max(slow (1 - slow), 0.03) / 63)
///         or slow - slowest > 5 sqrt(max(slowest (1 - slowest), 0.03) / 1023)
/// ```
///
/// `1 / 63` and `1 / 1023` of the variance of a single error are those of `fast` and `slow`: five standard deviations, so
/// that a stream which does not change almost never alarms, at most ten times in a million examples, whatever its share of
/// mistakes. The first line notices what changes at once, within some tens of examples; the second one what changes little
/// by little. Nothing is judged in the first 200 examples. After an alarm all three are `fast`, as after 32 examples, and
/// nothing is judged in the next 200.
///
/// ```
/// use pocketron::wrap::drift::ErrorRateDetector;
///
/// let mut detector = ErrorRateDetector::new();
/// // One mistake in ten, for a while; then every second example is one.
/// assert!((0..2000).all(|n| !detector.watch(n % 10 == 0)));
/// let noticed = (0..100).find(|n| detector.watch(n % 2 == 0));
/// assert!(noticed < Some(50));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ErrorRateDetector {
    fast: f32,
    slow: f32,
    slowest: f32,
    /// Examples in which nothing will be judged.
    wait: u16,
    /// Examples seen, up to [`SLOWEST`].
    seen: u16,
}

const FAST: u16 = 32;
const SLOW: u16 = 512;
const SLOWEST: u16 = 8192;
/// Examples before anything is judged, at the start and after an alarm.
const PAUSE: u16 = 200;
/// A variance is taken for no less: where mistakes are rare, three in a row are no change yet. (With 0.01, a share of 1 %
/// alarms 27 times in a million examples.)
const LEAST_VARIANCE: f32 = 0.03;

impl ErrorRateDetector {
    /// Nothing seen yet.
    pub const fn new() -> Self {
        Self::BLANK
    }

    /// Recent error rate, over some 32 examples.
    pub const fn recent_error(&self) -> f32 {
        self.fast
    }

    /// Share of mistakes over a longer time: some 512 examples.
    pub const fn earlier_error(&self) -> f32 {
        self.slow
    }

    /// Share of mistakes over a long time: some 8192 examples.
    pub const fn long_term_error(&self) -> f32 {
        self.slowest
    }

    /// Whether the last example raised the alarm.
    pub const fn alarmed(&self) -> bool {
        self.wait == PAUSE
    }

    /// Whether all is well: enough examples, no recent alarm, and no more mistakes than usual.
    pub fn is_stable(&self) -> bool {
        self.wait == 0 && self.seen > PAUSE && self.fast <= self.slow
    }

    /// Takes in whether a prediction was a mistake, and tells whether that is too much.
    pub fn watch(&mut self, mistake: bool) -> bool {
        let error = if mistake { 1.0 } else { 0.0 };
        self.seen = (self.seen + 1).min(SLOWEST);
        let seen = self.seen;
        let take_in = |rate: &mut f32, length: u16| *rate += (error - *rate) / f32::from(length);
        take_in(&mut self.fast, FAST);
        take_in(&mut self.slow, seen.min(SLOW));
        take_in(&mut self.slowest, seen);
        if let Some(wait) = self.wait.checked_sub(1) {
            self.wait = wait;
            return false;
        }
        let worse = exceeds(self.fast, self.slow, FAST) || exceeds(self.slow, self.slowest, SLOW);
        let alarm = seen > PAUSE && worse;
        if alarm {
            (self.slow, self.slowest) = (self.fast, self.fast);
            (self.wait, self.seen) = (PAUSE, FAST);
        }
        alarm
    }
}

/// Whether an average over some `length` examples is more than five standard deviations above a slower one.
fn exceeds(rate: f32, slower: f32, length: u16) -> bool {
    let excess = rate - slower;
    let variance = (slower * (1.0 - slower)).max(LEAST_VARIANCE);
    // Squares instead of a root.
    excess > 0.0 && excess * excess * f32::from(2 * length - 1) > 25.0 * variance
}

crate::persist::blank!([] ErrorRateDetector { fast, slow, slowest, wait, seen });

impl Ready for ErrorRateDetector {}

/// The three rates, then both counts in a word.
impl Persist for ErrorRateDetector {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("three-rates", |_| {});
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.fast.save(writer);
        self.slow.save(writer);
        self.slowest.save(writer);
        writer.word(u32::from(self.wait) | u32::from(self.seen) << 16);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        for rate in [&mut self.fast, &mut self.slow, &mut self.slowest] {
            reader.number(rate, 0.0..=1.0)?;
        }
        let counts = reader.word()?;
        let (wait, seen) = (counts as u16, (counts >> 16) as u16);
        if wait > PAUSE || seen > SLOWEST {
            return Err(ImageError::Malformed);
        }
        reader.put(&mut self.wait, wait);
        reader.put(&mut self.seen, seen);
        Ok(())
    }
}
