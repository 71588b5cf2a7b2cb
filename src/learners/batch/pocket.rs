//! The perceptron rule with a pocket.

use super::{BiasedLinear, Plane, Progress, Samples, WeightedLearner};
use crate::{
    classifier::OnlineClassifier as _, learners::perceptron::Perceptron, num::rng::XorShift32,
    persist::Blank, rule::UnitSteps,
};

/// The pocket algorithm with ratchet: runs the perceptron rule on examples drawn
/// at random, by weight, and keeps the best plane that it came past.
///
/// A plane is looked at when it has got more examples right in a row than the one
/// in the pocket had when it was put there, and takes its place if it has less
/// weight of the whole set on the wrong side. `8 D + 28` bytes; an epoch takes `N`
/// learning steps, each with a binary search for its example, and `N D`
/// multiplications more for the pocket and for each look: at most `N`, in practice
/// far fewer.
#[derive(Clone, Debug)]
pub struct Pocket<const D: usize> {
    best: Plane<D>,
    learner: Perceptron<BiasedLinear<D>>,
    /// Run of the plane in the pocket when it was put there.
    record: u32,
    /// Examples that the present plane has got right in a row.
    run: u32,
    epochs: u32,
    rng: XorShift32,
}

impl<const D: usize> Pocket<D> {
    /// Starts from the zero plane; the order of the examples comes out of `seed`.
    pub const fn new(seed: u32) -> Self {
        let best = Plane::BLANK;
        Pocket {
            best,
            learner: Perceptron::from_parts(best.hypothesis(), UnitSteps),
            record: 0,
            run: 0,
            epochs: 0,
            rng: XorShift32::new(seed),
        }
    }

    /// The plane that the perceptron rule is moving.
    pub fn present(&self) -> Plane<D> {
        Plane::of(self.learner.hypothesis())
    }
}

impl<const D: usize> WeightedLearner<D> for Pocket<D> {
    fn restart(&mut self, start: &Plane<D>) {
        self.best = *start;
        self.learner = Perceptron::from_parts(start.hypothesis(), UnitSteps);
        (self.record, self.run, self.epochs) = (0, 0, 0);
    }

    #[inline(never)]
    fn step(&mut self, samples: &mut Samples<'_, D>) -> Progress {
        samples.prepare_draws();
        let mut least = samples.wrong(&self.best);
        for _ in 0..samples.len() {
            let Some((x, label)) = samples.draw(&mut self.rng) else {
                break;
            };
            match self.learner.learn(x, label) {
                Ok(outcome) if !outcome.mistake => self.run = self.run.saturating_add(1),
                _ => self.run = 0,
            }
            // A run grows by one, so every plane that gets there is looked at here.
            if self.run == self.record.saturating_add(1) {
                let present = self.present();
                let wrong = samples.wrong(&present);
                if wrong < least {
                    (self.best, self.record, least) = (present, self.run, wrong);
                }
            }
        }
        self.epochs = self.epochs.wrapping_add(1);
        samples.progress(self.epochs, least)
    }

    fn plane(&self) -> Plane<D> {
        self.best
    }

    fn epochs(&self) -> u32 {
        self.epochs
    }
}

crate::persist::persist!(only [const D: usize] Pocket<D> as "pocket" { best, learner, record, run, epochs, rng });
