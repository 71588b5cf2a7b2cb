//! The loop of an application that a person teaches by hand.

use super::FrontEnd;
use crate::{
    classifier::{Confidence, Edit, OnlineClassifier, Outcome, Recall, RemoteModel, Warning},
    error::{EditError, InputError},
    label::{Class, ClassLabel as _, Label as _},
    learners::PocketronMulti,
    persist::{Blank, Convert, ImageError, Persist, Reader, Ready, Shape, StoredSizes, Writer},
    wrap::{ExemplarReplay, confidence::Confident},
};

/// The learner for a device that is taught by hand: `D` features, `B` support vectors, `C` classes, and 16 windows a class: 12 to replay, 4
/// held out.
///
/// It says how probable its answers are, which inputs are unknown, and what its recall is on windows that it has not learned.
/// `Undo<Teachable<D, B, C>>` can take back the last block, for twice the bytes.
pub type Teachable<const D: usize, const B: usize, const C: usize> =
    Confident<ExemplarReplay<PocketronMulti<D, B, C>, D, C>, C>;

/// A front end and a model, and what a person does with them: teach a class while a button is held, ask otherwise.
///
/// One call takes one sample and the class that is being taught, if any. It never waits, and takes at most a learning step, so it can be called
/// from a plain loop, from an interrupt handler or from a task of RTIC or Embassy.
///
/// ```
/// use pocketron::{label::Class, signal::{Event, Idle, Motion, Teachable, Teacher}};
///
/// let mut device = Teacher::<Motion<64>, Teachable<12, 24, 4>>::new();
/// let mut last = Event::Nothing;
/// for t in 0..3000_i32 {
///     // A button: held for the first 20 seconds while the device lies still, then while it is shaken.
///     let (button, shaken) = match t {
///         0..1000 => (Some(Class(0)), false),
///         1000..2000 => (Some(Class(1)), true),
///         2000..2500 => (None, false),
///         _ => (None, true),
///     };
///     let noise = (t * 37 % 23) as i16;
///     let swing = if shaken { (t % 20 - 10) * 60 } else { 0 } as i16;
///     let event = device.sample(&[swing + noise, noise, 1000 - noise], button)?;
///     if event != Event::Nothing {
///         last = event;
///     }
///     // Between two samples: a replay at a time, then save.
///     if button.is_none() && device.idle() == Idle::Save {
///         // if ring.save_model(&device).is_err() { device.save_failed(); }
///     }
/// }
/// assert!(matches!(last, Event::Known { class: Class(1), .. }));
/// assert_eq!(device.recall(Class(0)).map(|recall| recall.right), Some(4)); // of four windows held out
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
///
/// Its image is that of the model, with the features that it was taught with: a model with others is refused. The longest image is
/// [`MAX_BYTES`](crate::persist::BoundedImage::MAX_BYTES).
#[derive(Clone, Debug)]
pub struct Teacher<F, L> {
    front_end: F,
    learner: L,
    /// The class being taught, and its windows since the button went down.
    class: Option<Class>,
    windows: u16,
    /// Whether something was taught that has not been rehearsed, or not been saved.
    is_unrehearsed: bool,
    is_unsaved: bool,
    /// Steps of rehearsal since something was taught.
    rehearsed: u16,
    /// Calls of `idle` until a save that failed is tried again.
    retry_in: u16,
}

/// Steps of rehearsal at most for a model that does not count those it owes: vectors of examples that contradict each other never come to rest.
const MOST_REHEARSED: u16 = 512;

/// Calls of `idle` between two attempts to save: flash that fails must not take all the time between two samples.
const RETRY_AFTER: u16 = 100;

/// Result of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Event {
    /// No window is complete.
    Nothing,
    /// A window was taught.
    Teaching {
        /// Its class.
        class: Class,
        /// Windows of this block so far.
        windows: u16,
    },
    /// The button was released, or pressed for another class.
    Taught {
        /// The class that was taught.
        class: Class,
        /// Windows of the block. Zero: the button was held for less than a window.
        windows: u16,
    },
    /// A window like what was taught.
    Known {
        /// Its class.
        class: Class,
        /// Probability that the class is right, if the model can tell.
        probability: Option<f32>,
    },
    /// A window unlike everything that was taught.
    Unknown,
    /// A window came before there was a choice.
    NotReady(Missing),
}

/// Condition that a model lacks before it can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Missing {
    /// Nothing was taught yet.
    FirstClass,
    /// One class was taught; a choice needs another.
    SecondClass,
    /// More windows of what is taught already.
    MoreExamples,
}

/// Work done in idle time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Idle {
    /// Nothing.
    Nothing,
    /// An exemplar was replayed; there may be more.
    Rehearsed,
    /// All is learned: save it now. Said once for each change, and again after [`save_failed`](Teacher::save_failed).
    Save,
}

impl<F: Ready, L: Ready> Teacher<F, L> {
    /// Nothing taught yet.
    pub const fn new() -> Self {
        Self::BLANK
    }
}

impl<F: Ready, L: Ready> Default for Teacher<F, L> {
    fn default() -> Self {
        Self::new()
    }
}

crate::persist::blank!([F, L] Teacher<F, L> { front_end, learner, class, windows, is_unrehearsed, is_unsaved, rehearsed, retry_in });

impl<F: Ready, L: Ready> Ready for Teacher<F, L> {}

impl<F, L> Teacher<F, L> {
    /// A front end and a model, which may be a factory model.
    pub const fn of(front_end: F, model: L) -> Self {
        Teacher {
            front_end,
            learner: model,
            class: None,
            windows: 0,
            is_unrehearsed: false,
            is_unsaved: false,
            rehearsed: 0,
            retry_in: 0,
        }
    }

    /// The front end: its counters of lost, saturated and stuck samples.
    pub const fn front_end(&self) -> &F {
        &self.front_end
    }

    /// The front end, to be configured.
    pub const fn front_end_mut(&mut self) -> &mut F {
        &mut self.front_end
    }

    /// The model.
    pub const fn model(&self) -> &L {
        &self.learner
    }

    /// The class being taught, if the button is held.
    pub const fn class(&self) -> Option<Class> {
        self.class
    }

    /// The model, to be configured or loaded.
    pub const fn model_mut(&mut self) -> &mut L {
        &mut self.learner
    }
}

impl<F, L> Teacher<F, L>
where
    F: FrontEnd,
    L: RemoteModel + OnlineClassifier<Input = F::Features>,
{
    /// Takes a sample, and the class that is being taught if the button is held.
    ///
    /// # Errors
    ///
    /// When there is no such class; the sample is then not taught.
    pub fn sample(
        &mut self,
        sample: &F::Sample,
        class: Option<Class>,
    ) -> Result<Event, InputError> {
        let change = self.switch(class).inspect_err(|_| self.front_end.skip(1))?;
        let Some(features) = self.front_end.push(sample) else {
            return Ok(change);
        };
        match class {
            Some(class) => self.teach(&features, class),
            None => self.answer(&features),
        }
    }

    /// Takes what a driver gave: an error is a lost sample, and the loop goes on. The error itself is dropped: to count errors by kind, give
    /// them to `errors::ErrorCounts` first (`reading.inspect_err(..)`).
    ///
    /// # Errors
    ///
    /// As [`sample`](Self::sample).
    pub fn reading<E>(
        &mut self,
        reading: Result<F::Sample, E>,
        class: Option<Class>,
    ) -> Result<Event, InputError> {
        match reading {
            Ok(sample) => self.sample(&sample, class),
            Err(_) => {
                self.front_end.skip(1);
                self.switch(class)
            }
        }
    }

    /// To be called between two samples while nothing is taught: replays one exemplar, and says when to save.
    pub fn idle(&mut self) -> Idle {
        if self.class.is_some() {
            return Idle::Nothing;
        }
        if self.is_unrehearsed {
            // A step too many would change the model, and how many there are must not depend on when this is called.
            let is_done = match self.learner.rehearsals_owed() {
                Some(owed) => owed == 0,
                None => self.rehearsed >= MOST_REHEARSED,
            };
            if !is_done && matches!(self.learner.rehearse_steps(1), Ok(1..)) {
                self.rehearsed = self.rehearsed.saturating_add(1);
                return Idle::Rehearsed;
            }
            self.is_unrehearsed = false;
        }
        if !self.is_unsaved {
            return Idle::Nothing;
        }
        if self.retry_in > 0 {
            self.retry_in -= 1;
            return Idle::Nothing;
        }
        self.is_unsaved = false;
        Idle::Save
    }

    /// The save that [`idle`](Self::idle) asked for has failed: after 100 more calls it asks again.
    pub const fn save_failed(&mut self) {
        self.is_unsaved = true;
        self.retry_in = RETRY_AFTER;
    }

    /// Takes back the last block, or the last class that was forgotten. The model must be an [`Undo`](crate::wrap::Undo).
    ///
    /// # Errors
    ///
    /// When there is nothing to take back, or the model cannot.
    pub fn undo(&mut self) -> Result<(), EditError> {
        self.edit(Edit::Undo)
    }

    /// Forgets a class; the others stay.
    ///
    /// # Errors
    ///
    /// When there is no such class, or the model cannot.
    pub fn forget(&mut self, class: Class) -> Result<(), EditError> {
        self.edit(Edit::Forget(class))
    }

    /// Recall of a class, if the model can tell. With [`Teachable`] it is held-out; before the first window of the class was held out, none is
    /// [asked](Recall::asked). With a default learner it is leave-one-out on stored vectors. [`Recall::kind`] says which.
    pub fn recall(&self, class: Class) -> Option<Recall> {
        self.learner.recall_of(class)
    }

    /// The button was pressed or released between two samples, which [`sample`](Self::sample) would notice with the next one.
    ///
    /// Ends the block of one class and begins that of another: no window has samples of both.
    ///
    /// # Errors
    ///
    /// When there is no such class; what was taught is then still being taught.
    pub fn switch(&mut self, class: Option<Class>) -> Result<Event, InputError> {
        if class == self.class {
            return Ok(Event::Nothing);
        }
        if class.is_some_and(|class| !self.has_class_number(class)) {
            return Err(InputError::UnknownClass);
        }
        self.front_end.restart();
        let (last, windows) = (self.class, self.windows);
        // Models without undo know no blocks.
        if last.is_some() {
            let _ = self.learner.edit(Edit::EndBlock);
        }
        if class.is_some() {
            let _ = self.learner.edit(Edit::BeginBlock);
        }
        (self.class, self.windows) = (class, 0);
        Ok(last.map_or(Event::Nothing, |class| Event::Taught { class, windows }))
    }

    fn teach(&mut self, features: &F::Features, class: Class) -> Result<Event, InputError> {
        self.learner.set_overlap(overlap::<F>());
        let outcome = self.learner.learn_class(features, class)?;
        // A stuck sensor teaches nothing.
        if outcome.warning != Some(Warning::StuckSensor) {
            self.windows = self.windows.saturating_add(1);
            self.changed();
        }
        let windows = self.windows;
        Ok(Event::Teaching { class, windows })
    }

    fn answer(&self, features: &F::Features) -> Result<Event, InputError> {
        if !self.learner.is_ready() {
            return Ok(Event::NotReady(self.missing()));
        }
        let Confidence {
            class,
            probability,
            known,
        } = self.learner.confidence(features)?;
        if known == Some(false) {
            return Ok(Event::Unknown);
        }
        let class = match class {
            Some(class) => class,
            None => self.learner.score_classes(features, &mut |_| ())?.0,
        };
        Ok(Event::Known { class, probability })
    }
}

impl<F, L> Teacher<F, L> {
    /// There is something to rehearse, and to save.
    fn changed(&mut self) {
        (self.is_unrehearsed, self.is_unsaved) = (true, true);
        (self.rehearsed, self.retry_in) = (0, 0);
    }
}

impl<F, L: RemoteModel> Teacher<F, L> {
    /// Whether a class of this number can be taught.
    fn has_class_number(&self, class: Class) -> bool {
        let label = L::Label::of_class(class).filter(|_| class.index() < L::CLASSES);
        label.is_some_and(|label| self.learner.has_class(label))
    }

    /// The condition that a model lacks which is not ready.
    fn missing(&self) -> Missing {
        let (mut classes, mut taught) = (0, 0);
        for class in (0..L::CLASSES.min(256)).map(|class| Class(class as u8)) {
            classes += u32::from(self.has_class_number(class));
            taught += u32::from(self.learner.examples_of(class).unwrap_or(0) > 0);
        }
        match taught {
            0 => Missing::FirstClass,
            1 if classes > 1 => Missing::SecondClass,
            _ => Missing::MoreExamples,
        }
    }
}

/// Windows that a sample is in.
fn overlap<F: FrontEnd>() -> u16 {
    const { F::WINDOW.div_ceil(F::HOP) as u16 }
}

// What a host may do with the model over a wire: teach it features, edit it, rehearse it.
crate::classifier::wrapper!(@classifier
    [F: FrontEnd, L: RemoteModel + OnlineClassifier<Input = F::Features>]
    Teacher<F, L>, L
    {
        learn(self, x, label, id) {
            self.learner.set_overlap(overlap::<F>());
            let outcome = self.learner.learn_with_id(x, label, id)?;
            self.changed();
            Ok(outcome)
        }
    }
);

crate::classifier::wrapper!(@wrapper
    [F: FrontEnd, L: RemoteModel + OnlineClassifier<Input = F::Features>]
    Teacher<F, L>, L
    {
        /// The text of the features has at most 256 bytes.
        const MAX_OWN_BYTES: usize = 256;

        fn wrapped_edit(&mut self, edit: Edit) -> Result<(), EditError>
        where
            L: RemoteModel,
        {
            self.learner.edit(edit)?;
            // The limits of a block change nothing; what was taken back may have to be rehearsed.
            if matches!(edit, Edit::Forget(_) | Edit::Undo) {
                self.changed();
            }
            // Who goes on teaching begins a new block.
            if edit == Edit::Undo && self.class.is_some() {
                self.windows = 0;
                let _ = self.learner.edit(Edit::BeginBlock);
            }
            Ok(())
        }
    }
);

impl<F: Persist, L: Persist> Persist for Teacher<F, L> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("teacher", |inside| {
            self.front_end.shape(inside);
            self.learner.shape(inside);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.front_end.save(writer);
        self.learner.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.front_end.load(reader)?;
        self.learner.load(reader)?;
        self.begin_anew(reader);
        Ok(())
    }
}

impl<F: Persist, L: Convert> Convert for Teacher<F, L> {
    fn convert(
        &mut self,
        stored: &mut StoredSizes,
        reader: &mut Reader<'_>,
    ) -> Result<(), ImageError> {
        stored.same(&self.front_end)?;
        self.front_end.load(reader)?;
        self.learner.convert(stored, reader)?;
        self.begin_anew(reader);
        Ok(())
    }
}

impl<F, L> Teacher<F, L> {
    /// After a load: nothing is under way.
    fn begin_anew(&mut self, reader: &Reader<'_>) {
        reader.put(&mut self.is_unrehearsed, true);
        reader.put(&mut self.is_unsaved, false);
        reader.put(&mut self.rehearsed, 0);
        reader.put(&mut self.retry_in, 0);
        // Of a button that is still held, the next sample begins a block of its own.
        reader.put(&mut self.class, None);
        reader.put(&mut self.windows, 0);
    }
}

/// The guide's programs, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/first-sensor.md")]
struct FirstSensor;
