//! A micro:bit v2 that is taught movements with its buttons.
//!
//! | | |
//! |---|---|
//! | sensor | the LSM303AGR on the board: SDA P0.16, SCL P0.08 |
//! | button A | hold it while you move: teaches the selected movement |
//! | button B | press it: the next movement; hold it: undo |
//! | LEDs | a digit: that movement; in a frame: it is being taught; a question mark: unknown; a dot: teach at least two; all: flash fails, what is taught is not saved |
//! | flash | the last 16 KB, see `memory.x` |
//!
//! Build-only: the code has not run on the board yet.
#![no_std]
#![no_main]

mod device;
mod display;

use device::{CLASSES, Device, RATE};
use display::{Show, show};
use embassy_executor::Spawner;
use embassy_nrf::{
    Peri, bind_interrupts,
    gpio::{AnyPin, Input, Level, Output, OutputDrive, Pull},
    nvmc::Nvmc,
    peripherals,
    twim::{self, Twim},
};
use embassy_time::{Delay, Duration, Instant, Ticker, Timer};
use lsm303agr::{AccelMode, AccelOutputDataRate, AccelScale, Lsm303agr};
use panic_halt as _;
use pocketron::{
    persist::{
        Blank,
        store::{LoadError, SlotRing, StoreError},
    },
    signal::{
        Event, FrontEnd,
        buttons::{self, Button, TwoButtons},
        errors::ErrorCounts,
    },
};
use static_cell::ConstStaticCell;

bind_interrupts!(struct Interrupts {
    TWISPI0 => twim::InterruptHandler<peripherals::TWISPI0>;
});

static DEVICE: ConstStaticCell<Device> = ConstStaticCell::new(Device::BLANK);
static SENDING: ConstStaticCell<[u8; 8]> = ConstStaticCell::new([0; 8]);

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let board = embassy_nrf::init(Default::default());
    let row = |pin: Peri<'static, AnyPin>| Output::new(pin, Level::Low, OutputDrive::HighDrive);
    let column = |pin: Peri<'static, AnyPin>| Output::new(pin, Level::High, OutputDrive::Standard);
    let rows = [
        board.P0_21.into(),
        board.P0_22.into(),
        board.P0_15.into(),
        board.P0_24.into(),
        board.P0_19.into(),
    ];
    let columns = [
        board.P0_28.into(),
        board.P0_11.into(),
        board.P0_31.into(),
        board.P1_05.into(),
        board.P0_30.into(),
    ];
    if let Ok(task) = display::run(rows.map(row), columns.map(column)) {
        spawner.spawn(task);
    }

    // Both buttons connect to ground, and have resistors on the board.
    let button_a = Button::new(Input::new(board.P0_14, Pull::None), buttons::Level::Low);
    let button_b = Button::new(Input::new(board.P0_23, Pull::None), buttons::Level::Low);
    let mut buttons = TwoButtons::new(button_a, button_b, CLASSES as u8);

    // The bus reads what it sends from RAM only: constants in flash are copied here.
    let buffer = SENDING.take();
    let config = twim::Config::default();
    let bus = Twim::new(
        board.TWISPI0,
        Interrupts,
        board.P0_16,
        board.P0_08,
        config,
        buffer,
    );
    let mut sensor = Lsm303agr::new_with_i2c(bus);
    while start(&mut sensor).await.is_err() {
        show(Show::Cross);
        Timer::after_millis(500).await;
    }

    let device = DEVICE.take();
    let mut ring: Option<SlotRing<_>> =
        SlotRing::mount(Nvmc::new(board.NVMC), device::store()).ok();
    // After an error the model stays blank. It is none if nothing was saved yet.
    let is_read = match &mut ring {
        Some(ring) => matches!(
            ring.load_model(device),
            Ok(_) | Err(LoadError::Store(StoreError::Empty))
        ),
        None => false,
    };
    if !is_read {
        show(Show::NoFlash);
        Timer::after_secs(3).await;
    }

    // For a debugger: what went wrong on the bus, by kind.
    let mut errors = ErrorCounts::default();
    let mut ticker = Ticker::every(Duration::from_hz(RATE.into()));
    loop {
        ticker.next().await;
        // A reading that fails is a lost sample. The device counts it and goes on.
        let reading = sensor.acceleration().await.map(device::milli_g);
        if let Err(error) = &reading {
            device::count(&mut errors, error);
            show(Show::Cross);
        }
        let selected = buttons.selected();
        let event = device.reading(reading, buttons.poll());
        match event {
            Ok(Event::Teaching { class, .. }) => show(Show::Teaching(class)),
            Ok(Event::Known { class, .. }) => show(Show::Class(class)),
            Ok(Event::Unknown) => show(Show::Unknown),
            Ok(Event::NotReady(_)) => show(Show::NotReady),
            Ok(Event::Nothing | Event::Taught { .. }) => {}
            // A class that the model does not have.
            Err(_) => show(Show::Cross),
        }
        if buttons.selected() != selected {
            show(Show::Teaching(buttons.selected()));
        }
        if buttons.wants_undo() && device.undo().is_ok() {
            show(Show::Cross);
        }
        // When the button is up: rehearse what was taught, a little after each sample, then save. A page of flash takes 85 ms to erase, and
        // the core waits.
        if device::rehearse(device) {
            let begun = Instant::now();
            let is_saved = match &mut ring {
                Some(ring) => ring.save_model(device).is_ok(),
                None => false,
            };
            if !is_saved {
                device.save_failed();
                show(Show::NoFlash);
            }
            // The samples of that time are lost, and no window may go over the gap.
            let missed = begun.elapsed().as_millis() as u32 * RATE / 1000;
            device.front_end_mut().skip(missed);
            ticker.reset();
        }
    }
}

/// Up to 4 g. The sensor measures twice as often as it is read: its clock is not that of the core, and no sample is read twice.
async fn start(
    sensor: &mut Lsm303agr<
        lsm303agr::interface::I2cInterface<Twim<'_>>,
        lsm303agr::mode::MagOneShot,
    >,
) -> Result<(), lsm303agr::Error<twim::Error>> {
    sensor.init().await?;
    let (mode, rate) = (AccelMode::HighResolution, AccelOutputDataRate::Hz100);
    sensor
        .set_accel_mode_and_odr(&mut Delay, mode, rate)
        .await?;
    sensor.set_accel_scale(AccelScale::G4).await
}
