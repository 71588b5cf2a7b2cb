//! Learners inside of the core's wrappers, moved to the host: they go on bit for bit, and say the same.

use pocketron::{
    budget::{
        FewestErrors, Merging, Oldest, Projecting, ProjectingMargins, Random, Reservoir, Stop,
        WithIdentities,
    },
    classifier::OnlineClassifier,
    device::Confidence,
    history::Averaged,
    hypothesis::{Expansion, Linear},
    label::{Class, ClassLabel},
    learners::{
        continual::{AllViolating, AnnealedSteps},
        multiclass::{OneVsRest, SharedSupport},
        perceptron::{KernelPerceptron, Perceptron},
    },
    persist::{Persist, Ready, Restart},
    prelude::*,
    rule::{Alma, F1},
    storage::Inline,
    wrap::{
        Standardized,
        confidence::{Calibrated, Confident, EvidenceSource, NoveltyDetector},
        drift::{DriftMonitor, Freeze, Reaction, Report, Reset, RollBack, Snapshot},
    },
};
use pocketron_cli::model::{HostModel, image_of};

use crate::{
    all_learners::{self, Binary, Failed, Multiclass, Visitor},
    kept::{reseal, restore},
    nonsense::words,
    on_the_host::{Point, collect, goes_on},
    sensor::{FEATURES, Sensor},
};

const B: usize = 12;
const C: usize = 4;
const KERNEL: Gaussian = Gaussian::constant(2.0);
type Two = Pocketron<FEATURES, B>;
type Several = PocketronMulti<FEATURES, B, C>;
type Separate = PocketronMulti<FEATURES, B, C, AllViolating<AnnealedSteps<35, 3>, C>>;
type Bytes = Stoptron<FEATURES, B, Gaussian, i8>;

/// Four classes, two of which change their names in the midst.
fn turning_fields() -> Vec<(Point, Class)> {
    let stream = collect(Sensor::fields()).into_iter().enumerate();
    let turned = |row: usize, Class(class): Class| Class(if row < 450 { class } else { class ^ 1 });
    let stream = stream.map(|(row, (x, class))| (x, turned(row, class)));
    stream.collect()
}

#[track_caller]
fn two(name: &str, device: impl OnlineClassifier<Input = Point, Label = Sign> + Persist) {
    assert!(goes_on(name, device, &collect(Sensor::turning())), "{name}");
}

#[track_caller]
fn several(name: &str, device: impl OnlineClassifier<Input = Point, Label = Class> + Persist) {
    assert!(goes_on(name, device, &turning_fields()), "{name}");
}

/// Every learner of `all_learners` that runs on the host runs there in wrappers, too.
#[test]
fn wrappers_go_around_every_learner_that_the_host_runs() {
    struct Wrapping(usize);
    impl Wrapping {
        fn check<C>(
            &mut self,
            name: &str,
            plain: &dyn Persist,
            wrapped: C,
            stream: &[(Point, C::Label)],
        ) where
            C: OnlineClassifier<Input = Point> + Persist,
        {
            if HostModel::open(&image_of(plain)).is_ok() {
                assert!(goes_on(name, wrapped, stream), "{name}");
                self.0 += 1;
            }
        }
    }
    impl Visitor for Wrapping {
        fn visit<C: Binary>(
            &mut self,
            name: &str,
            learner: C,
            stream: Sensor<Sign>,
        ) -> Result<(), Failed> {
            let stream = collect(stream);
            let calibrated = Calibrated::of(learner.clone());
            let watched = DriftMonitor::of(NoveltyDetector::<_, 7>::of(calibrated.clone()), Report);
            self.check(name, &learner, calibrated, &stream);
            self.check(name, &learner, watched, &stream);
            Ok(())
        }

        fn visit_classes<C: Multiclass>(
            &mut self,
            name: &str,
            learner: C,
            stream: Sensor<Class>,
        ) -> Result<(), Failed> {
            let wrapped = NoveltyDetector::<_, 15>::of(DriftMonitor::of(learner.clone(), Report));
            self.check(name, &learner, wrapped, &collect(stream));
            Ok(())
        }
    }
    let mut wrapping = Wrapping(0);
    all_learners::visit_all(&mut wrapping).expect("the parameters are good");
    assert!(wrapping.0 >= 80, "{}", wrapping.0);
}

/// Two places far apart, so that every learner makes few mistakes until labels mean nothing for a while.
fn far_apart() -> Vec<(Point, Sign)> {
    let stream = collect(Sensor::new()).into_iter().enumerate();
    let stream = stream.map(|(row, (x, _))| {
        let side = Sign::of(x[0]);
        let label = match row {
            450..500 => Sign::of((row % 2) as f32),
            _ => side,
        };
        (x.map(|x| side.value() + 0.2 * x), label)
    });
    stream.collect()
}

/// Goes on at the host, through at least one alarm.
#[track_caller]
fn alarmed<L, R>(name: &str, device: DriftMonitor<L, R>)
where
    L: OnlineClassifier<Input = Point, Label: ClassLabel> + Persist + Clone,
    R: Reaction<L> + Persist + Clone,
{
    let label = |sign: Sign| L::Label::of_class(sign.class()).expect("two classes at least");
    let stream = far_apart().into_iter();
    let stream: Vec<_> = stream.map(|(x, sign)| (x, label(sign))).collect();
    let mut alone = device.clone();
    let alarms = stream[..600].iter().filter(|(x, label)| {
        alone.learn(x, *label).expect("a good example");
        alone.alarmed()
    });
    assert!(alarms.count() > 0, "{name} notices nothing");
    assert!(goes_on(name, device, &stream), "{name}");
}

#[test]
fn every_reaction_goes_on_at_the_host() {
    alarmed("tell", DriftMonitor::<Two, Report>::new());
    alarmed("empty", DriftMonitor::<Two, Reset>::new());
    alarmed("freeze", DriftMonitor::<Two, Freeze>::new());
    alarmed("roll-back", DriftMonitor::<Two, RollBack<Two>>::new());
    alarmed("snapshot", DriftMonitor::<Two, Snapshot<Two>>::new());
    type Both = Snapshot<Two, Snapshot<Two, RollBack<Two>>>;
    alarmed("snapshots", DriftMonitor::<Two, Both>::new());
    alarmed("tell", DriftMonitor::<Several, Report>::new());
    alarmed("empty", DriftMonitor::<Several, Reset>::new());
    alarmed("freeze", DriftMonitor::<Several, Freeze>::new());
    alarmed(
        "roll-back",
        DriftMonitor::<Several, RollBack<Several>>::new(),
    );
    alarmed(
        "snapshot",
        DriftMonitor::<Several, Snapshot<Several, Reset>>::new(),
    );
    alarmed("each", DriftMonitor::<Separate, RollBack<Separate>>::new());
}

/// On alarm, every kind of part begins anew as it does on the device.
#[test]
fn every_part_begins_anew_at_the_host() {
    fn empty<L>(name: &str, learner: L)
    where
        L: OnlineClassifier<Input = Point, Label: ClassLabel> + Restart + Persist + Clone,
    {
        alarmed(name, DriftMonitor::of(learner, Reset));
    }
    type Memory = Inline<FEATURES, B>;
    type Dual<P, R, Y> = KernelPerceptron<Gaussian, P, Memory, R, Y>;
    let margin = MarginRule::new(1.0).with_margin(1.0);
    empty("f1", PocketronRare::<FEATURES, B, F1>::new());
    empty("balanced", PocketronRare::<FEATURES, B>::new());
    empty("fixed", FixedBudget::<FEATURES, B>::new(KERNEL));
    empty("forgetron", Forgetron::<FEATURES, B>::new(KERNEL));
    empty("tightest", TightestCached::<FEATURES, B>::new(KERNEL));
    let random = Random::new(5);
    empty(
        "random",
        RandomBudget::<FEATURES, B>::with_policy(KERNEL, random, UnitSteps),
    );
    let sample = FewestErrors::new(Reservoir::new(3));
    empty(
        "tighter",
        Tighter::<FEATURES, B, 9>::with_policy(KERNEL, sample, UnitSteps),
    );
    let projecting = Projecting::new(Stop, 0.2).expect("good");
    empty(
        "projectron",
        Projectron::<FEATURES, B>::with_policy(KERNEL, projecting, UnitSteps),
    );
    let projecting = ProjectingMargins::new(Stop, 0.2).expect("good");
    empty(
        "projectron++",
        ProjectronPlus::<FEATURES, B>::with_policy(KERNEL, projecting, margin),
    );
    let remembering = WithIdentities::<_, Memory>::new(Oldest::new());
    empty(
        "remembering",
        Perceptron::from_parts(Expansion::<_, _, Memory>::new(KERNEL, remembering), margin),
    );
    let rule = Shrinking::new(0.01).expect("good");
    empty("bsgd", Bsgd::<FEATURES, B>::with_rule(KERNEL, rule));
    let averaged = Averaged::<[f32; B]>::new();
    let expansion = Expansion::new(KERNEL, Merging);
    empty(
        "averaged",
        Dual::<_, _, Averaged<[f32; B]>>::with_history(expansion, margin, averaged),
    );
    let alma = Alma::new(0.9).expect("good");
    empty(
        "alma",
        Perceptron::from_parts(Linear::<[f32; FEATURES]>::BLANK, alma),
    );
    empty(
        "standardized",
        Standardized::<_, FEATURES>::of(Bytes::new(KERNEL)),
    );
    let classes = OneVsRest::<_, C>::of(&Calibrated::<Two>::new());
    empty("one-vs-rest", classes);
    type Shared = SharedSupport<Gaussian, Random, Memory, C, MarginRule>;
    let shared = Shared::new(KERNEL, Random::new(7), margin);
    empty("shared", shared);
}

#[test]
fn wrappers_nest_in_any_order() {
    type Inner = Calibrated<NoveltyDetector<Two, 10>>;
    type Middle = DriftMonitor<Inner, Snapshot<Inner, RollBack<Inner>>>;
    two("outside watched", Middle::new());
    two(
        "twice watched",
        DriftMonitor::<Middle, RollBack<Middle>>::new(),
    );
    two(
        "inside watched",
        NoveltyDetector::<Calibrated<Middle>, 1>::new(),
    );
    let scaled = || Standardized::<_, FEATURES>::of(Calibrated::of(Bytes::new(KERNEL)));
    two("behind a scale", scaled());
    two(
        "around a scale",
        NoveltyDetector::<_, 99>::of(DriftMonitor::of(scaled(), Freeze::BLANK)),
    );
    // What can be taken back is not in an image.
    two("undo", Calibrated::<Undo<NoveltyDetector<Two>>>::new());

    type Several3 = NoveltyDetector<Several, 3>;
    several("familiar", Several3::new());
    several(
        "around",
        DriftMonitor::<Several3, RollBack<Several3>>::new(),
    );
    type Rolled = DriftMonitor<Separate, RollBack<Separate>>;
    several("inside", NoveltyDetector::<Rolled, 0>::new());
    // Nearest to the learner: nothing else says what its answers come from.
    type Sure2 = Confident<Two, 2>;
    two("confident", Undo::<Sure2>::new());
    two(
        "inside calibrated",
        Calibrated::<NoveltyDetector<Sure2>>::new(),
    );
    two("rolled back", DriftMonitor::<Sure2, RollBack<Sure2>>::new());
    type Sure4 = Confident<Several, C>;
    several("confident", Sure4::new());
    several("each", Confident::<Separate, C>::new());
    several("emptied", DriftMonitor::<Sure4, Reset>::new());
    several("snapshots", DriftMonitor::<Sure4, Snapshot<Sure4>>::new());
    several("rows", OneVsRest::<_, C>::of(&Sure2::new()));
    let inside = OneVsRest::<_, C>::of(&DriftMonitor::<Two, RollBack<Two>>::new());
    several("of each class", NoveltyDetector::<_, 30>::of(inside));
}

/// Probabilities, and what is unknown.
#[test]
fn the_host_says_what_the_device_says() {
    fn told<L>(mut device: L, stream: &[(Point, L::Label)], tell: impl Fn(&L, &Point) -> Confidence)
    where
        L: OnlineClassifier<Input = Point> + Persist,
    {
        let (first, later) = stream.split_at(400);
        for (x, label) in first {
            device.learn(x, *label).expect("good");
        }
        let host = HostModel::open(&image_of(&device)).expect("a known kind");
        let far = [1e6; FEATURES];
        for x in later.iter().map(|(x, _)| x).chain([&far]) {
            let here = host.predict(x).expect("good").confidence;
            assert_eq!(here, tell(&device, x));
        }
    }
    let two = collect(Sensor::new());
    told(
        Calibrated::<NoveltyDetector<Two>>::new(),
        &two,
        |model, x| Confidence {
            probability: Some(model.confidence(x).expect("good")),
            known: Some(!model.learner().is_unknown(x).expect("good")),
            ..Confidence::default()
        },
    );
    let several = turning_fields();
    told(
        NoveltyDetector::<Several, 20>::new(),
        &several,
        |model, x| Confidence {
            probability: None,
            known: Some(!model.is_unknown(x).expect("good")),
            ..Confidence::default()
        },
    );
    fn answer<L: EvidenceSource<Input = Point>, const C: usize>(
        model: &Confident<L, C>,
        x: &Point,
    ) -> Confidence {
        let answer = model.answer(x).expect("good");
        Confidence {
            probability: Some(answer.probability),
            known: Some(answer.known),
            ..Confidence::default()
        }
    }
    told(Confident::<Two, 2>::new(), &two, answer);
    told(Confident::<Several, C>::new(), &several, answer);
    told(Two::new(), &two, |_, _| Confidence::default());
}

#[test]
fn wrappers_are_named_with_their_state() {
    type Watching = DriftMonitor<Two, RollBack<Two>>;
    let mut device = Calibrated::<NoveltyDetector<Watching, 20>>::new();
    for (x, label) in &collect(Sensor::new())[..500] {
        device.learn(x, *label).expect("good");
    }
    let host = HostModel::open(&image_of(&device)).expect("a known kind");
    assert_eq!(host.classes(), 2);
    let wrappers = host.wrappers();
    let names: Vec<_> = wrappers.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["calibrated", "novelty detector", "drift monitor"]);
    let says = |place: usize, text: &str| {
        let (_, state) = &wrappers[place];
        assert!(state.contains(text), "{state}");
    };
    says(0, &format!("{} score", device.platt().slope()));
    says(
        1,
        &format!("below {} are unknown: 20 %", device.learner().level()),
    );
    says(2, "on alarm: go back to an earlier copy (held)");
    let seen: u32 = host.model_info().iter().filter_map(|(seen, _)| *seen).sum();
    assert_eq!(seen, 500);

    let mut device = Confident::<Several, C>::new();
    for (x, label) in &turning_fields()[..100] {
        device.learn(x, *label).expect("good");
    }
    let host = HostModel::open(&image_of(&device)).expect("a known kind");
    let (name, state) = &host.wrappers()[0];
    assert_eq!(*name, "confident");
    assert!(state.contains(&format!("{} margin", device.slope())));
    assert!(state.contains(&format!("above {} are unknown", device.limit())));
    for (class, (_, model_info)) in (0..).map(Class).zip(host.model_info()) {
        assert_eq!(model_info.recall, Some(device.learner().recall(class)));
    }
}

/// The host takes what the device takes, and refuses what it refuses.
#[test]
fn a_damaged_or_absurd_state_is_refused() {
    fn check<L>(mut device: L, stream: &[(Point, L::Label)])
    where
        L: OnlineClassifier<Input = Point> + Persist + Clone + Ready,
    {
        for (x, label) in &stream[..300] {
            device.learn(x, *label).expect("good");
        }
        let bytes = image_of(&device);
        HostModel::open(&bytes).expect("a known kind");
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(HostModel::open(&damaged).is_err(), "bit {bit}");
        }
        let (mut taken, mut refused) = (0, 0);
        for word in 3..bytes.len() / 4 - 1 {
            for value in words() {
                let mut changed = bytes.clone();
                changed[4 * word..4 * word + 4].copy_from_slice(&value.to_le_bytes());
                reseal(&mut changed);
                let mut there = L::BLANK;
                let here = HostModel::open(&changed);
                match restore(&mut there, &changed) {
                    Ok(()) => {
                        let here = here.unwrap_or_else(|error| panic!("word {word}: {error}"));
                        assert!(here.image() == image_of(&there), "word {word}");
                        taken += 1;
                    }
                    Err(error) => {
                        assert!(here.is_err(), "word {word} = {value:#x}: {error}");
                        refused += 1;
                    }
                }
            }
        }
        assert!(taken > 100 && refused > 100, "{taken} {refused}");
    }
    let two = collect(Sensor::new());
    type Small = Pocketron<FEATURES, 4>;
    check(Calibrated::<NoveltyDetector<Small>>::new(), &two);
    check(DriftMonitor::<Small, Freeze>::new(), &two);
    check(
        DriftMonitor::<Small, Snapshot<Small, RollBack<Small>>>::new(),
        &two,
    );
    let several = turning_fields();
    check(
        NoveltyDetector::<PocketronMulti<FEATURES, 4, C>, 10>::new(),
        &several,
    );
    check(Confident::<Small, 2>::new(), &two);
    check(
        Confident::<PocketronMulti<FEATURES, 4, C>, C>::new(),
        &several,
    );
}

#[test]
fn wrappers_that_do_not_exist_are_refused() {
    fn refused(device: &dyn Persist, part: &str, other: &str) {
        assert_eq!(part.len(), other.len());
        let mut bytes = image_of(device);
        HostModel::open(&bytes).expect("a known kind");
        let place = |bytes: &[u8]| {
            bytes
                .windows(part.len())
                .rposition(|at| at == part.as_bytes())
        };
        let at = place(&bytes).expect("a part of the shape");
        bytes[at..at + part.len()].copy_from_slice(other.as_bytes());
        reseal(&mut bytes);
        let error = HostModel::open(&bytes)
            .map(drop)
            .expect_err(other)
            .to_string();
        assert!(error.contains("cannot run this kind"), "{error}");
    }
    let familiar = NoveltyDetector::<Several>::new();
    for other in ["quantile(x)", "quantile(0x", "quantile,5)", "quantiles5)"] {
        refused(&familiar, "quantile(5)", other);
    }
    refused(&familiar, "familiar(", "familial(");
    let ten = NoveltyDetector::<Two, 10>::new();
    for other in ["(-1)", "(1.)", "(05)", "(5,)"] {
        refused(&ten, "(10)", other);
    }
    let calibrated = Calibrated::<Two>::new();
    refused(&calibrated, "platt", "plate");
    // Probabilities are for two classes.
    refused(
        &calibrated,
        "continual(2,i8(4,12),1",
        "continual(2,i8(4,12),2",
    );
    let confident = Confident::<Several, C>::new();
    refused(&confident, "confident(", "confidant(");
    // Only the default learner has evidence; a class more; a number that is none.
    refused(&confident, "continual(", "continuum(");
    refused(&confident, "settling(35,3))),4)", "settling(35,3))),1)");
    refused(&confident, "settling(35,3))),4)", "settling(35,3))),x)");
    let back = DriftMonitor::<Two, RollBack<Two>>::new();
    refused(&back, "three-rates", "three-ratez");
    refused(&back, "roll-back", "roll-over");
    refused(&back, "copied", "cloned");
    // A copy of another learner.
    refused(&back, "(4,12)", "(4,13)");
    refused(&back, "settling(30,4)", "settling(31,4)");
}
