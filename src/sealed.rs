//! Closes traits that only parts of this crate implement.

/// Supertrait of the closed traits.
pub trait Sealed {}

/// Parameter of a method that nobody else can write down, for traits with blanket implementations.
#[derive(Clone, Copy, Debug)]
pub struct Token;
