//! The power fails in the middle of a save.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, bail};

use super::{boot, share_right};
use crate::{demo::class::Class, device::Client, examples::Examples};

/// Saves, teaches more, and switches off while that is being saved.
pub fn show(
    mut client: Client,
    program: &Path,
    flash: &Path,
    lessons: &Examples,
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

    client.learn_all(lessons.iter().take(200), |_| {
        std::ops::ControlFlow::Continue(())
    })?;
    let unsaved = client.pull(&mut |_, _| ())?;
    client.begin_save()?;
    thread::sleep(Duration::min(time / 3, Duration::from_millis(500)));
    // Ends the emulator at once, as a lack of power would.
    drop(client);
    println!("taught 200 more         then killed while it was saving them");

    let mut client = boot(program, Some(flash), false)?;
    let found = client.pull(&mut |_, _| ())?;
    let after = right(&mut client, unseen)?;
    let which = if found == acknowledged {
        "the acknowledged model, bit for bit"
    } else if found == unsaved {
        "the model that was being saved, bit for bit: it had got there"
    } else {
        bail!("the device has lost its model");
    };
    println!("switched on again       {which}");
    println!("right on the unseen     {before:.1} % before, {after:.1} % after");
    Ok(())
}

fn right(client: &mut Client, unseen: &Examples) -> Result<f64> {
    let answers = Class::new(client).ask(unseen.iter().map(|(_, x)| x))?;
    Ok(share_right(unseen, &answers))
}
