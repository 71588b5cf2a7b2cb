//! A level that most values lie above.

use crate::persist::{Blank, ImageError, Persist, Reader, Ready, Shape, Writer};

/// The level below which `PERCENT` of the values lie, found in the stream: 8 bytes.
///
/// ```text
/// spread += 0.01 (|v - q| - spread)
/// q += 0.03 spread (PERCENT / 100 - (v < q))
/// ```
///
/// A value below the level moves it down, one above moves it up; the steps balance at the PERCENT quantile.
/// Steps are in units of the mean distance of the values from the level, so the size of the
/// values does not matter. It follows values that grow, as the scores of a model do while it learns.
///
/// ```
/// use pocketron::wrap::confidence::Quantile;
///
/// let mut quantile = Quantile::<10>::new();
/// for n in 0..5000_u32 {
///     quantile.learn((n * 37 % 1000) as f32); // evenly from 0 to 1000
/// }
/// assert!((quantile.level() - 100.0).abs() < 30.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quantile<const PERCENT: u32 = 5> {
    level: f32,
    /// Running mean distance of the values from the level.
    spread: f32,
}

const RATE: f32 = 0.03;
/// Values beyond all measure must not make the level infinite.
const FARTHEST: f32 = 1e30;
/// Of the mean distance.
const SPREAD_RATE: f32 = 0.01;

impl<const PERCENT: u32> Quantile<PERCENT> {
    /// Nothing seen yet: a level of zero.
    pub const fn new() -> Self {
        Self::BLANK
    }

    /// The level.
    pub const fn level(&self) -> f32 {
        self.level
    }

    /// Takes a value in.
    pub fn learn(&mut self, value: f32) {
        let distance = (value - self.level).abs().min(FARTHEST);
        if self.spread > 0.0 {
            self.spread += SPREAD_RATE * (distance - self.spread);
        } else {
            self.spread = distance;
        }
        let below = if value < self.level { 1.0 } else { 0.0 };
        self.level += RATE * self.spread * (PERCENT as f32 / 100.0 - below);
    }
}

impl<const PERCENT: u32> Blank for Quantile<PERCENT> {
    const BLANK: Self = {
        assert!(PERCENT < 100, "a share of all values is below one");
        Quantile {
            level: 0.0,
            spread: 0.0,
        }
    };
}

impl<const PERCENT: u32> Ready for Quantile<PERCENT> {}

/// Named by its share.
impl<const PERCENT: u32> Persist for Quantile<PERCENT> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("quantile", |inside| inside.number(PERCENT as usize));
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.level.save(writer);
        self.spread.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        reader.number(&mut self.level, f32::MIN..=f32::MAX)?;
        reader.number(&mut self.spread, 0.0..=FARTHEST)
    }
}
