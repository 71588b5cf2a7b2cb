//! Anomalies from normal data alone: learns what a machine usually does, without labels.
//!
//! [`Normal`] summarises normal samples by at most `B` micro-clusters. A sample is anomalous if it is farther from all of
//! them than normal samples are, except for a share that you choose.
//!
//! | what happens | what it is for |
//! |---|---|
//! | features are standardised by a running scale; stored means follow when it changes | any units, slow drift |
//! | near samples are merged into weighted means (Ward's criterion) | fixed memory, several modes of operation |
//! | a feature counts by how little it varies around the means | small changes of a steady feature are found |
//! | the threshold is a quantile of the distances *before* learning | the chosen share of false alarms, from few samples on |
//! | clusters of next to no weight are not taken for normal | single anomalies that are learned by mistake do no harm |
//! | a reading that repeats itself bit for bit teaches nothing | a stuck sensor does no harm |
//!
//! When to take it, what it finds, and its limits: `docs/anomaly.md`.

mod classifier;
mod image;
mod micro_clusters;
mod threshold;

use crate::{
    classifier::{Outcome, Warning},
    error::{ConfigError, InputError},
    label::Class,
    learners::continual::{learning::is_stuck, scale::CoarseScale},
    num::{
        math::{Math as _, Precise},
        rng::XorShift32,
        round,
    },
    persist::{self, Blank, BufferTooSmall, ImageError, Ready, Restart},
    storage::{
        Features,
        point::{Feature as _, is_finite},
    },
};
use micro_clusters::{FARTHEST, FeatureWeights, LARGEST_WEIGHT, MicroClusters, Query, WEIGHT_ONE};
use threshold::Threshold;

/// Learns what is normal, and says what is not: raw features in, nothing to tune, no labels.
///
/// ```
/// use pocketron::prelude::*;
///
/// // 2 features, at most 16 micro-clusters: 132 bytes.
/// let mut pump = Normal::<2, 16>::new();
/// for n in 0..60_u32 {
///     // Idle or under load: a current, and a vibration that goes with it.
///     let noise = (n * 37 % 10) as f32 / 10.0;
///     let current = if n % 3 == 0 { 0.4 } else { 2.1 } + 0.1 * noise;
///     pump.learn(&[current, 3.0 * current + 0.2 * noise])?;
/// }
/// assert!(pump.is_ready());
/// assert!(!pump.detect(&[2.15, 6.5])?);
/// assert!(pump.detect(&[0.45, 6.5])?); // each value is usual, the two together are not
/// assert!(pump.score(&[0.45, 6.5])? > pump.threshold());
/// assert_eq!(size_of_val(&pump), 132);
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
///
/// The score is the distance to the nearest micro-cluster, in units of the usual distance of normal samples: about 1 for
/// them. Two normal samples in a hundred are called anomalous, unless [set otherwise](Self::set_sensitivity).
///
/// The learned model goes to flash or over a wire, and can be read in the units of the input:
///
/// ```
/// use pocketron::prelude::*;
///
/// let mut model = Normal::<1, 4>::new();
/// model.set_sensitivity(0.05)?;
/// for celsius in [20.5, 21.0, 20.8, 21.3, 20.9, 21.1, 20.7, 20.6, 21.2, 20.4] {
///     model.learn(&[celsius])?;
/// }
/// for cluster in model.micro_clusters() {
///     assert!((20.0..22.0).contains(&cluster.mean[0]) && cluster.weight >= 1.0);
/// }
///
/// let mut buffer = [0; Normal::<1, 4>::MAX_BYTES];
/// let image = model.to_bytes(&mut buffer)?;
/// let again = Normal::<1, 4>::from_bytes(image)?;
/// assert_eq!(again.score(&[23.0])?, model.score(&[23.0])?);
/// assert_eq!(again.sensitivity(), 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A device sees it as a learner of two classes, of which only class 0, normal, can be taught. See [`RemoteModel`].
///
/// A sample costs `B` distances to score, and at most `2 B + 1` to learn.
///
/// [`RemoteModel`]: crate::classifier::RemoteModel
#[derive(Clone, Debug)]
pub struct Normal<const D: usize, const B: usize> {
    scale: CoarseScale<Features<D>>,
    /// Mean squared difference of each feature from the nearest mean, in steps of a stored byte.
    residuals: [f32; D],
    clusters: MicroClusters<D, B>,
    threshold: Threshold,
    /// Samples learned.
    seen: u32,
    rng: XorShift32,
    /// Hash of the newest reading, and how often it came in a row.
    reading: u32,
    repeats: u8,
}

/// Samples after which there is a threshold.
const LEAST_SEEN: u32 = 12;
/// Samples whose distances say nothing: the scale has just begun.
const UNSCALED: u32 = 4;
/// Samples that count for the residuals, and how many more stand for what is assumed before.
const RESIDUAL_WINDOW: u32 = 256;
const RESIDUAL_PRIOR: f32 = 8.0;
/// Steps up to which distances are as they are: 8 deviations.
const LINEAR: f32 = 254.0;
/// A difference that counts is at most 4 deviations.
const LARGEST_RESIDUAL: f32 = 127.0 * 127.0;

/// Normal samples that are near each other, in the units of the input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MicroCluster<const D: usize> {
    /// Their mean.
    pub mean: [f32; D],
    /// Their number; those of long ago count less.
    pub weight: f32,
}

impl<const D: usize, const B: usize> Normal<D, B> {
    /// Nothing learned yet.
    pub const fn new() -> Self {
        Normal {
            scale: CoarseScale::BLANK,
            residuals: [0.0; D],
            clusters: MicroClusters::BLANK,
            threshold: Threshold::BLANK,
            seen: 0,
            rng: XorShift32::BLANK,
            reading: 0,
            repeats: 0,
        }
    }

    /// Scores `x`, then learns it as a normal sample: class 0. The outcome has the verdict before learning: class 1 is anomalous,
    /// and a mistake.
    ///
    /// An error means that the sample was refused and nothing changed.
    pub fn learn(&mut self, x: &[f32; D]) -> Result<Outcome<Class>, InputError> {
        if !is_finite(x) {
            return Err(InputError::NonFinite);
        }
        if is_stuck(x, &mut self.reading, &mut self.repeats) {
            let distance = self.distance(x);
            return Ok(Outcome {
                warning: Some(Warning::StuckSensor),
                ..self.outcome(distance)
            });
        }
        let clusters = &mut self.clusters;
        self.scale.take_in(x, |feature, remap| {
            clusters.change_feature(feature, |byte| *byte = remap.apply(*byte));
        });
        let (query, features) = (self.query(x), self.feature_weights());
        let distances = self.clusters.distances(&features, &query);
        let nearest = self.clusters.nearest(distances.into_iter());
        let distance = nearest.map(|(_, squared)| root::<D>(squared));
        let outcome = self.outcome(distance.unwrap_or(0.0));
        if let (Some((slot, _)), Some(distance)) = (nearest, distance) {
            if self.seen >= UNSCALED {
                self.threshold.take_in(distance, self.seen - UNSCALED + 1);
            }
            self.take_in_residuals(&query, slot);
        }
        self.seen = self.seen.saturating_add(1);
        let point = query.map(|step| step.clamp(-127, 127) as i8);
        let admission = self
            .clusters
            .admit(&features, &point, &distances, &mut self.rng);
        Ok(Outcome {
            admission: Some(admission),
            ..outcome
        })
    }

    /// Distance of `x` from normal samples: about 1 for normal samples, 0 before the first.
    pub fn score(&self, x: &[f32; D]) -> Result<f32, InputError> {
        if is_finite(x) {
            Ok(self.distance(x) / self.threshold.usual())
        } else {
            Err(InputError::NonFinite)
        }
    }

    /// The score beyond which a sample is anomalous.
    pub fn threshold(&self) -> f32 {
        self.threshold.limit(self.distances_seen()) / self.threshold.usual()
    }

    /// Whether `x` is anomalous; nothing is before the model [is ready](Self::is_ready).
    pub fn detect(&self, x: &[f32; D]) -> Result<bool, InputError> {
        Ok(self.is_ready() && self.score(x)? > self.threshold())
    }

    /// Share of normal samples that may be called anomalous.
    pub fn sensitivity(&self) -> f32 {
        self.threshold.share()
    }

    /// Sets the share of normal samples that may be called anomalous: 0.02 unless set otherwise. A larger one finds more.
    ///
    /// It may be changed at any time: some hundred further samples adapt the threshold. Before, it assumes normally distributed
    /// distances.
    ///
    /// # Errors
    ///
    /// When it is not between 0.001 and 0.25.
    pub fn set_sensitivity(&mut self, share: f32) -> Result<(), ConfigError> {
        self.threshold.set_share(share)
    }

    /// Whether there is a threshold: 12 samples have been learned.
    pub fn is_ready(&self) -> bool {
        self.seen >= LEAST_SEEN
    }

    /// Samples learned.
    pub fn seen(&self) -> u32 {
        self.seen
    }

    /// The micro-clusters in the units of the input.
    ///
    /// Means are kept in a byte per feature, and end at 4 standard deviations.
    pub fn micro_clusters(&self) -> impl Iterator<Item = MicroCluster<D>> + '_ {
        (0..self.clusters.len()).map(|slot| {
            let mut mean = [0.0; D];
            for (feature, (mean, byte)) in
                mean.iter_mut().zip(self.clusters.point(slot)).enumerate()
            {
                *mean = self.scale.dequantise(feature, byte);
            }
            MicroCluster {
                mean,
                weight: self.clusters.weight(slot),
            }
        })
    }

    /// Number of micro-clusters.
    #[inline]
    pub fn len(&self) -> usize {
        self.clusters.len()
    }

    /// Whether nothing has been learned.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Micro-clusters at most: the budget.
    #[inline]
    pub const fn capacity(&self) -> usize {
        B
    }

    /// Writes the image to the front of `buffer`, and returns that part; [`MAX_BYTES`](Self::MAX_BYTES) are always enough.
    pub fn to_bytes<'a>(&self, buffer: &'a mut [u8]) -> Result<&'a [u8], BufferTooSmall> {
        persist::to_bytes(self, buffer)
    }

    /// The model of which these bytes are the image. It goes on bit for bit as that would.
    pub fn from_bytes(image: &[u8]) -> Result<Self, ImageError> {
        let mut model = Self::new();
        persist::restore(&mut model, &mut { image })?;
        Ok(model)
    }

    /// Forgets everything that was learned; the sensitivity stays.
    pub fn reset(&mut self) {
        self.scale.restart();
        self.residuals = [0.0; D];
        self.clusters.clear();
        self.threshold.restart();
        self.rng = XorShift32::BLANK;
        (self.seen, self.reading, self.repeats) = (0, 0, 0);
    }

    /// Distances that the threshold has seen.
    fn distances_seen(&self) -> u32 {
        self.seen.saturating_sub(UNSCALED)
    }

    /// The verdict on a sample at that distance.
    fn outcome(&self, distance: f32) -> Outcome<Class> {
        let beyond = distance > self.threshold.limit(self.distances_seen());
        let anomalous = self.is_ready() && beyond;
        Outcome {
            predicted: Class(anomalous.into()),
            score: distance / self.threshold.usual(),
            mistake: anomalous,
            admission: None,
            warning: None,
        }
    }

    /// Distance to the nearest mean, in steps of a stored byte; zero if there is none.
    fn distance(&self, x: &[f32; D]) -> f32 {
        let (query, features) = (self.query(x), self.feature_weights());
        let nearest = self.clusters.nearest_to(&features, &query);
        nearest.map_or(0.0, |(_, squared)| root::<D>(squared))
    }

    /// `x` in steps of a stored byte by the present scale. Not clamped where stored means are: how far out a sample is,
    /// counts.
    fn query(&self, x: &[f32; D]) -> Query<D> {
        let mut query = [0; D];
        for (feature, step) in query.iter_mut().enumerate() {
            let steps = self.scale.standardise(feature, x) * (1.0 / i8::step(D));
            *step = round(compressed(steps)) as i16;
        }
        query
    }

    fn take_in_residuals(&mut self, query: &Query<D>, slot: usize) {
        let weight = 1.0 / self.seen.clamp(1, RESIDUAL_WINDOW) as f32;
        let mean = self.clusters.point(slot);
        for ((residual, step), mean) in self.residuals.iter_mut().zip(query).zip(mean) {
            let difference = i32::from(*step) - i32::from(mean);
            let square = ((difference * difference) as f32).min(LARGEST_RESIDUAL);
            *residual += weight * (square - *residual);
        }
    }

    /// A feature counts by the inverse of its mean squared residual; few samples leave all alike.
    fn feature_weights(&self) -> FeatureWeights<D> {
        let count = self.distances_seen().min(RESIDUAL_WINDOW) as f32;
        let (mut sum, mut varied) = (0.0, 0.0_f32);
        for residual in self.residuals.iter().filter(|residual| **residual > 0.0) {
            (sum, varied) = (sum + residual, varied + 1.0);
        }
        let prior = RESIDUAL_PRIOR * (sum / varied.max(1.0));
        let variance = |residual: &f32| residual * count + prior;
        let mut inverses = 0.0;
        for residual in self.residuals.iter().filter(|residual| **residual > 0.0) {
            inverses += 1.0 / variance(residual);
        }
        let mut weights = [WEIGHT_ONE as u16; D];
        if inverses > 0.0 {
            let mean = inverses / varied.max(1.0);
            for (weight, residual) in weights.iter_mut().zip(&self.residuals) {
                let relative = WEIGHT_ONE / (variance(residual) * mean);
                *weight = relative.clamp(1.0, LARGEST_WEIGHT) as u16;
            }
        }
        weights
    }
}

/// Beyond 8 deviations a step counts one eighth, up to 200, so that one rare feature does not decide alone.
fn compressed(steps: f32) -> f32 {
    let excess = steps.abs() - LINEAR;
    if excess > 0.0 {
        (LINEAR + excess / 8.0).min(FARTHEST).copysign(steps)
    } else {
        steps
    }
}

/// From the weighted sum of squares to the mean difference of a feature.
fn root<const D: usize>(squared: f32) -> f32 {
    Precise::sqrt(squared / (WEIGHT_ONE * D as f32))
}

impl<const D: usize, const B: usize> Default for Normal<D, B> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize, const B: usize> Blank for Normal<D, B> {
    const BLANK: Self = Self::new();
}

impl<const D: usize, const B: usize> Ready for Normal<D, B> {}

impl<const D: usize, const B: usize> Restart for Normal<D, B> {
    fn restart(&mut self) {
        self.reset();
    }
}
