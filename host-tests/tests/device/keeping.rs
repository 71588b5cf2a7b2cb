//! Saving, loading, wear, and forgetting.

use pocketron::{
    device::message::{ErrorReply, Reply, Request, StoreErrorCode},
    persist::store::{SlotRing, WearLimit},
};

use crate::bench::{
    EAGER, Flash, Host, Model, Unit, bytes_of, examples, fresh, image_of, learn, reset, taught,
    teach,
};

const MINUTE: u64 = 60_000;

fn refused(reason: StoreErrorCode) -> Reply<'static> {
    Reply::Refused(ErrorReply::Store(reason))
}

#[test]
fn a_saved_model_is_there_after_a_restart_and_goes_on_learning() {
    let (flash, mut direct) = (Flash::new(), fresh());
    let mut stream = examples(1);
    for life in 0..6 {
        let mut model = fresh();
        let mut unit = flash.unit(&mut model, EAGER);
        let mut host = Host::new(&mut unit);
        assert_eq!(host.pull(), image_of(&direct), "life {life}");
        for (x, class) in stream.by_ref().take(10) {
            host.learn(&x, class);
            teach(&mut direct, &x, class);
        }
        let saved = host.command(Request::Save);
        assert!(matches!(saved, Reply::Saved { sequence, .. } if sequence == life));
        let status = host.status();
        assert_eq!(status.saved, Some(life));
        assert_eq!(status.saved_generation, Some(status.generation));
        // Lost with the power.
        host.learn_all(99, 3);
        assert_ne!(host.pull(), image_of(&direct));
    }
}

#[test]
fn loading_goes_back_to_what_was_saved() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    assert_eq!(host.command(Request::Load), refused(StoreErrorCode::Empty));
    host.learn_all(1, 20);
    host.command(Request::Save);
    host.learn_all(2, 20);
    assert_ne!(host.pull(), image_of(&taught(1, 20)));
    let before = host.status().generation;
    assert_eq!(host.command(Request::Load), Reply::Loaded { sequence: 0 });
    assert_eq!(host.pull(), image_of(&taught(1, 20)));
    let status = host.status();
    assert_ne!(status.generation, before);
    assert_eq!(status.saved_generation, Some(status.generation));
}

#[test]
fn a_model_that_is_in_flash_already_wears_nothing() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, WearLimit::new(MINUTE, 100));
    let mut host = Host::new(&mut unit);
    host.learn_all(1, 20);
    let saved = host.command(Request::Save);
    assert!(matches!(saved, Reply::Saved { sequence: 0, .. }));
    let before = flash.sim.borrow().counts();
    // At once, although the limit would say no.
    assert_eq!(host.command(Request::Save), saved);
    host.command(Request::Load);
    assert_eq!(host.command(Request::Save), saved);
    let after = flash.sim.borrow().counts();
    assert_eq!((after.erases, after.writes), (before.erases, before.writes));
    // Nor does one that was found there at the start.
    let mut model = fresh();
    let mut unit = flash.unit(&mut model, EAGER);
    assert_eq!(Host::new(&mut unit).command(Request::Save), saved);
    let after = flash.sim.borrow().counts();
    assert_eq!((after.erases, after.writes), (before.erases, before.writes));
}

/// "It is there already" is only said after looking, also when an older image would be found instead.
#[test]
fn a_model_that_was_damaged_in_flash_is_saved_again() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    let mut last = None;
    for _ in 0..4 {
        host.learn_all(1, 20);
        let Reply::Saved { sequence, .. } = host.command(Request::Save) else {
            panic!("not saved")
        };
        assert!(last.is_none_or(|last| sequence > last));
        damage(&flash, sequence);
        let Reply::Saved {
            sequence: again, ..
        } = host.command(Request::Save)
        else {
            panic!("not saved again")
        };
        assert!(again > sequence);
        assert_eq!(flash.found(), host.pull());
        last = Some(again);
    }
}

/// Flips a bit in the payload of a saved image.
fn damage(flash: &Flash, sequence: u32) {
    let cells = flash.cells();
    let slot = |start: &usize| cells[start + 8..start + 12] == sequence.to_le_bytes();
    let start = [0, 768].into_iter().find(slot).expect("saved");
    flash.sim.borrow_mut().flip(start + 64 + 200, 3);
}

#[test]
fn the_wear_limit_holds_back_saves_and_pushes() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, WearLimit::new(MINUTE, 3));
    let mut host = Host::new(&mut unit);
    let learn_one = |host: &mut Host<'_>| host.learn_all(1, 1);
    host.board_status.now_ms = 5_000;
    learn_one(&mut host);
    assert!(matches!(host.command(Request::Save), Reply::Saved { .. }));
    learn_one(&mut host);
    host.board_status.now_ms = 15_000;
    let too_soon = |wait_ms| Reply::Refused(ErrorReply::TooSoon { wait_ms });
    let cells = flash.cells();
    assert_eq!(host.command(Request::Save), too_soon(50_000));
    let len = 500;
    assert_eq!(host.command(Request::unsigned_push(len)), too_soon(50_000));
    assert_eq!(flash.cells(), cells);
    host.board_status.now_ms = 65_000;
    assert_eq!(host.command(Request::unsigned_push(len)), Reply::Done);
    host.board_status.now_ms = 124_999;
    assert_eq!(host.command(Request::Save), too_soon(1));
    // Until the flash has had enough.
    let mut outcomes = Vec::new();
    for minutes in 3..20 {
        host.board_status.now_ms = minutes * MINUTE;
        learn_one(&mut host);
        outcomes.push(host.command(Request::Save));
    }
    let worn = Reply::Refused(ErrorReply::WornOut);
    assert!(matches!(outcomes[0], Reply::Saved { .. }));
    assert_eq!(outcomes.last(), Some(&worn));
    assert_eq!(host.command(Request::unsigned_push(len)), worn);
    assert_eq!(host.status().wear, 3);
    let saved = outcomes
        .iter()
        .filter(|reply| matches!(reply, Reply::Saved { .. }));
    assert!(saved.count() < 6);
}

#[test]
fn a_model_too_large_for_the_flash_is_refused_before_anything_is_erased() {
    let flash = Flash::new();
    let store = || SlotRing::mount(flash.clone(), 0..512).map_err(Into::into);
    let (cells, mut model) = (flash.cells(), fresh());
    let mut unit: Unit<'_> = Unit::new(&mut model, reset, store(), WearLimit::new(MINUTE, 9));
    let mut host = Host::new(&mut unit);
    host.learn_all(1, 30);
    let too_long = refused(StoreErrorCode::TooLong);
    assert_eq!(host.command(Request::Save), too_long);
    let len = 256 - 64;
    assert_eq!(host.command(Request::unsigned_push(len + 1)), too_long);
    assert_eq!(flash.cells(), cells);
    // Refusing has not used up the minute.
    assert_eq!(host.command(Request::unsigned_push(len)), Reply::Done);
}

#[test]
fn a_device_without_a_store_does_everything_else() {
    for reason in [StoreErrorCode::Missing, StoreErrorCode::OtherVersion] {
        let mut model = fresh();
        let mut unit: Unit<'_> = Unit::new(&mut model, reset, Err(reason), EAGER);
        let mut host = Host::new(&mut unit);
        host.learn_all(1, 20);
        assert_eq!(host.pull(), image_of(&taught(1, 20)));
        let bytes = &[1];
        for command in [
            Request::Save,
            Request::Load,
            Request::unsigned_push(10),
            Request::PushPart { offset: 0, bytes },
            Request::PushEnd,
        ] {
            assert_eq!(host.command(command), refused(reason));
        }
        assert_eq!(host.identity().store_bytes, 0);
        assert_eq!(host.pull(), image_of(&taught(1, 20)));
    }
}

/// Fails every single read on the way; the model is then what it was, or fresh, and the generation
/// tells which.
#[test]
fn a_flash_that_fails_while_loading_leaves_no_half_model() {
    let flash = Flash::new();
    let old = taught(1, 30);
    flash
        .mount()
        .expect("mounts")
        .save_model(&old)
        .expect("saves");
    let (mut kept, mut emptied, mut loaded) = (0, 0, 0);
    for reads in 0.. {
        let mut model = fresh();
        let mut unit = flash.unit(&mut model, EAGER);
        let mut host = Host::new(&mut unit);
        host.learn_all(2, 5);
        let before = (host.pull(), host.status().generation);
        *flash.reads_left.borrow_mut() = Some(reads);
        let answer = host.command(Request::Load);
        *flash.reads_left.borrow_mut() = None;
        let after = (host.pull(), host.status().generation);
        if let Reply::Loaded { .. } = answer {
            assert_eq!(after.0, image_of(&old));
            loaded += 1;
            break;
        }
        if after.1 == before.1 {
            assert_eq!(after.0, before.0, "{reads} reads");
            kept += 1;
        } else {
            assert_eq!(after.0, image_of(&fresh()), "{reads} reads");
            assert_ne!(host.status().saved_generation, Some(after.1));
            emptied += 1;
        }
        assert!(matches!(
            answer,
            Reply::Refused(ErrorReply::Image(_) | ErrorReply::Store(_))
        ));
    }
    assert!(kept > 0 && emptied > 0 && loaded == 1, "{kept} {emptied}");
}

// ---- Forgetting ----

fn arm(host: &mut Host<'_>) -> u32 {
    match host.command(Request::Arm) {
        Reply::Armed { token } => token,
        other => panic!("{other:?}"),
    }
}

const NOT_ARMED: Reply<'_> = Reply::Refused(ErrorReply::NotArmed);

#[test]
fn an_armed_reset_forgets_what_is_in_memory_and_not_what_is_in_flash() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    host.learn_all(1, 20);
    host.command(Request::Save);
    let cells = flash.cells();
    let token = arm(&mut host);
    // Questions do not come between.
    host.status();
    host.pull();
    assert_eq!(host.command(Request::Reset { token }), Reply::Done);
    assert_eq!(host.pull(), image_of(&fresh()));
    assert_eq!(flash.cells(), cells);
    assert_eq!(flash.found(), image_of(&taught(1, 20)));
    // The token is used up.
    host.learn_all(1, 5);
    assert_eq!(host.command(Request::Reset { token }), NOT_ARMED);
    assert_eq!(host.pull(), image_of(&taught(1, 5)));
}

#[test]
fn a_reset_that_is_not_armed_forgets_nothing() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    host.learn_all(1, 20);
    for token in [0, 1, u32::MAX] {
        assert_eq!(host.command(Request::Reset { token }), NOT_ARMED);
    }
    // A wrong token disarms.
    let token = arm(&mut host);
    let wrong = token ^ 1;
    assert_eq!(host.command(Request::Reset { token: wrong }), NOT_ARMED);
    assert_eq!(host.command(Request::Reset { token }), NOT_ARMED);
    // So does any other command, even one that is refused.
    let nothing = bytes_of(&[f32::NAN; 2]);
    let others = [Request::PushEnd, learn(&nothing, 0)];
    for other in others {
        let token = arm(&mut host);
        host.command(other);
        assert_eq!(host.command(Request::Reset { token }), NOT_ARMED);
    }
    assert_eq!(host.pull(), image_of(&taught(1, 20)));
}

#[test]
fn tokens_are_never_what_a_host_would_guess() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    let mut tokens = Vec::new();
    for now in 0..200 {
        host.board_status.now_ms = now / 2;
        let token = arm(&mut host);
        // Numbers, times and small things are what a mistaken host would send.
        assert!(token > 100_000, "{token}");
        tokens.push(token);
    }
    tokens.sort_unstable();
    tokens.dedup();
    assert_eq!(tokens.len(), 200);
}

#[test]
fn a_reset_model_can_be_saved_over_the_old_one() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    host.learn_all(1, 20);
    host.command(Request::Save);
    let token = arm(&mut host);
    host.command(Request::Reset { token });
    assert!(matches!(
        host.command(Request::Save),
        Reply::Saved { sequence: 1, .. }
    ));
    assert_eq!(flash.found(), image_of(&fresh() as &Model));
}
