//! The runtime alone: what every program has.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[macro_use]
#[path = "mod.rs"]
mod flash;

fn step(count: &mut u32) {
    core::hint::black_box(count);
}

bare!(u32, 0, step);
