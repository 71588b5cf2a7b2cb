//! A stream of several classes, and the learner of them with what it shows of itself.

use pocketron::{
    label::Class,
    learners::continual::{CoefficientRow, ContinualLearner, StepContext, Steps, Tuning, Update},
    storage::{Features, Inline, scale::Moments},
};
use pocketron_testkit::data::rng::TestRng;

use crate::formulas::STEP;

pub const D: usize = 4;
pub const B: usize = 12;
pub const C: usize = 4;

pub type Model<U, T = Bare> = ContinualLearner<Features<D>, Inline<D, B, i8>, U, C, C, T>;
pub type Coefficients = [f64; C];

/// Nothing but the steps, the merging and the kernel: what happens to an example can be told from before and after.
#[derive(Clone, Debug)]
pub struct Bare;

impl Tuning for Bare {
    const REHEARSAL: bool = false;
    const ABSENCE: bool = false;
    const QUOTA: bool = false;
    const REMAPPING: bool = false;
    const MOVES: bool = false;
    const SHRINKING: bool = false;
    const LOCAL_ERROR_RATE: bool = false;
}

pub fn norm(a: &Coefficients) -> f64 {
    a.iter().map(|a| a * a).sum::<f64>().sqrt()
}

/// The coefficients of a vector.
pub fn coefficients(row: &CoefficientRow<C>) -> Coefficients {
    std::array::from_fn(|class| f64::from(row.coefficient(class)))
}

/// What a value of one in a row stands for.
pub fn unit(row: &CoefficientRow<C>) -> f64 {
    (f64::from(row.exponent()) - 15.0).exp2()
}

/// Offset and deviation by which a feature is standardised: of the variance two binary digits behind the first one
/// count, of the mean multiples of a quarter deviation.
pub fn coarse(moments: &Moments) -> (f64, f64) {
    let variance = f32::from_bits(moments.variance.to_bits() & 0xffe0_0000);
    let deviation = f64::from(variance).sqrt();
    let mean = f64::from(moments.mean);
    if deviation == 0.0 {
        return (mean, 0.0);
    }
    let quarter = 0.25 * deviation;
    ((mean / quarter).round() * quarter, deviation)
}

/// The bytes of an example, by the moments that have taken it in.
pub fn standardised(moments: &[Moments], x: &[f32; D]) -> [i8; D] {
    std::array::from_fn(|k| {
        let (offset, deviation) = coarse(&moments[k]);
        if deviation == 0.0 {
            return 0;
        }
        let z = (f64::from(x[k]) - offset) / deviation;
        (z.clamp(-2.5, 2.5) / STEP).round() as i8
    })
}

/// The steps that the update takes for an example, which is of one of the classes from then on.
pub fn steps<U: Update<C, C> + Clone>(model: &Model<U>, x: &[i8; D], label: Class) -> Steps<C> {
    let scores = model.vectors().scores(model.kernel(), x);
    let present = std::array::from_fn(|c| {
        let class = Class(c as u8);
        class == label || model.seen(class) > 0
    });
    let full = model.vectors().is_full();
    // This example included.
    let total: u32 = (0..C as u8)
        .map(|class| model.seen(Class(class)))
        .sum::<u32>()
        + 1;
    let context = StepContext {
        slots: B,
        gain: U::GAIN,
        new_class: false,
        full,
        merged: full,
        mostly_absent: false,
        error_rate: 0.0,
        immaturity: 1.0 / (1.0 + total as f32 / (256.0 * B as f32)),
        annealing: Bare::ANNEALING,
        robust_to_noise: Bare::ROBUST_TO_NOISE,
    };
    let mut update = model.update().clone();
    update.steps(&scores, &present, label.0.into(), &context)
}

/// Clouds around two centres for each class, in features of different sizes; one label in ten is wrong.
pub fn clouds(seed: u64, count: usize) -> Vec<([f32; D], Class)> {
    let mut rng = TestRng::new(seed);
    let centres: [[f64; D]; 2 * C] =
        std::array::from_fn(|_| [(); D].map(|()| rng.between(-1.0, 1.0)));
    let spread = rng.between(0.2, 0.6);
    let mut example = |row: usize| {
        let centre = row * 5 % centres.len();
        let x = std::array::from_fn(|k| {
            let z = centres[centre][k] + rng.between(-spread, spread);
            (10_f64.powi(k as i32) * (z + 3.0 * k as f64)) as f32
        });
        let class = centre + usize::from(rng.between(0.0, 1.0) < 0.1);
        (x, Class((class % C) as u8))
    };
    (0..count).map(&mut example).collect()
}
