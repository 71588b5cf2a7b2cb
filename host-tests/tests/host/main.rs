//! What the host has around the learners: data, the `pocketron` command, the line to a device.

#[path = "../common/mod.rs"]
mod common;

mod commands;
mod data_finder;
mod data_reader;
mod data_sets;
mod device_commands;
mod link;
