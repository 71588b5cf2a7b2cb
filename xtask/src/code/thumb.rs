//! Thumb instructions: changes of the stack pointer, and targets of branches.
//!
//! By hand instead of by a decoder for everything: some twenty encodings write the stack pointer or branch. What else might
//! write it is an error, so nothing is missed in silence.

mod decode;

use anyhow::{Context, Result, bail};
use decode::{Effect, long_effect, short_effect};
use std::collections::BTreeMap;

/// Target of a call.
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
    /// Instructions that start the stack anew, as a handler of faults does that cannot trust the old one.
    pub restarts: Vec<u32>,
}

/// The 16 bits at an offset.
fn half(code: &[u8], at: usize) -> Result<u16> {
    let bytes = code.get(at..).and_then(|rest| rest.first_chunk());
    let bytes = bytes.context("a function ends early")?;
    Ok(u16::from_le_bytes(*bytes))
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
    // Instructions from here on that are executed on a condition.
    let mut conditional = 0;
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
        if conditional > 0 {
            // A return on a condition goes on without it.
            conditional -= 1;
            reached = true;
        } else {
            conditional = made_conditional(first);
        }
        walk.deepest = walk.deepest.max(u32::try_from(depth).unwrap_or(0));
        at += if long { 4 } else { 2 };
    }
    Ok(walk)
}

/// Instructions that this one makes conditional: one to four behind an `it`.
fn made_conditional(first: u16) -> u32 {
    match first & 0xf {
        mask if first >> 8 == 0xbf && mask != 0 => 4 - mask.trailing_zeros(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
