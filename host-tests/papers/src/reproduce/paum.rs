//! Li, Zaragoza, Herbrich, Shawe-Taylor and Kandola: the perceptron with uneven margins.
//!
//! Their Table 3 is not here: the weeks of Reuters Corpus Volume 1 that it needs are not to be had freely.

mod corpus;
mod digits;
mod drawn;
mod margins;
mod ranking;
mod separable;
mod slice;
mod topic;

pub use digits::Digits;
pub use ranking::Ranking;
pub use separable::Separable;
pub use slice::Slice;
