#![no_main]
//! See `pocketron_fuzz::parameters`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pocketron_fuzz::parameters::run(bytes));
