//! Links with the script of cortex-m-rt or riscv-rt. The memory map comes from the build script of the library.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Set by `cargo xtask panic-free` to prove that the check can fail.
    println!("cargo:rustc-check-cfg=cfg(must_not_link)");
    let architecture = env::var("CARGO_CFG_TARGET_ARCH").expect("cargo sets it");
    if architecture == "wasm32" {
        println!("cargo:rustc-link-arg-bins=--export=run");
    } else if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("none") {
        if architecture == "riscv32" {
            // Unlike that of cortex-m-rt, the script of riscv-rt does not read it by itself.
            println!("cargo:rustc-link-arg-bins=-Tmemory.x");
        }
        println!("cargo:rustc-link-arg-bins=-Tlink.x");
        // No page alignment, which would waste flash.
        println!("cargo:rustc-link-arg-bins=--nmagic");
    }
}
