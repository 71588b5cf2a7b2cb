//! The streaming loop: the same function on the host, in QEMU and on a board.

use core::convert::Infallible;

use crate::{
    error::InputError,
    label::Label,
    perceptron::{OnlineClassifier, Outcome},
};

/// Where labelled examples come from: a file, flash, a sensor.
///
/// A source lends its own buffer, so that an example is never copied.
pub trait ExampleSource {
    /// What is classified.
    type Input: ?Sized;
    /// Class label.
    type Label;
    /// What may go wrong while reading.
    type Error;

    /// The next example; `None` at the end.
    fn next_example(&mut self) -> Next<'_, Self>;
}

/// What a source answers: an example and its label, the end, or an error.
pub type Next<'a, S> = Result<
    Option<(&'a <S as ExampleSource>::Input, <S as ExampleSource>::Label)>,
    <S as ExampleSource>::Error,
>;

/// A data set in memory is a source that never fails.
impl<X, L: Copy> ExampleSource for core::slice::Iter<'_, (X, L)> {
    type Input = X;
    type Label = L;
    type Error = Infallible;

    fn next_example(&mut self) -> Next<'_, Self> {
        Ok(self.next().map(|(x, label)| (x, *label)))
    }
}

/// Watches a run: counters, a confusion matrix, a LED, a log line.
pub trait Observer<L> {
    /// Called after each example that the learner took.
    fn learned(&mut self, truth: L, outcome: &Outcome<L>);

    /// Called after each example that the learner refused.
    fn refused(&mut self, _truth: L, _reason: InputError) {}
}

/// Nobody watches.
impl<L> Observer<L> for () {
    fn learned(&mut self, _: L, _: &Outcome<L>) {}
}

/// Two observers watch together.
impl<L: Copy, A: Observer<L>, B: Observer<L>> Observer<L> for (A, B) {
    fn learned(&mut self, truth: L, outcome: &Outcome<L>) {
        self.0.learned(truth, outcome);
        self.1.learned(truth, outcome);
    }

    fn refused(&mut self, truth: L, reason: InputError) {
        self.0.refused(truth, reason);
        self.1.refused(truth, reason);
    }
}

impl<L, O: Observer<L> + ?Sized> Observer<L> for &mut O {
    fn learned(&mut self, truth: L, outcome: &Outcome<L>) {
        (**self).learned(truth, outcome);
    }

    fn refused(&mut self, truth: L, reason: InputError) {
        (**self).refused(truth, reason);
    }
}

/// Test-then-train over a whole source: every example is predicted, then learned.
///
/// A bad example (a sensor that delivers NaN) is reported to the observer and
/// skipped; only the source can end the loop early.
///
/// ```
/// use pocketron::{metrics::Counters, prelude::*, stream::run_stream};
///
/// let samples = [([0.0, 1.0], Sign::Pos), ([f32::NAN, 0.0], Sign::Neg), ([0.0, -1.0], Sign::Neg)];
/// let mut model = Stoptron::<2, 8>::new(Gaussian::constant(1.0));
/// let mut counters = Counters::default();
/// let Ok(()) = run_stream(&mut model, &mut samples.iter(), &mut counters);
/// assert_eq!((counters.seen, counters.refused), (2, 1));
/// ```
pub fn run_stream<C, S, O>(
    classifier: &mut C,
    source: &mut S,
    observer: &mut O,
) -> Result<(), S::Error>
where
    C: OnlineClassifier,
    C::Label: Label,
    S: ExampleSource<Input = C::Input, Label = C::Label>,
    O: Observer<C::Label>,
{
    while let Some((x, label)) = source.next_example()? {
        match classifier.learn(x, label) {
            Ok(outcome) => observer.learned(label, &outcome),
            Err(reason) => observer.refused(label, reason),
        }
    }
    Ok(())
}
