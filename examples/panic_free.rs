//! Uses every policy in an image that links only if nothing in it can panic.
//!
//! `cargo xtask panic-free` builds it; running it is not the point.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[path = "platform/refuse_to_panic.rs"]
#[macro_use]
mod platform;
mod sensor;
mod zoo;

use core::hint::black_box;

use pocketron::{
    metrics::{Confusion, Counters, Window},
    prelude::*,
    stream::run_stream,
};
use sensor::{FEATURES, Sensor};
use zoo::{Failed, Visitor};

struct Learning;

impl Visitor for Learning {
    fn visit<C>(&mut self, name: &str, learner: C) -> Result<(), Failed>
    where
        C: OnlineClassifier<Input = [f32; FEATURES], Label = Sign>,
    {
        // The optimiser must not know what comes in, nor that nobody looks at what comes out.
        let mut learner = black_box(learner);
        let mut observers = (
            Counters::default(),
            (Window::<50>::new(), Confusion::<2>::new()),
        );
        let Ok(()) = run_stream(&mut learner, &mut black_box(Sensor::new()), &mut observers);
        let (counters, (window, confusion)) = &observers;
        black_box((name, counters.accuracy(), window.error()));
        black_box((confusion.recall(Sign::Pos), confusion.precision(Sign::Neg)));
        let _ = black_box(learner.predict(black_box(&[0.0; FEATURES])));
        Ok(())
    }
}

fn demo() -> bool {
    zoo::visit_all(&mut Learning).is_ok()
}

refuse_to_panic!(demo);
