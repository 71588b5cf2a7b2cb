//! The default learners: [`ContinualLearner`] under names of their own, with all that a program needs as methods.

use super::continual::{
    AnnealedSteps, BestWrongClass, Binary, ContinualLearner, Recall, SupportVector, Uneven, Update,
    Vectors,
};
use crate::{
    classifier::{OnlineClassifier, Outcome, Scorer as _, wrapper},
    error::{ConfigError, InputError},
    kernel::ArdGaussian,
    label::{Class, Sign},
    persist::{
        self, Blank, BoundedImage, BufferTooSmall, Convert, ImageError, Persist, Reader, Ready,
        Restart, Shape, StoredSizes, Writer,
    },
    rule::{Balanced, ClassFactors},
    storage::{Features, Inline, scale::Moments},
};

/// The learner inside a default learner.
type Inner<const D: usize, const B: usize, U, const C: usize, const N: usize> =
    ContinualLearner<Features<D>, Inline<D, B, i8>, U, C, N>;

/// The default learner for two classes: raw features in, nothing to tune, learns from the first example.
///
/// See [`continual`](crate::learners::continual) for what it does.
///
/// ```
/// use pocketron::prelude::*;
///
/// // 3 features, 40 support vectors: 332 bytes.
/// let mut model = Pocketron::<3, 40>::new();
/// for n in 0..10 {
///     // First what is cold, then what is hot.
///     let hot = n >= 5;
///     let (temperature, humidity) = (20.0 + 9.0 * f32::from(hot), (n % 3) as f32);
///     let label = if hot { Sign::Pos } else { Sign::Neg };
///     model.learn(&[temperature, humidity, 1013.0], label)?;
/// }
/// assert_eq!(model.predict(&[28.0, 1.0, 1013.0])?, Sign::Pos);
/// assert_eq!(model.predict(&[21.0, 2.0, 1013.0])?, Sign::Neg);
/// assert_eq!(size_of_val(&model), 332);
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
///
/// Its bytes go to flash or over a wire, and what it has stored can be read in the units of the input:
///
/// ```
/// use pocketron::prelude::*;
///
/// // A kernel width that is known is a better start than the usual `3 / D`.
/// let mut model = Pocketron::<1, 8>::with_gamma(2.0)?;
/// for hectopascals in [990.0, 1030.0, 995.0, 1025.0] {
///     let label = if hectopascals > 1010.0 { Sign::Pos } else { Sign::Neg };
///     model.learn(&[hectopascals], label)?;
/// }
/// for vector in model.support_vectors() {
///     assert!((980.0..1040.0).contains(&vector.x[0]));
///     assert_eq!(vector.label, Sign::of(vector.coefficient));
/// }
///
/// let mut buffer = [0; Pocketron::<1, 8>::MAX_BYTES];
/// let image = model.to_bytes(&mut buffer)?;
/// let again = Pocketron::<1, 8>::from_bytes(image)?;
/// assert_eq!(again.score(&[1000.0])?, model.score(&[1000.0])?);
/// assert!(Pocketron::<1, 9>::from_bytes(image).is_err()); // another model's
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pocketron<const D: usize, const B: usize> {
    learner: Inner<D, B, Binary<AnnealedSteps<30, 4>>, 2, 1>,
}

/// The default learner for `C` classes: raw features in, nothing to tune, learns from the first example.
///
/// Classes may be taught in any order, and appear at any time.
///
/// ```
/// use pocketron::prelude::*;
///
/// // 2 features, 30 support vectors, up to 4 classes: 328 bytes.
/// let mut model = PocketronMulti::<2, 30, 4>::new();
/// for n in 0..15_u8 {
///     // Three classes, five examples each, one class after the other.
///     let class = n / 5;
///     let x = [f32::from(class) * 10.0 + f32::from(n % 5), 1013.0 + f32::from(n % 3)];
///     model.learn(&x, Class(class))?;
/// }
/// assert_eq!(model.predict(&[12.0, 1014.0])?, Class(1));
/// assert_eq!(size_of_val(&model), 328);
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
///
/// An update moves the true class and the best wrong one. The alternative moves every class that
/// is too close to the wrong side, each with steps of its own; it adds `8 C - 8` bytes:
///
/// ```
/// use pocketron::{learners::continual::{AllViolating, AnnealedSteps}, prelude::*};
/// let model = PocketronMulti::<2, 30, 4, AllViolating<AnnealedSteps<35, 3>, 4>>::new();
/// assert_eq!(size_of_val(&model), 352);
/// ```
#[derive(Clone, Debug)]
pub struct PocketronMulti<
    const D: usize,
    const B: usize,
    const C: usize,
    U = BestWrongClass<AnnealedSteps<35, 3>>,
> {
    learner: Inner<D, B, U, C, C>,
}

/// Pocketron where one class is rare: `W` says how much more it counts.
///
/// [`Balanced`] is for few errors in each class, however rare it is; [`F1`](crate::rule::F1) for alarms that
/// should be right. Both count the classes in the stream, in 8 bytes more than [`Pocketron`] has.
///
/// ```
/// use pocketron::{prelude::*, rule::F1};
///
/// let mut model = PocketronRare::<2, 24>::new();
/// let mut careful = PocketronRare::<2, 24, F1>::new();
/// for n in 0..2000 {
///     // One part in fifty is bad, and longer by more than it varies.
///     let bad = n % 50 == 0;
///     let x = [10.0 + (n % 7) as f32 * 0.1 + if bad { 0.5 } else { 0.0 }, (n % 11) as f32];
///     let label = if bad { Sign::Pos } else { Sign::Neg };
///     model.learn(&x, label)?;
///     careful.learn(&x, label)?;
/// }
/// assert_eq!(model.predict(&[10.9, 3.0])?, Sign::Pos);
/// // Between the two the first rather gives an alarm.
/// assert!(model.score(&[10.7, 3.0])? > careful.score(&[10.7, 3.0])?);
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PocketronRare<const D: usize, const B: usize, W = Balanced> {
    learner: Inner<D, B, Binary<Uneven<AnnealedSteps<30, 4>, W>>, 2, 1>,
}

/// Methods and traits of a default learner: all of them those of the learner inside. Image and bits are its own, too.
macro_rules! default_learner {
    (
        [$($generics:tt)*] $learner:ty,
        label $label:ident, update $update:ty, classes $classes:tt, columns $columns:tt
    ) => {
        impl<$($generics)*> $learner {
            /// No image is longer.
            pub const MAX_BYTES: usize = <Self as BoundedImage>::MAX_BYTES;

            /// Nothing learned yet.
            #[inline]
            pub const fn new() -> Self {
                Self { learner: ContinualLearner::new() }
            }

            /// Nothing learned yet, with a kernel of known width `exp(-gamma |a - b|^2)` on standardised features;
            /// `3 / D` otherwise.
            ///
            /// # Errors
            ///
            /// When `gamma` is not positive and finite.
            #[inline]
            pub fn with_gamma(gamma: f32) -> Result<Self, ConfigError> {
                let learner = ContinualLearner::with_gamma(gamma)?;
                Ok(Self { learner })
            }

            /// Predicts `x`, then learns its true label. An error means that the example was refused and nothing changed.
            #[inline]
            pub fn learn(&mut self, x: &[f32; D], label: $label) -> Result<Outcome<$label>, InputError> {
                self.learner.learn(x, label)
            }

            /// Label of `x`. A model without examples returns class 0, not an error: [`is_ready`](Self::is_ready) says
            /// whether two classes have an example.
            #[inline]
            pub fn predict(&self, x: &[f32; D]) -> Result<$label, InputError> {
                self.learner.predict(x)
            }

            /// Label of `x` and the score behind it: signed with two classes, the winner's with more.
            #[inline]
            pub fn predict_scored(&self, x: &[f32; D]) -> Result<($label, f32), InputError> {
                self.learner.predict_scored(x)
            }

            default_learner!(@score $label $classes);

            /// The support vectors in the units of the input, each with its label and coefficient.
            ///
            /// They are kept in a byte per feature, and end at 2.5 standard deviations.
            pub fn support_vectors(&self) -> impl Iterator<Item = SupportVector<D, $label>> + '_ {
                self.learner.support_vectors()
            }

            /// Number of support vectors.
            #[inline]
            pub fn len(&self) -> usize {
                self.learner.vectors().len()
            }

            /// Whether no vector is stored.
            #[inline]
            pub fn is_empty(&self) -> bool {
                self.learner.vectors().is_empty()
            }

            /// Support vectors at most: the budget.
            #[inline]
            pub const fn capacity(&self) -> usize {
                B
            }

            /// Writes the image to the front of `buffer`, and returns that part; [`MAX_BYTES`](Self::MAX_BYTES) are
            /// always enough.
            #[inline]
            pub fn to_bytes<'a>(&self, buffer: &'a mut [u8]) -> Result<&'a [u8], BufferTooSmall> {
                persist::to_bytes(self, buffer)
            }

            /// The model of which these bytes are the image. It goes on bit for bit as that would.
            pub fn from_bytes(image: &[u8]) -> Result<Self, ImageError> {
                let mut model = Self::new();
                persist::restore(&mut model, &mut { image })?;
                Ok(model)
            }

            /// Forgets everything that was learned; the width of the kernel stays.
            #[inline]
            pub fn reset(&mut self) {
                self.learner.reset();
            }

            /// Forgets one class; the others stay.
            #[inline]
            pub fn forget(&mut self, class: $label) {
                self.learner.forget(class);
            }

            /// Rehearses the next `steps` stored vectors, in idle time; says how many of them took a step. See
            /// [`ContinualLearner::rehearse`].
            #[inline]
            pub fn rehearse(&mut self, steps: u16) -> u16 {
                self.learner.rehearse(steps)
            }

            /// Stored vectors that are rehearsed with every example.
            #[inline]
            pub fn rehearsals(&self) -> u8 {
                self.learner.rehearsals()
            }

            /// Sets how many stored vectors are rehearsed with every example: 2 unless set otherwise. Each costs `B`
            /// kernel evaluations.
            #[inline]
            pub fn set_rehearsals(&mut self, count: u8) {
                self.learner.set_rehearsals(count);
            }

            /// Examples learned of a class.
            #[inline]
            pub fn seen(&self, class: Class) -> u32 {
                self.learner.seen(class)
            }

            /// Whether there is a choice: two classes or more have an example.
            #[inline]
            pub fn is_ready(&self) -> bool {
                self.learner.is_ready()
            }

            /// Whether a coefficient has reached the largest there is, which should never happen.
            #[inline]
            pub fn is_saturated(&self) -> bool {
                self.learner.is_saturated()
            }

            /// Leave-one-out recall of a class on its stored vectors, not held-out recall: see [`ContinualLearner::recall`].
            #[inline]
            pub fn recall(&self, class: Class) -> Recall {
                self.learner.recall(class)
            }

            /// The stored vectors as they are kept: in bytes, standardised.
            #[inline]
            pub fn vectors(&self) -> &Vectors<Inline<D, B, i8>, $columns> {
                self.learner.vectors()
            }

            /// The kernel with the relevance of each feature.
            #[inline]
            pub fn kernel(&self) -> &ArdGaussian<Features<D>> {
                self.learner.kernel()
            }

            /// Mean and variance of each feature so far.
            #[inline]
            pub fn moments(&self) -> &[Moments] {
                self.learner.moments()
            }

            /// The learner that it is, with what is seldom needed.
            #[inline]
            pub const fn parts(&self) -> &Inner<D, B, $update, $classes, $columns> {
                &self.learner
            }
        }

        impl<$($generics)*> Default for $learner {
            fn default() -> Self {
                Self::new()
            }
        }

        impl<$($generics)*> Blank for $learner {
            const BLANK: Self = Self::new();
        }

        impl<$($generics)*> Ready for $learner {}

        wrapper!(@wrapper [$($generics)*] $learner, Inner<D, B, $update, $classes, $columns> {
            const MAX_OWN_BYTES: usize = 0;
        });
        wrapper!(@classifier [$($generics)*] $learner, Inner<D, B, $update, $classes, $columns> {
            #[inline]
            learn(self, x, label, id) {
                self.learner.learn_with_id(x, label, id)
            }
        });

        impl<$($generics)*> Restart for $learner {
            fn restart(&mut self) {
                self.learner.reset();
            }
        }

        impl<$($generics)*> Persist for $learner {
            fn shape(&self, shape: &mut Shape<'_>) {
                self.learner.shape(shape);
            }

            fn save(&self, writer: &mut Writer<'_>) {
                self.learner.save(writer);
            }

            fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
                self.learner.load(reader)
            }
        }

        impl<$($generics)*> Convert for $learner {
            fn convert(
                &mut self,
                stored: &mut StoredSizes,
                reader: &mut Reader<'_>,
            ) -> Result<(), ImageError> {
                self.learner.convert(stored, reader)
            }
        }
    };
    (@score Sign $classes:tt) => {
        /// Score of `x`; positive means [`Sign::Pos`].
        #[inline]
        pub fn score(&self, x: &[f32; D]) -> Result<f32, InputError> {
            self.learner.score(x)
        }
    };
    (@score Class $classes:tt) => {
        /// Score of every class, zero for those without an example.
        #[inline]
        pub fn scores(&self, x: &[f32; D]) -> Result<[f32; $classes], InputError> {
            self.learner.scores(x)
        }
    };
}

default_learner!(
    [const D: usize, const B: usize] Pocketron<D, B>,
    label Sign, update Binary<AnnealedSteps<30, 4>>, classes 2, columns 1
);
default_learner!(
    [const D: usize, const B: usize, const C: usize, U: Update<C, C, Label = Class>] PocketronMulti<D, B, C, U>,
    label Class, update U, classes C, columns C
);
default_learner!(
    [const D: usize, const B: usize, W: ClassFactors + Ready + Persist] PocketronRare<D, B, W>,
    label Sign, update Binary<Uneven<AnnealedSteps<30, 4>, W>>, classes 2, columns 1
);
