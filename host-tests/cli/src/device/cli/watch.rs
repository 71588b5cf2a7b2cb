//! The status, again and again.

use std::{
    io::{IsTerminal, Write, stdout},
    time::Duration,
};

use anyhow::Result;
use clap::Args;

use super::{examine::describe, stop};
use crate::device::Client;

/// Options of the command.
#[derive(Args, Debug)]
pub struct WatchOptions {
    /// Seconds between two looks
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    every: f64,
    /// Stop after N looks
    #[arg(long, value_name = "N")]
    count: Option<u64>,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().map_err(|_| "not a number".to_string())?;
    match (0.0..=86_400.0).contains(&seconds) {
        true => Ok(seconds),
        false => Err("between 0 and a day".into()),
    }
}

impl WatchOptions {
    /// Shows the status until the user stops it.
    pub fn run(&self, client: &mut Client) -> Result<()> {
        stop::on_request();
        let in_place = stdout().is_terminal();
        let (mut looks, mut lines) = (0, 0);
        while !stop::is_wanted() {
            let table = describe(&client.status()?, client.identity().classes).to_string();
            let mut out = stdout().lock();
            if in_place && lines > 0 {
                // Back to where the last table began, and away with it.
                write!(out, "\x1b[{lines}A\x1b[J")?;
            } else if lines > 0 {
                writeln!(out)?;
            }
            lines = table.lines().count();
            write!(out, "{table}")?;
            out.flush()?;
            drop(out);
            looks += 1;
            if self.count.is_some_and(|count| looks >= count) {
                break;
            }
            stop::or_sleep(Duration::from_secs_f64(self.every));
        }
        Ok(())
    }
}
