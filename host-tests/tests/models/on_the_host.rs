//! Models that leave the device as images and go on learning on the host.

use std::{collections::BTreeSet, fs, path::Path};

use pocketron::{
    budget::Random,
    classifier::OnlineClassifier,
    label::{Class, Label},
    learners::{
        continual::{AllViolating, AnnealedSteps},
        multiclass::{OneVsRest, SharedSupport},
    },
    persist::Persist,
    prelude::*,
    storage::{Inline, point::Feature},
    stream::ExampleSource,
};
use pocketron_cli::{
    learner,
    model::{HostModel, image_of},
};

use crate::{
    all_learners::{self, Failed, Visitor},
    sensor::{FEATURES, Sensor},
};

pub type Point = [f32; FEATURES];

pub fn collect<L: Label>(mut sensor: Sensor<L>) -> Vec<(Point, L)> {
    let mut stream = Vec::new();
    while let Ok(Some(example)) = sensor.next_example() {
        stream.push((*example.x, example.label));
    }
    stream
}

/// Moves every learner of `all_learners` to the host in the middle of a stream, and counts those that can.
#[derive(Default)]
struct MovesToHost {
    moved: usize,
    stayed: BTreeSet<String>,
}

/// Rows after which the model moves again: at first, while its columns grow, when they are full, and when drift is
/// noticed.
const MOVES: [usize; 9] = [0, 3, 50, 260, 300, 460, 480, 500, 550];

/// Lets a learner go on at the host in the middle of a stream, bit for bit; false if the host cannot run it.
pub fn goes_on<C>(name: &str, mut device: C, stream: &[(Point, C::Label)]) -> bool
where
    C: OnlineClassifier<Input = Point> + Persist,
{
    let Ok(mut host) = HostModel::open(&image_of(&device)) else {
        return false;
    };
    assert_eq!(host.features(), FEATURES, "{name}");
    for (row, (x, label)) in stream[..600].iter().enumerate() {
        if MOVES.contains(&row) {
            let bytes = image_of(&device);
            assert!(host.image() == bytes, "{name} has become another by {row}");
            host = HostModel::open(&bytes).expect("it could before");
            assert!(
                host.image() == bytes,
                "{name} changes when it is read, row {row}"
            );
        }
        let here = host.learn(x, label.index() as u8).expect("a good example");
        let there = device.learn(x, *label).expect("a good example");
        assert_eq!(
            here.score.to_bits(),
            there.score.to_bits(),
            "{name}, row {row}"
        );
        assert_eq!(usize::from(here.predicted.0), there.predicted.index());
        assert_eq!(
            (here.mistake, here.admission, here.warning),
            (there.mistake, there.admission, there.warning)
        );
    }
    for (x, _) in &stream[600..700] {
        let class = host.predict(x).expect("a good example").class;
        let there = device.predict(x).expect("a good example");
        assert_eq!(usize::from(class), there.index(), "{name}");
    }
    assert!(
        host.image() == image_of(&device),
        "{name} has become another"
    );
    true
}

impl Visitor for MovesToHost {
    fn every<C>(&mut self, name: &str, device: C, stream: Sensor<C::Label>) -> Result<(), Failed>
    where
        C: OnlineClassifier<Input = Point> + Persist + Clone,
    {
        if goes_on(name, device, &collect(stream)) {
            self.moved += 1;
        } else {
            self.stayed.insert(name.into());
        }
        Ok(())
    }
}

#[test]
fn a_model_goes_on_learning_on_the_host_bit_for_bit() {
    let mut movers = MovesToHost::default();
    all_learners::visit_all(&mut movers).expect("the parameters are good");
    // What only makes sense in the primal, counts voters, keeps exemplars, or learns without labels.
    let stayed = [
        "averaged-primal",
        "drawn-primal",
        "exemplar-replay",
        "kw",
        "last-unit-norm",
        "longest",
        "normal",
        "paum",
        "paum-kernel",
        "teachable",
        "voted",
        "voted-primal",
    ];
    assert_eq!(movers.stayed, stayed.map(String::from).into());
    assert!(movers.moved >= 48, "{}", movers.moved);
}

/// Memory that grows has room for all features before the first example, as fixed memory has.
#[test]
fn the_default_learner_of_the_host_is_new_as_on_the_device() {
    let here = learner::heap_pocketron(FEATURES, 9);
    assert!(image_of(&here) == image_of(&Pocketron::<FEATURES, 9>::new()));
}

/// Rows in standard deviations stand for the levels that they are nearest to.
#[test]
fn whole_features_without_a_scale_run_on_the_host() {
    let mut device = Forgetron::<2, 6, Gaussian, i8>::new(Gaussian::constant(1.0));
    let mut host = HostModel::open(&image_of(&device)).expect("a known kind");
    for i in 0..40_u8 {
        let x = [f32::from(i % 7) - 3.0, 0.1 * f32::from(i % 11)];
        let label = if i % 3 == 0 { Sign::Pos } else { Sign::Neg };
        let here = host.learn(&x, label.index() as u8).expect("good");
        let there = device
            .learn(&x.map(|x| i8::nearest(x, 2)), label)
            .expect("good");
        assert_eq!((here.score, here.admission), (there.score, there.admission));
    }
    assert!(host.image() == image_of(&device));
    assert!(host.learn(&[0.0], 0).is_err() && host.learn(&[0.0, f32::NAN], 0).is_err());
}

/// Every number of classes has its own copy.
#[test]
fn any_usual_number_of_classes_runs_on_the_host() {
    const RULE: MarginRule = MarginRule::new(1.0).with_margin(0.5);
    fn separate<const C: usize>() {
        let binary = MergingPerceptron::<2, 4>::with_rule(Gaussian::constant(1.0), RULE);
        check(OneVsRest::<_, C>::of(&binary), C);
    }
    fn shared<const C: usize>() {
        type Shared<const C: usize> = SharedSupport<Gaussian, Random, Inline<2, 6>, C, MarginRule>;
        let kernel = Gaussian::constant(1.0);
        check(Shared::<C>::new(kernel, Random::new(7), RULE), C);
    }
    fn merging<const C: usize>() {
        check(PocketronMulti::<2, 6, C>::new(), C);
        check(
            PocketronMulti::<2, 6, C, AllViolating<AnnealedSteps<35, 3>, C>>::new(),
            C,
        );
    }
    fn check<M>(mut device: M, classes: usize)
    where
        M: OnlineClassifier<Input = [f32; 2], Label = Class> + Persist,
    {
        let mut host = HostModel::open(&image_of(&device)).expect("a known kind");
        assert_eq!((host.features(), host.classes()), (2, classes));
        for i in 0..5 * classes {
            let class = i * 7 % classes;
            let x = [class as f32 + 0.1 * (i % 4) as f32, 0.05 * i as f32];
            let here = host.learn(&x, class as u8).expect("a good example");
            let there = device
                .learn(&x, Class(class as u8))
                .expect("a good example");
            assert_eq!(here, there);
        }
        assert!(host.learn(&[0.0, 0.0], classes as u8).is_err());
        assert!(host.image() == image_of(&device));
        let seen: u32 = host.model_info().iter().filter_map(|(seen, _)| *seen).sum();
        assert_eq!(seen as usize, 5 * classes);
    }
    separate::<2>();
    separate::<3>();
    separate::<26>();
    separate::<32>();
    shared::<2>();
    shared::<10>();
    shared::<16>();
    merging::<2>();
    merging::<7>();
    merging::<26>();
    merging::<32>();
}

#[test]
fn an_unknown_kind_is_named() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/images/v1");
    let open = |name: &str| {
        let bytes = fs::read(golden.join(name)).expect("an image");
        HostModel::open(&bytes).map(drop)
    };
    let error = open("voted.pktn").expect_err("no voters here").to_string();
    assert!(error.contains("history `voted(prefixes,1)`"), "{error}");
    let error = open("kw.pktn").expect_err("no ledger here").to_string();
    assert!(error.contains("hypothesis `ledgered("), "{error}");
    open("merge.pktn").expect("a known kind");

    let many = OneVsRest::<_, 33>::of(&Stoptron::<1, 1>::new(Gaussian::constant(1.0)));
    let error = HostModel::open(&image_of(&many)).map(drop);
    let error = error.expect_err("too many").to_string();
    assert!(error.contains("number of classes `33`"), "{error}");
    let mut damaged = image_of(&many);
    damaged[40] ^= 1;
    let error = HostModel::open(&damaged).map(drop).expect_err("damaged");
    assert!(error.to_string().contains("damaged"), "{error}");
}
