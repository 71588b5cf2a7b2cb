//! Errors of parameters and of inputs.

use core::fmt;

/// A parameter outside its domain; nothing was built or changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ConfigError {
    /// The kernel width `gamma` must be positive and finite.
    Width,
    /// The degree of a polynomial kernel must lie between 1 and 16.
    Degree,
    /// The scale of a polynomial kernel must be positive, and the similarity at a dot product of one at most 1e28.
    Scale,
    /// The offset of a polynomial kernel must be finite and not negative.
    Offset,
    /// A step size must be positive, and at most 1e28.
    StepSize,
    /// A margin must be a number of at most 1e28; as a factor it must be positive.
    Margin,
    /// The aggressiveness must be positive, and at most 1e28.
    Aggressiveness,
    /// The regularisation `lambda` must be positive and finite, and its inverse at most 1e28.
    Regularisation,
    /// The accuracy of ALMA must lie in `(0, 1]`.
    Accuracy,
    /// The credit `lambda` must be finite and not negative.
    Credit,
    /// The bound on the steps of one example must be at least one.
    Bound,
    /// The bias and its step must be finite, and the step not negative.
    Bias,
    /// The projection tolerance must be finite and not negative, and positive
    /// where margin errors count.
    Tolerance,
    /// The share of normal samples that may be called anomalous must lie between 0.001 and 0.25.
    Sensitivity,
    /// The model has learned already: its kernel and rule are settled.
    InUse,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Width => "the kernel width gamma must be positive and finite",
            Self::Degree => "the degree of a polynomial kernel must lie between 1 and 16",
            Self::Scale => "the scale of a polynomial kernel must be positive, and neither it nor the offset too large",
            Self::Offset => "the offset of a polynomial kernel must be finite and not negative",
            Self::StepSize => "a step size must be positive, and at most 1e28",
            Self::Margin => "a margin must be a number of at most 1e28, as a factor a positive one",
            Self::Aggressiveness => "the aggressiveness must be positive, and at most 1e28",
            Self::Regularisation => {
                "the regularisation lambda must be positive, and at least 1e-28"
            }
            Self::Accuracy => "the accuracy of ALMA must lie in (0, 1]",
            Self::Credit => "the credit lambda must be finite and not negative",
            Self::Bound => "the bound on the steps of one example must be at least one",
            Self::Bias => "the bias and its step must be finite, and the step not negative",
            Self::Tolerance => {
                "the projection tolerance must be finite, and positive where margin errors count"
            }
            Self::Sensitivity => "the share of false alarms must lie between 0.001 and 0.25",
            Self::InUse => "the model has learned already: its kernel and rule are settled",
        })
    }
}

impl core::error::Error for ConfigError {}

/// Why a learner would not take an example; the model is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum InputError {
    /// A feature is NaN or infinite.
    NonFinite,
    /// The example has another number of features than the model.
    WrongDimension,
    /// A fixed-point feature is larger than the format allows for this number of features.
    OutOfRange,
    /// The score left the range of `f32`: features or kernel are far too large.
    Overflow,
    /// The example's number is beyond the update counts.
    UnknownExample,
    /// The class is beyond the number of classes.
    UnknownClass,
    /// A parameter of the model is outside its domain, or was left blank.
    Config(ConfigError),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Config(error) => return write!(f, "the model is not ready: {error}"),
            Self::NonFinite => "a feature is NaN or infinite",
            Self::WrongDimension => "the example has another number of features than the model",
            Self::OutOfRange => "a feature is larger than its format allows",
            Self::Overflow => "the score left the range of f32",
            Self::UnknownExample => "the example's number is beyond the update counts",
            Self::UnknownClass => "the class is beyond the number of classes",
        })
    }
}

impl core::error::Error for InputError {}

impl From<ConfigError> for InputError {
    fn from(error: ConfigError) -> Self {
        InputError::Config(error)
    }
}

/// Why an edit was refused; the model is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum EditError {
    /// This kind of model cannot do that.
    Unsupported,
    /// The class is beyond the number of classes.
    UnknownClass,
    /// There is nothing to take back.
    NothingToUndo,
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unsupported => "this kind of model cannot do that",
            Self::UnknownClass => "the class is beyond the number of classes",
            Self::NothingToUndo => "there is nothing to take back",
        })
    }
}

impl core::error::Error for EditError {}

/// Whether `value` is positive and finite; NaN is neither.
pub(crate) const fn is_positive(value: f32) -> bool {
    value > 0.0 && value < f32::INFINITY
}

/// Whether `value` is finite and not negative; NaN is neither.
pub(crate) const fn is_non_negative(value: f32) -> bool {
    value >= 0.0 && value < f32::INFINITY
}
