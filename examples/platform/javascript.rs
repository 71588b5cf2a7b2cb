//! What `semihosting` offers, by calls of the program that hosts WebAssembly: `host-tests/on-target/run-wasm.mjs`.

#[link(wasm_import_module = "console")]
unsafe extern "C" {
    #[link_name = "write"]
    fn console_write(bytes: *const u8, length: usize);
}

/// A handle for [`write`]: there is one console.
pub fn open_console() -> u32 {
    0
}

/// Whether all of `bytes` was taken.
pub fn write(_: u32, bytes: &[u8]) -> bool {
    // SAFETY: the host reads `bytes` during the call and keeps nothing of them.
    unsafe { console_write(bytes.as_ptr(), bytes.len()) };
    true
}

/// Ends a program that has failed with a trap. One that succeeds returns.
pub fn exit(_: bool) -> ! {
    core::arch::wasm32::unreachable()
}
