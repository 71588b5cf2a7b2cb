//! Saving and loading the parts of a model.

use super::{ImageError, Reader, Shape, Writer};
use crate::persist::Blank;

/// A part of a model that can be written as words and read back.
///
/// `save` and `load` go through the same words in the same order. All that is
/// written is 32 bits wide, or comes in fours: an image consists of words.
pub trait Persist {
    /// Says what the words mean. Numbers that live at run time are not part of it.
    fn shape(&self, shape: &mut Shape<'_>);

    /// Writes all that the part must not forget.
    fn save(&self, writer: &mut Writer<'_>);

    /// Reads it back; fails on words that no part would have written. In a
    /// [dry run](Reader::is_dry_run) nothing may change.
    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError>;
}

impl Reader<'_> {
    /// Reads a small part into its place if it is valid: what a constructor checks, loading checks too.
    pub fn checked<T: Blank + Persist + Copy>(
        &mut self,
        place: &mut T,
        is_valid: fn(T) -> bool,
    ) -> Result<(), ImageError> {
        let found = self.elsewhere(|reader| {
            let mut found = T::BLANK;
            found.load(reader).map(|()| found)
        })?;
        if !is_valid(found) {
            return Err(ImageError::Malformed);
        }
        self.put(place, found);
        Ok(())
    }
}

/// A model whose longest image is known at compile time.
pub trait BoundedImage: Persist {
    /// No image is longer.
    const MAX_BYTES: usize;

    /// Only learners of this crate and wrappers around them know their longest image.
    #[doc(hidden)]
    fn sealed(&self, _: crate::sealed::Token);
}

/// Implements [`Persist`] and [`Blank`] for a struct: its name in an image, and its fields in order, all of them.
///
/// A number can have a range, outside of which it is refused, and any field that is `Copy` a check: `samples if is_even`
/// with a function that takes its value. Infinities and NaN are always refused. The brackets have type parameters that are parts
/// themselves, then, behind a semicolon, other generics with their bounds. With `only` in front, `Blank` is left
/// out, and generics are written as they are. Old images stay readable: a part whose fields change needs
/// another name.
///
/// ```
/// use pocketron::{persist::{self, persist}, prelude::*};
///
/// /// How warm it was when the model was taught.
/// #[derive(Debug, PartialEq)]
/// struct Conditions {
///     celsius: f32,
///     samples: u32,
/// }
/// persist!([] Conditions as "conditions" { celsius in -40.0..=85.0, samples if |samples| samples > 0 });
///
/// /// A model with its conditions.
/// struct Documented<L, const YEAR: u32> {
///     learner: L,
///     conditions: Conditions,
/// }
/// persist!([L; const YEAR: u32] Documented<L, YEAR> as "documented" { learner, conditions });
///
/// let mut model = Documented::<Pocketron<2, 10>, 2026>::BLANK;
/// model.learner.learn(&[1.0, 0.0], Sign::Pos)?;
/// model.conditions = Conditions { celsius: 21.5, samples: 1 };
///
/// let mut buffer = [0; 512];
/// let image = persist::to_bytes(&model, &mut buffer)?;
/// let mut other = Documented::<Pocketron<2, 10>, 2026>::BLANK;
/// persist::restore(&mut other, &mut &*image)?;
/// assert_eq!(other.conditions, model.conditions);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[macro_export]
#[doc(hidden)]
macro_rules! __persist {
    (@load $reader:ident $place:expr) => {
        $crate::persist::Persist::load(&mut $place, $reader)?
    };
    (@load $reader:ident $place:expr, in $range:expr) => {
        $reader.number(&mut $place, $range)?
    };
    (@load $reader:ident $place:expr, if $is_valid:expr) => {
        $reader.checked(&mut $place, $is_valid)?
    };
    (only [$($generics:tt)*] $part:ty as $name:literal { $($field:tt $($judge:ident $by:expr)?),* $(,)? }) => {
        impl<$($generics)*> $crate::persist::Persist for $part {
            fn shape(&self, shape: &mut $crate::persist::Shape<'_>) {
                shape.part($name, |_inside| {
                    $( $crate::persist::Persist::shape(&self.$field, _inside); )*
                });
            }

            fn save(&self, _writer: &mut $crate::persist::Writer<'_>) {
                $( $crate::persist::Persist::save(&self.$field, _writer); )*
            }

            fn load(
                &mut self,
                _reader: &mut $crate::persist::Reader<'_>,
            ) -> Result<(), $crate::persist::ImageError> {
                $( $crate::persist::persist!(@load _reader self.$field $(, $judge $by)?); )*
                Ok(())
            }
        }
    };
    (
        [$($inner:ident),* $(; $($generics:tt)*)?]
        $part:ty as $name:literal { $($field:tt $($judge:ident $by:expr)?),* $(,)? }
    ) => {
        impl<$($inner: $crate::persist::Blank,)* $($($generics)*)?> $crate::persist::Blank for $part {
            const BLANK: Self = Self { $( $field: $crate::persist::Blank::BLANK ),* };
        }
        $crate::persist::persist!(
            only [$($inner: $crate::persist::Persist,)* $($($generics)*)?]
            $part as $name { $($field $($judge $by)?),* }
        );
    };
    ([$($generics:tt)*] $part:ty as $name:literal) => {
        $crate::persist::persist!([$($generics)*] $part as $name {});
    };
}
#[doc(inline)]
pub use __persist as persist;

/// Implements [`Persist`] for an enum without fields: one word. A choice is made at
/// run time, so it is no part of the shape.
///
/// ```text
/// persist_choice!(Seeding { Zero = 0, Fisher = 1 });
/// ```
macro_rules! persist_choice {
    ($choice:ident { $($variant:ident = $word:literal),* }) => {
        impl $crate::persist::Persist for $choice {
            fn shape(&self, _: &mut $crate::persist::Shape<'_>) {}

            fn save(&self, writer: &mut $crate::persist::Writer<'_>) {
                writer.word(match self { $( $choice::$variant => $word, )* });
            }

            fn load(
                &mut self,
                reader: &mut $crate::persist::Reader<'_>,
            ) -> Result<(), $crate::persist::ImageError> {
                let found = match reader.word()? {
                    $( $word => $choice::$variant, )*
                    _ => return Err($crate::persist::ImageError::Malformed),
                };
                reader.put(self, found);
                Ok(())
            }
        }
    };
}
pub(crate) use persist_choice;

impl Persist for u32 {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, writer: &mut Writer<'_>) {
        writer.word(*self);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let word = reader.word()?;
        reader.put(self, word);
        Ok(())
    }
}

impl Persist for f32 {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, writer: &mut Writer<'_>) {
        writer.word(self.to_bits());
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let number = reader.finite()?;
        reader.put(self, number);
        Ok(())
    }
}

/// Nothing.
impl Persist for () {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, _: &mut Writer<'_>) {}

    fn load(&mut self, _: &mut Reader<'_>) -> Result<(), ImageError> {
        Ok(())
    }
}

/// As what is borrowed: fields of a struct can be saved as a pair.
impl<T: Persist + ?Sized> Persist for &mut T {
    fn shape(&self, shape: &mut Shape<'_>) {
        (**self).shape(shape);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        (**self).save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        (**self).load(reader)
    }
}

/// Both parts, one after the other.
impl<A: Persist, B: Persist> Persist for (A, B) {
    fn shape(&self, shape: &mut Shape<'_>) {
        self.0.shape(shape);
        self.1.shape(shape);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.0.save(writer);
        self.1.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.0.load(reader)?;
        self.1.load(reader)
    }
}

/// One word says whether the part follows.
impl<T: Persist + Blank> Persist for Option<T> {
    fn shape(&self, shape: &mut Shape<'_>) {
        T::BLANK.shape(shape);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        writer.word(self.is_some().into());
        if let Some(part) = self {
            part.save(writer);
        }
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let found = match reader.word()? {
            0 => None,
            1 => {
                let mut part = T::BLANK;
                part.load(reader)?;
                Some(part)
            }
            _ => return Err(ImageError::Malformed),
        };
        reader.put(self, found);
        Ok(())
    }
}
