//! Which past hypotheses get a say: in the primal and the dual alike, and as a naive memory of all of them has it.

#[path = "../common/mod.rs"]
mod common;

mod against_memory;
mod averaging_within_a_budget;
mod cost;
mod drawing;
mod past;
mod primal_and_dual;
mod rows;
mod voters;
