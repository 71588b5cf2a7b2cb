//! The same as `parity` for learners with confidence, and for those that notice a drift.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[path = "hash/program.rs"]
#[macro_use]
mod program;

parity!(visit_wrapped);
