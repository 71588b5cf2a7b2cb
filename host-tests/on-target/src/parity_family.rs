//! The same as `parity` for rules, histories and several classes.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[path = "hash/program.rs"]
#[macro_use]
mod program;

parity!(visit_family);
