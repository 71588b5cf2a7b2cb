//! `pocketron live`: a sensor that is taught and asked on the screen.
//!
//! | module | holds |
//! |---|---|
//! | [`source`] | what the screen asks: a device, or a recording in its place |
//! | [`device`] | a device at a port or in QEMU |
//! | [`replay`] | a recording with the code of the device |
//! | [`playback`] | which samples of a recording are due |
//! | [`keys`] | keys that are pressed or held |
//! | [`state`] | what is known so far, what keys mean, and warnings that a person can act on |
//! | [`recorder`] | a file of samples and labels |
//! | [`session`] | all of these together, without the terminal |
//! | [`screen`] | the picture |

pub mod device;
pub mod keys;
pub mod playback;
pub mod recorder;
pub mod replay;
pub mod screen;
pub mod session;
pub mod source;
pub mod state;

use std::{
    io::{self, IsTerminal},
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Result, bail};
use clap::Args;
use ratatui::crossterm::{
    event::{
        self, Event, KeyboardEnhancementFlags, PopKeyboardEnhancementFlags,
        PushKeyboardEnhancementFlags,
    },
    execute, terminal,
};

use crate::device::cli::{connection::Connection, stop};
use device::Device;
use keys::Keys;
use replay::Replay;
use session::Session;
use source::Source;

/// Pictures a second.
const FRAMES: u32 = 20;

/// Options of `pocketron live`.
#[derive(Args, Debug)]
pub struct LiveOptions {
    /// Play a recording (CSV with a line of names, plain or gzip, three axes of integers; or `watch`) through
    /// the code of the device
    #[arg(long, value_name = "FILE|watch", conflicts_with_all = ["port", "qemu"])]
    pub replay: Option<String>,
    /// Only this person of the recording
    #[arg(long, value_name = "NAME", requires = "replay")]
    pub person: Option<String>,
    /// Play a recording this many times faster
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    pub speed: f64,
    /// Samples a second, if the recording has no times
    #[arg(long, value_name = "HZ")]
    pub rate: Option<f64>,
    /// Where the key r records to; further recordings get a number behind the name
    #[arg(long, value_name = "FILE", default_value = "recording.csv")]
    pub record: PathBuf,
    #[command(flatten)]
    connection: Connection,
}

impl LiveOptions {
    fn open(&self) -> Result<Box<dyn Source>> {
        match &self.replay {
            Some(recording) => {
                let person = self.person.as_deref();
                let replay = Replay::open(recording, person, self.speed, self.rate)?;
                Ok(Box::new(replay))
            }
            None if self.connection.is_named() => {
                let client = self.connection.open_sensor()?;
                Ok(Box::new(Device::new(client, self.speed)?))
            }
            None => bail!("which sensor? --port PORT, --qemu or --replay FILE"),
        }
    }
}

/// Runs the screen until the user leaves it.
pub fn command(options: &LiveOptions) -> Result<()> {
    if !(options.speed > 0.0 && options.speed <= 1000.0) {
        bail!(
            "--speed {}: must be above 0 and at most 1000",
            options.speed
        );
    }
    if !io::stdout().is_terminal() {
        bail!("live draws on a terminal, and this is none");
    }
    stop::cleanly();
    let source = options.open()?;
    stop::on_request();
    let lines = ratatui::run(|terminal| -> Result<_> {
        let enhanced = Enhanced::ask();
        let keys = Keys::new(enhanced.is_some());
        let begin = Instant::now();
        let clock = move || begin.elapsed();
        let mut session = Session::new(source, keys, options.record.clone(), clock);
        let frame = Duration::from_secs(1) / FRAMES;
        let mut look = || -> Result<()> {
            while !stop::is_wanted() {
                session.ask()?;
                terminal.draw(|picture| screen::draw(picture, session.state()))?;
                while event::poll(frame.saturating_sub(session.since_asked()))? {
                    if let Event::Key(key) = event::read()?
                        && session.key(&key)
                    {
                        return Ok(());
                    }
                }
                session.tick();
            }
            Ok(())
        };
        let looked = look();
        let left = session.leave();
        looked.and(left)
    })?;
    for line in lines {
        println!("{line}");
    }
    Ok(())
}

/// A terminal that reports releases of keys, until this is dropped.
struct Enhanced;

impl Enhanced {
    /// `None` if the terminal cannot.
    fn ask() -> Option<Self> {
        if !terminal::supports_keyboard_enhancement().unwrap_or(false) {
            return None;
        }
        let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES
            | KeyboardEnhancementFlags::REPORT_EVENT_TYPES
            | KeyboardEnhancementFlags::REPORT_ALL_KEYS_AS_ESCAPE_CODES;
        execute!(io::stdout(), PushKeyboardEnhancementFlags(flags)).ok()?;
        Some(Enhanced)
    }
}

impl Drop for Enhanced {
    fn drop(&mut self) {
        // The terminal is left in any case.
        let _ = execute!(io::stdout(), PopKeyboardEnhancementFlags);
    }
}
