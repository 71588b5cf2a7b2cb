//! The file that is the flash of an emulated board: one owner, found or refused, and no emulator that outlives its host.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

use pocketron_cli::device::{Client, Timeouts, qemu::Board};

use crate::{WHY, run};

/// `pocketron device` with the firmware in QEMU.
fn command(arguments: &[&str], flash: Option<&Path>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pocketron"));
    command.args(["device", "--qemu"]).args(arguments);
    if let Some(flash) = flash {
        command.arg("--flash").arg(flash);
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The emulator that a process has started.
fn emulator_of(host: &Child) -> Option<u32> {
    let processes = fs::read_dir("/proc").expect("Linux");
    processes
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .find(|id| {
            let (name, parent) =
                state(*id).map_or_else(Default::default, |(name, _, parent)| (name, parent));
            name.starts_with("qemu") && parent == host.id()
        })
}

/// Name, state and parent of a process.
fn state(id: u32) -> Option<(String, char, u32)> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (name, rest) = text.split_once('(')?.1.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?.chars().next()?;
    Some((name.into(), state, fields.next()?.parse().ok()?))
}

/// Asks until there is an answer; a machine with much to do takes its time.
fn eventually<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn an_emulator_ends_when_its_host_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let flash = folder.path().join("flash");
    let mut host = command(&["watch"], Some(&flash)).spawn().expect(WHY);
    let emulator = eventually("an emulator", || emulator_of(&host));

    // Meanwhile nobody else gets the flash.
    let second = command(&["status"], Some(&flash)).output().expect(WHY);
    assert!(!second.status.success());
    let said = text(&second.stderr);
    assert!(said.contains("flash of a device that is running"), "{said}");

    host.kill().expect("it runs");
    host.wait().expect("it ends");
    eventually("the emulator has outlived its host", || {
        match state(emulator) {
            // Nobody may be there to take note of its end.
            None | Some((_, 'Z' | 'X', _)) => Some(()),
            Some(_) => None,
        }
    });
    let third = eventually("the flash is still locked", || {
        let third = command(&["status"], Some(&flash)).output().expect(WHY);
        third.status.success().then_some(third)
    });
    assert!(text(&third.stdout).contains("up for"));
}

/// A name that the firmware cannot read as a whole is an error, and no model is kept in memory in its place.
#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn a_flash_file_with_too_long_a_name_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut path: PathBuf = folder.path().into();
    for _ in 0..6 {
        path.push("x".repeat(100));
        fs::create_dir(&path).expect("a folder");
    }
    let short = folder.path().join("flash");
    for (flash, fits) in [(&path.join("flash"), false), (&short, true)] {
        let program = Board::Mps2An386.firmware().expect(WHY);
        let emulator = run(Board::Mps2An386, &program, Some(flash));
        let client = Client::connect(Box::new(emulator), Timeouts::default());
        assert_eq!(client.is_ok(), fits, "{:?}", client.err());
    }
}

#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn a_save_without_a_file_says_that_it_will_be_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    let flash = folder.path().join("flash");
    let warns = |output: Output| {
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stderr).contains("--flash FILE keeps it")
    };
    assert!(warns(command(&["save"], None).output().expect(WHY)));
    assert!(!warns(
        command(&["save"], Some(&flash)).output().expect(WHY)
    ));
    assert!(!warns(command(&["status"], None).output().expect(WHY)));
}
