//! Who may do what: a line that may not do something cannot do it, whatever it sends.

use pocketron::{
    device::{
        Device, NoSensor, SampleStream,
        message::{ErrorReply, Floats, Permission, Permissions, Reply, Request, StoreErrorCode},
    },
    label::Class,
    persist::store::{RamFlash, WearLimit},
    prelude::*,
    signal::{Event, Motion, Teachable, Teacher},
};

use crate::{
    bench::{EAGER, FRAME, Flash, Host, Model, bytes_of, fresh, image_of, learn, taught},
    messages::{REQUESTS, Stuff},
};

type Restricted<'m> = Device<'m, Model, Flash, 2, FRAME, 2, NoSensor, Permissions>;

fn restricted<'m>(flash: &Flash, model: &'m mut Model, permissions: Permissions) -> Restricted<'m> {
    flash.unit(model, EAGER).with_permissions(permissions)
}

/// A request of each kind in which nothing else is wrong, in the order of their tags.
fn every_request<'a>(stuff: &'a Stuff, features: &'a [u8]) -> Vec<Request<'a>> {
    let suited = |variant| match stuff.request(variant) {
        Request::Predict { .. } => Request::Predict {
            features: Floats(features),
        },
        Request::Learn { .. } => learn(features, 1),
        Request::PushBegin { .. } => Request::unsigned_push(100),
        other => other,
    };
    (0..REQUESTS).map(suited).collect()
}

/// The tags of each group, as the table of `docs/protocol.md` has them. Identify and Status, 0 and 1, are in none.
const GROUPS: [(Permission, &[usize]); 7] = [
    (Permission::Ask, &[2, 4, 13, 19, 21]),
    (Permission::Teach, &[5, 14, 15, 16, 17, 18, 22, 23]),
    (Permission::Save, &[6]),
    (Permission::Pull, &[3]),
    (Permission::Push, &[10, 11, 12]),
    (Permission::Reset, &[7, 8, 9]),
    (Permission::Samples, &[20]),
];

fn group(tag: usize) -> Option<Permission> {
    let group = GROUPS.iter().find(|(_, tags)| tags.contains(&tag));
    group.map(|(permission, _)| *permission)
}

fn give(host: &mut Host<'_>, request: Request<'_>) -> Reply<'static> {
    if request.is_command() {
        host.command(request)
    } else {
        host.question(request)
    }
}

#[test]
fn each_request_takes_its_permission_and_no_other() {
    let (stuff, features) = (Stuff::largest(), bytes_of(&[0.5, 0.5]));
    let requests = every_request(&stuff, &features);
    let mut refused = 0;
    for set in 0..1_u32 << Permission::ALL.len() {
        let chosen = Permission::ALL.into_iter().zip(0..);
        let chosen = chosen.filter(|(_, bit)| set >> bit & 1 == 1);
        let permissions = chosen.fold(Permissions::NONE, |all, (one, _)| all.with(one));
        assert_eq!(u32::from(permissions.bits()), set);
        let (flash, mut model) = (Flash::new(), fresh());
        let mut unit = restricted(&flash, &mut model, permissions);
        let mut host = Host::new(&mut unit);
        assert_eq!(host.identity().permissions, permissions);
        for (tag, request) in requests.iter().enumerate() {
            let answer = give(&mut host, *request);
            let wanted = group(tag);
            assert_eq!(request.permission(), wanted, "{request:?}");
            let expected = wanted.filter(|wanted| !permissions.allows(*wanted));
            match (expected, answer) {
                (Some(wanted), Reply::Refused(ErrorReply::NotPermitted(named))) => {
                    assert_eq!(named, wanted, "{request:?}");
                    refused += 1;
                }
                (None, Reply::Refused(ErrorReply::NotPermitted(_))) | (Some(_), _) => {
                    panic!("{request:?} with {permissions:?}: {answer:?}")
                }
                (None, _) => {}
            }
        }
    }
    // Each but Identify and Status is refused by half of the sets.
    assert_eq!(refused, (REQUESTS - 2) << (Permission::ALL.len() - 1));
}

/// The page for authors of hosts, and the constants.
#[test]
fn the_groups_are_those_of_the_presets() {
    assert_eq!(Permissions::NONE.bits(), 0);
    assert_eq!(Permissions::ASK.bits(), 0b1);
    assert_eq!(Permissions::TEACH.bits(), 0b111);
    assert_eq!(Permissions::ALL.bits(), 0b111_1111);
}

/// Everything that a host can send, to a device that may only be asked.
#[test]
fn a_line_that_may_only_ask_changes_neither_model_nor_flash() {
    let flash = Flash::new();
    let mut model = taught(1, 20);
    {
        let mut teacher = fresh();
        let mut unit = flash.unit(&mut teacher, EAGER);
        let mut host = Host::new(&mut unit);
        host.learn_all(1, 20);
        host.command(Request::Save);
    }
    let cells = flash.cells();
    let mut unit = restricted(&flash, &mut model, Permissions::ASK);
    let (stuff, features) = (Stuff::largest(), bytes_of(&[0.5, 0.5]));
    let requests = every_request(&stuff, &features);
    for _ in 0..3 {
        let mut host = Host::new(&mut unit);
        for request in &requests {
            give(&mut host, *request);
        }
        assert_eq!(flash.cells(), cells);
        assert_eq!(image_of(unit.model()), image_of(&taught(1, 20)));
    }
    // The application itself may do all that it could.
    assert!(unit.save(0).is_ok());
}

#[test]
fn permissions_hold_from_the_next_request_on() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = restricted(&flash, &mut model, Permissions::ASK);
    let features = bytes_of(&[0.5, 0.5]);
    let teach = |unit: &mut Restricted<'_>| Host::new(unit).command(learn(&features, 1));
    let refused = Reply::Refused(ErrorReply::NotPermitted(Permission::Teach));
    assert_eq!(teach(&mut unit), refused);
    unit.set_permissions(Permissions::TEACH);
    assert_eq!(unit.permissions(), Permissions::TEACH);
    assert!(matches!(teach(&mut unit), Reply::Learned(_)));
    unit.set_permissions(Permissions::ASK);
    assert_eq!(teach(&mut unit), refused);
}

/// A push, and an armed reset, need their permission to the end.
#[test]
fn what_was_begun_cannot_be_ended_without_permission() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = restricted(&flash, &mut model, Permissions::ALL);
    let sent = Host::new(&mut unit).push_parts(&image_of(&taught(1, 20)));
    assert_eq!(sent, Reply::Done);
    unit.set_permissions(Permissions::ALL.without(Permission::Push));
    let answer = Host::new(&mut unit).command(Request::PushEnd);
    let refused = |permission| Reply::Refused(ErrorReply::NotPermitted(permission));
    assert_eq!(answer, refused(Permission::Push));
    assert_eq!(image_of(unit.model()), image_of(&fresh()));

    unit.set_permissions(Permissions::ALL);
    Host::new(&mut unit).learn_all(1, 5);
    let Reply::Armed { token } = Host::new(&mut unit).command(Request::Arm) else {
        panic!("not armed")
    };
    unit.set_permissions(Permissions::TEACH);
    let answer = Host::new(&mut unit).command(Request::Reset { token });
    assert_eq!(answer, refused(Permission::Reset));
    assert_eq!(image_of(unit.model()), image_of(&taught(1, 5)));
}

/// What ended with its permission has ended, also if nothing was tried before the permission came back.
#[test]
fn what_was_begun_does_not_go_on_when_the_permission_comes_back() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = restricted(&flash, &mut model, Permissions::ALL);
    let sent = Host::new(&mut unit).push_parts(&image_of(&taught(1, 20)));
    assert_eq!(sent, Reply::Done);
    unit.set_permissions(Permissions::ALL.without(Permission::Push));
    unit.set_permissions(Permissions::ALL);
    let ended = Host::new(&mut unit).command(Request::PushEnd);
    assert_eq!(ended, Reply::Refused(ErrorReply::NoPush));

    let Reply::Armed { token } = Host::new(&mut unit).command(Request::Arm) else {
        panic!("not armed")
    };
    unit.set_permissions(Permissions::ALL.without(Permission::Reset));
    unit.set_permissions(Permissions::ALL);
    let reset = Host::new(&mut unit).command(Request::Reset { token });
    assert_eq!(reset, Reply::Refused(ErrorReply::NotArmed));
    // Other changes end neither.
    let Reply::Armed { token } = Host::new(&mut unit).command(Request::Arm) else {
        panic!("not armed")
    };
    unit.set_permissions(Permissions::NONE.with(Permission::Reset));
    let reset = Host::new(&mut unit).command(Request::Reset { token });
    assert_eq!(reset, Reply::Done);
}

/// A command that was refused is done: repeated after the permission was given, it is still refused.
#[test]
fn a_refused_command_is_not_carried_out_when_it_is_repeated() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = restricted(&flash, &mut model, Permissions::ASK);
    let features = bytes_of(&[0.5, 0.5]);
    let refused = Reply::Refused(ErrorReply::NotPermitted(Permission::Teach));
    assert_eq!(Host::new(&mut unit).ask(0, learn(&features, 1)), refused);
    unit.set_permissions(Permissions::ALL);
    let mut host = Host::new(&mut unit);
    assert_eq!(host.ask(0, learn(&features, 1)), refused);
    assert!(matches!(
        host.ask(1, learn(&features, 1)),
        Reply::Learned(_)
    ));
}

/// A class that the line teaches ends with its permission; one that a button teaches does not.
#[test]
fn teaching_by_the_sensor_ends_with_the_permission() {
    type Sensing = Teacher<Motion<16>, Teachable<12, 20, 3>>;
    let mut model = Sensing::BLANK;
    let (no_store, limit) = (Err(StoreErrorCode::Missing), WearLimit::new(0, 10));
    let reset = |model: &mut Sensing| *model = Sensing::BLANK;
    let device = Device::<_, RamFlash<8>, 12, 320>::new(&mut model, reset, no_store, limit);
    let device = device.with_permissions(Permissions::TEACH);
    let mut device = device.with_sensor(SampleStream::<3, 16>::new(["x", "y", "z"], 50.0));
    let taught = Host::new(&mut device).command(Request::Teach { class: Some(1) });
    assert_eq!(taught, Reply::Done);
    let mut number = 0;
    let mut sample = |device: &mut Device<'_, _, _, 12, 320, 2, _, Permissions>, button| {
        number += 1;
        let reading = [number * 7 % 100, number * 13 % 90, 1000];
        device
            .sample(Ok::<_, ()>(reading), button)
            .expect("a class")
    };
    let teaches = |event: &Event| matches!(event, Event::Teaching { .. });
    assert!((0..64).any(|_| teaches(&sample(&mut device, None))));
    device.set_permissions(Permissions::ASK);
    assert!(!(0..64).any(|_| teaches(&sample(&mut device, None))));
    device.set_permissions(Permissions::TEACH);
    assert!(!(0..64).any(|_| teaches(&sample(&mut device, None))));
    device.set_permissions(Permissions::ASK);
    assert!((0..64).any(|_| teaches(&sample(&mut device, Some(Class(2))))));
    // Again and again, as a loop does: it disturbs no window.
    assert!((0..64).any(|_| {
        device.set_permissions(Permissions::ASK);
        teaches(&sample(&mut device, Some(Class(2))))
    }));
}
