//! The default learner of sizes that are known only now: its shape, its bytes of RAM, and its type in Rust.

use anyhow::{Result, bail};
use pocketron::{
    persist::{self, Persist},
    prelude::*,
};

use super::{HostModel, Shape};
use crate::{
    classes::{self, UpdatedClasses},
    learner::{self, Algorithm},
};

/// Sizes of a default learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Numbers per example.
    pub features: usize,
    /// Support vectors at most.
    pub budget: usize,
    /// Classes at most; two have one score between them.
    pub classes: usize,
}

impl Sizes {
    /// With the budget that fits into so many bytes of RAM.
    ///
    /// # Errors
    ///
    /// They do not hold a vector.
    pub fn in_bytes(features: usize, classes: usize, bytes: usize) -> Result<Self> {
        let sizes = Sizes {
            features,
            budget: match classes {
                2 => learner::budget_in(Algorithm::Pocketron, features, bytes),
                _ => classes::budget_in(features, classes, bytes, UpdatedClasses::BestWrongClass),
            },
            classes,
        };
        if sizes.budget == 0 {
            let least = Sizes { budget: 1, ..sizes }.bytes();
            bail!(
                "--bytes {bytes} holds no support vector of {features} features; the least is {least}"
            );
        }
        // A model is a whole number of words.
        let fits = |sizes: &Sizes| sizes.bytes() <= bytes;
        let smaller = (1..=sizes.budget)
            .rev()
            .map(|budget| Sizes { budget, ..sizes });
        match smaller.into_iter().find(fits) {
            Some(sizes) => Ok(sizes),
            None => bail!("--bytes {bytes} holds no support vector of {features} features"),
        }
    }

    /// Of a model, if it is a default learner.
    pub fn of(shape: &Shape) -> Option<Self> {
        let ("continual", [classes, points, ..]) = shape.pattern() else {
            return None;
        };
        let ("i8", [features, budget]) = points.pattern() else {
            return None;
        };
        let sizes = Sizes {
            features: features.number()?,
            budget: budget.number()?,
            classes: classes.number()?,
        };
        (sizes.shape() == *shape).then_some(sizes)
    }

    /// The model's bytes of RAM.
    pub fn bytes(&self) -> usize {
        match self.classes {
            2 => (self.budget * (self.features + 3) + 12 * self.features + 56).next_multiple_of(4),
            classes => classes::pocketron_bytes(
                self.features,
                classes,
                self.budget,
                UpdatedClasses::BestWrongClass,
            ),
        }
    }

    /// The shape in an image.
    pub fn shape(&self) -> Shape {
        let shape = match self.classes {
            2 => shape_of(&Pocketron::<1, 1>::new()),
            _ => shape_of(&PocketronMulti::<1, 1, 3>::new()),
        };
        let mut shape: Shape = shape.parse().expect("the shape of a learner");
        if let [classes, points, columns, ..] = &mut shape.parts[..] {
            if self.classes > 2 {
                *classes = number(self.classes);
                *columns = number(self.classes);
            }
            points.parts = vec![number(self.features), number(self.budget)];
        }
        shape
    }

    /// The type to write in firmware.
    pub fn rust_type(&self) -> String {
        let Sizes {
            features,
            budget,
            classes,
        } = self;
        match classes {
            2 => format!("Pocketron<{features}, {budget}>"),
            _ => format!("PocketronMulti<{features}, {budget}, {classes}>"),
        }
    }

    /// A model that has learned nothing.
    ///
    /// # Errors
    ///
    /// The host has no learner of so many classes or features.
    pub fn empty(&self) -> Result<HostModel> {
        Ok(HostModel::blank(&self.shape())?)
    }
}

fn number(number: usize) -> Shape {
    Shape {
        name: number.to_string(),
        parts: Vec::new(),
    }
}

fn shape_of(model: &dyn Persist) -> String {
    let mut text = String::new();
    persist::describe(model, &mut |piece| text.push_str(piece));
    text
}

/// The shape with another budget, and room for other classes, wherever the learner of several classes is inside.
pub fn resized(shape: &Shape, budget: Option<usize>, classes: Option<usize>) -> Shape {
    let mut resized = shape.clone();
    match (shape.name.as_str(), &mut resized.parts[..]) {
        ("continual", [own, points, columns, ..]) => {
            if let (Some(budget), [_, slots]) = (budget, &mut points.parts[..]) {
                *slots = number(budget);
            }
            if let Some(classes) = classes.filter(|_| own == columns) {
                *own = number(classes);
                *columns = number(classes);
            }
        }
        (name, [inner, rest @ ..]) => {
            *inner = self::resized(inner, budget, classes);
            if let ("confident", Some(classes), [own]) = (name, classes, rest) {
                *own = number(classes);
            }
        }
        _ => {}
    }
    resized
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::image_of;

    #[test]
    fn sizes_bytes_and_shapes_are_those_of_the_types() {
        fn holds<M: Persist>(model: &M, sizes: Sizes) {
            assert_eq!(sizes.bytes(), size_of::<M>(), "{}", sizes.rust_type());
            assert_eq!(sizes.shape().to_string(), shape_of(model));
            assert_eq!(Sizes::of(&sizes.shape()), Some(sizes));
            let empty = sizes.empty().expect("a model");
            assert!(empty.image() == image_of(model), "{}", sizes.rust_type());
        }
        let sizes = |features, budget, classes| Sizes {
            features,
            budget,
            classes,
        };
        holds(&Pocketron::<4, 20>::new(), sizes(4, 20, 2));
        holds(&Pocketron::<13, 37>::new(), sizes(13, 37, 2));
        holds(&PocketronMulti::<12, 24, 5>::new(), sizes(12, 24, 5));
        holds(&PocketronMulti::<3, 1, 16>::new(), sizes(3, 1, 16));
    }

    #[test]
    fn the_bytes_that_are_given_are_used_and_not_exceeded() {
        for classes in [2, 3, 7] {
            for bytes in 400..600 {
                let sizes = Sizes::in_bytes(12, classes, bytes).expect("room");
                assert!(sizes.bytes() <= bytes);
                let more = Sizes {
                    budget: sizes.budget + 1,
                    ..sizes
                };
                assert!(more.bytes() > bytes, "{sizes:?} in {bytes}");
            }
            assert!(Sizes::in_bytes(12, classes, 100).is_err());
        }
    }
}
