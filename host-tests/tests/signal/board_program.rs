//! The loop of the programs in `examples/boards`, with a recorded sensor, pins that a script sets, and flash in RAM.

use std::{
    cell::{Cell, RefCell},
    convert::Infallible,
    iter,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    rc::Rc,
};

use embedded_hal::digital::{ErrorType, InputPin, OutputPin};
use embedded_hal_mock::eh1::delay::NoopDelay;
use pocketron::{
    label::Class,
    persist::{
        Persist,
        store::{RamFlash, SlotRing},
        to_bytes,
    },
    signal::{FrontEnd, Quality, buttons::Level, recorded::RecordedAccelerometer},
};

// A board needs more of it than the tests.
#[allow(dead_code, unused_imports)]
#[path = "../../../examples/boards/teach.rs"]
mod teach;

use teach::{Board, CLASSES, Device, Pace, device::RATE};

/// A button to ground, or a LED.
#[derive(Clone, Default)]
struct Pin(Rc<Cell<bool>>);

impl ErrorType for Pin {
    type Error = Infallible;
}

impl InputPin for Pin {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(!self.0.get())
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(self.0.get())
    }
}

impl OutputPin for Pin {
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.set(true);
        Ok(())
    }

    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.set(false);
        Ok(())
    }
}

const SECTOR: usize = 4096;
const BYTES: u32 = 4 * SECTOR as u32;

type Flash = RamFlash<4, SECTOR>;

/// What a person does with a board.
#[derive(Clone, Default)]
struct Hands {
    teach: Pin,
    next: Pin,
    /// How the board is moved.
    movement: Rc<Cell<u32>>,
}

/// Runs the program: `script` is called before each sample with its number, and says how many samples were missed, or that this is the end.
fn run(
    hands: &Hands,
    flash: &mut Flash,
    mut script: impl FnMut(u32, &Hands) -> Option<u32>,
) -> Box<Device> {
    let mut device = Box::<Device>::default();
    let movement = hands.movement.clone();
    let samples = (0_i32..).map(move |t| {
        let noise = (t * 37 % 23) as i16;
        let wave = |period: i32, size: i16| if t % period < period / 2 { size } else { -size };
        match movement.get() {
            0 => [noise, -noise, 1000 - noise],
            1 => [wave(10, 300) + noise, noise, 1000],
            2 => [noise, wave(20, 700) + noise, 1000],
            3 => [noise, noise, wave(6, 900) + noise],
            _ => [9000 + noise, 0, 0],
        }
    });
    let board = Board {
        bus: RecordedAccelerometer::new(samples),
        delay: NoopDelay::new(),
        teach: hands.teach.clone(),
        next: hands.next.clone(),
        leds: iter::repeat_with(Pin::default)
            .take(CLASSES)
            .collect::<Vec<_>>()
            .try_into()
            .unwrap_or_else(|_| unreachable!("as many as classes")),
        lit: Level::High,
        flash: (flash, 0..BYTES),
    };
    let mut number = 0;
    let wait = || {
        let missed = script(number, hands);
        number += 1;
        // The loop of a board has no end.
        missed.unwrap_or_else(|| resume_unwind(Box::new(())))
    };
    let ended = catch_unwind(AssertUnwindSafe(|| teach::run(&mut device, board, wait)));
    assert!(ended.is_err());
    device
}

fn image(model: &dyn Persist) -> Vec<u8> {
    let mut buffer = vec![0; 8192];
    to_bytes(model, &mut buffer).expect("room").to_vec()
}

/// Ten seconds for each movement, the other button for a tenth of a second between them.
fn teaches(number: u32, hands: &Hands) -> bool {
    const BLOCK: u32 = 10 * RATE;
    const TURN: u32 = BLOCK + 20;
    let (class, at) = (number / TURN, number % TURN);
    let is_teaching = class < CLASSES as u32;
    hands.movement.set(class.min(CLASSES as u32 - 1));
    hands.teach.0.set(is_teaching && at < BLOCK);
    hands
        .next
        .0
        .set(is_teaching && (BLOCK + 8..BLOCK + 13).contains(&at));
    is_teaching
}

#[test]
fn two_seconds_after_the_last_block_all_is_saved() {
    let (hands, mut flash) = (Hands::default(), Flash::new());
    let mut rest = 2 * RATE - 20;
    let device = run(&hands, &mut flash, |number, hands| {
        if teaches(number, hands) {
            return Some(0);
        }
        rest = rest.checked_sub(1)?;
        Some(0)
    });
    for class in (0..CLASSES as u8).map(Class) {
        let recall = device.recall(class).expect("held out");
        assert!(recall.asked >= 2, "{class:?}: {recall:?}");
        assert_eq!(recall.right, recall.asked, "{class:?}");
    }
    let mut ring: SlotRing<_> = SlotRing::mount(&mut flash, 0..BYTES).expect("flash");
    let mut saved = Box::<Device>::default();
    ring.load_model(&mut *saved).expect("an image");
    assert!(image(&*saved) == image(&*device), "saved too early");
}

#[test]
fn what_was_missed_is_lost_and_no_window_goes_over_it() {
    let (hands, mut flash) = (Hands::default(), Flash::new());
    // A window has 64 samples: after every 60th four are missed.
    let device = run(&hands, &mut flash, |number, hands| {
        hands.teach.0.set(true);
        (number < 600).then_some(if number % 60 == 59 { 4 } else { 0 })
    });
    let quality = device.front_end().quality();
    assert_eq!((quality.samples, quality.lost), (600, 40));
    assert_eq!(device.model().learner().learner().taught(Class(0)), 0);
}

#[test]
fn a_sensor_at_the_end_of_its_range_is_counted() {
    let (hands, mut flash) = (Hands::default(), Flash::new());
    let device = run(&hands, &mut flash, |number, hands| {
        hands.movement.set(if number < 50 { 0 } else { 9 });
        (number < 60).then_some(0)
    });
    let quality = device.front_end().quality();
    let expected = Quality {
        samples: 60,
        saturated: 10,
        ..Quality::default()
    };
    assert_eq!(quality, expected);
}

/// A counter of microseconds that goes on a little with each look, and further when something takes time.
#[test]
fn samples_are_due_at_a_steady_rate_and_never_twice() {
    let period = 1_000_000 / RATE;
    for begin in [0, u32::MAX - 5 * period] {
        let time = RefCell::new(begin);
        let now = || {
            let mut time = time.borrow_mut();
            *time = time.wrapping_add(3);
            *time
        };
        let mut pace = Pace::new(1_000_000, begin);
        let mut last = begin;
        let mut numbers = 0;
        for round in 0..200 {
            let missed = pace.wait(now);
            let since = time.borrow().wrapping_sub(last);
            last = *time.borrow();
            numbers += 1 + missed;
            match round {
                // After a save that took 85 ms three samples are missed, and the next one comes at once.
                51 | 101 => assert_eq!((missed, since / period), (3, 4), "round {round}"),
                52 | 102 => assert!(missed == 0 && since < period, "on time again"),
                // Late by half a period.
                71 => assert!(missed == 0 && since >= period, "round {round}"),
                72 => assert!(missed == 0 && since < period),
                _ => assert_eq!((missed, (since + 20) / period), (0, 1), "round {round}"),
            }
            let work = match round {
                50 | 100 => 85_000,
                70 => period * 3 / 2,
                _ => 2_000,
            };
            let mut time = time.borrow_mut();
            *time = time.wrapping_add(work);
        }
        // Every period has a sample or is known to have none.
        let periods = last.wrapping_sub(begin) / period;
        assert_eq!(numbers, periods);
    }
}
