//! Learners over a finite set, and the set that they learn.

use pocketron::{
    learners::batch::{
        AdaBoost, AveragedPerceptron, Directions, Draw, LeastSquaresDescent, Pocket,
        RandomPerceptron, Rcd, Replay, ReweightedAverage, ReweightedPocket, Samples, Scratch,
        Seeding, WeightedLearner,
    },
    persist::Persist,
    prelude::*,
    rule::LeastSquares,
    stream::ExampleSource,
};

use super::Failed;
use crate::sensor::{FEATURES, Sensor};

/// Examples that are held.
pub const HELD: usize = 200;
/// Examples that are offered before the training.
const OFFERED: usize = 600;

/// The buffer of all learners here.
pub type Buffer = Replay<FEATURES, HELD>;

/// A learner over a finite set that can be saved.
pub trait Batch: Clone {
    /// One epoch: how many there were, and the error.
    fn step(&mut self, samples: &mut Samples<'_, FEATURES>) -> (u32, f32);

    /// Score of an example.
    fn score(&self, x: &[f32; FEATURES]) -> f32;

    /// What is saved and restored.
    fn state(&mut self) -> &mut dyn Persist;
}

/// A learner that finds one plane.
#[derive(Clone)]
struct Alone<T>(T);

impl<T: WeightedLearner<FEATURES> + Persist + Clone> Batch for Alone<T> {
    fn step(&mut self, samples: &mut Samples<'_, FEATURES>) -> (u32, f32) {
        let progress = self.0.step(samples);
        (progress.epochs, progress.error)
    }

    fn score(&self, x: &[f32; FEATURES]) -> f32 {
        self.0.plane().score(x).unwrap_or(0.0)
    }

    fn state(&mut self) -> &mut dyn Persist {
        &mut self.0
    }
}

impl<T, const R: usize> Batch for AdaBoost<T, FEATURES, R>
where
    T: WeightedLearner<FEATURES> + Persist + Clone,
{
    fn step(&mut self, samples: &mut Samples<'_, FEATURES>) -> (u32, f32) {
        let progress = AdaBoost::step(self, samples);
        (progress.rounds << 16 | progress.epochs, progress.error)
    }

    fn score(&self, x: &[f32; FEATURES]) -> f32 {
        self.ensemble().score(x).unwrap_or(0.0)
    }

    fn state(&mut self) -> &mut dyn Persist {
        self
    }
}

/// Somebody who looks at learners over a finite set.
pub trait BatchVisitor {
    /// A learner, just made, and the buffer, whose weights are one.
    fn visit(
        &mut self,
        name: &str,
        learner: impl Batch,
        buffer: &mut Buffer,
        scratch: &mut Scratch<HELD>,
    ) -> Result<(), Failed>;
}

/// Shows every learner to the visitor, one after the other.
pub fn visit(visitor: &mut impl BatchVisitor) -> Result<(), Failed> {
    let (mut buffer, mut scratch) = (Buffer::new(5), Scratch::BLANK);
    fill(&mut buffer);
    let start = Seeding::Fisher.plane(&buffer.samples(&mut scratch));
    let midway = Seeding::FisherMidway.plane(&buffer.samples(&mut scratch));
    let mut show = Show(visitor, &mut buffer, &mut scratch);

    let mut rcd = Rcd::<FEATURES>::new(Directions::Bias, 7).with_draw(Draw::UnitBias);
    rcd.restart(&midway);
    show.one("rcd-bias", Alone(rcd.clone()))?;
    let plain = Rcd::<FEATURES>::new(Directions::Plain, 7).with_draw(Draw::StandardNormal);
    show.one("rcd-plain", Alone(plain.clone()))?;
    let own = |directions| Alone(Rcd::new(directions, 7).with_draw(Draw::UnitBias));
    show.one("rcd-grad", own(Directions::AnyExample))?;
    let mut uniform = Rcd::<FEATURES>::new(Directions::Bias, 7);
    uniform.restart(&start);
    show.one("rcd-uniform", Alone(uniform))?;
    let normal = Rcd::<FEATURES>::new(Directions::Plain, 7).with_draw(Draw::FeatureNormal);
    show.one("rcd-feature-normal", Alone(normal))?;
    show.one(
        "rcd-misclassified",
        Alone(Rcd::new(Directions::Gradient, 7)),
    )?;
    show.one("ccd", own(Directions::Cyclic))?;
    show.one("pocket", Alone(Pocket::new(7)))?;
    show.one("plr", Alone(RandomPerceptron::new(UnitSteps, 7)))?;
    show.one("ave-perc", Alone(AveragedPerceptron::new(UnitSteps, 7)))?;
    show.one("pocket-reweighted", Alone(ReweightedPocket::new(7)))?;
    show.one("ave-perc-reweighted", Alone(ReweightedAverage::new(7)))?;
    let rule = LeastSquares::new(0.004)?;
    show.one("sgd-mls", Alone(LeastSquaresDescent::new(rule, 7)))?;
    let boost = AdaBoost::<_, FEATURES, 8>::new(plain, Seeding::Zero, 9);
    show.one("adaboost", boost)?;
    let boost = AdaBoost::<_, FEATURES, 3>::new(rcd, Seeding::FisherMidway, 9);
    show.one("adaboost-bias", boost)?;
    let boost = AdaBoost::<_, FEATURES, 3>::new(Pocket::new(3), Seeding::Zero, 9);
    show.one("adaboost-pocket", boost)?;
    let boost = AdaBoost::<_, FEATURES, 3>::new(ReweightedPocket::new(3), Seeding::Fisher, 9);
    show.one("adaboost-reweighted", boost)
}

struct Show<'a, V>(&'a mut V, &'a mut Buffer, &'a mut Scratch<HELD>);

impl<V: BatchVisitor> Show<'_, V> {
    // Apart, so that no two learners are on the stack at a time.
    #[inline(never)]
    fn one(&mut self, name: &str, learner: impl Batch) -> Result<(), Failed> {
        self.1.samples(self.2).equalise();
        self.0.visit(name, learner, self.1, self.2)
    }
}

/// Offers samples of the sensor.
pub fn fill(buffer: &mut Buffer) {
    let mut sensor = Sensor::new();
    for _ in 0..OFFERED {
        if let Ok(Some(sample)) = sensor.next_example() {
            // The sensor never delivers NaN.
            let _ = buffer.offer(sample.x, sample.label);
        }
    }
}
