//! Instructions of every learner, kernel and size: `cargo xtask bench device`.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
#[macro_use]
mod counting;
#[cfg(target_os = "none")]
mod everything;
#[cfg(target_os = "none")]
mod grid;

#[cfg(not(target_os = "none"))]
fn main() {
    println!("counts instructions on an emulated board: `cargo xtask bench device`");
}
