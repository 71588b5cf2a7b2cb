//! The LEDs of the micro:bit: five rows of five, lit a row at a time.

use core::sync::atomic::{AtomicU32, Ordering};

use embassy_nrf::gpio::Output;
use embassy_time::Timer;
use pocketron::label::Class;

/// A bit for each LED, the upper left one first.
static PICTURE: AtomicU32 = AtomicU32::new(0);

const DIGITS: [[u8; 5]; 5] = [
    [0b00100, 0b01100, 0b00100, 0b00100, 0b01110],
    [0b01110, 0b00010, 0b01110, 0b01000, 0b01110],
    [0b01110, 0b00010, 0b00110, 0b00010, 0b01110],
    [0b01010, 0b01010, 0b01110, 0b00010, 0b00010],
    [0b01110, 0b01000, 0b01110, 0b00010, 0b01110],
];
const QUESTION: [u8; 5] = [0b01110, 0b00010, 0b00110, 0b00000, 0b00100];
const DOT: [u8; 5] = [0b00000, 0b00000, 0b00100, 0b00000, 0b00000];
const ALL: [u8; 5] = [0b11111; 5];
const CROSS: [u8; 5] = [0b10001, 0b01010, 0b00100, 0b01010, 0b10001];

/// What there is to see.
pub enum Show {
    /// A digit: the first class is 1.
    Class(Class),
    /// A digit in a frame.
    Teaching(Class),
    /// A question mark.
    Unknown,
    /// A dot: less than two classes were taught.
    NotReady,
    /// A cross: taken back, or something is broken.
    Cross,
    /// All LEDs: flash cannot be read or written.
    NoFlash,
}

pub fn show(what: Show) {
    let digit = |Class(class)| DIGITS.get(usize::from(class)).copied().unwrap_or(QUESTION);
    let rows = match what {
        Show::Class(class) => digit(class),
        Show::Teaching(class) => digit(class).map(|row| row | 0b10001),
        Show::Unknown => QUESTION,
        Show::NotReady => DOT,
        Show::Cross => CROSS,
        Show::NoFlash => ALL,
    };
    let picture = rows.iter().fold(0, |bits, row| bits << 5 | u32::from(*row));
    PICTURE.store(picture, Ordering::Relaxed);
}

/// Lights the rows in turn, 100 times a second each.
#[embassy_executor::task]
pub async fn run(mut rows: [Output<'static>; 5], mut columns: [Output<'static>; 5]) {
    loop {
        for (number, row) in rows.iter_mut().enumerate() {
            let picture = PICTURE.load(Ordering::Relaxed) >> (5 * (4 - number));
            for (column, pin) in columns.iter_mut().enumerate() {
                // A LED is lit between a high row and a low column.
                let is_lit = picture >> (4 - column) & 1 != 0;
                pin.set_level((!is_lit).into());
            }
            row.set_high();
            Timer::after_millis(2).await;
            row.set_low();
        }
    }
}
