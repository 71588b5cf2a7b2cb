//! Everything of Pocketron that needs `std`.
//!
//! | module | holds |
//! |---|---|
//! | [`data`] | LIBSVM files, where they are found, scaling, permutations |
//! | [`heap`], [`scaled`] | memory and a scale for the core's learners whose shape is known only at run time |
//! | [`kernel`], [`learner`], [`roster`] | the core's parts chosen by name, and which row sits in which slot |
//! | [`mod@reference`] | slow float64 versions of every algorithm, written from the papers |
//! | [`flash`] | NOR flash that is strict, wears out and loses its power |
//! | [`device`] | the line to a device, and the commands that use it |
//! | [`model`] | models out of their images |
//! | [`accuracy`] | how accurate the core's functions must be |
//! | [`sparse`], [`ballots`] | linear weights over sparse rows, voters without limit |
//! | [`options`], [`listing`], [`trace`], [`family`], [`evaluate`], [`papers`], [`command`] | the commands |

pub mod accuracy;
pub mod ballots;
pub mod classes;
pub mod command;
pub mod confusion;
pub mod data;
pub mod device;
pub mod evaluate;
pub mod examples;
pub mod family;
pub mod flash;
pub mod heap;
pub mod kernel;
pub mod learner;
pub mod listing;
pub mod model;
pub mod options;
pub mod papers;
pub mod reference;
pub mod roster;
pub mod scaled;
pub mod sparse;
pub mod spread;
pub mod table;
pub mod trace;

/// Where this package lies: its folders `data` and `golden` serve other packages, too.
pub const FOLDER: &str = env!("CARGO_MANIFEST_DIR");
