//! What the tests of Pocketron, its command and its experiments rest on.
//!
//! | module | holds |
//! |---|---|
//! | [`data`] | LIBSVM files, where they are found, scaling, permutations |
//! | [`heap`], [`scaled`] | memory and a scale for the core's learners whose shape is known only at run time |
//! | [`kernel`] | the core's kernels chosen by name |
//! | [`mod@reference`] | slow float64 versions of every algorithm, written from the papers |
//! | [`flash`] | NOR flash that is strict, wears out and loses its power |
//! | [`accuracy`] | how accurate the core's functions must be |
//! | [`sparse`], [`all_voters`] | linear weights over sparse rows, voters without limit |
//! | [`table`], [`escape`] | tables in plain text and Markdown, and text of others that a terminal must not obey |

pub mod accuracy;
pub mod all_voters;
pub mod data;
pub mod flash;
pub mod heap;
pub mod kernel;
pub mod reference;
pub mod scaled;
pub mod sparse;

pub use pocketron_table::{self as table, escape};

/// Implements `Persist` for an enum by handing on to the part inside.
#[macro_export]
macro_rules! persist_inside {
    ($choice:ty, $($variant:ident)*) => {
        impl ::pocketron::persist::Persist for $choice {
            fn shape(&self, shape: &mut ::pocketron::persist::Shape<'_>) {
                match self { $( Self::$variant(part) => part.shape(shape), )* }
            }

            fn save(&self, writer: &mut ::pocketron::persist::Writer<'_>) {
                match self { $( Self::$variant(part) => part.save(writer), )* }
            }

            fn load(
                &mut self,
                reader: &mut ::pocketron::persist::Reader<'_>,
            ) -> Result<(), ::pocketron::persist::ImageError> {
                match self { $( Self::$variant(part) => part.load(reader), )* }
            }
        }
    };
}

/// Where this package lies: its folders `data` and `golden` serve other packages, too.
pub const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

#[cfg(doctest)]
#[doc = include_str!("../../docs/building-blocks.md")]
struct BuildingBlocks;

#[cfg(doctest)]
#[doc = include_str!("../../docs/signal.md")]
struct Signal;
