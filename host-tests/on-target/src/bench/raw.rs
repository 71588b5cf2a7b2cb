//! Instructions of learners of fixed-point features with the scale that quantises raw ones.
//!
//! A program of its own: beside the same learner without a scale the two would share code that is inlined in either, and a
//! firmware has one of them.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
#[macro_use]
mod counting;
#[cfg(target_os = "none")]
mod raw_features;

#[cfg(not(target_os = "none"))]
fn main() {
    println!("counts instructions on an emulated board: `cargo xtask bench device`");
}
