//! Uses the handler of the protocol and conversions of models in an image that links only if nothing in it can panic.
//!
//! `cargo xtask panic-free` builds it; running it is not the point.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[path = "platform/refuse_to_panic.rs"]
#[macro_use]
mod platform;

use core::hint::black_box;

use pocketron::{
    budget::Oldest,
    device::{BoardStatus, Device, RemoteModel, message::Permissions},
    learners::continual::{AllViolating, AnnealedSteps},
    learners::multiclass::{OneVsRest, SharedSupport},
    persist::{
        BoundedImage, Convert, Ready,
        store::{RamFlash, SlotRing, WearLimit},
    },
    prelude::*,
    signal::Teachable,
    storage::Inline,
    wrap::confidence::{Calibrated, Confident, NoveltyDetector},
};

const D: usize = 3;
const B: usize = 10;
const CLASSES: usize = 4;
const KERNEL: Gaussian = Gaussian::constant(2.0);

type Flash = RamFlash<4>;
type Several = OneVsRest<Forgetron<D, B>, CLASSES>;
type Default = PocketronMulti<D, B, CLASSES>;
type Each = AllViolating<AnnealedSteps<35, 3>, CLASSES>;
type Answering = Undo<Confident<Default, CLASSES>>;
type Sure = Undo<NoveltyDetector<Calibrated<Pocketron<D, B>>>>;
type Shared = SharedSupport<Gaussian, Oldest, Inline<D, B>, CLASSES, MarginRule>;

/// Serves bytes of which the optimiser knows nothing: any request, and any rubbish.
fn serve<L: RemoteModel<Input = [f32; D]>>(mut model: L, reset: fn(&mut L)) {
    let store = SlotRing::mount(black_box(Flash::new()), black_box(0..4096));
    let limit = black_box(WearLimit::new(10, 100).with_reserve(20));
    let store = store.map_err(Into::into);
    let mut device = Device::<_, _, D, 256, 2>::new(&mut model, black_box(reset), store, limit)
        .with_firmware(black_box("pocketron"))
        .with_window(black_box(4))
        .with_key(black_box(&[7; 32]))
        .with_permissions(black_box(Permissions::ASK));
    for _ in 0..black_box(100) {
        let board_status = black_box(BoardStatus::default());
        black_box(device.receive(black_box(0), &board_status));
        device.set_permissions(black_box(Permissions::ALL));
    }
    black_box(device.model());
}

/// Loads an image of a model with other sizes, of whose bytes the optimiser knows nothing, and saves.
fn update<L: Convert + Ready + BoundedImage>() {
    let mut model = L::BLANK;
    let mounted: Result<SlotRing<_>, _> =
        SlotRing::mount_for(black_box(Flash::new()), black_box(0..4096), &model);
    if let Ok(mut ring) = mounted {
        let _ = black_box(ring.load_or_convert(&mut model));
        let _ = black_box(ring.save_if_readable(&mut model));
    }
}

fn demo() {
    update::<Teachable<D, B, CLASSES>>();
    update::<Undo<PocketronMulti<D, B, CLASSES, Each>>>();
    update::<Pocketron<D, B>>();
    serve(Default::new(), |model| *model = Default::BLANK);
    serve(Undo::<Default>::new(), |model| *model = Undo::BLANK);
    serve(Answering::new(), |model| *model = Answering::BLANK);
    serve(Sure::new(), |model| *model = Sure::BLANK);
    let binary = || MergingPerceptron::<D, B>::with_rule(KERNEL, MarginRule::new(1.0));
    serve(binary(), |model| *model = MergingPerceptron::BLANK);
    let several = || Several::of(&Forgetron::new(KERNEL));
    serve(several(), |model| *model = Several::BLANK);
    let shared = Shared::new(KERNEL, Oldest::new(), MarginRule::new(1.0));
    serve(shared, |model| {
        *model = Shared::new(KERNEL, Oldest::new(), MarginRule::new(1.0))
    });
}

refuse_to_panic!(demo);
