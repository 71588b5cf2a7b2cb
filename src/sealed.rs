//! Closes traits that only parts of this crate implement.

/// Supertrait of the closed traits.
pub trait Sealed {}

/// Parameter of a method that no other crate can name, for traits with blanket implementations.
#[derive(Clone, Copy, Debug)]
pub struct Token;
