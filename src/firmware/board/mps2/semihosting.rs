//! Files and words of the computer that emulates or debugs the board.

use cortex_m::asm::semihosting_syscall;

const SYS_OPEN: u32 = 0x01;
const SYS_WRITE0: u32 = 0x04;
const SYS_WRITE: u32 = 0x05;
const SYS_READ: u32 = 0x06;
const SYS_SEEK: u32 = 0x0a;
const SYS_FLEN: u32 = 0x0c;
const SYS_GET_CMDLINE: u32 = 0x15;
const SYS_EXIT: u32 = 0x18;

const FAILED: u32 = u32::MAX;
const STOPPED_BAD: u32 = 0x2_0023;

/// Mode in which a file is opened, in the words of `fopen`.
#[derive(Clone, Copy)]
pub enum Mode {
    /// `r+b`
    Change = 3,
    /// `w+b`
    Create = 7,
}

/// An open file.
#[derive(Clone, Copy)]
pub struct File(u32);

impl File {
    /// The file of that name.
    pub fn open(name: &core::ffi::CStr, mode: Mode) -> Option<Self> {
        let len = name.count_bytes() as u32;
        let block = [name.as_ptr() as u32, mode as u32, len];
        // SAFETY: `block` names a string that outlives the call; the host only reads it.
        let handle = unsafe { semihosting_syscall(SYS_OPEN, block.as_ptr() as u32) };
        (handle != FAILED).then_some(File(handle))
    }

    /// Bytes in the file.
    pub fn len(self) -> Option<u32> {
        let block = [self.0];
        // SAFETY: the host only reads `block`.
        let len = unsafe { semihosting_syscall(SYS_FLEN, block.as_ptr() as u32) };
        (len != FAILED).then_some(len)
    }

    /// Fills `bytes` from `offset` on; whether it could.
    pub fn read(self, offset: u32, bytes: &mut [u8]) -> bool {
        let block = [self.0, bytes.as_mut_ptr() as u32, bytes.len() as u32];
        // SAFETY: `block` describes `bytes`, which is ours to be written for the whole call.
        self.seek(offset) && unsafe { semihosting_syscall(SYS_READ, block.as_ptr() as u32) } == 0
    }

    /// Writes all of `bytes` from `offset` on; whether it could.
    pub fn write(self, offset: u32, bytes: &[u8]) -> bool {
        let block = [self.0, bytes.as_ptr() as u32, bytes.len() as u32];
        // SAFETY: `block` describes `bytes`, which the host only reads.
        self.seek(offset) && unsafe { semihosting_syscall(SYS_WRITE, block.as_ptr() as u32) } == 0
    }

    fn seek(self, offset: u32) -> bool {
        let block = [self.0, offset];
        // SAFETY: the host only reads `block`.
        unsafe { semihosting_syscall(SYS_SEEK, block.as_ptr() as u32) == 0 }
    }
}

/// The arguments of the emulator, with spaces between them; nothing if they do not fit.
pub fn command_line(text: &mut [u8]) -> Option<&core::ffi::CStr> {
    let block = [text.as_mut_ptr() as u32, text.len() as u32];
    // SAFETY: `block` describes `text`, which is ours to be written for the whole call.
    let status = unsafe { semihosting_syscall(SYS_GET_CMDLINE, block.as_ptr() as u32) };
    (status == 0).then_some(())?;
    core::ffi::CStr::from_bytes_until_nul(text).ok()
}

/// Ends the emulation with `complaint` on the standard error output.
pub fn give_up(complaint: &core::ffi::CStr) -> ! {
    // SAFETY: the host only reads the text, up to its zero.
    unsafe { semihosting_syscall(SYS_WRITE0, complaint.as_ptr() as u32) };
    loop {
        // SAFETY: the reason is handed over by value.
        unsafe { semihosting_syscall(SYS_EXIT, STOPPED_BAD) };
    }
}
