//! The live screen, scripted: keys in, screen out.

mod keys;
mod recorder;
mod time;

use std::{cell::Cell, path::Path, rc::Rc, time::Duration};

use pocketron::{
    classifier::{Recall, RecallEstimate},
    label::Class,
    persist,
    signal::{Event, Motion, Quality, Teachable, Teacher},
    wrap::Undo,
};
use pocketron_cli::live::{
    keys::Keys,
    replay::Replay,
    screen,
    session::Session,
    source::{ClassState, Sensor, Source, Update},
    state::{Action, State},
};
use pocketron_testkit::data::recording::{self, Recording};
use ratatui::{
    Terminal,
    backend::TestBackend,
    crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers},
};

use crate::common::files::{Scratch, gzip};

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
fn a_saved_model_is_in_the_file_that_is_named() {
    let mut live = Live::watch("live-save");
    live.does_not_show("not saved");
    live.teach("1", 20.0);
    live.teach("7", 20.0);
    live.wait(4.0);
    live.shows("not saved");
    live.press("s");
    live.shows("saved to ");
    live.does_not_show("not saved");
    let image = std::fs::read(live.scratch.0.join("live.pocketron")).unwrap();
    let mut model = Box::new(Teacher::<Motion<128>, Undo<Teachable<12, 40, 9>>>::new());
    persist::restore(&mut *model, &mut image.as_slice()).unwrap();
    for (class, state) in (0..).map(Class).zip(&live.state().classes) {
        assert_eq!(model.recall(class), Some(state.recall), "{class:?}");
    }
    assert!(live.state().classes[6].recall.asked > 0);
}

#[test]
fn what_is_recorded_can_be_replayed_and_evaluated() {
    let mut live = Live::watch("live-record");
    live.press("r");
    live.shows("recording to ");
    for key in ["1", "7", "1", "7"] {
        live.teach(key, 12.0);
        live.wait(1.0);
    }
    live.press("r");
    live.shows("samples are in ");
    let path = live.scratch.0.join("recording.csv");
    let recording = Recording::read_file(&path).unwrap();
    assert_eq!(recording.classes, ["PEN", "ROW"]);
    assert_eq!(recording.rate.map(f64::round), Some(50.0));
    assert_eq!(recording.channels, ["x", "y", "z"]);
    // 4 blocks of 12 seconds, and what was between them.
    assert!((2500..2900).contains(&recording.len()));
    assert!(Replay::of(&recording, None, 1.0).is_ok());
    let text = crate::command::POCKETRON.printed(&format!(
        "evaluate --data {} --window 64 --learner pocketron --budget 24 --permutations 2",
        path.display()
    ));
    assert!(
        text.contains("windows of 64 samples, one every 32"),
        "{text}"
    );
    assert!(text.contains("1 is ROW"), "{text}");
    // The next recording does not overwrite it.
    live.press("r");
    live.shows("recording-2.csv");
}

/// Whatever a channel or a class is called: what is recorded of a recording is a recording.
#[test]
fn names_with_separators_and_quotes_are_recorded() {
    let lines =
        (0..200).map(|n| format!("{};{n};{};1000;walk, \"fast\"\n", f64::from(n) / 50.0, -n));
    let text = format!(
        "time;\"x, g\";\"y;\"\"g\"\"\";z;label\n{}",
        lines.collect::<String>()
    );
    let recording = Recording::read("names.csv".as_ref(), text.as_bytes()).unwrap();
    assert_eq!(recording.channels, ["x, g", "y;\"g\"", "z"]);
    let mut live = Live::of("live-names", &recording, None);
    live.press("r");
    live.teach("1", 3.0);
    live.press("r");
    let recorded = Recording::read_file(&live.scratch.0.join("recording.csv")).unwrap();
    assert_eq!(recorded.channels, recording.channels);
    assert_eq!(recorded.classes, recording.classes);
    assert!(recorded.len() > 150);
}

#[test]
fn warnings_say_what_to_do() {
    let mut live = Live::watch("live-warnings");
    live.teach("2", 6.0);
    live.wait(0.5);
    live.shows("! ABD: 3 windows taught, 8 or more are better");
    live.press("3");
    live.press("3");
    live.wait(0.1);
    assert_eq!(
        live.state().message,
        "too short: a window takes 2.6 seconds"
    );
}

/// A recording whose samples are all the same but for a number that says when they were taken.
fn made(sample: impl Fn(u32) -> [i16; 3]) -> Recording {
    let lines = (0..500).map(|n| {
        let [x, y, z] = sample(n);
        format!("{},{x},{y},{z}\n", f64::from(n) / 50.0)
    });
    let text = format!("time,x,y,z\n{}", lines.collect::<String>());
    Recording::read("made.csv".as_ref(), text.as_bytes()).unwrap()
}

#[test]
fn a_stuck_or_saturated_sensor_is_named_long_enough_to_be_read() {
    let mut live = Live::of("live-stuck", &made(|_| [7, 7, 1000]), None);
    live.wait(2.0);
    live.shows("! the sensor gives the same sample again and again");

    // Beyond its range for a tenth of a second.
    let hit = |n| {
        if (100..105).contains(&n) {
            i16::MAX
        } else {
            n as i16
        }
    };
    let mut live = Live::of("live-saturated", &made(|n| [hit(n), 0, 1000]), None);
    live.wait(1.9);
    live.does_not_show("end of its range");
    live.wait(2.0);
    live.shows("! the sensor is at the end of its range: choose a larger one");
    live.wait(5.0);
    live.does_not_show("end of its range");
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

#[test]
fn a_slow_sensor_and_lost_samples_are_reported() {
    let live = Live::watch("live-slow");
    let mut state = live.state().clone();
    let update = Update {
        elapsed: Duration::from_secs(5),
        samples: vec![vec![0, 0, 0]; 234],
        classes: state.classes.clone(),
        quality: Quality {
            lost: 12,
            ..Quality::default()
        },
        wear: Some(17),
        ..Update::default()
    };
    state.take_in(&update);
    let screen = screen_of(&state);
    for text in [
        "! 12 samples lost",
        "! 46.8 of 50 samples a second",
        "17 erases",
    ] {
        assert!(screen.contains(text), "no {text:?} in\n{screen}");
    }
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

/// A recording goes on by itself: a person who teaches a class must not be taught another.
#[test]
fn only_samples_of_the_class_that_is_taught_are_played() {
    let mut live = Live::watch("live-only");
    live.session.source_mut().seek(Class(1));
    live.wait(1.0);
    live.answers("(the recording says ABD)");
    live.press("4");
    // Longer than an arm, and than both.
    for _ in 0..100 {
        live.wait(1.0);
        live.answers("(the recording says IR)");
    }
    live.press("4");
    live.wait(100.0);
    assert_ne!(live.state().truth.as_deref(), Some("IR"));
}

/// Half a window of each of two classes, in turn: no window is whole unless it has samples of both.
#[test]
fn no_window_of_a_replay_has_samples_of_two_segments() {
    let lines = (0..2000).map(|n| {
        let label = ["a", "b"][n / 100 % 2];
        format!("{},{},0,1000,{label}\n", n as f64 / 50.0, n % 37)
    });
    let text = format!("time,x,y,z,label\n{}", lines.collect::<String>());
    let recording = Recording::read("turns.csv".as_ref(), text.as_bytes()).unwrap();
    assert_eq!(recording.segments.len(), 20);
    let mut replay = Replay::of(&recording, None, 1.0).unwrap();
    replay.teach(Some(Class(0))).unwrap();
    for _ in 0..1200 {
        let update = replay.poll(Duration::from_millis(50)).unwrap();
        let taught = |event: &Event| matches!(event, Event::Teaching { .. });
        assert!(!update.events.iter().any(taught));
    }
}

#[test]
fn a_recording_without_times_or_people_is_refused_with_a_way_out() {
    let text = "x,y,z\n1,2,3\n";
    let recording = Recording::read("bare.csv".as_ref(), text.as_bytes()).unwrap();
    let error = Replay::of(&recording, None, 1.0).err().unwrap();
    assert!(error.to_string().contains("--rate"), "{error}");
    let error = Replay::of(&recording.with_rate(50.0), Some("Ann"), 1.0)
        .err()
        .unwrap();
    assert!(error.to_string().contains("no person Ann"), "{error}");
}

fn open(path: &Path, rate: Option<f64>) -> anyhow::Result<Replay> {
    Replay::open(&path.display().to_string(), None, 1.0, rate)
}

#[test]
fn a_gzipped_recording_plays_as_a_plain_one() {
    let scratch = Scratch::new("live-gzip");
    let mut text = String::from("time,x,y,z,label\n");
    for n in 0..200 {
        text += &format!("{},{n},{},1000,walk\n", f64::from(n) / 50.0, -n);
    }
    let packed = gzip(text.as_bytes());
    let paths = [
        scratch.put("walk.csv", text.as_bytes()),
        scratch.put("walk.csv.gz", &packed),
    ];
    let [plain, packed_update] = paths.each_ref().map(|path| {
        let mut replay = open(path, None).unwrap();
        replay.poll(Duration::from_secs(1)).unwrap()
    });
    assert!((49..=50).contains(&plain.samples.len()));
    assert_eq!(plain, packed_update);

    let half = scratch.put("half.csv.gz", &packed[..packed.len() / 2]);
    let error = format!("{:#}", open(&half, None).err().unwrap());
    assert!(error.contains("half.csv.gz: "), "{error}");
}

#[test]
fn a_recording_that_cannot_be_played_is_named_with_the_reason() {
    let scratch = Scratch::new("live-refused");
    let refused = |name: &str, text: &str, reason: &str| {
        let path = scratch.put(name, text.as_bytes());
        let error = format!("{:#}", open(&path, None).err().unwrap());
        assert!(error.contains(name) && error.contains(reason), "{error}");
    };
    let head = "time,x,y,z\n0,1,2,3\n";
    refused(
        "word.csv",
        &format!("{head}0.1,1,two,3\n"),
        ":3: `two` in column `y`",
    );
    refused(
        "short.csv",
        &format!("{head}0.1,1\n"),
        ":3: 2 columns instead of 4",
    );
    refused(
        "back.csv",
        &format!("{head}-1,1,2,3\n"),
        ":3: time goes back to -1",
    );
    refused("empty.csv", "time,x,y,z\n", "there is no sample");
    refused(
        "two.csv",
        "time,a,b\n0,1,2\n1,1,2\n",
        "2 channels instead of 3",
    );
    refused(
        "g.csv",
        "time,x,y,z\n0,0.5,0,1\n1,0,0,1\n",
        "0.5 is no integer",
    );
    let missing = scratch.0.join("missing.csv");
    let error = format!("{:#}", open(&missing, None).err().unwrap());
    assert!(error.contains("missing.csv: No such file"), "{error}");
    let error = open(&scratch.0.join("word.csv"), Some(0.0));
    assert!(error.is_err());
}
