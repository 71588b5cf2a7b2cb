#![no_main]
//! See `pocketron_fuzz::store`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pocketron_fuzz::store::run(bytes));
