//! Any sequence of corrections leaves the model of the host.

use super::corrections::{C, Inner, Undoable, Unit};
use crate::bench::{EAGER, Flash, Host, bytes_of, image_of, learn, request};
use pocketron::{
    device::{
        BoardStatus,
        message::{ErrorReply, Learned, Reply, Request},
    },
    label::Class,
    persist::Blank,
};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Step {
    Learn([f32; 2], u8),
    Nonsense,
    Forget(u8),
    Undo,
    Begin,
    End,
    Rehearse(u16),
    SayAgain,
    Save,
    Load,
}

fn step() -> impl Strategy<Value = Step> {
    let x = [-2.0..2.0_f32, -2.0..2.0_f32];
    prop_oneof![
        8 => (x, 0..C).prop_map(|(x, class)| Step::Learn(x, class)),
        1 => Just(Step::Nonsense),
        1 => (0..C + 1).prop_map(Step::Forget),
        2 => Just(Step::Undo),
        1 => Just(Step::Begin),
        1 => Just(Step::End),
        1 => (0..12_u16).prop_map(Step::Rehearse),
        1 => Just(Step::SayAgain),
        1 => Just(Step::Save),
        1 => Just(Step::Load),
    ]
}

/// What the device should have, by the rules of the page: a model and perhaps the one to go back to.
#[derive(Default)]
struct Expected {
    now: Inner,
    before: Option<Inner>,
    in_block: bool,
    block_copied: bool,
    saved: Option<Inner>,
}

impl Expected {
    fn change(&mut self) -> &mut Inner {
        if !(self.in_block && self.block_copied) {
            self.before = Some(self.now.clone());
            self.block_copied = true;
        }
        &mut self.now
    }
}

fn take(host: &mut Host<'_>, expected: &mut Expected, step: &Step) {
    match *step {
        Step::Learn(x, class) => {
            let learned = host.learn(&x, class);
            let outcome = expected.change().learn(&x, Class(class)).expect("good");
            assert!(matches!(learned, Learned { score, .. } if score == outcome.score));
        }
        Step::Nonsense => {
            let answer = host.command(learn(&bytes_of(&[f32::NAN, 1.0]), 0));
            assert_eq!(answer, Reply::Refused(ErrorReply::NonFinite));
        }
        Step::Forget(class) => {
            let answer = host.command(Request::Forget { class });
            if class < C {
                assert_eq!(answer, Reply::Done);
                expected.change().forget(Class(class));
            } else {
                assert_eq!(answer, Reply::Refused(ErrorReply::UnknownClass));
            }
        }
        Step::Undo => {
            let answer = host.command(Request::Undo);
            match expected.before.take() {
                Some(before) => {
                    assert_eq!(answer, Reply::Done);
                    expected.now = before;
                }
                None => assert_eq!(answer, Reply::Refused(ErrorReply::NothingToUndo)),
            }
            expected.in_block = false;
        }
        Step::Begin => {
            assert_eq!(host.command(Request::BeginBlock), Reply::Done);
            (expected.in_block, expected.block_copied) = (true, false);
        }
        Step::End => {
            assert_eq!(host.command(Request::EndBlock), Reply::Done);
            expected.in_block = false;
        }
        Step::Rehearse(steps) => {
            let moved = expected.now.rehearse(steps);
            let answer = host.command(Request::Rehearse { steps });
            assert_eq!(answer, Reply::Rehearsed { moved });
        }
        Step::SayAgain => {
            let frame = request(host.next.wrapping_sub(1), Request::Undo);
            assert_eq!(host.send(&frame).len(), 1);
        }
        Step::Save => {
            assert!(matches!(host.command(Request::Save), Reply::Saved { .. }));
            expected.saved = Some(expected.now.clone());
        }
        Step::Load => {
            let answer = host.command(Request::Load);
            if let Some(saved) = &expected.saved {
                assert!(matches!(answer, Reply::Loaded { .. }));
                expected.now = saved.clone();
                (expected.before, expected.in_block) = (None, false);
            }
        }
    }
}

proptest! {
    #[test]
    fn the_model_is_what_corrections_leave(steps in prop::collection::vec(step(), 1..60)) {
        let (flash, mut model) = (Flash::new(), Undoable::BLANK);
        let mut unit = Unit::new(&mut model, |_| (), flash.mount(), EAGER);
        let mut host = Host::new(&mut unit);
        host.board_status = BoardStatus::default();
        let mut expected = Expected::default();
        let mut generation = host.status().generation;
        for step in &steps {
            let before = image_of(&expected.now);
            take(&mut host, &mut expected, step);
            let after = image_of(&expected.now);
            prop_assert_eq!(host.pull(), &after[..], "after {:?}", step);
            let now = host.status().generation;
            prop_assert!(now != generation || before == after, "{:?}", step);
            generation = now;
        }
    }
}
