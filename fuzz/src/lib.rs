//! What must hold whatever the bytes are.
//!
//! A target takes bytes, makes something of them (examples, images, flash, frames, files), lets the code under test have
//! it, and checks more than that nothing panics. `cargo xtask fuzz` runs the targets under libFuzzer; with overflow checks
//! and debug assertions.
//!
//! | target | bytes are | must hold |
//! |---|---|---|
//! | [`learners`] | examples with arbitrary bits, for every learner | results are finite; an error leaves the image as it was |
//! | [`parameters`] | parameters and examples with arbitrary bits, for every algorithm and format | refused at the door, or usable |
//! | [`images`] | images, mutated or made up, with a right checksum | what loads saves to the same bytes and learns on; what does not changes nothing |
//! | [`store`] | flash contents, saves, cuts, tears | what was acknowledged is there; any flash can be used |
//! | [`device`] | commands, frames, noise, faults of the flash | an answer or a resynchronisation; a refusal changes nothing |
//! | [`files`] | data files and recordings | an error, or rows that survive writing and reading |
//! | [`models`] | shapes and words of an image | an error, or a model that saves to the same bytes |
//! | [`signal`] | samples with arbitrary bits | finite features; after a restart, those of a front end from an image, bit for bit |

pub mod device;
pub mod files;
pub mod images;
mod input;
pub mod learners;
pub mod models;
pub mod parameters;
pub mod signal;
pub mod store;
mod visit;

use input::Input;

// The learners that all boards are compared by, and the stream that they expect beside them.
#[path = "../../host-tests/on-target/src/all_learners/mod.rs"]
mod all_learners;
#[path = "../../examples/sensor/mod.rs"]
mod sensor;
