//! Class labels: two signs, or numbered classes.

/// A class label that metrics can count: [`Sign`] or [`Class`].
pub trait Label: Copy + PartialEq + crate::sealed::Sealed {
    /// Position of the class in a table, from zero.
    fn index(self) -> usize;

    /// Confidence of a prediction: the winner's score, or `|score|` with two classes.
    fn strength(self, score: f32) -> f32 {
        score
    }
}

/// A label that travels as the number of a class.
pub trait ClassLabel: Label {
    /// The class of the same position.
    #[inline]
    fn class(self) -> Class {
        Class(self.index() as u8)
    }

    /// The label of the same position as a class, if there is one.
    fn of_class(class: Class) -> Option<Self>;
}

/// Binary label.
///
/// ```
/// use pocketron::label::Sign;
/// assert_eq!(Sign::of(0.3), Sign::Pos);
/// assert_eq!(Sign::Neg.value(), -1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Sign {
    /// The negative class.
    Neg,
    /// The positive class.
    Pos,
}

impl Sign {
    /// `-1.0` or `1.0`.
    #[inline]
    pub const fn value(self) -> f32 {
        match self {
            Sign::Neg => -1.0,
            Sign::Pos => 1.0,
        }
    }

    /// Side of a score; a score of zero counts as negative.
    #[inline]
    pub const fn of(score: f32) -> Self {
        if score > 0.0 { Sign::Pos } else { Sign::Neg }
    }
}

impl Label for Sign {
    fn index(self) -> usize {
        usize::from(self == Sign::Pos)
    }

    fn strength(self, score: f32) -> f32 {
        self.value() * score
    }
}

impl ClassLabel for Sign {
    #[inline]
    fn of_class(class: Class) -> Option<Self> {
        match class {
            Class(0) => Some(Sign::Neg),
            Class(1) => Some(Sign::Pos),
            _ => None,
        }
    }
}

/// One of several classes, numbered from zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Class(pub u8);

impl Label for Class {
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl ClassLabel for Class {
    #[inline]
    fn of_class(class: Class) -> Option<Self> {
        Some(class)
    }
}

impl crate::sealed::Sealed for Sign {}
impl crate::sealed::Sealed for Class {}
