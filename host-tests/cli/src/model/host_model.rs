//! A model that came as an image.

use std::{error::Error, fmt};

use pocketron::{
    classifier::Outcome,
    error::InputError,
    label::Class,
    persist::{self, Convert, ImageError, Persist},
};

use super::{
    ImageHeader, ModelInfo, Shape, UnknownShape, image_of, predictor::Predictor, wrappers,
};
use crate::device::Prediction;

/// A learner of classes whose type is forgotten.
pub trait Model: Persist {
    /// Predicts `x`, then learns its true class.
    fn learn(&mut self, x: &[f32], class: Class) -> Result<Outcome<Class>, InputError>;

    /// The winning class, all scores, and how sure its wrappers are.
    fn predict(&self, x: &[f32]) -> Result<Prediction, InputError>;

    /// Of each class that has a learner of its own: its examples, if they are counted, and what it is.
    fn model_info(&self) -> Vec<(Option<u32>, ModelInfo)>;

    /// Name and state of each wrapper, the outermost first.
    fn wrappers(&self) -> Vec<(&'static str, String)>;

    /// Weight of each feature in the kernel, if it has learned any.
    fn feature_weights(&self) -> Option<Vec<f32>>;

    /// The same, to be loaded from a model of other sizes.
    fn convertible(&mut self) -> &mut dyn Convert;

    /// The numbers of a prediction, if it is the default learner without wrappers.
    fn predictor(&self) -> Option<Predictor>;
}

/// A model of a device, running here.
pub struct HostModel {
    model: Box<dyn Model>,
    shape: Shape,
}

/// Why an image does not run here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// It cannot be read.
    Image(ImageError),
    /// It is of a kind that only devices run.
    Unknown(UnknownShape),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Image(error) => error.fmt(f),
            OpenError::Unknown(error) => error.fmt(f),
        }
    }
}

impl Error for OpenError {}

impl HostModel {
    /// Puts together what the image is of, and restores it.
    pub fn open(bytes: &[u8]) -> Result<Self, OpenError> {
        let image_header = ImageHeader::open(bytes).map_err(OpenError::Image)?;
        let shape: Shape = image_header.shape.parse().map_err(OpenError::Unknown)?;
        // Each of them is a word of the image: what is not there takes no memory.
        if shape.numbers_at_first() > bytes.len() / 4 {
            return Err(OpenError::Image(ImageError::Malformed));
        }
        let mut model = wrappers::model(&shape).map_err(OpenError::Unknown)?;
        match persist::restore(model.as_mut(), &mut &*bytes) {
            // Each name was known, but not in this combination.
            Err(ImageError::OtherShape(_)) => Err(OpenError::Unknown(shape.unknown("shape"))),
            Err(error) => Err(OpenError::Image(error)),
            Ok(()) => Ok(HostModel { model, shape }),
        }
    }

    /// A model of that shape that has learned nothing.
    ///
    /// # Errors
    ///
    /// The host has no learner of that shape.
    pub fn blank(shape: &Shape) -> Result<Self, UnknownShape> {
        Ok(HostModel {
            model: wrappers::model(shape)?,
            shape: shape.clone(),
        })
    }

    /// Its image as it is now.
    pub fn image(&self) -> Vec<u8> {
        image_of(self.model.as_ref())
    }

    /// Its shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Numbers per example.
    pub fn features(&self) -> usize {
        self.shape.features().unwrap_or(0)
    }

    /// Classes at most.
    pub fn classes(&self) -> usize {
        match wrappers::innermost(&self.shape).pattern() {
            ("one-vs-rest" | "shared-support" | "continual", [classes, ..]) => {
                classes.number().unwrap_or(2)
            }
            _ => 2,
        }
    }

    /// Predicts `x`, then learns its true class.
    pub fn learn(&mut self, x: &[f32], class: u8) -> Result<Outcome<Class>, InputError> {
        self.model.learn(x, Class(class))
    }

    /// The winning class, all scores, and how sure its wrappers are.
    pub fn predict(&self, x: &[f32]) -> Result<Prediction, InputError> {
        self.model.predict(x)
    }

    /// Becomes what an image is of, even if that has another budget or another number of classes.
    ///
    /// # Errors
    ///
    /// As [`persist::convert`].
    pub fn convert(&mut self, image: &[u8]) -> Result<(), ImageError> {
        persist::convert(self.model.convertible(), &mut &*image)
    }

    /// The numbers of a prediction, if it is the default learner without wrappers.
    pub fn predictor(&self) -> Option<Predictor> {
        self.model.predictor()
    }

    /// Weight of each feature in the kernel, if it has learned any.
    pub fn feature_weights(&self) -> Option<Vec<f32>> {
        self.model.feature_weights()
    }

    /// Of each class that has a learner of its own: its examples, if they are counted, and what it is.
    pub fn model_info(&self) -> Vec<(Option<u32>, ModelInfo)> {
        self.model.model_info()
    }

    /// Name and state of each wrapper, the outermost first.
    pub fn wrappers(&self) -> Vec<(&'static str, String)> {
        self.model.wrappers()
    }
}
