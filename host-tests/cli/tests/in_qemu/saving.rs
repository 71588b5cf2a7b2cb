//! Models in flash: saved, loaded, and through power cuts.

use std::process::Command;

use pocketron::device::message::ErrorReply;
use pocketron_cli::device::{Client, LinkError, Timeouts, qemu::Board};

use crate::{WHY, connect, examples, pull, run, teach};

#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn saving_loading_and_forgetting() {
    for board in [Board::Mps2An386, Board::Microbit] {
        let mut client = connect(board);
        let (features, classes) = (client.identity().features, client.identity().classes);
        let blank = pull(&mut client);
        assert!(matches!(
            client.load(),
            Err(LinkError::Refused(ErrorReply::Store(_)))
        ));
        teach(&mut client, &examples(50, features, classes, 8));
        let saved = pull(&mut client);
        client.save().expect("saved");
        teach(&mut client, &examples(50, features, classes, 9));
        assert!(pull(&mut client) != saved);
        client.load().expect("loaded");
        assert!(pull(&mut client) == saved);
        client.reset().expect("forgotten");
        assert!(pull(&mut client) == blank);
        client.load().expect("loaded");
        assert!(pull(&mut client) == saved);
    }
}

/// An acknowledged save outlives the emulator's sudden end.
#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn a_saved_model_outlives_the_power() {
    let folder = tempfile::tempdir().expect("a folder");
    let flash = folder.path().join("flash");
    let program = Board::Mps2An386.firmware().expect(WHY);
    let boot = || {
        let emulator = run(Board::Mps2An386, &program, Some(&flash));
        Client::connect(Box::new(emulator), Timeouts::default()).expect("a device")
    };
    let mut client = boot();
    let (features, classes) = (client.identity().features, client.identity().classes);
    teach(&mut client, &examples(100, features, classes, 12));
    client.save().expect("saved");
    let saved = pull(&mut client);
    teach(&mut client, &examples(10, features, classes, 13));
    drop(client); // killed
    let mut client = boot();
    assert!(pull(&mut client) == saved);
}

/// Twenty-five sudden ends in the middle of a save; `pocketron device power-cut-test` does more of them.
#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn kills_while_saving_lose_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_pocketron"))
        .args([
            "device",
            "--qemu",
            "power-cut-test",
            "--kills",
            "25",
            "--victim",
        ])
        .arg(folder.path().join("victim"))
        .output()
        .expect("the command");
    let said = String::from_utf8_lossy(&output.stdout);
    print!("{said}");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
}
