//! The log of the firmware.

use std::{
    io::Read as _,
    process::{Command, Stdio},
    time::Duration,
};

use pocketron_cli::device::qemu::Board;

use crate::WHY;

/// The firmware that logs, decoded as `defmt-print` would.
#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn the_log_can_be_read() {
    let program = Board::Mps2An386.firmware().expect(WHY);
    let program = program.with_file_name("mps2-an386-log.elf");
    let table = defmt_decoder::Table::parse(&std::fs::read(&program).expect(WHY));
    let table = table.expect("a table").expect("a firmware that logs");
    let mut emulator = Command::new("qemu-system-arm")
        .args([
            "-machine",
            "mps2-an386",
            "-display",
            "none",
            "-monitor",
            "none",
        ])
        .args([
            "-serial",
            "null",
            "-semihosting-config",
            "enable=on,target=native",
        ])
        .arg("-kernel")
        .arg(&program)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("an emulator");
    let mut output = emulator.stdout.take().expect("its output");
    let mut decoder = table.new_stream_decoder();
    let mut messages = Vec::new();
    // A firmware that says less would keep us waiting for ever.
    let (done, timeouts) = std::sync::mpsc::channel::<()>();
    let killer = std::thread::spawn(move || {
        let _ = timeouts.recv_timeout(Duration::from_secs(60));
        let _ = emulator.kill();
        let _ = emulator.wait();
    });
    let mut buffer = [0; 256];
    while messages.len() < 2 {
        let len = output.read(&mut buffer).expect("readable");
        assert!(len > 0, "it ended after {messages:?}");
        decoder.received(&buffer[..len]);
        while let Ok(frame) = decoder.decode() {
            messages.push(frame.display_message().to_string());
        }
    }
    drop(done);
    killer.join().expect("killed");
    assert_eq!(messages[0], "start");
    assert!(
        messages[1].starts_with("store: StoreStatus { newest: None"),
        "{messages:?}"
    );
}
