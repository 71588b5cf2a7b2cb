//! A fan that runs normally is learned by its vibration, without labels; faults then raise an alarm.
//!
//! [`Vibration`] makes 13 features of each window, [`Normal`] learns or judges them. By design it calls a few normal windows
//! anomalous, so an alarm takes 3 anomalous windows among the last 8. More: `docs/anomaly.md`, `docs/signal.md`.
//!
//! `cargo run --example anomaly` on the host, `cargo xtask qemu anomaly` on a Cortex-M4F.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[macro_use]
mod platform;

use core::fmt::{self, Write};

use pocketron::num::rng::XorShift32;
use pocketron::persist::Blank as _;
use pocketron::prelude::*;
use pocketron::signal::{FrontEnd as _, Vibration};

/// A fan with an accelerometer at 1 kHz, in place of your driver.
struct Fan {
    noise: XorShift32,
    time: i32,
    /// Windows of 128 samples: one every 0.128 seconds.
    front_end: Vibration<128>,
}

impl Fan {
    /// The next window: 20 turns a second with an imbalance, 40 knocks a second of a worn bearing, noise.
    fn features(&mut self, imbalance: i32, knock: i32) -> [f32; 13] {
        loop {
            self.time += 1;
            let turn = imbalance * ((self.time % 50 - 25).abs() - 12);
            let knock = if self.time % 25 == 0 { knock } else { 0 };
            let noise = self.noise.below(101) as i32 - 50;
            if let Some(features) = self.front_end.push(&[(turn + knock + noise) as i16]) {
                return features;
            }
        }
    }
}

/// Whether at least `m` of the last `n` windows were anomalous; a bit each, the last one lowest.
fn m_of_n(windows: u32, m: u32, n: u32) -> bool {
    (windows << (u32::BITS - n)).count_ones() >= m
}

fn demo(out: &mut impl Write) -> fmt::Result {
    let mut fan = Fan {
        noise: XorShift32::new(3),
        time: 0,
        front_end: Vibration::BLANK,
    };
    let mut model = Normal::<13, 16>::new();
    for _ in 0..400 {
        let _ = model.learn(&fan.features(4, 0)); // features are finite
    }
    writeln!(out, "bytes of the model: {}", size_of_val(&model))?;
    for (state, imbalance, knock) in [("normal", 4, 0), ("bearing", 4, 80), ("imbalance", 5, 0)] {
        let (mut windows, mut anomalous, mut alarms) = (0, 0, 0);
        for _ in 0..200 {
            let is_anomalous = model.detect(&fan.features(imbalance, knock)) == Ok(true);
            windows = windows << 1 | u32::from(is_anomalous);
            anomalous += u32::from(is_anomalous);
            alarms += u32::from(m_of_n(windows, 3, 8));
        }
        writeln!(
            out,
            "{state:<9} {anomalous:3} of 200 windows anomalous, {alarms:3} with an alarm"
        )?;
    }
    Ok(())
}

run_demo!(demo);
