//! From samples to features, and what stands around: buttons, LEDs, recordings.

mod board_program;
mod buttons;
mod front_ends;
mod laws;
mod recorded;
mod recordings;
mod reference;
#[path = "../../on-target/src/signals/mod.rs"]
mod signals;
