//! The screen's loop without the terminal: time and keys in, [`State`] out.

use std::{path::PathBuf, time::Duration};

use anyhow::Result;
use ratatui::crossterm::event::KeyEvent;

use super::{
    keys::{Keys, Stroke},
    recorder::{Recorder, Timeline},
    source::{self, Source},
    state::{Action, State},
};

/// A source, what is known of it, and a recording if one is being made.
pub struct Session<S, C> {
    source: S,
    state: State,
    keys: Keys,
    clock: C,
    /// When the source was asked last.
    asked: Duration,
    /// Whether a key began a block that has not been ended.
    is_teaching: bool,
    record_to: PathBuf,
    recorder: Option<Recorder>,
    timeline: Timeline,
}

impl<S: Source, C: Fn() -> Duration> Session<S, C> {
    /// Begins now. `clock` counts from any time.
    pub fn new(source: S, keys: Keys, record_to: PathBuf, clock: C) -> Self {
        Session {
            state: State::new(source.sensor()),
            asked: clock(),
            source,
            keys,
            clock,
            is_teaching: false,
            record_to,
            recorder: None,
            timeline: Timeline::default(),
        }
    }

    /// State of the screen.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The source that is shown.
    pub fn source_mut(&mut self) -> &mut S {
        &mut self.source
    }

    /// Asks the source what has happened since the last time.
    ///
    /// # Errors
    ///
    /// The source does not answer.
    pub fn ask(&mut self) -> Result<()> {
        // From question to question: the time that an answer takes belongs to the next one.
        let now = (self.clock)();
        let elapsed = now.saturating_sub(self.asked);
        self.asked = now;
        let update = self.source.poll(elapsed)?;
        self.state.take_in(&update);
        self.timeline.take_in(&update);
        if let Some(recorder) = &mut self.recorder {
            let label = update.teaching.map(|class| self.state.name_of(class));
            let period = self.timeline.period(self.source.sensor().rate);
            if let Err(error) = recorder.add(&update, label.unwrap_or_default(), period) {
                self.recorder = None;
                self.state.is_recording = false;
                self.state.report(&format!("{error:#}"));
            }
        }
        Ok(())
    }

    /// Ends the block that a key began, since without a screen nobody could, and the recording. Lines to say so where the screen was.
    ///
    /// # Errors
    ///
    /// The source does not answer.
    pub fn leave(&mut self) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        if let Some(recorder) = self.recorder.take() {
            lines.push(recorded(&recorder));
        }
        if self.is_teaching {
            self.source.teach(None)?;
            self.is_teaching = false;
            // What it taught last is not saved, either.
            self.state.is_unsaved = true;
        }
        if self.state.is_unsaved {
            lines.push("what was taught is not saved yet".into());
        }
        Ok(lines)
    }

    /// Time since the last question.
    pub fn since_asked(&self) -> Duration {
        (self.clock)().saturating_sub(self.asked)
    }

    /// Takes what the terminal says of a key. Whether to leave.
    pub fn key(&mut self, event: &KeyEvent) -> bool {
        let stroke = self.keys.take(event, (self.clock)());
        self.act_on(stroke)
    }

    /// To be called when no key is waiting.
    pub fn tick(&mut self) {
        let stroke = self.keys.tick((self.clock)());
        self.act_on(stroke);
    }

    fn act_on(&mut self, stroke: Option<Stroke>) -> bool {
        let action = match stroke {
            Some(Stroke::Press(key)) => self.state.press(key),
            Some(Stroke::Release(key)) => self.state.release(key),
            None => None,
        };
        match action {
            Some(Action::Quit) => return true,
            Some(Action::Record) => {
                let said = self.toggle_recorder();
                let said = said.unwrap_or_else(|error| format!("{error:#}"));
                self.state.report(&said);
                self.state.is_recording = self.recorder.is_some();
            }
            Some(other) => {
                let done = source::act(&mut self.source, other);
                if let (Action::Teach(class), Ok(_)) = (other, &done) {
                    self.is_teaching = class.is_some();
                }
                let said = done.unwrap_or_else(|error| format!("{error:#}"));
                self.state.report(&said);
            }
            None => {}
        }
        false
    }

    fn toggle_recorder(&mut self) -> Result<String> {
        if let Some(done) = self.recorder.take() {
            return Ok(recorded(&done));
        }
        let recorder = Recorder::create(&self.record_to, self.source.sensor())?;
        let said = format!("recording to {}", recorder.path().display());
        self.recorder = Some(recorder);
        Ok(said)
    }
}

fn recorded(done: &Recorder) -> String {
    format!(
        "{} samples are in {}",
        done.samples(),
        done.path().display()
    )
}
