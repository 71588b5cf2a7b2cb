//! How sure is the answer? Probabilities, and samples that are like nothing before.
//!
//! A score says which side, not how likely. Two wrappers learn the rest in the stream, each from the
//! score of an example *before* it was learned:
//!
//! | wrapper | answers | of | adds |
//! |---|---|---|---|
//! | [`Calibrated<L>`] | how probable is it that the answer is right? | two classes | 12 bytes |
//! | [`Familiar<L>`] | is this like what has been learned at all? | any number of classes | 8 bytes |
//!
//! ```
//! use pocketron::{confidence::Calibrated, prelude::*};
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
//! They nest in any order, and with [`Watched`](crate::drift::Watched).

mod calibrated;
mod familiar;
mod platt;
mod quantile;

pub use calibrated::Calibrated;
pub use familiar::Familiar;
pub use platt::Platt;
pub use quantile::Quantile;
