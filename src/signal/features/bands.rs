//! Energies of octaves, without a buffer.

use core::fmt::{self, Write};

use super::{FeatureWriter, WindowFeature, log_energy, write_number};
use crate::{
    persist::{Blank, Shape},
    signal::Reading,
};

/// `band 1` to `band K`: logarithms of the energies of `K` octaves, the highest first.
///
/// The Haar wavelet: neighbours are subtracted, which is the upper half of the spectrum, and added, which is the lower half with every
/// second sample; the sums go the same way, and so on `K` times. At 50 samples a second band 1 is from 12.5 to 25 Hz, band 2 from 6.25 to 12.5 Hz.
/// The edges are soft: a quarter of a tone in the middle of an octave shows in the next. What is below the last band, and so the mean, is left out.
///
/// A band is `log2(floor + mean square)` of the differences between means of `2^(k-1)` samples. A hop must be a multiple of `2^K`.
#[derive(Clone, Copy, Debug)]
pub struct Bands<const K: usize>;

/// Sums that wait for their neighbours.
#[derive(Clone, Debug)]
pub struct BandsCarry<R, const K: usize> {
    /// Samples since the beginning, modulo 2^32: its bits say where a sum waits.
    samples: u32,
    waiting: [R; K],
}
crate::persist::blank!([R; const K: usize] BandsCarry<R, K> { samples, waiting });

impl<R: Reading, const K: usize> WindowFeature<R> for Bands<K> {
    const FEATURES: usize = K;
    const NAME: &str = "bands";
    const PERIOD: usize = {
        assert!(0 < K && K < 15, "there are 1 to 14 bands");
        1 << K
    };

    type Pane = [R::Wide; K];
    type Carry = BandsCarry<R, K>;

    #[inline(always)]
    fn begin(pane: &mut [R::Wide; K], _: &mut BandsCarry<R, K>, _: &R) {
        *pane = Blank::BLANK;
    }

    #[inline(always)]
    fn add(pane: &mut [R::Wide; K], carry: &mut BandsCarry<R, K>, value: &R) {
        let mut sum = *value;
        let mut digits = carry.samples;
        carry.samples = digits.wrapping_add(1);
        for (band, (energy, waiting)) in (0..).zip(pane.iter_mut().zip(&mut carry.waiting)) {
            if digits & 1 == 0 {
                *waiting = sum;
                return;
            }
            sum.minus(*waiting).halved(band).add_square(energy);
            sum = sum.plus(*waiting);
            digits >>= 1;
        }
    }

    fn merge(window: &mut [R::Wide; K], pane: &[R::Wide; K], _: u32) {
        for (sum, other) in window.iter_mut().zip(pane) {
            R::add_wide(sum, *other);
        }
    }

    fn write(window: &[R::Wide; K], _: &BandsCarry<R, K>, count: u32, to: &mut FeatureWriter<'_>) {
        let mut differences = count;
        for energy in window {
            differences >>= 1;
            to.put(log_energy::<R>(*energy, differences));
        }
    }

    fn name(feature: usize, to: &mut dyn Write) -> fmt::Result {
        to.write_str("band ")?;
        write_number(feature + 1, to)
    }

    fn shape(shape: &mut Shape<'_>) {
        shape.part("bands", |inside| inside.number(K));
    }
}
