//! Floats at the ends of their range: the FPU of a Cortex-M4F, the soft floats of a Cortex-M0 and this machine agree to the last bit.

use pocketron::{device::message::ErrorReply, num::rng::XorShift32};
use pocketron_cli::{
    device::{Client, LinkError, qemu::Board},
    model::HostModel,
};

use crate::{connect, pull};

/// Subnormal, tiny, usual, huge, and neither.
const EXTREMES: [f32; 22] = [
    0.0,
    -0.0,
    1e-45,
    -1e-45,
    f32::from_bits(0x007f_ffff),
    f32::from_bits(0x8000_1234),
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    f32::EPSILON,
    1.0 + f32::EPSILON,
    -1.0,
    16_777_217.0,
    1e19,
    -1e19,
    1.9e19,
    3e38,
    -3e38,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

/// What a device or a model of this machine answers.
fn outcome<T>(answer: Result<T, LinkError>) -> Result<T, ErrorReply> {
    answer.map_err(|error| match error {
        LinkError::Refused(reason) => reason,
        other => panic!("{other}"),
    })
}

/// Teaches and asks device and twin the same, in turns of extreme and of usual numbers.
fn agree(client: &mut Client, seed: u32, count: u32) -> [u32; 2] {
    let classes = client.identity().classes as u32;
    let mut twin = HostModel::open(&pull(client)).expect("a model for hosts");
    let mut rng = XorShift32::new(seed);
    let mut counts = [0; 2];
    for number in 0..count {
        let usual = number % 3 == 0;
        let x = [(); 2].map(|()| match usual {
            true => rng.below(4001) as f32 / 1000.0 - 2.0,
            false => EXTREMES[rng.below(EXTREMES.len() as u32) as usize],
        });
        let class = rng.below(classes) as u8;
        let there = outcome(client.learn(class, &x));
        let here = twin.learn(&x, class).map_err(ErrorReply::from);
        match (there, here) {
            (Ok(there), Ok(here)) => {
                assert_eq!(there.predicted, here.predicted.0, "{number}: {x:?}");
                assert_eq!(
                    there.score.to_bits(),
                    here.score.to_bits(),
                    "{number}: {x:?}"
                );
                counts[0] += 1;
            }
            (there, here) => {
                let (there, here) = (there.map(drop), here.map(drop));
                assert_eq!(there, here, "{number}: {x:?}");
                counts[1] += 1;
            }
        }
        if x.iter().any(|x| !x.is_finite()) {
            let refused = outcome(client.predict(&x)).expect_err("not finite");
            assert_eq!(refused, ErrorReply::NonFinite);
        } else {
            let there = outcome(client.predict(&x));
            let here = twin.predict(&x).map_err(ErrorReply::from);
            match (there, here) {
                (Ok(there), Ok(here)) => {
                    let bits = |scores: &[f32]| -> Vec<u32> {
                        scores.iter().map(|score| score.to_bits()).collect()
                    };
                    assert_eq!(bits(&there.scores), bits(&here.scores), "{number}: {x:?}");
                    let probability = |share: Option<f32>| share.map(f32::to_bits);
                    assert_eq!(
                        probability(there.confidence.probability),
                        probability(here.confidence.probability)
                    );
                    assert_eq!(there.confidence.known, here.confidence.known);
                }
                (there, here) => assert_eq!(there.map(drop), here.map(drop), "{number}: {x:?}"),
            }
        }
    }
    assert!(pull(client) == twin.image(), "other bits on the device");
    counts
}

/// The same stream to both boards. Their budgets differ, so each is compared with a twin of its own size.
#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn extreme_floats_give_the_bits_of_the_host_on_both_cores() {
    for seed in 1..=3 {
        let counts = [Board::Mps2An386, Board::Microbit].map(|board| {
            let mut client = connect(board);
            agree(&mut client, seed, 400)
        });
        // What is refused does not depend on the core.
        assert_eq!(counts[0], counts[1]);
        assert!(counts[0].iter().all(|count| *count > 50), "{counts:?}");
    }
}
