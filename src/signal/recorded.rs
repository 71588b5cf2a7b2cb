//! A recording that looks like an accelerometer to its driver.
//!
//! [`RecordedAccelerometer`] implements [`I2c`] as the registers of an LSM303AGR. So the driver, and all that stands on it, runs on a PC, in an
//! emulator and in tests, without a board:
//!
//! ```text
//! let mut sensor = lsm303agr::Lsm303agr::new_with_i2c(RecordedAccelerometer::new(samples));
//! sensor.init()?;
//! sensor.set_accel_mode_and_odr(&mut delay, AccelMode::HighResolution, AccelOutputDataRate::Hz50)?;
//! sensor.set_accel_scale(AccelScale::G8)?;
//! let (x, y, z) = sensor.acceleration()?.xyz_mg();
//! ```
//!
//! With the feature `hal-async` it is a bus for asynchronous drivers as well: every answer is there at once.

use embedded_hal::i2c::{
    ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation, SevenBitAddress,
};

const ACCELEROMETER: u8 = 0x19;
const MAGNETOMETER: u8 = 0x1e;

// Registers of the accelerometer.
const WHO_AM_I: u8 = 0x0f;
const CONTROL_1: u8 = 0x20;
const CONTROL_4: u8 = 0x23;
const STATUS: u8 = 0x27;
const OUT: u8 = 0x28;
const LAST_OUT: u8 = 0x2d;
/// Of the magnetometer.
const WHO_AM_I_MAGNETOMETER: u8 = 0x4f;

/// This bit of a register's address asks for the next registers, too.
const AUTO_INCREMENT: u8 = 0x80;

/// An LSM303AGR over samples in milli-g.
///
/// A sample is ready as soon as the one before was read, once a data rate has switched the sensor on. Resolution and range follow the
/// driver's mode. After the last sample, data-ready stays 0 and the output keeps that sample. The magnetometer is a stub.
///
/// Units are those of the data sheet. At 16 g a digit has 12 milli-g there; version 1.1 of the driver `lsm303agr` takes it for 8.
#[derive(Clone, Debug)]
pub struct RecordedAccelerometer<I> {
    samples: I,
    /// Values of the output registers, in milli-g.
    current: [i16; 3],
    is_ready: bool,
    overrun: bool,
    control: [u8; 6],
    pointer: u8,
}

impl<I: Iterator<Item = [i16; 3]>> RecordedAccelerometer<I> {
    /// The recording, from its first sample on.
    pub fn new(samples: I) -> Self {
        RecordedAccelerometer {
            samples,
            current: [0; 3],
            is_ready: false,
            overrun: false,
            control: [0x07, 0, 0, 0, 0, 0],
            pointer: 0,
        }
    }

    /// Drops this many samples, as if nobody read them: the next one that is read comes with an overrun.
    pub fn miss(&mut self, samples: u32) {
        for _ in 0..samples {
            self.refresh();
            self.overrun |= self.is_ready;
            self.is_ready = false;
        }
    }

    /// The sample that comes next, if the sensor is on and there is one.
    fn refresh(&mut self) {
        let is_on = self.control(CONTROL_1) >> 4 != 0;
        if is_on
            && !self.is_ready
            && let Some(sample) = self.samples.next()
        {
            self.current = sample;
            self.is_ready = true;
        }
    }

    fn control(&self, register: u8) -> u8 {
        let at = register.wrapping_sub(CONTROL_1);
        self.control.get(usize::from(at)).copied().unwrap_or(0)
    }

    /// A reading as the registers show it: milli-g in as many bits as the mode has, at the upper end of sixteen.
    fn output(&self, milli_g: i16) -> i16 {
        let control = self.control(CONTROL_4);
        let fine: i16 = match control >> 4 & 3 {
            0 => 1,
            1 => 2,
            2 => 4,
            _ => 12,
        };
        let is_low_power = self.control(CONTROL_1) & 0x08 != 0;
        let is_high_resolution = control & 0x08 != 0;
        let (unit, bits) = match (is_low_power, is_high_resolution) {
            (_, true) => (fine, 12_u32),
            (false, false) => (fine.saturating_mul(4), 10),
            (true, false) => (fine.saturating_mul(16), 8),
        };
        let end = 1_i16 << (bits - 1);
        let digits = milli_g.checked_div(unit).unwrap_or(0);
        digits.max(-end).min(end - 1) << (16 - bits)
    }

    fn read(&mut self, address: u8) -> u8 {
        let register = self.pointer & !AUTO_INCREMENT;
        if self.pointer & AUTO_INCREMENT != 0 {
            self.pointer = register.wrapping_add(1) | AUTO_INCREMENT;
        }
        match (address, register) {
            (MAGNETOMETER, WHO_AM_I_MAGNETOMETER) => 0x40,
            (MAGNETOMETER, _) => 0,
            (_, WHO_AM_I) => 0x33,
            (_, STATUS) => {
                self.refresh();
                (if self.is_ready { 0x0f } else { 0 }) | (if self.overrun { 0xf0 } else { 0 })
            }
            (_, OUT..=LAST_OUT) => self.read_output(register - OUT),
            (_, register) => self.control(register),
        }
    }

    fn read_output(&mut self, byte: u8) -> u8 {
        if byte == 0 {
            self.refresh();
        }
        let axis = self.current.get(usize::from(byte / 2)).copied();
        let [low, high] = self.output(axis.unwrap_or(0)).to_le_bytes();
        if OUT + byte == LAST_OUT {
            self.is_ready = false;
            self.overrun = false;
        }
        if byte.is_multiple_of(2) { low } else { high }
    }

    fn write(&mut self, address: u8, bytes: &[u8]) {
        let Some((pointer, values)) = bytes.split_first() else {
            return;
        };
        self.pointer = *pointer;
        if address == MAGNETOMETER {
            return;
        }
        let first = usize::from((pointer & !AUTO_INCREMENT).wrapping_sub(CONTROL_1));
        let controls = self.control.get_mut(first..).unwrap_or_default();
        for (control, value) in controls.iter_mut().zip(values) {
            *control = *value;
        }
    }
}

impl<I> ErrorType for RecordedAccelerometer<I> {
    type Error = ErrorKind;
}

impl<I: Iterator<Item = [i16; 3]>> I2c for RecordedAccelerometer<I> {
    fn transaction(
        &mut self,
        address: SevenBitAddress,
        operations: &mut [Operation<'_>],
    ) -> Result<(), ErrorKind> {
        if address != ACCELEROMETER && address != MAGNETOMETER {
            return Err(ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address));
        }
        for operation in operations {
            match operation {
                Operation::Read(bytes) => {
                    bytes.iter_mut().for_each(|byte| *byte = self.read(address))
                }
                Operation::Write(bytes) => self.write(address, bytes),
            }
        }
        Ok(())
    }
}

/// Every answer is there at once.
#[cfg(feature = "hal-async")]
impl<I: Iterator<Item = [i16; 3]>> embedded_hal_async::i2c::I2c for RecordedAccelerometer<I> {
    async fn transaction(
        &mut self,
        address: SevenBitAddress,
        operations: &mut [Operation<'_>],
    ) -> Result<(), ErrorKind> {
        I2c::transaction(self, address, operations)
    }
}
