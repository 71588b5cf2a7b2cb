//! Learners of several classes, and of every kind, behind the same handler.

use pocketron::{
    budget::Oldest,
    device::{
        Device, RemoteModel, buffer_for,
        message::{ErrorReply, Floats, Reply, Request},
    },
    label::Class,
    learners::{
        multiclass::{OneVsRest, SharedSupport},
        perceptron::LinearPerceptron,
    },
    num::rng::XorShift32,
    prelude::*,
    storage::Inline,
    wrap::{
        confidence::{Calibrated, NoveltyDetector},
        drift::{DriftMonitor, Report},
    },
};

use crate::bench::{EAGER, Flash, Host, KERNEL, bytes_of, image_of, learn};

const D: usize = 3;
const C: usize = 5;
const FRAME: usize = 256;

type Several = OneVsRest<Forgetron<D, 4>, C>;
type Shared = SharedSupport<Gaussian, Oldest, Inline<D, 4>, C, MarginRule>;

fn several() -> Several {
    Several::of(&Forgetron::new(KERNEL))
}

fn shared() -> Shared {
    Shared::new(KERNEL, Oldest::new(), MarginRule::new(1.0))
}

fn stream(classes: u32) -> impl Iterator<Item = ([f32; D], u8)> {
    let mut random = XorShift32::new(3);
    std::iter::repeat_with(move || {
        let class = random.below(classes);
        let x = [0, 1, 2].map(|feature| {
            let noise = random.below(1024) as f32 / 1024.0;
            if feature == class % 3 {
                1.0 + class as f32 / 3.0 + noise
            } else {
                noise
            }
        });
        (x, class as u8)
    })
}

/// Teaches a learner behind a device, and its twin directly.
fn teaches<L>(fresh: fn() -> L, classes: u32)
where
    L: RemoteModel<Input = [f32; D]> + Clone,
{
    let (flash, mut model) = (Flash::new(), fresh());
    let reset = |_: &mut L| ();
    let mut unit = Device::<_, _, D, FRAME, 2>::new(&mut model, reset, flash.mount(), EAGER);
    let mut host = Host::new(&mut unit);
    assert_eq!(usize::from(host.identity().classes), L::CLASSES);
    let mut direct = fresh();
    for (x, class) in stream(classes).take(60) {
        let features = bytes_of(&x);
        let mut wanted = Vec::new();
        let (winner, highest) = direct
            .score_classes(&x, &mut |score| wanted.push(score))
            .expect("a good example");
        let (it, score, scores) = host.predicted(&x);
        assert_eq!((it, score.to_bits()), (winner.0, highest.to_bits()));
        assert_eq!(scores, wanted);

        let outcome = direct
            .learn_class(&x, Class(class))
            .expect("a good example");
        let Reply::Learned(learned) = host.command(learn(&features, class)) else {
            panic!("not learned")
        };
        assert_eq!(learned.predicted, outcome.predicted.0);
        assert_eq!(learned.score.to_bits(), outcome.score.to_bits());
        assert_eq!(learned.mistake, outcome.mistake);
    }
    assert_eq!(host.pull(), image_of(&direct));
    assert!(host.status().mistakes > 0 && host.status().mistakes < 60);
    let beyond = host.command(learn(&bytes_of(&[0.0; D]), L::CLASSES as u8));
    assert_eq!(beyond, Reply::Refused(ErrorReply::UnknownClass));
    let saved = host.command(Request::Save);
    assert!(matches!(saved, Reply::Saved { .. }), "{saved:?}");

    // After a restart:
    let mut model = fresh();
    let mut unit = Device::<_, _, D, FRAME, 2>::new(&mut model, reset, flash.mount(), EAGER);
    assert_eq!(Host::new(&mut unit).pull(), image_of(&direct));
}

#[test]
fn one_vs_rest_is_taught_as_without_a_device() {
    teaches(several, C as u32);
}

#[test]
fn shared_support_is_taught_as_without_a_device() {
    teaches(shared, C as u32);
}

#[test]
fn two_classes_are_a_binary_perceptron() {
    teaches(|| Forgetron::<D, 6>::new(KERNEL), 2);
    teaches(LinearPerceptron::<D>::new, 2);
}

#[test]
fn what_goes_around_a_learner_is_taught_as_without_a_device() {
    teaches(PocketronMulti::<D, 6, C>::new, C as u32);
    teaches(Undo::<PocketronMulti<D, 6, C>>::new, C as u32);
    teaches(|| NoveltyDetector::<_>::of(several()), C as u32);
    teaches(|| DriftMonitor::of(shared(), Report), C as u32);
    teaches(Calibrated::<Pocketron<D, 6>>::new, 2);
}

/// Two classes, of which only the first can be taught.
#[test]
fn what_is_normal_is_class_zero_and_anomalies_are_class_one() {
    let (flash, mut model) = (Flash::new(), Normal::<D, 6>::new());
    let reset = |model: &mut Normal<D, 6>| model.reset();
    let mut unit = Device::<_, _, D, FRAME, 2>::new(&mut model, reset, flash.mount(), EAGER);
    let mut host = Host::new(&mut unit);
    assert_eq!(host.identity().classes, 2);
    let mut direct = Normal::<D, 6>::new();
    for (x, _) in stream(1).take(60) {
        direct.learn(&x).expect("a good example");
        let learned = host.command(learn(&bytes_of(&x), 0));
        assert!(matches!(learned, Reply::Learned(_)), "{learned:?}");
    }
    assert_eq!(host.pull(), image_of(&direct));
    let anomaly = host.command(learn(&bytes_of(&[0.5; D]), 1));
    assert_eq!(anomaly, Reply::Refused(ErrorReply::UnknownClass));
    for (x, wanted) in [([1.5, 0.5, 0.5], 0), ([9.0, 0.5, 0.5], 1)] {
        let (class, score, scores) = host.predicted(&x);
        assert_eq!(class, wanted);
        assert_eq!(Ok(scores[1]), direct.score(&x));
        assert_eq!(scores[0], direct.threshold());
        assert_eq!(scores[usize::from(class)], score);
    }
    let saved = host.command(Request::Save);
    assert!(matches!(saved, Reply::Saved { .. }), "{saved:?}");

    // After a restart:
    let mut model = Normal::<D, 6>::new();
    let mut unit = Device::<_, _, D, FRAME, 2>::new(&mut model, reset, flash.mount(), EAGER);
    assert_eq!(Host::new(&mut unit).pull(), image_of(&direct));
}

/// The class that wins need not be the one with the highest score of all: those that were never
/// seen have a score of zero, and take no part.
#[test]
fn a_class_that_was_never_seen_does_not_win() {
    type Lines = OneVsRest<LinearPerceptron<D>, C>;
    let (flash, mut model) = (Flash::new(), Lines::of(&LinearPerceptron::new()));
    let reset = |_: &mut Lines| ();
    let mut unit = Device::<_, _, D, FRAME, 2>::new(&mut model, reset, flash.mount(), EAGER);
    let mut host = Host::new(&mut unit);
    for (x, class) in [([2.0, 0.0, 0.5], 2), ([0.0, 2.0, 0.5], 3)] {
        host.command(learn(&bytes_of(&x), class));
    }
    let (class, score, scores) = host.predicted(&[-1.0, -0.5, -1.0]);
    assert_eq!((scores.len(), scores[0]), (C, 0.0));
    assert!(score < 0.0, "{scores:?}");
    assert_eq!(scores[usize::from(class)], score);
}

#[test]
fn the_smallest_buffer_is_enough_for_the_largest_answers() {
    const MANY: usize = 256;
    const SMALL: usize = buffer_for(D, MANY);
    type Crowd = OneVsRest<LinearPerceptron<D>, MANY>;
    let mut model = Crowd::of(&LinearPerceptron::new());
    let reset = |_: &mut Crowd| ();
    let store = Flash::new().mount();
    let mut unit = Device::<_, _, D, SMALL, 2>::new(&mut model, reset, store, EAGER);
    let mut host = Host::new(&mut unit);
    let features = bytes_of(&[1.0; D]);
    for class in [0, 128, 255] {
        let answer = host.command(learn(&features, class));
        assert!(matches!(answer, Reply::Learned(_)));
    }
    let features = Floats(&features);
    let answer = host.ask(u32::MAX, Request::Predict { features });
    let Reply::Predicted { scores, .. } = answer else {
        panic!("no prediction")
    };
    assert_eq!(scores.iter().count(), MANY);
    host.identity();
    host.status();
    let image = host.pull();
    assert_eq!(image.len() % 4, 0);
}
