//! Samples summarised by means and weights.

use crate::{
    budget::Admission,
    num::rng::XorShift32,
    persist::{Blank, ImageError, Persist, Reader, Shape, Writer, packed},
    storage::{
        close_gap,
        point::{Points as _, Rounding, Rows},
        put,
    },
};

/// Means of samples that are near each other, as bytes, and how many there were of them: `B (D + 2) + 8` bytes.
///
/// When all slots are taken, the two of the clusters and the new sample become one whose merger costs least
/// (Ward's criterion, the increase of the squared distances to the means):
///
/// ```text
/// cost = |a - b|^2 w_a w_b / (w_a + w_b)
/// ```
///
/// Of the pairs of clusters, those of one cluster are tried with every sample; the cheapest so far is remembered.
#[derive(Clone, Debug)]
pub(super) struct MicroClusters<const D: usize, const B: usize> {
    points: Rows<i8, D, B>,
    /// In multiples of 1 / [`ONE`].
    weights: [u16; B],
    len: u16,
    /// The cluster whose pairs were tried last.
    turn: u16,
    /// The cheapest pair so far; two of the same if there is none.
    pair: [u16; 2],
}

/// A sample's weight.
const ONE: u16 = 16;
/// Samples for each slot that count: beyond them all weights are halved.
const WINDOW: u32 = 32;
/// Clusters that together hold this share of the weight are not taken for normal.
const LIGHT: u32 = 64;

/// Weights of the features in a distance: 64 is the usual one.
pub(super) type FeatureWeights<const D: usize> = [u16; D];

/// Fraction bits of a feature's weight.
pub(super) const WEIGHT_ONE: f32 = 64.0;
/// The square of the largest difference times this has 31 bits.
pub(super) const LARGEST_WEIGHT: f32 = 1023.0;

/// A sample in steps of the stored bytes, which it may exceed.
pub(super) type Query<const D: usize> = [i16; D];

/// The largest step of a query, eight times the largest byte.
pub(super) const FARTHEST: f32 = 1016.0;

impl<const D: usize, const B: usize> Blank for MicroClusters<D, B> {
    const BLANK: Self = MicroClusters {
        points: Rows::BLANK,
        weights: [0; B],
        len: 0,
        turn: 0,
        pair: [0; 2],
    };
}

impl<const D: usize, const B: usize> MicroClusters<D, B> {
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    pub fn point(&self, slot: usize) -> [i8; D] {
        self.points.fetch(slot)
    }

    /// Samples that the cluster stands for, as far as they count.
    pub fn weight(&self, slot: usize) -> f32 {
        f32::from(self.raw_weight(slot)) / f32::from(ONE)
    }

    fn raw_weight(&self, slot: usize) -> u16 {
        self.weights().get(slot).copied().unwrap_or(0)
    }

    fn weights(&self) -> &[u16] {
        self.weights.get(..self.len()).unwrap_or_default()
    }

    fn total(&self) -> u32 {
        self.weights().iter().map(|weight| u32::from(*weight)).sum()
    }

    /// Maps one feature of all means to another scale.
    pub fn change_feature(&mut self, feature: usize, change: impl FnMut(&mut i8)) {
        self.points.change_feature(feature, self.len(), change);
    }

    pub fn clear(&mut self) {
        (self.len, self.turn, self.pair) = (0, 0, [0; 2]);
    }

    /// Squared distances of `x` to every mean; what lies behind the occupied slots is zero.
    pub fn distances(&self, features: &FeatureWeights<D>, x: &Query<D>) -> [f32; B] {
        let mut row = [0.0; B];
        for (slot, distance) in row.iter_mut().enumerate().take(self.len()) {
            *distance = squared_distance(features, x, &self.point(slot));
        }
        row
    }

    /// The nearest cluster of enough weight, and its squared distance.
    pub fn nearest(&self, distances: impl Iterator<Item = f32>) -> Option<(usize, f32)> {
        let total = self.total();
        let mut best: Option<(usize, f32)> = None;
        for (slot, distance) in distances.enumerate().take(self.len()) {
            if best.is_none_or(|(_, least)| distance < least) && !self.is_light(slot, total) {
                best = Some((slot, distance));
            }
        }
        best
    }

    /// The same without a row of distances.
    pub fn nearest_to(&self, features: &FeatureWeights<D>, x: &Query<D>) -> Option<(usize, f32)> {
        let slots = 0..self.len();
        self.nearest(slots.map(|slot| squared_distance(features, x, &self.point(slot))))
    }

    /// Whether the cluster and all lighter ones together hold next to nothing. Few samples that are alike and unlike all
    /// others may be anomalies that were learned by mistake. Of equals the newer one is lighter.
    fn is_light(&self, slot: usize, total: u32) -> bool {
        let own = self.raw_weight(slot);
        if u32::from(own) * LIGHT > total {
            return false;
        }
        let mut held = 0;
        for (other, weight) in self.weights().iter().enumerate() {
            if *weight < own || (*weight == own && other >= slot) {
                held += u32::from(*weight);
            }
        }
        held.saturating_mul(LIGHT) <= total
    }

    /// Takes in a sample whose distances are known.
    pub fn admit(
        &mut self,
        features: &FeatureWeights<D>,
        x: &[i8; D],
        distances: &[f32; B],
        rng: &mut XorShift32,
    ) -> Admission {
        if self.len() < B {
            self.push(x);
            return Admission::Inserted;
        }
        let joined = self.cheapest(distances, ONE, usize::MAX);
        let pair = self.next_pair(features);
        let admission = match (joined, pair) {
            (Some((_, cost)), Some((pair, less))) if less < cost => self.merge(pair, x, rng),
            (Some((slot, _)), _) => {
                let weight = self.raw_weight(slot);
                self.move_to(slot, x, ONE, rng);
                put(&mut self.weights, slot, weight.saturating_add(ONE));
                Admission::Merged {
                    into: slot,
                    freed: None,
                }
            }
            (None, _) => Admission::Refused,
        };
        if self.total() > WINDOW * u32::from(ONE) * B as u32 {
            for weight in &mut self.weights {
                *weight /= 2;
            }
        }
        admission
    }

    fn push(&mut self, x: &[i8; D]) {
        let slot = self.len();
        self.points.write(slot, x);
        put(&mut self.weights, slot, ONE);
        self.len += 1;
    }

    /// Two clusters become one, and the sample takes the slot that is free.
    fn merge(
        &mut self,
        (into, freed): (usize, usize),
        x: &[i8; D],
        rng: &mut XorShift32,
    ) -> Admission {
        let (own, other) = (self.raw_weight(into), self.raw_weight(freed));
        self.move_to(into, &self.point(freed), other, rng);
        put(&mut self.weights, into, own.saturating_add(other));
        let len = self.len();
        if freed < len {
            self.points.close_gap(freed, len);
            close_gap(&mut self.weights, freed, len);
            self.len -= 1;
        }
        self.push(x);
        self.pair = [0; 2];
        Admission::Merged {
            into,
            freed: Some(freed),
        }
    }

    /// Moves a mean as a point of that weight wants it. By chance up or down: a heavy cluster moves by less than a step.
    fn move_to(&mut self, slot: usize, x: &[i8; D], weight: u16, rng: &mut XorShift32) {
        let both = u32::from(self.raw_weight(slot)) + u32::from(weight);
        let share = f32::from(weight) / both.max(1) as f32;
        let rounding = Rounding::Chance(rng.next_u32());
        self.points.blend(slot, x, share, rounding);
    }

    /// The cheapest pair known after the next cluster was tried, and its cost.
    fn next_pair(&mut self, features: &FeatureWeights<D>) -> Option<((usize, usize), f32)> {
        let turn = (usize::from(self.turn) + 1) % self.len().max(1);
        self.turn = turn as u16;
        let distances = self.distances(features, &self.point(turn).map(i16::from));
        let found = self.cheapest(&distances, self.raw_weight(turn), turn);
        let found = found.map(|(slot, cost)| ((turn, slot), cost));
        let [a, b] = self.pair.map(usize::from);
        let remembered = (a != b && a.max(b) < self.len()).then(|| {
            let distance =
                squared_distance(features, &self.point(a).map(i16::from), &self.point(b));
            let cost = merger_cost(distance, self.raw_weight(a), self.raw_weight(b));
            ((a, b), cost)
        });
        let best = match (remembered, found) {
            (Some(old), Some(new)) if old.1 <= new.1 => Some(old),
            (old, new) => new.or(old),
        };
        if let Some(((a, b), _)) = best {
            self.pair = [a as u16, b as u16];
        }
        best
    }

    /// The cluster whose merger with a point of these distances and that weight costs least.
    fn cheapest(&self, distances: &[f32; B], weight: u16, except: usize) -> Option<(usize, f32)> {
        let mut best: Option<(usize, f32)> = None;
        for (slot, (distance, own)) in distances.iter().zip(self.weights()).enumerate() {
            let cost = merger_cost(*distance, *own, weight);
            if slot != except && best.is_none_or(|(_, least)| cost < least) {
                best = Some((slot, cost));
            }
        }
        best
    }
}

impl<const D: usize, const B: usize> MicroClusters<D, B> {
    /// Old clusters may have lost all their weight by halving, but not all of them: nothing could be anomalous then.
    fn load_weights(&mut self, reader: &mut Reader<'_>, len: usize) -> Result<(), ImageError> {
        let (used, unused) = self.weights.split_at_mut_checked(len).unwrap_or_default();
        let mut largest = 0;
        packed::load(used, reader, |reader, weight, found: u16| {
            largest = found.max(largest);
            reader.put(weight, found);
        })?;
        if !reader.is_dry_run() {
            unused.fill(0);
        }
        if len > 0 && largest == 0 {
            return Err(ImageError::Malformed);
        }
        Ok(())
    }
}

fn merger_cost(squared_distance: f32, a: u16, b: u16) -> f32 {
    let (a, b) = (f32::from(a), f32::from(b));
    squared_distance * (a * b / (a + b).max(1.0))
}

fn squared_distance<const D: usize>(
    features: &FeatureWeights<D>,
    x: &Query<D>,
    mean: &[i8; D],
) -> f32 {
    let mut sum = 0_u64;
    for ((weight, x), mean) in features.iter().zip(x).zip(mean) {
        let difference = i32::from(*x) - i32::from(*mean);
        sum += u64::from(u32::from(*weight) * (difference * difference).unsigned_abs());
    }
    sum as f32
}

/// Says how many slots are in use.
impl<const D: usize, const B: usize> Persist for MicroClusters<D, B> {
    fn shape(&self, shape: &mut Shape<'_>) {
        self.points.shape(shape);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        writer.word(u32::from(self.len) | u32::from(self.turn) << 16);
        let [a, b] = self.pair;
        writer.word(u32::from(a) | u32::from(b) << 16);
        writer.set_slots(self.len());
        self.points.save(writer);
        self.weights.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let word = reader.word()?;
        let (len, turn) = (word as u16, (word >> 16) as u16);
        let word = reader.word()?;
        let pair = [word as u16, (word >> 16) as u16];
        let last = pair.into_iter().fold(turn, u16::max);
        if usize::from(len) > B || usize::from(last) >= B {
            return Err(ImageError::Malformed);
        }
        reader.set_slots(usize::from(len));
        self.points.load(reader)?;
        self.load_weights(reader, len.into())?;
        reader.put(&mut self.len, len);
        reader.put(&mut self.turn, turn);
        reader.put(&mut self.pair, pair);
        Ok(())
    }
}
