//! An image on an emulated board, with its stack painted beforehand: how much of the paint is gone shows how deep it was.
//!
//! The emulator is driven by the protocol of debuggers over its standard input and output, so that the image is the very
//! one that every user runs. What it prints arrives that way too, and the stack is looked at before each piece of it.

use crate::{board::Board, qemu};
use anyhow::{Context, Result, bail, ensure};
use std::{
    io::{BufReader, Read, Write},
    ops::Range,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
};

const PAINT: u8 = 0xa5;

/// Bytes that are sent or asked for at a time.
const PIECE: u32 = 1024;

/// A run of an image.
pub struct Run {
    pub text: String,
    /// Bytes of stack, at the deepest.
    pub stack: u32,
}

/// Runs an image; a panic or fault on the board is an error. The stack is `painted` from its lowest address on.
pub fn run(board: &Board, image: &Path, painted: Range<u32>) -> Result<Run> {
    let mut board = Debugged::start(board, image)?;
    board.paint(&painted)?;
    board.send("c")?;
    let mut text = Vec::new();
    let mut deepest = painted.end;
    loop {
        let told = board.told()?;
        match told.split(',').collect::<Vec<_>>()[..] {
            ["Fwrite", _, address, len] => {
                let [address, len] = [number(address)?, number(len)?];
                text.extend(board.read(address..address + len)?);
                let below = board.read(painted.start..deepest)?;
                let untouched = below.iter().take_while(|byte| **byte == PAINT);
                deepest = painted.start + untouched.count() as u32;
                board.send(&format!("F{len:x}"))?;
            }
            ["W00"] => break,
            _ => {
                let text = String::from_utf8_lossy(&text);
                bail!("it ends with {told}, not with success; printed so far:\n{text}")
            }
        }
    }
    Ok(Run {
        text: String::from_utf8(text)?,
        stack: painted.end - deepest,
    })
}

/// An emulator that waits for a debugger's commands; it runs until this is dropped.
struct Debugged {
    child: Child,
    line: ChildStdin,
    packets: Receiver<String>,
}

impl Debugged {
    fn start(board: &Board, image: &Path) -> Result<Self> {
        let mut emulator = qemu::debugged(board, image);
        emulator.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = emulator.spawn().context("cannot start the emulator")?;
        let line = child.stdin.take().context("no line to the emulator")?;
        let replies = child.stdout.take().context("no line from the emulator")?;
        let packets = packets(replies);
        Ok(Debugged {
            child,
            line,
            packets,
        })
    }

    fn send(&mut self, command: &str) -> Result<()> {
        let sum = command.bytes().fold(0_u8, u8::wrapping_add);
        write!(self.line, "${command}#{sum:02x}")?;
        self.line.flush().context("the emulator takes no commands")
    }

    fn told(&mut self) -> Result<String> {
        let told = self.packets.recv_timeout(qemu::LIMIT);
        // It waits for a receipt, unless it has ended.
        let _ = self.line.write_all(b"+");
        told.context("the emulator is silent")
    }

    fn expect_ok(&mut self, command: &str) -> Result<()> {
        self.send(command)?;
        let told = self.told()?;
        ensure!(told == "OK", "the emulator replies {told:?}");
        Ok(())
    }

    fn paint(&mut self, range: &Range<u32>) -> Result<()> {
        for piece in pieces(range) {
            let paint = format!("{PAINT:02x}").repeat(piece.len());
            self.expect_ok(&format!("M{:x},{:x}:{paint}", piece.start, piece.len()))?;
        }
        Ok(())
    }

    fn read(&mut self, range: Range<u32>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for piece in pieces(&range) {
            self.send(&format!("m{:x},{:x}", piece.start, piece.len()))?;
            let told = self.told()?;
            let digits = told.as_bytes().as_chunks::<2>().0;
            ensure!(digits.len() == piece.len(), "the emulator replies {told:?}");
            for pair in digits {
                bytes.push(u8::from_str_radix(std::str::from_utf8(pair)?, 16)?);
            }
        }
        Ok(bytes)
    }
}

impl Drop for Debugged {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn pieces(range: &Range<u32>) -> impl Iterator<Item = Range<u32>> + use<> {
    let end = range.end;
    let starts = range.clone().step_by(PIECE as usize);
    starts.map(move |start| start..end.min(start + PIECE))
}

fn number(digits: &str) -> Result<u32> {
    u32::from_str_radix(digits, 16).with_context(|| format!("not a number: {digits}"))
}

/// The packets between `$` and `#`.
fn packets(replies: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut packet = None;
        for byte in BufReader::new(replies).bytes().map_while(Result::ok) {
            match (byte, &mut packet) {
                (b'$', _) => packet = Some(String::new()),
                (b'#', Some(_)) => {
                    let whole = packet.take().unwrap_or_default();
                    if sender.send(whole).is_err() {
                        return;
                    }
                }
                (_, Some(packet)) => packet.push(char::from(byte)),
                (_, None) => {}
            }
        }
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_a_range_once() {
        let all: Vec<_> = pieces(&(10..10 + 2 * PIECE + 5)).collect();
        let end = 10 + PIECE;
        assert_eq!(
            all,
            [10..end, end..end + PIECE, end + PIECE..end + PIECE + 5]
        );
        assert_eq!(pieces(&(10..10)).count(), 0);
    }
}
