//! QEMU on systems without pairs of sockets: an error.

use std::{io, time::Duration};

use anyhow::{Result, bail};

use super::Machine;
use crate::device::Transport;

/// Does not exist here.
#[derive(Debug)]
pub enum Emulator {}

impl Emulator {
    /// Says that it cannot.
    pub fn start(_: &Machine<'_>) -> Result<Self> {
        bail!("devices in QEMU need Linux or macOS; --port works everywhere")
    }
}

impl Transport for Emulator {
    fn send(&mut self, _: &[u8]) -> io::Result<()> {
        match *self {}
    }

    fn receive(&mut self, _: &mut [u8], _: Duration) -> io::Result<usize> {
        match *self {}
    }
}

/// There is nothing to end.
pub fn end_all() {}
