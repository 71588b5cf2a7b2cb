//! Each command once, in its order.

use pocketron::device::message::{ErrorReply, Reply, Request};

use crate::{
    bench::{
        EAGER, Flash, Host, Model, Sim, bytes_of, examples, fresh, image_of, learn, request,
        taught, teach,
    },
    wire::crc,
};

#[test]
fn a_command_that_comes_again_is_answered_again_and_not_done_again() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    for (x, class) in examples(5).take(30) {
        let frame = request(host.next, learn(&bytes_of(&x), class));
        let first = host.send(&frame);
        for _ in 0..3 {
            // Questions in between change nothing.
            host.status();
            assert_eq!(host.send(&frame), first);
        }
        host.next += 1;
    }
    assert_eq!(host.pull(), image_of(&taught(5, 30)));
    assert_eq!(host.status().seen, 30);
}

#[test]
fn the_last_number_is_what_counts_not_what_it_carries() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    let done = host.command(learn(&bytes_of(&[1.0, 0.0]), 1));
    let other = learn(&[0; 8], 0);
    assert_eq!(host.ask(host.next - 1, other), done);
    assert_eq!(host.ask(host.next - 1, Request::Arm), done);
    assert_eq!(host.status().seen, 1);
}

#[test]
fn a_refused_command_consumes_its_number() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    let refused = host.command(learn(&[0; 4], 1));
    assert_eq!(refused, Reply::Refused(ErrorReply::WrongDimension));
    assert_eq!(host.identity().next, 1);
    assert_eq!(host.ask(0, learn(&[0; 8], 1)), refused);
    assert_eq!(host.status().seen, 0);
}

#[test]
fn older_commands_are_done_and_later_ones_too_early() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    host.learn_all(2, 10);
    let example = bytes_of(&[1.0, 0.0]);
    for number in 0..9 {
        let answer = host.ask(number, learn(&example, 1));
        assert_eq!(answer, Reply::Refused(ErrorReply::AlreadyDone), "{number}");
    }
    // What lies behind the first command was not done, either.
    for number in [11, 12, 1000, 1 << 31, u32::MAX - 5, u32::MAX] {
        let answer = host.ask(number, learn(&example, 1));
        let early = Reply::Refused(ErrorReply::OutOfOrder { next: 10 });
        assert_eq!(answer, early, "{number}");
    }
    assert_eq!(host.status().seen, 10);
    assert!(matches!(host.ask(10, Request::Arm), Reply::Armed { .. }));
}

#[test]
fn a_device_that_has_done_nothing_yet_has_no_answer_to_repeat() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    let early = Reply::Refused(ErrorReply::OutOfOrder { next: 0 });
    assert_eq!(host.ask(u32::MAX, Request::Save), early);
    assert_eq!(host.ask(u32::MAX - 1, Request::Save), early);
}

#[test]
fn questions_may_have_any_number() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    for number in [0, 1, 7, 1 << 31, u32::MAX] {
        let answer = host.ask(number, Request::SelfTest);
        assert!(matches!(answer, Reply::Tested { .. }));
    }
    assert_eq!(host.identity().next, 0);
}

#[test]
fn the_first_number_is_another_one_for_every_saved_model() {
    let flash = Flash::new();
    let mut firsts = Vec::new();
    for seed in 0..20 {
        let mut model = fresh();
        let mut unit = flash.unit(&mut model, EAGER);
        let mut host = Host::new(&mut unit);
        firsts.push(host.next);
        host.learn_all(seed, 3);
        assert!(matches!(host.command(Request::Save), Reply::Saved { .. }));
    }
    assert_eq!(firsts[0], 0, "nothing saved yet");
    let mut different = firsts.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), firsts.len(), "{firsts:?}");
    // Nowhere near each other: a window of commands must not reach into the next life.
    let near = |pair: &[u32]| pair[1] - pair[0] < 1000;
    assert!(!different.windows(2).any(near), "{different:?}");
}

/// A host whose device restarts behind its back must not have a command done twice: not if the
/// model remembers the first time.
#[test]
fn commands_from_before_a_restart_are_not_done_again() {
    let flash = Flash::new();
    let mut model = fresh();
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    host.learn_all(4, 5);
    host.command(Request::Save);
    let saved = host.pull();

    let mut model = fresh();
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    let next = host.next;
    for number in 0..10 {
        let answer = host.ask(number, learn(&bytes_of(&[1.0, 1.0]), 0));
        assert_eq!(answer, Reply::Refused(ErrorReply::OutOfOrder { next }));
    }
    assert_eq!(host.pull(), saved);
}

/// Without a save in between, everything is done again, and the model is what it would have been.
#[test]
fn a_restart_without_a_save_begins_again() {
    let flash = Flash::new();
    for count in [7, 12] {
        let mut model = fresh();
        let mut unit = flash.unit(&mut model, EAGER);
        let mut host = Host::new(&mut unit);
        assert_eq!(host.next, 0);
        host.learn_all(6, count);
        assert_eq!(host.pull(), image_of(&taught(6, count)));
    }
}

/// Flash that holds a model as the save of any number, made by hand from `docs/store.md`.
fn saved_as(sequence: u32, model: &Model) -> Flash {
    let payload = image_of(model);
    let shape = pocketron::persist::shape(model);
    let mut slot = b"PKTR".to_vec();
    for word in [1, sequence, payload.len() as u32, shape, crc(&payload), 1] {
        slot.extend(word.to_le_bytes());
    }
    slot.extend(crc(&slot).to_le_bytes());
    slot.extend([0; 32]);
    slot.extend(payload);
    slot.resize(6 * 256, 0xFF);
    Flash::holding(Sim::holding(slot))
}

/// The CRC-32 of four times 255 is the largest number, and the first number of a device is that of
/// the sequence of its model: so this one begins where the numbers end.
#[test]
fn numbers_wrap() {
    let mut direct = taught(4, 10);
    let flash = saved_as(u32::MAX, &direct);
    let mut model = fresh();
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    assert_eq!(host.next, u32::MAX);
    for (x, class) in examples(9).take(5) {
        host.learn(&x, class);
        teach(&mut direct, &x, class);
    }
    assert_eq!(host.next, 4);
    let done = Reply::Refused(ErrorReply::AlreadyDone);
    for number in [u32::MAX, 0, 1, 2] {
        assert_eq!(host.ask(number, Request::Save), done, "{number}");
    }
    assert!(matches!(host.ask(3, Request::Save), Reply::Learned(_)));
    let early = Reply::Refused(ErrorReply::OutOfOrder { next: 4 });
    for number in [5, u32::MAX - 1, 1 << 31] {
        assert_eq!(host.ask(number, Request::Save), early, "{number}");
    }
    assert_eq!(host.pull(), image_of(&direct));
}
