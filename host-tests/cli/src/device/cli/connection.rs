//! Connection to a device.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Result, bail};
use clap::Args;

use crate::device::{
    Client, Timeouts, Transport,
    qemu::{Board, Emulator, Machine},
    serial::{self, Address},
};

/// Address of the device.
#[derive(Args, Debug)]
pub struct Connection {
    /// Device at a serial port, such as /dev/ttyACM0 or /dev/ttyACM0:1000000
    #[arg(
        long,
        value_name = "PORT[:BAUD]",
        global = true,
        conflicts_with = "qemu"
    )]
    port: Option<Address>,
    /// Device in QEMU, running this program [default: what `cargo xtask firmware` builds]
    #[arg(
        long,
        value_name = "ELF",
        global = true,
        num_args = 0..=1,
        require_equals = true
    )]
    qemu: Option<Option<PathBuf>>,
    /// Board in QEMU
    #[arg(long, global = true, value_enum, default_value_t)]
    board: Board,
    /// File that is the flash of mps2-an386 in QEMU; made when it is missing
    #[arg(long, value_name = "FILE", global = true)]
    flash: Option<PathBuf>,
    /// Give up after this many seconds without an answer
    #[arg(
        long,
        value_name = "SECONDS",
        global = true,
        default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=3600)
    )]
    timeouts: u64,
}

impl Connection {
    /// Opens the line and asks who is there.
    pub fn open(&self) -> Result<Client> {
        self.connect(self.transport(self.flash.as_deref(), Board::firmware)?)
    }

    /// The same, in QEMU with the firmware that has a sensor.
    pub fn open_sensor(&self) -> Result<Client> {
        self.connect(self.transport(self.flash.as_deref(), Board::sensor_firmware)?)
    }

    /// Whether a device is named.
    pub fn is_named(&self) -> bool {
        self.port.is_some() || self.qemu.is_some()
    }

    /// The same with another file for the flash of an emulated board.
    pub fn open_with_flash(&self, flash: &Path) -> Result<Client> {
        self.connect(self.start_with_flash(flash)?)
    }

    /// The line to an emulated board with that flash, before anything has gone over it.
    pub fn start_with_flash(&self, flash: &Path) -> Result<Box<dyn Transport>> {
        if self.qemu.is_none() || self.board == Board::Microbit {
            bail!("only a device in QEMU, on mps2-an386, keeps its flash in a file: --qemu");
        }
        self.transport(Some(flash), Board::firmware)
    }

    /// What becomes of a model that is saved, if it does not outlive this command.
    pub fn tell_if_forgotten(&self) {
        if self.port.is_some() || self.qemu.is_none() || self.flash.is_some() {
            return;
        }
        let remedy = match self.board {
            Board::Microbit => "--board mps2-an386 with --flash FILE keeps it",
            Board::Mps2An386 => "--flash FILE keeps it",
        };
        eprintln!(
            "note: the emulator ends with this command, and what was saved with it: {remedy}"
        );
    }

    fn connect(&self, transport: Box<dyn Transport>) -> Result<Client> {
        let timeouts = Timeouts {
            give_up: Duration::from_secs(self.timeouts),
            ..Timeouts::default()
        };
        Ok(Client::connect(transport, timeouts)?)
    }

    fn transport(
        &self,
        flash: Option<&Path>,
        firmware: fn(Board) -> Result<PathBuf>,
    ) -> Result<Box<dyn Transport>> {
        if self.flash.is_some() && (self.qemu.is_none() || self.board == Board::Microbit) {
            bail!("--flash is for --qemu with --board mps2-an386; other boards have their own");
        }
        match (&self.port, &self.qemu) {
            (Some(port), _) => Ok(Box::new(serial::open(port)?)),
            (None, Some(program)) => {
                let program = match program {
                    Some(program) => program.clone(),
                    None => firmware(self.board)?,
                };
                let machine = Machine {
                    board: self.board,
                    program: &program,
                    flash,
                    count_instructions: false,
                };
                Ok(Box::new(Emulator::start(&machine)?))
            }
            (None, None) => bail!(
                "which device? --port PORT[:BAUD] or --qemu\n{}",
                serial::ports()
            ),
        }
    }
}
