//! The same as `parity` for the default learner of several classes.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[path = "hash/program.rs"]
#[macro_use]
mod program;

parity!(visit_many);
