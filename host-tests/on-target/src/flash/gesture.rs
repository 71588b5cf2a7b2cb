//! Gestures taught by hand, with rehearsal and a store.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[macro_use]
#[path = "mod.rs"]
mod flash;

use core::hint::black_box;

use pocketron::{
    persist::store::{RamFlash, SlotRing},
    prelude::*,
};

type Model = PocketronMulti<12, 24, 5>;

/// Memory in place of flash, whose driver is the board's.
type Flash = RamFlash<8, 512>;

fn step((model, flash): &mut (Model, Flash)) {
    let Ok(mut ring) = SlotRing::<_>::mount(flash, 0..4096) else {
        return;
    };
    let _ = black_box(ring.load_model(model));
    let _ = black_box(model.learn(&flash::sample(), black_box(Class(1))));
    let _ = black_box(model.predict(&flash::sample()));
    black_box(model.rehearse(black_box(9)));
    let _ = black_box(ring.save_model(model));
}

bare!((Model, Flash), (Model::BLANK, Flash::new()), step);
