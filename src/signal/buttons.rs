//! Buttons that say what is being taught, and LEDs that show what was recognised.
//!
//! Poll a button as often as the sensor is read: at 50 Hz, [`Button::new`] wants three equal readings in a row before it believes them, and
//! calls a press long after half a second.
//!
//! | type | teach | next class | undo |
//! |---|---|---|---|
//! | [`OneButton`] | hold it down | press it briefly | |
//! | [`TwoButtons`] | hold the first one down | press the second one | hold the second one down |
//!
//! ```
//! use pocketron::{label::Class, signal::buttons::{Button, Leds, Level, TwoButtons}};
//! # use core::convert::Infallible;
//! # use embedded_hal::digital::{ErrorType, InputPin, OutputPin};
//! # #[derive(Clone)] struct Pin(u32);
//! # impl ErrorType for Pin { type Error = Infallible; }
//! # impl InputPin for Pin {
//! #     fn is_high(&mut self) -> Result<bool, Infallible> { self.0 += 1; Ok(self.0 < 10) }
//! #     fn is_low(&mut self) -> Result<bool, Infallible> { self.is_high().map(|high| !high) }
//! # }
//! # impl OutputPin for Pin {
//! #     fn set_high(&mut self) -> Result<(), Infallible> { self.0 = 1; Ok(()) }
//! #     fn set_low(&mut self) -> Result<(), Infallible> { self.0 = 0; Ok(()) }
//! # }
//! # let (pin_a, pin_b, leds) = (Pin(0), Pin(100), [Pin(0), Pin(0), Pin(0), Pin(0)]);
//! // Pins of your board: both buttons connect to ground.
//! let mut labels = TwoButtons::new(Button::new(pin_a, Level::Low), Button::new(pin_b, Level::Low), 4);
//! let mut leds = Leds::new(leds, Level::High);
//! for _ in 0..20 {
//!     match labels.poll() {
//!         Some(class) => leds.show(Some(class)), // teach it the sample
//!         None => leds.show(None),               // or what the model says
//!     }
//! }
//! assert_eq!(labels.poll(), Some(Class(1))); // the second button was pressed once
//! ```

use embedded_hal::digital::{InputPin, OutputPin};

use super::errors::ErrorCounts;
use crate::label::Class;

/// Level of a pin that means pressed, or lit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Level {
    /// The pin is high.
    High,
    /// The pin is low.
    Low,
}

/// Event of a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ButtonEvent {
    /// It went down.
    Pressed,
    /// It has been down for long, once for each press.
    Long,
    /// It was released after this many polls.
    Released {
        /// Polls since it went down.
        held: u32,
    },
}

/// A debounced button: what it is counts once several polls in a row agree. A poll that fails is counted, and changes nothing.
#[derive(Clone, Debug)]
pub struct Button<P> {
    pin: P,
    level: Level,
    debounce: u32,
    long: u32,
    /// Polls in a row that contradict `held`.
    contrary: u32,
    /// Polls since it went down; none while it is up.
    held: Option<u32>,
    errors: ErrorCounts,
}

impl<P: InputPin> Button<P> {
    /// A button that is up: three polls in a row count, 25 are long.
    pub fn new(pin: P, level: Level) -> Self {
        Self::with_polls(pin, level, 3, 25)
    }

    /// A button with `debounce` polls in a row that must agree, and `long` that make a press long.
    pub fn with_polls(pin: P, level: Level, debounce: u32, long: u32) -> Self {
        Button {
            pin,
            level,
            debounce,
            long,
            contrary: 0,
            held: None,
            errors: ErrorCounts::default(),
        }
    }

    /// Reads the pin.
    pub fn poll(&mut self) -> Option<ButtonEvent> {
        let is_active = match self.level {
            Level::High => self.pin.is_high(),
            Level::Low => self.pin.is_low(),
        };
        let is_down = match is_active {
            Ok(is_down) => is_down,
            Err(error) => {
                self.errors.pin(&error);
                return None;
            }
        };
        self.contrary = if is_down == self.held.is_some() {
            0
        } else {
            self.contrary + 1
        };
        let held = self.held.map(|polls| polls.saturating_add(1));
        self.held = held;
        if self.contrary >= self.debounce.max(1) {
            self.contrary = 0;
            self.held = if is_down { Some(0) } else { None };
            return Some(held.map_or(ButtonEvent::Pressed, |held| ButtonEvent::Released { held }));
        }
        (held == Some(self.long)).then_some(ButtonEvent::Long)
    }

    /// Whether it is down.
    pub fn is_down(&self) -> bool {
        self.held.is_some()
    }

    /// Whether it is down, and has been for long.
    pub fn is_long(&self) -> bool {
        self.held.is_some_and(|polls| polls >= self.long)
    }

    /// Polls that failed.
    pub fn errors(&self) -> ErrorCounts {
        self.errors
    }

    /// Gives the pin back.
    pub fn release(self) -> P {
        self.pin
    }
}

/// One of a number of classes.
#[derive(Clone, Copy, Debug)]
struct Selection {
    class: Class,
    classes: u8,
}

impl Selection {
    fn new(classes: u8) -> Self {
        Selection {
            class: Class(0),
            classes,
        }
    }

    fn next(&mut self) {
        let next = self.class.0.saturating_add(1);
        self.class = Class(if next < self.classes { next } else { 0 });
    }

    fn previous(&mut self) {
        let last = self.classes.saturating_sub(1);
        self.class = Class(self.class.0.checked_sub(1).unwrap_or(last));
    }
}

/// One button: held down it teaches the selected class, pressed briefly it selects the next.
#[derive(Clone, Debug)]
pub struct OneButton<P> {
    button: Button<P>,
    selection: Selection,
}

impl<P: InputPin> OneButton<P> {
    /// The first of `classes` classes is selected.
    pub fn new(button: Button<P>, classes: u8) -> Self {
        OneButton {
            button,
            selection: Selection::new(classes),
        }
    }

    /// Reads the button: the class that is being taught now, if any.
    pub fn poll(&mut self) -> Option<Class> {
        if let Some(ButtonEvent::Released { held }) = self.button.poll()
            && held < self.button.long
        {
            self.selection.next();
        }
        self.button.is_long().then_some(self.selection.class)
    }

    /// The class that would be taught.
    pub fn selected(&self) -> Class {
        self.selection.class
    }

    /// Polls that failed.
    pub fn errors(&self) -> ErrorCounts {
        self.button.errors()
    }

    /// Gives the button back.
    pub fn release(self) -> Button<P> {
        self.button
    }
}

/// Two buttons: the first one, held down, teaches the selected class; the second one selects the next. The second one, held down, asks to
/// take back what was taught last.
#[derive(Clone, Debug)]
pub struct TwoButtons<T, N> {
    teach: Button<T>,
    next: Button<N>,
    selection: Selection,
    has_moved_on: bool,
    wants_undo: bool,
}

impl<T: InputPin, N: InputPin> TwoButtons<T, N> {
    /// The first of `classes` classes is selected.
    pub fn new(teach: Button<T>, next: Button<N>, classes: u8) -> Self {
        TwoButtons {
            teach,
            next,
            selection: Selection::new(classes),
            has_moved_on: false,
            wants_undo: false,
        }
    }

    /// Reads both buttons: the class that is being taught now, if any. While it is taught no other is selected.
    pub fn poll(&mut self) -> Option<Class> {
        self.teach.poll();
        let event = self.next.poll();
        let is_free = !self.teach.is_down();
        if event == Some(ButtonEvent::Pressed) {
            self.has_moved_on = is_free;
            if is_free {
                self.selection.next();
            }
        }
        // Nobody knew when it went down that it would be held: the class is the one before again.
        self.wants_undo = event == Some(ButtonEvent::Long) && is_free && self.has_moved_on;
        if self.wants_undo {
            self.selection.previous();
        }
        self.teach.is_down().then_some(self.selection.class)
    }

    /// Whether the last poll found that the second button has been held for long: call
    /// [`Teacher::undo`](crate::signal::Teacher::undo). The selected class is the one before the press. Once for each press.
    pub fn wants_undo(&self) -> bool {
        self.wants_undo
    }

    /// The class that would be taught.
    pub fn selected(&self) -> Class {
        self.selection.class
    }

    /// Polls that failed, of either button.
    pub fn errors(&self) -> ErrorCounts {
        let (teach, next) = (self.teach.errors(), self.next.errors());
        ErrorCounts {
            pin: teach.pin.saturating_add(next.pin),
            ..teach
        }
    }

    /// Gives the buttons back.
    pub fn release(self) -> (Button<T>, Button<N>) {
        (self.teach, self.next)
    }
}

/// LEDs, one for each class.
#[derive(Clone, Debug)]
pub struct Leds<P, const C: usize> {
    pins: [P; C],
    level: Level,
    errors: ErrorCounts,
}

impl<P: OutputPin, const C: usize> Leds<P, C> {
    /// LEDs as they are; `level` lights one.
    pub fn new(pins: [P; C], level: Level) -> Self {
        Leds {
            pins,
            level,
            errors: ErrorCounts::default(),
        }
    }

    /// Lights the LED of a class and no other; none for an input that is unknown. A pin that fails is counted, the others are set all the same.
    pub fn show(&mut self, class: Option<Class>) {
        let lit = class.map(|class| usize::from(class.0));
        self.set(|number| lit == Some(number));
    }

    fn set(&mut self, is_lit: impl Fn(usize) -> bool) {
        for (number, pin) in self.pins.iter_mut().enumerate() {
            let is_high = is_lit(number) == (self.level == Level::High);
            let set = if is_high {
                pin.set_high()
            } else {
                pin.set_low()
            };
            if let Err(error) = set {
                self.errors.pin(&error);
            }
        }
    }

    /// Lights all LEDs: something is broken. A pin that fails is counted, the others are set all the same.
    pub fn show_all(&mut self) {
        self.set(|_| true);
    }

    /// Pins that could not be set.
    pub fn errors(&self) -> ErrorCounts {
        self.errors
    }

    /// Gives the pins back.
    pub fn release(self) -> [P; C] {
        self.pins
    }
}
