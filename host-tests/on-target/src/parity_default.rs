//! The same as `parity` for the default learner of two classes, a rare one included, and for the one without labels.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[path = "hash/program.rs"]
#[macro_use]
mod program;

parity!(visit_default);
