#![no_main]
//! See `pocketron_fuzz::signal`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pocketron_fuzz::signal::run(bytes));
