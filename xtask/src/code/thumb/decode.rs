//! Decoder: the effect of one instruction.

use super::Callee;

pub(super) const SP: u32 = 13;
pub(super) const LR: u32 = 14;
pub(super) const PC: u32 = 15;

/// Effect of one instruction.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Bytes more on the stack, or fewer.
    Grow(i32),
    /// As [`Effect::Grow`], by what a register holds: plus or minus.
    GrowBy(usize, i32),
    /// The stack pointer becomes what a register holds.
    Restore(usize),
    /// The stack starts anew at the address in a register.
    Restart(usize),
    /// A register becomes the stack pointer, so many bytes above it.
    Remember(usize, i32),
    /// A register becomes another one, so many bytes above it.
    Derive(usize, usize, i32),
    /// So many low bits of a register are cut off by shifting it there and back, or at once.
    ShiftRight(usize, usize, u32),
    ShiftLeft(usize, usize, u32),
    Align(usize, u32),
    /// Bytes fewer on the stack, then back to the caller.
    Return,
    /// To one of several places within the function.
    Switch,
    Jump(u32),
    Branch(u32),
    Call(Callee),
    /// As a call that does not return.
    TailCall(Callee),
    Low(usize, u32),
    High(usize, u32),
    Literal(usize, u32),
    Nothing,
}

/// Instructions of 16 bits; nothing if it sets the stack pointer in another way.
pub(super) fn short_effect(at: u32, code: u32) -> Option<Effect> {
    let saved = 4 * (code & 0x1ff).count_ones() as i32;
    let amount = 4 * (code & 0x7f) as i32;
    let high_register = code >> 3 & 15;
    let low = code as usize >> 8 & 7;
    let (lowest, second) = (code as usize & 7, code as usize >> 3 & 7);
    let any_register = (code >> 4 & 8 | code & 7) as usize;
    Some(match code {
        // push, pop
        _ if code & 0xfe00 == 0xb400 => Effect::Grow(saved),
        _ if code & 0xff00 == 0xbd00 => Effect::Return,
        _ if code & 0xfe00 == 0xbc00 => Effect::Grow(-saved),
        // add and sub with a number
        _ if code & 0xff80 == 0xb000 => Effect::Grow(-amount),
        _ if code & 0xff80 == 0xb080 => Effect::Grow(amount),
        // add sp, r; mov sp, r
        _ if code & 0xff87 == 0x4485 => Effect::GrowBy(high_register as usize, -1),
        _ if code & 0xff87 == 0x4685 => Effect::Restore(high_register as usize),
        // mov r, sp; add r, sp, #number; mov r, r
        _ if code & 0xff78 == 0x4668 => Effect::Remember(any_register, 0),
        _ if code & 0xf800 == 0xa800 => Effect::Remember(low, 4 * (code & 0xff) as i32),
        _ if code & 0xff00 == 0x4600 && any_register != PC as usize => {
            Effect::Derive(any_register, high_register as usize, 0)
        }
        // movs, adds and subs with a number; lsls and lsrs
        _ if code & 0xf800 == 0x2000 => Effect::Low(low, code & 0xff),
        _ if code & 0xf800 == 0x3000 => Effect::Derive(low, low, (code & 0xff) as i32),
        _ if code & 0xf800 == 0x3800 => Effect::Derive(low, low, -((code & 0xff) as i32)),
        _ if code & 0xfe00 == 0x1c00 => Effect::Derive(lowest, second, (code >> 6 & 7) as i32),
        _ if code & 0xfe00 == 0x1e00 => Effect::Derive(lowest, second, -((code >> 6 & 7) as i32)),
        _ if code & 0xf800 == 0x0000 => Effect::ShiftLeft(lowest, second, code >> 6 & 31),
        _ if code & 0xf800 == 0x0800 => Effect::ShiftRight(lowest, second, code >> 6 & 31),
        // add pc, r; mov pc, r: a table of branches
        _ if code & 0xfd87 == 0x4487 => Effect::Switch,
        // bx, blx
        _ if code & 0xff87 == 0x4700 && high_register == LR => Effect::Return,
        _ if code & 0xff87 == 0x4700 => Effect::TailCall(Callee::Pointer),
        _ if code & 0xff87 == 0x4780 => Effect::Call(Callee::Pointer),
        // ldr r, [pc, #number]
        _ if code & 0xf800 == 0x4800 => Effect::Literal(low, (at & !3) + 4 + 4 * (code & 0xff)),
        // b; udf and svc lie among the conditional ones
        _ if code & 0xf800 == 0xe000 => Effect::Jump(target(at, code << 1, 12)),
        _ if code & 0xff00 == 0xde00 => Effect::Return,
        _ if code & 0xf000 == 0xd000 && code & 0xf00 != 0xf00 => {
            Effect::Branch(target(at, code << 1, 9))
        }
        // cbz, cbnz
        _ if code & 0xf500 == 0xb100 => {
            Effect::Branch(at + 4 + (code >> 3 & 0x40 | code >> 2 & 0x3e))
        }
        _ => Effect::Nothing,
    })
}

/// Instructions of 32 bits, in halves; nothing if it sets the stack pointer in another way.
pub(super) fn long_effect(at: u32, first: u32, second: u32) -> Option<Effect> {
    let saved = 4 * second.count_ones() as i32;
    let written = second >> 8 & 15;
    let offset = (second & 0xff) as i32;
    let immediate = first >> 10 & 1;
    let twelve = immediate << 11 | second >> 4 & 0x700 | second & 0xff;
    let sixteen = (first & 15) << 12 | twelve;
    let (register, source) = (written as usize, first as usize & 15);
    let to_sp = written == SP && second >> 15 == 0;
    Some(match first {
        // push, pop
        0xe92d => Effect::Grow(saved),
        0xe8bd if second >> PC & 1 == 1 => Effect::Return,
        0xe8bd => Effect::Grow(-saved),
        // str r, [sp, #-n]!; ldr r, [sp], #n
        0xf84d if second & 0xf00 == 0xd00 => Effect::Grow(offset),
        0xf85d if second & 0xf00 == 0xb00 && second >> 12 == PC => Effect::Return,
        0xf85d if second & 0xf00 == 0xb00 => Effect::Grow(-offset),
        // strd and ldrd likewise
        0xe96d => Effect::Grow(4 * offset),
        0xe8fd => Effect::Grow(-4 * offset),
        // vpush, vpop
        _ if first & 0xffbf == 0xed2d && second & 0xe00 == 0xa00 => Effect::Grow(4 * offset),
        _ if first & 0xffbf == 0xecbd && second & 0xe00 == 0xa00 => Effect::Grow(-4 * offset),
        // sub and add with a number, spread out or plain
        _ if first & 0xfbef == 0xf1ad && to_sp => Effect::Grow(spread(twelve) as i32),
        _ if first & 0xfbef == 0xf10d && to_sp => Effect::Grow(-(spread(twelve) as i32)),
        _ if first & 0xfbff == 0xf2ad && to_sp => Effect::Grow(twelve as i32),
        _ if first & 0xfbff == 0xf20d && to_sp => Effect::Grow(-(twelve as i32)),
        // sub and add with a register
        _ if first & 0xffef == 0xebad && to_sp && second & 0x70f0 == 0 => {
            Effect::GrowBy(second as usize & 15, 1)
        }
        _ if first & 0xffef == 0xeb0d && to_sp && second & 0x70f0 == 0 => {
            Effect::GrowBy(second as usize & 15, -1)
        }
        // add and sub with a number from the stack pointer, or from what was made of it
        _ if first & 0xfbef == 0xf10d && second >> 15 == 0 => {
            Effect::Remember(register, spread(twelve) as i32)
        }
        _ if first & 0xfbe0 == 0xf100 && second >> 15 == 0 && !to_sp => {
            Effect::Derive(register, source, spread(twelve) as i32)
        }
        _ if first & 0xfbe0 == 0xf1a0 && second >> 15 == 0 && !to_sp && !compares(first) => {
            Effect::Derive(register, source, -(spread(twelve) as i32))
        }
        // bfc r, #0, #number
        0xf36f if second & 0x70c0 == 0 => Effect::Align(register, (second & 31) + 1),
        // msr with the main or the process stack pointer
        _ if first & 0xfff0 == 0xf380 && second & 0xff == 8 => Effect::Restart(source),
        _ if first & 0xfff0 == 0xf380 && second & 0xff == 9 => return None,
        // ldr sp, by a number or a register
        _ if first & 0xff70 == 0xf850 && second >> 12 == SP => return None,
        // other arithmetic on the stack pointer
        _ if first & 0xf800 == 0xf000 && to_sp && compares(first) => Effect::Nothing,
        _ if first & 0xfe00 == 0xea00 && to_sp => return None,
        _ if first & 0xf800 == 0xf000 && to_sp => return None,
        // movw, movt, mov.w, ldr.w r, [pc, #number]
        _ if first & 0xfbf0 == 0xf240 && second >> 15 == 0 => Effect::Low(register, sixteen),
        _ if first & 0xfbf0 == 0xf2c0 && second >> 15 == 0 => Effect::High(register, sixteen),
        _ if first & 0xfbef == 0xf04f && second >> 15 == 0 => Effect::Low(register, spread(twelve)),
        0xf8df if second >> 12 != PC => {
            Effect::Literal(second as usize >> 12, (at & !3) + 4 + (second & 0xfff))
        }
        // tbb, tbh, ldr pc
        0xf8df => Effect::Switch,
        _ if first & 0xfff0 == 0xe8d0 && second & 0xffe0 == 0xf000 => Effect::Switch,
        _ if first & 0xff70 == 0xf850 && second >> 12 == PC => Effect::Switch,
        // bl, b.w, conditional b.w
        _ if first & 0xf800 == 0xf000 && second & 0xd000 == 0xd000 => {
            Effect::Call(Callee::At(far(at, first, second)))
        }
        _ if first & 0xf800 == 0xf000 && second & 0xd000 == 0x9000 => {
            Effect::Jump(far(at, first, second))
        }
        _ if first & 0xf800 == 0xf000 && second & 0xd000 == 0x8000 && first >> 6 & 15 < 14 => {
            let distance = (first >> 10 & 1) << 20
                | (second >> 11 & 1) << 19
                | (second >> 13 & 1) << 18
                | (first & 0x3f) << 12
                | (second & 0x7ff) << 1;
            Effect::Branch(target(at, distance, 21))
        }
        _ => Effect::Nothing,
    })
}

/// A branch by a distance of so many bits, the first of them its sign.
pub(super) fn target(at: u32, distance: u32, bits: u32) -> u32 {
    let unused = 32 - bits;
    (at + 4).wrapping_add_signed((distance << unused) as i32 >> unused)
}

/// Targets of `bl` and `b.w`.
pub(super) fn far(at: u32, first: u32, second: u32) -> u32 {
    let sign = first >> 10 & 1;
    let i1 = !(second >> 13 ^ sign) & 1;
    let i2 = !(second >> 11 ^ sign) & 1;
    let distance = sign << 24 | i1 << 23 | i2 << 22 | (first & 0x3ff) << 12 | (second & 0x7ff) << 1;
    target(at, distance, 25)
}

/// The number that twelve bits of an instruction stand for.
pub(super) fn spread(twelve: u32) -> u32 {
    let byte = twelve & 0xff;
    match twelve >> 8 {
        0 => byte,
        1 => byte << 16 | byte,
        2 => byte << 24 | byte << 8,
        3 => byte * 0x0101_0101,
        _ => (0x80 | twelve & 0x7f).rotate_right(twelve >> 7),
    }
}

/// Whether an instruction with a number only compares: its target is then no register.
pub(super) fn compares(first: u32) -> bool {
    first & 0x10 != 0 && matches!(first >> 5 & 15, 0 | 4 | 8 | 13)
}
