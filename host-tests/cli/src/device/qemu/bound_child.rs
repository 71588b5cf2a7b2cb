//! Child processes that do not outlive this one, however it ends.

use std::{
    fs::File,
    io,
    os::{fd::AsRawFd, unix::process::CommandExt},
    process::{Child, Command},
    sync::{
        LazyLock,
        mpsc::{Sender, channel},
    },
    thread,
};

use rustix::io::{FdFlags, fcntl_setfd};
#[cfg(target_os = "linux")]
use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};

type Job = (Command, Sender<io::Result<Child>>);

/// The kernel ends a child when the thread ends that started it, so one thread starts them all and never ends.
static STARTER: LazyLock<Sender<Job>> = LazyLock::new(|| {
    let (sender, jobs) = channel::<Job>();
    thread::spawn(move || {
        for (mut command, started) in jobs {
            let _ = started.send(command.spawn());
        }
    });
    sender
});

/// Starts a child that inherits `shared`, if there is one. On Linux it is killed when this process ends in any way, also by a
/// signal that nobody can catch; elsewhere only when [`Drop`] or Ctrl-C ends it.
pub fn spawn(mut command: Command, shared: Option<&File>) -> io::Result<Child> {
    let shared = shared.map(AsRawFd::as_raw_fd);
    #[cfg(target_os = "linux")]
    let parent = getpid();
    let bind = move || {
        #[cfg(target_os = "linux")]
        {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // It may have ended before it was asked for.
            if getppid() != Some(parent) {
                return Err(io::ErrorKind::NotConnected.into());
            }
        }
        if let Some(shared) = shared {
            // SAFETY: the caller holds the file until the child runs.
            let shared = unsafe { std::os::fd::BorrowedFd::borrow_raw(shared) };
            fcntl_setfd(shared, FdFlags::empty())?;
        }
        Ok(())
    };
    // SAFETY: three system calls, which neither allocate nor take locks.
    unsafe { command.pre_exec(bind) };
    let (started, child) = channel();
    let gone = |_| io::Error::other("no thread to start it");
    STARTER.send((command, started)).map_err(gone)?;
    child
        .recv()
        .map_err(|_| io::Error::other("no thread to start it"))?
}
