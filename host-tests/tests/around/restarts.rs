//! Beginning anew is being new.

use pocketron::{
    budget::{
        FewestErrors, Oldest, Projecting, ProjectingMargins, Reservoir, Stop, WithIdentities,
    },
    history::Averaged,
    hypothesis::Expansion,
    label::Class,
    learners::{
        multiclass::{OneVsRest, SharedSupport},
        perceptron::{LinearPerceptron, Perceptron},
    },
    persist::{Persist, Restart},
    prelude::*,
    storage::Inline,
    wrap::confidence::{Calibrated, NoveltyDetector},
};

use crate::{kept::bytes_of, yinyang};

const KERNEL: Gaussian = Gaussian::constant(2.0);

/// A learner without a scale that has learned and begun anew is what it was at first, and learns like it.
fn begins_anew<L>(name: &str, fresh: L)
where
    L: OnlineClassifier<Input = [f32; 2]> + Persist + Restart + Clone,
    L::Label: From<Side> + PartialEq + std::fmt::Debug,
{
    let mut used = fresh.clone();
    for (x, label) in yinyang(700, 1, 10) {
        used.learn(&x, Side(label).into()).expect("finite");
    }
    assert!(bytes_of(&used) != bytes_of(&fresh), "{name}");
    used.restart();
    assert!(bytes_of(&used) == bytes_of(&fresh), "{name}");
    let mut fresh = fresh;
    for (x, label) in yinyang(700, 2, 10) {
        let label = Side(label);
        assert_eq!(
            used.learn(&x, label.into()),
            fresh.learn(&x, label.into()),
            "{name}"
        );
    }
}

/// Two classes by either kind of label.
#[derive(Clone, Copy)]
struct Side(Sign);

impl From<Side> for Sign {
    fn from(side: Side) -> Sign {
        side.0
    }
}

impl From<Side> for Class {
    fn from(side: Side) -> Class {
        Class(u8::from(side.0 == Sign::Pos))
    }
}

#[test]
fn whoever_begins_anew_is_new() {
    let margin = MarginRule::new(1.0).with_margin(1.0);
    begins_anew("stop", Stoptron::<2, 10>::new(KERNEL));
    begins_anew("stop-i8", {
        // Behind no scale, so that features are whole already.
        Unscaled(Stoptron::<2, 10, Gaussian, i8>::new(KERNEL))
    });
    begins_anew("oldest", RemoveOldest::<2, 10>::new(KERNEL));
    begins_anew("fixed", FixedBudget::<2, 10>::new(KERNEL));
    begins_anew("forgetron", Forgetron::<2, 10>::new(KERNEL));
    begins_anew("tightest", Tightest::<2, 10>::new(KERNEL));
    begins_anew("cached", TightestCached::<2, 10>::new(KERNEL));
    begins_anew("tighter", Tighter0::<2, 10>::new(KERNEL));
    let sample = FewestErrors::new(Reservoir::new(0));
    let tighter = Tighter::<2, 10, 7>::with_policy(KERNEL, sample, UnitSteps);
    begins_anew("tighter-sample", tighter);
    let projecting = Projecting::new(Stop, 0.2).expect("a tolerance");
    let projectron = Projectron::<2, 10>::with_policy(KERNEL, projecting, UnitSteps);
    begins_anew("projectron", projectron);
    let projecting = ProjectingMargins::new(Stop, 0.2).expect("a tolerance");
    let projectron = ProjectronPlus::<2, 10>::with_policy(KERNEL, projecting, margin);
    begins_anew("projectron++", projectron);
    let remembering = WithIdentities::<_, Inline<2, 10>>::new(Oldest::new());
    let expansion = Expansion::<_, _, Inline<2, 10>>::new(KERNEL, remembering);
    begins_anew("remembering", Perceptron::from_parts(expansion, margin));
    let expansion = Expansion::<_, _, Inline<2, 10>>::new(KERNEL, Oldest::new());
    let averaged = Averaged::<[f32; 10]>::new();
    begins_anew(
        "averaged",
        Perceptron::with_history(expansion, margin, averaged),
    );
    begins_anew(
        "merge",
        MergingPerceptron::<2, 10>::with_rule(KERNEL, margin),
    );
    let rule = Shrinking::new(0.01).expect("positive");
    begins_anew("bsgd", Bsgd::<2, 10>::with_rule(KERNEL, rule));
    begins_anew("linear", LinearPerceptron::<2>::new());
    let binary = Forgetron::<2, 10>::new(KERNEL);
    begins_anew("one-vs-rest", OneVsRest::<_, 2>::of(&binary));
    type Shared = SharedSupport<Gaussian, Oldest, Inline<2, 10>, 2, MarginRule>;
    begins_anew("shared", Shared::new(KERNEL, Oldest::new(), margin));
    begins_anew("calibrated", Calibrated::of(binary.clone()));
    begins_anew("familiar", NoveltyDetector::<_>::of(binary));
}

/// But for the dice that it rounds with: they have no memory of examples.
#[test]
fn the_default_learner_begins_anew_as_new() {
    let mut model = Pocketron::<2, 10>::new();
    for (x, label) in yinyang(3000, 1, 0) {
        model.learn(&x, label).expect("finite");
    }
    let weights = |model: &Pocketron<2, 10>| -> Vec<f32> { model.kernel().weights().collect() };
    assert_ne!(weights(&model), [1.0; 2]);
    model.restart();
    let fresh = Pocketron::<2, 10>::new();
    assert_eq!(weights(&model), [1.0; 2]);
    assert_eq!(model.moments(), fresh.moments());
    assert!(model.vectors().is_empty() && !model.is_ready());
    assert_eq!(model.parts().update(), fresh.parts().update());
    assert_eq!(model.score(&[0.3, 0.2]), Ok(0.0));
    assert_eq!(model.seen(Class(0)), 0);
}

#[test]
fn the_width_of_the_kernel_stays_when_the_default_learner_begins_anew() {
    let mut model = Pocketron::<2, 10>::with_gamma(0.25).expect("a width");
    let mut fresh = model.clone();
    for (x, label) in yinyang(300, 1, 0) {
        model.learn(&x, label).expect("finite");
    }
    model.restart();
    // The first steps are not rounded, so that they are the same.
    for (x, label) in &yinyang(2, 3, 0) {
        assert_eq!(model.learn(x, *label), fresh.learn(x, *label));
    }
    assert_eq!(model.score(&[0.3, 0.2]), fresh.score(&[0.3, 0.2]));
}

#[test]
fn a_learner_of_rare_classes_counts_them_anew() {
    let mut model = PocketronRare::<2, 12>::new();
    for (x, label) in yinyang(300, 1, 0) {
        model.learn(&x, label).expect("finite");
    }
    let fresh = PocketronRare::<2, 12>::new();
    assert_ne!(model.parts().update(), fresh.parts().update());
    model.restart();
    assert_eq!(model.parts().update(), fresh.parts().update());
    assert!(model.vectors().is_empty());
}

#[test]
fn a_learner_of_several_classes_has_seen_none_when_it_begins_anew() {
    let mut model = PocketronMulti::<2, 12, 2>::new();
    for (x, label) in yinyang(300, 1, 0) {
        model.learn(&x, Side(label).into()).expect("finite");
    }
    assert!(model.seen(Class(1)) > 0);
    model.restart();
    assert_eq!(model.seen(Class(1)), 0);
    assert!(model.vectors().is_empty());
}

/// A learner of whole features that rounds what it gets.
#[derive(Clone)]
struct Unscaled<L>(L);

impl<L: OnlineClassifier<Input = [i8; 2]>> OnlineClassifier for Unscaled<L> {
    type Input = [f32; 2];
    type Label = L::Label;

    fn predict_scored(
        &self,
        x: &[f32; 2],
    ) -> Result<(L::Label, f32), pocketron::error::InputError> {
        self.0.predict_scored(&x.map(|x| (30.0 * x) as i8))
    }

    fn has_class(&self, label: L::Label) -> bool {
        self.0.has_class(label)
    }

    fn validate(
        &self,
        _: &[f32; 2],
        _: L::Label,
        _: Option<u32>,
    ) -> Result<(), pocketron::error::InputError> {
        Ok(())
    }

    fn learn_with_id(
        &mut self,
        x: &[f32; 2],
        label: L::Label,
        id: Option<u32>,
    ) -> Result<Outcome<L::Label>, pocketron::error::InputError> {
        self.0
            .learn_with_id(&x.map(|x| (30.0 * x) as i8), label, id)
    }
}

impl<L: Restart> Restart for Unscaled<L> {
    fn restart(&mut self) {
        self.0.restart();
    }
}

impl<L: Persist> Persist for Unscaled<L> {
    fn shape(&self, shape: &mut pocketron::persist::Shape<'_>) {
        self.0.shape(shape);
    }

    fn save(&self, writer: &mut pocketron::persist::Writer<'_>) {
        self.0.save(writer);
    }

    fn load(
        &mut self,
        reader: &mut pocketron::persist::Reader<'_>,
    ) -> Result<(), pocketron::persist::ImageError> {
        self.0.load(reader)
    }
}
