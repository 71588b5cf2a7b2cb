//! The examples that a device keeps.

use super::{Breakpoint, Ranges, Samples, Shuffle, samples::label};
use crate::{
    error::InputError,
    label::{Label, Sign},
    num::{is_limited, rng::XorShift32},
    persist::{Blank, ImageError, Persist, Reader, Shape, Writer},
    storage::{point::is_finite, put},
    stream::{Example, ExampleSource, Next},
};

/// At most `N` examples of a stream, balanced between the classes:
/// `N (4 D + 4) + 16` bytes.
///
/// While there is room, everything is kept. Then a class that holds less than
/// half of the slots takes them from the other, and a class that has its half
/// keeps a uniform sample of all that was seen of it (class-balanced reservoir
/// sampling): rare events stay, however long the stream.
///
/// ```
/// use pocketron::{learners::batch::Replay, prelude::*};
///
/// let mut buffer = Replay::<1, 10>::new(1);
/// for step in 0..1000 {
///     let rare = step % 100 == 0;
///     buffer.offer(&[step as f32], if rare { Sign::Pos } else { Sign::Neg })?;
/// }
/// assert_eq!((buffer.len(), buffer.count(Sign::Pos)), (10, 5));
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay<const D: usize, const N: usize> {
    x: [[f32; D]; N],
    /// The sign of a weight is the label.
    weights: [f32; N],
    /// Examples offered of each class.
    seen: [u32; 2],
    len: u32,
    rng: XorShift32,
}

/// Room to work in for sets of at most `N` examples: `8 N` bytes, of no value
/// between two epochs.
#[derive(Clone, Debug)]
pub struct Scratch<const N: usize>([Breakpoint; N]);

crate::persist::blank!([; const N: usize] Scratch<N> { 0 });

impl<const D: usize, const N: usize> Blank for Replay<D, N> {
    const BLANK: Self = Self::new(0);
}

impl<const D: usize, const N: usize> Replay<D, N> {
    /// Empty; what is kept is drawn from `seed`.
    pub const fn new(seed: u32) -> Self {
        const {
            assert!(
                D > 0 && N > 1,
                "a buffer needs features, and room for two examples"
            )
        };
        Replay {
            x: [[0.0; D]; N],
            weights: [0.0; N],
            seen: [0; 2],
            len: 0,
            rng: XorShift32::new(seed),
        }
    }

    /// Shows an example of the stream; the slot that it got, or `None` when it
    /// was left out.
    pub fn offer(&mut self, x: &[f32; D], label: Sign) -> Result<Option<usize>, InputError> {
        if !is_finite(x) {
            return Err(InputError::NonFinite);
        }
        if let Some(seen) = self.seen.get_mut(label.index()) {
            *seen = seen.saturating_add(1);
        }
        let slot = self.slot_for(label);
        if let Some(slot) = slot {
            put(&mut self.x, slot, *x);
            put(&mut self.weights, slot, label.value());
        }
        Ok(slot)
    }

    fn slot_for(&mut self, label: Sign) -> Option<usize> {
        let len = self.len();
        if len < N {
            self.len += 1;
            return Some(len);
        }
        let own = self.count(label);
        if own < N / 2 {
            let nth = self.rng.below((N - own) as u32);
            return self.nth(opposite(label), nth as usize);
        }
        let seen = self.seen.get(label.index()).copied().unwrap_or(0);
        let nth = self.rng.below(seen) as usize;
        self.nth(label, nth)
    }

    /// Slot of the `nth` example of a class, counted from zero.
    fn nth(&self, class: Sign, nth: usize) -> Option<usize> {
        let slots = self.labels().enumerate();
        let mut own = slots.filter(|(_, label)| *label == class);
        own.nth(nth).map(|(slot, _)| slot)
    }

    fn labels(&self) -> impl Iterator<Item = Sign> {
        self.weights
            .iter()
            .take(self.len())
            .map(|weight| label(*weight))
    }

    /// Number of examples held.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether none is held.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of examples held of a class.
    pub fn count(&self, class: Sign) -> usize {
        self.labels().filter(|label| *label == class).count()
    }

    /// Number of examples offered of a class.
    pub fn seen(&self, class: Sign) -> u32 {
        self.seen.get(class.index()).copied().unwrap_or(0)
    }

    /// The stored samples in the form that learners take.
    pub fn samples<'a>(&'a mut self, scratch: &'a mut Scratch<N>) -> Samples<'a, D> {
        let len = self.len();
        Samples {
            x: self.x.get(..len).unwrap_or_default(),
            weights: self.weights.get_mut(..len).unwrap_or_default(),
            scratch: scratch.0.get_mut(..len).unwrap_or_default(),
        }
    }

    /// Brings the features of all that is held into `[-1, 1]`, and says how, so
    /// that others can be treated alike.
    pub fn normalise(&mut self) -> Ranges<D> {
        let held = self.len();
        let mut ranges = Ranges::BLANK;
        for x in self.x.iter().take(held) {
            // What is held is finite.
            let _ = ranges.see(x);
        }
        for x in self.x.iter_mut().take(held) {
            *x = ranges.apply(x);
        }
        ranges
    }

    /// One epoch for the [streaming loop](crate::stream::run_stream), in the order
    /// of the slots, which are the examples' numbers.
    pub fn in_order(&self) -> Epoch<'_, D, core::ops::Range<u32>> {
        self.epoch(0..self.len)
    }

    /// One epoch in the order that `seed` names.
    pub fn shuffled(&self, seed: u32) -> Epoch<'_, D, Shuffle> {
        self.epoch(Shuffle::new(self.len, seed))
    }

    fn epoch<O>(&self, order: O) -> Epoch<'_, D, O> {
        Epoch {
            x: &self.x,
            weights: &self.weights,
            order,
        }
    }
}

/// A source that lends each held example once.
#[derive(Clone, Debug)]
pub struct Epoch<'a, const D: usize, O> {
    x: &'a [[f32; D]],
    weights: &'a [f32],
    order: O,
}

impl<const D: usize, O: Iterator<Item = u32>> ExampleSource for Epoch<'_, D, O> {
    type Input = [f32; D];
    type Label = Sign;
    type Error = core::convert::Infallible;

    fn next_example(&mut self) -> Next<'_, Self> {
        let Some(slot) = self.order.next() else {
            return Ok(None);
        };
        let held = self
            .x
            .get(slot as usize)
            .zip(self.weights.get(slot as usize));
        Ok(held.map(|(x, weight)| Example {
            x,
            label: label(*weight),
            id: Some(slot),
        }))
    }
}

const fn opposite(label: Sign) -> Sign {
    match label {
        Sign::Neg => Sign::Pos,
        Sign::Pos => Sign::Neg,
    }
}

/// Named by features and slots; as many examples as are held.
impl<const D: usize, const N: usize> Persist for Replay<D, N> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("replay", |inside| {
            inside.number(D);
            inside.number(N);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.len.save(writer);
        writer.with_slots(|writer| {
            for x in self.x.iter().take(self.len()) {
                x.save(writer);
            }
            writer.set_slots(self.len());
            self.weights.save(writer);
        });
        for seen in &self.seen {
            seen.save(writer);
        }
        self.rng.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let len = reader.word()?;
        if len as usize > N {
            return Err(ImageError::Malformed);
        }
        reader.put(&mut self.len, len);
        reader.with_slots(|reader| {
            let (held, rest) = self
                .x
                .split_at_mut_checked(len as usize)
                .unwrap_or_default();
            held.iter_mut().try_for_each(|x| x.load(reader))?;
            if !reader.is_dry_run() {
                rest.fill([0.0; D]);
            }
            let (held, rest) = self
                .weights
                .split_at_mut_checked(len as usize)
                .unwrap_or_default();
            // Their sum is finite.
            held.iter_mut()
                .try_for_each(|weight| reader.checked(weight, is_limited))?;
            if !reader.is_dry_run() {
                rest.fill(0.0);
            }
            Ok(())
        })?;
        self.seen
            .iter_mut()
            .try_for_each(|seen| seen.load(reader))?;
        self.rng.load(reader)
    }
}
