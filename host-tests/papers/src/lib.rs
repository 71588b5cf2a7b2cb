//! The papers' tables and figures, computed with the device's learners, and what it takes to compare with them.
//!
//! | module | holds |
//! |---|---|
//! | [`reproduce`] | the papers' tables and figures next to ours |
//! | [`batch`], [`rcd`] | batch learners on many splits of a set |
//! | [`voted`] | the voted perceptron on MNIST, fast |
//! | [`svm`], [`forest`] | support vector machines and random forests of libraries, to compare with |
//! | [`speed`] | kernel evaluations per second, beside others |
//! | [`plot`] | pictures as SVG |
//! | [`demo`] | the firmware learning in QEMU, with pictures |

pub mod batch;
pub mod demo;
pub mod forest;
pub mod plot;
pub mod rcd;
pub mod reproduce;
pub mod speed;
pub mod svm;
pub mod voted;

// What the modules above use of the other packages, under its usual name.
use pocketron_cli::{classes, device, evaluate, examples, family, learner, options, spread, trace};
#[cfg(test)]
use pocketron_testkit::all_voters;
use pocketron_testkit::{data, heap, kernel, sparse, table};
