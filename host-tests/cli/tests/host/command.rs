//! The command, and what is read out of its traces.

use serde_json::Value;

use crate::common::program::Program;

/// The command.
pub const POCKETRON: Program = Program(env!("CARGO_BIN_EXE_pocketron"));

/// Output of `pocketron trace`.
pub fn trace(arguments: &str) -> Value {
    let text = POCKETRON.printed(&format!("trace {arguments}"));
    assert_eq!(text.lines().count(), 1, "one JSON object on one line");
    serde_json::from_str(&text).expect("JSON")
}

/// A number in a trace.
pub fn number(trace: &Value, field: &str) -> u64 {
    trace[field]
        .as_u64()
        .unwrap_or_else(|| panic!("{field} of {trace}"))
}

/// A list of numbers in a trace.
pub fn numbers(trace: &Value, field: &str) -> Vec<f64> {
    let list = trace[field].as_array();
    let list = list.unwrap_or_else(|| panic!("{field} of {trace}"));
    list.iter()
        .map(|one| one.as_f64().expect("a number"))
        .collect()
}
