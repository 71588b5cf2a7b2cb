//! The commands of this package as a user meets them.

#[path = "../../../tests/common/files.rs"]
#[allow(dead_code)]
mod files;
#[path = "../../../tests/common/program.rs"]
#[allow(dead_code)]
mod program;

mod rcd;
mod reproduce;
