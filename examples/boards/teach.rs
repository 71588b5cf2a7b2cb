//! A board that is taught movements with two buttons: the loop, for HALs that wait.
//!
//! A board hands over an I2C bus with an LSM303AGR, two buttons to ground, four LEDs, its flash and a way to wait for the next sample. The
//! micro:bit has a loop like it with Embassy, which also serves a host.

use core::ops::Range;

use embedded_hal::{
    delay::DelayNs,
    digital::{InputPin, OutputPin},
    i2c::I2c,
};
use lsm303agr::{
    AccelMode, AccelOutputDataRate, AccelScale, Error, Lsm303agr, interface::I2cInterface,
    mode::MagOneShot,
};
use pocketron::{
    persist::store::{LoadError, SlotRing, StoreError, nor_flash::NorFlash},
    signal::{
        Event, FrontEnd,
        buttons::{Button, Leds, Level, TwoButtons},
        errors::ErrorCounts,
    },
};

// What is learned stands once, in the folder to copy.
#[path = "microbit/src/device.rs"]
pub mod device;

pub use device::{CLASSES, Device, Pace, store};

/// What a board has.
pub struct Board<I, D, T, N, L, F> {
    pub bus: I,
    pub delay: D,
    /// Hold it to teach.
    pub teach: T,
    /// Press it for the next movement, hold it for undo.
    pub next: N,
    /// One for each movement.
    pub leds: [L; CLASSES],
    /// Whether a LED is lit when its pin is high or low.
    pub lit: Level,
    /// Flash, and the part of it that holds models.
    pub flash: (F, Range<u32>),
}

/// Teaches and answers for ever. `wait` returns when the next sample is due, and says how many were missed: [`Pace::wait`].
///
/// The LED of a movement is lit when it is recognised, and blinks while it is taught. None is lit when the movement is unknown. All are lit at the start if
/// flash cannot be read, and after a save that failed, until the next answer.
pub fn run<I: I2c, D: DelayNs, T: InputPin, N: InputPin, L: OutputPin, F: NorFlash>(
    device: &mut Device,
    board: Board<I, D, T, N, L, F>,
    mut wait: impl FnMut() -> u32,
) -> ! {
    let button_a = Button::new(board.teach, Level::Low);
    let button_b = Button::new(board.next, Level::Low);
    let mut buttons = TwoButtons::new(button_a, button_b, CLASSES as u8);
    let mut leds = Leds::new(board.leds, board.lit);
    let mut delay = board.delay;
    let mut sensor = Lsm303agr::new_with_i2c(board.bus);
    // All LEDs stay as they are until the sensor answers.
    while start(&mut sensor, &mut delay).is_err() {
        delay.delay_ms(500);
    }
    let (flash, store) = board.flash;
    let mut ring: Option<SlotRing<F>> = SlotRing::mount(flash, store).ok();
    // After an error the model stays blank. It is none if nothing was saved yet.
    let is_read = match &mut ring {
        Some(ring) => matches!(
            ring.load_model(device),
            Ok(_) | Err(LoadError::Store(StoreError::Empty))
        ),
        None => false,
    };
    if !is_read {
        leds.show_all();
    }

    // For a debugger: what went wrong on the bus, by kind.
    let mut errors = ErrorCounts::default();
    loop {
        // No window goes over a gap.
        let missed = wait();
        device.front_end_mut().skip(missed);
        // A reading that fails is a lost sample. The device counts it and goes on.
        let reading = sensor.acceleration().map(device::milli_g);
        if let Err(error) = &reading {
            device::count(&mut errors, error);
        }
        let selected = buttons.selected();
        match device.reading(reading, buttons.poll()) {
            Ok(Event::Teaching { class, windows }) => {
                leds.show((!windows.is_multiple_of(2)).then_some(class));
            }
            Ok(Event::Known { class, .. }) => leds.show(Some(class)),
            Ok(Event::Unknown | Event::NotReady(_)) => leds.show(None),
            Ok(Event::Nothing | Event::Taught { .. }) => {}
            // A class that the model does not have: buttons do not select it.
            Err(_) => {}
        }
        if buttons.selected() != selected {
            leds.show(Some(buttons.selected()));
        }
        if buttons.wants_undo() && device.undo().is_ok() {
            leds.show(None);
        }
        // When the button is up: rehearse what was taught, a little after each sample, then save. The core waits while flash is erased: some
        // samples are missed.
        if device::rehearse(|| device.idle()) {
            let is_saved = match &mut ring {
                Some(ring) => ring.save_model(device).is_ok(),
                None => false,
            };
            if !is_saved {
                device.save_failed();
                leds.show_all();
            }
        }
    }
}

/// Up to 4 g. The sensor measures twice as often as it is read: its clock is not that of the core, and no sample is read twice.
fn start<I: I2c>(
    sensor: &mut Lsm303agr<I2cInterface<I>, MagOneShot>,
    delay: &mut impl DelayNs,
) -> Result<(), Error<I::Error>> {
    sensor.init()?;
    let (mode, rate) = (AccelMode::HighResolution, AccelOutputDataRate::Hz100);
    sensor.set_accel_mode_and_odr(delay, mode, rate)?;
    sensor.set_accel_scale(AccelScale::G4)
}
