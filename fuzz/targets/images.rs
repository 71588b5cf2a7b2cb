#![no_main]
//! See `pocketron_fuzz::images`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pocketron_fuzz::images::run(bytes));
