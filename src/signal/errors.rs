//! Errors of a sensor bus or a pin, counted by kind.
//!
//! A device that learns for months sees every bus error there is. None of them may end its loop: count it, tell the front end that a
//! sample is [lost](super::FrontEnd::skip), go on.
//!
//! ```
//! use embedded_hal::i2c::ErrorKind;
//! use pocketron::{persist::Blank, signal::{FrontEnd, Motion, errors::ErrorCounts}};
//!
//! # let mut readings = [Ok([0, 0, 1000]), Err(ErrorKind::ArbitrationLoss), Ok([0, 4, 996])].into_iter();
//! # let mut read_sensor = move || readings.next().unwrap();
//! let (mut front_end, mut errors) = (Motion::<128>::BLANK, ErrorCounts::default());
//! for _ in 0..3 {
//!     match read_sensor() {
//!         Ok(sample) => drop(front_end.push(&sample)),
//!         Err(error) => {
//!             errors.i2c(&error);
//!             front_end.skip(1);
//!         }
//!     }
//! }
//! assert_eq!((errors.arbitration_loss, errors.total(), front_end.quality().lost), (1, 1, 1));
//! ```

use embedded_hal::{digital, i2c, spi};

use super::quality::count;

/// Errors so far, by kind. No counter overflows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ErrorCounts {
    /// Nobody answered: wrong address, loose contact, no power.
    pub no_acknowledge: u32,
    /// A start or stop where none should be, or a mode that does not fit: noise on the wires.
    pub bus: u32,
    /// Another master was faster.
    pub arbitration_loss: u32,
    /// Data came before those before were read.
    pub overrun: u32,
    /// A pin or a chip-select line did not do what it should.
    pub pin: u32,
    /// Whatever else a driver reports.
    pub other: u32,
}

impl ErrorCounts {
    /// Counts an error of an I2C bus.
    pub fn i2c(&mut self, error: &impl i2c::Error) {
        count(match error.kind() {
            i2c::ErrorKind::NoAcknowledge(_) => &mut self.no_acknowledge,
            i2c::ErrorKind::Bus => &mut self.bus,
            i2c::ErrorKind::ArbitrationLoss => &mut self.arbitration_loss,
            i2c::ErrorKind::Overrun => &mut self.overrun,
            _ => &mut self.other,
        });
    }

    /// Counts an error of an SPI bus.
    pub fn spi(&mut self, error: &impl spi::Error) {
        count(match error.kind() {
            spi::ErrorKind::Overrun => &mut self.overrun,
            spi::ErrorKind::ModeFault | spi::ErrorKind::FrameFormat => &mut self.bus,
            spi::ErrorKind::ChipSelectFault => &mut self.pin,
            _ => &mut self.other,
        });
    }

    /// Counts an error of a pin.
    pub fn pin(&mut self, _: &impl digital::Error) {
        count(&mut self.pin);
    }

    /// Counts an error that is of no kind above, such as a driver's own.
    pub fn other(&mut self) {
        count(&mut self.other);
    }

    /// All of them.
    pub fn total(&self) -> u32 {
        let buses = [
            self.no_acknowledge,
            self.bus,
            self.arbitration_loss,
            self.overrun,
        ];
        buses
            .into_iter()
            .chain([self.pin, self.other])
            .fold(0, u32::saturating_add)
    }
}
