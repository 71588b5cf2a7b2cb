//! The `pocketron` command.
fn main() {}
