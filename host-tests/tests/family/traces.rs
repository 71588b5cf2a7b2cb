//! Traces of learners as the command line runs them, and the sets they learn.

use pocketron_testkit::data::{Dense, DenseData};
use serde_json::Value;

use crate::common::files;

/// A set that the repository carries.
pub fn committed(name: &str) -> DenseData {
    let set = files::committed().load(name);
    let set = set.unwrap_or_else(|error| panic!("{error}"));
    set.binary(None)
        .expect("two classes")
        .to_dense()
        .expect("small")
}

/// The same set as the core takes it.
pub fn single(data: &DenseData) -> Dense<f32> {
    data.to_f32().expect("small numbers")
}

/// A whole number of a trace.
pub fn number(trace: &Value, field: &str) -> u64 {
    trace[field]
        .as_u64()
        .unwrap_or_else(|| panic!("{field} of {trace}"))
}

/// A list of numbers of a trace.
pub fn numbers(trace: &Value, field: &str) -> Vec<f64> {
    let values = trace[field].as_array().unwrap_or_else(|| panic!("{field}"));
    values
        .iter()
        .map(|value| value.as_f64().expect("a number"))
        .collect()
}

/// The trace as the command line prints it.
pub fn json(trace: impl serde::Serialize) -> Value {
    serde_json::to_value(trace).expect("a trace")
}

/// `a . b`
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
