//! The default learner, for two classes and for several.

use pocketron::{
    error::InputError,
    kernel::ArdGaussian,
    label::{Class, ClassLabel as _, Sign},
    learners::continual::{
        AllViolating, AnnealedSteps, BestWrongClass, Binary, ContinualLearner, Uneven, Update,
    },
    rule::{Balanced, F1},
    wrap::confidence::EvidenceSource,
};

use crate::{
    heap::Heap,
    model::{BoxedLearner, DynLearner, ModelInfo, Shape, UnknownShape, binary::points, parameters},
};

type Learner<U, const C: usize, const N: usize> = ContinualLearner<Heap<i8>, Heap<i8>, U, C, N>;

/// The learner of two classes that have one score between them.
pub fn two_classes(shape: &Shape) -> Result<BoxedLearner<Sign>, UnknownShape> {
    type Rule = AnnealedSteps<30, 4>;
    let update = update(shape)?;
    match update.to_string().as_str() {
        "binary(settling(30,4))" => learner::<Binary<Rule>, 2, 1>(shape),
        "binary(uneven(settling(30,4),balanced(class-counts)))" => {
            learner::<Binary<Uneven<Rule, Balanced>>, 2, 1>(shape)
        }
        "binary(uneven(settling(30,4),f1(class-counts)))" => {
            learner::<Binary<Uneven<Rule, F1>>, 2, 1>(shape)
        }
        _ => Err(update.unknown("update of two classes")),
    }
}

/// The learner of several classes.
pub fn several_classes<const C: usize>(shape: &Shape) -> Result<BoxedLearner<Class>, UnknownShape> {
    type Rule = AnnealedSteps<35, 3>;
    let update = update(shape)?;
    match update.to_string().as_str() {
        "top(settling(35,3))" => learner::<BestWrongClass<Rule>, C, C>(shape),
        "each(settling(35,3))" => learner::<AllViolating<Rule, C>, C, C>(shape),
        _ => Err(update.unknown("update of several classes")),
    }
}

/// Which classes an example moves: the last part of `continual(classes,points,columns,scale,kernel,update)`.
fn update(shape: &Shape) -> Result<&Shape, UnknownShape> {
    match shape.parts.as_slice() {
        [_, _, _, scale, kernel, update]
            if scale.to_string() == "coarse-scale" && kernel.to_string() == "relevance" =>
        {
            Ok(update)
        }
        _ => Err(shape.unknown("model")),
    }
}

fn learner<U, const C: usize, const N: usize>(
    shape: &Shape,
) -> Result<BoxedLearner<U::Label>, UnknownShape>
where
    U: Update<C, N> + Clone + 'static,
{
    let set = shape.parts.get(1).ok_or_else(|| shape.unknown("model"))?;
    let learner = Learner::<U, C, N>::with_points(ArdGaussian::new(), points(set)?);
    Ok(BoxedLearner::new(learner.with_room()))
}

impl<U, const C: usize, const N: usize> DynLearner<U::Label> for Learner<U, C, N>
where
    U: Update<C, N> + Clone + 'static,
{
    fn scores(&self, x: &[f32]) -> Result<((U::Label, f32), Vec<f32>), InputError> {
        let scores = self.scores(x)?;
        let (class, score) = self.winner(&scores);
        let label = U::Label::of_class(class).ok_or(InputError::UnknownClass)?;
        Ok(((label, score), scores.to_vec()))
    }

    fn evidence_source(&self) -> Option<&dyn EvidenceSource<Input = [f32], Label = U::Label>> {
        Some(self)
    }

    fn duplicate(&self) -> BoxedLearner<U::Label> {
        BoxedLearner::new(self.clone())
    }

    fn model_info(&self) -> Vec<(Option<u32>, ModelInfo)> {
        let owned = |class: usize| {
            let rows = self.vectors().rows().iter();
            rows.filter(|row| U::owner(row.values()) == class).count()
        };
        let model_info = |class: Class| ModelInfo {
            vectors: Some((owned(class.0.into()), self.vectors().capacity())),
            recall: Some(self.recall(class)),
            parts: vec![parameters(self.kernel()), parameters(self.update())],
        };
        let classes = (0..=u8::MAX).map(Class).take(C);
        classes
            .map(|class| (Some(self.seen(class)), model_info(class)))
            .collect()
    }
}
