//! The streaming loop: the same function on the host, in QEMU and on a board.
//!
//! Observers answer how well it goes:
//!
//! | observer | answers | bytes |
//! |---|---|---|
//! | [`Counters`] | totals: mistakes, updates, evictions, refusals | 20 |
//! | [`Window<N>`] | error over the last `N` examples | about `N` |
//! | [`Confusion<C>`] | which class is taken for which; recall and precision | `4 C^2` |

mod confusion;
mod counters;
mod observer;
mod window;

pub use confusion::Confusion;
pub use counters::Counters;
pub use observer::Observer;
pub use window::Window;

use core::convert::Infallible;

use crate::{classifier::OnlineClassifier, label::Label};

/// Source of labelled examples: a file, flash, a sensor.
///
/// A source lends its own buffer, so that an example is never copied.
pub trait ExampleSource {
    /// Type of a sample.
    type Input: ?Sized;
    /// Class label.
    type Label;
    /// Error while reading.
    type Error;

    /// The next example; `None` at the end.
    fn next_example(&mut self) -> Next<'_, Self>;
}

/// A labelled example, lent by its source.
#[derive(Clone, Copy, Debug)]
pub struct Example<'a, X: ?Sized, L> {
    /// The features.
    pub x: &'a X,
    /// The true label.
    pub label: L,
    /// Its number, if it is one of a finite set that comes back.
    pub id: Option<u32>,
}

impl<'a, X: ?Sized, L> Example<'a, X, L> {
    /// An example of an endless stream.
    pub const fn new(x: &'a X, label: L) -> Self {
        Example { x, label, id: None }
    }
}

/// Answer of a source: an example, the end, or an error.
pub type Next<'a, S> = Result<
    Option<Example<'a, <S as ExampleSource>::Input, <S as ExampleSource>::Label>>,
    <S as ExampleSource>::Error,
>;

/// A data set in memory is a source that never fails.
impl<X, L: Copy> ExampleSource for core::slice::Iter<'_, (X, L)> {
    type Input = X;
    type Label = L;
    type Error = Infallible;

    fn next_example(&mut self) -> Next<'_, Self> {
        Ok(self.next().map(|(x, label)| Example::new(x, *label)))
    }
}

/// A finite set whose examples carry their numbers, for learners that want to
/// know them again in the next epoch.
#[derive(Clone, Debug)]
pub struct WithIds<'a, X, L> {
    examples: core::iter::Enumerate<core::slice::Iter<'a, (X, L)>>,
}

impl<'a, X, L> WithIds<'a, X, L> {
    /// The examples from the first to the last, numbered from zero.
    pub fn new(examples: &'a [(X, L)]) -> Self {
        WithIds {
            examples: examples.iter().enumerate(),
        }
    }
}

impl<X, L: Copy> ExampleSource for WithIds<'_, X, L> {
    type Input = X;
    type Label = L;
    type Error = Infallible;

    fn next_example(&mut self) -> Next<'_, Self> {
        Ok(self.examples.next().map(|(number, (x, label))| Example {
            x,
            label: *label,
            id: Some(number as u32),
        }))
    }
}

/// Test-then-train over a whole source: every example is predicted, then learned.
///
/// A bad example (a sensor that delivers NaN) is reported to the observer and
/// skipped; only the source can end the loop early.
///
/// ```
/// use pocketron::{prelude::*, stream::{Counters, run_stream}};
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
    while let Some(Example { x, label, id }) = source.next_example()? {
        match classifier.learn_with_id(x, label, id) {
            Ok(outcome) => observer.learned(label, &outcome),
            Err(reason) => observer.refused(label, reason),
        }
    }
    Ok(())
}

/// End of a run of epochs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Epochs {
    /// Passes over the examples, the last one included.
    pub epochs: u32,
    /// Examples that moved the hypothesis, over all epochs.
    pub updates: u32,
    /// Whether the last epoch changed nothing.
    pub converged: bool,
}

/// Learns a finite set over and over, until an epoch changes nothing or `limit`
/// epochs are done.
///
/// ```
/// use pocketron::{learners::perceptron::LinearPerceptron, prelude::*, stream::run_epochs};
///
/// let samples = [([1.0, 0.2], Sign::Pos), ([-1.0, 0.3], Sign::Neg), ([0.3, 1.0], Sign::Neg)];
/// let mut model = LinearPerceptron::<2>::new();
/// let result = run_epochs(&mut model, &samples, 100);
/// assert!(result.converged && result.updates > 0);
/// ```
pub fn run_epochs<C: OnlineClassifier>(
    classifier: &mut C,
    examples: &[(C::Input, C::Label)],
    limit: u32,
) -> Epochs
where
    C::Input: Sized,
{
    let mut result = Epochs {
        epochs: 0,
        updates: 0,
        converged: false,
    };
    while result.epochs < limit && !result.converged {
        let mut counters = Counters::default();
        let Ok(()) = run_stream(classifier, &mut WithIds::new(examples), &mut counters);
        result.epochs += 1;
        result.updates = result.updates.saturating_add(counters.updates);
        result.converged = counters.updates == 0;
    }
    result
}

/// `part / whole`, or `None` when there is nothing to divide by.
fn ratio(part: u32, whole: u32) -> Option<f32> {
    (whole > 0).then(|| part as f32 / whole as f32)
}
