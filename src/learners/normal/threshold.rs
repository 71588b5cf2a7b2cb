//! From distances to a decision: a quantile of the distances of normal samples, from few of them.

use crate::{
    error::ConfigError,
    num::math::{Math as _, Precise},
};

/// The distance that normal samples rarely exceed: 16 bytes.
///
/// ```text
/// mean, variance: of the last 256 distances, recent ones count more
/// limit = mean + tail z (1 + (z^2 + 1) / (4 n)) sd
/// tail *= 1 + (0.02 + 2 / n) ((distance > limit) - share)
/// ```
///
/// `z` is the quantile of a normal distribution at `1 - share`. The second term stands for what few distances leave open
/// (Student's distribution), `tail` for what is not normally distributed: steps up and down balance where the share is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Threshold {
    mean: f32,
    variance: f32,
    /// From where it starts, one.
    tail: f32,
    /// Zero stands for the usual share.
    share: f32,
}

/// Share of normal samples that may be called anomalous, unless set otherwise.
const SHARE: f32 = 0.02;
/// Its [`normal_quantile`]: a device that leaves it computes no logarithm for an answer.
const QUANTILE: f32 = 2.054_188_7;
const LEAST_SHARE: f32 = 0.001;
const LARGEST_SHARE: f32 = 0.25;
/// Distances that count.
const WINDOW: u32 = 256;
/// Distances after which one that is far out is clamped, and those after which the tail is learned.
const WARM_UP: u32 = 8;
const SETTLED: u32 = 16;
/// Deviations at which a distance is clamped: an anomaly among the samples must not make all others normal.
const FAR: f32 = 4.0;
const TAIL_RATE: f32 = 0.02;
const LEAST_TAIL: f32 = 0.25;
const LARGEST_TAIL: f32 = 8.0;
/// Half of the smallest difference of two stored values: smaller distances mean nothing.
const LEAST: f32 = 0.5;
/// No distance is larger: 36 deviations in every feature, at the largest weight.
const LARGEST: f32 = 16_384.0;

crate::persist::persist!([] Threshold as "threshold" {
    mean in 0.0..=LARGEST,
    variance in 0.0..=LARGEST * LARGEST,
    tail in LEAST_TAIL - 1.0..=LARGEST_TAIL - 1.0,
    share in 0.0..=LARGEST_SHARE,
});

impl Threshold {
    /// Share of normal samples that may exceed it.
    pub fn share(&self) -> f32 {
        if self.share > 0.0 { self.share } else { SHARE }
    }

    pub fn set_share(&mut self, share: f32) -> Result<(), ConfigError> {
        if (LEAST_SHARE..=LARGEST_SHARE).contains(&share) {
            self.share = share;
            Ok(())
        } else {
            Err(ConfigError::Sensitivity)
        }
    }

    /// The usual distance, by which others are measured.
    pub fn usual(&self) -> f32 {
        self.mean.max(LEAST)
    }

    /// The limit after `seen` distances.
    pub fn limit(&self, seen: u32) -> f32 {
        let z = if self.share > 0.0 {
            normal_quantile(self.share)
        } else {
            QUANTILE
        };
        let few = 1.0 + (z * z + 1.0) / (4.0 * seen.max(1) as f32);
        let spread = Precise::sqrt(self.variance).max(LEAST);
        self.usual() + (1.0 + self.tail) * z * few * spread
    }

    /// Takes in the distance of a normal sample, the `seen`th.
    pub fn take_in(&mut self, distance: f32, seen: u32) {
        let mut distance = distance.min(LARGEST);
        if seen > SETTLED {
            let beyond = if distance > self.limit(seen) {
                1.0
            } else {
                0.0
            };
            let tail = (1.0 + self.tail)
                * (1.0 + (TAIL_RATE + 2.0 / seen as f32) * (beyond - self.share()));
            self.tail = tail.clamp(LEAST_TAIL, LARGEST_TAIL) - 1.0;
        }
        if seen > WARM_UP {
            let spread = Precise::sqrt(self.variance).max(LEAST);
            distance = distance.min(self.mean + FAR * spread);
        }
        // Distances shrink while the model learns: twice the weight of a plain mean.
        let weight = 2.0 / (seen.min(WINDOW) + 1) as f32;
        let difference = distance - self.mean;
        self.mean += weight * difference;
        self.variance = (1.0 - weight) * (self.variance + weight * difference * difference);
    }

    /// Forgets the distances; the share stays.
    pub fn restart(&mut self) {
        (self.mean, self.variance, self.tail) = (0.0, 0.0, 0.0);
    }
}

/// Upper `share` quantile of the normal distribution, below one half; off by at most 4.5e-4
/// (Abramowitz and Stegun, 26.2.23).
fn normal_quantile(share: f32) -> f32 {
    let t = Precise::sqrt(-2.0 * libm::logf(share));
    let above = 2.515_517 + (0.802_853 + 0.010_328 * t) * t;
    let below = 1.0 + (1.432_788 + (0.189_269 + 0.001_308 * t) * t) * t;
    t - above / below
}
