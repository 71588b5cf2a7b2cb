//! The learner that needs no labels.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[macro_use]
#[path = "mod.rs"]
mod flash;

use core::hint::black_box;

use pocketron::prelude::*;

type Model = Normal<3, 40>;

fn step(model: &mut Model) {
    let _ = black_box(model.learn(&flash::sample()));
    let _ = black_box(model.detect(&flash::sample()));
}

bare!(Model, Model::new(), step);
