//! The power fails in the middle of a save.

use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};

use super::{boot, share_right};
use crate::{demo::training::TrainingRun, device::Client, examples::Examples};

/// Longest time until a save changes flash.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a power cut left.
pub struct Cut {
    /// The device, on again.
    pub client: Client,
    /// The model it has.
    pub model: Vec<u8>,
    /// Which one that is.
    pub found: Found,
    /// Bytes of flash that the save had changed.
    pub changed: usize,
}

/// The model of a device after a power cut. It is that from before the save or the one that was being saved, bit for bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    Old,
    New,
}

/// Begins a save, and switches the device off this long after the first byte of its flash has changed. `acknowledged` is the model from before.
pub fn during_save(
    mut client: Client,
    program: &Path,
    flash: &Path,
    acknowledged: &[u8],
    delay: Duration,
) -> Result<Cut> {
    let read = || fs::read(flash).with_context(|| flash.display().to_string());
    let unsaved = client.pull(&mut |_, _| ())?;
    let before = read()?;
    client.begin_save()?;
    let begun = Instant::now();
    while read()? == before {
        ensure!(begun.elapsed() < PATIENCE, "the device does not save");
        // A busy processor wakes sleepers first.
        thread::sleep(Duration::from_micros(20));
    }
    if !delay.is_zero() {
        thread::sleep(delay);
    }
    // Ends the emulator at once, as a lack of power would.
    drop(client);
    let left = read()?;
    let changed = before.iter().zip(&left).filter(|(old, new)| old != new);
    let changed = changed.count();
    let mut client = boot(program, Some(flash), false)?;
    let model = client.pull(&mut |_, _| ())?;
    let found = match () {
        () if model == unsaved => Found::New,
        () if model == acknowledged => Found::Old,
        () => bail!("the device has lost its model"),
    };
    Ok(Cut {
        client,
        model,
        found,
        changed,
    })
}

/// Saves, teaches more, and switches off while that is being saved.
pub fn show(
    mut client: Client,
    program: &Path,
    flash: &Path,
    training: &Examples,
    unseen: &Examples,
) -> Result<()> {
    println!("\nThe power fails in the middle of a save:");
    let begun = Instant::now();
    let saved = client.save()?;
    let time = begun.elapsed();
    let acknowledged = client.pull(&mut |_, _| ())?;
    println!(
        "saved and acknowledged  image {}, {} bytes, in {} ms",
        saved.sequence,
        acknowledged.len(),
        time.as_millis()
    );
    let before = right(&mut client, unseen)?;

    client.learn_all(training.iter().take(200), |_| {
        std::ops::ControlFlow::Continue(())
    })?;
    let Cut {
        mut client,
        found,
        changed,
        ..
    } = during_save(client, program, flash, &acknowledged, Duration::ZERO)?;
    println!(
        "taught 200 more         then killed when the save had changed {changed} bytes of flash"
    );
    let after = right(&mut client, unseen)?;
    let which = match found {
        Found::Old => "the acknowledged model, bit for bit",
        Found::New => "the model that was being saved, bit for bit: it had got there",
    };
    println!("switched on again       {which}");
    println!("right on the unseen     {before:.1} % before, {after:.1} % after");
    Ok(())
}

fn right(client: &mut Client, unseen: &Examples) -> Result<f64> {
    let answers = TrainingRun::new(client).ask(unseen.iter().map(|(_, x)| x))?;
    Ok(share_right(unseen, &answers))
}
