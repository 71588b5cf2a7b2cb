//! The default learner, for two classes and for several.

use pocketron::{
    continual::{Binary, ContinualLearner, Each, Settling, Top, Uneven, Update},
    error::InputError,
    kernel::Relevance,
    label::{Class, Numbered as _},
    perceptron::{OnlineClassifier, Outcome},
    rule::{Balanced, F1},
};

use super::won;
use crate::{
    device::Prediction,
    heap::Heap,
    model::{Facts, Model, Shape, UnknownShape, binary::points, parameters},
};

type Learner<U, const C: usize, const N: usize> = ContinualLearner<Heap<i8>, Heap<i8>, U, C, N>;

/// The learner of two classes that have one score between them.
pub fn two_classes(shape: &Shape) -> Result<Box<dyn Model>, UnknownShape> {
    type Rule = Settling<30, 4>;
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
pub fn several_classes<const C: usize>(shape: &Shape) -> Result<Box<dyn Model>, UnknownShape> {
    type Rule = Settling<35, 3>;
    let update = update(shape)?;
    match update.to_string().as_str() {
        "top(settling(35,3))" => learner::<Top<Rule>, C, C>(shape),
        "each(settling(35,3))" => learner::<Each<Rule, C>, C, C>(shape),
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

fn learner<U, const C: usize, const N: usize>(shape: &Shape) -> Result<Box<dyn Model>, UnknownShape>
where
    U: Update<C, N> + 'static,
{
    let set = shape.parts.get(1).ok_or_else(|| shape.unknown("model"))?;
    let learner = Learner::<U, C, N>::with_points(Relevance::new(), points(set)?);
    Ok(Box::new(learner.with_room()))
}

impl<U: Update<C, N>, const C: usize, const N: usize> Model for Learner<U, C, N> {
    fn learn(&mut self, x: &[f32], class: Class) -> Result<Outcome<Class>, InputError> {
        let label = U::Label::of_class(class).ok_or(InputError::UnknownClass)?;
        Ok(OnlineClassifier::learn(self, x, label)?.map(|label| label.class()))
    }

    fn predict(&self, x: &[f32]) -> Result<Prediction, InputError> {
        let scores = self.scores(x)?;
        Ok(won(self.winner(&scores), &scores))
    }

    fn facts(&self) -> Vec<(Option<u32>, Facts)> {
        let owned = |class: usize| {
            let rows = self.vectors().rows().iter();
            rows.filter(|row| U::owner(row.values()) == class).count()
        };
        let facts = |class: Class| Facts {
            vectors: Some((owned(class.0.into()), self.vectors().capacity())),
            parts: vec![parameters(self.kernel()), parameters(self.update())],
        };
        let classes = (0..=u8::MAX).map(Class).take(C);
        classes
            .map(|class| (Some(self.seen(class)), facts(class)))
            .collect()
    }
}
