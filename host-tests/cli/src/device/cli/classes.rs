//! What a device knows of each class.

use anyhow::Result;

use crate::{device::Client, table::Table};

/// Prints a line for each class.
pub fn classes(client: &mut Client) -> Result<()> {
    let classes = client.identity().classes;
    let mut table = Table::numbers(["class", "examples", "vectors", "recalled"]);
    for class in 0..classes.min(256) {
        let status = client.class_status(class as u8)?;
        let recalled = match status.vectors {
            0 => "-".into(),
            vectors => format!(
                "{} ({:.0} %)",
                status.recalled,
                100.0 * f64::from(status.recalled) / f64::from(vectors)
            ),
        };
        table.row([
            class.to_string(),
            status.seen.to_string(),
            status.vectors.to_string(),
            recalled,
        ]);
    }
    print!("{table}");
    println!(
        "\nrecalled: leave-one-out recall, the stored vectors of the class that the other vectors \
         classify right"
    );
    let status = client.status()?;
    if status.seen > 0 {
        let right = status.seen.saturating_sub(status.mistakes);
        let accuracy = 100.0 * f64::from(right) / f64::from(status.seen);
        println!(
            "prequential accuracy: {accuracy:.1} % of the {} examples since the start, each \
             predicted before it was learned",
            status.seen
        );
    }
    Ok(())
}
