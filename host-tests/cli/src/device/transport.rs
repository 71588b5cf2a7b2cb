//! Bytes to and from a device.

use std::{io, time::Duration};

/// A line to a device. What it carries may get lost or damaged; that is for others to mend.
pub trait Transport {
    /// Hands all bytes over.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Takes what has come, at least one byte; zero when none came in time. A line
    /// that was closed is an error.
    fn receive(&mut self, buffer: &mut [u8], within: Duration) -> io::Result<usize>;
}

/// Result of a read with a timeout: nothing in time is no error, the end of the stream is one.
pub(super) fn received(result: io::Result<usize>) -> io::Result<usize> {
    use io::ErrorKind::{Interrupted, TimedOut, UnexpectedEof, WouldBlock};
    match result {
        Ok(0) => Err(io::Error::new(UnexpectedEof, "the other end was closed")),
        Err(error) if matches!(error.kind(), Interrupted | TimedOut | WouldBlock) => Ok(0),
        other => other,
    }
}

/// Timeout of a write: a line that takes no bytes for so long will not take them any more.
pub(crate) const LONGEST_WRITE: Duration = Duration::from_secs(5);

/// A wait of zero would mean to wait for ever.
pub(super) const SHORTEST: Duration = Duration::from_millis(1);

#[cfg(unix)]
impl Transport for std::os::unix::net::UnixStream {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        io::Write::write_all(self, bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], within: Duration) -> io::Result<usize> {
        self.set_read_timeout(Some(within.max(SHORTEST)))?;
        received(io::Read::read(self, buffer))
    }
}
