#![no_main]
//! See `pocketron_fuzz::models`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pocketron_fuzz::models::run(bytes));
