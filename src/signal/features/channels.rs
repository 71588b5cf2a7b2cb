//! Features of several channels.

use core::{
    fmt::{self, Write},
    marker::PhantomData,
};

use super::{FeatureWriter, WindowFeature, write_number};
use crate::{
    num::math::{Fast, Math},
    persist::{Blank, Shape},
    signal::Reading,
};

/// Writes the name of a channel and a blank; an only channel needs none.
fn channel(channel: usize, channels: usize, to: &mut dyn Write) -> fmt::Result {
    match (channels, channel) {
        (1, _) => Ok(()),
        (3, 0) => to.write_str("x "),
        (3, 1) => to.write_str("y "),
        (3, 2) => to.write_str("z "),
        _ => {
            to.write_str("channel ")?;
            write_number(channel + 1, to)?;
            to.write_char(' ')
        }
    }
}

/// The features `F` of every channel: all of the first, then all of the second.
#[derive(Clone, Copy, Debug)]
pub struct PerChannel<F>(PhantomData<F>);

impl<R: Reading, F: WindowFeature<R>, const C: usize> WindowFeature<[R; C]> for PerChannel<F> {
    const FEATURES: usize = C * F::FEATURES;
    const NAME: &str = "each";
    const PERIOD: usize = F::PERIOD;
    const WINDOW: usize = F::WINDOW;

    type Pane = [F::Pane; C];
    type Carry = [F::Carry; C];

    #[inline(always)]
    fn begin(panes: &mut [F::Pane; C], carry: &mut [F::Carry; C], values: &[R; C]) {
        for ((pane, carry), value) in panes.iter_mut().zip(carry).zip(values) {
            F::begin(pane, carry, value);
        }
    }

    #[inline(always)]
    fn add(panes: &mut [F::Pane; C], carry: &mut [F::Carry; C], values: &[R; C]) {
        for ((pane, carry), value) in panes.iter_mut().zip(carry).zip(values) {
            F::add(pane, carry, value);
        }
    }

    #[inline(always)]
    fn end(panes: &[F::Pane; C], carry: &mut [F::Carry; C], count: u32) {
        for (pane, carry) in panes.iter().zip(carry) {
            F::end(pane, carry, count);
        }
    }

    fn merge(window: &mut [F::Pane; C], panes: &[F::Pane; C], count: u32) {
        for (window, pane) in window.iter_mut().zip(panes) {
            F::merge(window, pane, count);
        }
    }

    fn write(window: &[F::Pane; C], carry: &[F::Carry; C], count: u32, to: &mut FeatureWriter<'_>) {
        for (window, carry) in window.iter().zip(carry) {
            F::write(window, carry, count, to);
        }
    }

    fn name(feature: usize, to: &mut dyn Write) -> fmt::Result {
        let of_channel = F::FEATURES.max(1);
        channel(feature / of_channel, C, to)?;
        F::name(feature % of_channel, to)
    }

    fn shape(shape: &mut Shape<'_>) {
        shape.part("each", F::shape);
    }
}

/// The features `F` of the length of the vector that the channels form: it does not depend on how a sensor is turned.
#[derive(Clone, Copy, Debug)]
pub struct Magnitude<F>(PhantomData<F>);

impl<R: Reading, F: WindowFeature<R>, const C: usize> WindowFeature<[R; C]> for Magnitude<F> {
    const FEATURES: usize = F::FEATURES;
    const NAME: &str = "magnitude";
    const PERIOD: usize = {
        assert!(
            C <= 3,
            "the length of a vector is that of at most three channels"
        );
        F::PERIOD
    };
    const WINDOW: usize = F::WINDOW;

    type Pane = F::Pane;
    type Carry = F::Carry;

    #[inline(always)]
    fn begin(pane: &mut F::Pane, carry: &mut F::Carry, values: &[R; C]) {
        F::begin(pane, carry, &R::length(values.iter().copied()));
    }

    #[inline(always)]
    fn add(pane: &mut F::Pane, carry: &mut F::Carry, values: &[R; C]) {
        F::add(pane, carry, &R::length(values.iter().copied()));
    }

    #[inline(always)]
    fn end(pane: &F::Pane, carry: &mut F::Carry, count: u32) {
        F::end(pane, carry, count);
    }

    fn merge(window: &mut F::Pane, pane: &F::Pane, count: u32) {
        F::merge(window, pane, count);
    }

    fn write(window: &F::Pane, carry: &F::Carry, count: u32, to: &mut FeatureWriter<'_>) {
        F::write(window, carry, count, to);
    }

    fn name(feature: usize, to: &mut dyn Write) -> fmt::Result {
        to.write_str("magnitude ")?;
        F::name(feature, to)
    }

    fn shape(shape: &mut Shape<'_>) {
        shape.part("magnitude", F::shape);
    }
}

/// The correlation of every channel with the next, and of the last with the first: all pairs of three axes. Zero if one of them is constant.
#[derive(Clone, Copy, Debug)]
pub struct Correlations;

/// Sums of a pane.
#[derive(Clone, Debug)]
pub struct CorrelationsPane<R: Reading, const C: usize> {
    moments: [R::Moments; C],
    products: [R::Wide; C],
}
crate::persist::blank!([; R: Reading, const C: usize] CorrelationsPane<R, C> { moments, products });

/// A channel and the next one, round and round.
fn pairs<T, const C: usize>(channels: &[T; C]) -> impl Iterator<Item = (&T, &T)> {
    channels.iter().zip(channels.iter().cycle().skip(1))
}

impl<R: Reading, const C: usize> WindowFeature<[R; C]> for Correlations {
    const FEATURES: usize = if C > 2 { C } else { C - 1 };
    const NAME: &str = "correlations";

    type Pane = CorrelationsPane<R, C>;
    type Carry = ();

    fn begin(pane: &mut Self::Pane, _: &mut (), values: &[R; C]) {
        for (moments, value) in pane.moments.iter_mut().zip(values) {
            *moments = value.moments();
        }
        pane.products = Blank::BLANK;
    }

    #[inline(always)]
    fn add(pane: &mut Self::Pane, _: &mut (), values: &[R; C]) {
        let channels = pairs(values).zip(pairs(&pane.moments));
        for (sum, ((a, b), (of_a, of_b))) in pane.products.iter_mut().zip(channels) {
            R::add_product(sum, (*a, of_a), (*b, of_b));
        }
        for (moments, value) in pane.moments.iter_mut().zip(values) {
            value.include(moments);
        }
    }

    fn merge(window: &mut Self::Pane, pane: &Self::Pane, count: u32) {
        let channels = pairs(&window.moments).zip(pairs(&pane.moments));
        let sums = window.products.iter_mut().zip(&pane.products);
        for ((into, other), ((a, b), (of_a, of_b))) in sums.zip(channels) {
            R::merge_products((into, [a, b]), (other, [of_a, of_b]), count);
        }
        for (moments, other) in window.moments.iter_mut().zip(&pane.moments) {
            R::merge(moments, other, count);
        }
    }

    fn write(window: &Self::Pane, _: &(), count: u32, to: &mut FeatureWriter<'_>) {
        let features = <Self as WindowFeature<[R; C]>>::FEATURES;
        let channels = window.products.iter().zip(pairs(&window.moments));
        for (products, (a, b)) in channels.take(features) {
            let deviation = |moments| Fast::sqrt(R::variance(moments, count));
            let scale = deviation(a) * deviation(b);
            let correlation = R::covariance(products, [a, b], count) / scale;
            to.put(if scale > 0.0 {
                correlation.clamp(-1.0, 1.0)
            } else {
                0.0
            });
        }
    }

    fn name(feature: usize, to: &mut dyn Write) -> fmt::Result {
        channel(feature, C, to)?;
        to.write_str("to ")?;
        let next = if feature + 1 < C { feature + 1 } else { 0 };
        match (C, next) {
            (3, 0) => to.write_char('x'),
            (3, 1) => to.write_char('y'),
            (3, 2) => to.write_char('z'),
            _ => write_number(next + 1, to),
        }
    }
}
