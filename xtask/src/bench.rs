//! `cargo xtask bench`: what the device executes, ours and the peers'.
//!
//! Programs in `host-tests/on-target/src/bench` count their own instructions on an emulated board, exactly and repeatably. The counts are held
//! against the committed ones in `host-tests/on-target/expected`, so that none creeps up unseen. Method and results are in
//! `docs/performance.md`.

mod baseline;
mod counts;
mod cycles;
mod document;
pub mod host;
mod peers;
mod records;
mod report;
mod signal;
mod trace;

use crate::{
    board, code, process, programs::ON_TARGET, qemu, stack, toolchain::Toolchain, workspace,
};
use anyhow::{Context, Result, bail};
use counts::Row;
use std::{fs, path::Path, process::Command, time::Duration};

/// The cores that run the programs, in the order of the tables. Cortex-M0 code runs on a Cortex-M3: the small board has
/// neither the timer nor the memory.
static CORES: [&board::Board; 3] = [&board::M4F, &board::M3, &board::M0];

/// Everything, in two programs, and the part of it that every test run can afford.
const FULL: [&str; 2] = ["bench_device", "bench_raw"];
const GATE: &str = "bench_gate";

/// Soft floating point and large models take their time.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// Counts everything and compares with the peers.
pub fn device(bless: bool, without_peers: bool) -> Result<()> {
    let toolchain = Toolchain::find()?;
    let mut ours = Vec::new();
    for program in FULL {
        ours.extend(count(toolchain, program)?);
    }
    print!("{}", report::table(&ours));
    let gate = count(toolchain, GATE)?;
    let modelled = cycles::of_ours(&gate, &toolchain.image(GATE, &board::M4F))?;
    let theirs = if without_peers {
        Vec::new()
    } else {
        peers::count()?
    };
    print!("{}", report::cycles(&modelled));
    print!("{}", report::ratios(&ours, &modelled, &theirs));
    let path = workspace::target_dir().join("bench/device.json");
    fs::create_dir_all(path.with_file_name(""))?;
    fs::write(&path, report::json(&ours, &modelled, &theirs))?;
    println!("written to {}", path.display());
    baseline::settle("device", toolchain, &ours, bless)?;
    baseline::settle("gate", toolchain, &gate, bless)?;
    if bless {
        records::write_cycles(&modelled)?;
        if !without_peers {
            records::write_peers(&theirs)?;
        }
        document::write()?;
    }
    Ok(())
}

/// Counts the part that is quick, and fails if it has changed.
pub fn gate(print: bool) -> Result<()> {
    let toolchain = Toolchain::find()?;
    let counted = count(toolchain, GATE)?;
    if print {
        print!("{}", report::table(&counted));
    }
    baseline::settle("gate", toolchain, &counted, false)?;
    signal::check(toolchain, false)
}

/// Counts what a sample costs the front ends.
pub fn front_ends(bless: bool) -> Result<()> {
    signal::check(Toolchain::find()?, bless)
}

/// Builds a program for all cores and runs it on each.
fn count(toolchain: Toolchain, program: &str) -> Result<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    for core in CORES {
        let mut cargo = toolchain.cargo("build", core);
        cargo.env("POCKETRON_BOARD", machine(core));
        cargo.args(["--quiet", "--release"]);
        process::run(ON_TARGET.select(&mut cargo, &[program]))?;
        let image = toolchain.image(program, core);
        let text = process::capture_within(&mut counting(core, &image), LIMIT)?;
        let code = code::read(&image)?;
        for mut row in counts::parse(core.core, &text)? {
            row.flash = code.flash(&row.code);
            row.stack = stack::below(&code, &row.code)
                .with_context(|| format!("the stack of {} on {}", row.subject, row.core))?;
            rows.push(row);
        }
    }
    same_scores(&rows)?;
    Ok(rows)
}

/// The emulator with its instruction clock.
fn counting(core: &board::Board, image: &Path) -> Command {
    let mut command = qemu::semihosted(core, machine(core), image);
    command.args(["-icount", "shift=7"]);
    command
}

fn machine(core: &board::Board) -> &'static str {
    match core.machine {
        "microbit" => board::M3.machine,
        machine => machine,
    }
}

/// A count of something else is worth nothing; nor is one of a sample that was refused, whose score is no number.
fn same_scores(rows: &[Row]) -> Result<()> {
    for row in rows {
        let bits = u32::from_str_radix(&row.score, 16).context("a score in other digits")?;
        if f32::from_bits(bits).is_nan() {
            bail!("{}: a sample was refused on {}", row.subject, row.core);
        }
        let twin = rows.iter().find(|other| other.subject == row.subject);
        let twin = twin.context("a row is its own twin")?;
        if row.score != twin.score {
            bail!(
                "{}: other bits on {} than on {}",
                row.subject,
                row.core,
                twin.core
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use counts::tests::LINE;

    #[test]
    fn scores_are_numbers_and_the_same_on_all_cores() {
        let mut rows = counts::parse("M4F", LINE).unwrap();
        rows.extend(counts::parse("M3", LINE).unwrap());
        assert!(same_scores(&rows).is_ok());
        rows[1].score = "00000001".into();
        assert!(same_scores(&rows).is_err(), "other bits");
        for row in &mut rows {
            row.score = "7fc00000".into();
        }
        assert!(same_scores(&rows).is_err(), "the same, and no number");
    }
}
