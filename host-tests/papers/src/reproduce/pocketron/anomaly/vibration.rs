//! A drawn signal: the acceleration of a rotating machine, through the front end of the device.

use libm::{exp, sin};
use pocketron::{
    persist::Blank as _,
    signal::{self, FrontEnd as _, Vibration},
};

use super::Row;
use crate::data::shuffle::SplitMix64;

/// Samples of a window.
const WINDOW: usize = 512;
/// Samples a second.
const RATE: f64 = 4000.0;
/// Turns a second.
const TURNS: f64 = 29.0;
/// Amplitudes of the harmonics under full load, and of the noise.
const HARMONICS: [f64; 5] = [1.0, 0.5, 0.25, 0.1, 0.08];
const NOISE: f64 = 0.15;
/// Features of a window.
type FrontEnd = Vibration<WINDOW, f32>;
pub const FEATURES: usize = <FrontEnd as signal::FrontEnd>::FEATURES;

/// Faults of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Impulses that ring at 1200 Hz, 3.6 of them a turn.
    Bearing,
    /// The first harmonic is larger by 60 %.
    Imbalance,
    /// The second harmonic is gone.
    MissingHarmonic,
}

impl Fault {
    pub const ALL: [Fault; 3] = [Fault::Bearing, Fault::Imbalance, Fault::MissingHarmonic];

    pub const fn name(self) -> &'static str {
        match self {
            Fault::Bearing => "bearing",
            Fault::Imbalance => "imbalance",
            Fault::MissingHarmonic => "missing-harmonic",
        }
    }
}

/// Evenly between 0 and 1.
fn even(rng: &mut SplitMix64) -> f64 {
    rng.below(1 << 24) as f64 / f64::from(1 << 24)
}

/// Nearly normally distributed.
fn bell(rng: &mut SplitMix64) -> f64 {
    (0..12).map(|_| even(rng)).sum::<f64>() - 6.0
}

/// Features of the next window.
pub fn window(fault: Option<Fault>, rng: &mut SplitMix64) -> Row {
    let load = if rng.below(2) == 0 { 0.6 } else { 1.0 } + 0.05 * bell(rng);
    let turns = TURNS * (1.0 + 0.01 * bell(rng));
    let mut signal = [0.0; WINDOW];
    for (number, amplitude) in HARMONICS.into_iter().enumerate() {
        let mut amplitude = amplitude * load * (1.0 + 0.08 * bell(rng));
        match (fault, number) {
            (Some(Fault::Imbalance), 0) => amplitude *= 1.6,
            (Some(Fault::MissingHarmonic), 1) => amplitude = 0.0,
            _ => {}
        }
        let phase = TAU * even(rng);
        let speed = TAU * turns * (number + 1) as f64 / RATE;
        for (place, value) in signal.iter_mut().enumerate() {
            *value += amplitude * sin(speed * place as f64 + phase);
        }
    }
    for value in &mut signal {
        *value += NOISE * bell(rng);
    }
    if fault == Some(Fault::Bearing) {
        let every = RATE / (turns * 3.6);
        let mut start = every * even(rng);
        while start < WINDOW as f64 {
            let size = 0.3 * (1.0 + 0.2 * bell(rng));
            for (place, value) in signal.iter_mut().enumerate() {
                let since = (place as f64 - start) / RATE;
                if since >= 0.0 {
                    *value += size * exp(-600.0 * since) * sin(TAU * 1200.0 * since);
                }
            }
            start += every;
        }
    }
    features(&signal)
}

const TAU: f64 = std::f64::consts::TAU;

fn features(signal: &[f64; WINDOW]) -> Row {
    let mut front_end = FrontEnd::BLANK;
    let windows = signal
        .iter()
        .filter_map(|value| front_end.push(&[*value as f32]));
    windows.flatten().collect()
}
