//! A device at a serial port.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Result, anyhow, bail};
use serial2::SerialPort;

use super::{
    Transport,
    transport::{LONGEST_WRITE, SHORTEST, received},
};

/// Bits a second without another wish.
pub const BAUD: u32 = 115_200;

/// A port and its speed, as in `/dev/ttyACM0` or `/dev/ttyACM0:1000000`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The port.
    pub port: PathBuf,
    /// Bits a second.
    pub baud: u32,
}

impl std::str::FromStr for Address {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let (port, baud) = match text.rsplit_once(':') {
            Some((port, baud)) if !baud.is_empty() && !port.is_empty() => {
                let baud = baud.parse().ok().filter(|baud| *baud > 0);
                (
                    port,
                    baud.ok_or_else(|| anyhow!("the speed after the colon must be a number"))?,
                )
            }
            _ => (text, BAUD),
        };
        Ok(Address {
            port: port.into(),
            baud,
        })
    }
}

/// Opens a port; if that fails, the error says which ports there are.
pub fn open(address: &Address) -> Result<SerialPort> {
    let Address { port, baud } = address;
    match SerialPort::open(port, *baud) {
        Ok(mut opened) => {
            opened.set_write_timeout(LONGEST_WRITE)?;
            // What an earlier program did not read is not for us.
            opened.discard_buffers()?;
            Ok(opened)
        }
        Err(error) => bail!(
            "the port {} at {baud} baud cannot be opened: {error}{}\n{}",
            port.display(),
            hint(&error),
            ports()
        ),
    }
}

fn hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied => {
            " (on Linux, ports belong to a group: `sudo usermod -a -G dialout $USER`, then log in again)"
        }
        _ => "",
    }
}

/// The ports of this machine, in a sentence.
pub fn ports() -> String {
    let mut found = SerialPort::available_ports().unwrap_or_default();
    found.sort();
    // Linux lists old ports that rarely have anything behind them: they are named when there is no other.
    let (old, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|port| is_old(port));
    let found = if others.is_empty() { old } else { others };
    if found.is_empty() {
        return "there are no serial ports here; is the device plugged in?".into();
    }
    let names: Vec<_> = found
        .iter()
        .map(|port| port.display().to_string())
        .collect();
    format!("serial ports here: {}", names.join(", "))
}

fn is_old(port: &Path) -> bool {
    let name = port.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with("ttyS"))
}

impl Transport for SerialPort {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], within: Duration) -> io::Result<usize> {
        self.set_read_timeout(within.max(SHORTEST))?;
        received(self.read(buffer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Option<(String, u32)> {
        let address: Address = text.parse().ok()?;
        Some((address.port.display().to_string(), address.baud))
    }

    #[test]
    fn a_speed_may_follow_the_port() {
        assert_eq!(address("/dev/ttyACM0"), Some(("/dev/ttyACM0".into(), BAUD)));
        assert_eq!(address("COM3:9600"), Some(("COM3".into(), 9600)));
        assert_eq!(address("/dev/ttyACM0:fast"), None);
        assert_eq!(address("/dev/ttyACM0:0"), None);
    }

    #[test]
    fn a_port_that_is_not_there_gets_an_answer_that_helps() {
        let address = "/dev/no-such-port".parse().expect("an address");
        let error = open(&address).expect_err("no port").to_string();
        assert!(error.contains("/dev/no-such-port"), "{error}");
        assert!(error.contains("serial ports here"), "{error}");
    }
}
