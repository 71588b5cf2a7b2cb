//! Recall in tables.

use pocketron::device::message::RecallKind;

/// Heading of the column.
pub const HEADING: &str = "leave-one-out";

/// Explanation of the column, below the table.
pub const NOTE: &str = "leave-one-out on stored vectors (hard ones): how many of them the model without them classifies right.\n\
                        Stored vectors lie near the class boundaries, so expect far less than the accuracy on new examples.";

/// Explanation of a recall by its kind.
pub fn note(kind: RecallKind) -> &'static str {
    match kind {
        RecallKind::LeaveOneOut => NOTE,
        RecallKind::HeldOut => {
            "on examples held out: they were taught, but not learned, and say what new ones would."
        }
    }
}

/// Vectors that are classified right, in percent of those stored; nothing without any.
pub fn cell(right: u32, vectors: u32) -> Option<String> {
    let percent = 100.0 * f64::from(right) / f64::from(vectors);
    (vectors > 0).then(|| format!("{right} ({percent:.0} %)"))
}
