//! Flash wears out: when may a model be saved?

use core::fmt;

/// Lets through at most one save per interval, and none beyond the flash's endurance.
///
/// It knows neither clock nor flash: hand it the time, in ticks of your choice, and
/// the wear that [`StoreStatus::wear`](super::StoreStatus::wear) reports.
///
/// ```
/// use pocketron::persist::store::{WearError, WearLimit};
///
/// // Once a minute on a clock of milliseconds, up to 10,000 erase cycles.
/// let mut limit = WearLimit::new(60_000, 10_000);
/// assert_eq!(limit.admit(5_000, 17), Ok(()));
/// assert_eq!(limit.admit(35_000, 18), Err(WearError::TooSoon { wait: 30_000 }));
/// assert_eq!(limit.admit(65_000, 18), Ok(()));
/// assert_eq!(limit.admit(125_000, 10_000), Err(WearError::Exhausted));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WearLimit {
    interval: u64,
    budget: u32,
    last: Option<u64>,
}

impl WearLimit {
    /// At most one save per `interval` ticks, and none at a wear of `budget` or more;
    /// usable in a `static`.
    pub const fn new(interval: u64, budget: u32) -> Self {
        WearLimit {
            interval,
            budget,
            last: None,
        }
    }

    /// The same limit, but the first save has to wait for an interval after `now`, too.
    ///
    /// For devices that save on their own: one that resets again and again must not
    /// wear out its flash by saving after each reset.
    pub const fn waiting_from(self, now: u64) -> Self {
        WearLimit {
            last: Some(now),
            ..self
        }
    }

    /// Asks for a save at the time `now`; one that is granted counts, even if it fails later.
    pub fn admit(&mut self, now: u64, wear: u32) -> Result<(), WearError> {
        if wear >= self.budget {
            return Err(WearError::Exhausted);
        }
        if let Some(last) = self.last {
            // A clock that went back has not advanced.
            let wait = self.interval.saturating_sub(now.saturating_sub(last));
            if wait > 0 {
                return Err(WearError::TooSoon { wait });
            }
        }
        self.last = Some(now);
        Ok(())
    }
}

/// Why a save was not granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum WearError {
    /// The last save is too recent.
    TooSoon {
        /// Ticks until the next one may happen.
        wait: u64,
    },
    /// The flash has been erased as often as it may be.
    Exhausted,
}

impl fmt::Display for WearError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooSoon { wait } => write!(f, "the last save is too recent: wait {wait} ticks"),
            Self::Exhausted => f.write_str("the flash has been erased as often as it may be"),
        }
    }
}

impl core::error::Error for WearError {}
