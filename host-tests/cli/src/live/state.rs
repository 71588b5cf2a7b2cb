//! State of the screen, meaning of the keys, and warnings.

use std::collections::VecDeque;

use pocketron::{
    label::Class,
    signal::{Event, Missing, Quality},
};

use super::source::{ClassState, Sensor, Update};

/// Samples that are shown.
pub const SHOWN: usize = 400;
/// Answers over which the bars are averaged.
const ANSWERS: usize = 5;
/// Windows that a class should have: the eighth is the first that is held out.
const ENOUGH: u32 = 8;
/// Seconds over which the rate is measured.
const RATE_SECONDS: f64 = 5.0;
/// Seconds for which a warning of the sensor stays: long enough to be read.
const WARNING_SECONDS: f64 = 5.0;

/// Action of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Teach a class; none any more.
    Teach(Option<Class>),
    /// Take back the last block.
    Undo,
    /// Forget a class.
    Forget(Class),
    /// Save the model.
    Save,
    /// Begin or end a recording.
    Record,
    /// Leave.
    Quit,
}

/// All that the screen shows.
#[derive(Debug, Clone)]
pub struct State {
    /// The sensor.
    pub sensor: Sensor,
    /// The newest samples.
    pub samples: VecDeque<Vec<i16>>,
    /// Answer for the newest window.
    pub event: Event,
    /// The newest answers: a class with its probability, or unknown.
    answers: VecDeque<Option<(Class, f32)>>,
    /// Counters of each class.
    pub classes: Vec<ClassState>,
    /// Blocks in which each class was taught while the screen was open.
    pub blocks: Vec<u32>,
    /// Counters of faulty samples.
    pub quality: Quality,
    /// Seconds for which the sensor is still said to be stuck, or saturated.
    stuck: f64,
    saturated: f64,
    /// Samples and seconds for the rate.
    counted: (f64, f64),
    /// Samples a second, once measured.
    pub rate: Option<f64>,
    /// The class being taught.
    pub teaching: Option<Class>,
    /// Whether exemplars are being replayed.
    pub is_rehearsing: bool,
    /// Erase cycles of the part of the flash that has most.
    pub wear: Option<u32>,
    /// Whether the model has changed since it was saved.
    pub is_unsaved: bool,
    /// The class that a recording names.
    pub truth: Option<String>,
    /// Whether samples go to a file.
    pub is_recording: bool,
    /// Whether the next digit forgets a class.
    pub is_forgetting: bool,
    /// Message about the last key.
    pub message: String,
}

impl State {
    /// Before the first sample.
    pub fn new(sensor: &Sensor) -> Self {
        State {
            sensor: sensor.clone(),
            samples: VecDeque::new(),
            event: Event::NotReady(Missing::FirstClass),
            answers: VecDeque::new(),
            classes: vec![ClassState::default(); sensor.classes.len()],
            blocks: vec![0; sensor.classes.len()],
            quality: Quality::default(),
            stuck: 0.0,
            saturated: 0.0,
            counted: (0.0, 0.0),
            rate: None,
            teaching: None,
            is_rehearsing: false,
            wear: None,
            is_unsaved: false,
            truth: None,
            is_recording: false,
            is_forgetting: false,
            message: String::new(),
        }
    }

    /// The name of a class.
    pub fn name_of(&self, class: Class) -> &str {
        let name = self.sensor.classes.get(usize::from(class.0));
        name.map_or("", String::as_str)
    }

    /// Action of a key that is pressed.
    pub fn press(&mut self, key: char) -> Option<Action> {
        let forget = std::mem::take(&mut self.is_forgetting);
        match (key, self.class_of(key)) {
            (_, Some(class)) if forget => Some(Action::Forget(class)),
            (_, Some(class)) if self.teaching == Some(class) => self.now_teaching(None),
            (_, Some(class)) => self.now_teaching(Some(class)),
            (' ', _) => self.now_teaching(None),
            ('u', _) => Some(Action::Undo),
            ('s', _) => Some(Action::Save),
            ('r', _) => Some(Action::Record),
            ('q', _) => Some(Action::Quit),
            ('f', _) => {
                self.is_forgetting = true;
                self.message = "forget which class? press its number".into();
                None
            }
            _ => None,
        }
    }

    /// Action of a key that was held, and is released.
    pub fn release(&mut self, key: char) -> Option<Action> {
        let class = self.class_of(key)?;
        if self.teaching == Some(class) {
            self.now_teaching(None)
        } else {
            None
        }
    }

    fn class_of(&self, key: char) -> Option<Class> {
        let class = key.to_digit(10)?.checked_sub(1)?;
        ((class as usize) < self.sensor.classes.len()).then_some(Class(class as u8))
    }

    /// The next key may come before the source says so.
    fn now_teaching(&mut self, class: Option<Class>) -> Option<Action> {
        self.teaching = class;
        Some(Action::Teach(class))
    }

    /// Shows how a key went.
    pub fn report(&mut self, message: &str) {
        self.message = message.into();
    }

    /// Takes in what has happened.
    pub fn take_in(&mut self, update: &Update) {
        self.samples.extend(update.samples.iter().cloned());
        let surplus = self.samples.len().saturating_sub(SHOWN);
        self.samples.drain(..surplus);
        for event in &update.events {
            self.take_event(*event);
        }
        self.measure_rate(update);
        self.lower_blocks(update);
        self.classes.clone_from(&update.classes);
        self.take_quality(update);
        self.teaching = update.teaching;
        self.is_rehearsing = update.is_rehearsing;
        self.wear = update.wear;
        self.is_unsaved = update.is_unsaved;
        self.truth.clone_from(&update.truth);
    }

    fn take_event(&mut self, event: Event) {
        let answer = match event {
            Event::Nothing => return,
            Event::Taught { class, windows } => {
                if windows == 0 {
                    let seconds = self.sensor.window as f64 / self.sensor.rate;
                    self.message = format!("too short: a window takes {seconds:.1} seconds");
                } else if let Some(blocks) = self.blocks.get_mut(usize::from(class.0)) {
                    *blocks += 1;
                }
                None
            }
            Event::Known { class, probability } => Some(Some((class, probability.unwrap_or(1.0)))),
            Event::Unknown => Some(None),
            Event::Teaching { .. } | Event::NotReady(_) => None,
        };
        self.event = event;
        match answer {
            Some(answer) => {
                self.answers.push_back(answer);
                let surplus = self.answers.len().saturating_sub(ANSWERS);
                self.answers.drain(..surplus);
            }
            None => self.answers.clear(),
        }
    }

    /// A class that was forgotten has no blocks, and one less if its last block was taken back.
    fn lower_blocks(&mut self, update: &Update) {
        let windows = self.classes.iter().zip(&update.classes);
        let windows = windows.map(|(before, after)| (before.windows, after.windows));
        for (class, (blocks, (before, after))) in (0..).zip(self.blocks.iter_mut().zip(windows)) {
            if after == 0 {
                *blocks = 0;
            } else if after < before && self.teaching != Some(Class(class)) {
                *blocks = blocks.saturating_sub(1);
            }
        }
    }

    fn take_quality(&mut self, update: &Update) {
        let before = std::mem::replace(&mut self.quality, update.quality);
        let seconds = update.elapsed.as_secs_f64();
        let renew = |left: &mut f64, is_more| {
            *left = if is_more {
                WARNING_SECONDS
            } else {
                *left - seconds
            };
        };
        renew(&mut self.stuck, self.quality.constant > before.constant);
        renew(
            &mut self.saturated,
            self.quality.saturated > before.saturated,
        );
    }

    fn measure_rate(&mut self, update: &Update) {
        let (samples, seconds) = &mut self.counted;
        *samples += update.samples.len() as f64;
        *seconds += update.elapsed.as_secs_f64();
        if *seconds >= RATE_SECONDS {
            self.rate = Some(*samples / *seconds);
            self.counted = (0.0, 0.0);
        }
    }

    /// Mean probability of a class over the newest answers; of the unknown for `None`.
    pub fn share(&self, class: Option<Class>) -> f64 {
        let of = |answer: &Option<(Class, f32)>| match answer {
            Some((found, probability)) if Some(*found) == class => f64::from(*probability),
            None if class.is_none() => 1.0,
            _ => 0.0,
        };
        self.answers.iter().map(of).sum::<f64>() / self.answers.len().max(1) as f64
    }

    /// Warnings that a person can act on.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.stuck > 0.0 {
            warnings.push("the sensor gives the same sample again and again: is it stuck?".into());
        }
        if self.saturated > 0.0 {
            warnings.push("the sensor is at the end of its range: choose a larger one".into());
        }
        if self.quality.lost > 0 {
            warnings.push(format!("{} samples lost", self.quality.lost));
        }
        if let Some(rate) = self.rate
            && (rate / self.sensor.rate - 1.0).abs() > 0.05
        {
            let expected = self.sensor.rate;
            warnings.push(format!("{rate:.1} of {expected:.0} samples a second"));
        }
        let taught = self.classes.iter().zip(&self.blocks);
        for (index, (class, blocks)) in taught.enumerate() {
            let (windows, name) = (class.windows, &self.sensor.classes[index]);
            if self.teaching == Some(Class(index as u8)) || windows == 0 {
                continue;
            }
            if windows < ENOUGH {
                warnings.push(format!(
                    "{name}: {windows} windows taught, {ENOUGH} or more are better"
                ));
            } else if class.recall.right < class.recall.asked && *blocks == 1 {
                warnings.push(format!(
                    "{name}: held-out windows are wrong; teach more of it"
                ));
            }
        }
        warnings
    }
}
