//! One learner of every kind, for programs that visit them. Each example uses a
//! part of this.
#![allow(dead_code)]

pub mod batch;
mod classes;
mod default;
mod family;
mod formats;
mod policies;
mod wrapped;

pub use policies::BUDGET;

use pocketron::{
    classifier::{OnlineClassifier, Scorer},
    error::ConfigError,
    label::{Class, Sign},
    persist::Persist,
};

use crate::sensor::{FEATURES, Sensor};

/// A parameter is wrong, or the visitor had enough.
#[derive(Debug)]
pub struct Failed;

impl From<ConfigError> for Failed {
    fn from(_: ConfigError) -> Self {
        Failed
    }
}

impl From<core::fmt::Error> for Failed {
    fn from(_: core::fmt::Error) -> Self {
        Failed
    }
}

/// A learner of two classes that can be saved.
pub trait Binary: Scorer<Input = [f32; FEATURES]> + Persist + Clone {}

impl<C: Scorer<Input = [f32; FEATURES]> + Persist + Clone> Binary for C {}

/// A learner of four classes that can be saved.
pub trait Multiclass:
    OnlineClassifier<Input = [f32; FEATURES], Label = Class> + Persist + Clone
{
}

impl<C> Multiclass for C where
    C: OnlineClassifier<Input = [f32; FEATURES], Label = Class> + Persist + Clone
{
}

/// A check or a measurement that is applied to learners.
pub trait Visitor {
    /// A learner of any number of classes, just made, and the stream meant for it.
    fn every<C>(&mut self, _: &str, _: C, _: Sensor<C::Label>) -> Result<(), Failed>
    where
        C: OnlineClassifier<Input = [f32; FEATURES]> + Persist + Clone,
    {
        Ok(())
    }

    /// A learner of two classes.
    fn visit<C: Binary>(
        &mut self,
        name: &str,
        learner: C,
        stream: Sensor<Sign>,
    ) -> Result<(), Failed> {
        self.every(name, learner, stream)
    }

    /// A learner of four classes.
    fn visit_classes<C: Multiclass>(
        &mut self,
        name: &str,
        learner: C,
        stream: Sensor<Class>,
    ) -> Result<(), Failed> {
        self.every(name, learner, stream)
    }
}

/// Shows every learner to the visitor, one after the other.
pub fn visit_all(visitor: &mut impl Visitor) -> Result<(), Failed> {
    visit_policies(visitor)?;
    visit_family(visitor)?;
    visit_formats(visitor)?;
    visit_wrapped(visitor)?;
    visit_many(visitor)?;
    visit_default(visitor)
}

/// Shows learners inside of others that watch them.
pub fn visit_wrapped(visitor: &mut impl Visitor) -> Result<(), Failed> {
    wrapped::visit(visitor)
}

/// Shows the default learner for several classes.
pub fn visit_many(visitor: &mut impl Visitor) -> Result<(), Failed> {
    classes::visit(visitor)
}

/// Shows the default learner for two classes, those for a rare one, and the one that needs no labels.
pub fn visit_default(visitor: &mut impl Visitor) -> Result<(), Failed> {
    default::visit(visitor)
}

/// Shows learners in fixed point.
pub fn visit_formats(visitor: &mut impl Visitor) -> Result<(), Failed> {
    formats::visit(visitor)
}

/// Shows the learners that differ in their rule, their history or the number of classes.
pub fn visit_family(visitor: &mut impl Visitor) -> Result<(), Failed> {
    family::visit(visitor)
}

/// Shows the learners that differ in their budget policy.
pub fn visit_policies(visitor: &mut impl Visitor) -> Result<(), Failed> {
    policies::visit(visitor)
}
