//! Labelled lines from a board or another program, kept as a data file.

use std::{
    fs::OpenOptions,
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    sync::mpsc::{self, RecvTimeoutError},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use clap::Args;
use pocketron::device::message::Learned;

use super::stop;
use crate::{
    data::{Row, csv},
    device::{
        Client, LinkError, Transport,
        error::Describe,
        serial::{self, Address},
    },
};

/// Options of the command.
#[derive(Args, Debug)]
pub struct RecordOptions {
    /// File to append to: LIBSVM form, or columns if it ends with .csv
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Serial port that the lines come from [default: standard input]
    #[arg(long, value_name = "PORT[:BAUD]")]
    from: Option<Address>,
    /// Lines have no label: all are of this class
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    label: Option<f64>,
    /// Stop after N examples
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    /// Also teach the device; labels are then its classes, from 0
    #[arg(long)]
    teach: bool,
}

impl RecordOptions {
    /// Reads lines `label,value,value,...` until there are no more.
    pub fn run(&self, connect: &dyn Fn() -> Result<Client>) -> Result<()> {
        let mut device = self.teach.then(connect).transpose()?;
        let mut out = Record::open(&self.out)?;
        stop::on_request();
        let mut features = device.as_ref().map(|client| client.identity().features);
        let (mut kept, mut skipped, mut mistakes) = (0, 0, 0);
        let mut warned = None;
        for line in self.lines()? {
            let line = line?;
            let row = match self.row(&line, features) {
                Ok(Some(row)) => row,
                Ok(None) => continue,
                Err(why) => {
                    // A board that is just starting may send half a line.
                    eprintln!("left out: {why:#}");
                    skipped += 1;
                    continue;
                }
            };
            features = Some(row.view().highest_index());
            out.write(&row)?;
            kept += 1;
            if let Some(client) = &mut device {
                let learned = teach(client, &row)?;
                mistakes += u64::from(learned.is_some_and(|learned| learned.mistake));
                // A sensor that is stuck is worth one line, not one for each reading.
                let warning = learned.and_then(|learned| learned.warning);
                if let Some(warning) = warning.filter(|warning| warned != Some(*warning)) {
                    eprintln!("warning: {}", Describe(&warning));
                }
                warned = warning;
            }
            if stop::is_wanted() || self.count.is_some_and(|count| kept >= count) {
                break;
            }
        }
        if kept == 0 {
            let path = self.out.display();
            bail!("no example was written to {path}: {skipped} lines were left out");
        }
        println!("{kept} examples kept, {skipped} lines left out");
        if device.is_some() {
            println!("{mistakes} of them were mistakes before they were learned");
        }
        Ok(())
    }

    fn lines(&self) -> Result<Box<dyn Iterator<Item = io::Result<String>>>> {
        Ok(match &self.from {
            Some(port) => {
                let port = Waiting(serial::open(port)?);
                // We come in the middle of a line.
                Box::new(BufReader::new(port).lines().skip(1))
            }
            None => Box::new(standard_input()),
        })
    }

    /// The example of a line; `None` for a blank one.
    fn row(&self, line: &str, features: Option<usize>) -> Result<Option<Row>> {
        let row = match self.label {
            None => csv::parse_line(line)?,
            Some(_) if csv::fields(line).next().is_none() => None,
            Some(label) => csv::parse_line(&format!("{label},{}", joined(line)))?,
        };
        let Some(row) = row else { return Ok(None) };
        let found = row.view().highest_index();
        match features {
            Some(wanted) if wanted != found => bail!("{found} features instead of {wanted}"),
            _ if found == 0 => bail!("no features in `{line}`"),
            _ => Ok(Some(row)),
        }
    }
}

fn joined(line: &str) -> String {
    csv::fields(line).collect::<Vec<_>>().join(",")
}

/// The device's answer to the example, unless it refused it.
fn teach(client: &mut Client, row: &Row) -> Result<Option<Learned>> {
    let label = row.view().label().unwrap_or(-1.0);
    let class = label as u8;
    if f64::from(class) != label || usize::from(class) >= client.identity().classes {
        bail!(
            "label {label}: with --teach labels are classes from 0 to {}",
            client.identity().classes - 1
        );
    }
    let values = row.view().values().iter();
    let x: Vec<f32> = values.map(|value| *value as f32).collect();
    match client.learn(class, &x) {
        Ok(learned) => Ok(Some(learned)),
        Err(LinkError::Refused(error)) => {
            eprintln!("not taught: {}", Describe(&error));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// A data file that loses nothing but the line under way, whatever happens.
struct Record {
    file: std::fs::File,
    columns: bool,
    path: PathBuf,
}

impl Record {
    fn open(path: &Path) -> Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        Ok(Record {
            file: file.with_context(|| format!("{} cannot be written", path.display()))?,
            columns: csv::is_csv(path),
            path: path.into(),
        })
    }

    fn write(&mut self, row: &Row) -> Result<()> {
        let mut line = if self.columns {
            let label = row.view().label().unwrap_or(0.0);
            let values = row.view().values().iter().map(f64::to_string);
            let cells = std::iter::once(label.to_string()).chain(values);
            cells.collect::<Vec<_>>().join(",")
        } else {
            row.to_string()
        };
        line.push('\n');
        // Unbuffered: a line is in the file before the next one is read.
        let written = self.file.write_all(line.as_bytes());
        written.with_context(|| format!("{} cannot be written", self.path.display()))
    }
}

/// Lines of standard input until they end or the user wants to stop, which a read would not notice.
fn standard_input() -> impl Iterator<Item = io::Result<String>> {
    let (sender, receiver) = mpsc::sync_channel(0);
    std::thread::spawn(move || {
        let mut lines = io::stdin().lines();
        while lines.next().is_some_and(|line| sender.send(line).is_ok()) {}
    });
    std::iter::from_fn(move || {
        loop {
            match receiver.recv_timeout(PAUSE) {
                Err(RecvTimeoutError::Timeout) if !stop::is_wanted() => {}
                other => return other.ok(),
            }
        }
    })
}

/// Time between looks whether the user wants to stop.
const PAUSE: Duration = Duration::from_millis(200);

/// A port as a stream that ends when the user wants to stop.
struct Waiting(serial2::SerialPort);

impl Read for Waiting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !stop::is_wanted() {
            let count = self.0.receive(buffer, PAUSE)?;
            if count > 0 {
                return Ok(count);
            }
        }
        Ok(0)
    }
}
