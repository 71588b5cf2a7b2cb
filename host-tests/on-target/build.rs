//! Links with the script of cortex-m-rt. The memory map comes from the build script of the library.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Set by `cargo xtask panic-free` to prove that the check can fail.
    println!("cargo:rustc-check-cfg=cfg(must_not_link)");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("none") {
        println!("cargo:rustc-link-arg-bins=-Tlink.x");
        // No page alignment, which would waste flash.
        println!("cargo:rustc-link-arg-bins=--nmagic");
    }
}
