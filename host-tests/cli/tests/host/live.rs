//! The live screen, scripted: keys in, screen out.

mod files;
mod keys;
mod playback;
mod recorder;
mod teaching;
mod time;
mod warnings;

use std::{cell::Cell, rc::Rc, time::Duration};

use pocketron_cli::live::{keys::Keys, replay::Replay, screen, session::Session, state::State};
use pocketron_testkit::data::recording::{self, Recording};
use ratatui::{
    Terminal,
    backend::TestBackend,
    crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers},
};

use crate::common::files::Scratch;

/// A clock that a test moves.
#[derive(Clone, Default)]
struct Clock(Rc<Cell<Duration>>);

impl Clock {
    fn pass(&self, seconds: f64) {
        self.0.set(self.0.get() + Duration::from_secs_f64(seconds));
    }

    fn reader(&self) -> impl Fn() -> Duration + use<> {
        let now = self.0.clone();
        move || now.get()
    }
}

fn event(key: char, kind: KeyEventKind) -> KeyEvent {
    KeyEvent::new_with_kind(KeyCode::Char(key), KeyModifiers::NONE, kind)
}

fn screen_of(state: &State) -> String {
    let mut terminal = Terminal::new(TestBackend::new(110, 30)).unwrap();
    terminal.draw(|frame| screen::draw(frame, state)).unwrap();
    terminal.backend().to_string()
}

/// The screen in front of a recording, with a clock of its own.
struct Live {
    session: Session<Replay, Box<dyn Fn() -> Duration>>,
    clock: Clock,
    scratch: Scratch,
}

impl Live {
    /// One person with a watch.
    fn watch(name: &str) -> Self {
        Self::of(name, &recording::watch().unwrap(), Some("1"))
    }

    fn of(name: &str, recording: &Recording, person: Option<&str>) -> Self {
        let (scratch, clock) = (Scratch::new(name), Clock::default());
        let source = Replay::of(recording, person, 1.0).unwrap();
        let source = source.saving_to(scratch.0.join("live.pocketron"));
        let record_to = scratch.0.join("recording.csv");
        let reader: Box<dyn Fn() -> Duration> = Box::new(clock.reader());
        let session = Session::new(source, Keys::new(true), record_to, reader);
        Live {
            session,
            clock,
            scratch,
        }
    }

    /// Short presses of keys, one after the other.
    fn press(&mut self, keys: &str) {
        for key in keys.chars() {
            self.session.key(&event(key, KeyEventKind::Press));
            self.wait(0.1);
            self.session.key(&event(key, KeyEventKind::Release));
        }
    }

    fn wait(&mut self, seconds: f64) {
        for _ in 0..(seconds * 20.0).ceil() as usize {
            self.clock.pass(0.05);
            self.session.ask().unwrap();
            self.session.tick();
        }
    }

    fn teach(&mut self, key: &str, seconds: f64) {
        self.press(key);
        self.wait(seconds);
        self.press(key);
    }

    fn state(&self) -> &State {
        self.session.state()
    }

    /// What is said of the newest window, without the class table.
    fn answers(&self, text: &str) {
        let screen = screen_of(self.state());
        // The only line between the last two borders.
        let lines: Vec<&str> = screen.lines().collect();
        let below = lines.iter().rposition(|line| line.contains('└'));
        let answer = lines[below.expect("a border") - 1];
        assert!(answer.contains(text), "no {text:?} in {answer}\n{screen}");
    }

    fn shows(&self, text: &str) {
        let screen = screen_of(self.state());
        assert!(screen.contains(text), "no {text:?} in\n{screen}");
    }

    fn does_not_show(&self, text: &str) {
        let screen = screen_of(self.state());
        assert!(!screen.contains(text), "{text:?} in\n{screen}");
    }
}
