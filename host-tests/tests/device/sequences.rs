//! Any sequence of commands: the model in memory and the one in flash are what they should be.

use pocketron::device::message::{ErrorReply, Reply, Request, StoreErrorCode};
use proptest::prelude::*;

use crate::bench::{
    EAGER, Flash, Host, Model, bytes_of, fresh, image_of, learn, request, taught, teach,
};

#[derive(Clone, Debug)]
enum Step {
    Learn([f32; 2], u8),
    LearnNonsense,
    Save,
    Load,
    Reset,
    ResetUnarmed,
    Push(u32),
    PushHalf(u32),
    PushBad(u32),
    SayAgain,
    SayTooEarly,
    Noise(Vec<u8>),
    Restart,
}

fn step() -> impl Strategy<Value = Step> {
    let x = [-2.0..2.0_f32, -2.0..2.0_f32];
    prop_oneof![
        8 => (x, 0..2_u8).prop_map(|(x, class)| Step::Learn(x, class)),
        1 => Just(Step::LearnNonsense),
        2 => Just(Step::Save),
        2 => Just(Step::Load),
        1 => Just(Step::Reset),
        1 => Just(Step::ResetUnarmed),
        1 => (1..9_u32).prop_map(Step::Push),
        1 => (1..9_u32).prop_map(Step::PushHalf),
        1 => (1..9_u32).prop_map(Step::PushBad),
        2 => Just(Step::SayAgain),
        1 => Just(Step::SayTooEarly),
        1 => prop::collection::vec(any::<u8>(), 1..200).prop_map(Step::Noise),
        1 => Just(Step::Restart),
    ]
}

/// What a device should have.
struct Expected {
    memory: Model,
    flash: Option<Model>,
}

/// Takes a step, and says whether the conversation goes on without a restart.
fn take(host: &mut Host<'_>, expected: &mut Expected, step: &Step) -> bool {
    match step {
        Step::Learn(x, class) => {
            host.learn(x, *class);
            teach(&mut expected.memory, x, *class);
        }
        Step::LearnNonsense => {
            let answer = host.command(learn(&bytes_of(&[f32::NAN, 1.0]), 0));
            assert_eq!(answer, Reply::Refused(ErrorReply::NonFinite));
        }
        Step::Save => {
            assert!(matches!(host.command(Request::Save), Reply::Saved { .. }));
            expected.flash = Some(expected.memory.clone());
        }
        Step::Load => match (host.command(Request::Load), &expected.flash) {
            (Reply::Loaded { .. }, Some(model)) => expected.memory = model.clone(),
            (answer, None) => {
                let empty = ErrorReply::Store(StoreErrorCode::Empty);
                assert_eq!(answer, Reply::Refused(empty));
            }
            (other, _) => panic!("{other:?}"),
        },
        Step::Reset => {
            let Reply::Armed { token } = host.command(Request::Arm) else {
                panic!("not armed")
            };
            assert_eq!(host.command(Request::Reset { token }), Reply::Done);
            expected.memory = fresh();
        }
        Step::ResetUnarmed => {
            let answer = host.command(Request::Reset { token: 7 });
            assert_eq!(answer, Reply::Refused(ErrorReply::NotArmed));
        }
        Step::Push(seed) => {
            let model = taught(*seed, 20);
            let answer = host.push(&image_of(&model));
            assert!(matches!(answer, Reply::Saved { .. }));
            expected.flash = Some(model.clone());
            expected.memory = model;
        }
        Step::PushHalf(seed) => {
            let image = image_of(&taught(*seed, 20));
            let (len, offset) = (image.len() as u32, 0);
            let bytes = &image[..60];
            assert_eq!(host.command(Request::unsigned_push(len)), Reply::Done);
            let answer = host.command(Request::PushPart { offset, bytes });
            assert_eq!(answer, Reply::Done);
        }
        Step::PushBad(seed) => {
            let mut image = image_of(&taught(*seed, 20));
            image[150] ^= 1;
            assert!(matches!(host.push(&image), Reply::Refused(_)));
        }
        Step::SayAgain => {
            let frame = request(host.next.wrapping_sub(1), Request::Save);
            assert_eq!(host.send(&frame).len(), 1);
        }
        Step::SayTooEarly => {
            let answer = host.ask(host.next.wrapping_add(1), Request::Save);
            assert!(matches!(
                answer,
                Reply::Refused(ErrorReply::OutOfOrder { next }) if next == host.next
            ));
        }
        Step::Noise(bytes) => {
            host.send(bytes);
            host.send(&[0]);
        }
        Step::Restart => return false,
    }
    true
}

proptest! {
    #[test]
    fn memory_and_flash_are_what_the_commands_say(steps in prop::collection::vec(step(), 1..60)) {
        let flash = Flash::new();
        let mut expected = Expected { memory: fresh(), flash: None };
        let mut steps = steps.iter().peekable();
        while steps.peek().is_some() {
            // Switched on: what is in flash is in memory.
            expected.memory = expected.flash.clone().unwrap_or_else(fresh);
            let mut model = fresh();
            let mut unit = flash.unit(&mut model, EAGER);
            let mut host = Host::new(&mut unit);
            prop_assert_eq!(host.pull(), image_of(&expected.memory));
            let mut generation = host.status().generation;
            for step in steps.by_ref() {
                let before = image_of(&expected.memory);
                if !take(&mut host, &mut expected, step) {
                    break;
                }
                let after = image_of(&expected.memory);
                prop_assert_eq!(host.pull(), &after[..], "after {:?}", step);
                let now = host.status().generation;
                prop_assert!(now != generation || before == after, "{:?}", step);
                generation = now;
            }
        }
        let kept = expected.flash.unwrap_or_else(fresh);
        prop_assert_eq!(flash.found(), image_of(&kept));
    }
}
