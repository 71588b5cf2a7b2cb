//! Nothing but tests: see `tests/compile_fail.rs`.
