//! kw, PAUM and the voted perceptron as the command line runs them, against what others computed, and their parts.

#[path = "../common/mod.rs"]
mod common;

mod alma;
mod bias;
mod class_size;
mod cost;
mod kw;
mod paum;
mod refusals;
mod rows;
mod sparse;
mod traces;
mod voted;
