#![no_main]
//! See `pocketron_fuzz::learners`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pocketron_fuzz::learners::run(bytes));
