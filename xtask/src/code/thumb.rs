//! Thumb instructions: changes of the stack pointer, and targets of branches.
//!
//! By hand instead of by a decoder for everything: some twenty encodings write the stack pointer or branch. What else might
//! write it is an error, so nothing is missed in silence.

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;

/// Whom a function calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    At(u32),
    /// Whoever is at an address in a register.
    Pointer,
}

/// Stack and calls of a function.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// Bytes of stack, at most.
    pub deepest: u32,
    /// Branches that may leave it, and how deep the stack is then.
    pub calls: Vec<(Callee, u32)>,
    /// Numbers that it composes of two halves or finds beside its code, which may be addresses.
    pub constants: Vec<u32>,
    /// Where it starts the stack anew, as a handler of faults does that cannot trust the old one.
    pub restarts: Vec<u32>,
}

/// The 16 bits at an offset.
fn half(code: &[u8], at: usize) -> Result<u16> {
    let bytes = code.get(at..).and_then(|rest| rest.first_chunk());
    let bytes = bytes.context("a function ends early")?;
    Ok(u16::from_le_bytes(*bytes))
}

/// Effect of one instruction.
#[derive(Debug, PartialEq, Eq)]
enum Effect {
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
    /// As a call, but nobody returns here.
    TailCall(Callee),
    Low(usize, u32),
    High(usize, u32),
    Literal(usize, u32),
    Nothing,
}

/// Known value of a register, unless it was overwritten in a way that is not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    Number(u32),
    /// An address in the stack, by its depth.
    Depth(i32),
    /// One that was shifted right.
    Shifted(i32, u32),
}

impl Held {
    /// The deepest that an address in the stack can be when so many low bits of it are cut off.
    fn aligned(depth: i32, bits: u32) -> Self {
        Held::Depth(depth + (1 << bits) - 4)
    }
}

const SP: u32 = 13;
const LR: u32 = 14;
const PC: u32 = 15;

/// Goes through a function, from its first byte on, in the order of addresses.
pub fn walk(bytes: &[u8], start: u32, size: u32, is_code: impl Fn(u32) -> bool) -> Result<Walk> {
    let end = start + size;
    let mut walk = Walk::default();
    let mut depth: i32 = 0;
    // How deep the stack is where earlier branches go.
    let mut known: BTreeMap<u32, i32> = BTreeMap::new();
    // How deep it was taken to be where the walk has been.
    let mut walked: BTreeMap<u32, i32> = BTreeMap::new();
    let mut registers = [None::<Held>; 16];
    let (mut at, mut reached) = (start, true);
    while at < end {
        if !is_code(at) {
            at += 2;
            continue;
        }
        match known.get(&at) {
            Some(deep) => depth = if reached { depth.max(*deep) } else { *deep },
            // From a table of addresses, perhaps: the worst.
            None if !reached => depth = walk.deepest as i32,
            None => {}
        }
        reached = true;
        walked.insert(at, depth);
        let first = half(bytes, (at - start) as usize)?;
        let long = first >> 11 > 0b11100;
        let effect = if long {
            let second = half(bytes, (at - start) as usize + 2)?;
            long_effect(at, u32::from(first), u32::from(second))
        } else {
            short_effect(at, u32::from(first))
        };
        let Some(effect) = effect else {
            bail!("the stack pointer is set in an unknown way at {at:#x}");
        };
        let held = |register: usize| registers.get(register).copied().flatten();
        let inside = |target: &u32| (start..end).contains(target);
        let effect = match effect {
            // Where a branch does not reach far enough, a Cortex-M0 calls what it never returns from.
            Effect::Call(Callee::At(target)) if inside(&target) && target != start => {
                Effect::Jump(target)
            }
            other => other,
        };
        let now = u32::try_from(depth).unwrap_or(0);
        match effect {
            Effect::Grow(bytes) => depth += bytes,
            Effect::GrowBy(register, sign) => match held(register) {
                Some(Held::Number(number)) => depth += sign * number as i32,
                _ => bail!("the stack grows by an unknown number of bytes at {at:#x}"),
            },
            Effect::Restore(register) => match held(register) {
                Some(Held::Depth(deep)) => depth = deep,
                _ => bail!("the stack pointer becomes something unknown at {at:#x}"),
            },
            Effect::Restart(register) => match held(register) {
                Some(Held::Number(address)) => {
                    depth = 0;
                    walk.restarts.push(address);
                }
                _ => bail!("the stack starts anew at an unknown place at {at:#x}"),
            },
            Effect::Remember(register, above) => {
                registers[register] = Some(Held::Depth(depth - above));
            }
            Effect::Derive(register, from, above) => {
                registers[register] = match held(from) {
                    Some(Held::Depth(deep)) => Some(Held::Depth(deep - above)),
                    other => other.filter(|_| above == 0),
                };
            }
            Effect::ShiftRight(register, from, bits) => {
                registers[register] = match held(from) {
                    Some(Held::Depth(deep)) => Some(Held::Shifted(deep, bits)),
                    _ => None,
                };
            }
            Effect::ShiftLeft(register, from, bits) => {
                registers[register] = match held(from) {
                    Some(Held::Shifted(deep, cut)) if cut == bits => {
                        Some(Held::aligned(deep, bits))
                    }
                    Some(Held::Number(number)) => Some(Held::Number(number << bits)),
                    _ => None,
                };
            }
            Effect::Align(register, bits) => {
                registers[register] = match held(register) {
                    Some(Held::Depth(deep)) => Some(Held::aligned(deep, bits)),
                    _ => None,
                };
            }
            Effect::Nothing => {}
            Effect::Return | Effect::Switch => reached = false,
            Effect::Branch(target) | Effect::Jump(target) if inside(&target) => {
                // What was found behind the target would be too little.
                if walked.get(&target).is_some_and(|then| *then < depth) {
                    bail!(
                        "the stack is deeper at {at:#x} than where it branches back to, {target:#x}"
                    );
                }
                let there = known.entry(target).or_insert(depth);
                *there = depth.max(*there);
                reached = !matches!(effect, Effect::Jump(_));
            }
            Effect::Branch(target) => walk.calls.push((Callee::At(target), now)),
            Effect::Jump(target) => {
                walk.calls.push((Callee::At(target), now));
                reached = false;
            }
            Effect::Call(callee) => walk.calls.push((callee, now)),
            Effect::TailCall(callee) => {
                walk.calls.push((callee, now));
                reached = false;
            }
            Effect::Low(register, value) => registers[register] = Some(Held::Number(value)),
            Effect::High(register, value) => {
                if let Some(Held::Number(low)) = held(register) {
                    let number = low & 0xffff | value << 16;
                    registers[register] = Some(Held::Number(number));
                    walk.constants.push(number);
                }
            }
            Effect::Literal(register, place) => {
                let literal = place.checked_sub(start).map(|offset| offset as usize);
                let literal = literal.and_then(|offset| bytes.get(offset..)?.first_chunk());
                let number = literal.map(|bytes| u32::from_le_bytes(*bytes));
                registers[register] = number.map(Held::Number);
                walk.constants.extend(number);
            }
        }
        walk.deepest = walk.deepest.max(u32::try_from(depth).unwrap_or(0));
        at += if long { 4 } else { 2 };
    }
    Ok(walk)
}

/// Instructions of 16 bits; nothing if it sets the stack pointer in another way.
fn short_effect(at: u32, code: u32) -> Option<Effect> {
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
fn long_effect(at: u32, first: u32, second: u32) -> Option<Effect> {
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
fn target(at: u32, distance: u32, bits: u32) -> u32 {
    let unused = 32 - bits;
    (at + 4).wrapping_add_signed((distance << unused) as i32 >> unused)
}

/// Where `bl` and `b.w` go.
fn far(at: u32, first: u32, second: u32) -> u32 {
    let sign = first >> 10 & 1;
    let i1 = !(second >> 13 ^ sign) & 1;
    let i2 = !(second >> 11 ^ sign) & 1;
    let distance = sign << 24 | i1 << 23 | i2 << 22 | (first & 0x3ff) << 12 | (second & 0x7ff) << 1;
    target(at, distance, 25)
}

/// The number that twelve bits of an instruction stand for.
fn spread(twelve: u32) -> u32 {
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
fn compares(first: u32) -> bool {
    first & 0x10 != 0 && matches!(first >> 5 & 15, 0 | 4 | 8 | 13)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(code: &[u16]) -> Result<Walk> {
        let bytes: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
        walk(&bytes, 0x100, bytes.len() as u32, |address| address < 0x400)
    }

    fn deepest(code: &[u16]) -> u32 {
        of(code).unwrap().deepest
    }

    #[test]
    fn branches_go_where_the_disassembler_says() {
        // 13510: f00b f93f  bl 1e792, and 24: f7ff fffe  bl 24: itself.
        assert_eq!(far(0x13510, 0xf00b, 0xf93f), 0x1e792);
        assert_eq!(far(0x24, 0xf7ff, 0xfffe), 0x24);
        // beq.w 1817a; b 100; bne 100; cbz r0, 10c
        let branch = |code: Option<Effect>| code.unwrap();
        assert_eq!(
            branch(long_effect(0x180cc, 0xf000, 0x8055)),
            Effect::Branch(0x1817a)
        );
        assert_eq!(branch(short_effect(0x100, 0xe7fe)), Effect::Jump(0x100));
        assert_eq!(branch(short_effect(0x100, 0xd1fe)), Effect::Branch(0x100));
        assert_eq!(branch(short_effect(0x100, 0xb120)), Effect::Branch(0x10c));
    }

    /// As assembled by LLVM.
    #[test]
    fn every_way_to_push_is_counted() {
        assert_eq!(
            deepest(&[0xb5f0, 0xb082]),
            20 + 8,
            "push {{r4-r7, lr}}; sub sp, #8"
        );
        assert_eq!(deepest(&[0xe92d, 0x4ff0]), 36, "push.w {{r4-r11, lr}}");
        assert_eq!(deepest(&[0xed2d, 0x8b04]), 16, "vpush {{d8, d9}}");
        assert_eq!(deepest(&[0xf84d, 0x8d04]), 4, "str r8, [sp, #-4]!");
        assert_eq!(deepest(&[0xf5ad, 0x6d80]), 1024, "sub.w sp, sp, #1024");
        assert_eq!(deepest(&[0xf2ad, 0x4d04]), 1028, "subw sp, sp, #1028");
        let composed = [0xf241, 0x0c04, 0xebad, 0x0d0c];
        assert_eq!(
            deepest(&composed),
            0x1004,
            "movw r12, #4100; sub.w sp, sp, r12"
        );
        // ldr r6, [pc, #0]; add sp, r6; the number -512
        assert_eq!(deepest(&[0x4e00, 0x44b5, 0xfe00, 0xffff]), 512);
    }

    #[test]
    fn what_is_popped_no_longer_counts() {
        // push {r4, lr}; pop {r4, lr}; push {r4, lr}; pop {r4, pc}
        assert_eq!(deepest(&[0xb510, 0xe8bd, 0x4010, 0xb510, 0xbd10]), 8);
        // push {r4, lr}; sub sp, #8; bl 200; add sp, #8; pop {r4, pc}
        let walk = of(&[0xb510, 0xb082, 0xf000, 0xf87c, 0xb002, 0xbd10]).unwrap();
        assert_eq!(walk.calls, [(Callee::At(0x200), 16)]);
    }

    #[test]
    fn a_far_branch_within_a_function_is_no_call() {
        // push {r4, lr}; bl 108; pop {r4, pc}; 108: sub sp, #4; pop
        let walk = of(&[0xb510, 0xf000, 0xf801, 0xbd10, 0xb081, 0xbd10]).unwrap();
        assert_eq!((walk.deepest, walk.calls.len()), (12, 0));
        // A call of itself is one.
        let walk = of(&[0xb510, 0xf7ff, 0xfffd, 0xbd10]).unwrap();
        assert_eq!(walk.calls, [(Callee::At(0x100), 8)]);
    }

    #[test]
    fn code_after_a_return_has_the_frame_of_those_who_branch_to_it() {
        // cbz r0, 106; push {r4, lr}; pop {r4, pc}; 106: push {lr}; pop {pc}
        assert_eq!(deepest(&[0xb108, 0xb510, 0xbd10, 0xb500, 0xbd00]), 8);
        // push {r4, lr}; cbz r0, 106; pop {r4, pc}; 106: sub sp, #4; pop
        assert_eq!(deepest(&[0xb510, 0xb100, 0xbd10, 0xb081, 0xbd10]), 12);
    }

    #[test]
    fn an_unknown_way_to_set_the_stack_pointer_is_an_error() {
        // bic.w sp, r0, #7; ldr.w sp, [r0]; msr msp, r0; mov sp, r4; add sp, r4
        for code in [
            &[0xf020, 0x0d07][..],
            &[0xf8d0, 0xd000],
            &[0xf380, 0x8808],
            &[0x46a5],
            &[0x44a5],
        ] {
            assert!(of(code).is_err(), "{code:x?}");
        }
        // cmp.w r0, #7 has no target, though it looks the same.
        assert!(of(&[0xf1b0, 0x0f07]).is_ok());
    }

    #[test]
    fn a_branch_back_with_a_deeper_stack_is_an_error() {
        // b 10a; 102: bl 200; pop {r4-r7}; pop {r0}; 10a: push {r4-r7, lr}; b 102
        let late = [0xe003, 0xf000, 0xf87d, 0xbcf0, 0xbc01, 0xb5f0, 0xe7f9];
        assert!(of(&late).is_err(), "the call would count at depth 0");
        // push {r4-r7, lr}; 102: bl 200; b 102
        let loops = of(&[0xb5f0, 0xf000, 0xf87d, 0xe7fc]).unwrap();
        assert_eq!(loops.calls, [(Callee::At(0x200), 20)]);
    }

    /// As LLVM makes room for what wants to lie at multiples of 16.
    #[test]
    fn a_frame_that_is_aligned_takes_what_it_may_skip() {
        // push {r4-r7, lr}; add r7, sp, #12; mov r4, sp; bfc r4, #0, #4; mov sp, r4; sub.w r4, r7, #12; mov sp, r4; pop
        let frame = [
            0xb5f0, 0xaf03, 0x466c, 0xf36f, 0x0403, 0x46a5, 0xf1a7, 0x040c, 0x46a5, 0xb082,
        ];
        assert_eq!(deepest(&frame), 20 + 12);
        // The same by lsrs r4, r4, #4; lsls r4, r4, #4; and sub sp, #8 behind it
        let shifted = [0xb5f0, 0xaf03, 0x466c, 0x0924, 0x0124, 0x46a5, 0xb082];
        assert_eq!(deepest(&shifted), 20 + 12 + 8);
    }

    #[test]
    fn calls_by_pointer_and_composed_addresses_are_seen() {
        // movw r0, #0x1235; movt r0, #1; blx r0; bx r1
        let walk = of(&[0xf241, 0x2035, 0xf2c0, 0x0001, 0x4780, 0x4708]).unwrap();
        assert_eq!(walk.calls, [(Callee::Pointer, 0), (Callee::Pointer, 0)]);
        assert_eq!(walk.constants, [0x1_1235]);
    }
}
