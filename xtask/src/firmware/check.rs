//! Checks on emulated boards that the firmware must pass.
//!
//! The images have the device of the fault injection, `src/firmware/fault_injection.rs`. Nothing here depends on how
//! fast the machine is: every wait has an end, and no end is a measurement.

use super::{
    BOARDS, Options, build,
    emulated::{BoardStatus, Emulated, odd},
    link, product,
};
use crate::{board::Board, panic_free, parallel, process, qemu, stack, toolchain::Toolchain};
use anyhow::{Context, Result, bail, ensure};
use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// Numbers of faults as the device of the fault injection tells them.
const HARD_FAULT: u32 = 1;
const STACK_OVERFLOW: u32 = 2;
const WATCHDOG: u32 = 3;
const PANIC: u32 = 4;

/// A host that has no more than this on the line cannot overrun any board.
const QUEUE: usize = 1023;

/// More than any board's queue holds, and less than a pipe.
const FLOOD: usize = 16 * 1024;

/// Capacity of a pipe, at most.
const LINE: usize = 64 * 1024;

const MEGABYTE: usize = 1 << 20;

/// An image on its board.
struct Bench<'a> {
    board: &'static Board,
    image: PathBuf,
    /// An image that is linked without flip-link.
    plain: PathBuf,
    /// Folder for its files.
    folder: &'a Path,
}

type Check = fn(&Bench<'_>) -> Result<()>;

/// Checks of both boards.
const CHECKS: [(&str, Check); 9] = [
    ("a frame comes back", echo),
    ("a megabyte comes back, nothing lost", full_speed),
    ("bytes that nobody takes are counted", flood),
    ("an idle board lets the emulator sleep", idle),
    ("its clock goes as ours", clock),
    ("the depth of the stack is measured", stack),
    ("faults are reported after the reset", faults),
    ("what was saved survives a reset", reset),
    ("without flip-link too, the stack is measured", plain_link),
];

/// Checks of the board that has a watchdog, and a file for its flash.
const FILE_CHECKS: [(&str, Check); 4] = [
    ("what was saved survives the death of the emulator", kill),
    ("a file that is not ours is left alone", foreign_file),
    ("a loop that is stuck is ended by the watchdog", watchdog),
    (
        "a host that does not read does not stop the board",
        unread_line,
    ),
];

/// Checks the given board, or all.
pub fn check(board: Option<&'static Board>) -> Result<()> {
    let boards = board.map_or(BOARDS.to_vec(), |board| vec![board]);
    let folder = tempfile::tempdir()?;
    // They wait for clocks and replies more than for a processor.
    parallel::each(&boards, |board| on_board(board, folder.path())).map(drop)
}

fn on_board(board: &'static Board, folder: &Path) -> Result<()> {
    no_panic(board)?;
    let fault_injection = Options {
        fault_injection: true,
        ..Options::default()
    };
    let plain_link = true;
    let bench = Bench {
        board,
        image: build(board, fault_injection)?,
        plain: build(
            board,
            Options {
                plain_link,
                ..fault_injection
            },
        )?,
        folder,
    };
    let file_checks = match qemu::has_flash_file(board) {
        true => FILE_CHECKS.as_slice(),
        false => &[],
    };
    // One after the other: a machine that is too busy could look like a board that is.
    for (law, check) in CHECKS.iter().chain(file_checks) {
        let core = board.core_name;
        check(&bench).with_context(|| format!("{core}: not so: {law}"))?;
        println!("{core}: {law}");
    }
    Ok(())
}

/// The real image links, and one with a deliberate panic does not.
fn no_panic(board: &Board) -> Result<()> {
    let options = Options::default();
    let sabotage = link(
        Toolchain::find()?,
        board,
        options,
        &["--cfg", "must_not_link"],
    )?;
    let what = product(board, options);
    panic_free::must_not_link(&sabotage)
        .with_context(|| format!("with a deliberate panic: {}", what.selection))?;
    // Last, so that `cargo xtask device` finds it as it wants it.
    build(board, options)?;
    println!(
        "{}: no panic path; a deliberate one is refused",
        board.core_name
    );
    Ok(())
}

impl Bench<'_> {
    fn start(&self) -> Result<Emulated> {
        Emulated::start(self.board, &self.image, None)
    }

    fn start_with(&self, flash: &Path) -> Result<Emulated> {
        Emulated::start(self.board, &self.image, Some(flash))
    }
}

fn expect(reply: &[u8], expected: &[u8]) -> Result<()> {
    ensure!(reply == expected, odd(reply));
    Ok(())
}

fn echo(bench: &Bench<'_>) -> Result<()> {
    let mut board = bench.start()?;
    expect(&board.ask(b"ehello")?, b"ehello")?;
    expect(&board.ask(b"")?, b"!")?;
    let longest = [b'e'; 200];
    expect(&board.ask(&longest)?, &longest)?;
    expect(&board.ask(&[b'e'; 201])?, b"!")?;
    expect(&board.ask(b"ehello")?, b"ehello")
}

fn full_speed(bench: &Bench<'_>) -> Result<()> {
    let mut board = bench.start()?;
    // No two neighbours are alike, so that none can stand for another.
    let frame = |number: usize| format!("e{number:099}").into_bytes();
    let len = frame(0).len() + 1;
    let (frames, on_the_line) = (MEGABYTE.div_ceil(len), QUEUE / len);
    for number in 0..frames + on_the_line {
        if number < frames {
            board.send(&[frame(number).as_slice(), &[0]].concat())?;
        }
        if let Some(oldest) = number.checked_sub(on_the_line - 1).filter(|n| *n < frames) {
            expect(&board.frame()?, &frame(oldest))?;
        }
    }
    ensure!(
        board.board_status()?.dropped_bytes == 0,
        "bytes were dropped"
    );
    Ok(())
}

/// The board takes nothing until it has lost something, and goes on afterwards.
fn flood(bench: &Bench<'_>) -> Result<()> {
    let mut board = bench.start()?;
    board.send(b"b\0")?;
    board.send(&[b'x'; FLOOD])?;
    let board_status = board.status_when(|board_status| board_status.dropped_bytes > 0)?;
    ensure!(
        board_status.dropped_bytes < FLOOD as u32,
        "{board_status:?}"
    );
    expect(&board.ask(b"eagain")?, b"eagain")
}

/// A board that polls would have a thread of the emulator run, or wait for a processor, all the time.
fn idle(bench: &Bench<'_>) -> Result<()> {
    let mut board = bench.start()?;
    board.board_status()?;
    let looks = 50;
    let mut busy = 0;
    for _ in 0..looks {
        thread::sleep(Duration::from_millis(20));
        let Some(runs) = a_thread_runs(board.id()) else {
            println!("(skipped: this system does not tell what a process does)");
            return Ok(());
        };
        busy += usize::from(runs);
    }
    ensure!(busy < looks / 2, "busy at {busy} of {looks} looks");
    Ok(())
}

/// From /proc, where there is one.
fn a_thread_runs(process: u32) -> Option<bool> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let runs = |thread: fs::DirEntry| {
        let line = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        // The name, in parentheses, may contain anything; the state is the next word.
        let (_, fields) = line.rsplit_once(')').unwrap_or_default();
        fields.trim_start().starts_with('R')
    };
    Some(threads.flatten().any(runs))
}

/// The board's time lies between what passes inside and outside of the two questions.
fn clock(bench: &Bench<'_>) -> Result<()> {
    let mut board = bench.start()?;
    board.board_status()?;
    let outside = Instant::now();
    let before = board.board_status()?.now_ms;
    let inside = Instant::now();
    // Long enough for the counters to be seen to go round.
    thread::sleep(Duration::from_millis(1500));
    let inside = inside.elapsed().as_millis();
    let passed = u128::from(board.board_status()?.now_ms - before);
    let outside = outside.elapsed().as_millis();
    let rounding = 2;
    ensure!(
        inside <= passed + rounding && passed <= outside + rounding,
        "{passed} ms, but it were {inside} to {outside}"
    );
    Ok(())
}

fn stack(bench: &Bench<'_>) -> Result<()> {
    stack_of(bench, &bench.image)
}

fn plain_link(bench: &Bench<'_>) -> Result<()> {
    stack_of(bench, &bench.plain)
}

/// Two kilobytes more are used on demand, by a function that calls itself, and stay to be seen. Before that, the stack is
/// no deeper than the code says.
fn stack_of(bench: &Bench<'_>, image: &Path) -> Result<()> {
    let mut board = Emulated::start(bench.board, image, None)?;
    expect(&board.ask(b"ehello")?, b"ehello")?;
    let before = board.board_status()?;
    expect(&board.ask(b"d")?, b"!")?;
    // The board looks at its stack when no byte waits, which may not be before the first question.
    let deep = board.status_when(|board_status| board_status.stack_used > before.stack_used)?;
    expect(&board.ask(b"ehello")?, b"ehello")?;
    let after = board.board_status()?;
    let bound = stack::bound(bench.board, image)?.bytes;
    ensure!(
        before.stack_used <= bound,
        "{before:?}, but at most {bound} were to be used"
    );
    let grown = deep.stack_used - before.stack_used;
    ensure!(
        before.stack_used > 0
            && (1024..4096).contains(&grown)
            && after.stack_used == deep.stack_used,
        "{before:?}, then {deep:?}, then {after:?}"
    );
    ensure!(deep.stack_used < deep.stack_size, "{deep:?}");
    Ok(())
}

fn faults(bench: &Bench<'_>) -> Result<()> {
    let mut board = bench.start()?;
    ensure!(board.board_status()?.fault == 0, "a fault after power-on");
    // One board for all: each record has to make room for the next.
    for (command, fault) in [
        (b'h', HARD_FAULT),
        (b'o', STACK_OVERFLOW),
        (b'p', PANIC),
        (b'h', HARD_FAULT),
    ] {
        let board_status = provoke(&mut board, command, fault)?;
        let told = board_status.pc != 0;
        ensure!(told == (fault == HARD_FAULT), "pc {:#x}", board_status.pc);
    }
    Ok(())
}

fn provoke(board: &mut Emulated, command: u8, fault: u32) -> Result<BoardStatus> {
    board.send(&[command, 0])?;
    let board_status = board.status_when(|board_status| board_status.fault != 0)?;
    let command = char::from(command);
    ensure!(
        board_status.fault == fault,
        "after `{command}`: {board_status:?}"
    );
    expect(&board.ask(b"ealive")?, b"ealive")?;
    Ok(board_status)
}

fn watchdog(bench: &Bench<'_>) -> Result<()> {
    provoke(&mut bench.start()?, b'w', WATCHDOG).map(drop)
}

/// More than the line holds is left on it for longer than the watchdog would wait for a board that
/// waits for its host.
fn unread_line(bench: &Bench<'_>) -> Result<()> {
    let mut board = bench.start()?;
    board.board_status()?;
    board.listen(false);
    let frame = [[b'e'; 150].as_slice(), &[0]].concat();
    board.send(&frame.repeat(4 * LINE / frame.len()))?;
    thread::sleep(Duration::from_secs(8));
    board.listen(true);
    board.settle()?;
    let board_status = board.board_status()?;
    ensure!(board_status.dropped_bytes > 0, "the line was never full");
    ensure!(board_status.fault == 0, "{board_status:?}");
    Ok(())
}

fn reset(bench: &Bench<'_>) -> Result<()> {
    let mut board = bench.start()?;
    expect(&board.ask(b"l")?, b"!")?;
    for text in ["first", "second", "third"] {
        expect(&board.ask(format!("s{text}").as_bytes())?, b"s")?;
        provoke(&mut board, b'p', PANIC)?;
        expect(&board.ask(b"l")?, format!("l{text}").as_bytes())?;
    }
    Ok(())
}

/// Saves as fast as it can, is killed, and must remember what it has confirmed, or what came
/// after that.
fn kill(bench: &Bench<'_>) -> Result<()> {
    let flash = bench.folder.join("a flash file");
    let mut confirmed = 0;
    for round in 0..20_u64 {
        let mut board = bench.start_with(&flash)?;
        let remembered = match board.ask(b"l")?.as_slice() {
            b"!" => 0,
            reply => parse(reply.strip_prefix(b"l").unwrap_or_default())?,
        };
        ensure!(
            (confirmed..=confirmed + 1).contains(&remembered),
            "{confirmed} was confirmed, {remembered} was found"
        );
        confirmed = remembered;
        // At some instant of a save: they take about a millisecond each.
        for _ in 0..round % 4 {
            confirmed += 1;
            expect(&board.ask(format!("s{confirmed}").as_bytes())?, b"s")?;
        }
        board.send(format!("s{}\0", confirmed + 1).as_bytes())?;
        thread::sleep(Duration::from_micros(211 * round));
    }
    ensure!(confirmed > 0, "nothing was saved");
    Ok(())
}

fn parse(text: &[u8]) -> Result<u64> {
    let number = std::str::from_utf8(text)?.parse();
    number.with_context(|| odd(text))
}

fn foreign_file(bench: &Bench<'_>) -> Result<()> {
    let letter = bench.folder.join("letter");
    let text = "Dear Ada, ";
    fs::write(&letter, text)?;
    let mut emulator = qemu::firmware(bench.board, &bench.image, Some(&letter));
    emulator.args(["-serial", "none"]);
    let Err(error) = process::capture_within(&mut emulator, Duration::from_secs(60)) else {
        bail!("the board has started");
    };
    let error = format!("{error:#}");
    ensure!(error.contains("not made by pocketron"), error);
    ensure!(fs::read_to_string(&letter)? == text, "it was changed");
    Ok(())
}
