//! The three semihosting operations that the examples need, on Arm and RISC-V.
//!
//! QEMU sends `SYS_WRITE0` to stderr, so the console is opened by name and
//! written through its handle, which is stdout.
#![allow(dead_code, reason = "an image that refuses to panic only exits")]

#[cfg(target_arch = "arm")]
use cortex_m::asm::semihosting_syscall;

const SYS_OPEN: u32 = 0x01;
const SYS_WRITE: u32 = 0x05;
const SYS_EXIT: u32 = 0x18;
const MODE_WRITE: u32 = 4;
const STOPPED_OK: u32 = 0x2_0026;
const STOPPED_BAD: u32 = 0x2_0023;

/// The same call on RISC-V, whose `ebreak` is one of semihosting if these two shifts, which change nothing, surround it.
///
/// # Safety
///
/// As for `cortex_m::asm::semihosting_syscall`: `argument` must be what the operation `number` reads.
#[cfg(target_arch = "riscv32")]
unsafe fn semihosting_syscall(number: u32, argument: u32) -> u32 {
    let result;
    // SAFETY: the caller hands over what the operation reads. The sequence must lie in one page and in instructions of four
    // bytes, hence the alignment and `norvc`.
    unsafe {
        core::arch::asm!(
            ".option push",
            ".option norvc",
            ".balign 16",
            "slli x0, x0, 0x1f",
            "ebreak",
            "srai x0, x0, 7",
            ".option pop",
            inlateout("a0") number => result,
            in("a1") argument,
            options(nostack, preserves_flags)
        );
    }
    result
}

/// A handle for [`write`].
pub fn open_console() -> u32 {
    let name = c":tt";
    let block = [name.as_ptr() as u32, MODE_WRITE, 3];
    // SAFETY: `block` names a valid string of 3 bytes for the whole call.
    unsafe { semihosting_syscall(SYS_OPEN, block.as_ptr() as u32) }
}

/// Whether all of `bytes` was taken.
pub fn write(handle: u32, bytes: &[u8]) -> bool {
    let block = [handle, bytes.as_ptr() as u32, bytes.len() as u32];
    // SAFETY: `block` describes `bytes`, which outlives the call; the host only reads it.
    let left = unsafe { semihosting_syscall(SYS_WRITE, block.as_ptr() as u32) };
    left == 0
}

/// Ends the emulation with exit code 0 or 1.
pub fn exit(ok: bool) -> ! {
    let reason = if ok { STOPPED_OK } else { STOPPED_BAD };
    loop {
        // SAFETY: SYS_EXIT takes its reason by value and touches no memory.
        unsafe { semihosting_syscall(SYS_EXIT, reason) };
    }
}
