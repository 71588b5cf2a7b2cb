//! Everything of Pocketron that needs `std`.
//!
//! | module | holds |
//! |---|---|
//! | [`data`] | LIBSVM files, where they are found, scaling, permutations |
//! | [`heap`], [`scaled`] | memory and a scale for the core's learners whose shape is known only at run time |
//! | [`kernel`], [`learner`], [`slot_tracker`] | the core's parts chosen by name, and which row sits in which slot |
//! | [`mod@reference`] | slow float64 versions of every algorithm, written from the papers |
//! | [`flash`] | NOR flash that is strict, wears out and loses its power |
//! | [`device`] | the line to a device, and the commands that use it |
//! | [`model`] | models out of their images |
//! | [`accuracy`] | how accurate the core's functions must be |
//! | [`sparse`], [`ballots`] | linear weights over sparse rows, voters without limit |
//! | [`batch`] | batch learners on many splits of a set |
//! | [`voted`] | the voted perceptron on MNIST, fast |
//! | [`svm`] | support vector machines of a library, to compare with |
//! | [`reproduce`] | the papers' tables and figures next to ours |
//! | [`speed`] | kernel evaluations per second, beside others |
//! | [`options`], [`listing`], [`trace`], [`family`], [`evaluate`], [`rcd`] | the commands |

pub mod accuracy;
pub mod all_voters;
pub mod batch;
pub mod classes;
pub mod confusion;
pub mod data;
pub mod demo;
pub mod device;
pub mod evaluate;
pub mod examples;
pub mod family;
pub mod flash;
pub mod forest;
pub mod heap;
pub mod kernel;
pub mod learner;
pub mod listing;
pub mod model;
pub mod options;
pub mod plot;
pub mod rcd;
pub mod reference;
pub mod reproduce;
pub mod scaled;
pub mod slot_tracker;
pub mod sparse;
pub mod speed;
pub mod spread;
pub mod svm;
pub mod table;
pub mod trace;
pub mod voted;
