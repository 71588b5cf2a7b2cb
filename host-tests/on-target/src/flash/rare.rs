//! The default learner for a rare class.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[macro_use]
#[path = "mod.rs"]
mod flash;

use core::hint::black_box;

use pocketron::prelude::*;

type Model = PocketronRare<3, 40>;

fn step(model: &mut Model) {
    let _ = black_box(model.learn(&flash::sample(), black_box(Sign::Pos)));
    let _ = black_box(model.predict(&flash::sample()));
}

bare!(Model, Model::new(), step);
