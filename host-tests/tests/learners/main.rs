//! What holds for learners: laws, agreement with the reference, what the papers prove and what they measured.

#[path = "../common/mod.rs"]
mod common;

mod against_reference;
mod edges;
mod errors;
mod golden;
mod golden_reference;
mod kept_scores;
mod laws;
mod leave_one_out;
mod math;
mod merging_steps;
mod papers;
mod projection;
mod rare;
mod separable;
mod sizes;
mod streaming;
mod theory;
