//! Devices that a person teaches: exemplars that are replayed and held out, and the loop around them.

#[path = "../common/kept.rs"]
mod kept;

mod exemplars;
mod factory;
mod images;
mod streams;
mod teacher;
mod unknown;
