//! Parts of learners that are chosen at run time.
//!
//! Each stands for several parts of the core and hands everything on to the one
//! that it is, so that bits and images are that one's. Only where the core decides
//! by type (policies that want the nearest vector, merging) are there different
//! types here as well.

pub mod history;
pub mod kernel;
pub mod policy;
pub mod rule;
pub mod weights;

pub use history::AnyHistory;
pub use kernel::kernel;
pub use policy::{AnyPolicy, GaussianPolicy, KeepingPolicy, SlotPolicy};
pub use rule::{AnyRule, PlainRule};
pub use weights::HeapWeights;

/// Implements `Restart` for an enum by handing on to the part inside.
macro_rules! restart_inside {
    ($choice:ty, $($variant:ident)*) => {
        impl ::pocketron::persist::Restart for $choice {
            fn restart(&mut self) {
                match self { $( Self::$variant(part) => part.restart(), )* }
            }
        }
    };
}
use pocketron_testkit::persist_inside;
use restart_inside;
