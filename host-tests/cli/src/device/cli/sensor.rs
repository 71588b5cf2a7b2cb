//! A sensor, its state, and the results of its samples.

use std::{io::Write as _, time::Duration};

use anyhow::{Result, bail};
use clap::Args;
use pocketron::device::message::{SensorEvent, SensorState};

use super::stop;
use crate::{
    device::{Client, error::Describe},
    table::Table,
};

/// Time between looks at a sensor.
const LOOK: Duration = Duration::from_millis(100);

/// Prints what it is.
pub fn sensor(client: &mut Client) -> Result<()> {
    let sensor = client.sensor()?;
    let mut table = Table::facts();
    table.fact("channels", sensor.channels.join(", "));
    let rate = match sensor.rate {
        0.0 => "unknown".into(),
        rate => format!("{rate} samples a second"),
    };
    table.fact("rate", rate);
    let (window, hop) = (sensor.window, sensor.hop);
    table.fact("window", format!("{window} samples, a new one every {hop}"));
    let features = sensor.features.join(", ");
    table.fact("features", format!("{}: {features}", sensor.features.len()));
    table.fact(
        "source",
        match sensor.recording {
            Some(samples) => format!("a recording of {samples} samples: `listen --play N`"),
            None => "a sensor".into(),
        },
    );
    print!("{table}");
    Ok(())
}

/// Prints how it is.
pub fn state(client: &mut Client) -> Result<()> {
    print!("{}", describe(&client.sensor_state()?));
    Ok(())
}

fn describe(state: &SensorState) -> Table {
    let mut table = Table::facts();
    let event = Describe(&state.event);
    let at = match state.event {
        SensorEvent::Nothing => String::new(),
        _ => format!(", after sample {}", state.event_at),
    };
    table.fact("last", format!("{event}{at}"));
    let teaching = match state.teaching {
        Some(class) => format!("class {class}"),
        None => "nothing".into(),
    };
    table.fact("being taught", teaching);
    table.fact("to be rehearsed", format!("{} replays", state.owed));
    table.fact("saved", if state.unsaved { "no" } else { "yes" });
    table.fact("samples", state.next);
    let quality = state.quality;
    for (name, count) in [
        ("lost", quality.lost),
        ("saturated", quality.saturated),
        ("constant", quality.constant),
        ("not finite", quality.non_finite),
    ] {
        table.fact(name, count);
    }
    if state.to_play > 0 {
        table.fact("to be played", state.to_play);
    }
    table
}

/// Options of `samples`.
#[derive(Args, Debug)]
pub struct SamplesOptions {
    /// Stop after N samples [default: Ctrl-C]
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    /// Let a recorded sensor play its first N samples
    #[arg(long, value_name = "N")]
    play: Option<u32>,
}

impl SamplesOptions {
    /// Writes samples as CSV, as they come.
    pub fn run(&self, client: &mut Client) -> Result<()> {
        stop::on_request();
        let sensor = client.sensor()?;
        let channels = sensor.channels.len();
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", sensor.channels.join(","))?;
        let mut next = client.sensor_state()?.next;
        let (mut written, mut dropped, mut to_play) = (0, 0, self.play.unwrap_or(0));
        while !stop::is_wanted() && self.count != Some(written) {
            // A little at a time, so that none is dropped.
            if to_play > 0 {
                let some = to_play.min(32);
                client.play(None, some)?;
                to_play -= some;
            }
            let run = client.samples(next)?;
            next = run.next(channels);
            dropped += run.dropped;
            for sample in run.samples(channels) {
                if self.count == Some(written) {
                    break;
                }
                let cells: Vec<_> = sample.iter().map(i16::to_string).collect();
                writeln!(out, "{}", cells.join(","))?;
                written += 1;
            }
            if run.values.is_empty() {
                if self.play.is_some() && to_play == 0 {
                    break;
                }
                stop::or_sleep(LOOK);
            }
        }
        if dropped > 0 {
            eprintln!("{dropped} samples came faster than they were asked for");
        }
        Ok(())
    }
}

/// Options of `listen`.
#[derive(Args, Debug)]
pub struct ListenOptions {
    /// Teach this class meanwhile, and end the block afterwards
    #[arg(long, value_name = "CLASS")]
    teach: Option<u8>,
    /// Let a recorded sensor play N samples, and stop after them
    #[arg(long, value_name = "N")]
    play: Option<u32>,
    /// First sample of the recording
    #[arg(long, value_name = "SAMPLE", requires = "play", default_value_t = 0)]
    from: u32,
    /// Stop after N events [default: Ctrl-C]
    #[arg(long, value_name = "N", conflicts_with = "play")]
    count: Option<u64>,
    /// Save afterwards
    #[arg(long)]
    save: bool,
}

impl ListenOptions {
    /// Prints what comes of each window.
    pub fn run(&self, client: &mut Client) -> Result<()> {
        stop::on_request();
        let sensor = client.sensor()?;
        if sensor.recording.is_some() && self.play.is_none() {
            bail!("a recorded sensor gives no samples on its own: --play N");
        }
        if self.teach.is_some() {
            client.teach(self.teach)?;
        }
        let tell = |at: u32, event: SensorEvent| println!("{at:>8}  {}", Describe(&event));
        let listened = match self.play {
            Some(samples) => client
                .play_windows(&sensor, self.from, samples, tell)
                .map(|_| ())
                .map_err(Into::into),
            None => self.follow(client, tell),
        };
        // Also after an error: nobody else would end the block.
        let ended = match self.teach {
            Some(_) => client.teach(None),
            None => Ok(()),
        };
        listened?;
        ended?;
        if self.teach.is_some() {
            println!("{}", Describe(&client.settled()?.event));
        }
        if self.save {
            let saved = client.save()?;
            println!("saved as image {}", saved.sequence);
        } else if client.sensor_state()?.unsaved {
            println!("not saved: it will be lost with the power (--save)");
        }
        Ok(())
    }

    fn follow(&self, client: &mut Client, tell: impl Fn(u32, SensorEvent)) -> Result<()> {
        let mut last = client.sensor_state()?.event_at;
        let mut events = 0;
        while !stop::is_wanted() && self.count != Some(events) {
            let state = client.sensor_state()?;
            if state.event_at != last {
                last = state.event_at;
                tell(last, state.event);
                events += 1;
            }
            stop::or_sleep(LOOK);
        }
        Ok(())
    }
}
