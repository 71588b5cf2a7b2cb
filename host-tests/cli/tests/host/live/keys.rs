//! Keys that are held and keys that are pressed, on both kinds of terminals.

use std::time::Duration;

use pocketron::label::Class;
use pocketron_cli::live::{
    keys::{Keys, Stroke},
    state::{Action, State},
};
use ratatui::crossterm::event::{
    KeyCode, KeyEvent,
    KeyEventKind::{self, Press, Release, Repeat},
    KeyModifiers,
};

use super::{Live, event};

const TEACH: Option<Action> = Some(Action::Teach(Some(Class(0))));
const ASK: Option<Action> = Some(Action::Teach(None));

/// A terminal in front of a state, a turn of the loop every 50 ms.
struct Script {
    keys: Keys,
    state: State,
    actions: Vec<Option<Action>>,
    now: u64,
}

impl Script {
    fn new(reports_releases: bool, name: &str) -> Self {
        Script {
            keys: Keys::new(reports_releases),
            state: Live::watch(name).state().clone(),
            actions: Vec::new(),
            now: 0,
        }
    }

    fn act(&mut self, stroke: Option<Stroke>) {
        let action = match stroke {
            Some(Stroke::Press(key)) => self.state.press(key),
            Some(Stroke::Release(key)) => self.state.release(key),
            None => return,
        };
        self.actions.push(action);
    }

    /// Time goes on until so many milliseconds from the beginning.
    fn until(&mut self, at: u64) {
        while self.now < at {
            self.now = at.min(self.now + 50);
            let stroke = self.keys.tick(Duration::from_millis(self.now));
            self.act(stroke);
        }
    }

    fn event(&mut self, at: u64, key: char, kind: KeyEventKind) {
        self.until(at);
        let stroke = self.keys.take(&event(key, kind), Duration::from_millis(at));
        self.act(stroke);
    }

    /// A terminal without releases: a press, after a while more of them, 30 a second.
    fn hold(&mut self, from: u64, to: u64, key: char) {
        self.event(from, key, Press);
        let mut at = from + 500;
        while at < to {
            self.event(at, key, Press);
            at += 33;
        }
    }
}

#[test]
fn a_held_key_teaches_until_it_is_released() {
    let mut terminal = Script::new(true, "keys-kitty");
    terminal.event(0, '1', Press);
    for at in (500..5000).step_by(33) {
        terminal.event(at, '1', Repeat);
    }
    assert_eq!(terminal.actions, [TEACH]);
    terminal.event(5000, '1', Release);
    assert_eq!(terminal.actions, [TEACH, ASK]);
}

#[test]
fn a_short_press_teaches_until_the_next_one() {
    let mut terminal = Script::new(true, "keys-kitty-short");
    terminal.event(0, '1', Press);
    terminal.event(90, '1', Release);
    terminal.until(5000);
    assert_eq!(terminal.actions, [TEACH]);
    terminal.event(5000, '1', Press);
    assert_eq!(terminal.actions, [TEACH, ASK]);
    // However long it takes.
    terminal.event(6000, '1', Release);
    assert_eq!(terminal.actions, [TEACH, ASK, None]);
}

#[test]
fn a_key_that_repeats_as_presses_is_held() {
    let mut terminal = Script::new(false, "keys-repeat");
    terminal.hold(0, 5000, '1');
    assert_eq!(terminal.actions, [TEACH]);
    terminal.until(6000);
    assert_eq!(terminal.actions, [TEACH, ASK]);
    terminal.until(60_000);
    assert_eq!(terminal.actions, [TEACH, ASK]);
}

#[test]
fn a_single_press_without_releases_is_a_switch() {
    let mut terminal = Script::new(false, "keys-switch");
    terminal.event(0, '1', Press);
    terminal.until(5000);
    assert_eq!(terminal.actions, [TEACH]);
    terminal.event(5000, '1', Press);
    assert_eq!(terminal.actions, [TEACH, ASK]);
    // Held to end it: nothing begins again.
    terminal.hold(8000, 9000, '1');
    terminal.until(12_000);
    terminal.hold(12_000, 15_000, '1');
    assert_eq!(terminal.actions, [TEACH, ASK, TEACH, ASK, TEACH]);
}

#[test]
fn another_key_takes_over() {
    let mut terminal = Script::new(false, "keys-other");
    terminal.hold(0, 2000, '1');
    terminal.hold(2000, 4000, '2');
    let other = Some(Action::Teach(Some(Class(1))));
    assert_eq!(terminal.actions, [TEACH, other]);
    terminal.until(5000);
    assert_eq!(terminal.actions, [TEACH, other, ASK]);
}

/// A held `s` would erase flash thirty times a second.
#[test]
fn a_held_command_is_done_once() {
    for key in ['s', 'r', 'u'] {
        let mut terminal = Script::new(false, "keys-once");
        terminal.hold(0, 3000, key);
        terminal.until(5000);
        let done = terminal.actions.iter().flatten().count();
        assert_eq!(done, 1, "{key}");
    }
}

#[test]
fn control_and_c_leave() {
    let key = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    let stroke = Keys::new(false).take(&key, Duration::ZERO);
    assert_eq!(stroke, Some(Stroke::Press('q')));
    let escape = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
    let stroke = Keys::new(false).take(&escape, Duration::ZERO);
    assert_eq!(stroke, Some(Stroke::Press('q')));
}

#[test]
fn keys_mean_what_the_last_line_says() {
    let live = Live::watch("live-keys");
    live.shows("1-9 teach");
    let mut state = live.state().clone();
    assert_eq!(state.press('q'), Some(Action::Quit));
    assert_eq!(state.press('r'), Some(Action::Record));
    assert_eq!(state.press('s'), Some(Action::Save));
    assert_eq!(state.press(' '), Some(Action::Teach(None)));
    assert_eq!(state.press('0'), None);
    assert_eq!(state.press('x'), None);
}

/// The state is not asked in between: what the first key did is known.
#[test]
fn two_presses_of_a_key_between_two_answers_begin_and_end() {
    let live = Live::watch("live-burst");
    let mut state = live.state().clone();
    assert_eq!(state.press('1'), Some(Action::Teach(Some(Class(0)))));
    assert_eq!(state.press('1'), Some(Action::Teach(None)));
    assert_eq!(state.press('1'), Some(Action::Teach(Some(Class(0)))));
    assert_eq!(state.press('2'), Some(Action::Teach(Some(Class(1)))));
    assert_eq!(state.release('1'), None, "it is the other one now");
    assert_eq!(state.release('2'), Some(Action::Teach(None)));
}
