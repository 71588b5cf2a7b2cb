//! Identity and status of a device, and its self-test.

use anyhow::{Result, bail};
use pocketron::device::{message::DeviceStatus, self_test as own_hash};

use crate::{
    device::{Client, error::Describe},
    table::Table,
};

/// Prints who is there.
pub fn identify(client: &Client) {
    let identity = client.identity();
    let mut table = Table::facts();
    table.fact("firmware", &identity.firmware);
    table.fact("model", &identity.shape);
    table.fact("shape", format!("{:#010x}", identity.shape_hash));
    table.fact("features", identity.features);
    table.fact("classes", identity.classes);
    table.fact(
        "memory",
        format!(
            "{} bytes of RAM, wrappers such as undo included",
            identity.model_bytes
        ),
    );
    table.fact(
        "flash",
        match identity.store_bytes {
            0 => "none".into(),
            bytes => format!("{bytes} bytes for an image"),
        },
    );
    table.fact("started by", Describe(&identity.fault));
    table.fact("the line may", Describe(&identity.permissions));
    if identity.push_sequence.is_some() {
        table.fact("pushed images", "must be signed: push --key FILE");
    }
    table.fact(
        "line",
        format!(
            "frames of {} bytes, window of {}, protocol {:016x}",
            identity.frame, identity.window, identity.schema
        ),
    );
    print!("{table}");
}

/// Prints how it is.
pub fn status(client: &mut Client) -> Result<()> {
    let status = client.status()?;
    print!("{}", describe(&status, client.identity().classes));
    Ok(())
}

/// The status of a model with that many classes, as a table.
pub fn describe(status: &DeviceStatus, classes: usize) -> Table {
    let share = |part: u32| match status.seen {
        0 => String::new(),
        seen => format!(" ({:.1} %)", 100.0 * f64::from(part) / f64::from(seen)),
    };
    let mut table = Table::facts();
    let uptime = status.uptime_ms as f64 / 1000.0;
    table.fact(
        "up for",
        format!("{uptime:.1} s, started by {}", Describe(&status.fault)),
    );
    table.fact("learned since then", status.seen);
    let mistakes = format!("{}{}", status.mistakes, share(status.mistakes));
    table.fact("mistakes", mistakes);
    let updates = format!("{}{}", status.updates, share(status.updates));
    table.fact("updates", updates);
    table.fact("evictions", status.evictions);
    table.fact("refused", status.refused);
    table.fact("ready", ready(status, classes));
    if status.stuck > 0 {
        table.fact(
            "stuck sensor",
            format!(
                "{} examples repeated the reading before them and taught nothing",
                status.stuck
            ),
        );
    }
    if status.saturated {
        table.fact(
            "saturated",
            "a coefficient has reached the largest value there is",
        );
    }
    table.fact("in flash", in_flash(status));
    table.fact("erase cycles", status.wear);
    if status.passed_over > 0 {
        table.fact("damaged images", status.passed_over);
    }
    if let Some(reason) = &status.began_fresh {
        table.fact("began fresh", Describe(reason));
    }
    table.fact(
        "frames",
        format!("{}, {} not understood", status.frames, status.bad_frames),
    );
    table.fact("dropped bytes", status.dropped_bytes);
    table.fact("last answer took", format!("{} ticks", status.work));
    table.fact(
        "stack",
        format!("{} of {} bytes", status.stack_used, status.stack_size),
    );
    table
}

/// Whether the model can choose between classes, and what is missing.
fn ready(status: &DeviceStatus, classes: usize) -> String {
    let answer = if status.ready { "yes" } else { "no" };
    match status.classes_seen {
        None => answer.into(),
        Some(seen) if usize::from(seen) == classes => {
            format!("{answer}, all {classes} classes have been taught")
        }
        Some(seen) => format!("{answer}, {seen} of {classes} classes have been taught"),
    }
}

fn in_flash(status: &DeviceStatus) -> String {
    let Some(sequence) = status.saved else {
        return "nothing".into();
    };
    let changes = status
        .saved_generation
        .map(|saved| status.generation.wrapping_sub(saved));
    match changes {
        Some(0) => format!("image {sequence}, as in memory"),
        Some(changes) => format!("image {sequence}, {changes} changes ago"),
        None => format!("image {sequence}"),
    }
}

/// Compares its calculations with those of this machine.
pub fn self_test(client: &mut Client) -> Result<()> {
    let (device, host) = (client.self_test()?, own_hash());
    let mut table = Table::facts();
    table.fact("device", format!("{device:08x}"));
    table.fact("here", format!("{host:08x}"));
    print!("{table}");
    if device != host {
        bail!("the device computes other bits: another version or compiler, or a faulty processor");
    }
    println!("the same bits");
    Ok(())
}
