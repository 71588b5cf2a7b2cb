//! Perceptrons that learn on the microcontroller, in memory fixed at compile time.
//!
//! Declare a model whose type says its size, feed it labelled samples one at a
//! time, predict. It needs no heap, does not panic, and gives on the device the
//! very bits that it gives on a PC.
//!
//! ```
//! use pocketron::prelude::*;
//!
//! // 2 features in any unit, at most 20 support vectors, nothing to tune: 180 bytes.
//! let mut model = Pocketron::<2, 20>::new();
//! assert_eq!(size_of_val(&model), 180);
//!
//! let mut mistakes = 0;
//! for n in 0..200 {
//!     let noise = (n * 37 % 100) as f32 / 100.0;
//!     let label = if n % 2 == 0 { Sign::Pos } else { Sign::Neg };
//!     let x = [21.0 + 3.0 * label.value() + noise, 1000.0 + 30.0 * noise]; // degrees, hectopascals
//!     let outcome = model.learn(&x, label)?; // predicts, then learns
//!     mistakes += u32::from(outcome.mistake);
//! }
//! assert_eq!(mistakes, 3); // it learns from the first example on
//! assert_eq!(model.predict(&[24.2, 1010.0])?, Sign::Pos);
//! assert!(model.learn(&[f32::NAN, 0.0], Sign::Pos).is_err()); // refused, nothing changed
//! # Ok::<(), pocketron::error::InputError>(())
//! ```
//!
//! [`learners`] lists the others, among them those of the papers.
//!
//! # Four questions
//!
//! A learner is assembled from independent parts, and each published algorithm
//! is a combination of them, not another loop:
//!
//! | part | question | module |
//! |---|---|---|
//! | rule | *when* do we move, and how far? | [`rule`] |
//! | hypothesis | *where* do the weights live, primal or dual? | [`hypothesis`] |
//! | budget | *which* vector is evicted when memory is full? | [`budget`] |
//! | history | *which* past hypotheses get a say? | [`history`] |
//!
//! In the dual a [`kernel`] says what is similar. Famous combinations have their papers' names in
//! [`learners`], with their sizes and costs.
//!
//! *Values live at run time, shapes live in types, composition is by wrapping.*
//!
//! # Layers
//!
//! Modules depend only on lower layers; a test checks the imports.
//!
//! ```text
//! main.rs, firmware      UART, flash and clock of the emulated boards
//! device                 frames, messages, request handler, remote model     (feature `device`)
//! signal                 windows and features of raw samples, buttons
//! wrap                   standardisation, confidence, novelty, concept drift, undo
//! learners               perceptron, continual, normal, multiclass, batch; the papers' names
//! stream                 the one loop, and the observers that count
//! history  rule          which hypotheses vote; when to move, how far
//! hypothesis             primal weights or kernel expansion
//! classifier             the interface of every learner
//! budget                 what happens when memory is full
//! kernel                 similarities, rows over a support set
//! storage                columns, points, support set, running scale
//! num                    floating and fixed point, sums, exponential, random numbers
//! persist                blank state, restart, model images, flash store
//! label  error           classes; refused inputs and parameters
//! ```
//!
//! # Same bits everywhere
//!
//! The same input gives the same bits on x86-64, on every Cortex-M, on RISC-V and
//! in WebAssembly: no fused multiply-add, no `std` mathematics, one order of
//! summation. It relies on the core's default rounding, with flush-to-zero off, as
//! every runtime sets it up.
//!
//! # A model in a `static`
//!
//! A new model is all zeros, which a linker puts into `.bss`. Learners with a kernel to choose are
//! [`BLANK`](persist::Blank) there, and want to be configured first:
//!
//! ```
//! use std::sync::Mutex; // on a device: critical_section::Mutex<RefCell<_>>
//! use pocketron::prelude::*;
//!
//! static MODEL: Mutex<Pocketron<3, 32>> = Mutex::new(Pocketron::new());
//! assert!(MODEL.lock().unwrap().learn(&[0.0; 3], Sign::Pos).is_ok());
//!
//! static FORGETRON: Mutex<Forgetron<3, 32>> = Mutex::new(Forgetron::BLANK);
//! let mut model = FORGETRON.lock().unwrap();
//! assert!(model.learn(&[0.0; 3], Sign::Pos).is_err()); // no kernel yet
//! model.configure(Gaussian::new(2.0)?, UnitSteps)?;
//! assert!(model.learn(&[0.0; 3], Sign::Pos).is_ok());
//! # Ok::<(), pocketron::error::ConfigError>(())
//! ```
//!
//! # Features
//!
//! - `device`: adds the module of that name, the protocol and its handler.
//! - `auth`: adds signed images to the device.
//! - `spectrum`: adds features by Fourier transform to [`signal`].
//! - `hal`: adds buttons and LEDs by `embedded-hal`, and a recorded sensor, to [`signal`].
//! - `hal-async`: makes the recorded sensor a bus of `embedded-hal-async`, too.
//! - `micromath`: adds `Micro` to [`num::math`]; changes nothing until a type names it.
//! - `defmt`: `defmt::Format` for errors, labels, outcomes and counters.
#![no_std]
#![deny(unsafe_code)]

pub mod budget;
pub mod classifier;
#[cfg(feature = "device")]
pub mod device;
pub mod error;
pub mod history;
pub mod hypothesis;
pub mod kernel;
pub mod label;
pub mod learners;
pub mod num;
pub mod persist;
pub mod rule;
mod sealed;
pub mod signal;
pub mod storage;
pub mod stream;
pub mod wrap;

/// The names that almost every user needs.
pub mod prelude {
    pub use crate::classifier::{OnlineClassifier, Outcome, Scorer};
    pub use crate::kernel::{Gaussian, Polynomial};
    pub use crate::label::{Class, Sign};
    pub use crate::learners::perceptron::{KernelPerceptron, Perceptron};
    pub use crate::learners::{Normal, Pocketron, PocketronMulti, PocketronRare, named::*};
    pub use crate::persist::Blank;
    pub use crate::rule::{MarginRule, PassiveAggressive, Shrinking, UnitSteps};
    pub use crate::wrap::{Undo, confidence::Confident};
}

/// The README's example, which runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
