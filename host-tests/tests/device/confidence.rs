//! Probabilities and unknown inputs over the wire.

use super::corrections::{Inner, stream, with};
use crate::bench::{Host, bytes_of};
use pocketron::{
    device::{
        Confidence, RemoteModel,
        message::{Floats, Reply, Request},
    },
    label::Class,
    persist::Ready,
    prelude::*,
    wrap::Undo,
    wrap::confidence::{Calibrated, Confident, NoveltyDetector},
};

fn confidence(host: &mut Host<'_>, x: &[f32; 2]) -> Confidence {
    let features = bytes_of(x);
    let features = Floats(&features);
    match host.question(Request::Predict { features }) {
        Reply::Predicted {
            probability, known, ..
        } => Confidence {
            probability,
            known,
            ..Confidence::default()
        },
        other => panic!("{other:?}"),
    }
}

/// Teaches two of the classes to a device and directly, and compares what they say of predictions.
fn confident<L: RemoteModel<Input = [f32; 2]> + Ready>() -> Vec<Confidence> {
    let mut said = Vec::new();
    with::<L>(0, |host| {
        let mut direct = L::BLANK;
        for (x, class) in stream(5).filter(|(_, class)| *class < 2).take(300) {
            host.learn(&x, class);
            direct
                .learn_class(&x, Class(class))
                .expect("a good example");
        }
        for x in [[0.5, 1.0], [1.5, 1.0], [90.0, -90.0]] {
            let wanted = direct.confidence(&x).expect("a good example");
            let wanted = Confidence {
                class: None,
                ..wanted
            };
            assert_eq!(confidence(host, &x), wanted);
            said.push(wanted);
        }
    });
    said
}

#[test]
fn probabilities_and_unknown_inputs_come_over_the_wire() {
    for said in confident::<Undo<Inner>>() {
        assert_eq!(said, Confidence::default());
    }
    for said in confident::<Undo<Calibrated<Pocketron<2, 8>>>>() {
        let probability = said.probability.expect("calibrated");
        assert!((0.0..=1.0).contains(&probability) && said.known.is_none());
    }
    let said = confident::<Undo<NoveltyDetector<Calibrated<Pocketron<2, 8>>>>>();
    let both = |said: &Confidence| said.probability.is_some() && said.known.is_some();
    assert!(said.iter().all(both));
    let said = confident::<Undo<Confident<Inner, 3>>>();
    assert!(said.iter().all(both));
    assert_eq!(said[2].known, Some(false), "far away");
    let said = confident::<Undo<NoveltyDetector<Inner>>>();
    let only_known = |said: &Confidence| said.probability.is_none() && said.known.is_some();
    assert!(said.iter().all(only_known));
}

#[test]
fn confidence_is_what_the_wrappers_say() {
    let mut model = NoveltyDetector::<Calibrated<Pocketron<2, 8>>>::new();
    let mut unknown = 0;
    for (x, class) in stream(5).filter(|(_, class)| *class < 2).take(400) {
        let said = RemoteModel::confidence(&model, &x).expect("a good example");
        let right = model.learner().confidence(&x).expect("a good example");
        let is_unknown = model.is_unknown(&x).expect("a good example");
        assert_eq!(said.probability, Some(right));
        assert_eq!(said.known, Some(!is_unknown));
        unknown += u32::from(is_unknown);
        let outcome = model.learn_class(&x, Class(class));
        outcome.expect("a good example");
    }
    assert!(unknown > 0 && unknown < 200, "{unknown}");
}

// ---- Any sequence ----
