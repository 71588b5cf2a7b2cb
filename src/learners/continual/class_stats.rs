//! Counts of the classes, and classes that are absent.

use crate::persist::{Blank, Element, ImageError, Persist, Reader, Shape, Writer};

/// Examples of each class and how long ago the last one was: `4 C + 8` bytes.
///
/// A person teaches class after class; a stream brings them mixed. A class is *absent* if its gap, or the current run of one
/// label, is improbable in a mixed stream (0.25 %, 2 %). After 1,024 examples only runs of new classes count (0.1 %), so a mature
/// model can follow drift. A new class is absent after 255 examples of others, any class after 4,672.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClassStats<const C: usize> {
    counts: [Count; C],
    /// Probability of the present run of one label in a mixed stream; zero before the first example.
    chance: f32,
    last: u8,
}

/// Examples after which a learner counts as mature.
const MATURE: u32 = 1024;

/// A gap of this many mean gaps has a probability of 0.25 % in a mixed stream: with many classes some gap is always long.
const GAP: u64 = 6;
/// A run of one label that is less probable than this is taken for a block of one class.
const IMPROBABLE: f32 = 0.02;
/// The same for a new class in a mature learner: with a hundred classes two in a row are no block.
const VERY_IMPROBABLE: f32 = 0.001;
const LEAST_CHANCE: f32 = 1e-30;

/// A class with at most this many examples is new: its share of the stream says nothing about how long it may stay away.
const NEW: u32 = 64;
/// A new class is absent after this many examples of others.
const NEW_ABSENT: u32 = 255;

/// Low 24 bits: examples of the class. High 8: examples of others since, in units of 1 up to 128, 8 up to 640, 64 up to 4,672.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count(u32);

const SEEN: u32 = (1 << 24) - 1;
/// Codes of an age from which on 8 and 64 examples count for one.
const STEP_8: u32 = 128;
const STEP_64: u32 = 192;
const OLDEST: u32 = 255;

impl Count {
    fn seen(self) -> u32 {
        self.0 & SEEN
    }

    /// Examples of other classes since the last one.
    fn age(self) -> u32 {
        let code = self.0 >> 24;
        let [first, second] = [code.min(STEP_8), code.clamp(STEP_8, STEP_64)];
        first + 8 * (second - STEP_8) + 64 * (code.max(STEP_64) - STEP_64)
    }

    /// Whether the age has reached its largest value.
    fn is_oldest(self) -> bool {
        self.0 >> 24 == OLDEST
    }

    /// One more example of another class, the `total`th of all.
    fn grow_older(self, total: u32) -> Self {
        let code = self.0 >> 24;
        let every = match code {
            0..STEP_8 => 1,
            STEP_8..STEP_64 => 8,
            _ => 64,
        };
        let step = u32::from(total.is_multiple_of(every));
        Count(self.0 & SEEN | (code + step).min(OLDEST) << 24)
    }
}

crate::persist::blank!([] Count { 0 });

impl Element for Count {}
impl crate::sealed::Sealed for Count {}

impl Persist for Count {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, writer: &mut Writer<'_>) {
        writer.word(self.0);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let word = reader.word()?;
        reader.put(self, Count(word));
        Ok(())
    }
}

impl<const C: usize> Blank for ClassStats<C> {
    const BLANK: Self = {
        assert!(C >= 2 && C <= 256, "between 2 and 256 classes");
        ClassStats {
            counts: [Count(0); C],
            chance: 0.0,
            last: 0,
        }
    };
}

impl<const C: usize> ClassStats<C> {
    /// Examples of a class so far.
    pub fn seen(&self, class: usize) -> u32 {
        self.counts.get(class).map_or(0, |count| count.seen())
    }

    /// Examples of all classes so far.
    pub fn total(&self) -> u32 {
        self.counts
            .iter()
            .map(|count| count.seen())
            .fold(0, u32::saturating_add)
    }

    /// Whether the learner has seen enough that a change of the stream means something.
    pub fn is_mature(&self) -> bool {
        self.total() > MATURE
    }

    /// Classes with an example.
    pub fn present(&self) -> [bool; C] {
        self.counts.map(|count| count.seen() > 0)
    }

    /// Counts an example.
    pub fn observe(&mut self, class: usize) {
        if self.seen(class) == SEEN {
            // Shares stay, and so does what has been seen once.
            self.counts = self
                .counts
                .map(|Count(word)| Count(word & !SEEN | (word & SEEN).div_ceil(2)));
        }
        let (seen, total) = (self.seen(class), self.total());
        if self.chance > 0.0 && usize::from(self.last) == class {
            let share = seen.max(1) as f32 / total.max(1) as f32;
            self.chance = (self.chance * share).max(LEAST_CHANCE);
        } else {
            self.chance = 1.0;
        }
        self.last = class as u8;
        for (index, count) in self.counts.iter_mut().enumerate() {
            if index == class {
                *count = Count(seen + 1);
            } else if count.seen() > 0 {
                *count = count.grow_older(total);
            }
        }
    }

    /// Whether a mature learner is taught a new class: its examples come in a row. A single one may
    /// be a wrong label.
    pub fn is_new_in_a_row(&self) -> bool {
        let new = self.seen(self.last.into()) <= NEW;
        new && self.is_mature() && self.chance < VERY_IMPROBABLE
    }

    /// Classes that are absent since the newest example.
    pub fn absent(&self) -> [bool; C] {
        let total = self.total();
        let last = usize::from(self.last);
        let run = if self.is_mature() {
            self.is_new_in_a_row()
        } else {
            self.chance < IMPROBABLE
        };
        let mut absent = [false; C];
        for (index, (count, absent)) in self.counts.iter().zip(&mut absent).enumerate() {
            let (seen, age) = (count.seen(), count.age());
            if seen > 0 && index != last {
                let gap = age > 2 && u64::from(age) * u64::from(seen) > GAP * u64::from(total);
                let left = seen <= NEW && age >= NEW_ABSENT;
                *absent = run || gap || left || count.is_oldest();
            }
        }
        absent
    }

    /// Forgets a class.
    pub fn forget(&mut self, class: usize) {
        if let Some(count) = self.counts.get_mut(class) {
            *count = Count::BLANK;
        }
    }
}

impl<const C: usize> ClassStats<C> {
    /// Reads the counts of a model of so many classes. What comes beyond `C` must be without an example.
    pub fn convert(&mut self, classes: usize, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        for class in 0..classes {
            let count = Count(reader.word()?);
            match self.counts.get_mut(class) {
                Some(place) => reader.put(place, count),
                None if count.seen() > 0 => return Err(ImageError::TooManyClasses),
                None => {}
            }
        }
        for place in self.counts.iter_mut().skip(classes) {
            reader.put(place, Count::BLANK);
        }
        reader.number(&mut self.chance, 0.0..=1.0)?;
        let last = reader.word()? as usize;
        if last >= classes {
            return Err(ImageError::Malformed);
        }
        if last < C {
            reader.put(&mut self.last, last as u8);
        } else {
            // A run of a class that was forgotten since.
            reader.put(&mut self.last, 0);
            reader.put(&mut self.chance, 1.0);
        }
        Ok(())
    }
}

impl<const C: usize> Persist for ClassStats<C> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.number(C);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        writer.with_slots(|writer| self.counts.save(writer));
        self.chance.save(writer);
        writer.word(self.last.into());
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        reader.with_slots(|reader| self.counts.load(reader))?;
        reader.number(&mut self.chance, 0.0..=1.0)?;
        let last = reader.word()?;
        if last as usize >= C {
            return Err(ImageError::Malformed);
        }
        reader.put(&mut self.last, last as u8);
        Ok(())
    }
}
