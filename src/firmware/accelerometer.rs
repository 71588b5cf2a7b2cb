//! An accelerometer: the driver of a real one, over a recording that stands for its registers.
//!
//! The environment variable `POCKETRON_RECORDING` names the recording at build time: three little-endian `i16` a sample, in milli-g. Only the
//! bus is not real, so a board with an LSM303AGR would have the same code with its own I2C.

use core::sync::atomic::{AtomicU32, Ordering};

use embedded_hal::delay::DelayNs;
use lsm303agr::{
    AccelMode, AccelOutputDataRate, AccelScale, Lsm303agr, interface::I2cInterface,
    mode::MagOneShot,
};
use pocketron::{device::SampleStream, signal::recorded::RecordedAccelerometer};

/// Samples that a host can still ask for: five seconds of them.
pub const KEPT: usize = 256;

/// Samples a second of the recording.
const RATE: f32 = 50.0;

static RECORDING: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/recording.bin"));

/// The sample that the sensor gives next.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// Description of the sensor for the host.
pub fn stream() -> SampleStream<3, KEPT> {
    SampleStream::new(["x", "y", "z"], RATE).of_recording(samples().len() as u32)
}

fn samples() -> &'static [[u8; 6]] {
    RECORDING.as_chunks().0
}

/// The recording, from [`NEXT`] on.
pub struct Recording;

impl Iterator for Recording {
    type Item = [i16; 3];

    fn next(&mut self) -> Option<[i16; 3]> {
        let number = NEXT.load(Ordering::Relaxed);
        let [x, x_high, y, y_high, z, z_high] = *samples().get(number as usize)?;
        NEXT.store(number.wrapping_add(1), Ordering::Relaxed);
        Some([[x, x_high], [y, y_high], [z, z_high]].map(i16::from_le_bytes))
    }
}

type Driver = Lsm303agr<I2cInterface<RecordedAccelerometer<Recording>>, MagOneShot>;

/// A sensor that is switched on; without one, every sample is a lost one.
pub struct Accelerometer(Option<Driver>);

impl Accelerometer {
    pub fn start() -> Self {
        let mut driver = Lsm303agr::new_with_i2c(RecordedAccelerometer::new(Recording));
        let on = driver.init().and_then(|()| {
            let (mode, rate) = (AccelMode::HighResolution, AccelOutputDataRate::Hz50);
            driver.set_accel_mode_and_odr(&mut AtOnce, mode, rate)?;
            driver.set_accel_scale(AccelScale::G8)
        });
        Accelerometer(on.is_ok().then_some(driver))
    }

    /// The sample of this number, in milli-g.
    pub fn read(&mut self, number: u32) -> Result<[i16; 3], ()> {
        let driver = self.0.as_mut().ok_or(())?;
        NEXT.store(number, Ordering::Relaxed);
        let (x, y, z) = driver.acceleration().map_err(drop)?.xyz_mg();
        // At most 8 g.
        Ok([x, y, z].map(|axis| axis as i16))
    }
}

/// A recording needs no time to start.
struct AtOnce;

impl DelayNs for AtOnce {
    fn delay_ns(&mut self, _: u32) {}
}
