//! The firmware: a learner behind a serial line, on a board with a UART, flash and a clock.
//!
//! `cargo xtask firmware` builds it, `cargo xtask firmware --run` starts it in QEMU.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod firmware;

#[cfg(not(target_os = "none"))]
fn main() {
    println!("This program is for microcontrollers: `cargo xtask firmware` builds it for one.");
}
