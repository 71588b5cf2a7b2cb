//! Puts the memory map of the chosen board where the linker finds it.
//!
//! The map arrives as `board.x`, not as `memory.x`: an application that depends
//! on this crate inherits the search path, and its own `memory.x` must win.

use std::{env, fs, path::PathBuf};

fn main() {
    println!("cargo:rerun-if-env-changed=POCKETRON_BOARD");
    println!("cargo:rerun-if-changed=boards");
    // Set by `cargo xtask panic-free` to prove that the check can fail.
    println!("cargo:rustc-check-cfg=cfg(must_not_link)");
    let default_board = match env::var("TARGET").as_deref() {
        Ok("thumbv6m-none-eabi") => "microbit",
        Ok("thumbv7m-none-eabi") => "mps2-an385",
        Ok("thumbv7em-none-eabihf") => "mps2-an386",
        Ok("thumbv8m.main-none-eabihf") => "mps2-an505",
        _ => return, // not one of our boards: the application brings its own memory.x
    };
    let board = env::var("POCKETRON_BOARD").unwrap_or_else(|_| default_board.into());
    let map = format!("boards/{board}.x");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::copy(&map, out.join("board.x"))
        .unwrap_or_else(|error| panic!("no memory map {map} for POCKETRON_BOARD={board}: {error}"));
    println!("cargo:rustc-link-search={}", out.display());
}
