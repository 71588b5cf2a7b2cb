//! Features of one channel that need a sum or two.

use core::fmt::{self, Write};

use super::{FeatureWriter, WindowFeature, log_energy};
use crate::{
    num::math::{Fast, Math, log2},
    persist::Blank,
    signal::Reading,
};

/// `mean` and `deviation` (the square root of the variance).
#[derive(Clone, Copy, Debug)]
pub struct MeanDeviation;

impl<R: Reading> WindowFeature<R> for MeanDeviation {
    const FEATURES: usize = 2;
    const NAME: &str = "moments";

    type Pane = R::Moments;
    type Carry = ();

    #[inline(always)]
    fn begin(pane: &mut R::Moments, _: &mut (), value: &R) {
        *pane = value.moments();
    }

    #[inline(always)]
    fn add(pane: &mut R::Moments, _: &mut (), value: &R) {
        value.include(pane);
    }

    fn merge(window: &mut R::Moments, pane: &R::Moments, count: u32) {
        R::merge(window, pane, count);
    }

    fn write(window: &R::Moments, _: &(), count: u32, to: &mut FeatureWriter<'_>) {
        to.put(R::mean(window, count));
        to.put(Fast::sqrt(R::variance(window, count)));
    }

    fn name(feature: usize, to: &mut dyn Write) -> fmt::Result {
        to.write_str(if feature == 0 { "mean" } else { "deviation" })
    }
}

/// `mean` and `level`: `log2(floor + variance)`, where [`MeanDeviation`] has the deviation. Movements differ by factors, not by amounts.
///
/// The floor is 1 for integers and 2^-20 for `f32`.
#[derive(Clone, Copy, Debug)]
pub struct MeanLevel;

impl<R: Reading> WindowFeature<R> for MeanLevel {
    const FEATURES: usize = 2;
    const NAME: &str = "mean-level";

    type Pane = R::Moments;
    type Carry = ();

    #[inline(always)]
    fn begin(pane: &mut R::Moments, carry: &mut (), value: &R) {
        MeanDeviation::begin(pane, carry, value);
    }

    #[inline(always)]
    fn add(pane: &mut R::Moments, carry: &mut (), value: &R) {
        MeanDeviation::add(pane, carry, value);
    }

    fn merge(window: &mut R::Moments, pane: &R::Moments, count: u32) {
        <MeanDeviation as WindowFeature<R>>::merge(window, pane, count);
    }

    fn write(window: &R::Moments, _: &(), count: u32, to: &mut FeatureWriter<'_>) {
        to.put(R::mean(window, count));
        to.put(log2(R::FLOOR + R::variance(window, count)));
    }

    fn name(feature: usize, to: &mut dyn Write) -> fmt::Result {
        to.write_str(if feature == 0 { "mean" } else { "level" })
    }
}

/// `minimum` and `maximum`.
#[derive(Clone, Copy, Debug)]
pub struct Range;

impl<R: Reading> WindowFeature<R> for Range {
    const FEATURES: usize = 2;
    const NAME: &str = "range";

    type Pane = (R, R);
    type Carry = ();

    #[inline(always)]
    fn begin(pane: &mut (R, R), _: &mut (), value: &R) {
        *pane = (*value, *value);
    }

    #[inline(always)]
    fn add((minimum, maximum): &mut (R, R), _: &mut (), value: &R) {
        if *value < *minimum {
            *minimum = *value;
        }
        if *value > *maximum {
            *maximum = *value;
        }
    }

    fn merge(window: &mut (R, R), pane: &(R, R), _: u32) {
        Self::add(window, &mut (), &pane.0);
        Self::add(window, &mut (), &pane.1);
    }

    fn write(window: &(R, R), _: &(), _: u32, to: &mut FeatureWriter<'_>) {
        to.put(window.0.value());
        to.put(window.1.value());
    }

    fn name(feature: usize, to: &mut dyn Write) -> fmt::Result {
        to.write_str(if feature == 0 { "minimum" } else { "maximum" })
    }
}

/// `energy`: `log2(floor + mean of the squares)`, an offset such as gravity included; [`Bands`](super::Bands) leave it out.
///
/// The floor is 1 for integers and 2^-20 for `f32`.
#[derive(Clone, Copy, Debug)]
pub struct Energy;

impl<R: Reading> WindowFeature<R> for Energy {
    const FEATURES: usize = 1;
    const NAME: &str = "energy";

    type Pane = R::Wide;
    type Carry = ();

    #[inline(always)]
    fn begin(pane: &mut R::Wide, _: &mut (), _: &R) {
        *pane = Blank::BLANK;
    }

    #[inline(always)]
    fn add(pane: &mut R::Wide, _: &mut (), value: &R) {
        value.add_square(pane);
    }

    fn merge(window: &mut R::Wide, pane: &R::Wide, _: u32) {
        R::add_wide(window, *pane);
    }

    fn write(window: &R::Wide, _: &(), count: u32, to: &mut FeatureWriter<'_>) {
        to.put(log_energy::<R>(*window, count));
    }
}

/// `crossings`: how often the signal crosses its mean.
///
/// A window's mean is known only at its end, so each pane is compared with the mean of the pane before, and the first one with
/// its first sample. On the watch data that serves as well as the mean of the window. An offset changes nothing.
#[derive(Clone, Copy, Debug)]
pub struct Crossings;

/// Crossings and sum of a pane.
#[derive(Clone, Debug)]
pub struct CrossingsPane<R> {
    crossings: u32,
    sum: R,
}
crate::persist::blank!([R] CrossingsPane<R> { crossings, sum });

/// The level whose crossings are counted, and the side of the last sample.
#[derive(Clone, Debug)]
pub struct CrossingsCarry<R> {
    /// The mean of the last pane; none before its end.
    level: Option<R>,
    /// Above or below; none before the first sample that is either.
    above: Option<bool>,
}
crate::persist::blank!([; R] CrossingsCarry<R> { level, above });

impl<R: Reading> WindowFeature<R> for Crossings {
    const FEATURES: usize = 1;
    const NAME: &str = "crossings";

    type Pane = CrossingsPane<R>;
    type Carry = CrossingsCarry<R>;

    #[inline(always)]
    fn begin(pane: &mut CrossingsPane<R>, carry: &mut CrossingsCarry<R>, value: &R) {
        carry.level.get_or_insert(*value);
        *pane = Blank::BLANK;
    }

    #[inline(always)]
    fn add(pane: &mut CrossingsPane<R>, carry: &mut CrossingsCarry<R>, value: &R) {
        pane.sum = pane.sum.plus(*value);
        let Some(level) = carry.level else { return };
        // On the line it is where it was.
        if *value != level {
            let above = *value > level;
            pane.crossings += u32::from(carry.above == Some(!above));
            carry.above = Some(above);
        }
    }

    #[inline(always)]
    fn end(pane: &CrossingsPane<R>, carry: &mut CrossingsCarry<R>, count: u32) {
        carry.level = Some(pane.sum.part(count));
    }

    fn merge(window: &mut CrossingsPane<R>, pane: &CrossingsPane<R>, _: u32) {
        window.crossings += pane.crossings;
    }

    fn write(window: &CrossingsPane<R>, _: &CrossingsCarry<R>, _: u32, to: &mut FeatureWriter<'_>) {
        to.put(window.crossings as f32);
    }
}

/// `step`: the mean distance from a sample to the next. A step belongs to the sample to which it leads.
#[derive(Clone, Copy, Debug)]
pub struct MeanStep;

impl<R: Reading> WindowFeature<R> for MeanStep {
    const FEATURES: usize = 1;
    const NAME: &str = "step";

    type Pane = R;
    type Carry = Option<R>;

    #[inline(always)]
    fn begin(pane: &mut R, _: &mut Option<R>, _: &R) {
        *pane = R::BLANK;
    }

    #[inline(always)]
    fn add(pane: &mut R, last: &mut Option<R>, value: &R) {
        if let Some(last) = last {
            *pane = pane.plus(value.minus(*last).size());
        }
        *last = Some(*value);
    }

    fn merge(window: &mut R, pane: &R, _: u32) {
        *window = window.plus(*pane);
    }

    fn write(window: &R, _: &Option<R>, count: u32, to: &mut FeatureWriter<'_>) {
        to.put(window.value() / count as f32);
    }
}

/// `step level`: `log2(floor + s s)` of the mean [`MeanStep`] `s`.
#[derive(Clone, Copy, Debug)]
pub struct StepLevel;

impl<R: Reading> WindowFeature<R> for StepLevel {
    const FEATURES: usize = 1;
    const NAME: &str = "step-level";

    type Pane = R;
    type Carry = Option<R>;

    #[inline(always)]
    fn begin(pane: &mut R, last: &mut Option<R>, value: &R) {
        MeanStep::begin(pane, last, value);
    }

    #[inline(always)]
    fn add(pane: &mut R, last: &mut Option<R>, value: &R) {
        MeanStep::add(pane, last, value);
    }

    fn merge(window: &mut R, pane: &R, count: u32) {
        <MeanStep as WindowFeature<R>>::merge(window, pane, count);
    }

    fn write(window: &R, _: &Option<R>, count: u32, to: &mut FeatureWriter<'_>) {
        let step = window.value() / count as f32;
        to.put(log2(R::FLOOR + step * step));
    }

    fn name(_: usize, to: &mut dyn Write) -> fmt::Result {
        to.write_str("step level")
    }
}

/// `peaks`: local maxima, wherever they are. Noise has many: slow movements want [`Crossings`] instead.
#[derive(Clone, Copy, Debug)]
pub struct Peaks;

/// The last sample, and whether it was above the one before.
#[derive(Clone, Debug)]
pub struct PeaksCarry<R> {
    last: Option<R>,
    rising: bool,
}
crate::persist::blank!([; R] PeaksCarry<R> { last, rising });

impl<R: Reading> WindowFeature<R> for Peaks {
    const FEATURES: usize = 1;
    const NAME: &str = "peaks";

    type Pane = u32;
    type Carry = PeaksCarry<R>;

    #[inline(always)]
    fn begin(pane: &mut u32, _: &mut PeaksCarry<R>, _: &R) {
        *pane = 0;
    }

    #[inline(always)]
    fn add(pane: &mut u32, carry: &mut PeaksCarry<R>, value: &R) {
        if let Some(last) = carry.last {
            if *value > last {
                carry.rising = true;
            } else if *value < last {
                *pane += u32::from(carry.rising);
                carry.rising = false;
            }
        }
        carry.last = Some(*value);
    }

    fn merge(window: &mut u32, pane: &u32, _: u32) {
        *window += *pane;
    }

    fn write(window: &u32, _: &PeaksCarry<R>, _: u32, to: &mut FeatureWriter<'_>) {
        to.put(*window as f32);
    }
}
