//! Energies of equal parts of the spectrum, by Fourier transform.

use core::{
    fmt::{self, Write},
    ops::Range,
};

use microfft::{Complex32, real};

use super::{FeatureWriter, WindowFeature, write_number};
use crate::{
    num::math::log2,
    persist::{Blank, Shape},
    sealed::Sealed,
    signal::Reading,
};

/// `bin 1` to `bin K`: logarithms of the energies of `K` equal parts of the spectrum, the lowest first.
///
/// The window is that of Hann, the mean is taken off. It keeps the `N` samples of a window, 4 `N` bytes for each channel, and takes as many on the
/// stack when a window ends. `N` is a power of two from 16 to 1024, and `K` divides `N / 2`.
///
/// ```
/// use pocketron::{persist::Blank, signal::{FrontEnd, Windowed, features::{PerChannel, Spectrum}}};
///
/// // At 1000 samples a second: parts of 62.5 Hz.
/// let mut front_end = Windowed::<i16, PerChannel<Spectrum<256, 8>>, 1, 256, 1, 8>::BLANK;
/// // A rectangle of 100 Hz has a third harmonic at 300 Hz, and a fifth at the very end.
/// let features = (0..256).find_map(|t| front_end.push(&[if t % 10 < 5 { 100 } else { -100 }])).unwrap();
/// let strongest = |from: usize| (from..8).max_by(|a, b| features[*a].total_cmp(&features[*b]));
/// assert_eq!((strongest(0), strongest(3)), (Some(1), Some(4)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Spectrum<const N: usize, const K: usize>;

/// Arrays of samples that can be transformed.
pub trait Transform: Sealed + Sized {
    /// The transform: entry `k` is that of `k` periods in the array; what lies in the middle of the spectrum is the imaginary part of entry 0.
    fn transform(&mut self) -> &mut [Complex32];
}

macro_rules! sizes {
    ($($size:literal $function:ident),*) => { $(
        impl Sealed for [f32; $size] {}
        impl Transform for [f32; $size] {
            fn transform(&mut self) -> &mut [Complex32] {
                real::$function(self)
            }
        }
    )* };
}
sizes!(16 rfft_16, 32 rfft_32, 64 rfft_64, 128 rfft_128, 256 rfft_256, 512 rfft_512, 1024 rfft_1024);

/// The last `N` samples, in a ring.
#[derive(Clone, Debug)]
pub struct SpectrumCarry<const N: usize> {
    next: u32,
    samples: [f32; N],
}
crate::persist::blank!([; const N: usize] SpectrumCarry<N> { next, samples });

impl<const N: usize, const K: usize> Spectrum<N, K>
where
    [f32; N]: Transform,
{
    /// Entries of the transform in each part; what is constant is left out of the first.
    const PART: usize = {
        assert!(K > 0 && (N / 2).is_multiple_of(K), "K must divide N / 2");
        N / 2 / K
    };

    fn entries(part: usize) -> Range<usize> {
        (part * Self::PART).max(1)..(part + 1) * Self::PART
    }
}

impl<R: Reading, const N: usize, const K: usize> WindowFeature<R> for Spectrum<N, K>
where
    [f32; N]: Transform,
{
    const FEATURES: usize = K;
    const NAME: &str = "spectrum";
    const WINDOW: usize = N;

    type Pane = ();
    type Carry = SpectrumCarry<N>;

    fn begin((): &mut (), _: &mut SpectrumCarry<N>, _: &R) {}

    #[inline(always)]
    fn add((): &mut (), carry: &mut SpectrumCarry<N>, value: &R) {
        if let Some(sample) = carry.samples.get_mut(carry.next as usize) {
            *sample = value.value();
        }
        carry.next = (carry.next + 1) % N as u32;
    }

    fn merge((): &mut (), (): &(), _: u32) {}

    fn write((): &(), carry: &SpectrumCarry<N>, _: u32, to: &mut FeatureWriter<'_>) {
        let at = carry.next as usize;
        let (newer, older) = carry.samples.split_at_checked(at).unwrap_or_default();
        let mut samples = [0.0; N];
        // Differences from the first one: an offset must not cost digits.
        let origin = older.first().or(newer.first()).copied().unwrap_or(0.0);
        for (sample, from) in samples.iter_mut().zip(older.iter().chain(newer)) {
            *sample = *from - origin;
        }
        let mean = samples.iter().fold(0.0, |sum, x| sum + x) / N as f32;
        samples.iter_mut().for_each(|sample| *sample -= mean);

        let spectrum = samples.transform();
        // What is packed into the first entry belongs behind the last one, and the mean is gone.
        let mut middle = Complex32::BLANK;
        if let Some(first) = spectrum.first_mut() {
            middle.re = first.im;
            *first = Complex32::BLANK;
        }
        for part in 0..K {
            let energies = Self::entries(part).map(|k| hann(spectrum, middle, k));
            let energy = energies.fold(0.0, |sum, energy| sum + energy);
            to.put(log2(R::FLOOR + energy / (N as f32 * N as f32)));
        }
    }

    fn name(feature: usize, to: &mut dyn Write) -> fmt::Result {
        to.write_str("bin ")?;
        write_number(feature + 1, to)
    }

    fn shape(shape: &mut Shape<'_>) {
        shape.part("spectrum", |inside| inside.number(K));
    }
}

/// The energy of an entry as if the samples had been multiplied by Hann's window: a difference from both neighbours.
fn hann(spectrum: &[Complex32], middle: Complex32, k: usize) -> f32 {
    let entry = |k: usize| spectrum.get(k).copied().unwrap_or(middle);
    let (before, here, after) = (entry(k.saturating_sub(1)), entry(k), entry(k + 1));
    let re = here.re - 0.5 * (before.re + after.re);
    let im = here.im - 0.5 * (before.im + after.im);
    re * re + im * im
}

/// Zero.
impl Blank for Complex32 {
    const BLANK: Self = Complex32 { re: 0.0, im: 0.0 };
}
