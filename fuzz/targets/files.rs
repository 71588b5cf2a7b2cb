#![no_main]
//! See `pocketron_fuzz::files`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pocketron_fuzz::files::run(bytes));
