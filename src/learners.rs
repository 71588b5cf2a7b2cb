//! Learners: the engines, and the papers' algorithms by their names.
//!
//! | engine | is |
//! |---|---|
//! | [`perceptron`] | the one online learning step, over a rule, a hypothesis, a budget and a history |
//! | [`continual`] | the default learners: bytes, running scale, merging, replay |
//! | [`normal`] | anomalies from normal data alone: micro-clusters and a quantile |
//! | [`multiclass`] | several classes from binary learners, or over one support set |
//! | [`batch`] | learners over a buffer of examples |
//!
//! Each of the papers' is a [`Perceptron`] with a policy and a rule; the parameters are the
//! number of features `D`, the budget `B` and, where it may differ from the
//! Gaussian, the kernel `K`. Bytes are those of the model on a 32-bit core with
//! `f32` features: a slot costs `4 D` for the point, 4 for its coefficient, and
//! what the policy keeps. Cost counts kernel evaluations beyond the `B` of a
//! prediction; `u` marks those of an update that finds the budget full.
//!
//! | algorithm | type | bytes | cost per example |
//! |---|---|---|---|
//! | kernel perceptron | [`Unbounded<D, B>`] | `B (4 D + 4) + 8` | 0 |
//! | Stoptron | [`Stoptron<D, B>`] | `B (4 D + 4) + 8` | 0 |
//! | Random | [`RandomBudget<D, B>`] | `B (4 D + 4) + 12` | 0 |
//! | remove-oldest | [`RemoveOldest<D, B>`] | `B (4 D + 4) + 12` | 0 |
//! | Fixed Budget | [`FixedBudget<D, B>`] | `B (4 D + 8) + 8` | u: `B`; `B^2` with a kernel of the inner product |
//! | Forgetron | [`Forgetron<D, B>`] | `B (4 D + 4) + 16` | u: `B` |
//! | Tighter0 | [`Tighter0<D, B>`] | `B (4 D + 4) + 8` | u: `B^2` |
//! | Tighter | [`Tighter<D, B, A>`] | `B (4 D + 4) + A (4 D + 4) + 20` | u: `A B` |
//! | Tighter-Full | [`TighterFull<D, B, A>`] | `B (4 D + 4) + A (4 D + 4) + 20` | u: `A B` |
//! | Tightest | [`Tightest<D, B>`] | `B (4 D + 20) + 8` | u: `B^2` |
//! | Tightest with a Gram cache | [`TightestCached<D, B>`] | `B (4 D + 20 + 4 B) + 8` | u: `B` (distances) |
//! | Projectron | [`Projectron<D, B>`] | `B (4 D + 4 + 4 B) + 12` | 0, and `B^2` multiplications |
//! | Projectron++ | [`ProjectronPlus<D, B>`] | `B (4 D + 4 + 4 B) + 24` | 0, and `B^2` multiplications |
//! | BPA-S | [`BpaS<D, B>`] | `B (4 D + 4) + 12` | 0 |
//! | merging | [`MergingPerceptron<D, B>`] | `B (4 D + 4) + 20` | u: `B`, and 9 `B` exponentials |
//! | Pocketron | [`Pocketron<D, B>`] | `B (D + 3) + 12 D + 56` | `2 B`; u: `3 B + 1` |
//! | Pocketron, `C` classes | [`PocketronMulti<D, B, C>`] | `B (D + C + 2) + 12 D + 4 C + 48` | `2 B`; u: `3 B + 1` |
//! | Pocketron for rare classes | [`PocketronRare<D, B>`] | `B (D + 3) + 12 D + 64` | `2 B`; u: `3 B + 1` |
//! | Normal, anomalies without labels | [`Normal<D, B>`] | `B (D + 2) + 12 D + 44` | `2 B + 1` |
//! | BSGD | [`Bsgd<D, B>`] | `B (4 D + 4) + 16` | u: `B`, and 9 `B` exponentials |
//!
//! Pocketron and `Normal` have bytes for features, and are filled up to a multiple of 4.
//! A kernel other than the Gaussian changes the constant by its own size less 4. The Gram cache with 16 bits for a
//! similarity, `TightestCached<D, B, Gaussian, f32, u16>`, has `2 B` in place of `4 B`.
//!
//! With `i8` or `i16` for the format `F`, as in `Stoptron<D, B, Gaussian, i8>` and
//! `MergingPerceptron<D, B, i8>`, a slot has `D` or `2 D` bytes for the point and 2
//! for its coefficient in place of `4 D + 4`, the constant grows by 4, and the whole
//! is filled up to a multiple of 4. [`Standardized`](crate::wrap::Standardized) makes
//! such features, and adds `8 D + 4` bytes. Costs and accuracy: `docs/formats.md`.
//!
//! On top of these bytes, `learn` takes stack: a row of `4 B` bytes, 12 `B` more
//! while Tightest evicts, 8 `B` more while Tighter does, 4 `B` more while others
//! do, and two points. `predict` takes 256 bytes, whatever the budget, and `2 D` more for `i8` features on
//! Cortex-M4 and M7. [`ArdGaussian`](crate::kernel::ArdGaussian) takes `8 D` while it adapts.
//!
//! Other combinations are put together from parts: rules with margins and
//! bounds on repeated mistakes ([`MarginRule`], [`Soft`](crate::rule::Soft),
//! [`Alma`](crate::rule::Alma)), linear hypotheses with a bias or update counts
//! ([`hypothesis`](crate::hypothesis)), [histories](crate::history), and
//! [several classes](crate::learners::multiclass).
//!
//! ```
//! use pocketron::prelude::*;
//!
//! let mut model = Tightest::<2, 20>::new(Gaussian::new(0.5)?);
//! model.learn(&[1.0, 0.0], Sign::Pos)?;
//! model.learn(&[-1.0, 0.0], Sign::Neg)?;
//! assert_eq!(model.predict(&[0.8, 0.3])?, Sign::Pos);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod batch;
pub mod continual;
pub(crate) mod default;
pub mod multiclass;
pub(crate) mod named;
pub mod normal;
pub mod perceptron;

pub use default::{Pocketron, PocketronMulti, PocketronRare};
pub use named::*;
pub use normal::Normal;

#[cfg(doc)]
use crate::rule::MarginRule;
#[cfg(doc)]
use perceptron::Perceptron;
