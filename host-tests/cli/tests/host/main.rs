//! The `pocketron` command and the line to a device.

#[path = "../../../tests/common/mod.rs"]
mod common;

mod command;
mod data_files;
mod device_commands;
mod device_security;
mod evaluations;
mod exports;
#[cfg(target_os = "linux")]
mod hostile_files;
mod link;
mod live;
mod models;
mod refusals;
mod traces;
mod training;
