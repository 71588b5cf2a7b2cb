//! Initial states and restarts of parts.

/// A state whose bytes are all zero, so that a `static` of it lies in `.bss`.
pub trait Blank {
    /// The all-zero state.
    const BLANK: Self;
}

/// Guarantee: the blank state works as it is, there is no parameter to set.
pub trait Ready: Blank {}

/// Implements [`Blank`] for plain values.
macro_rules! zero {
    ($($value:ty = $zero:expr),*) => { $(
        impl Blank for $value {
            const BLANK: Self = $zero;
        }
    )* };
}
zero!(
    () = (),
    bool = false,
    u8 = 0,
    u32 = 0,
    i32 = 0,
    u64 = 0,
    i64 = 0,
    f32 = 0.0
);

/// Implements [`Blank`] for a struct: all its fields are blank. [`persist!`](super::persist) does so by itself.
macro_rules! blank {
    ([$($inner:ident),* $(; $($generics:tt)*)?] $part:ty { $($field:tt),* }) => {
        impl<$($inner: $crate::persist::Blank,)* $($($generics)*)?> $crate::persist::Blank for $part {
            const BLANK: Self = Self { $( $field: $crate::persist::Blank::BLANK ),* };
        }
    };
}
pub(crate) use blank;

impl<T> Blank for Option<T> {
    const BLANK: Self = None;
}

/// Implements [`Blank`] for tuples: all entries are blank.
macro_rules! tuples {
    ($(($($entry:ident),*))*) => { $(
        impl<$($entry: Blank),*> Blank for ($($entry,)*) {
            const BLANK: Self = ($($entry::BLANK,)*);
        }
    )* };
}
tuples!((A)(A, B)(A, B, C)(A, B, C, D)(A, B, C, D, E)(
    A, B, C, D, E, F
)(A, B, C, D, E, F, G)(A, B, C, D, E, F, G, H));

impl<T: Blank, const B: usize> Blank for [T; B] {
    const BLANK: Self = [T::BLANK; B];
}

/// A learner, or a part of one, that can forget what it learned.
///
/// Parameters stay, and so does what a kernel has learned about the weights of its features.
pub trait Restart {
    /// Forgets.
    fn restart(&mut self);
}

/// Implements [`Restart`] for parts without parameters: blank again.
macro_rules! restart_blank {
    ($([$($generics:tt)*] $part:ty;)*) => { $(
        impl<$($generics)*> $crate::persist::Restart for $part {
            fn restart(&mut self) {
                *self = <Self as $crate::persist::Blank>::BLANK;
            }
        }
    )* };
}
pub(crate) use restart_blank;

impl<A: Restart, B: Restart> Restart for (A, B) {
    fn restart(&mut self) {
        self.0.restart();
        self.1.restart();
    }
}

/// Weights.
impl<const D: usize> Restart for [f32; D] {
    fn restart(&mut self) {
        *self = Self::BLANK;
    }
}
