//! Whether the line may do what it asks for.

use super::message::Permissions;
use crate::sealed::Sealed;

/// What decides about the requests of a [`Device`](super::Device).
///
/// There are two: [`Unrestricted`], which allows everything and costs nothing, and [`Permissions`], which the application
/// may [change](super::Device::set_permissions) while the device runs.
pub trait Access: Sealed {
    /// What is allowed now.
    fn permissions(&self) -> Permissions;
}

/// Everything is allowed, decided when the firmware is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unrestricted;

impl Sealed for Unrestricted {}

impl Access for Unrestricted {
    #[inline]
    fn permissions(&self) -> Permissions {
        Permissions::ALL
    }
}

impl Sealed for Permissions {}

impl Access for Permissions {
    #[inline]
    fn permissions(&self) -> Permissions {
        *self
    }
}
