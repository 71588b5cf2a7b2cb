//! The `pocketron` command: the device's learners on files, and the line to a device.
//!
//! | module | holds |
//! |---|---|
//! | [`learner`], [`family`], [`classes`], [`slot_tracker`] | the core's learners chosen by name, and which row sits in which slot |
//! | [`device`] | the line to a device, and the commands that use it |
//! | [`live`] | a sensor that is taught and asked on the screen |
//! | [`model`] | models out of their images |
//! | [`examples`], [`confusion`], [`recall`], [`spread`] | rows to teach and ask, what is taken for what, means over runs |
//! | [`windows`], [`held_out`] | recordings as the device sees them, and which windows are learned and tested |
//! | [`train`], [`training_data`] | models out of recordings and tables as people have them |
//! | [`options`], [`listing`], [`trace`], [`evaluate`], [`features`] | the commands |
//! | [`papers`] | the commands of the package `pocketron-papers`, which compares with the papers |
//! | [`command`], [`files`] | what all of them do around their work, and how they write files |

pub mod classes;
pub mod command;
pub mod confusion;
pub mod device;
pub mod evaluate;
pub mod examples;
pub mod family;
pub mod features;
pub mod files;
pub mod held_out;
pub mod learner;
pub mod listing;
pub mod live;
pub mod model;
pub mod options;
pub mod papers;
pub mod recall;
pub mod slot_tracker;
pub mod spread;
pub mod trace;
pub mod train;
pub mod training_data;
pub mod windows;

// What the modules above use of the package below, under its usual name.
use pocketron_testkit::{all_voters, data, escape, heap, kernel, scaled, sparse, table};
