#![no_main]
//! See `pocketron_fuzz::device`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pocketron_fuzz::device::run(bytes));
