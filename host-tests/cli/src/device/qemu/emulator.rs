//! QEMU as a child process, with the serial line on a pair of sockets.

use std::{
    ffi::OsString,
    fs::File,
    io,
    os::{
        fd::OwnedFd,
        unix::{net::UnixStream, process::CommandExt},
    },
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use anyhow::{Context, Result, bail};

use super::{Machine, bound_child, flash_lock};
use crate::device::{Transport, transport::LONGEST_WRITE};

/// QEMU while it runs; it ends with this value.
#[derive(Debug)]
pub struct Emulator {
    child: Arc<Mutex<Child>>,
    line: UnixStream,
    /// Held as long as the file may be written.
    _flash: Option<File>,
}

/// Those that are running.
static RUNNING: Mutex<Vec<Weak<Mutex<Child>>>> = Mutex::new(Vec::new());

/// Ends all emulators of this process, for those who end the process itself.
pub fn end_all() {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    for child in running.iter().filter_map(Weak::upgrade) {
        end(&child);
    }
}

fn end(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    // The firmware is made to be switched off at any time.
    let _ = child.kill();
    let _ = child.wait();
}

impl Emulator {
    /// Switches the board on.
    pub fn start(machine: &Machine<'_>) -> Result<Self> {
        let Machine { board, program, .. } = *machine;
        if !program.is_file() {
            bail!(
                "no firmware at {}: `cargo xtask firmware` builds one",
                program.display()
            );
        }
        // A pair of sockets needs no name or port that another emulator might have taken, and
        // leaves QEMU's own output alone.
        let (line, end) = UnixStream::pair()?;
        line.set_write_timeout(Some(LONGEST_WRITE))?;
        let mut command = Command::new("qemu-system-arm");
        if machine.count_instructions {
            command.args(["-icount", "shift=7"]);
        }
        let flash = machine.flash.map(flash_lock::take).transpose()?;
        command
            .args(["-machine", board.machine()])
            .args(["-display", "none", "-monitor", "none"])
            .args(["-chardev", "socket,id=line,fd=0", "-serial", "chardev:line"])
            .arg("-semihosting-config")
            .arg(semihosting(machine.flash)?)
            .arg("-kernel")
            .arg(program)
            .stdin(OwnedFd::from(end))
            .stdout(Stdio::null())
            // Ctrl-C is for us: we end what is on its way before we end QEMU.
            .process_group(0);
        let child = bound_child::spawn(command, flash.as_ref())
            .context("qemu-system-arm does not start: `cargo xtask setup` installs it")?;
        let child = Arc::new(Mutex::new(child));
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|other| other.strong_count() > 0);
        running.push(Arc::downgrade(&child));
        Ok(Emulator {
            child,
            line,
            _flash: flash,
        })
    }

    /// A line that failed because QEMU has ended says so.
    fn explain(&mut self, error: io::Error) -> io::Error {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        // Its sockets are closed a moment before it is gone.
        for _ in 0..20 {
            if let Ok(Some(status)) = child.try_wait() {
                return io::Error::other(format!("QEMU has ended ({status})"));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        error
    }
}

/// QEMU splits the value at commas, unless they are doubled.
fn semihosting(flash: Option<&Path>) -> Result<OsString> {
    let mut value = String::from("enable=on,target=native,arg=pocketron");
    if let Some(flash) = flash {
        let flash = std::path::absolute(flash)?;
        let name = flash.to_str();
        let name = name.with_context(|| format!("{}: not UTF-8", flash.display()))?;
        value.push_str(",arg=");
        value.push_str(&name.replace(',', ",,"));
    }
    Ok(value.into())
}

impl Transport for Emulator {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.line.send(bytes).map_err(|error| self.explain(error))
    }

    fn receive(&mut self, buffer: &mut [u8], within: Duration) -> io::Result<usize> {
        let received = self.line.receive(buffer, within);
        received.map_err(|error| self.explain(error))
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        end(&self.child);
    }
}
