//! The default learner, for two classes and for several.

use pocketron::{
    error::InputError,
    kernel::ArdGaussian,
    label::{Class, ClassLabel as _, Sign},
    learners::continual::{
        AllViolating, AnnealedSteps, BestWrongClass, Binary, ContinualLearner, Uneven, Update,
    },
    persist::Convert,
    rule::{Balanced, F1},
    wrap::confidence::EvidenceSource,
};

use crate::{
    classes::UpdatedClasses,
    heap::{Heap, HeapPoints},
    model::{
        BoxedLearner, DynLearner, ModelInfo, Shape, UnknownShape, binary::points, parameters,
        predictor::Predictor,
    },
};

/// The default learner on the heap.
pub type Learner<U, const C: usize, const N: usize> = ContinualLearner<Heap<i8>, Heap<i8>, U, C, N>;

/// Kernel and points of a learner.
pub type KernelAndPoints = (ArdGaussian<Heap<i8>>, HeapPoints<i8>);

/// How the learner of two classes that have one score between them is updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryUpdate {
    /// As the learner of a balanced stream.
    Plain,
    /// For few balanced errors.
    Balanced,
    /// For a high F1.
    F1,
}

impl BinaryUpdate {
    fn of(update: &Shape) -> Result<Self, UnknownShape> {
        match update.to_string().as_str() {
            "binary(settling(30,4))" => Ok(BinaryUpdate::Plain),
            "binary(uneven(settling(30,4),balanced(class-counts)))" => Ok(BinaryUpdate::Balanced),
            "binary(uneven(settling(30,4),f1(class-counts)))" => Ok(BinaryUpdate::F1),
            _ => Err(update.unknown("update of two classes")),
        }
    }

    /// The learner with that update.
    pub fn learner(self, parts: KernelAndPoints) -> BoxedLearner<Sign> {
        type Rule = AnnealedSteps<30, 4>;
        match self {
            BinaryUpdate::Plain => learner::<Binary<Rule>, 2, 1>(parts),
            BinaryUpdate::Balanced => learner::<Binary<Uneven<Rule, Balanced>>, 2, 1>(parts),
            BinaryUpdate::F1 => learner::<Binary<Uneven<Rule, F1>>, 2, 1>(parts),
        }
    }
}

/// The learner of two classes of that shape.
pub fn two_classes(shape: &Shape) -> Result<BoxedLearner<Sign>, UnknownShape> {
    let (update, parts) = parts(shape)?;
    Ok(BinaryUpdate::of(update)?.learner(parts))
}

impl UpdatedClasses {
    fn of(update: &Shape) -> Result<Self, UnknownShape> {
        match update.to_string().as_str() {
            "top(settling(35,3))" => Ok(UpdatedClasses::BestWrongClass),
            "each(settling(35,3))" => Ok(UpdatedClasses::AllViolating),
            _ => Err(update.unknown("update of several classes")),
        }
    }

    /// The learner of `C` classes with that update.
    pub fn learner<const C: usize>(self, parts: KernelAndPoints) -> BoxedLearner<Class> {
        type Rule = AnnealedSteps<35, 3>;
        match self {
            UpdatedClasses::BestWrongClass => learner::<BestWrongClass<Rule>, C, C>(parts),
            UpdatedClasses::AllViolating => learner::<AllViolating<Rule, C>, C, C>(parts),
        }
    }
}

/// The learner of several classes of that shape.
pub fn several_classes<const C: usize>(shape: &Shape) -> Result<BoxedLearner<Class>, UnknownShape> {
    let (update, parts) = parts(shape)?;
    Ok(UpdatedClasses::of(update)?.learner::<C>(parts))
}

/// The classes that an example moves, and the rest of `continual(classes,points,columns,scale,kernel,update)`.
fn parts(shape: &Shape) -> Result<(&Shape, KernelAndPoints), UnknownShape> {
    match shape.parts.as_slice() {
        [_, set, _, scale, kernel, update]
            if scale.to_string() == "coarse-scale" && kernel.to_string() == "relevance" =>
        {
            Ok((update, (ArdGaussian::new(), points(set)?)))
        }
        _ => Err(shape.unknown("model")),
    }
}

fn learner<U, const C: usize, const N: usize>(
    (kernel, points): KernelAndPoints,
) -> BoxedLearner<U::Label>
where
    U: Update<C, N> + Clone + 'static,
{
    let learner = Learner::<U, C, N>::with_points(kernel, points);
    BoxedLearner::new(learner.with_room())
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

    fn alphas(&self) -> Vec<f32> {
        let rows = self.vectors().rows().iter();
        rows.map(|row| row.coefficient(0)).collect()
    }

    fn feature_weights(&self) -> Option<Vec<f32>> {
        Some(self.kernel().weights().collect())
    }

    fn convertible(&mut self) -> Option<&mut dyn Convert> {
        Some(self)
    }

    fn predictor(&self) -> Option<Predictor> {
        Some(Predictor::of(self))
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
