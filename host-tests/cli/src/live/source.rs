//! The source of the screen: a device or a recording.

use std::time::Duration;

use anyhow::Result;
use pocketron::{
    classifier::Recall,
    label::Class,
    signal::{Event, Quality},
};

use super::state::Action;

/// Properties that do not change while the screen is open.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensor {
    /// Name of the source of samples.
    pub name: String,
    /// Names of the channels.
    pub channels: Vec<String>,
    /// Samples a second that are expected.
    pub rate: f64,
    /// Samples in a window.
    pub window: usize,
    /// Names of the classes; the keys 1 to 9 teach them.
    pub classes: Vec<String>,
    /// Bytes of RAM of the model and all that it keeps.
    pub bytes: usize,
}

/// Events since the last time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Update {
    /// Time that has passed.
    pub elapsed: Duration,
    /// Number of the first sample. Lost samples have numbers, too; they begin again when a device restarts.
    pub first: u32,
    /// The samples, a number for each channel.
    pub samples: Vec<Vec<i16>>,
    /// Events of the windows.
    pub events: Vec<Event>,
    /// Counters of faulty samples.
    pub quality: Quality,
    /// Windows and recall of each class.
    pub classes: Vec<ClassState>,
    /// The class being taught.
    pub teaching: Option<Class>,
    /// Whether exemplars are being replayed.
    pub is_rehearsing: bool,
    /// Erase cycles of the part of the flash that has most, if there is flash.
    pub wear: Option<u32>,
    /// Whether the model has changed since it was saved.
    pub is_unsaved: bool,
    /// The class that a recording names.
    pub truth: Option<String>,
}

/// Counters of a class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClassState {
    /// Windows that were taught.
    pub windows: u32,
    /// Windows that are kept to be replayed, if the device says so.
    pub kept: Option<usize>,
    /// Windows held out, and how many of them are recognised.
    pub recall: Recall,
}

/// A device with a sensor, or what stands in its place.
pub trait Source {
    /// Properties that do not change.
    fn sensor(&self) -> &Sensor;

    /// Events in the time since the last call.
    fn poll(&mut self, elapsed: Duration) -> Result<Update>;

    /// Teaches a class from now on; none any more.
    fn teach(&mut self, class: Option<Class>) -> Result<()>;

    /// Takes back the last block.
    fn undo(&mut self) -> Result<()>;

    /// Forgets a class.
    fn forget(&mut self, class: Class) -> Result<()>;

    /// Saves the model; where it is then.
    fn save(&mut self) -> Result<String>;
}

impl<S: Source + ?Sized> Source for Box<S> {
    fn sensor(&self) -> &Sensor {
        (**self).sensor()
    }

    fn poll(&mut self, elapsed: Duration) -> Result<Update> {
        (**self).poll(elapsed)
    }

    fn teach(&mut self, class: Option<Class>) -> Result<()> {
        (**self).teach(class)
    }

    fn undo(&mut self) -> Result<()> {
        (**self).undo()
    }

    fn forget(&mut self, class: Class) -> Result<()> {
        (**self).forget(class)
    }

    fn save(&mut self) -> Result<String> {
        (**self).save()
    }
}

/// Does what a key asked for, and says what it did.
///
/// # Errors
///
/// The source refuses it, or does not answer.
pub fn act(source: &mut dyn Source, action: Action) -> Result<String> {
    let name = |class: Class| {
        let names = &source.sensor().classes;
        names.get(usize::from(class.0)).cloned().unwrap_or_default()
    };
    match action {
        Action::Teach(Some(class)) => {
            let text = format!("teaching {}: press the key again to end it", name(class));
            source.teach(Some(class)).map(|()| text)
        }
        Action::Teach(None) => source.teach(None).map(|()| "no longer teaching".into()),
        Action::Undo => source
            .undo()
            .map(|()| "the last block is taken back".into()),
        Action::Forget(class) => {
            let text = format!("{} is forgotten", name(class));
            source.forget(class).map(|()| text)
        }
        Action::Save => source.save().map(|place| format!("saved to {place}")),
        Action::Record | Action::Quit => Ok(String::new()),
    }
}
