//! Who may do what.

use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

/// A group of requests that a device may refuse; [`Request::permission`](super::Request::permission) tells the group of a request.
///
/// Identify and Status are in none: a host must be able to see whom it talks to, and what it may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Schema)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Permission {
    /// Predictions, counts of classes, the state of the sensor, the self-test.
    Ask,
    /// Learning, rehearsing, undoing, forgetting a class, and playing a recording.
    Teach,
    /// Keeping the model in flash.
    Save,
    /// Reading the model, which holds vectors close to the examples it was taught.
    Pull,
    /// Replacing the model, in memory and in flash.
    Push,
    /// Discarding what is in memory: Load, Arm and Reset.
    Reset,
    /// Reading the samples of the sensor.
    Samples,
}

impl Permission {
    /// All of them, in the order of their bits.
    pub const ALL: [Self; 7] = [
        Permission::Ask,
        Permission::Teach,
        Permission::Save,
        Permission::Pull,
        Permission::Push,
        Permission::Reset,
        Permission::Samples,
    ];

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// What the line may do: a set of [`Permission`]s.
///
/// ```
/// use pocketron::device::message::{Permission, Permissions};
///
/// const SERVICE: Permissions = Permissions::ASK.with(Permission::Pull);
/// assert!(SERVICE.allows(Permission::Pull) && !SERVICE.allows(Permission::Teach));
/// assert_eq!(Permissions::ALL.without(Permission::Push).bits(), 0x6f);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Schema)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Permissions(u8);

impl Permissions {
    /// Nothing but Identify and Status.
    pub const NONE: Self = Permissions(0);
    /// For a product in the field: the line may ask, and nothing that it sends changes the model or the flash. The answers tell how
    /// the model classifies, and how many examples it was taught.
    pub const ASK: Self = Self::NONE.with(Permission::Ask);
    /// For a product that its owner teaches over the line: ask, teach and save.
    pub const TEACH: Self = Self::ASK.with(Permission::Teach).with(Permission::Save);
    /// For development: access to the line is access to the device.
    pub const ALL: Self = {
        let mut all = Self::NONE;
        let mut left: &[Permission] = &Permission::ALL;
        while let [first, rest @ ..] = left {
            all = all.with(*first);
            left = rest;
        }
        all
    };

    /// The set with this permission.
    pub const fn with(self, permission: Permission) -> Self {
        Permissions(self.0 | permission.bit())
    }

    /// The set without this permission.
    pub const fn without(self, permission: Permission) -> Self {
        Permissions(self.0 & !permission.bit())
    }

    /// Whether it has this permission.
    pub const fn allows(self, permission: Permission) -> bool {
        self.0 & permission.bit() != 0
    }

    /// A bit for each permission; the lowest is that of [`Permission::Ask`].
    pub const fn bits(self) -> u8 {
        self.0
    }
}
