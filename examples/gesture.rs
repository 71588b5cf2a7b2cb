//! A device that is taught movements with a button: hold it while you move, let go, and it knows.
//!
//! [`step`] and [`rest`] are all that a device does; `boards` has them on a micro:bit, an nRF52840-DK and a Pico. Here a script presses the buttons and moves
//! the sensor, which is read by its real driver.
//!
//! `cargo run --example gesture` on the host, `cargo xtask qemu gesture` on a Cortex-M4F.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod person;
#[macro_use]
mod platform;

use core::fmt::{self, Write};

use embedded_hal::{digital::InputPin, i2c::I2c};
use lsm303agr::{
    AccelMode, AccelOutputDataRate, AccelScale, Acceleration, Lsm303agr, interface::I2cInterface,
    mode::MagOneShot,
};
use person::{Movement, NoDelay, Person, Pin};
use pocketron::{
    persist::{
        BoundedImage,
        store::{RamFlash, SlotRing, StoreError, nor_flash::NorFlash},
    },
    prelude::*,
    signal::{
        Event, FrontEnd, Idle, Motion, Teachable, Teacher,
        buttons::{Button, Level, TwoButtons},
        errors::ErrorCounts,
        recorded::RecordedAccelerometer,
    },
};

const NAMES: [&str; CLASSES] = ["still", "wave", "circle", "shake"];
const CLASSES: usize = 4;

/// From a sample to an answer.
///
/// `Motion<64>` makes 12 features of 64 samples, every 32 samples: at 50 Hz there is an answer every 0.64 s. The model takes 12 features,
/// keeps 24 support vectors, and can take back the last block.
/// Samples from 4094 milli-g on, the end of the range, are counted as saturated.
type Device = Teacher<Motion<64, i16, 4094>, Undo<Teachable<12, 24, CLASSES>>>;

type Sensor<I> = Lsm303agr<I2cInterface<I>, MagOneShot>;

/// What a device does 50 times a second.
fn step<T: InputPin, N: InputPin>(
    sensor: &mut Sensor<impl I2c>,
    buttons: &mut TwoButtons<T, N>,
    device: &mut Device,
    errors: &mut ErrorCounts,
) -> Event {
    // A reading that fails is a lost sample. The device counts it and goes on; `errors` says what went wrong.
    let reading = sensor.acceleration().map(milli_g);
    match &reading {
        Err(lsm303agr::Error::Comm(error)) => errors.i2c(error),
        Err(_) => errors.other(),
        Ok(_) => {}
    }
    // An error would mean a button for a class that the model does not have.
    let event = device.reading(reading, buttons.poll());
    event.unwrap_or(Event::Nothing)
}

/// What it does after each of them, when the button is up: rehearses what was taught, a little at a time, then saves it.
fn rest(device: &mut Device, ring: &mut SlotRing<impl NorFlash>) -> Result<(), StoreError> {
    if device.idle() == Idle::Save {
        // It will be tried again.
        ring.save_model(device)
            .inspect_err(|_| device.save_failed())?;
    }
    Ok(())
}

fn milli_g(acceleration: Acceleration) -> [i16; 3] {
    let (x, y, z) = acceleration.xyz_mg();
    [x, y, z].map(|axis| axis as i16)
}

/// The sensor at 50 Hz, up to 4 g.
fn start<I: I2c>(sensor: &mut Sensor<I>) -> Result<(), lsm303agr::Error<I::Error>> {
    sensor.init()?;
    let (mode, rate) = (AccelMode::HighResolution, AccelOutputDataRate::Hz50);
    sensor.set_accel_mode_and_odr(&mut NoDelay, mode, rate)?;
    sensor.set_accel_scale(AccelScale::G4)
}

/// What the person does.
enum Action {
    /// Holds the first button for nine seconds.
    Teach(Movement),
    /// Presses the second button.
    Next,
    /// Moves for four seconds, without a button.
    Move(Movement),
    PowerCut,
    TakeBack,
}
use Action::{Move, Next, PowerCut, TakeBack, Teach};

const SCRIPT: [Action; 18] = [
    Teach(Movement::Still),
    Next,
    Teach(Movement::Wave),
    Next,
    Teach(Movement::Circle),
    Move(Movement::Still), // and the device rehearses and saves
    PowerCut,
    Move(Movement::Still),
    Move(Movement::Wave),
    Move(Movement::Circle),
    Move(Movement::Shake),
    Teach(Movement::Shake), // a mistake: the second button was forgotten
    Move(Movement::Shake),
    TakeBack,
    Move(Movement::Shake),
    Next,
    Teach(Movement::Shake),
    Move(Movement::Shake),
];

/// Flash for two images, with 64 bytes each for the store.
const SECTOR: usize = 512;
const SECTORS: usize = 2 * (Device::MAX_BYTES + 64).div_ceil(SECTOR);

fn demo(out: &mut impl Write) -> fmt::Result {
    let person = Person::new();
    let mut sensor = Lsm303agr::new_with_i2c(RecordedAccelerometer::new(person.wrist()));
    start(&mut sensor).map_err(|_| fmt::Error)?;
    let pins = [&person.presses_teach, &person.presses_next];
    let [teach, next] = pins.map(|pressed| Button::new(Pin(pressed), Level::High));
    let mut buttons = TwoButtons::new(teach, next, CLASSES as u8);
    let mut flash = RamFlash::<SECTORS, SECTOR>::new();
    let region = 0..(SECTORS * SECTOR) as u32;
    let mut ring = SlotRing::mount(&mut flash, region).map_err(|_| fmt::Error)?;
    let mut device = Device::new();
    let mut errors = ErrorCounts::default();

    let (ram, image) = (size_of::<Device>(), Device::MAX_BYTES);
    writeln!(out, "{ram} bytes of RAM, images of at most {image} bytes")?;
    for action in SCRIPT {
        let samples = match action {
            Teach(_) => 450,
            Next => 10,
            Move(_) => 200,
            PowerCut => {
                device = Device::new();
                let image = ring.load_model(&mut device).map_err(|_| fmt::Error)?;
                writeln!(out, "power cut: {} bytes came from flash", image.len)?;
                continue;
            }
            TakeBack => {
                device.undo().map_err(|_| fmt::Error)?;
                writeln!(out, "undo")?;
                continue;
            }
        };
        person.presses_teach.set(matches!(action, Teach(_)));
        person.presses_next.set(matches!(action, Next));
        if let Teach(movement) | Move(movement) = action {
            person.movement.set(movement);
        }
        let mut counts = Counts::default();
        for _ in 0..samples {
            let event = step(&mut sensor, &mut buttons, &mut device, &mut errors);
            if let Err(error) = rest(&mut device, &mut ring) {
                writeln!(out, "not saved: {error}")?;
            }
            if let Event::Taught { class, windows } = event {
                writeln!(out, "taught {}: {windows} windows", name(class))?;
            }
            counts.add(event);
        }
        if let Move(movement) = action {
            writeln!(out, "{movement:<7} {counts}")?;
        }
    }
    let quality = device.front_end().quality();
    let (bus, saturated) = (errors.total(), quality.saturated);
    writeln!(
        out,
        "{bus} errors of the bus, {saturated} saturated samples"
    )?;
    for class in (0..).map(Class).take(CLASSES) {
        if let Some(recall) = device.recall(class) {
            let (right, all) = (recall.right, recall.asked);
            writeln!(out, "{:<7} {right} of {all} windows held out", name(class))?;
        }
    }
    Ok(())
}

fn name(Class(class): Class) -> &'static str {
    NAMES.get(usize::from(class)).copied().unwrap_or("?")
}

/// Answers by class.
#[derive(Default)]
struct Counts {
    known: [u32; CLASSES],
    unknown: u32,
}

impl Counts {
    fn add(&mut self, event: Event) {
        match event {
            Event::Known {
                class: Class(class),
                ..
            } => {
                if let Some(count) = self.known.get_mut(usize::from(class)) {
                    *count += 1;
                }
            }
            Event::Unknown => self.unknown += 1,
            _ => {}
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = NAMES.into_iter().zip(self.known);
        let counts = known.chain([("unknown", self.unknown)]);
        let mut separator = "is ";
        for (name, count) in counts.filter(|(_, count)| *count > 0) {
            write!(f, "{separator}{name} ({count})")?;
            separator = ", ";
        }
        Ok(())
    }
}

run_demo!(demo);
