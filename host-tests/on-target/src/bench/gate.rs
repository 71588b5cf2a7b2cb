//! The counts that `cargo xtask test` watches: few enough to build and run in seconds.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
#[macro_use]
mod counting;
#[cfg(target_os = "none")]
mod grid;
#[cfg(target_os = "none")]
mod headlines;

#[cfg(not(target_os = "none"))]
fn main() {
    println!("counts instructions on an emulated board: `cargo xtask bench device`");
}
