//! Keys as a terminal reports them, and what a person does with them: press one, or hold it.
//!
//! A terminal with the keyboard protocol of kitty says when a key repeats and when it is released. All others send a key that is held as presses,
//! the second one after up to 0.7 s, so presses in quick succession are one.

use std::time::Duration;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// The first repetition comes within this time.
const FIRST_REPEAT: Duration = Duration::from_millis(700);
/// Later ones come within this time, also over a slow line; a key that is silent for longer was released.
const REPEAT: Duration = Duration::from_millis(400);
/// A key that is released later than this was held.
const HELD: Duration = Duration::from_millis(400);

/// Action of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    /// Pressed a key, and may be holding it.
    Press(char),
    /// Released a key that was held.
    Release(char),
}

/// Tells held keys from pressed ones.
#[derive(Debug, Clone)]
pub struct Keys {
    reports_releases: bool,
    down: Option<Down>,
}

/// The key that was pressed last.
#[derive(Debug, Clone, Copy)]
struct Down {
    key: char,
    since: Duration,
    /// When it was last heard of.
    latest: Duration,
    repeats: bool,
}

impl Keys {
    /// `reports_releases`: the terminal tells presses, repetitions and releases apart.
    pub fn new(reports_releases: bool) -> Self {
        Keys {
            reports_releases,
            down: None,
        }
    }

    /// Takes what the terminal says; `now` is any clock.
    pub fn take(&mut self, event: &KeyEvent, now: Duration) -> Option<Stroke> {
        let key = meaning(event)?;
        let known = self.down.as_mut().filter(|down| down.key == key);
        match (event.kind, known) {
            (KeyEventKind::Repeat, _) => None,
            (KeyEventKind::Release, Some(down)) => {
                let was_held = now.saturating_sub(down.since) >= HELD;
                self.down = None;
                was_held.then_some(Stroke::Release(key))
            }
            (KeyEventKind::Release, None) => None,
            (KeyEventKind::Press, Some(down)) if !self.reports_releases && down.goes_on(now) => {
                down.latest = now;
                down.repeats = true;
                None
            }
            (KeyEventKind::Press, _) => {
                self.down = Some(Down {
                    key,
                    since: now,
                    latest: now,
                    repeats: false,
                });
                Some(Stroke::Press(key))
            }
        }
    }

    /// To be called when all events were taken: a key that no longer repeats was released.
    pub fn tick(&mut self, now: Duration) -> Option<Stroke> {
        let down = self.down.filter(|_| !self.reports_releases)?;
        let is_over = down.repeats && !down.goes_on(now);
        is_over.then(|| {
            self.down = None;
            Stroke::Release(down.key)
        })
    }
}

impl Down {
    /// Whether a press at this time belongs to the one before.
    fn goes_on(&self, now: Duration) -> bool {
        let patience = if self.repeats { REPEAT } else { FIRST_REPEAT };
        now.saturating_sub(self.latest) < patience
    }
}

/// The letter or digit of a key.
fn meaning(key: &KeyEvent) -> Option<char> {
    match key.code {
        // Raw mode takes the signal away.
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Some('q'),
        KeyCode::Char(key) => Some(key.to_ascii_lowercase()),
        KeyCode::Esc => Some('q'),
        _ => None,
    }
}
