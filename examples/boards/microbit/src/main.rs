//! A micro:bit v2 that is taught movements with its buttons, or by a host at its USB port: `cargo pocketron live --port`.
//!
//! | | |
//! |---|---|
//! | sensor | the LSM303AGR on the board: SDA P0.16, SCL P0.08 |
//! | button A | hold it while you move: teaches the selected movement |
//! | button B | press it: the next movement; hold it: undo |
//! | LEDs | a digit: that movement; in a frame: it is being taught; a question mark: unknown; a dot: teach at least two; all: flash fails, what is taught is not saved |
//! | UART | P0.06 sends, P1.08 receives; 115,200 baud, on the USB port of the interface chip |
//! | flash | the last 16 KB, see `memory.x` |
//! | watchdog | restarts the board if the loop stands still for 2 seconds |
//!
//! Build-only: the code has not run on the board yet.
#![no_std]
#![no_main]

mod device;
mod display;
mod panic;

use device::{CLASSES, FEATURES, Pace, RATE};
use display::{Show, show};
use embassy_executor::Spawner;
use embassy_nrf::{
    Peri, bind_interrupts,
    buffered_uarte::{self, BufferedUarte},
    config::HfclkSource,
    gpio::{AnyPin, Input, Level, Output, OutputDrive, Pull},
    nvmc::Nvmc,
    peripherals,
    twim::{self, Twim},
    uarte,
    wdt::{self, HaltConfig, Watchdog, WatchdogHandle},
};
use embassy_time::{Delay, Duration, Instant, TICK_HZ, Timer, with_timeout};
use lsm303agr::{AccelMode, AccelOutputDataRate, AccelScale, Lsm303agr};
use pocketron::{
    device::{BoardStatus, Device, SampleStream, message::ErrorReply},
    persist::{
        Blank,
        store::{SlotRing, WearLimit},
    },
    signal::{
        Event,
        buttons::{self, Button, TwoButtons},
        errors::ErrorCounts,
    },
};
use static_cell::ConstStaticCell;

bind_interrupts!(struct Interrupts {
    TWISPI0 => twim::InterruptHandler<peripherals::TWISPI0>;
    UARTE0 => buffered_uarte::InterruptHandler<peripherals::UARTE0>;
});

type Model = device::Device;

/// Bytes of the longest frame: ten milliseconds of the line's time for each hundred.
const FRAME: usize = 320;

/// The model, asked by a host. The last 64 samples can be fetched: a host that looks more often than once a second misses none.
type Served = Device<'static, Model, Nvmc<'static>, FEATURES, FRAME, 2, SampleStream<3, 64>>;

/// At most one save every 2 seconds, and no more of them than the flash promises to endure. A fifth of them is for what the
/// buttons teach: whatever a host asks for, it does not get these.
const LIMIT: WearLimit = WearLimit::new(2000, 10_000).with_reserve(2_000);

static MODEL: ConstStaticCell<Model> = ConstStaticCell::new(Model::BLANK);
static SENDING: ConstStaticCell<[u8; 8]> = ConstStaticCell::new([0; 8]);
static RECEIVED: ConstStaticCell<[u8; 2 * FRAME]> = ConstStaticCell::new([0; 2 * FRAME]);
/// A whole answer: sending it takes longer than a sample.
static ANSWER: ConstStaticCell<[u8; 2 * FRAME]> = ConstStaticCell::new([0; 2 * FRAME]);

/// The clock of the samples. It wraps.
fn ticks() -> u32 {
    Instant::now().as_ticks() as u32
}

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let mut config = embassy_nrf::config::Config::default();
    // The crystal: a UART on the internal oscillator may be off by 1.5 %.
    config.hfclk_source = HfclkSource::ExternalXtal;
    let board = embassy_nrf::init(config);
    let mut config = wdt::Config::default();
    config.timeout_ticks = 2 * 32_768;
    config.action_during_debug_halt = HaltConfig::Pause;
    let Ok((_, [mut watchdog])) = Watchdog::try_new(board.WDT, config) else {
        // That of another program goes on. It restarts the board, and is gone then.
        loop {
            // Not `wfi`: it may pause while the core sleeps.
            cortex_m::asm::nop();
        }
    };
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
        watchdog.pet();
        Timer::after_millis(500).await;
    }

    let mut uart = BufferedUarte::new(
        board.UARTE0,
        board.TIMER1,
        board.PPI_CH0,
        board.PPI_CH1,
        board.PPI_GROUP0,
        board.P1_08,
        board.P0_06,
        Interrupts,
        uarte::Config::default(),
        RECEIVED.take(),
        ANSWER.take(),
    );
    let store = SlotRing::mount(Nvmc::new(board.NVMC), device::store()).map_err(Into::into);
    if store.is_err() {
        show(Show::NoFlash);
        watchdog.pet();
        Timer::after_secs(1).await;
        watchdog.pet();
    }
    // It begins with the model in flash, if there is one.
    let mut device = Device::new(MODEL.take(), |model| *model = Model::BLANK, store, LIMIT)
        .with_firmware(concat!("micro:bit ", env!("CARGO_PKG_VERSION")))
        .with_sensor(SampleStream::new(["x", "y", "z"], RATE as f32));

    // For a debugger: what went wrong on the bus, by kind.
    let mut errors = ErrorCounts::default();
    let mut pace = Pace::new(TICK_HZ as u32, ticks());
    loop {
        // No window goes over a gap.
        device.skip(pace.missed(ticks()));
        serve(&mut device, &mut uart, &pace, &mut watchdog).await;
        pace.advance();
        // A reading that fails is a lost sample. The device counts it and goes on.
        let reading = sensor.acceleration().await.map(device::milli_g);
        if let Err(error) = &reading {
            device::count(&mut errors, error);
            show(Show::Cross);
        }
        let selected = buttons.selected();
        let event = device.sample(reading, buttons.poll());
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
        if device::rehearse(|| device.idle(Instant::now().as_millis())) {
            match device.save(Instant::now().as_millis()) {
                // Refused so soon after the last save, it is asked for again.
                Ok(_) | Err(ErrorReply::TooSoon { .. }) => {}
                // So is one that failed: what was taught works, but is not in flash.
                Err(_) => show(Show::NoFlash),
            }
        }
    }
}

/// Answers a host until the next sample is due.
async fn serve(
    device: &mut Served,
    uart: &mut BufferedUarte<'static>,
    pace: &Pace,
    watchdog: &mut WatchdogHandle,
) {
    watchdog.pet();
    let mut bytes = [0; 32];
    loop {
        let remaining = pace.remaining(ticks());
        if remaining == 0 {
            return;
        }
        let left = Duration::from_ticks(remaining.into());
        let Ok(Ok(count)) = with_timeout(left, uart.read(&mut bytes)).await else {
            // Nothing came, or what came is damaged: a host that misses an answer asks again.
            continue;
        };
        for byte in bytes.iter().take(count) {
            let status = BoardStatus {
                now_ms: Instant::now().as_millis(),
                ..BoardStatus::default()
            };
            if let Some(answer) = device.receive(*byte, &status) {
                send(uart, answer).await;
            }
        }
    }
}

async fn send(uart: &mut BufferedUarte<'static>, mut answer: &[u8]) {
    while !answer.is_empty() {
        // Nothing can go wrong here.
        let Ok(sent) = uart.write(answer).await else {
            return;
        };
        answer = answer.get(sent..).unwrap_or_default();
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
