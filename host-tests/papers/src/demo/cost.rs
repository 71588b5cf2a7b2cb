//! Cost of a prediction and of a learning step, in instructions.

use std::{ops::ControlFlow, path::Path};

use anyhow::Result;

use super::boot;
use crate::{device::Client, examples::Examples, table::Table};

/// Examples that are measured, one at a time.
const MEASURED: usize = 60;

/// Gives the model to a board whose emulator counts, and measures exchanges there.
pub fn show(client: &mut Client, program: &Path, examples: &Examples) -> Result<()> {
    let image = client.pull(&mut |_, _| ())?;
    let mut counting = boot(program, None, true)?;
    counting.push(&image, &mut |_, _| ())?;
    let (mut predict, mut learn) = (Vec::new(), Vec::new());
    for (class, x) in examples.iter().take(MEASURED) {
        counting.predict(x)?;
        predict.push(instructions(counting.status()?.work));
        counting.learn_all([(class, x)], |_| ControlFlow::Continue(()))?;
        learn.push(instructions(counting.status()?.work));
    }
    println!("\nInstructions from the last byte of a request to the first of the reply:");
    let mut table = Table::numbers(["", "mean", "most"]);
    for (name, counts) in [("predict", predict), ("learn", learn)] {
        let mean = counts.iter().sum::<u64>() / counts.len().max(1) as u64;
        let most = counts.iter().max().copied().unwrap_or(0);
        table.row([name.into(), grouped(mean), grouped(most)]);
    }
    print!("{table}");
    Ok(())
}

/// With `-icount shift=7` an instruction takes 128 ns, and a tick of the board's 25 MHz timer 40.
fn instructions(ticks: u32) -> u64 {
    (u64::from(ticks) * 5 + 8) / 16
}

/// With commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
