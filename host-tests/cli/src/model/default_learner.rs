//! The default learner of sizes that are known only now: its shape, its bytes of RAM, and its type in Rust.

use anyhow::{Result, bail};
use pocketron::{
    persist::{self, Persist},
    prelude::*,
};

use super::{HostModel, Shape};
use crate::classes::{self, UpdatedClasses};

/// Sizes of a default learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Numbers per example.
    pub features: usize,
    /// Support vectors at most.
    pub budget: usize,
    /// Classes at most; two have one score between them.
    pub classes: usize,
    /// Whether it says how probable its answers are, and what is unknown: every class then has a score of its own.
    pub confident: bool,
}

/// Where the wrapper of a confident model lies.
const CONFIDENT: &str = "pocketron::wrap::confidence::Confident";

impl Sizes {
    /// With the largest budget that fits into so many bytes of RAM.
    ///
    /// # Errors
    ///
    /// They do not hold a vector.
    pub fn in_bytes(self, bytes: usize) -> Result<Self> {
        let with = |budget| Sizes { budget, ..self };
        let least = with(1).bytes();
        if least > bytes {
            bail!(
                "--bytes {bytes} holds no support vector of {} features; the least is {least}",
                self.features
            );
        }
        // More bytes than a vector has are left over by none.
        let most = bytes / (self.features + 3) + 1;
        let fits = |sizes: &Sizes| sizes.bytes() <= bytes;
        let largest = (1..=most).rev().map(with).find(fits);
        Ok(largest.unwrap_or(with(1)))
    }

    /// Of a model, if it is a default learner.
    pub fn of(shape: &Shape) -> Option<Self> {
        let (learner, confident) = match shape.pattern() {
            ("confident", [learner, _]) => (learner, true),
            _ => (shape, false),
        };
        let ("continual", [classes, points, ..]) = learner.pattern() else {
            return None;
        };
        let ("i8", [features, budget]) = points.pattern() else {
            return None;
        };
        let sizes = Sizes {
            features: features.number()?,
            budget: budget.number()?,
            classes: classes.number()?,
            confident,
        };
        (sizes.shape() == *shape).then_some(sizes)
    }

    /// Whether two classes have one score between them.
    pub fn is_binary(&self) -> bool {
        self.classes == 2 && !self.confident
    }

    /// The model's bytes of RAM.
    pub fn bytes(&self) -> usize {
        let calibration = if self.confident {
            4 * self.classes + 24
        } else {
            0
        };
        calibration
            + match self.classes {
                2 if self.is_binary() => {
                    (self.budget * (self.features + 3) + 12 * self.features + 56)
                        .next_multiple_of(4)
                }
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
        let shape = match self.is_binary() {
            true => shape_of(&Pocketron::<1, 1>::new()),
            false => shape_of(&PocketronMulti::<1, 1, 3>::new()),
        };
        let mut shape: Shape = shape.parse().expect("the shape of a learner");
        if let [classes, points, columns, ..] = &mut shape.parts[..] {
            if !self.is_binary() {
                *classes = number(self.classes);
                *columns = number(self.classes);
            }
            points.parts = vec![number(self.features), number(self.budget)];
        }
        match self.confident {
            true => Shape {
                name: "confident".into(),
                parts: vec![shape, number(self.classes)],
            },
            false => shape,
        }
    }

    /// The type to write in firmware.
    pub fn rust_type(&self) -> String {
        let (features, budget, classes) = (self.features, self.budget, self.classes);
        match (self.is_binary(), self.confident) {
            (true, _) => format!("Pocketron<{features}, {budget}>"),
            (_, false) => format!("PocketronMulti<{features}, {budget}, {classes}>"),
            (_, true) => {
                format!("{CONFIDENT}<PocketronMulti<{features}, {budget}, {classes}>, {classes}>")
            }
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
    use pocketron::wrap::confidence::Confident;

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
            confident: false,
        };
        holds(&Pocketron::<4, 20>::new(), sizes(4, 20, 2));
        holds(&Pocketron::<13, 37>::new(), sizes(13, 37, 2));
        holds(&PocketronMulti::<12, 24, 5>::new(), sizes(12, 24, 5));
        holds(&PocketronMulti::<3, 1, 16>::new(), sizes(3, 1, 16));
        let confident = |features, budget, classes| Sizes {
            confident: true,
            ..sizes(features, budget, classes)
        };
        let two = Confident::<PocketronMulti<3, 9, 2>, 2>::new();
        holds(&two, confident(3, 9, 2));
        let four = Confident::<PocketronMulti<12, 40, 4>, 4>::new();
        holds(&four, confident(12, 40, 4));
    }

    #[test]
    fn the_bytes_that_are_given_are_used_and_not_exceeded() {
        for (classes, confident) in [(2, false), (2, true), (3, false), (7, true)] {
            let any = Sizes {
                features: 12,
                budget: 0,
                classes,
                confident,
            };
            for bytes in 400..600 {
                let sizes = any.in_bytes(bytes).expect("room");
                assert!(sizes.bytes() <= bytes);
                let more = Sizes {
                    budget: sizes.budget + 1,
                    ..sizes
                };
                assert!(more.bytes() > bytes, "{sizes:?} in {bytes}");
            }
            assert!(any.in_bytes(100).is_err());
        }
    }
}
