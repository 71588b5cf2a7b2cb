//! A learner that keeps examples of each class: to replay them, to know what is unknown, and to measure itself.

mod store;

use crate::{
    classifier::{Edit, OnlineClassifier, Outcome, Recall, RecallEstimate, RemoteModel, Warning},
    error::{EditError, InputError},
    label::{Class, ClassLabel, Label as _},
    num::{
        math::{Math as _, Precise},
        rng::XorShift32,
    },
    persist::{Blank, ImageError, Persist, Reader, Ready, Restart, Shape, Writer},
    wrap::confidence::EvidenceSource,
};
use store::{Exemplar, Exemplars, Exponents};

/// Passes over the exemplars after something was taught.
const ROUNDS: u16 = 5;
/// Examples of a class that are kept before one is held out.
const FIRST: u16 = 6;
/// Inputs farther than this many mean nearest-neighbour distances are unknown; 10 % of later known windows on the watch
/// data are, too.
const UNKNOWN: f32 = 1.95;
/// A value `2^FAR` times larger than any before is unknown.
const FAR: u8 = 2;
/// One `2^WILD` times larger is an outlier, and is not stored. Of the 15 digits of a stored number one is left beside the largest that is kept.
const WILD: u8 = 14;
/// No distance is larger.
const FARTHEST: f32 = 1e6;
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
///   the owner has taught `K` examples of that class; before, both count. The `K` examples are learned again when they are replayed.
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
    /// Replays that are still to be done, and the place of the next one.
    owed: u16,
    next: u16,
    /// Mean distance of an exemplar to the nearest other one, and its sum in the present pass.
    spacing: f32,
    sum: f32,
    count: u16,
    /// Examples in a row with a number that was too large to be kept.
    wild: u8,
    /// Windows that a sample is in; zero stands for the usual number.
    overlap: u8,
}

/// Counters of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Taught {
    examples: u16,
    /// Whether the learner still has what it had learned before.
    has_earlier: bool,
}

crate::persist::blank!([] Taught { examples, has_earlier });

/// Role of an example, and its number among those of its class with the same role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Kept(u16),
    HeldOut(u16),
    /// Learned, not kept: it overlaps with one that is held out.
    Beside,
}

impl Role {
    /// Of the `n`th example of a class, of which that many on either side overlap with it: six are kept, then, over and over, one is held out in
    /// the middle of its neighbours, and two are kept.
    fn of(n: u16, neighbours: u16) -> Self {
        let Some(later) = n.checked_sub(FIRST) else {
            return Role::Kept(n);
        };
        let every = 2 * neighbours + 3;
        let (round, place) = (later / every, later % every);
        let kept = FIRST + 2 * round;
        if place == 0 {
            Role::Kept(kept)
        } else if place == neighbours + 1 {
            Role::HeldOut(round + 1)
        } else if place + 1 == every {
            Role::Kept(kept + 1)
        } else {
            Role::Beside
        }
    }
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
            owed: 0,
            next: 0,
            spacing: 0.0,
            sum: 0.0,
            count: 0,
            wild: 0,
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

    /// All exemplars are to be replayed, each as often as there are rounds.
    fn owe(&mut self) {
        let total = u16::try_from(self.kept.total()).unwrap_or(u16::MAX);
        self.owed = total.saturating_mul(ROUNDS);
    }

    /// Replays still to be done after what was taught last.
    pub const fn owed(&self) -> u16 {
        self.owed
    }

    /// Forgets which examples were taught, but not what was learned from them: for the factory, before the device goes to its owner.
    pub fn forget_examples(&mut self) {
        self.exponents = Exponents::BLANK;
        self.kept = Exemplars::BLANK;
        self.held_out = Exemplars::BLANK;
        self.taught = Blank::BLANK;
        (self.owed, self.next, self.wild) = (0, 0, 0);
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
    /// Replays up to `steps` exemplars; how many were replayed. Zero: nothing is left to do. For idle time, after a block; each costs an
    /// example of `L` and `C K D` differences.
    pub fn rehearse(&mut self, steps: u16) -> u16 {
        let steps = steps.min(self.owed);
        for _ in 0..steps {
            self.replay_next();
            self.owed -= 1;
        }
        steps
    }

    /// Held-out recall of a class: on examples that were taught but not learned. The default learners have a leave-one-out
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

    /// Whether `x` is like the exemplars; `None` before they have been [rehearsed](Self::rehearse) once.
    pub fn is_known(&self, x: &[f32; D]) -> Result<Option<bool>, InputError> {
        if x.iter().any(|x| !x.is_finite()) {
            return Err(InputError::NonFinite);
        }
        let is_measured = self.spacing > 0.0;
        if !is_measured {
            return Ok(None);
        }
        // A copy: a number that is larger than all before may not change what is stored.
        let mut exponents = self.exponents.clone();
        if exponents.include(x).iter().any(|shift| *shift > FAR) {
            return Ok(Some(false));
        }
        let nearest = self.nearest(&self.exponents.quantise(x), None);
        Ok(Some(nearest <= UNKNOWN * self.spacing))
    }

    /// Forgets one class; the others stay.
    pub fn forget(&mut self, class: L::Label) {
        // The default learner forgets any class that it has.
        let _ = self.edit(Edit::Forget(class.class()));
    }

    /// Distance to the nearest exemplar but the one in that place: the mean difference of a feature, in standard deviations.
    fn nearest(&self, x: &Exemplar<D>, without: Option<(usize, usize)>) -> f32 {
        let mut factors = [0.0; D];
        for (factor, moments) in factors.iter_mut().zip(self.learner.moments()) {
            if moments.variance >= f32::MIN_POSITIVE {
                *factor = 1.0 / (Precise::sqrt(moments.variance) * D as f32);
            }
        }
        let factors = self.exponents.scaled(&factors);
        let mut nearest = f32::MAX;
        for class in 0..C {
            for (slot, exemplar) in self.kept.of(class).iter().enumerate() {
                if without != Some((class, slot)) {
                    nearest = nearest.min(exemplar.distance(x, &factors));
                }
            }
        }
        nearest
    }

    /// Learns the next exemplar again, in turn over the classes, and measures how far it is from the others.
    fn replay_next(&mut self) {
        let places = C * K;
        let mut place = usize::from(self.next);
        for _ in 0..places {
            let (slot, class) = (place / C, place % C);
            place = if place + 1 < places { place + 1 } else { 0 };
            if let Some(exemplar) = self.kept.of(class).get(slot).copied() {
                self.learn_again(&exemplar, class);
                let nearest = self.nearest(&exemplar, Some((class, slot)));
                // A lone exemplar has no distance.
                if nearest < f32::MAX {
                    self.sum += nearest.min(FARTHEST);
                    self.count = self.count.saturating_add(1);
                }
                break;
            }
        }
        self.next = place as u16;
        if self.count > 0 && usize::from(self.count) >= self.kept.total() {
            self.spacing = self.sum / f32::from(self.count);
            (self.sum, self.count) = (0.0, 0);
        }
    }

    fn learn_again(&mut self, exemplar: &Exemplar<D>, class: usize) {
        if let Some(label) = L::Label::of_class(Class(class as u8)) {
            // It was taken before, and would be again.
            let _ = self
                .learner
                .learn(&self.exponents.features(exemplar), label);
        }
    }

    /// The owner has taught enough of a class: what came before is forgotten. The exemplars are replayed in idle time.
    fn replace_earlier(&mut self, class: usize) {
        if let Some(taught) = self.taught.get_mut(class) {
            taught.has_earlier = false;
        }
        // The default learner forgets any class that it has.
        let _ = self.learner.edit(Edit::Forget(Class(class as u8)));
        self.owe();
    }

    /// The numbers to be stored of an example; `None` for one beside which all others would be zero.
    fn store(&mut self, x: &[f32; D]) -> Option<Exemplar<D>> {
        let overlap = self.overlap();
        // Beside the only ones before, this one would be zero: those were wild. One sample is in as many windows.
        let are_first = self.kept.total() <= overlap.into() && self.held_out.total() == 0;
        if are_first && self.exponents.are_above(x, WILD) {
            self.kept = Exemplars::BLANK;
            self.exponents = Exponents::BLANK;
        }
        let mut exponents = self.exponents.clone();
        let shifts = exponents.include(x);
        let largest = shifts.iter().fold(0, |largest, shift| largest.max(*shift));
        if largest > WILD && self.wild < overlap {
            self.wild += 1;
            return None;
        }
        self.wild = 0;
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
        let outcome = self.ask_only(x, label)?;
        if let Some(exemplar) = self.store(x) {
            self.held_out
                .draw(label.index(), exemplar, nth, &mut self.rng);
        }
        Ok(outcome)
    }

    /// Outcome of an example that is not learned.
    fn ask_only(&self, x: &[f32; D], label: L::Label) -> Result<Outcome<L::Label>, InputError> {
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
            let n = taught.examples.saturating_add(1);
            let gives_way = taught.has_earlier && usize::from(n) >= K;
            let role = match H {
                0 => Role::Kept(n),
                _ => Role::of(n, u16::from(self.overlap()) - 1),
            };
            if gives_way {
                self.replace_earlier(class);
            }
            let outcome = match role {
                Role::HeldOut(nth) => self.hold_out(x, label, nth)?,
                // More than half of its samples are in the example that is held out.
                Role::Beside if self.overlap() > OVERLAP => self.ask_only(x, label)?,
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
            self.owe();
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
                    self.owe();
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

        /// On held-out examples; before there are any, on the vectors of the learner, each by the others (leave-one-out).
        fn wrapped_recall(&self, class: Class) -> Option<Recall> {
            let held_out = self.recall(class);
            if held_out.asked > 0 {
                return Some(held_out);
            }
            self.learner.recall_of(class).or(Some(held_out))
        }

        /// Those that somebody taught: the learner counts replays, too. Of a factory model, what the factory taught.
        fn wrapped_examples(&self, class: Class) -> Option<u32> {
            match self.taught(class) {
                0 => self.learner.examples_of(class),
                taught => Some(taught),
            }
        }

        fn wrapped_rehearsals_owed(&self) -> Option<u16> {
            Some(self.owed)
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

impl<L: Persist, const D: usize, const C: usize, const K: usize, const H: usize> Persist
    for ExemplarReplay<L, D, C, K, H>
{
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("exemplar-replay", |inside| {
            self.learner.shape(inside);
            inside.number(D);
            inside.number(C);
            self.kept.shape(inside);
            self.held_out.shape(inside);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.learner.save(writer);
        self.exponents.save(writer);
        self.kept.save(writer);
        self.held_out.save(writer);
        for taught in &self.taught {
            writer.word(u32::from(taught.examples) | u32::from(taught.has_earlier) << 16);
        }
        self.rng.save(writer);
        writer.word(u32::from(self.owed) | u32::from(self.next) << 16);
        self.spacing.save(writer);
        self.sum.save(writer);
        writer.word(u32::from(self.count) | u32::from(self.wild) << 16);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.learner.load(reader)?;
        self.exponents.load(reader)?;
        self.kept.load(reader)?;
        self.held_out.load(reader)?;
        for taught in &mut self.taught {
            let word = reader.word()?;
            if word >> 17 != 0 {
                return Err(ImageError::Malformed);
            }
            let found = Taught {
                examples: word as u16,
                has_earlier: word >> 16 != 0,
            };
            reader.put(taught, found);
        }
        self.rng.load(reader)?;
        let word = reader.word()?;
        reader.put(&mut self.owed, word as u16);
        reader.put(&mut self.next, (word >> 16) as u16);
        reader.number(&mut self.spacing, 0.0..=FARTHEST)?;
        reader.number(&mut self.sum, 0.0..=FARTHEST * f32::from(u16::MAX))?;
        let word = reader.word()?;
        if word >> 24 != 0 {
            return Err(ImageError::Malformed);
        }
        reader.put(&mut self.count, word as u16);
        reader.put(&mut self.wild, (word >> 16) as u8);
        Ok(())
    }
}
