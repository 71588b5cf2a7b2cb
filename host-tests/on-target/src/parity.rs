//! One hash per budget policy over every score, decision and eviction of a run.
//!
//! `cargo xtask parity` compares the hashes of all targets.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[path = "hash/program.rs"]
#[macro_use]
mod program;

parity!(visit_policies);
