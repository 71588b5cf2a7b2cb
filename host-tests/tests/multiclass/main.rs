//! Several classes: each learner of its own and the shared support set are the same thing.

#[path = "../common/mod.rs"]
mod common;

mod fixed;
mod histories_and_cost;
mod merging;
mod models;
mod predictions;
mod refusals;
mod slots;
mod two_kinds;
