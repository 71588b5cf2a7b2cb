//! Windows over samples, by panes.

use core::fmt;

use super::{
    FrontEnd, Quality, Sample,
    features::{FeatureWriter, WindowFeature},
    quality::count,
};
use crate::{
    persist::{Blank, ImageError, Persist, Reader, Ready, Shape, Writer},
    sealed::Sealed,
};

/// A sample of all channels in the wider type.
type Readings<S, const C: usize> = [<S as Sample>::Reading; C];

/// A front end: windows of `N` samples of `C` channels, described by the features `F`.
///
/// A window consists of `P` panes, and begins a pane after the last: `P = 1` for windows side by side, 2 for windows that overlap by half.
/// `D` is the number of features; if it is not what `F` gives, the program does not compile. `END` is the largest number of the sensor, for
/// [`Quality::saturated`]: 2047 if it has twelve bits with a sign. Zero is the end of the type.
///
/// A gap of a few lost samples is bridged by the sample before it: at most `N / 32` of them in a hop, but one if that is none. After a longer
/// gap a new window begins. Samples that are not finite are lost ones.
///
/// ```
/// use pocketron::{persist::Blank, signal::{FrontEnd, Windowed, features::*}};
///
/// /// Two currents in ampere: windows of 50 samples, every 25.
/// type Currents = Windowed<f32, (PerChannel<(MeanDeviation, Range)>, Correlations), 2, 50, 2, 9>;
///
/// let mut front_end = Currents::BLANK;
/// let features = (0..50).find_map(|t| front_end.push(&[t as f32, 10.0 - t as f32])).unwrap();
/// assert_eq!(features[..8], [24.5, 14.43087, 0.0, 49.0, -14.5, 14.43087, -39.0, 10.0]);
/// assert!((features[8] + 1.0).abs() < 1e-6); // one falls as the other rises
///
/// let mut name = String::new();
/// Currents::feature_name(3, &mut name).unwrap();
/// assert_eq!(name, "channel 1 maximum");
/// ```
///
/// ```compile_fail
/// # use pocketron::{persist::Blank, signal::{FrontEnd, Windowed, features::*}};
/// let mut wrong = Windowed::<i16, PerChannel<MeanDeviation>, 3, 64, 2, 5>::BLANK; // 3 channels, 2 features each: D is 6
/// wrong.push(&[0; 3]);
/// ```
pub struct Windowed<
    S: Sample,
    F,
    const C: usize,
    const N: usize,
    const P: usize,
    const D: usize,
    const END: i32 = 0,
> where
    F: WindowFeature<Readings<S, C>>,
{
    panes: [F::Pane; P],
    carry: F::Carry,
    /// The pane that is being filled, the panes that are full before it, and the samples in it.
    pane: u32,
    full: u32,
    filled: u32,
    /// The last sample, and how many in a row were equal to it.
    last: [S; C],
    equal: u32,
    /// Samples lost since then that are to be bridged, and those bridged in this pane.
    gap: u32,
    bridged: u32,
    quality: Quality,
}

impl<S: Sample, F, const C: usize, const N: usize, const P: usize, const D: usize, const END: i32>
    Windowed<S, F, C, N, P, D, END>
where
    F: WindowFeature<Readings<S, C>>,
{
    const HOP: usize = {
        assert!(C > 0, "a sample has at least one channel");
        assert!(
            P > 0 && N > 0 && N.is_multiple_of(P),
            "a window is a whole number of hops"
        );
        assert!(N <= 1 << 15, "a window has at most 32768 samples");
        assert!(D == F::FEATURES, "D must be the number of features of F");
        assert!(
            (N / P).is_multiple_of(F::PERIOD),
            "the hop must be a multiple of 2^K for Bands<K>"
        );
        assert!(
            F::WINDOW == 0 || F::WINDOW == N,
            "Spectrum<N, K> must have the N of the window"
        );
        N / P
    };

    /// Lost samples of a hop that are bridged at most: fewer than a hop, so that no two windows end at once.
    const BRIDGED: u32 = {
        let share = N.div_ceil(32);
        let hop = Self::HOP - 1;
        (if share < hop { share } else { hop }) as u32
    };

    /// Bookkeeping, and the sample as numbers to compute with; none if there are none.
    #[inline(always)]
    fn check(&mut self, sample: &[S; C]) -> Option<Readings<S, C>> {
        count(&mut self.quality.samples);
        let mut readings = [Blank::BLANK; C];
        let mut is_saturated = false;
        for (reading, value) in readings.iter_mut().zip(sample) {
            let Some(finite) = value.reading() else {
                count(&mut self.quality.non_finite);
                return None;
            };
            *reading = finite;
            is_saturated |= value.is_saturated(END);
        }
        if is_saturated {
            count(&mut self.quality.saturated);
        }
        if self.last == *sample {
            count(&mut self.equal);
            if self.equal > Quality::STUCK {
                count(&mut self.quality.constant);
            }
        } else {
            self.last = *sample;
            self.equal = 1;
        }
        Some(readings)
    }

    /// Samples are missing: they are bridged by the next one, or a new window begins.
    fn lose(&mut self, samples: u32) {
        let is_begun = self.filled > 0 || self.full > 0;
        self.gap = self.gap.saturating_add(samples);
        if !is_begun || self.gap.saturating_add(self.bridged) > Self::BRIDGED {
            self.restart();
        }
    }

    #[inline(always)]
    fn take(&mut self, readings: &Readings<S, C>) -> Option<[f32; D]> {
        let pane = self.panes.get_mut(self.pane as usize)?;
        if self.filled == 0 {
            F::begin(pane, &mut self.carry, readings);
        }
        F::add(pane, &mut self.carry, readings);
        self.filled += 1;
        if self.filled < Self::HOP as u32 {
            return None;
        }
        self.close_pane()
    }

    /// A pane is full; with it, a window may be.
    #[inline(never)]
    fn close_pane(&mut self) -> Option<[f32; D]> {
        let pane = self.panes.get(self.pane as usize)?;
        F::end(pane, &mut self.carry, Self::HOP as u32);
        (self.filled, self.bridged) = (0, 0);
        self.full = (self.full + 1).min(P as u32);
        let features = (self.full == P as u32).then(|| self.features());
        self.pane = if self.pane + 1 < P as u32 {
            self.pane + 1
        } else {
            0
        };
        features
    }

    /// All panes together, the oldest first.
    #[inline(never)]
    fn features(&self) -> [f32; D] {
        let mut features = [0.0; D];
        let newest = self.pane as usize;
        // The panes lie in a ring: behind the newest one comes the oldest.
        let (newer, older) = self.panes.split_at_checked(newest + 1).unwrap_or_default();
        let mut panes = older.iter().chain(newer);
        if let Some(oldest) = panes.next() {
            let mut window = oldest.clone();
            for pane in panes {
                F::merge(&mut window, pane, Self::HOP as u32);
            }
            F::write(
                &window,
                &self.carry,
                N as u32,
                &mut FeatureWriter::new(&mut features),
            );
        }
        features
    }
}

impl<S: Sample, F, const C: usize, const N: usize, const P: usize, const D: usize, const END: i32>
    FrontEnd for Windowed<S, F, C, N, P, D, END>
where
    F: WindowFeature<Readings<S, C>>,
{
    type Sample = [S; C];
    type Features = [f32; D];

    const CHANNELS: usize = C;
    const WINDOW: usize = N;
    const HOP: usize = Self::HOP;
    const FEATURES: usize = D;

    fn push(&mut self, sample: &[S; C]) -> Option<[f32; D]> {
        let before = if self.gap > 0 {
            self.last
                .map(|value| value.reading().unwrap_or(Blank::BLANK))
        } else {
            [Blank::BLANK; C]
        };
        let Some(readings) = self.check(sample) else {
            self.lose(1);
            return None;
        };
        let mut features = None;
        // The sample before the gap in place of each that is missing, then this one.
        for missing in (0..=core::mem::take(&mut self.gap)).rev() {
            self.bridged += u32::from(missing > 0);
            let next = if missing > 0 { &before } else { &readings };
            if let Some(found) = self.take(next) {
                features = Some(found);
            }
        }
        features
    }

    fn skip(&mut self, samples: u32) {
        self.quality.lost = self.quality.lost.saturating_add(samples);
        self.lose(samples);
    }

    fn restart(&mut self) {
        self.carry = F::Carry::BLANK;
        (self.full, self.filled) = (0, 0);
        (self.gap, self.bridged) = (0, 0);
    }

    fn quality(&self) -> Quality {
        self.quality
    }

    fn feature_name(feature: usize, to: &mut dyn fmt::Write) -> fmt::Result {
        if feature < D {
            F::name(feature, to)
        } else {
            Ok(())
        }
    }
}

impl<S: Sample, F, const C: usize, const N: usize, const P: usize, const D: usize, const END: i32>
    Blank for Windowed<S, F, C, N, P, D, END>
where
    F: WindowFeature<Readings<S, C>>,
{
    const BLANK: Self = Windowed {
        panes: Blank::BLANK,
        carry: Blank::BLANK,
        pane: 0,
        full: 0,
        filled: 0,
        last: Blank::BLANK,
        equal: 0,
        gap: 0,
        bridged: 0,
        quality: Quality {
            samples: 0,
            lost: 0,
            saturated: 0,
            constant: 0,
            non_finite: 0,
        },
    };
}

impl<S: Sample, F, const C: usize, const N: usize, const P: usize, const D: usize, const END: i32>
    Ready for Windowed<S, F, C, N, P, D, END>
where
    F: WindowFeature<Readings<S, C>>,
{
}

impl<S: Sample, F, const C: usize, const N: usize, const P: usize, const D: usize, const END: i32>
    Sealed for Windowed<S, F, C, N, P, D, END>
where
    F: WindowFeature<Readings<S, C>>,
{
}

/// By hand: `F` itself is never stored, and need not be `Clone`.
impl<S: Sample, F, const C: usize, const N: usize, const P: usize, const D: usize, const END: i32>
    Clone for Windowed<S, F, C, N, P, D, END>
where
    F: WindowFeature<Readings<S, C>>,
{
    fn clone(&self) -> Self {
        Windowed {
            panes: self.panes.clone(),
            carry: self.carry.clone(),
            ..*self
        }
    }
}

/// Only a shape: an unfinished window is not saved.
impl<S: Sample, F, const C: usize, const N: usize, const P: usize, const D: usize, const END: i32>
    Persist for Windowed<S, F, C, N, P, D, END>
where
    F: WindowFeature<Readings<S, C>>,
{
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("windowed", |inside| {
            inside.part(S::NAME, |sizes| {
                sizes.number(C);
                sizes.number(N);
                sizes.number(P);
            });
            F::shape(inside);
        });
    }

    fn save(&self, _: &mut Writer<'_>) {}

    fn load(&mut self, _: &mut Reader<'_>) -> Result<(), ImageError> {
        Ok(())
    }
}
