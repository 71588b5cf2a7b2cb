//! Uses every policy and the store in an image that links only if nothing in it can panic.
//!
//! `cargo xtask panic-free` builds it; running it is not the point.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod all_learners;
#[path = "platform/refuse_to_panic.rs"]
#[macro_use]
mod platform;
#[path = "../../../examples/sensor/mod.rs"]
mod sensor;

use core::hint::black_box;

use all_learners::{
    Binary, Failed, Visitor,
    batch::{Batch, BatchVisitor, Buffer, HELD},
};
use pocketron::{
    learners::{batch::Scratch, perceptron::LinearPerceptron},
    persist::{
        self, Persist,
        store::{RamFlash, SlotRing, StoreError, WearLimit},
    },
    prelude::*,
    stream::{Confusion, Counters, Window, run_stream},
};
use sensor::{FEATURES, Sensor};

struct Learning;

impl Learning {
    fn learn<C>(name: &str, learner: C, stream: Sensor<C::Label>) -> C
    where
        C: OnlineClassifier<Input = [f32; FEATURES]> + Persist,
    {
        // The optimiser must not know what comes in, nor that nobody looks at what comes out.
        let mut learner = black_box(learner);
        let mut observers = (
            Counters::default(),
            (Window::<50>::new(), Confusion::<4>::new()),
        );
        let Ok(()) = run_stream(&mut learner, &mut black_box(stream), &mut observers);
        let (counters, (window, confusion)) = &observers;
        black_box((name, counters.accuracy(), window.error()));
        black_box((confusion.recall(Sign::Pos), confusion.precision(Sign::Neg)));
        let _ = black_box(learner.predict(black_box(&[0.0; FEATURES])));
        let mut piece = [0; 64];
        persist::fill(&learner, black_box(32), &mut piece);
        let _ = black_box(persist::restore(&mut learner, &mut black_box(&piece[..])));
        learner
    }
}

impl Visitor for Learning {
    fn visit<C>(&mut self, name: &str, learner: C, stream: Sensor<Sign>) -> Result<(), Failed>
    where
        C: Binary,
    {
        let learner = Self::learn(name, learner, stream);
        let _ = black_box(learner.score(black_box(&[0.5; FEATURES])));
        Ok(())
    }

    fn every<C>(&mut self, name: &str, learner: C, stream: Sensor<C::Label>) -> Result<(), Failed>
    where
        C: OnlineClassifier<Input = [f32; FEATURES]> + Persist + Clone,
    {
        Self::learn(name, learner, stream);
        Ok(())
    }
}

impl BatchVisitor for Learning {
    fn visit(
        &mut self,
        name: &str,
        learner: impl Batch,
        buffer: &mut Buffer,
        scratch: &mut Scratch<HELD>,
    ) -> Result<(), Failed> {
        let mut learner = black_box(learner);
        let _ = black_box(buffer.offer(black_box(&[0.5; FEATURES]), black_box(Sign::Pos)));
        black_box((name, buffer.count(Sign::Pos), buffer.normalise()));
        black_box(learner.step(&mut black_box(&mut *buffer).samples(scratch)));
        black_box(learner.score(black_box(&[0.5; FEATURES])));
        let (mut model, mut counters) = (LinearPerceptron::new(), Counters::default());
        let seed = black_box(3);
        let Ok(()) = run_stream(&mut model, &mut buffer.shuffled(seed), &mut counters);
        let Ok(()) = run_stream(&mut model, &mut buffer.in_order(), &mut counters);
        black_box((model.hypothesis(), counters));
        let mut piece = [0; 64];
        for state in [learner.state(), buffer] {
            persist::fill(state, black_box(32), &mut piece);
            let _ = black_box(persist::restore(state, &mut black_box(&piece[..])));
        }
        Ok(())
    }
}

/// Mounts whatever the flash holds, saves, loads, and asks for the limit.
fn store() -> Result<(), StoreError> {
    let mut flash = black_box(RamFlash::<4, 128>::new());
    let mut ring = SlotRing::<_, 3>::mount(&mut flash, black_box(0..512))?;
    ring.save_slice(black_box(1), black_box(&[7; 40]))?;
    let mut bytes = [0; 64];
    black_box(ring.load_slice(black_box(1), &mut bytes)?);
    let mut limit = black_box(WearLimit::new(10, 100).waiting_from(3));
    let _ = black_box(limit.admit(black_box(20), ring.status().wear));
    black_box(&bytes);
    let ring = SlotRing::<_, 3>::format(&mut flash, black_box(0..512))?;
    black_box((ring.status(), ring.capacity()));
    Ok(())
}

/// What a program may do with the default learner besides teaching and asking it.
fn maintain() {
    let mut model = black_box(PocketronMulti::<FEATURES, 20, 4>::new());
    model.set_rehearsals(black_box(0));
    black_box((model.rehearse(black_box(9)), model.rehearsals()));
    let _ = black_box(
        model
            .scores(black_box(&[0.5; FEATURES]))
            .map(|scores| model.parts().winner(&scores)),
    );
    model.forget(black_box(Class(2)));
    black_box((
        model.is_ready(),
        model.is_saturated(),
        model.seen(black_box(Class(1))),
    ));
    black_box((
        model.moments(),
        model.vectors().row(black_box(3)).coefficient(black_box(5)),
    ));
    let mut buffer = [0; PocketronMulti::<FEATURES, 20, 4>::MAX_BYTES];
    let image = model.to_bytes(black_box(&mut buffer)).unwrap_or_default();
    let _ = black_box(PocketronMulti::<FEATURES, 20, 4>::from_bytes(black_box(
        image,
    )));
    model.support_vectors().for_each(|vector| {
        black_box(vector);
    });
    let _ = black_box(PocketronMulti::<FEATURES, 20, 4>::with_gamma(black_box(
        2.0,
    )));
    model.reset();
    black_box(&model);
}

/// What a program does with the learner that needs no labels.
fn watch() {
    let mut model = black_box(Normal::<FEATURES, 20>::new());
    let _ = black_box(model.set_sensitivity(black_box(0.01)));
    let _ = black_box(model.learn(black_box(&[0.5; FEATURES])));
    let _ = black_box(model.detect(black_box(&[0.5; FEATURES])));
    black_box((model.threshold(), model.sensitivity(), model.is_ready()));
    model.micro_clusters().for_each(|cluster| {
        black_box(cluster);
    });
    let mut buffer = [0; Normal::<FEATURES, 20>::MAX_BYTES];
    let image = model.to_bytes(black_box(&mut buffer)).unwrap_or_default();
    let _ = black_box(Normal::<FEATURES, 20>::from_bytes(black_box(image)));
    model.reset();
    black_box(&model);
}

fn demo() -> bool {
    maintain();
    watch();
    let learned = all_learners::visit_all(&mut Learning).is_ok()
        & all_learners::batch::visit(&mut Learning).is_ok();
    black_box(store()).is_ok() & learned
}

refuse_to_panic!(demo);
