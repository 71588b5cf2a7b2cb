//! A Cortex-M4F in a table: what each executed instruction costs.
//!
//! The timings are those of Arm's Technical Reference Manual for the Cortex-M4, without wait states. An emulator has no pipeline, so
//! this is a model, and it is simple: loads do not overlap, a jump costs two cycles of refill, and a result of the
//! floating-point unit that the very next instruction wants costs one.

use super::{
    counts::Row,
    trace::{self, Instruction, Meter},
};
use crate::{board, qemu};
use anyhow::{Context, Result};
use std::path::Path;

/// To fill the pipeline after a jump: one to three, depending on what is jumped to.
const REFILL: u64 = 2;

/// Instructions and cycles of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    pub instructions: u64,
    pub cycles: u64,
}

impl Meter for Cost {
    fn block(&mut self, block: &[Instruction], taken: bool) {
        self.instructions += block.len() as u64;
        self.cycles += block.iter().map(cycles).sum::<u64>();
        self.cycles += block
            .windows(2)
            .filter(|pair| waits(&pair[0], &pair[1]))
            .count() as u64;
        if taken {
            self.cycles += REFILL;
        }
    }
}

/// Cost of a subject's operations, in the order of the counts.
pub struct Modelled {
    pub row: Row,
    pub costs: [Option<Cost>; 5],
}

/// Runs a counted image once more, now with a trace; only the rows of the Cortex-M4F.
pub fn of_ours(rows: &[Row], image: &Path) -> Result<Vec<Modelled>> {
    let rows: Vec<&Row> = rows
        .iter()
        .filter(|row| row.core == board::M4F.core)
        .collect();
    let entries: Vec<u64> = rows.iter().flat_map(|row| row.code).collect();
    let mut emulator = qemu::semihosted(&board::M4F, board::M4F.machine, image);
    let calls = trace::calls::<Cost>(&mut emulator, &entries)?;
    let modelled = |row: &&Row| -> Result<Modelled> {
        let of = |entry: u64| -> Vec<Cost> {
            let calls = calls.iter().filter(|call| call.entry == entry);
            calls.map(|call| call.meter).collect()
        };
        let (predicts, learns) = (of(row.code[0]), of(row.code[1]));
        // Behind the pass come updates of a full model, if any were counted.
        let filled = match row.counts[3] {
            Some(_) => row.subject.budget,
            None => learns.len().saturating_sub(1),
        };
        // The first prediction of the sample is not counted: it only settles the label.
        let predict = *predicts
            .get(filled + 1)
            .context("a prediction was not traced")?;
        // It may be repeated until it passes.
        let repeated = (learns.len() + 1).saturating_sub(predicts.len());
        let pass = filled + repeated;
        let updates = learns.get(pass + 1..).unwrap_or_default();
        let pass = *learns.get(pass).context("a pass was not traced")?;
        let store = filled
            .checked_sub(1)
            .and_then(|last| learns.get(last))
            .copied();
        let worst = updates.iter().copied().max_by_key(|cost| cost.instructions);
        Ok(Modelled {
            row: (*row).clone(),
            costs: [Some(predict), Some(pass), store, mean(updates), worst],
        })
    };
    rows.iter().map(modelled).collect()
}

/// Cost of the calls of a peer's functions, one for each entry, in order.
pub fn of_theirs(image: &Path, entries: &[u64]) -> Result<Vec<Cost>> {
    let mut emulator = qemu::semihosted(&board::M4F, board::M4F.machine, image);
    let calls = trace::calls::<Cost>(&mut emulator, entries)?;
    let costs = entries.iter().enumerate().map(|(index, entry)| {
        let earlier = entries[..index]
            .iter()
            .filter(|other| *other == entry)
            .count();
        let call = calls
            .iter()
            .filter(|call| call.entry == *entry)
            .nth(earlier);
        call.map(|call| call.meter)
            .context("a peer's call was not traced")
    });
    costs.collect()
}

fn mean(costs: &[Cost]) -> Option<Cost> {
    let count = costs.len() as u64;
    let sum = |part: fn(&Cost) -> u64| costs.iter().map(part).sum::<u64>();
    Some(Cost {
        instructions: sum(|cost| cost.instructions).checked_div(count)?,
        cycles: sum(|cost| cost.cycles).checked_div(count)?,
    })
}

/// Cycles of an instruction, its jump aside.
fn cycles(instruction: &Instruction) -> u64 {
    let Instruction { mnemonic, operands } = instruction;
    let name = mnemonic.split('.').next().unwrap_or(mnemonic);
    let listed = || registers(operands);
    match name {
        "vldmia" | "vldmdb" | "vstmia" | "vstmdb" | "vpush" | "vpop" => 1 + listed(),
        "push" | "pop" | "ldm" | "stm" | "stmdb" | "ldmdb" => 1 + listed(),
        _ if name.starts_with("ldrd") || name.starts_with("strd") => 3,
        _ if name.starts_with("ldr") || name.starts_with("str") => 2,
        _ if name.starts_with("vldr") || name.starts_with("vstr") => 2,
        _ if [
            "vmla", "vmls", "vnmla", "vnmls", "vfma", "vfms", "vfnma", "vfnms",
        ]
        .contains(&name) =>
        {
            3
        }
        _ if name.starts_with("vdiv") || name.starts_with("vsqrt") => 14,
        // Two core registers at once.
        _ if name == "vmov" && operands.matches(',').count() > 1 => 2,
        // Two to twelve, as the quotient has digits.
        _ if name.starts_with("udiv") || name.starts_with("sdiv") => 7,
        _ => 1,
    }
}

/// Single registers in a list such as `r4, {s0, s1}` or `{d8, d9}`.
fn registers(operands: &str) -> u64 {
    let list = operands.split_once('{').map_or("", |(_, list)| list);
    let double = if list.starts_with('d') { 2 } else { 1 };
    double * list.split(',').count() as u64
}

/// Whether the second instruction has to wait for what the floating-point unit computes in the first.
fn waits(first: &Instruction, second: &Instruction) -> bool {
    let computes = [
        "vadd", "vsub", "vmul", "vml", "vnml", "vnmul", "vfm", "vfnm", "vdiv", "vsqrt", "vcvt",
    ];
    if !computes
        .iter()
        .any(|prefix| first.mnemonic.starts_with(prefix))
    {
        return false;
    }
    let result = first.operands.split(',').next().unwrap_or_default();
    let mut operands = second.operands.split([',', ' ', '{', '}']).map(str::trim);
    // The first operand is a result, except where it is added to, compared or stored.
    let reads_first = ["vml", "vfm", "vnml", "vfnm", "vcmp", "vstr", "vst"];
    if !reads_first
        .iter()
        .any(|prefix| second.mnemonic.starts_with(prefix))
    {
        operands.next();
    }
    operands.any(|operand| operand == result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(text: &[&str]) -> Vec<Instruction> {
        let instruction = |line: &&str| {
            let (mnemonic, operands) = line.split_once(' ').unwrap_or((line, ""));
            Instruction {
                mnemonic: mnemonic.into(),
                operands: operands.into(),
            }
        };
        text.iter().map(instruction).collect()
    }

    fn cost(text: &[&str], taken: bool) -> Cost {
        let mut cost = Cost::default();
        cost.block(&block(text), taken);
        cost
    }

    #[test]
    fn costs_are_those_of_the_manual() {
        assert_eq!(cost(&["adds r0, #1"], false).cycles, 1);
        assert_eq!(cost(&["vldmia r6!, {s16, s17, s18, s19}"], false).cycles, 5);
        assert_eq!(cost(&["vpush {d8, d9}"], false).cycles, 5);
        assert_eq!(cost(&["vmla.f32 s0, s24, s16"], false).cycles, 3);
        assert_eq!(cost(&["ldr r0, [r1]", "str r0, [r2]"], false).cycles, 4);
        assert_eq!(cost(&["subs r0, #1", "bne #0x20"], true).cycles, 2 + REFILL);
        assert_eq!(cost(&["vsqrt.f32 s0, s0"], false).cycles, 14);
    }

    #[test]
    fn a_result_wanted_at_once_costs_a_cycle() {
        let chain = ["vmul.f32 s4, s0, s21", "vadd.f32 s4, s4, s22"];
        assert_eq!(cost(&chain, false).cycles, 3);
        let apart = ["vmul.f32 s4, s0, s21", "vmul.f32 s5, s1, s21"];
        assert_eq!(cost(&apart, false).cycles, 2);
        let added_to = ["vmla.f32 s0, s4, s19", "vmla.f32 s0, s4, s20"];
        assert_eq!(cost(&added_to, false).cycles, 7);
        let overwritten = ["vmul.f32 s4, s0, s21", "vmul.f32 s4, s1, s21"];
        assert_eq!(cost(&overwritten, false).cycles, 2);
    }
}
