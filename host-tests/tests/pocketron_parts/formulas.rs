//! Distances and similarities in `f64`, and states to compare in.

use pocketron::{
    kernel::ArdGaussian,
    persist::{self, Persist},
    storage::{Features, Inline, SupportSet},
};
use pocketron_cli::model::image_of;
use pocketron_testkit::data::rng::TestRng;

/// What a feature of one stands for, in standard deviations.
pub const STEP: f64 = 4.0 / 127.0;

/// Steps of an exponent to a factor of two.
pub const OCTAVE: f64 = 2048.0;

/// What a similarity of the core may be off by, of itself and in any case: so `src/kernel/fixed.rs` promises.
pub const SIMILARITY: (f64, f64) = (2.7e-4, 1.2e-7);

/// `(p_k - q_k)^2`, in squared standard deviations.
pub fn squared_difference(p: i8, q: i8) -> f64 {
    (STEP * (f64::from(p) - f64::from(q))).powi(2)
}

/// `sum_k w_k (p_k - q_k)^2`.
pub fn distance(weights: &[f64], p: &[i8], q: &[i8]) -> f64 {
    let pairs = weights.iter().zip(p).zip(q);
    pairs
        .map(|((weight, p), q)| weight * squared_difference(*p, *q))
        .sum()
}

/// `exp(-3/D d(p, q))`.
pub fn similarity(weights: &[f64], p: &[i8], q: &[i8]) -> f64 {
    (-3.0 / p.len() as f64 * distance(weights, p, q)).exp()
}

/// Features of at most `reach` levels.
pub fn point<const D: usize>(rng: &mut TestRng, reach: f64) -> [i8; D] {
    std::array::from_fn(|_| rng.between(-reach, reach).round() as i8)
}

/// Vectors with coefficients of either sign.
pub fn vectors<const D: usize, const B: usize>(
    rng: &mut TestRng,
    count: usize,
    reach: f64,
) -> SupportSet<Inline<D, B, i8>> {
    let mut set = SupportSet::new();
    for _ in 0..count {
        let alpha = rng.between(0.05, 2.0) as f32 * rng.sign();
        assert!(set.push(&point(rng, reach), alpha));
    }
    set
}

/// A kernel whose weights are at most `octaves` octaves from one.
pub fn kernel<const D: usize>(rng: &mut TestRng, octaves: f64) -> ArdGaussian<Features<D>> {
    let reach = octaves * OCTAVE;
    with_exponents(std::array::from_fn(|_| {
        rng.between(-reach, reach).round() as i16
    }))
}

/// Where the exponents lie in the image of a kernel: the last words before the checksum.
fn exponents_in(bytes: &mut [u8], count: usize) -> &mut [u8] {
    let first = bytes.len() - 4 - 4 * count.div_ceil(2);
    &mut bytes[first..first + 2 * count]
}

/// Logarithms of the weights to the base of two, times [`OCTAVE`], as an image shows them.
pub fn exponents<const D: usize>(kernel: &ArdGaussian<Features<D>>) -> [i16; D] {
    let mut bytes = image_of(kernel);
    let bytes = exponents_in(&mut bytes, D);
    std::array::from_fn(|k| i16::from_le_bytes([bytes[2 * k], bytes[2 * k + 1]]))
}

/// A kernel that has come to these exponents.
pub fn with_exponents<const D: usize>(exponents: [i16; D]) -> ArdGaussian<Features<D>> {
    let mut kernel = ArdGaussian::new();
    let mut bytes = image_of(&kernel);
    for (place, exponent) in exponents_in(&mut bytes, D).chunks_mut(2).zip(exponents) {
        place.copy_from_slice(&exponent.to_le_bytes());
    }
    // The word before them says that there are any.
    let flag = bytes.len() - 8 - 4 * D.div_ceil(2);
    bytes[flag] = 1;
    reseal(&mut bytes);
    let part: &mut dyn Persist = &mut kernel;
    persist::restore(part, &mut &bytes[..]).expect("an image of the kernel");
    kernel
}

fn reseal(bytes: &mut [u8]) {
    let (body, trailer) = bytes.split_last_chunk_mut().expect("a checksum");
    *trailer = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC)
        .checksum(body)
        .to_le_bytes();
}

/// The weights that the kernel computes with.
pub fn weights<const D: usize>(kernel: &ArdGaussian<Features<D>>) -> [f64; D] {
    let mut weights = kernel.weights();
    std::array::from_fn(|_| f64::from(weights.next().expect("a weight for every feature")))
}
