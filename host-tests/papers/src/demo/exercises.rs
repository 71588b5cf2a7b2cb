//! A sensor that learns: exercises, told apart by an accelerometer at the wrist.

mod answers;
mod strip;

use std::{
    fs,
    ops::Range,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};

use super::{
    boot,
    power_cut::{self, Found},
};
use crate::{
    data::recording,
    device::{Client, Sensor},
    table::Table,
};
use answers::Answers;
use pocketron::device::message::SensorEvent;

/// Exercises that are taught; the one behind them is left for later.
const TAUGHT: usize = 6;

/// Percent of the answers that must be right, of the known windows that may be called unknown, and of the unknown ones that must be.
const RIGHT: u32 = 90;
const KNOWN_AS_UNKNOWN: u32 = 20;
const UNKNOWN: u32 = 70;

/// One exercise of the person.
struct Exercise {
    name: &'static str,
    /// Its samples in the device's recording: one range for each arm.
    arms: Vec<Range<u32>>,
}

impl Exercise {
    /// The first half of the samples of each arm, or the second.
    fn half(&self, second: bool) -> impl Iterator<Item = Range<u32>> {
        self.arms.iter().map(move |arm| {
            let middle = arm.start + (arm.end - arm.start) / 2;
            if second {
                middle..arm.end
            } else {
                arm.start..middle
            }
        })
    }
}

/// Runs all of it.
pub fn show(program: &Path, person: &str, out: &Path) -> Result<()> {
    let exercises = exercises(person)?;
    let (taught, left_out) = exercises.split_at(TAUGHT.min(exercises.len()));
    let left_out = left_out.first().context("there is no seventh exercise")?;
    let flash = out.join("exercises.flash");
    // A new board: what an earlier demonstration has taught must not help this one.
    let _ = fs::remove_file(&flash);
    let mut client = boot(program, Some(&flash), false)?;
    let sensor = introduce(&mut client, person)?;

    println!(
        "\n1. Teaching: {TAUGHT} exercises, one block each, as with a button that is held down. The first half of each\n   \
         recording is taught; the device never sees a label of the second.\n"
    );
    for (class, exercise) in taught.iter().enumerate() {
        println!("{}", teach(&mut client, &sensor, class as u8, exercise)?);
    }

    println!("\n2. Asking: the second halves, no button.\n");
    let mut before = Answers::default();
    for (class, exercise) in taught.iter().enumerate() {
        before.ask(&mut client, &sensor, class, exercise.half(true))?;
    }
    print!("{}", before.table(&mut client, taught)?);
    println!("\n   {}", before.summary());
    before.require(RIGHT, KNOWN_AS_UNKNOWN)?;
    println!(
        "   right: of the windows that it answered; held out: windows of the first halves that were taught but not learned, by which the device judges itself"
    );

    println!(
        "\n3. Something new: {}, which nobody has taught.\n",
        left_out.name
    );
    let mut stranger = Answers::default();
    stranger.ask(&mut client, &sensor, TAUGHT, left_out.arms.iter().cloned())?;
    println!("{}", stranger.unknown(taught));
    stranger.require_unknown(UNKNOWN)?;

    println!("\n4. The power fails in the middle of a save.\n");
    let mut client = power_cuts(client, program, &flash, &sensor, left_out)?;
    let mut after = Answers::default();
    for (class, exercise) in taught.iter().enumerate() {
        after.ask(&mut client, &sensor, class, exercise.half(true))?;
    }
    println!("\n   asked again about the six: {}", after.summary());
    after.require(RIGHT, KNOWN_AS_UNKNOWN)
}

/// The exercises of a person, and where they lie in the recording on the device: all samples of that person, one after the other.
fn exercises(person: &str) -> Result<Vec<Exercise>> {
    let recording = recording::watch()?;
    let of = recording.people.iter().position(|name| name == person);
    let of = of.with_context(|| format!("there is no person {person}"))?;
    let mut exercises: Vec<Exercise> = recording
        .classes
        .iter()
        .map(|label| Exercise {
            name: spelled_out(label),
            arms: Vec::new(),
        })
        .collect();
    let mut begin = 0;
    for segment in &recording.segments {
        if segment.person != Some(of) {
            continue;
        }
        let end = begin + segment.samples.len() as u32;
        if let Some(class) = segment.class {
            exercises[class].arms.push(begin..end);
        }
        begin = end;
    }
    Ok(exercises)
}

fn spelled_out(label: &str) -> &'static str {
    match label {
        "PEN" => "pendulum",
        "ABD" => "abduction",
        "FEL" => "forward elevation",
        "IR" => "internal rotation",
        "ER" => "external rotation",
        "TRAP" => "trapezius extension",
        "ROW" => "upright row",
        _ => "another exercise",
    }
}

fn introduce(client: &mut Client, person: &str) -> Result<Sensor> {
    let sensor = client.sensor()?;
    let samples = sensor.recording.context(
        "the firmware has no recording: `cargo xtask firmware --sensor` builds one with it",
    )?;
    let identity = client.identity();
    let seconds = |samples: usize| samples as f32 / sensor.rate.max(1.0);
    let mut table = Table::facts();
    table.fact("firmware", &identity.firmware);
    table.fact(
        "sensor",
        format!(
            "accelerometer LSM303AGR at the wrist, {} at {} Hz, read by its driver over I2C",
            sensor.channels.join(" "),
            sensor.rate
        ),
    );
    table.fact(
        "behind the bus",
        format!(
            "person {person} of the watch data: {samples} samples, {:.0} minutes",
            seconds(samples as usize) / 60.0
        ),
    );
    table.fact(
        "window",
        format!(
            "{} samples ({:.1} s), a new one every {} ({:.1} s)",
            sensor.window,
            seconds(sensor.window),
            sensor.hop,
            seconds(sensor.hop)
        ),
    );
    table.fact(
        "features of a window",
        format!("{}: {}", sensor.features.len(), sensor.features.join(", ")),
    );
    table.fact(
        "model in RAM",
        format!(
            "{} bytes, undo and what it rehearses with included",
            identity.model_bytes
        ),
    );
    print!("{table}");
    Ok(sensor)
}

/// Teaches a block of one exercise, and tells what it looked like.
fn teach(client: &mut Client, sensor: &Sensor, class: u8, exercise: &Exercise) -> Result<String> {
    let begun = Instant::now();
    client.teach(Some(class))?;
    let (mut samples, mut strip) = (0, String::new());
    for half in exercise.half(false) {
        let length = half.end - half.start;
        let state = client.play(Some(half.start), length)?;
        samples += length;
        if strip.is_empty() {
            strip = strip::of_last(client, sensor, state.next)?;
        }
    }
    client.teach(None)?;
    let SensorEvent::Taught { windows, .. } = client.sensor_state()?.event else {
        bail!("the device was not taught");
    };
    client.settled()?;
    Ok(format!(
        "   class {class}  {:<20} {strip}  {:.0} s, {windows} windows, learned and rehearsed in {} ms",
        exercise.name,
        samples as f32 / sensor.rate,
        begun.elapsed().as_millis()
    ))
}

/// Most power cuts, and how much later each comes.
const CUTS: u32 = 30;
const LATER: Duration = Duration::from_micros(500);

/// Saves, teaches one more exercise, and switches off while that is being saved: when flash changes, then a little later each time, until
/// the save gets there. At least one cut must leave an image that is incomplete.
fn power_cuts(
    mut client: Client,
    program: &Path,
    flash: &Path,
    sensor: &Sensor,
    exercise: &Exercise,
) -> Result<Client> {
    let saved = client.save()?;
    let mut acknowledged = client.pull(&mut |_, _| ())?;
    println!(
        "   saved and acknowledged: {} bytes, image {}. Then a seventh exercise is taught:",
        acknowledged.len(),
        saved.sequence
    );
    let mut incomplete = 0;
    for _ in 0..CUTS {
        println!("{}", teach(&mut client, sensor, TAUGHT as u8, exercise)?);
        let left =
            power_cut::during_save(client, program, flash, &acknowledged, LATER * incomplete)?;
        let which = match left.found {
            Found::New => "what it was saving, bit for bit: the save had got there",
            Found::Old => "what was acknowledged, bit for bit",
        };
        println!(
            "   power cut when {} bytes of flash had changed; back on, it knows {which}",
            left.changed
        );
        client = left.client;
        match left.found {
            Found::Old => incomplete += 1,
            Found::New if incomplete > 0 => return Ok(client),
            // Too late: the next one is cut anew.
            Found::New => acknowledged = left.model,
        }
    }
    ensure!(
        incomplete > 0,
        "none of {CUTS} power cuts left an incomplete image"
    );
    Ok(client)
}
