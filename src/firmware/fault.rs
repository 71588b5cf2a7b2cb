//! Why the last run ended.
//!
//! Panic and fault handlers write a record into RAM that no start-up code touches, and reset the core; the next start
//! reads the record.

use core::{arch::naked_asm, mem::MaybeUninit};

use cortex_m::peripheral::SCB;

use pocketron::device::message::Fault;

use super::stack;

/// Reason for a reset.
#[derive(Clone, Copy)]
#[repr(u32)]
pub enum Reason {
    HardFault = 1,
    StackOverflow,
    Watchdog,
    Panic,
    /// An interrupt that no driver has asked for.
    Interrupt,
}

/// Record that survives a reset.
#[derive(Clone, Copy)]
#[repr(C)]
struct Record {
    magic: u32,
    reason: u32,
    pc: u32,
    /// After power-on the memory holds anything; all of it fits together by accident only
    /// once in 2^64 times.
    check: u32,
}

const MAGIC: u32 = u32::from_le_bytes(*b"Why?");

impl Record {
    const NONE: Self = Record {
        magic: 0,
        reason: 0,
        pc: 0,
        check: 0,
    };

    fn new(reason: u32, pc: u32) -> Self {
        Record {
            magic: MAGIC,
            reason,
            pc,
            check: !(MAGIC ^ reason ^ pc.rotate_left(16)),
        }
    }

    fn holds(&self) -> bool {
        let Record { magic, check, .. } = Record::new(self.reason, self.pc);
        (self.magic, self.check) == (magic, check)
    }
}

/// The place of the record.
fn kept() -> *mut Record {
    #[unsafe(link_section = ".uninit.fault")]
    static mut RECORD: MaybeUninit<Record> = MaybeUninit::uninit();
    (&raw mut RECORD).cast()
}

/// Why the last run ended; asked a second time, nothing is known any more.
pub fn take() -> Fault {
    // SAFETY: after power-on it holds any bits, and any bits are a record; nobody else uses it,
    // since the end of a run is the end of this function too.
    let record = unsafe { kept().read_volatile() };
    // SAFETY: as above.
    unsafe { kept().write_volatile(Record::NONE) };
    if !record.holds() {
        return Fault::None;
    }
    let pc = record.pc;
    match record.reason {
        reason if reason == Reason::HardFault as u32 => Fault::HardFault { pc },
        reason if reason == Reason::StackOverflow as u32 => Fault::StackOverflow,
        reason if reason == Reason::Watchdog as u32 => Fault::Watchdog,
        reason if reason == Reason::Panic as u32 => Fault::Panic,
        _ => Fault::Unknown,
    }
}

/// Ends this run.
pub fn reset(reason: Reason, pc: u32) -> ! {
    // SAFETY: as in `take`; this is the end of the run.
    unsafe { kept().write_volatile(Record::new(reason as u32, pc)) };
    SCB::sys_reset()
}

/// Entered by the hardware. After a stack overflow the stack pointer points to where no
/// memory is, so it is set anew before anything can use it; the old one is handed on.
#[unsafe(naked)]
#[unsafe(no_mangle)]
extern "C" fn HardFault() {
    naked_asm!(
        "mrs r0, msp",
        "ldr r1, =_stack_start",
        "msr msp, r1",
        "ldr r1, ={handler}",
        "bx  r1",
        handler = sym hard_fault,
    )
}

/// Entered by the hardware. On our boards only the watchdog raises it.
#[unsafe(naked)]
#[unsafe(no_mangle)]
extern "C" fn NonMaskableInt() {
    naked_asm!(
        "mrs r0, msp",
        "ldr r1, =_stack_start",
        "msr msp, r1",
        "ldr r1, ={handler}",
        "bx  r1",
        handler = sym watchdog,
    )
}

extern "C" fn hard_fault(stack_pointer: u32) -> ! {
    if stack_pointer < stack::bottom() {
        reset(Reason::StackOverflow, 0)
    }
    reset(Reason::HardFault, interrupted_at(stack_pointer))
}

extern "C" fn watchdog(stack_pointer: u32) -> ! {
    reset(Reason::Watchdog, interrupted_at(stack_pointer))
}

/// The program counter that the hardware has put on the stack; 0 if that is not our stack.
fn interrupted_at(stack_pointer: u32) -> u32 {
    const WORDS: u32 = 8;
    const PC: usize = 6;
    let frame = stack_pointer..stack_pointer.saturating_add(4 * WORDS);
    if frame.start < stack::bottom() || frame.end > stack::top() || frame.start % 4 != 0 {
        return 0;
    }
    let frame = frame.start as *const u32;
    // SAFETY: eight aligned words within the stack.
    unsafe { frame.add(PC).read_volatile() }
}
