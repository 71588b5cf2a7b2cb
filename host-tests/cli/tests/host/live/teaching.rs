//! Classes are taught, taken back, forgotten and told apart.

use std::{cell::Cell, rc::Rc, time::Duration};

use pocketron::{
    classifier::{Recall, RecallEstimate},
    label::Class,
    signal::Event,
};
use pocketron_cli::live::{
    keys::Keys,
    session::Session,
    source::{ClassState, Sensor, Source, Update},
    state::State,
};
use ratatui::crossterm::event::KeyEventKind;

use super::{Clock, Live, event};

#[test]
fn a_person_teaches_two_exercises_and_is_told_which_one_it_is() {
    let mut live = Live::watch("live-two");
    live.wait(4.0);
    live.shows("nothing taught yet");
    live.press("1");
    live.wait(5.0);
    live.shows("teaching PEN: 2 windows");
    live.wait(15.0);
    live.press("1");
    live.wait(4.0);
    live.shows("one class taught: teach another");
    live.teach("7", 20.0);
    live.wait(4.0);
    live.answers("│ ROW  ");
    live.answers("(the recording says ROW)");
    // One window in five is held out, and its neighbours are not kept.
    let row = live.state().classes[6];
    assert!(row.windows > 10);
    assert_eq!(row.kept, Some(8));
    live.shows(&format!("{:6} {:>4}", row.windows, 8));
}

#[test]
fn an_exercise_that_was_not_taught_is_unknown() {
    let mut live = Live::watch("live-unknown");
    live.teach("1", 20.0);
    live.teach("7", 20.0);
    // The recording goes on with an exercise in which the arm hangs down.
    live.session.source_mut().seek(Class(3));
    live.wait(8.0);
    live.answers("│ unknown  ");
    assert!(live.state().share(None) > 0.5);
}

#[test]
fn a_wrong_block_is_taken_back_and_a_class_is_forgotten() {
    let mut live = Live::watch("live-undo");
    live.teach("1", 20.0);
    live.teach("2", 20.0);
    let taught = live.state().classes.clone();
    live.teach("3", 10.0);
    assert!(live.state().classes[2].windows > 0);
    live.press("u");
    live.shows("the last block is taken back");
    assert_eq!(live.state().classes, taught);
    live.press("u");
    live.shows("there is nothing to take back");
    live.press("f");
    live.shows("forget which class?");
    live.press("2");
    live.shows("ABD is forgotten");
    assert_eq!(live.state().classes[1].windows, 0);
}

/// A sensor that says what it is asked, until it stops answering.
struct Told {
    sensor: Sensor,
    teaching: Rc<Cell<Option<Class>>>,
    answers: bool,
}

impl Source for Told {
    fn sensor(&self) -> &Sensor {
        &self.sensor
    }

    fn poll(&mut self, elapsed: Duration) -> anyhow::Result<Update> {
        anyhow::ensure!(self.answers, "no answer");
        Ok(Update {
            elapsed,
            teaching: self.teaching.get(),
            classes: vec![ClassState::default(); self.sensor.classes.len()],
            ..Update::default()
        })
    }

    fn teach(&mut self, class: Option<Class>) -> anyhow::Result<()> {
        self.teaching.set(class);
        Ok(())
    }

    fn undo(&mut self) -> anyhow::Result<()> {
        Ok(())
    }

    fn forget(&mut self, _: Class) -> anyhow::Result<()> {
        Ok(())
    }

    fn save(&mut self) -> anyhow::Result<String> {
        Ok(String::new())
    }
}

/// A key that is pressed and not held teaches until it is pressed again: without a screen nobody could.
#[test]
fn whoever_leaves_ends_the_block() {
    let live = Live::watch("live-leave");
    let teaching = Rc::new(Cell::new(None));
    let source = Told {
        sensor: live.state().sensor.clone(),
        teaching: teaching.clone(),
        answers: true,
    };
    let clock = Clock::default();
    let record_to = live.scratch.0.join("leave.csv");
    let mut session = Session::new(source, Keys::new(true), record_to, clock.reader());
    let press = |key| event(key, KeyEventKind::Press);
    assert!(!session.key(&press('1')));
    session.ask().unwrap();
    assert_eq!(teaching.get(), Some(Class(0)));
    session.key(&press('r'));
    assert!(session.key(&press('q')));
    let lines = session.leave().unwrap().join("\n");
    assert!(lines.contains("0 samples are in "), "{lines}");
    assert!(lines.contains("not saved"), "{lines}");
    assert_eq!(teaching.get(), None);

    // It is the same if the line is broken for a while.
    assert!(!session.key(&press('2')));
    session.source_mut().answers = false;
    assert!(session.ask().is_err());
    assert_eq!(teaching.get(), Some(Class(1)));
    session.leave().unwrap();
    assert_eq!(teaching.get(), None);

    // A block that a button of the device began goes on.
    teaching.set(Some(Class(2)));
    session.leave().unwrap();
    assert_eq!(teaching.get(), Some(Class(2)));
}

#[test]
fn one_block_is_not_enough_if_windows_held_out_are_mistaken() {
    let live = Live::watch("live-block");
    let mut state = live.state().clone();
    let after = |windows, right| {
        let mut classes = vec![ClassState::default(); 9];
        classes[1] = ClassState {
            windows,
            kept: Some(8),
            recall: Recall {
                asked: 2,
                right,
                kind: RecallEstimate::HeldOut,
            },
        };
        Update {
            classes,
            ..Update::default()
        }
    };
    let taught = |total, right| {
        let (class, windows) = (Class(1), 12);
        Update {
            events: vec![Event::Taught { class, windows }],
            ..after(total, right)
        }
    };
    let warns = |state: &State| {
        let found = state.warnings();
        found.contains(&"ABD: held-out windows are wrong; teach more of it".into())
    };
    state.take_in(&taught(12, 2));
    assert!(!warns(&state));
    let mut state = live.state().clone();
    state.take_in(&taught(12, 1));
    assert!(warns(&state));
    state.take_in(&taught(24, 1));
    assert!(!warns(&state), "two blocks");
    state.take_in(&after(12, 1));
    assert!(warns(&state), "the second one is taken back");
    state.take_in(&after(12, 1));
    assert!(warns(&state), "and nothing else");
}
