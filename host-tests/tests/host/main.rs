//! Data: files, where they are found, sets.

#[path = "../common/mod.rs"]
mod common;

mod data_finder;
mod data_reader;
mod data_sets;
