//! Examples in 16 bits a feature.

use crate::{
    num::rng::XorShift32,
    persist::{Blank, ImageError, Persist, Reader, Shape, Writer, packed},
};

/// Bits of a stored number behind the first.
const DIGITS: u8 = 14;

/// How large the features are: the largest exponent of each so far, as an `f32` has it; zero before the first number.
///
/// A stored number is an `i16` times a power of two that all examples share (block floating point): it resolves 1/32768 of the
/// largest number of that feature, however far from zero the feature is.
#[derive(Clone, Debug)]
pub(super) struct Exponents<const D: usize>([u8; D]);

impl<const D: usize> Blank for Exponents<D> {
    const BLANK: Self = Exponents([0; D]);
}

impl<const D: usize> Exponents<D> {
    /// Makes room for an example; by how many bits the stored numbers of each feature move.
    pub fn include(&mut self, x: &[f32; D]) -> [u8; D] {
        let mut shifts = [0; D];
        for ((exponent, x), shift) in self.0.iter_mut().zip(x).zip(&mut shifts) {
            let found = (x.to_bits() >> 23) as u8;
            // Zeros do not move.
            if *exponent > 0 {
                *shift = found.saturating_sub((*exponent).max(DIGITS + 1));
            }
            *exponent = found.max(*exponent);
        }
        shifts
    }

    /// Whether a feature has that many bits fewer than the largest so far, or more; zeros do not count.
    pub fn are_above(&self, x: &[f32; D], digits: u8) -> bool {
        let mut features = self.0.iter().zip(x);
        features.any(|(exponent, x)| {
            let found = (x.to_bits() >> 23) as u8;
            found > 0 && exponent.saturating_sub(found) > digits
        })
    }

    /// Makes the stored numbers as large as they can be: the largest may have been forgotten. Their values stay.
    pub fn shrink<const C: usize, const K: usize, const H: usize>(
        &mut self,
        kept: &mut Exemplars<D, C, K>,
        held_out: &mut Exemplars<D, C, H>,
    ) {
        let mut largest = [0_u16; D];
        kept.include_sizes(&mut largest);
        held_out.include_sizes(&mut largest);
        let mut digits = [0; D];
        for ((exponent, largest), digits) in self.0.iter_mut().zip(largest).zip(&mut digits) {
            match largest.checked_ilog2() {
                Some(first) => {
                    let room = exponent.saturating_sub(DIGITS + 1);
                    *digits = DIGITS.saturating_sub(first as u8).min(room);
                    *exponent -= *digits;
                }
                None => *exponent = 0,
            }
        }
        kept.grow(&digits);
        held_out.grow(&digits);
    }

    /// The power of two that stands behind the numbers of each feature.
    fn steps(&self) -> [f32; D] {
        let exponents = self.0.map(|exponent| exponent.max(DIGITS + 1) - DIGITS);
        exponents.map(|exponent| f32::from_bits(u32::from(exponent) << 23))
    }

    /// `x` in the units of the stored numbers. It may lie beyond the largest of those.
    pub fn query(&self, x: &[f32; D]) -> Query<D> {
        let mut query = [0; D];
        for ((steps, x), step) in query.iter_mut().zip(x).zip(self.steps()) {
            let number = x / step;
            *steps = (number + 0.5_f32.copysign(number)) as i32;
        }
        query
    }

    /// The numbers to be stored of an example that is [included](Self::include).
    pub fn quantise(&self, x: &[f32; D]) -> Exemplar<D> {
        let in_range = |steps: i32| steps.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        Exemplar(self.query(x).map(in_range))
    }

    /// The features of an example.
    pub fn features(&self, exemplar: &Exemplar<D>) -> [f32; D] {
        let mut features = self.steps();
        for (feature, stored) in features.iter_mut().zip(exemplar.0) {
            *feature *= f32::from(stored);
        }
        features
    }

    /// Factors to compare stored numbers with, from those of the features.
    pub fn scaled(&self, factors: &[f32; D]) -> [f32; D] {
        let mut scaled = self.steps();
        for (scaled, factor) in scaled.iter_mut().zip(factors) {
            *scaled *= factor;
        }
        scaled
    }
}

impl<const D: usize> Persist for Exponents<D> {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, writer: &mut Writer<'_>) {
        packed::save(&self.0.map(|exponent| exponent as i8), writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let mut found = [0_i8; D];
        packed::load(&mut found, reader, |_, exponent, found| *exponent = found)?;
        let found = found.map(|exponent| exponent as u8);
        // That of an infinity.
        if found.contains(&u8::MAX) {
            return Err(ImageError::Malformed);
        }
        reader.put(&mut self.0, found);
        Ok(())
    }
}

/// An input to be compared with [`Exemplar`]s.
pub(super) type Query<const D: usize> = [i32; D];

/// The features of an example, as numbers behind which the powers of two of [`Exponents`] stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Exemplar<const D: usize>([i16; D]);

impl<const D: usize> Exemplar<D> {
    /// Sum of the differences from an input, each times the [scaled](Exponents::scaled) factor of the feature.
    pub fn distance(&self, query: &Query<D>, factors: &[f32; D]) -> f32 {
        let mut sum = 0.0;
        for ((stored, steps), factor) in self.0.iter().zip(query).zip(factors) {
            sum += i32::from(*stored).abs_diff(*steps) as f32 * factor;
        }
        sum
    }

    /// The exemplar itself, to be compared with others.
    pub fn query(&self) -> Query<D> {
        self.0.map(i32::from)
    }

    /// Divides by powers of two, to the nearest.
    fn shift(&mut self, digits: &[u8; D]) {
        for (stored, digits) in self.0.iter_mut().zip(digits) {
            *stored = match digits {
                0 => *stored,
                1..16 => ((i32::from(*stored) + (1 << (digits - 1))) >> digits) as i16,
                _ => 0,
            };
        }
    }
}

/// Up to `N` examples of each of `C` classes.
#[derive(Clone, Debug)]
pub(super) struct Exemplars<const D: usize, const C: usize, const N: usize> {
    examples: [[Exemplar<D>; N]; C],
    len: [u8; C],
}

impl<const D: usize, const C: usize, const N: usize> Blank for Exemplars<D, C, N> {
    const BLANK: Self = Exemplars {
        examples: [[Exemplar([0; D]); N]; C],
        len: [0; C],
    };
}

impl<const D: usize, const C: usize, const N: usize> Exemplars<D, C, N> {
    /// Examples of a class.
    pub fn of(&self, class: usize) -> &[Exemplar<D>] {
        let len = self.len.get(class).copied().unwrap_or(0);
        let examples = self.examples.get(class);
        examples
            .and_then(|examples| examples.get(..len.into()))
            .unwrap_or_default()
    }

    /// Examples of all classes.
    pub fn total(&self) -> usize {
        (0..C).map(|class| self.of(class).len()).sum()
    }

    /// Takes the `n`th example of a class as long as there is room; then with a probability of `N / n`, in place of a random one.
    pub fn draw(&mut self, class: usize, x: Exemplar<D>, n: u16, rng: &mut XorShift32) {
        let slot = match self.of(class).len() {
            len if len < N => len,
            _ => rng.below(n.into()) as usize,
        };
        let place = self.examples.get_mut(class);
        if let (Some(place), Some(len)) = (
            place.and_then(|examples| examples.get_mut(slot)),
            self.len.get_mut(class),
        ) {
            *place = x;
            *len = (slot + 1).max(usize::from(*len)) as u8;
        }
    }

    /// Divides all by powers of two, since a larger number has come.
    pub fn shift(&mut self, digits: &[u8; D]) {
        let examples = self.examples.as_flattened_mut();
        examples
            .iter_mut()
            .for_each(|example| example.shift(digits));
    }

    /// The largest size of each feature, with those found before.
    fn include_sizes(&self, largest: &mut [u16; D]) {
        for exemplar in (0..C).flat_map(|class| self.of(class)) {
            for (largest, stored) in largest.iter_mut().zip(exemplar.0) {
                *largest = stored.unsigned_abs().max(*largest);
            }
        }
    }

    /// Multiplies all by powers of two, for which there is room.
    fn grow(&mut self, digits: &[u8; D]) {
        for exemplar in self.examples.as_flattened_mut() {
            for (stored, digits) in exemplar.0.iter_mut().zip(digits) {
                *stored = stored.wrapping_shl((*digits).into());
            }
        }
    }

    /// Forgets a class.
    pub fn forget(&mut self, class: usize) {
        if let Some(len) = self.len.get_mut(class) {
            *len = 0;
        }
    }
}

/// As many of each class as there are.
impl<const D: usize, const C: usize, const N: usize> Persist for Exemplars<D, C, N> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.number(N);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        for class in 0..C {
            let examples = self.of(class);
            writer.word(examples.len() as u32);
            for Exemplar(features) in examples {
                packed::save(features, writer);
            }
        }
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        for (examples, len) in self.examples.iter_mut().zip(&mut self.len) {
            let found = reader.word()?;
            if found as usize > N {
                return Err(ImageError::Malformed);
            }
            reader.put(len, found as u8);
            for Exemplar(features) in examples.iter_mut().take(found as usize) {
                packed::load(features, reader, |reader, feature, found| {
                    reader.put(feature, found);
                })?;
            }
        }
        Ok(())
    }
}

impl<const D: usize, const C: usize, const N: usize> Exemplars<D, C, N> {
    /// Reads the examples of so many classes, each with at most so many. What there is no room for is dropped.
    pub fn convert(
        &mut self,
        classes: usize,
        most: usize,
        reader: &mut Reader<'_>,
    ) -> Result<(), ImageError> {
        for class in 0..classes.max(C) {
            let found = if class < classes { reader.word()? } else { 0 };
            if found as usize > most {
                return Err(ImageError::Malformed);
            }
            if let Some(len) = self.len.get_mut(class) {
                reader.put(len, (found as usize).min(N) as u8);
            }
            for example in 0..found as usize {
                let mut other = Exemplar([0; D]);
                let examples = self.examples.get_mut(class);
                let place = examples.and_then(|examples| examples.get_mut(example));
                let Exemplar(features) = place.unwrap_or(&mut other);
                packed::load(features, reader, |reader, feature, found| {
                    reader.put(feature, found);
                })?;
            }
        }
        Ok(())
    }
}
