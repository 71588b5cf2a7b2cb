//! Uses front ends, buttons and a driver in an image that links only if nothing in it can panic.
//!
//! `cargo xtask panic-free` builds it; running it is not the point.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[path = "platform/refuse_to_panic.rs"]
#[macro_use]
mod platform;
mod signals;

use core::{
    convert::Infallible,
    fmt::{self, Write},
    hint::black_box,
};

use embedded_hal::{
    delay::DelayNs,
    digital::{ErrorType, InputPin, OutputPin},
};
use lsm303agr::{AccelMode, AccelOutputDataRate, AccelScale, Lsm303agr};
use pocketron::{
    persist,
    prelude::*,
    signal::{
        FrontEnd, Motion, Teachable, Teacher, Vibration,
        buttons::{Button, Leds, Level, OneButton, TwoButtons},
        errors::ErrorCounts,
        recorded::RecordedAccelerometer,
    },
};
use signals::{Everything, Movement, Spectra};

/// A pin of which the optimiser knows nothing.
struct Pin(bool);

impl ErrorType for Pin {
    type Error = Infallible;
}

impl InputPin for Pin {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(black_box(self.0))
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(black_box(self.0))
    }
}

impl OutputPin for Pin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0 = black_box(false);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0 = black_box(true);
        Ok(())
    }
}

struct NoDelay;

impl DelayNs for NoDelay {
    fn delay_ns(&mut self, _: u32) {}
}

/// Takes names.
struct Sink;

impl Write for Sink {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        black_box(text);
        Ok(())
    }
}

fn run<F: FrontEnd>(sample: F::Sample) {
    let mut front_end = black_box(F::BLANK);
    for _ in 0..black_box(1000) {
        if let Some(features) = front_end.push(black_box(&sample)) {
            black_box(&features);
        }
    }
    front_end.skip(black_box(3));
    black_box(front_end.push(black_box(&sample)));
    front_end.restart();
    let _ = black_box(F::feature_name(black_box(2), &mut Sink));
    black_box((front_end.quality(), front_end.clone()));
    let mut piece = [0; 64];
    persist::fill(&front_end, black_box(16), &mut piece);
    let _ = black_box(persist::restore(&mut front_end, &mut black_box(&piece[..])));
}

/// From the registers of a sensor to an LED.
fn chain() -> Option<ErrorCounts> {
    let recording = black_box(RecordedAccelerometer::new(Movement::new(11)));
    let mut sensor = Lsm303agr::new_with_i2c(recording);
    let mode = (AccelMode::HighResolution, AccelOutputDataRate::Hz50);
    sensor.init().ok()?;
    sensor
        .set_accel_mode_and_odr(&mut NoDelay, mode.0, mode.1)
        .ok()?;
    sensor.set_accel_scale(AccelScale::G8).ok()?;
    let mut front_end = Motion::<128>::BLANK;
    let mut model = PocketronMulti::<12, 24, 4>::new();
    let mut one = OneButton::new(Button::new(Pin(false), Level::Low), black_box(4));
    let mut two = TwoButtons::new(
        Button::new(Pin(false), Level::High),
        Button::new(Pin(true), Level::Low),
        black_box(4),
    );
    let mut leds = Leds::new([Pin(false), Pin(false)], black_box(Level::High));
    let mut errors = ErrorCounts::default();
    for _ in 0..black_box(1000) {
        let sample = match black_box(sensor.acceleration()) {
            Ok(sample) => sample.xyz_mg(),
            Err(lsm303agr::Error::Comm(error)) => {
                errors.i2c(&error);
                continue;
            }
            Err(_) => {
                errors.other();
                continue;
            }
        };
        let (x, y, z) = sample;
        let features = front_end.push(&[x, y, z].map(|axis| axis as i16));
        let label = one.poll().or(two.poll());
        if let Some(features) = features {
            match label {
                Some(class) => drop(black_box(model.learn(&features, class))),
                None => leds.show(model.predict(&features).ok()),
            }
        }
    }
    black_box((one.selected(), two.selected(), one.errors(), two.errors()));
    black_box(leds.errors());
    black_box(errors.total());
    Some(errors)
}

/// Taught by hand: driver's readings in, events out; undo, forget, rehearse, save, load.
fn teach() {
    let mut device = black_box(Teacher::<Motion<128>, Undo<Teachable<12, 24, 4>>>::new());
    for sample in Movement::new(3).take(black_box(1000)) {
        let reading = black_box(Ok::<_, fmt::Error>(sample));
        let _ = black_box(device.reading(reading, black_box(Some(Class(2)))));
        black_box(device.idle());
    }
    let _ = black_box(device.undo());
    let _ = black_box(device.forget(black_box(Class(1))));
    black_box(device.recall(black_box(Class(1))));
    let model = device.model_mut().learner_mut();
    let _ = black_box(model.answer(black_box(&[1.0; 12])));
    let _ = black_box(model.learner().is_known(black_box(&[1.0; 12])));
    let mut piece = [0; 64];
    persist::fill(&device, black_box(16), &mut piece);
    let _ = black_box(persist::restore(&mut device, &mut black_box(&piece[..])));
}

fn demo() {
    teach();
    run::<Motion<128>>(black_box([1; 3]));
    run::<Vibration<64>>(black_box([1]));
    run::<Everything<i16>>(black_box([1; 3]));
    run::<Everything<f32>>(black_box([1.0; 3]));
    run::<Spectra<i16>>(black_box([1; 3]));
    run::<Spectra<f32>>(black_box([1.0; 3]));
    black_box(chain());
}

refuse_to_panic!(demo);
