//! Two default learners of several classes, of different sizes.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[macro_use]
#[path = "mod.rs"]
mod flash;

use core::hint::black_box;

use pocketron::prelude::*;

type Model = (PocketronMulti<3, 40, 4>, PocketronMulti<5, 60, 6>);

fn step((one, other): &mut Model) {
    let _ = black_box(one.learn(&flash::sample(), black_box(Class(1))));
    let _ = black_box(one.predict(&flash::sample()));
    let _ = black_box(other.learn(&flash::sample(), black_box(Class(1))));
    let _ = black_box(other.predict(&flash::sample()));
}

bare!(Model, (PocketronMulti::new(), PocketronMulti::new()), step);
