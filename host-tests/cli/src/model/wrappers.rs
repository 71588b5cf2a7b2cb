//! Wrappers around a learner: the core's own, chosen at run time.
//!
//! A wrapper takes three things here: its name in `NAMES`, a line in `around` or, if it is for one kind of label only, in
//! that label's [`Build::own_wrapper`], and a [`Wrapper`] that tells its state.

mod reaction;

pub use reaction::AnyReaction;

use pocketron::{
    budget::Counts,
    classifier::OnlineClassifier,
    device::Confidence,
    error::InputError,
    label::{Class, ClassLabel, Sign},
    persist::{Convert, Persist, Restart},
    storage::point::Feature,
    wrap::{
        confidence::{Calibrated, Confident, NoveltyDetector},
        drift::DriftMonitor,
    },
};

use super::{
    BoxedLearner, DynLearner, ModelInfo, Shape, UnknownShape,
    binary::{self, Leaf},
    classes,
};

/// Names of all wrappers in a shape; the learner is their first part.
const NAMES: [&str; 4] = ["calibrated", "confident", "familiar", "watched"];

/// The learner inside of all wrappers.
pub fn innermost(shape: &Shape) -> &Shape {
    match shape.parts.first() {
        Some(inner) if NAMES.contains(&shape.name.as_str()) => innermost(inner),
        _ => shape,
    }
}

/// Labels of learners that can be put together over features of the format `F`.
pub trait Build<F>: ClassLabel + 'static {
    /// The learner of that shape inside of all wrappers, to be restored from an image.
    fn leaf(shape: &Shape) -> Result<BoxedLearner<Self, F>, UnknownShape>;

    /// A wrapper that is only for learners with these labels.
    fn own_wrapper(shape: &Shape) -> Result<BoxedLearner<Self, F>, UnknownShape>;

    /// The learner of that shape, to be restored from an image.
    fn build(shape: &Shape) -> Result<BoxedLearner<Self, F>, UnknownShape>;
}

impl<F: Leaf> Build<F> for Sign {
    fn leaf(shape: &Shape) -> Result<BoxedLearner<Sign, F>, UnknownShape> {
        F::leaf(shape)
    }

    fn own_wrapper(shape: &Shape) -> Result<BoxedLearner<Sign, F>, UnknownShape> {
        match shape.pattern() {
            ("calibrated", [inner, platt]) if platt.to_string() == "platt" => {
                Ok(BoxedLearner::new(Calibrated::of(Sign::build(inner)?)))
            }
            ("confident", [inner, classes]) if classes.number() == Some(2) => {
                Ok(BoxedLearner::new(confident::<_, _, 2>(inner)?))
            }
            _ => Err(shape.unknown("wrapper of two classes")),
        }
    }

    fn build(shape: &Shape) -> Result<BoxedLearner<Sign, F>, UnknownShape> {
        around(shape)
    }
}

impl Build<f32> for Class {
    fn leaf(shape: &Shape) -> Result<BoxedLearner<Class>, UnknownShape> {
        classes::leaf(shape)
    }

    fn own_wrapper(shape: &Shape) -> Result<BoxedLearner<Class>, UnknownShape> {
        macro_rules! for_classes {
            ($inner:ident, $classes:ident, $($C:literal)*) => {
                match $classes.number() {
                    $( Some($C) => Ok(BoxedLearner::new(confident::<_, _, $C>($inner)?)), )*
                    _ => Err($classes.unknown("number of classes")),
                }
            };
        }
        match shape.pattern() {
            // The learners that can be inside are there for as many.
            ("confident", [inner, classes]) => {
                for_classes!(inner, classes, 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 26 32)
            }
            _ => Err(shape.unknown("wrapper of several classes")),
        }
    }

    fn build(shape: &Shape) -> Result<BoxedLearner<Class>, UnknownShape> {
        around(shape)
    }
}

/// Puts the wrappers of that shape around its learner.
fn around<L: Build<F>, F: Feature + 'static>(
    shape: &Shape,
) -> Result<BoxedLearner<L, F>, UnknownShape> {
    match shape.pattern() {
        ("familiar", [inner, quantile]) => novelty_detector(L::build(inner)?, quantile),
        ("watched", [inner, detector, reaction]) if detector.to_string() == "three-rates" => {
            let reaction = AnyReaction::of(reaction, inner)?;
            Ok(BoxedLearner::new(DriftMonitor::of(
                L::build(inner)?,
                reaction,
            )))
        }
        (name, _) if NAMES.contains(&name) => L::own_wrapper(shape),
        _ => L::leaf(shape),
    }
}

/// Only the default learner says what its answers come from.
fn confident<L: Build<F>, F: 'static, const C: usize>(
    inner: &Shape,
) -> Result<Confident<BoxedLearner<L, F>, C>, UnknownShape> {
    match inner.name.as_str() {
        "continual" => Ok(Confident::of(L::build(inner)?)),
        _ => Err(inner.unknown("learner whose answers have evidence")),
    }
}

/// With the share of the unknown that the shape says: one copy for each percentage.
fn novelty_detector<L: Build<F>, F: Feature + 'static>(
    learner: BoxedLearner<L, F>,
    quantile: &Shape,
) -> Result<BoxedLearner<L, F>, UnknownShape> {
    let percent = match quantile.pattern() {
        ("quantile", [percent]) => percent.number(),
        _ => None,
    };
    macro_rules! for_percent {
        ($($percent:literal)*) => {
            match percent {
                $( Some($percent) => Ok(BoxedLearner::new(NoveltyDetector::<_, $percent>::of(learner))), )*
                _ => Err(quantile.unknown("share of unknown examples")),
            }
        };
    }
    for_percent!(
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33
        34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
        65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95
        96 97 98 99
    )
}

/// A wrapper as the host shows it.
pub trait Wrapper {
    /// Labels of its learner.
    type Label: ClassLabel + 'static;
    /// Format of its learner's features.
    type Format: 'static;
    /// Its name for users.
    const NAME: &'static str;

    /// The learner inside.
    fn inner(&self) -> &BoxedLearner<Self::Label, Self::Format>;

    /// Its state in plain words.
    fn state(&self) -> String;

    /// The same, if it can be loaded from a model of other sizes.
    fn as_convertible(&mut self) -> Option<&mut dyn Convert> {
        None
    }

    /// Adds what it says about `x`.
    fn remark(&self, _x: &[Self::Format], _remarks: &mut Confidence) -> Result<(), InputError> {
        Ok(())
    }
}

impl<W, L: ClassLabel + 'static, F: 'static> DynLearner<L, F> for W
where
    W: Wrapper<Label = L, Format = F>,
    W: OnlineClassifier<Input = [F], Label = L> + Restart + Persist + Clone + 'static,
{
    fn scores(&self, x: &[F]) -> Result<((L, f32), Vec<f32>), InputError> {
        self.inner().scores(x)
    }

    fn alphas(&self) -> Vec<f32> {
        self.inner().alphas()
    }

    fn counts(&self) -> Option<&[Counts]> {
        self.inner().counts()
    }

    fn model_info(&self) -> Vec<(Option<u32>, ModelInfo)> {
        self.inner().model_info()
    }

    fn wrappers(&self) -> Vec<(&'static str, String)> {
        let mut wrappers = vec![(W::NAME, self.state())];
        wrappers.extend(self.inner().wrappers());
        wrappers
    }

    fn confidence(&self, x: &[F]) -> Result<Confidence, InputError> {
        let mut confidence = self.inner().confidence(x)?;
        self.remark(x, &mut confidence)?;
        Ok(confidence)
    }

    fn feature_weights(&self) -> Option<Vec<f32>> {
        self.inner().feature_weights()
    }

    fn convertible(&mut self) -> Option<&mut dyn Convert> {
        self.as_convertible()
    }

    fn duplicate(&self) -> BoxedLearner<L, F> {
        BoxedLearner::new(self.clone())
    }
}

impl<F: 'static> Wrapper for Calibrated<BoxedLearner<Sign, F>> {
    type Label = Sign;
    type Format = F;
    const NAME: &'static str = "calibrated";

    fn inner(&self) -> &BoxedLearner<Sign, F> {
        self.learner()
    }

    fn state(&self) -> String {
        let (slope, offset) = (self.platt().slope(), self.platt().offset());
        format!("probability of class 1 is 1 / (1 + exp(-({slope} score + {offset})))")
    }

    fn remark(&self, x: &[F], confidence: &mut Confidence) -> Result<(), InputError> {
        confidence.probability = Some(self.confidence(x)?);
        Ok(())
    }
}

impl<L: Build<F>, F: 'static, const C: usize> Wrapper for Confident<BoxedLearner<L, F>, C> {
    type Label = L;
    type Format = F;
    const NAME: &'static str = "confident";

    fn as_convertible(&mut self) -> Option<&mut dyn Convert> {
        Some(self)
    }

    fn inner(&self) -> &BoxedLearner<L, F> {
        self.learner()
    }

    fn state(&self) -> String {
        let (slope, offset, limit) = (self.slope(), self.offset(), self.limit());
        format!(
            "probability of the answer is 1 / (1 + exp(-({slope} margin + {offset}))); samples of a novelty above \
             {limit} are unknown: about 10 % of known ones"
        )
    }

    fn remark(&self, x: &[F], confidence: &mut Confidence) -> Result<(), InputError> {
        let answer = self.answer(x)?;
        *confidence = Confidence {
            probability: Some(answer.probability),
            known: Some(answer.known),
            ..Confidence::default()
        };
        Ok(())
    }
}

impl<L: ClassLabel + 'static, F: 'static, const PERCENT: u32> Wrapper
    for NoveltyDetector<BoxedLearner<L, F>, PERCENT>
{
    type Label = L;
    type Format = F;
    const NAME: &'static str = "novelty detector";

    fn inner(&self) -> &BoxedLearner<L, F> {
        self.learner()
    }

    fn state(&self) -> String {
        let level = self.level();
        format!(
            "answers of a strength below {level} are unknown: {PERCENT} % of the examples in the stream"
        )
    }

    fn remark(&self, x: &[F], confidence: &mut Confidence) -> Result<(), InputError> {
        confidence.known = Some(!self.is_unknown(x)?);
        Ok(())
    }
}

impl<L: Build<F>, F: 'static> Wrapper for DriftMonitor<BoxedLearner<L, F>, AnyReaction<L, F>> {
    type Label = L;
    type Format = F;
    const NAME: &'static str = "drift monitor";

    fn inner(&self) -> &BoxedLearner<L, F> {
        self.learner()
    }

    fn state(&self) -> String {
        let rates = self.detector();
        let [recent, before, long] = [
            rates.recent_error(),
            rates.earlier_error(),
            rates.long_term_error(),
        ]
        .map(|rate| 100.0 * rate);
        let verdict = if self.alarmed() {
            "alarm"
        } else if self.is_stable() {
            "stable"
        } else {
            "unstable"
        };
        let reaction = self.reaction();
        format!(
            "{verdict}; {recent:.1} % mistakes in some 32 examples, {before:.1} % in 512, {long:.1} % in 8192; on alarm: {reaction}"
        )
    }
}

/// The model of that shape, to be restored from an image.
pub fn model(shape: &Shape) -> Result<Box<dyn super::Model>, UnknownShape> {
    Ok(if binary::is_binary(innermost(shape)) {
        Box::new(<Sign as Build<f32>>::build(shape)?)
    } else {
        Box::new(Class::build(shape)?)
    })
}
