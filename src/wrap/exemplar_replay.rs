//! A learner that keeps examples of each class: to replay them, to know what is unknown, and to measure itself.

mod image;
mod novelty;
mod replay;
mod roles;
mod store;

use crate::{
    classifier::{Edit, OnlineClassifier, Outcome, Recall, RecallEstimate, RemoteModel, Warning},
    error::{EditError, InputError},
    label::{Class, ClassLabel as _, Label as _},
    num::rng::XorShift32,
    persist::{Blank, Ready, Restart},
    wrap::confidence::EvidenceSource,
};
use roles::{Role, Taught};
use store::{Exemplar, Exemplars, Exponents};

/// A number `2^OUTLIER` times larger than any before is an outlier, and is not stored. Of the 15 digits of a stored number one is left
/// beside the largest that is kept.
const OUTLIER: u8 = 14;
/// Windows that a sample is in, unless said otherwise.
const OVERLAP: u8 = 2;

/// A learner of `C` classes with `K` exemplars a class to replay, and `H` a class held out: `L` and
/// at most `C (2 D (K + H) + 6) + D + 24` bytes.
///
/// For a device that a person teaches in blocks, one class after the other:
///
/// - **Replay.** [`rehearse`](Self::rehearse) learns the exemplars of all classes again, in turn, after a block has been
///   taught. Class after class is then as good as mixed.
/// - **Held-out recall.** From the eighth example of a class on, every fifth is not learned.
///   [`recall`](Self::recall) asks them. On the watch data its mean is 2 to 3 points higher than on windows of a later time; for a single person it is
///   off by 4 points on average and by up to 10, since 28 windows are few.
/// - **Unknown inputs.** An input that is much farther from every exemplar than exemplars are from each other
///   [is unknown](Self::is_known).
/// - **A factory model gives way to its owner.** What the learner had learned of a class before it came here is forgotten once
///   the owner has taught `K` examples of that class; before, both count. Those of them that are kept are learned again when they are replayed.
///
/// ```
/// use pocketron::{prelude::*, wrap::ExemplarReplay};
///
/// // 2 features, 20 support vectors, 3 classes, 4 exemplars a class.
/// let mut model = ExemplarReplay::<PocketronMulti<2, 20, 3>, 2, 3, 4, 2>::new();
/// for class in 0..3_u8 {
///     for n in 0..12_u8 {
///         let x = [10.0 * f32::from(class) + f32::from(n * 7 % 5), f32::from(n % 3)];
///         model.learn(&x, Class(class))?;
///     }
///     while model.rehearse(1) > 0 {} // in idle time
/// }
/// assert_eq!(model.predict(&[11.0, 1.0])?, Class(1));
/// assert_eq!(model.is_known(&[11.0, 1.0])?, Some(true));
/// assert_eq!(model.is_known(&[50.0, 9.0])?, Some(false));
/// assert_eq!(model.recall(Class(2)).right, 1); // of one that was held out
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
///
/// Exemplars are kept in 16 bits a feature (block floating point); which ones is drawn at random (reservoir sampling). An
/// example beside one that is held out is learned, but not kept: windows of a signal overlap. As many neighbours on either side are not
/// kept as [overlap](RemoteModel::set_overlap) with it; one, unless said otherwise. If there are more, they are not learned either.
///
/// A number more than 2^14 times as large as all before is taken for a glitch and not kept, unless it comes in more examples in a row than one
/// sample can be in. A feature that was zero in all examples says nothing about what is unknown.
///
/// Probabilities come from [`Confident`](crate::wrap::confidence::Confident) around it, which takes the answer to "known?" from here.
#[derive(Clone, Debug)]
pub struct ExemplarReplay<
    L,
    const D: usize,
    const C: usize,
    const K: usize = 12,
    const H: usize = 4,
> {
    learner: L,
    exponents: Exponents<D>,
    kept: Exemplars<D, C, K>,
    held_out: Exemplars<D, C, H>,
    /// Examples taught of each class, with a mark where the learner knew the class before.
    taught: [Taught; C],
    rng: XorShift32,
    /// Replays still to be done, and the place of the next one.
    pending_replays: u16,
    next: u16,
    /// Mean distance of an exemplar to the nearest other one, and its sum in the present pass.
    spacing: f32,
    sum: f32,
    count: u16,
    /// Examples in a row that were not kept since they have an outlier.
    outliers: u8,
    /// Windows that a sample is in; zero stands for the usual number.
    overlap: u8,
}

impl<L: Ready, const D: usize, const C: usize, const K: usize, const H: usize>
    ExemplarReplay<L, D, C, K, H>
{
    /// Nothing learned yet.
    pub const fn new() -> Self {
        Self::of(L::BLANK)
    }
}

impl<L: Ready, const D: usize, const C: usize, const K: usize, const H: usize> Default
    for ExemplarReplay<L, D, C, K, H>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<L, const D: usize, const C: usize, const K: usize, const H: usize>
    ExemplarReplay<L, D, C, K, H>
{
    /// Around a learner, which may have learned already: a factory model, to be taught by its owner.
    pub const fn of(learner: L) -> Self {
        const {
            assert!(K > 0 && K <= 255, "between 1 and 255 exemplars a class");
            assert!(H <= 255, "at most 255 examples a class can be held out");
        }
        ExemplarReplay {
            learner,
            exponents: Exponents::BLANK,
            kept: Exemplars::BLANK,
            held_out: Exemplars::BLANK,
            taught: Blank::BLANK,
            rng: XorShift32::BLANK,
            pending_replays: 0,
            next: 0,
            spacing: 0.0,
            sum: 0.0,
            count: 0,
            outliers: 0,
            overlap: 0,
        }
    }

    /// The learner.
    pub const fn learner(&self) -> &L {
        &self.learner
    }

    /// The learner, to be configured or loaded. What is taught to it directly is not kept.
    pub const fn learner_mut(&mut self) -> &mut L {
        &mut self.learner
    }

    /// Exemplars of a class.
    pub fn exemplars(&self, class: Class) -> usize {
        self.kept.of(class.index()).len()
    }

    /// Examples of a class that were taught through here, those held out included.
    pub fn taught(&self, class: Class) -> u32 {
        self.taught
            .get(class.index())
            .map_or(0, |of| of.examples.into())
    }

    /// Forgets which examples were taught, but not what was learned from them: for the factory, before the device goes to its owner.
    pub fn forget_examples(&mut self) {
        self.exponents = Exponents::BLANK;
        self.kept = Exemplars::BLANK;
        self.held_out = Exemplars::BLANK;
        self.taught = Blank::BLANK;
        (self.pending_replays, self.next, self.outliers) = (0, 0, 0);
        (self.spacing, self.sum, self.count) = (0.0, 0.0, 0);
    }

    /// Windows that a sample is in.
    const fn overlap(&self) -> u8 {
        if self.overlap < OVERLAP {
            OVERLAP
        } else {
            self.overlap
        }
    }
}

impl<L, const D: usize, const C: usize, const K: usize, const H: usize>
    ExemplarReplay<L, D, C, K, H>
where
    L: EvidenceSource + RemoteModel + OnlineClassifier<Input = [f32; D]>,
{
    /// Held-out recall of a class: on examples that were taught but not learned, none before the first. The default learners have a leave-one-out
    /// [`recall`](crate::learners::continual::ContinualLearner::recall) of the same name.
    pub fn recall(&self, class: Class) -> Recall {
        let mut recall = Recall {
            kind: RecallEstimate::HeldOut,
            ..Recall::default()
        };
        for exemplar in self.held_out.of(class.index()) {
            let answer = self.learner.predict(&self.exponents.features(exemplar));
            let right = answer.is_ok_and(|label| label.class() == class);
            recall.asked += 1;
            recall.right += u16::from(right);
        }
        recall
    }

    /// Forgets one class; the others stay.
    pub fn forget(&mut self, class: L::Label) {
        // The default learner forgets any class that it has.
        let _ = self.edit(Edit::Forget(class.class()));
    }

    /// The numbers to be stored of an example; `None` for one beside which all others would be zero.
    fn store(&mut self, x: &[f32; D]) -> Option<Exemplar<D>> {
        let overlap = self.overlap();
        // Beside the only ones before, this one would be zero: those were outliers. One sample is in as many windows.
        let are_first = self.kept.total() <= overlap.into() && self.held_out.total() == 0;
        if are_first && self.exponents.are_above(x, OUTLIER) {
            self.kept = Exemplars::BLANK;
            self.exponents = Exponents::BLANK;
        }
        let mut exponents = self.exponents.clone();
        let shifts = exponents.include(x);
        let largest = shifts.iter().fold(0, |largest, shift| largest.max(*shift));
        if largest > OUTLIER && self.outliers < overlap {
            self.outliers += 1;
            return None;
        }
        self.outliers = 0;
        self.exponents = exponents;
        if largest > 0 {
            self.kept.shift(&shifts);
            self.held_out.shift(&shifts);
        }
        Some(self.exponents.quantise(x))
    }

    /// The example is asked, but not learned.
    fn hold_out(
        &mut self,
        x: &[f32; D],
        label: L::Label,
        nth: u16,
    ) -> Result<Outcome<L::Label>, InputError> {
        let outcome = self.predict_only(x, label)?;
        if let Some(exemplar) = self.store(x) {
            self.held_out
                .draw(label.index(), exemplar, nth, &mut self.rng);
        }
        Ok(outcome)
    }

    /// Outcome of an example that is not learned.
    fn predict_only(&self, x: &[f32; D], label: L::Label) -> Result<Outcome<L::Label>, InputError> {
        let (predicted, score) = self.learner.predict_scored(x)?;
        Ok(Outcome {
            predicted,
            score,
            mistake: predicted != label,
            admission: None,
            warning: None,
        })
    }
}

impl<L: Blank, const D: usize, const C: usize, const K: usize, const H: usize> Blank
    for ExemplarReplay<L, D, C, K, H>
{
    const BLANK: Self = Self::of(L::BLANK);
}

impl<L: Ready, const D: usize, const C: usize, const K: usize, const H: usize> Ready
    for ExemplarReplay<L, D, C, K, H>
{
}

crate::classifier::wrapper!(@classifier
    [
        L: EvidenceSource + RemoteModel + OnlineClassifier<Input = [f32; D]>,
        const D: usize, const C: usize, const K: usize, const H: usize
    ]
    ExemplarReplay<L, D, C, K, H>, L
    {
        learn(self, x, label, id) {
            self.learner.validate(x, label, id)?;
            let class = label.index();
            let Some(taught) = self.taught.get_mut(class) else {
                return Err(InputError::UnknownClass);
            };
            if taught.examples == 0 {
                taught.has_earlier = self.learner.has_seen(label.class());
            }
            let (taught, neighbours) = (*taught, u16::from(self.overlap()) - 1);
            let n = taught.next(neighbours);
            let gives_way = taught.has_earlier && usize::from(n) >= K;
            let role = match H {
                0 => Role::Kept(n),
                _ => Role::of(n, neighbours),
            };
            if gives_way {
                self.replace_earlier(class);
            }
            let outcome = match role {
                Role::HeldOut(nth) => self.hold_out(x, label, nth)?,
                // More than half of its samples are in the example that is held out.
                Role::Beside if self.overlap() > OVERLAP => self.predict_only(x, label)?,
                _ => self.learner.learn_with_id(x, label, id)?,
            };
            // A stuck sensor teaches nothing.
            if outcome.warning == Some(Warning::StuckSensor) {
                return Ok(outcome);
            }
            if let Role::Kept(nth) = role
                && let Some(exemplar) = self.store(x)
            {
                self.kept.draw(class, exemplar, nth, &mut self.rng);
            }
            if let Some(taught) = self.taught.get_mut(class) {
                taught.examples = n;
            }
            self.request_replays();
            (self.sum, self.count) = (0.0, 0);
            Ok(outcome)
        }
    }
);

crate::classifier::wrapper!(@wrapper
    [
        L: EvidenceSource + RemoteModel + OnlineClassifier<Input = [f32; D]>,
        const D: usize, const C: usize, const K: usize, const H: usize
    ]
    ExemplarReplay<L, D, C, K, H>, L
    {
        /// Exemplars are packed; the rest is whole words, and the name.
        const MAX_OWN_BYTES: usize = {
            let exemplar = (2 * D).next_multiple_of(4);
            let of_class = 8 + (K + H) * exemplar + 4;
            D.next_multiple_of(4) + C * of_class + 20 + 64
        };

        fn wrapped_known(&self, x: &[f32; D]) -> Result<Option<bool>, InputError> {
            self.is_known(x)
        }

        fn wrapped_edit(&mut self, edit: Edit) -> Result<(), EditError> {
            self.learner.edit(edit)?;
            if let Edit::Forget(class) = edit {
                // The distances between the others are measured anew, by replaying them.
                if !self.kept.of(class.index()).is_empty() {
                    (self.sum, self.count) = (0.0, 0);
                    self.kept.forget(class.index());
                    self.request_replays();
                }
                self.held_out.forget(class.index());
                self.exponents.shrink(&mut self.kept, &mut self.held_out);
                if let Some(taught) = self.taught.get_mut(class.index()) {
                    *taught = Taught::BLANK;
                }
                if self.kept.total() < 2 {
                    self.spacing = 0.0;
                }
            }
            Ok(())
        }

        fn wrapped_rehearse(&mut self, steps: u16) -> Result<u16, EditError> {
            Ok(self.rehearse(steps))
        }

        /// On held-out examples alone: leave-one-out on the vectors of a factory model says little of its owner. Where none is held out, as the learner.
        fn wrapped_recall(&self, class: Class) -> Option<Recall> {
            match H {
                0 => self.learner.recall_of(class),
                _ => Some(self.recall(class)),
            }
        }

        /// Those that somebody taught: the learner counts replays, too. Of a factory model, what the factory taught.
        fn wrapped_examples(&self, class: Class) -> Option<u32> {
            match self.taught(class) {
                0 => self.learner.examples_of(class),
                taught => Some(taught),
            }
        }

        fn wrapped_rehearsals_owed(&self) -> Option<u16> {
            Some(self.pending_replays)
        }

        fn wrapped_set_overlap(&mut self, windows: u16) {
            self.overlap = windows.min(u8::MAX.into()) as u8;
            self.learner.set_overlap(windows);
        }
    }
);

impl<L: Restart, const D: usize, const C: usize, const K: usize, const H: usize> Restart
    for ExemplarReplay<L, D, C, K, H>
{
    fn restart(&mut self) {
        self.learner.restart();
        self.forget_examples();
        self.rng = XorShift32::BLANK;
    }
}
