//! A device with a sensor saves by itself, once it is left alone.

use pocketron::{
    device::{
        Access, Device, SampleStream,
        message::{ErrorReply, ImageErrorCode, Permission, Permissions, Reply, Request},
    },
    label::Class,
    persist::store::{RamFlash, SlotRing, WearLimit},
    prelude::*,
    signal::Idle,
};

use super::{BLOCK, FRAME, KEPT, Model, SAMPLES, Unit, sample, state, unit};
use crate::bench::Host;

/// Steps until there is nothing to do; a device that was taught for a while and then left alone.
fn rest(unit: &mut Unit<'_>, now: u64) {
    while unit.step(now, sample) {}
}

fn saved(unit: &mut Unit<'_>) -> (Option<u32>, u32, bool) {
    let mut host = Host::new(unit);
    let status = host.status();
    (status.saved, status.wear, state(&mut host).unsaved)
}

fn teach_by_button(unit: &mut Unit<'_>, class: u8) {
    for number in (BLOCK * u32::from(class)..).take(200) {
        unit.sample(sample(number), Some(Class(class)))
            .expect("a class");
    }
    unit.sample(sample(0), None).expect("none");
}

#[test]
fn a_device_saves_what_was_taught_when_it_is_left_alone() {
    let mut model = Model::new();
    let mut unit = unit(&mut model);
    rest(&mut unit, 0);
    assert_eq!(saved(&mut unit).0, None, "nothing was taught");
    teach_by_button(&mut unit, 0);
    rest(&mut unit, 1000);
    assert!(saved(&mut unit).2, "another block may follow");
    teach_by_button(&mut unit, 1);
    rest(&mut unit, 4000);
    rest(&mut unit, 8999);
    assert_eq!(saved(&mut unit).0, None);
    rest(&mut unit, 9000);
    let (first, wear, unsaved) = saved(&mut unit);
    assert!(first.is_some() && !unsaved, "two blocks, one save");
    // Neither time nor a host's save erases flash for what is there already.
    rest(&mut unit, 1_000_000);
    let mut host = Host::new(&mut unit);
    assert!(matches!(host.command(Request::Save), Reply::Saved { .. }));
    assert_eq!(saved(&mut unit), (first, wear, false));
    // After a reset it is what was saved.
    assert_eq!(unit.save(0), Ok(first.expect("a sequence number")));
}

/// With a real sensor, whose loop calls `idle` and `save`.
#[test]
fn a_save_that_failed_is_asked_for_every_five_seconds() {
    let mut model = Model::new();
    let mut unit = unit(&mut model);
    teach_by_button(&mut unit, 0);
    let idle = |unit: &mut Unit<'_>, now| {
        let mut idle = unit.idle(now);
        while idle == Idle::Rehearsed {
            idle = unit.idle(now);
        }
        idle
    };
    assert_eq!(idle(&mut unit, 1000), Idle::Nothing);
    assert_eq!(idle(&mut unit, 5999), Idle::Nothing);
    for now in [6000, 11_000, 16_000] {
        // The save fails: nothing is saved.
        assert_eq!(idle(&mut unit, now), Idle::Save);
        assert_eq!(idle(&mut unit, now), Idle::Nothing);
        assert_eq!(idle(&mut unit, now + 4999), Idle::Nothing);
    }
    assert_eq!(idle(&mut unit, 21_000), Idle::Save);
    assert!(unit.save(21_000).is_ok());
    assert_eq!(idle(&mut unit, 1_000_000), Idle::Nothing);
}

/// A reset is in memory only, also while a save is due.
#[test]
fn a_reset_is_not_saved_by_itself() {
    let mut model = Model::new();
    let mut unit = unit(&mut model);
    teach_by_button(&mut unit, 0);
    while unit.idle(1000) == Idle::Rehearsed {}
    let mut host = Host::new(&mut unit);
    let Reply::Armed { token } = host.command(Request::Arm) else {
        panic!("not armed");
    };
    assert_eq!(host.command(Request::Reset { token }), Reply::Done);
    assert_eq!(unit.idle(1_000_000), Idle::Nothing);
    assert_eq!(saved(&mut unit).0, None);
}

/// What has not become the model does not take the place of what was taught.
#[test]
fn a_push_that_fails_leaves_what_was_taught_to_be_saved() {
    let fail: [fn(&mut Host<'_>) -> Reply<'static>; 2] = [
        |host| host.command(Request::PushEnd),
        |host| host.push(&[0x55; 100]),
    ];
    let reasons = [
        ErrorReply::NoPush,
        ErrorReply::Image(ImageErrorCode::NotAnImage),
    ];
    for (fail, reason) in fail.into_iter().zip(reasons) {
        let mut model = Model::new();
        let mut unit = unit(&mut model);
        teach_by_button(&mut unit, 0);
        rest(&mut unit, 0);
        let answer = fail(&mut Host::new(&mut unit));
        assert_eq!(answer, Reply::Refused(reason));
        assert_eq!(saved(&mut unit).0, None);
        rest(&mut unit, 5000);
        let (first, _, unsaved) = saved(&mut unit);
        assert!(first.is_some() && !unsaved, "{reason:?}");
    }
}

/// What only the line has taught does not become permanent by the device's own saves unless the line may save.
#[test]
fn a_line_that_may_not_save_cannot_let_the_device_save() {
    const TEACH_ONLY: Permissions = Permissions::ASK.with(Permission::Teach);
    fn wants_save<A: Access>(
        unit: &mut Device<'_, Model, RamFlash<32>, 12, FRAME, 2, SampleStream<3, KEPT>, A>,
        now: u64,
    ) -> bool {
        loop {
            match unit.idle(now) {
                Idle::Rehearsed => {}
                idle => return idle == Idle::Save,
            }
        }
    }
    let mut model = Model::new();
    let mut unit = unit(&mut model).with_permissions(TEACH_ONLY);
    let class = Some(1);
    let taught = Host::new(&mut unit).command(Request::Teach { class });
    assert_eq!(taught, Reply::Done);
    for number in (BLOCK..).take(200) {
        unit.sample(sample(number), None).expect("a class");
    }
    let ended = Host::new(&mut unit).command(Request::Teach { class: None });
    assert_eq!(ended, Reply::Done);
    for now in [0, 5000, 10_000, 100_000] {
        assert!(!wants_save(&mut unit, now), "{now}");
    }
    assert!(state(&mut Host::new(&mut unit)).unsaved);
    // It waits.
    unit.set_permissions(Permissions::TEACH);
    assert!(wants_save(&mut unit, 100_001));
    unit.set_permissions(TEACH_ONLY);
    assert!(!wants_save(&mut unit, 200_000));
    // What the button teaches is the application's.
    for number in (0..).take(200) {
        unit.sample(sample(number), Some(Class(0)))
            .expect("a class");
    }
    unit.sample(sample(0), None).expect("none");
    // The block of the line was due already.
    assert!(!wants_save(&mut unit, 200_001) && wants_save(&mut unit, 205_001));
    assert!(unit.save(205_001).is_ok());
    assert!(!wants_save(&mut unit, 300_000));
}

#[test]
fn what_a_host_saves_first_is_not_saved_again() {
    let mut model = Model::new();
    let mut unit = unit(&mut model);
    teach_by_button(&mut unit, 2);
    rest(&mut unit, 0);
    let mut host = Host::new(&mut unit);
    assert!(matches!(host.command(Request::Save), Reply::Saved { .. }));
    let before = saved(&mut unit);
    rest(&mut unit, 60_000);
    assert_eq!(saved(&mut unit), before);
}

#[test]
fn the_limit_on_wear_holds_for_the_device_itself() {
    let mut model = Model::new();
    let store = SlotRing::mount(RamFlash::new(), 0..32768).map_err(Into::into);
    let stream = SampleStream::new(["x", "y", "z"], 50.0).of_recording(SAMPLES);
    let limit = WearLimit::new(60_000, 1000);
    let reset = |model: &mut Model| *model = Model::BLANK;
    let mut unit: Unit<'_> = Device::new(&mut model, reset, store, limit).with_sensor(stream);
    teach_by_button(&mut unit, 0);
    rest(&mut unit, 0);
    rest(&mut unit, 5000);
    let (first, _, unsaved) = saved(&mut unit);
    assert!(first.is_some() && !unsaved);
    teach_by_button(&mut unit, 1);
    for now in [10_000, 20_000, 64_000] {
        rest(&mut unit, now);
        assert!(saved(&mut unit).2, "too soon at {now}");
    }
    // Five seconds after the last attempt.
    rest(&mut unit, 69_000);
    assert!(!saved(&mut unit).2);
    assert_ne!(saved(&mut unit).0, first);
}
