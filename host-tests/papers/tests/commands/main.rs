//! The commands of this package as a user meets them.

#[path = "../../../tests/common/files.rs"]
#[allow(dead_code)]
mod files;

mod rcd;
mod reproduce;
