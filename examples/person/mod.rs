//! A person who wears the sensor and presses the buttons. What they do is the same on every machine.

use core::{cell::Cell, convert::Infallible, fmt};

use embedded_hal::{
    delay::DelayNs,
    digital::{ErrorType, InputPin},
};

#[derive(Clone, Copy, Debug)]
pub enum Movement {
    Still,
    Wave,
    Circle,
    Shake,
}

impl Movement {
    /// Swings per second, and how far the axes go: milli-g.
    fn swing(self) -> (u16, [i32; 3]) {
        match self {
            Movement::Still => (1, [0, 0, 0]),
            Movement::Wave => (2, [700, 60, 100]),
            Movement::Circle => (1, [500, 40, 500]),
            Movement::Shake => (5, [200, 1600, 300]),
        }
    }
}

impl fmt::Display for Movement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Movement::Still => "still",
            Movement::Wave => "wave",
            Movement::Circle => "circle",
            Movement::Shake => "shake",
        })
    }
}

/// What they are doing now.
pub struct Person {
    pub movement: Cell<Movement>,
    pub presses_teach: Cell<bool>,
    pub presses_next: Cell<bool>,
}

impl Person {
    pub fn new() -> Self {
        Person {
            movement: Cell::new(Movement::Still),
            presses_teach: Cell::new(false),
            presses_next: Cell::new(false),
        }
    }

    /// What an accelerometer at the wrist measures, 50 times a second: milli-g.
    pub fn wrist(&self) -> impl Iterator<Item = [i16; 3]> {
        let (mut phase, mut random) = (0_u16, 1_u32);
        core::iter::from_fn(move || {
            let (swings, far) = self.movement.get().swing();
            // Nobody moves evenly: the pace varies by a quarter.
            let pace = 1310 * u32::from(swings);
            phase = phase.wrapping_add((pace * 7 / 8 + noise(&mut random) * pace / 1024) as u16);
            let quarters = [phase, phase, phase.wrapping_add(1 << 14)];
            let mut sample = [0, 0, 1000];
            for ((axis, far), phase) in sample.iter_mut().zip(far).zip(quarters) {
                *axis += (far * triangle(phase) / 256 + noise(&mut random) as i32 / 8 - 16) as i16;
            }
            Some(sample)
        })
    }
}

/// From -256 up to 256 and down again while the phase goes round.
fn triangle(phase: u16) -> i32 {
    (i32::from(phase) - (1 << 15)).abs() / 64 - 256
}

/// From 0 to 255.
fn noise(random: &mut u32) -> u32 {
    *random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    *random >> 24
}

/// A button that is high while it is pressed.
pub struct Pin<'a>(pub &'a Cell<bool>);

impl ErrorType for Pin<'_> {
    type Error = Infallible;
}

impl InputPin for Pin<'_> {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(self.0.get())
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(!self.0.get())
    }
}

/// A recording is always ready.
pub struct NoDelay;

impl DelayNs for NoDelay {
    fn delay_ns(&mut self, _: u32) {}
}
