//! Buttons and LEDs on pins that fail.

use std::io::ErrorKind;

use embedded_hal_mock::eh1::{
    MockError,
    digital::{Mock, State, Transaction},
};
use pocketron::{
    label::Class,
    signal::buttons::{Button, ButtonEvent, Leds, Level, OneButton, TwoButtons},
};
use proptest::prelude::*;

/// A poll: the level, or a failure.
type Poll = Option<bool>;

fn pin(polls: &[Poll]) -> Mock {
    let failure = MockError::Io(ErrorKind::TimedOut);
    let poll = |poll: &Poll| match poll {
        Some(true) => Transaction::get(State::High),
        Some(false) => Transaction::get(State::Low),
        None => Transaction::get(State::Low).with_error(failure.clone()),
    };
    Mock::new(&polls.iter().map(poll).collect::<Vec<_>>())
}

/// All events with the number of the poll that succeeded last.
fn events(polls: &[Poll], level: Level) -> Vec<(usize, ButtonEvent)> {
    let mut button = Button::with_polls(pin(polls), level, 3, 5);
    let (mut events, mut succeeded) = (Vec::new(), 0);
    for poll in polls {
        succeeded += usize::from(poll.is_some());
        events.extend(button.poll().map(|event| (succeeded, event)));
    }
    let failures = polls.iter().filter(|poll| poll.is_none()).count();
    assert_eq!(button.errors().pin as usize, failures);
    assert_eq!(button.errors().total() as usize, failures);
    button.release().done();
    events
}

fn levels(text: &str) -> Vec<Poll> {
    text.bytes().map(|byte| Some(byte == b'#')).collect()
}

#[test]
fn three_polls_in_a_row_count_and_bouncing_does_not() {
    let found = events(&levels("..#.##.###.#.##.#########...#."), Level::High);
    let expected = [
        (10, ButtonEvent::Pressed),
        (15, ButtonEvent::Long),
        (28, ButtonEvent::Released { held: 18 }),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_button_to_ground_is_pressed_when_its_pin_is_low() {
    let inverted: Vec<Poll> = levels("####")
        .iter()
        .map(|poll| poll.map(|high| !high))
        .collect();
    assert_eq!(events(&inverted, Level::Low), [(3, ButtonEvent::Pressed)]);
    assert_eq!(events(&inverted, Level::High), []);
}

proptest! {
    #[test]
    fn failing_polls_change_nothing_wherever_they_are(polls in prop::collection::vec(prop::option::weighted(0.7, any::<bool>()), 60)) {
        let sound: Vec<Poll> = polls.iter().copied().filter(Option::is_some).collect();
        prop_assert_eq!(events(&polls, Level::High), events(&sound, Level::High));
    }

    #[test]
    fn presses_and_releases_take_turns_and_every_long_press_was_pressed(polls in prop::collection::vec(any::<bool>(), 80)) {
        let polls: Vec<Poll> = polls.into_iter().map(Some).collect();
        let mut is_down = false;
        for (_, event) in events(&polls, Level::High) {
            match event {
                ButtonEvent::Pressed => prop_assert!(!std::mem::replace(&mut is_down, true)),
                ButtonEvent::Long => prop_assert!(is_down),
                ButtonEvent::Released { held } => {
                    prop_assert!(std::mem::replace(&mut is_down, false));
                    prop_assert!(held >= 3);
                }
            }
        }
    }
}

#[test]
fn one_button_teaches_when_held_and_moves_on_when_pressed_briefly() {
    let text = "...####....########....####....####....";
    let polls = levels(text);
    let mut labels = OneButton::new(Button::with_polls(pin(&polls), Level::High, 2, 5), 3);
    let taught: Vec<Option<Class>> = polls.iter().map(|_| labels.poll()).collect();
    let classes: Vec<Class> = taught.iter().flatten().copied().collect();
    assert_eq!(
        classes,
        [Class(1); 3],
        "five polls after it went down, until it is up"
    );
    assert_eq!(labels.selected(), Class(0), "three more, of three classes");
    assert_eq!(labels.errors().total(), 0);
    labels.release().release().done();
}

#[test]
fn two_buttons_teach_and_select_apart() {
    let teach = levels("........######....####");
    let next = levels("..###....###..####....");
    let mut labels = TwoButtons::new(
        Button::with_polls(pin(&teach), Level::High, 2, 9),
        Button::with_polls(pin(&next), Level::High, 2, 9),
        4,
    );
    let taught: Vec<Option<Class>> = teach.iter().map(|_| labels.poll()).collect();
    let of = |class: u8| {
        taught
            .iter()
            .filter(|taught| **taught == Some(Class(class)))
            .count()
    };
    // While the first one is down, the second one does nothing.
    assert_eq!((of(1), of(2)), (6, 3), "{taught:?}");
    assert_eq!(labels.selected(), Class(2));
    let (teach, next) = labels.release();
    teach.release().done();
    next.release().done();
}

#[test]
fn the_second_button_held_asks_for_undo_once_and_selects_nothing() {
    let teach = levels("................................######");
    let next = levels("..###...##############........########");
    let mut labels = TwoButtons::new(
        Button::with_polls(pin(&teach), Level::High, 2, 5),
        Button::with_polls(pin(&next), Level::High, 2, 5),
        3,
    );
    let mut undone = Vec::new();
    for poll in 0..teach.len() {
        labels.poll();
        if labels.wants_undo() {
            undone.push((poll, labels.selected()));
        }
    }
    // Not while the first button is down, either.
    assert_eq!(undone, [(14, Class(1))]);
    let (teach, next) = labels.release();
    teach.release().done();
    next.release().done();
}

#[test]
fn an_led_that_fails_does_not_stop_the_others() {
    let failure = MockError::Io(ErrorKind::TimedOut);
    let led = |states: [State; 3]| Mock::new(&states.map(Transaction::set));
    let broken = [State::High, State::Low, State::Low]
        .map(|state| Transaction::set(state).with_error(failure.clone()));
    let pins = [
        led([State::Low, State::Low, State::Low]),
        Mock::new(&broken),
        led([State::Low, State::High, State::Low]),
    ];
    let mut leds = Leds::new(pins, Level::High);
    leds.show(Some(Class(1)));
    leds.show(Some(Class(2)));
    leds.show(None);
    assert_eq!((leds.errors().pin, leds.errors().total()), (3, 3));
    leds.release().iter_mut().for_each(Mock::done);

    let mut inverted = Leds::new([led([State::High, State::Low, State::High])], Level::Low);
    for class in [Some(Class(7)), Some(Class(0)), None] {
        inverted.show(class);
    }
    inverted.release().iter_mut().for_each(Mock::done);
}
