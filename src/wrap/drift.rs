//! Concept drift: detect that the model no longer fits, and react.
//!
//! A sensor ages, a machine gets another part, somebody swaps two labels. A learner that has settled then
//! stays wrong for a long time. [`ErrorRateDetector`] compares recent errors with earlier ones, and
//! [`DriftMonitor`] puts that around a learner, with a reaction that the application chooses:
//!
//! | reaction | on alarm | for | adds |
//! |---|---|---|---|
//! | [`Report`] | nothing; the application sees [`alarmed`](DriftMonitor::alarmed) | an application with its own idea | 0 |
//! | [`Freeze`] | stops learning until [`resume`](DriftMonitor::resume) | labels that may be wrong now | 4 bytes |
//! | [`Reset`] | forgets, and learns anew | a world that has changed | 0 |
//! | [`Snapshot<L, R>`] | keeps a copy taken before the drift, then does `R` | later inspection | a second model |
//! | [`RollBack<L>`] | goes back to a copy taken before the drift | an application that then stops teaching it | a second model |
//!
//! ```
//! use pocketron::{prelude::*, wrap::drift::{DriftMonitor, Reset}};
//!
//! let mut model = DriftMonitor::<Pocketron<1, 20>, Reset>::new();
//! let mut learn = |n: u32, turned: bool| {
//!     let x = (n * 37 % 200) as f32 / 10.0;
//!     let label = if (x > 10.0) != turned { Sign::Pos } else { Sign::Neg };
//!     model.learn(&[x], label).map(|_| model.alarmed())
//! };
//! for n in 0..1000 {
//!     assert!(!learn(n, false)?);
//! }
//! let noticed = (0..100).find(|n| learn(*n, true) == Ok(true));
//! assert!(noticed < Some(40));
//! # Ok::<(), pocketron::error::InputError>(())
//! ```
//!
//! After an abrupt change of labels or classes, `Reset` predicts 88 to 89 % right, a learner without a reaction
//! 64 %. After the sensor has shifted or its gain has changed, the figures are 88 and 98 % against 67 and 95 %.
//! `cargo pocketron reproduce drift` measures all of them.
//!
//! # The copy in flash
//!
//! A copy in RAM doubles the model. One in [flash](crate::persist::store) does not: save while all is
//! [well](DriftMonitor::is_stable), and load on alarm.
//!
//! ```
//! use pocketron::{persist::store::{RamFlash, SlotRing}, prelude::*, wrap::drift::{DriftMonitor, Report}};
//!
//! let mut ring: SlotRing<_> = SlotRing::mount(RamFlash::<8>::new(), 0..8192)?;
//! let mut model = DriftMonitor::<Pocketron<1, 20>, Report>::new();
//! for n in 0..1200 {
//!     let x = (n * 37 % 200) as f32 / 10.0;
//!     let broken = n > 1000;
//!     model.learn(&[x], if (x > 10.0) != broken { Sign::Pos } else { Sign::Neg })?;
//!     if n % 400 == 399 && model.is_stable() {
//!         ring.save_model(model.learner())?;
//!     }
//!     if model.alarmed() {
//!         ring.load_model(model.learner_mut())?;
//!         break; // and raise an alarm
//!     }
//! }
//! assert_eq!(model.predict(&[18.0])?, Sign::Pos);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod drift_monitor;
mod error_rate_detector;
mod reaction;

pub use drift_monitor::DriftMonitor;
pub use error_rate_detector::ErrorRateDetector;
pub use reaction::{Freeze, Reaction, Report, Reset, RollBack, Snapshot};
