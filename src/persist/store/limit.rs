//! Flash wears out: when may a model be saved?

use core::fmt;

/// Lets through at most one save of the line and one of the application per interval, and none beyond the flash's endurance.
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
///
/// // The last 2,000 cycles are for the application, however often a host asks.
/// let mut limit = limit.with_reserve(2_000);
/// assert_eq!(limit.admit_from_line(185_000, 8_000), Err(WearError::Reserved));
/// assert_eq!(limit.admit(185_000, 8_000), Ok(()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WearLimit {
    interval: u64,
    budget: u32,
    reserve: u32,
    /// The last save of the application, and the last of all.
    own: Option<u64>,
    last: Option<u64>,
}

impl WearLimit {
    /// At most one save of the line and one of the application per `interval` ticks, and none at a wear of `budget` or more;
    /// usable in a `static`.
    pub const fn new(interval: u64, budget: u32) -> Self {
        WearLimit {
            interval,
            budget,
            reserve: 0,
            own: None,
            last: None,
        }
    }

    /// The same limit with the last `cycles` for the application alone: what comes from the line is refused from a wear of
    /// `budget - cycles` on.
    ///
    /// The wear lies in the headers of the slots, so that a restart brings nothing back of what they have counted. An erase that is followed by a power cut
    /// is not counted: [`waiting_from`](Self::waiting_from) bounds how often that can happen.
    pub const fn with_reserve(self, cycles: u32) -> Self {
        WearLimit {
            reserve: cycles,
            ..self
        }
    }

    /// The same limit, but the first save has to wait for an interval after `now`, too.
    ///
    /// For devices that save on their own, or that strangers can restart: one that resets again and again must not
    /// wear out its flash by saving after each reset, nor by an erase that the next reset hides.
    pub const fn waiting_from(self, now: u64) -> Self {
        WearLimit {
            own: Some(now),
            last: Some(now),
            ..self
        }
    }

    /// Asks for a save of the application at the time `now`; one that is granted counts, even if it fails later.
    ///
    /// It only waits for the application's own saves: a host that saves without a pause does not hold it back.
    pub fn admit(&mut self, now: u64, wear: u32) -> Result<(), WearError> {
        if wear >= self.budget {
            return Err(WearError::Exhausted);
        }
        self.wait(self.own, now)?;
        self.own = Some(now);
        self.last = Some(now);
        Ok(())
    }

    /// The same for a save that a host asks for. It waits for all saves, and must leave the [reserve](Self::with_reserve).
    pub fn admit_from_line(&mut self, now: u64, wear: u32) -> Result<(), WearError> {
        if wear >= self.budget {
            return Err(WearError::Exhausted);
        }
        if wear >= self.budget.saturating_sub(self.reserve) {
            return Err(WearError::Reserved);
        }
        self.wait(self.last, now)?;
        self.last = Some(now);
        Ok(())
    }

    fn wait(&self, last: Option<u64>, now: u64) -> Result<(), WearError> {
        // A clock that went back has not advanced.
        let wait = last.map_or(0, |last| {
            self.interval.saturating_sub(now.saturating_sub(last))
        });
        if wait > 0 {
            return Err(WearError::TooSoon { wait });
        }
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
    /// The erase cycles that are left are for the application: [`WearLimit::with_reserve`].
    Reserved,
}

impl fmt::Display for WearError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooSoon { wait } => write!(f, "the last save is too recent: wait {wait} ticks"),
            Self::Reserved => {
                f.write_str("the erase cycles that are left are reserved for the application")
            }
            Self::Exhausted => f.write_str("the flash has been erased as often as it may be"),
        }
    }
}

impl core::error::Error for WearError {}
