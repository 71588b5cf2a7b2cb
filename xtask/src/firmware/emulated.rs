//! An emulated board and its serial line.

use crate::{board::Board, qemu};
use anyhow::{Context, Result, bail};
use std::{
    io::{Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

/// Far above what any reply takes, even on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// Time before a board is asked again that may have lost the question.
const AGAIN: Duration = Duration::from_millis(500);

/// A board that runs until this is dropped, by `SIGKILL` where there is one.
pub struct Emulated {
    child: Child,
    line: ChildStdin,
    frames: Receiver<Vec<u8>>,
    listening: Arc<AtomicBool>,
}

/// Status of the device of the fault injection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardStatus {
    pub now_ms: u32,
    pub stack_used: u32,
    pub stack_size: u32,
    pub dropped_bytes: u32,
    pub fault: u32,
    pub pc: u32,
}

impl Emulated {
    /// Starts `image`, with a file for its flash where the board takes one.
    pub fn start(board: &Board, image: &Path, flash: Option<&Path>) -> Result<Self> {
        let mut emulator = qemu::firmware(board, image, flash);
        emulator.args(["-serial", "stdio"]);
        emulator.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = emulator.spawn().context("cannot start the emulator")?;
        let line = child.stdin.take().context("no line to the board")?;
        let replies = child.stdout.take().context("no line from the board")?;
        let listening = Arc::new(AtomicBool::new(true));
        Ok(Emulated {
            child,
            line,
            frames: frames(replies, listening.clone()),
            listening,
        })
    }

    /// Sends bytes as they are.
    pub fn send(&mut self, bytes: &[u8]) -> Result<()> {
        self.line.write_all(bytes)?;
        self.line.flush().context("the board takes no bytes")
    }

    /// The next frame, without its zero.
    pub fn frame(&self) -> Result<Vec<u8>> {
        self.frames.recv_timeout(LIMIT).context("no reply")
    }

    /// Sends a frame and returns the reply.
    pub fn ask(&mut self, frame: &[u8]) -> Result<Vec<u8>> {
        self.send(&[frame, &[0]].concat())?;
        self.frame()
    }

    pub fn board_status(&mut self) -> Result<BoardStatus> {
        let reply = self.ask(b"v")?;
        BoardStatus::parse(&reply).with_context(|| odd(&reply))
    }

    /// Status of a board that loses bytes, because it is being reset or flooded.
    ///
    /// It is asked again until the answer is `awaited`.
    pub fn status_when(&mut self, awaited: impl Fn(&BoardStatus) -> bool) -> Result<BoardStatus> {
        let start = Instant::now();
        while start.elapsed() < LIMIT {
            // The first zero ends what is left of another frame.
            self.send(b"\0v\0")?;
            loop {
                match self.frames.recv_timeout(AGAIN) {
                    Ok(reply) => {
                        if let Some(board_status) = BoardStatus::parse(&reply).filter(&awaited) {
                            self.settle()?;
                            return Ok(board_status);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(gone) => return Err(gone).context("the emulator has ended"),
                }
            }
        }
        bail!("the board did not print the expected line")
    }

    /// Ends what is left of a frame, and lets all replies pass that are still to come.
    pub fn settle(&mut self) -> Result<()> {
        self.send(b"\0eend\0")?;
        while self.frame()? != b"eend" {}
        Ok(())
    }

    /// Leaves replies on the line, which gets full, or takes them again.
    pub fn listen(&mut self, listen: bool) {
        self.listening.store(listen, Ordering::Relaxed);
    }

    /// Process number of the emulator.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Emulated {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl BoardStatus {
    fn parse(reply: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(reply).ok()?.strip_prefix("v ")?;
        let mut words = text.split(' ').map(|word| u32::from_str_radix(word, 16));
        let mut next = || words.next()?.ok();
        Some(BoardStatus {
            now_ms: next()?,
            stack_used: next()?,
            stack_size: next()?,
            dropped_bytes: next()?,
            fault: next()?,
            pc: next()?,
        })
    }
}

/// Message about a reply that was not expected.
pub fn odd(reply: &[u8]) -> String {
    format!("the board replies `{}`", reply.escape_ascii())
}

/// Cuts at zeros, in a thread of its own, so that waiting for a frame can have an end.
fn frames(mut replies: ChildStdout, listening: Arc<AtomicBool>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let (mut buffer, mut frame) = ([0; 4096], Vec::new());
        while let Ok(len @ 1..) = replies.read(&mut buffer) {
            for byte in &buffer[..len] {
                match byte {
                    // The receiver is gone when the check is over.
                    0 => drop(sender.send(std::mem::take(&mut frame))),
                    byte => frame.push(*byte),
                }
            }
            while !listening.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(10));
            }
        }
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_is_read_as_it_is_sent() {
        let reply = b"v 0000000a 00000010 00000020 00000000 00000001 000001ff 00000000";
        let board_status = BoardStatus {
            now_ms: 10,
            stack_used: 16,
            stack_size: 32,
            fault: 1,
            pc: 0x1ff,
            ..BoardStatus::default()
        };
        assert_eq!(BoardStatus::parse(reply), Some(board_status));
        assert_eq!(BoardStatus::parse(b"!"), None);
        assert_eq!(BoardStatus::parse(b"v 0000000a"), None);
    }
}
