//! The `pocketron` command and the line to a device.

#[path = "../../../tests/common/mod.rs"]
mod common;

mod commands;
mod device_commands;
mod link;
