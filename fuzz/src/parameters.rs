//! Every algorithm in every format, with arbitrary parameters.

use clap::ValueEnum as _;
use pocketron::{kernel::Gaussian, kernel::LinearKernel, kernel::Polynomial, label::Sign};
use pocketron_cli::learner::{self, Algorithm, Format, Settings};
use pocketron_testkit::kernel::AnyKernel;

use crate::{Input, input::assert_finite};

pub fn run(bytes: &[u8]) {
    let input = &mut Input::new(bytes);
    let algorithms = Algorithm::value_variants();
    let formats = Format::value_variants();
    let algorithm = algorithms[input.below(algorithms.len())];
    let format = formats[input.below(formats.len())];
    let Some(settings) = settings(input) else {
        return;
    };
    let dim = 1 + input.below(6);
    // Refused parameters are as good.
    let Ok(mut learner) = learner::build_in(format, algorithm, &settings, dim, 64) else {
        return;
    };
    let mut last = vec![0.0; dim];
    for _ in 0..64 {
        if input.is_empty() {
            break;
        }
        let how = input.byte();
        if how & 1 == 0 {
            last = (0..dim).map(|_| input.number()).collect();
        }
        let label = if how & 2 == 0 { Sign::Neg } else { Sign::Pos };
        let before = (learner.score(&last), learner.alphas());
        if let Ok(score) = before.0 {
            assert_finite(score, "the score");
        }
        match learner.learn(&last, label) {
            Ok(outcome) => assert_finite(outcome.score, "the score of the outcome"),
            Err(_) => {
                let bits = |numbers: &[f32]| numbers.iter().map(|one| one.to_bits()).collect();
                let (was, is): (Vec<u32>, Vec<u32>) = (bits(&before.1), bits(&learner.alphas()));
                assert_eq!(was, is, "a refused example has changed coefficients");
            }
        }
        for alpha in &learner.alphas() {
            assert_finite(*alpha, "a coefficient");
        }
    }
}

fn settings(input: &mut Input<'_>) -> Option<Settings> {
    let kernel = match input.below(5) {
        0 => None,
        1 => Some(AnyKernel::Linear(LinearKernel)),
        2 => {
            let (degree, scale, offset) = (input.word(), input.number(), input.number());
            Some(AnyKernel::Polynomial(
                Polynomial::new(degree, scale, offset).ok()?,
            ))
        }
        _ => Some(AnyKernel::Gaussian(Gaussian::new(input.number()).ok()?)),
    };
    Some(Settings {
        kernel,
        budget: Some(1 + input.below(9)),
        margin: input.number(),
        seed: input.word(),
        tolerance: input.number(),
        aggressiveness: input.number(),
        lambda: Some(input.number()),
    })
}
