//! Requests that arrive well and ask for something wrong.

use pocketron::{
    device::message::{ErrorReply, Floats, Reply, Request, StoreErrorCode},
    prelude::*,
};

use crate::bench::{
    EAGER, Flash, Host, Model, Unit, bytes_of, examples, fresh, image_of, learn, reset, taught,
};

/// Refuses a request in the midst of learning, which goes on as if it had not been.
fn refuses(features: &[u8], class: u8, error_reply: ErrorReply) {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    for (count, (x, label)) in examples(3).take(40).enumerate() {
        host.learn(&x, label);
        let before = host.status();
        let answer = host.command(learn(features, class));
        assert_eq!(answer, Reply::Refused(error_reply), "{count}");
        let after = host.status();
        assert_eq!(after.generation, before.generation);
        assert_eq!((after.seen, after.refused), (before.seen, count as u32 + 1));
    }
    assert_eq!(host.pull(), image_of(&taught(3, 40)));
}

#[test]
fn numbers_that_are_none_are_not_learned() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -f32::NAN] {
        for features in [[bad, 0.0], [0.0, bad], [bad, bad]] {
            refuses(&bytes_of(&features), 0, ErrorReply::NonFinite);
        }
    }
}

#[test]
fn another_number_of_features_is_not_learned() {
    for len in [0, 1, 3, 4, 20] {
        refuses(&bytes_of(&vec![0.5; len]), 1, ErrorReply::WrongDimension);
    }
    // Not even whole numbers.
    for len in [1, 7, 9, 11] {
        refuses(&vec![1; len], 1, ErrorReply::WrongDimension);
    }
}

#[test]
fn a_class_beyond_the_last_is_not_learned() {
    for class in [2, 3, 127, 128, 255] {
        refuses(&bytes_of(&[0.5, 0.5]), class, ErrorReply::UnknownClass);
    }
}

#[test]
fn what_is_not_learned_is_not_predicted_either() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    host.learn_all(3, 20);
    let cases = [
        (bytes_of(&[f32::NAN, 0.0]), ErrorReply::NonFinite),
        (bytes_of(&[0.0, f32::INFINITY]), ErrorReply::NonFinite),
        (bytes_of(&[0.0]), ErrorReply::WrongDimension),
        (vec![0; 9], ErrorReply::WrongDimension),
    ];
    for (features, error_reply) in cases {
        let features = Floats(&features);
        let answer = host.question(Request::Predict { features });
        assert_eq!(answer, Reply::Refused(error_reply));
    }
}

#[test]
fn features_far_too_large_overflow_a_polynomial_and_leave_it_as_it_was() {
    type Steep = Stoptron<2, 8, Polynomial>;
    let steep = || Steep::new(Polynomial::new(8, 1.0, 1.0).expect("parameters"));
    let mut model = steep();
    let store = Flash::new().mount();
    type SteepUnit<'m> = pocketron::device::Device<'m, Steep, Flash, 2, 128>;
    let mut unit = SteepUnit::new(&mut model, |_| (), store, EAGER);
    let mut host = Host::new(&mut unit);
    host.learn(&[1.0, 1.0], 1);
    let before = host.pull();
    let large = bytes_of(&[1e30, 1e30]);
    let answer = host.command(learn(&large, 0));
    assert_eq!(answer, Reply::Refused(ErrorReply::Overflow));
    assert_eq!(host.pull(), before);
}

#[test]
fn a_model_that_nobody_configured_is_not_ready() {
    let mut model = Model::BLANK;
    let store = Err(StoreErrorCode::Missing);
    let mut unit: Unit<'_> = Unit::new(&mut model, reset, store, EAGER);
    let mut host = Host::new(&mut unit);
    let example = bytes_of(&[0.0, 1.0]);
    let answer = host.command(learn(&example, 0));
    assert_eq!(answer, Reply::Refused(ErrorReply::NotReady));
    let features = Floats(&example);
    let answer = host.question(Request::Predict { features });
    assert_eq!(answer, Reply::Refused(ErrorReply::NotReady));
}

/// A restart could not load it: the image before stays.
#[test]
fn a_model_that_nobody_configured_is_not_saved() {
    let flash = Flash::new();
    let saved = taught(3, 20);
    let mut ring = flash.mount().expect("mounts");
    ring.save_model(&saved).expect("saves");
    let mut model = Model::BLANK;
    let mut unit: Unit<'_> = Unit::new(
        &mut model,
        |model| *model = Model::BLANK,
        flash.mount(),
        EAGER,
    );
    let mut host = Host::new(&mut unit);
    assert_eq!(host.pull(), image_of(&saved));
    let wear = host.status().wear;
    let Reply::Armed { token } = host.command(Request::Arm) else {
        panic!("not armed");
    };
    assert_eq!(host.command(Request::Reset { token }), Reply::Done);
    let answer = host.command(Request::Save);
    assert_eq!(answer, Reply::Refused(ErrorReply::NotReady));
    assert_eq!(host.status().wear, wear.max(1));
    assert_eq!(flash.found(), image_of(&saved));
    assert!(matches!(host.command(Request::Load), Reply::Loaded { .. }));
    assert_eq!(host.pull(), image_of(&saved));
}
