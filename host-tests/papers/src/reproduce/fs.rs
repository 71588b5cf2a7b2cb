//! Freund and Schapire: the voted perceptron on MNIST.

mod curves;
mod runs;
mod tables;

pub use curves::Curves;
pub use tables::{AllDigits, EachDigit, Nine};
