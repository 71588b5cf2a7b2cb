//! Confidence: calibrated probabilities, and detection of unknown samples.
//!
//! A score says which class, not how likely. Wrappers learn the rest in the stream:
//!
//! | wrapper | answers | of | adds |
//! |---|---|---|---|
//! | [`Confident<L, C>`] | both questions, from the first examples on | default learners, `C` classes | `4 C + 24` bytes |
//! | [`Calibrated<L>`] | how probable is it that the answer is right? | any learner of two classes | 12 bytes |
//! | [`NoveltyDetector<L>`] | is this like what has been learned at all? | any learner | 8 bytes |
//!
//! `Calibrated` and `NoveltyDetector` learn from the score of an example *before* it was learned. They need hundreds of examples;
//! `Confident` looks at the stored vectors, too.
//!
//! ```
//! use pocketron::{prelude::*, wrap::confidence::Calibrated};
//!
//! let mut model = Calibrated::<Pocketron<1, 20>>::new();
//! for n in 0..2000_u32 {
//!     let x = (n * 37 % 200) as f32 / 10.0; // 0 to 20, and one label in seven is wrong
//!     let right = (x > 10.0) != (n % 7 == 0);
//!     model.learn(&[x], if right { Sign::Pos } else { Sign::Neg })?;
//! }
//! let sure = model.probability(&[18.0])?;
//! assert!((sure - 0.857).abs() < 0.05);
//! assert_eq!(model.predict_or_reject(&[18.0], 0.8)?, Some(Sign::Pos));
//! assert_eq!(model.predict_or_reject(&[10.0], 0.85)?, None); // on the boundary
//! # Ok::<(), pocketron::error::InputError>(())
//! ```
//!
//! They nest in any order, and with [`DriftMonitor`](crate::wrap::drift::DriftMonitor).

mod calibrated;
mod confident;
mod evidence_source;
mod novelty_detector;
mod platt;
mod quantile;

pub use calibrated::Calibrated;
pub use confident::{Answer, Confident};
pub use evidence_source::EvidenceSource;
pub use novelty_detector::NoveltyDetector;
pub use platt::Platt;
pub use quantile::Quantile;
