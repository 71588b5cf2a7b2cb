//! Learning between samples: keep some, train whenever there is time, and get better.
//!
//! The two classes of the sensor lie like the fields of a chess board, so no plane tells them apart, and one
//! label in ten is wrong. A perceptron that sees every sample once stays lost; an ensemble of planes,
//! trained by random coordinate descent and AdaBoost on 200 samples that are kept, does not.
//!
//! `cargo run --example replay` on the host, `cargo xtask qemu replay` on a Cortex-M4F.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[macro_use]
mod platform;
mod sensor;

use core::fmt::{self, Write};

use pocketron::{
    learners::{
        batch::{AdaBoost, Directions, Ensemble, Rcd, Replay, Scratch, Seeding},
        perceptron::LinearPerceptron,
    },
    prelude::*,
    stream::ExampleSource,
};
use sensor::{FEATURES, Sensor};

const HELD: usize = 200;
const ROUNDS: usize = 20;
const EPOCHS: u32 = 8;
/// Samples of the stream, and how many make a line of the output.
const SAMPLES: usize = 1_000;
const LINE: usize = 200;

type Model = Ensemble<FEATURES, ROUNDS>;
type Boost = AdaBoost<Rcd<FEATURES>, FEATURES, ROUNDS>;

/// What the device keeps between two samples.
struct Device {
    once: LinearPerceptron<FEATURES>,
    buffer: Replay<FEATURES, HELD>,
    boost: Boost,
    /// The last ensemble that is complete: it answers while the next one grows.
    model: Model,
}

impl Device {
    /// A sample comes in: both answer, then learn. Who was right?
    fn sample(&mut self, x: &[f32; FEATURES], label: Sign) -> [bool; 2] {
        let answers = [self.once.predict(x), self.model.predict(x)];
        let _ = (self.once.learn(x, label), self.buffer.offer(x, label));
        answers.map(|answer| answer == Ok(label))
    }

    /// There is time before the next sample: one epoch.
    fn idle(&mut self) {
        let mut scratch = Scratch::BLANK;
        let mut samples = self.buffer.samples(&mut scratch);
        if self.boost.step(&mut samples).finished {
            self.model = self.boost.ensemble().clone();
            self.boost.restart(&mut samples);
        }
    }
}

fn demo(out: &mut impl Write) -> fmt::Result {
    let rcd = Rcd::new(Directions::Plain, 7);
    let mut device = Device {
        once: LinearPerceptron::new(),
        buffer: Replay::new(1),
        boost: AdaBoost::new(rcd, Seeding::Zero, EPOCHS),
        model: Model::BLANK,
    };
    let mut sensor = Sensor::new();
    writeln!(out, "right, of {LINE} samples   seen once   replayed")?;
    for line in 1..=SAMPLES / LINE {
        let mut right = [0; 2];
        for _ in 0..LINE {
            let Ok(Some(sample)) = sensor.next_example() else {
                return Ok(());
            };
            let answers = device.sample(sample.x, sample.label);
            right = [0, 1].map(|who| right[who] + u32::from(answers[who]));
            device.idle();
        }
        let last = line * LINE;
        writeln!(
            out,
            "up to sample {last:>4} {:>16} {:>10}",
            right[0], right[1]
        )?;
    }
    writeln!(
        out,
        "bytes: buffer {}, training {}, model {}, and {} while an epoch lasts",
        size_of_val(&device.buffer),
        size_of::<Boost>(),
        size_of::<Model>(),
        size_of::<Scratch<HELD>>(),
    )
}

run_demo!(demo);
