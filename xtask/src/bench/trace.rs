//! The instructions that the emulator executed between the entry of a function and its return.
//!
//! `-d in_asm,exec,nochain` makes QEMU write every block of instructions when it translates it, and one line each time it
//! runs it. From these come the instructions that a call executed, in order.

use anyhow::{Context, Result, bail};
use std::{
    collections::HashMap,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

/// One instruction as disassembled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    pub mnemonic: String,
    pub operands: String,
}

/// Charges for a call: told about every block that it executed.
pub trait Meter: Default {
    /// `taken` says whether the core had to jump to get to the next block.
    fn block(&mut self, block: &[Instruction], taken: bool);
}

/// A call of a watched function.
#[derive(Debug)]
pub struct Call<M> {
    pub entry: u64,
    pub meter: M,
}

/// Runs the emulator and meters every call of the functions at the `entries`, in order of time.
///
/// A call ends where the function that made it goes on.
pub fn calls<M: Meter>(emulator: &mut Command, entries: &[u64]) -> Result<Vec<Call<M>>> {
    let mut child = emulator
        .args(["-d", "in_asm,exec,nochain"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .context("cannot start the emulator")?;
    let log = child.stderr.take().context("the emulator has no log")?;
    let calls = follow(BufReader::new(log), entries);
    let status = child.wait()?;
    let calls = calls?;
    if !status.success() || calls.is_empty() {
        bail!("the emulator left no trace ({status})");
    }
    Ok(calls)
}

/// A block that was run, and the name of the function that it belongs to.
struct Step {
    start: u64,
    function: String,
}

fn follow<M: Meter>(log: impl BufRead, entries: &[u64]) -> Result<Vec<Call<M>>> {
    let mut blocks: HashMap<u64, Block> = HashMap::new();
    let mut translated: Option<(u64, Block)> = None;
    let mut calls: Vec<Call<M>> = Vec::new();
    let mut caller: Option<String> = None;
    let mut last: Option<Step> = None;
    for line in log.lines() {
        let line = line?;
        if let Some((address, instruction)) = instruction(&line) {
            let (_, block) = translated.get_or_insert_with(|| (address, Block::default()));
            block.end = address + instruction.1;
            block.instructions.push(instruction.0);
            continue;
        }
        if let Some((start, block)) = translated.take() {
            blocks.insert(start, block);
        }
        let Some(step) = step(&line) else { continue };
        if let (Some(last), Some(_)) = (&last, &caller) {
            let block = blocks.get(&last.start).context("a block was run unseen")?;
            let call = calls.last_mut().context("a call without its beginning")?;
            call.meter
                .block(&block.instructions, block.end != step.start);
        }
        if caller.as_ref() == Some(&step.function) {
            caller = None;
        }
        if caller.is_none() && entries.contains(&step.start) {
            caller = last.map(|last| last.function);
            calls.push(Call {
                entry: step.start,
                meter: M::default(),
            });
        }
        last = Some(step);
    }
    Ok(calls)
}

#[derive(Default)]
struct Block {
    instructions: Vec<Instruction>,
    /// Address behind the last one.
    end: u64,
}

/// Address, instruction and its length from `0x00018064:  ec9e 0a04  vldmia   lr, {s0, s1}`.
fn instruction(line: &str) -> Option<(u64, (Instruction, u64))> {
    let (address, rest) = line.strip_prefix("0x")?.split_once(':')?;
    let address = u64::from_str_radix(address, 16).ok()?;
    let (code, text) = rest
        .trim_start()
        .split_at_checked(11)
        .unwrap_or((rest.trim_start(), ""));
    let halves = code.split_whitespace().count() as u64;
    let (mnemonic, operands) = text
        .trim()
        .split_once(char::is_whitespace)
        .unwrap_or((text.trim(), ""));
    let instruction = Instruction {
        mnemonic: mnemonic.into(),
        operands: operands.trim().into(),
    };
    Some((address, (instruction, 2 * halves)))
}

/// From `Trace 0: 0x7f7284027280 [00800400/00018048/00000010/ff000200] name`.
fn step(line: &str) -> Option<Step> {
    let (_, rest) = line.strip_prefix("Trace")?.split_once('[')?;
    let (state, function) = rest.split_once(']')?;
    let start = u64::from_str_radix(state.split('/').nth(1)?, 16).ok()?;
    Some(Step {
        start,
        function: function.trim().into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts instructions and jumps.
    #[derive(Debug, Default, PartialEq)]
    struct Tally(usize, usize);

    impl Meter for Tally {
        fn block(&mut self, block: &[Instruction], taken: bool) {
            self.0 += block.len();
            self.1 += usize::from(taken);
        }
    }

    const LOG: &str = "\
IN: main
0x00000010:  f000 f806  bl       #0x20

Trace 0: 0x7f [0/00000010/0/0] main
IN: work
0x00000020:  3801       subs     r0, #1
0x00000022:  d1fd       bne      #0x20

Trace 0: 0x7f [0/00000020/0/0] work
Trace 0: 0x7f [0/00000020/0/0] work
IN: work
0x00000024:  4770       bx       lr

Trace 0: 0x7f [0/00000024/0/0] work
IN: main
0x00000014:  bf00       nop

Trace 0: 0x7f [0/00000014/0/0] main
";

    #[test]
    fn a_call_is_everything_between_entry_and_return() {
        let calls = follow::<Tally>(LOG.as_bytes(), &[0x20]).unwrap();
        assert_eq!(calls.len(), 1);
        // Two turns of two instructions and a return; one turn and the return jump.
        assert_eq!(calls[0].meter, Tally(5, 2));
        assert!(follow::<Tally>(LOG.as_bytes(), &[0x99]).unwrap().is_empty());
    }

    #[test]
    fn a_disassembled_line_comes_apart() {
        let line = "0x00018064:  ec9e 0a04  vldmia   lr, {s0, s1}";
        let (address, (instruction, length)) = instruction(line).unwrap();
        assert_eq!((address, length), (0x18064, 4));
        assert_eq!(instruction.mnemonic, "vldmia");
        assert_eq!(instruction.operands, "lr, {s0, s1}");
    }
}
