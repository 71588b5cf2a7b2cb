//! The line cannot wear the flash out: the last erase cycles are for the application.

use pocketron::{
    device::{
        Device, SampleStream,
        message::{ErrorReply, Reply, Request},
    },
    label::Class,
    persist::store::WearLimit,
    prelude::*,
    signal::{Event, Idle, Motion, Teachable, Teacher},
};
use pocketron_testkit::flash::SimFlash;

use crate::bench::{Flash, Host, fresh, image_of};

const BUDGET: u32 = 30;
const RESERVE: u32 = 10;
const MINUTE: u64 = 60_000;

const LIMIT: WearLimit = WearLimit::new(MINUTE, BUDGET).with_reserve(RESERVE);
const RESERVED: Reply<'_> = Reply::Refused(ErrorReply::WearReserved);

/// A host that saves and pushes as often as it is allowed to, and restarts the device in between.
#[test]
fn a_storm_of_saves_leaves_the_reserve() {
    let flash = Flash::new();
    let (mut now, mut refused, mut saved) = (0, 0, 0);
    for life in 0..200 {
        let mut model = fresh();
        let mut unit = flash.unit(&mut model, LIMIT);
        let mut host = Host::new(&mut unit);
        for _ in 0..5 {
            now += MINUTE;
            host.board_status.now_ms = now;
            host.learn_all(life, 1);
            let answer = match life % 2 {
                0 => host.command(Request::Save),
                _ => {
                    let image = host.pull();
                    host.push(&image)
                }
            };
            match answer {
                RESERVED => refused += 1,
                Reply::Saved { .. } => saved += 1,
                other => panic!("{other:?}"),
            }
            assert!(host.status().wear <= BUDGET - RESERVE);
        }
    }
    // Two slots take turns, and the first to get there ends it.
    assert_eq!(saved, 2 * (BUDGET - RESERVE) - 1);
    assert_eq!(refused, 1000 - saved);
    let erases = flash.sim.borrow().counts().erases;
    assert!(erases <= u64::from(2 * (BUDGET - RESERVE)) * 3, "{erases}");
}

/// Pushes that are begun and never ended are counted like saves.
#[test]
fn a_storm_of_pushes_that_never_end_leaves_the_reserve() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, LIMIT);
    let mut host = Host::new(&mut unit);
    let mut begun = 0;
    for minute in 1..200 {
        host.board_status.now_ms = minute * MINUTE;
        match host.command(Request::unsigned_push(100)) {
            Reply::Done => begun += 1,
            RESERVED => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(begun, BUDGET - RESERVE);
}

/// A device with a sensor and a button.
type Sensing = Teacher<Motion<16>, Teachable<12, 20, 3>>;
type SensorUnit<'m> = Device<'m, Sensing, Flash, 12, 320, 2, SampleStream<3, 16>>;

fn sensor_unit<'m>(flash: &Flash, model: &'m mut Sensing) -> SensorUnit<'m> {
    let reset = |model: &mut Sensing| *model = Sensing::BLANK;
    let device = Device::<_, _, 12, 320>::new(model, reset, flash.mount(), LIMIT);
    device.with_sensor(SampleStream::<3, 16>::new(["x", "y", "z"], 50.0))
}

/// Teaches a block of a class, by the line or by the button.
fn teach_block(device: &mut SensorUnit<'_>, by_line: bool, class: u8, round: i16) {
    if by_line {
        let class = Some(class);
        let taught = Host::new(device).command(Request::Teach { class });
        assert_eq!(taught, Reply::Done);
    }
    let button = (!by_line).then_some(Class(class));
    let mut taught = 0;
    for number in 0..200_i16 {
        let reading = [number * 7 % 100 + round, number * 13 % 90, 1000];
        let event = device.sample(Ok::<_, ()>(reading), button);
        taught += i32::from(matches!(event, Ok(Event::Teaching { .. })));
    }
    assert!(taught > 0);
    if by_line {
        let ended = Host::new(device).command(Request::Teach { class: None });
        assert_eq!(ended, Reply::Done);
    } else {
        device
            .sample(Ok::<_, ()>([0, 0, 1000]), None)
            .expect("a class");
    }
}

/// Teaches a block of class 1 until the device wants to save.
fn teach(device: &mut SensorUnit<'_>, by_line: bool, now: u64, round: i16) {
    teach_block(device, by_line, 1, round);
    let mut idle = (0..10_000).map(|turn| device.idle(now + turn));
    assert!(idle.any(|what| what == Idle::Save), "nothing to save");
}

/// The device saves by itself what was taught: if only the line has taught, that is the line's doing.
#[test]
fn teaching_over_the_line_does_not_reach_the_reserve_by_the_devices_own_saves() {
    let flash = Flash::holding(SimFlash::new(32));
    let mut model = Sensing::BLANK;
    let mut device = sensor_unit(&flash, &mut model);
    let mut now = 0;
    let mut save = |device: &mut SensorUnit<'_>, by_line, round| {
        now += MINUTE;
        teach(device, by_line, now, round);
        now += MINUTE;
        device.save(now)
    };
    let mut saved = 0;
    for round in 0..60 {
        match save(&mut device, true, round) {
            Ok(_) => saved += 1,
            Err(error) => assert_eq!(error, ErrorReply::WearReserved),
        }
    }
    assert_eq!(saved, 2 * (BUDGET - RESERVE) - 1);
    // The button is the application's.
    for round in 0..2 * RESERVE as i16 {
        save(&mut device, false, round).expect("the reserve");
    }
    assert_eq!(save(&mut device, false, 0), Err(ErrorReply::WornOut));
    let kept = image_of(device.model());
    drop(device);
    let mut found = Sensing::BLANK;
    assert_ne!(image_of(sensor_unit(&flash, &mut found).model()), kept);
}

/// A host saves while the application's block is being rehearsed: what the rest of the rehearsal changes is still the application's.
#[test]
fn a_save_of_the_line_does_not_make_it_the_owner_of_what_a_button_taught() {
    let flash = Flash::holding(SimFlash::new(32));
    let mut model = Sensing::BLANK;
    let mut device = sensor_unit(&flash, &mut model);
    for class in 0..2 {
        teach_block(&mut device, false, class, i16::from(class) * 300);
    }
    assert_eq!(device.idle(MINUTE), Idle::Rehearsed);
    let mut host = Host::new(&mut device);
    host.board_status.now_ms = MINUTE;
    assert!(matches!(host.command(Request::Save), Reply::Saved { .. }));
    assert_eq!(device.idle(MINUTE), Idle::Rehearsed);
    while device.idle(MINUTE) == Idle::Rehearsed {}
    device.save(MINUTE + 1).expect("it waits for its own saves");
    // The rehearsal is over, and what the line teaches next is its own.
    teach(&mut device, true, 2 * MINUTE, 7);
    let wait_ms = 1;
    assert_eq!(
        device.save(2 * MINUTE),
        Err(ErrorReply::TooSoon { wait_ms })
    );
    device.save(2 * MINUTE + 1).expect("a minute later");
}

/// The gap that `docs/security.md` names, closed as it says: an erase whose image the power has cut off is not counted after a restart, but
/// each start waits for an interval first.
#[test]
fn waiting_from_the_start_bounds_the_erases_that_restarts_hide() {
    let erases = |flash: &Flash| flash.sim.borrow().counts().erases;
    let begin = |flash: &Flash, limit: WearLimit, now_ms| {
        let mut model = fresh();
        let mut unit = flash.unit(&mut model, limit);
        let mut host = Host::new(&mut unit);
        host.board_status.now_ms = now_ms;
        let begun = host.command(Request::unsigned_push(100));
        (begun, host.status().wear)
    };
    let flash = Flash::new();
    let mut model = fresh();
    let mut unit = flash.unit(&mut model, LIMIT);
    let mut host = Host::new(&mut unit);
    host.learn_all(1, 5);
    assert!(matches!(host.command(Request::Save), Reply::Saved { .. }));
    drop(unit);
    let before = erases(&flash);
    for _ in 0..100 {
        let (begun, wear) = begin(&flash, LIMIT, 1000);
        assert_eq!((begun, wear), (Reply::Done, 1), "the gap is closed: say so");
    }
    assert!(erases(&flash) >= before + 100);
    let before = erases(&flash);
    for _ in 0..100 {
        let (begun, _) = begin(&flash, LIMIT.waiting_from(0), 1000);
        let wait_ms = MINUTE as u32 - 1000;
        assert_eq!(begun, Reply::Refused(ErrorReply::TooSoon { wait_ms }));
    }
    assert_eq!(erases(&flash), before);
}

/// A host that saves whenever it may does not hold the application's saves back.
#[test]
fn saves_of_the_line_do_not_delay_those_of_the_application() {
    let mut limit = LIMIT;
    assert_eq!(limit.admit_from_line(0, 0), Ok(()));
    assert_eq!(limit.admit(1, 0), Ok(()));
    // The line waits for both.
    for now in [1, 30_000, 60_000] {
        assert!(limit.admit_from_line(now, 0).is_err(), "{now}");
    }
    assert_eq!(limit.admit_from_line(60_001, 0), Ok(()));
    assert!(limit.admit(60_000, 0).is_err());
    assert_eq!(limit.admit(60_001, 0), Ok(()));
    // A device that has just been switched on makes both wait, if it is told to.
    let mut limit = LIMIT.waiting_from(5);
    assert!(limit.admit(6, 0).is_err() && limit.admit_from_line(6, 0).is_err());
    // A reserve larger than the budget leaves the line nothing.
    let mut limit = WearLimit::new(0, 5).with_reserve(9);
    assert!(limit.admit_from_line(0, 0).is_err() && limit.admit(0, 4).is_ok());
}
