//! The power fails while a model goes to flash: a restarted device has the old or the new one.

use pocketron::device::message::{Reply, Request};
use pocketron_testkit::flash::Tear;

use crate::bench::{EAGER, Flash, Host, Sim, fresh, image_of, taught};

/// Every instant, every tear, so many seeds for those that are random.
fn cuts(steps: u64, seeds: u64) -> impl Iterator<Item = (u64, Tear, u64)> {
    (0..steps).flat_map(move |step| {
        Tear::ALL.into_iter().flat_map(move |tear| {
            let seeds = if tear.is_random() { seeds } else { 1 };
            (0..seeds).map(move |seed| (step, tear, seed ^ (step << 8)))
        })
    })
}

/// Flash that has seen a few saves, the last of them of `old`.
fn used(old: &[u8]) -> Sim {
    let flash = Flash::new();
    let mut ring = flash.mount().expect("mounts");
    for seed in 50..53 {
        ring.save_model(&taught(seed, 30)).expect("saves");
    }
    let mut model = fresh();
    let mut unit = flash.unit(&mut model, EAGER);
    let answer = Host::new(&mut unit).push(old);
    assert!(matches!(answer, Reply::Saved { .. }));
    assert_eq!(flash.found(), old);
    let sim = flash.sim.borrow();
    sim.clone()
}

/// Cuts `conversation` off at every instant; it ends with the answer that says "saved".
fn survives(old: &[u8], new: &[u8], conversation: impl Fn(&mut Host<'_>) -> Reply<'static>) {
    let sim = used(old);
    let run = |cut: Option<(u64, Tear, u64)>| {
        let flash = Flash::holding(sim.clone());
        let mut model = fresh();
        let mut unit = flash.unit(&mut model, EAGER);
        let mut host = Host::new(&mut unit);
        if let Some((step, tear, seed)) = cut {
            flash.sim.borrow_mut().cut_after(step, tear, seed);
        }
        let answer = conversation(&mut host);
        (flash, answer)
    };
    let (flash, answer) = run(None);
    assert!(matches!(answer, Reply::Saved { .. }), "{answer:?}");
    assert_eq!(flash.found(), new);
    let steps = flash.sim.borrow().steps() - sim.steps();

    let mut found_new = 0;
    let mut total = 0;
    for cut in cuts(steps, 3) {
        let (flash, answer) = run(Some(cut));
        assert!(matches!(answer, Reply::Refused(_)), "{cut:?}: {answer:?}");
        assert!(!flash.sim.borrow().is_powered());
        flash.sim.borrow_mut().reboot();
        let found = flash.found();
        assert!(found == old || found == new, "{cut:?}");
        found_new += u32::from(found == new);
        total += 1;
        // And it can be saved as if nothing had happened.
        let mut model = fresh();
        let mut unit = flash.unit(&mut model, EAGER);
        let mut host = Host::new(&mut unit);
        assert_eq!(host.status().began_fresh, None);
        assert_eq!(
            host.pull(),
            found,
            "{cut:?}: what was found once is found again"
        );
        host.learn_all(9, 3);
        assert!(matches!(host.command(Request::Save), Reply::Saved { .. }));
        assert_eq!(flash.found(), host.pull());
    }
    assert!(
        found_new > 0 && found_new < total / 2,
        "{found_new} of {total}"
    );
}

#[test]
fn a_save_that_is_cut_off_leaves_the_old_model_or_the_new() {
    let old = image_of(&taught(1, 30));
    let mut new = taught(1, 30);
    for (x, class) in crate::bench::examples(2).take(10) {
        crate::bench::teach(&mut new, &x, class);
    }
    survives(&old, &image_of(&new), |host| {
        host.learn_all(2, 10);
        host.command(Request::Save)
    });
}

#[test]
fn a_push_that_is_cut_off_leaves_the_old_model_or_the_new() {
    let (old, new) = (image_of(&taught(1, 30)), image_of(&taught(3, 40)));
    survives(&old, &new, |host| host.push(&new));
}

/// The power may also fail for good in the middle of a push, or the host may just go away.
#[test]
fn a_push_that_nobody_ends_leaves_the_old_model() {
    let (old, new) = (image_of(&taught(1, 30)), image_of(&taught(3, 40)));
    for parts in 0..new.len().div_ceil(64) {
        let flash = Flash::holding(used(&old));
        let mut model = fresh();
        let mut unit = flash.unit(&mut model, EAGER);
        let mut host = Host::new(&mut unit);
        let len = new.len() as u32;
        assert_eq!(host.command(Request::unsigned_push(len)), Reply::Done);
        for (bytes, offset) in new.chunks(64).zip((0..).step_by(64)).take(parts) {
            let part = Request::PushPart { offset, bytes };
            assert_eq!(host.command(part), Reply::Done);
        }
        assert_eq!(flash.found(), old, "{parts} parts");
    }
}
