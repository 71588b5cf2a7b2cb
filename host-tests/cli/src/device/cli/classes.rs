//! Examples, vectors and recall of each class.

use anyhow::Result;
use pocketron::device::message::RecallKind;

use crate::{device::Client, recall, table::Table};

/// Prints a line for each class.
pub fn classes(client: &mut Client) -> Result<()> {
    let classes = client.identity().classes;
    let mut table = Table::numbers(["class", "examples", "vectors", "recalled"]);
    let mut kind = RecallKind::LeaveOneOut;
    for class in 0..classes.min(256) {
        let status = client.class_status(class as u8)?;
        kind = status.kind;
        let recalled = recall::cell(status.recalled.into(), status.vectors.into());
        table.row([
            class.to_string(),
            status.seen.to_string(),
            status.vectors.to_string(),
            recalled.unwrap_or("-".into()),
        ]);
    }
    print!("{table}");
    println!(
        "
recalled: {}",
        recall::note(kind)
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
