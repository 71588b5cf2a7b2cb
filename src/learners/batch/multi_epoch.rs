//! Online learners over a finite set.

use super::{Plane, Progress, Samples, WeightedLearner};
use crate::{
    classifier::OnlineClassifier as _,
    history::{Averaged, History, Last, Raw},
    hypothesis::{Biased, Linear},
    learners::perceptron::Perceptron,
    num::rng::XorShift32,
    persist::Blank,
    rule::{LeastSquares, Rule, UnitSteps},
};

/// The hypothesis that a [`Plane`] becomes when it learns online.
pub type BiasedLinear<const D: usize> = Biased<Linear<[f32; D]>>;

/// Shows a finite set to an online learner in random order: in an epoch, `N`
/// examples are drawn, each with a chance that is proportional to its weight.
///
/// An epoch takes `N` learning steps, each with a binary search for its example,
/// and `N D` multiplications more for the error.
#[derive(Clone, Debug)]
pub struct MultiEpoch<P> {
    learner: P,
    epochs: u32,
    rng: XorShift32,
}

/// The perceptron rule, examples drawn at random.
pub type RandomPerceptron<const D: usize> = MultiEpoch<Perceptron<BiasedLinear<D>>>;

/// The averaged perceptron, examples drawn at random.
pub type AveragedPerceptron<const D: usize> =
    MultiEpoch<Perceptron<BiasedLinear<D>, UnitSteps, Averaged<(Option<[f32; D]>, f32)>>>;

/// Stochastic gradient descent on the modified least squares.
pub type LeastSquaresDescent<const D: usize> =
    MultiEpoch<Perceptron<BiasedLinear<D>, LeastSquares>>;

impl<const D: usize, R, Y: Blank> MultiEpoch<Perceptron<BiasedLinear<D>, R, Y>> {
    /// Starts from the zero plane; the order of the examples comes out of `seed`.
    pub const fn new(rule: R, seed: u32) -> Self {
        MultiEpoch {
            learner: Perceptron::with_history(Plane::BLANK.hypothesis(), rule, Y::BLANK),
            epochs: 0,
            rng: XorShift32::new(seed),
        }
    }
}

impl<P> MultiEpoch<P> {
    /// The online learner.
    pub const fn learner(&self) -> &P {
        &self.learner
    }
}

/// A history whose say is that of one plane: [`Last`] and [`Averaged`].
pub trait PlaneHistory<const D: usize>: History<BiasedLinear<D>> + crate::sealed::Sealed {
    /// The plane that it predicts with.
    fn plane(&self, hypothesis: &BiasedLinear<D>) -> Plane<D>;
}

impl<const D: usize> PlaneHistory<D> for Last {
    fn plane(&self, hypothesis: &BiasedLinear<D>) -> Plane<D> {
        Plane::of(hypothesis)
    }
}

impl<const D: usize, const OPENING: u32> PlaneHistory<D>
    for Averaged<(Option<[f32; D]>, f32), Raw, OPENING>
{
    fn plane(&self, hypothesis: &BiasedLinear<D>) -> Plane<D> {
        let (hypothesis, present) = (Plane::of(hypothesis), self.present());
        match *self.sum() {
            (Some(weights), bias) => Plane { weights, bias }.moved(&hypothesis, present),
            // There is no past, and nothing to be weighed.
            (None, _) => hypothesis,
        }
    }
}

/// The rule goes on as it is: those with a clock do not set it back.
impl<const D: usize, R, Y> WeightedLearner<D> for MultiEpoch<Perceptron<BiasedLinear<D>, R, Y>>
where
    R: Rule + Clone,
    Y: PlaneHistory<D> + Blank,
{
    fn restart(&mut self, start: &Plane<D>) {
        let rule = self.learner.rule().clone();
        self.learner = Perceptron::with_history(start.hypothesis(), rule, Y::BLANK);
        self.epochs = 0;
    }

    #[inline(never)]
    fn step(&mut self, samples: &mut Samples<'_, D>) -> Progress {
        samples.prepare_draws();
        for _ in 0..samples.len() {
            if let Some((x, label)) = samples.draw(&mut self.rng) {
                // An example that is refused changes nothing: on to the next.
                let _ = self.learner.learn(x, label);
            }
        }
        self.epochs = self.epochs.wrapping_add(1);
        samples.progress(self.epochs, samples.wrong(&self.plane()))
    }

    fn plane(&self) -> Plane<D> {
        self.learner.history().plane(self.learner.hypothesis())
    }

    fn epochs(&self) -> u32 {
        self.epochs
    }
}

crate::persist::persist!(only [P: crate::persist::Persist] MultiEpoch<P> as "passes" { learner, epochs, rng });
