//! Data files and recordings as somebody may hand them over.

use std::path::Path;

use pocketron::signal::{Motion, Vibration};
use pocketron_testkit::data::{Dataset, Recording, Rows, csv, libsvm};

use crate::Input;

pub fn run(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    match input.byte() % 3 {
        0 => rows(libsvm::read(Path::new("some.libsvm"), input.rest())),
        1 => rows(csv::read(Path::new("some.csv"), input.rest())),
        _ => recording(input.rest()),
    }
}

/// An error that names the file, or rows that come back from their own text and make a matrix or an error.
fn rows(read: Result<Rows, libsvm::ReadError>) {
    let rows = match read {
        Ok(rows) => rows,
        Err(error) => return is_clean(&error.to_string()),
    };
    let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
    let again = libsvm::read(Path::new("again.libsvm"), text.as_bytes());
    // A row without labels and features is a blank line.
    let nothing = |rows: &Rows| {
        let mut rows = rows.iter();
        rows.any(|row| row.labels().is_empty() && row.values().is_empty())
    };
    if !nothing(&rows) {
        assert_eq!(again.as_ref(), Ok(&rows));
    }
    let data = Dataset::new("some", rows);
    let Ok(dense) = data.to_dense() else {
        return;
    };
    assert_eq!((dense.len(), dense.dim), (data.len(), data.dim()));
    if let Ok((scaled, _)) = dense.standardize() {
        let _ = scaled.to_f32();
    }
    if let Ok(rounded) = dense.to_f32() {
        assert!(rounded.x.iter().all(|value| value.is_finite()));
    }
    let turned = data.clone().permuted(7);
    assert_eq!(turned.len(), data.len());
    let positive = data.with_positive(&[1.0]);
    assert!(positive.classes().len() <= 2);
}

fn recording(bytes: &[u8]) {
    let recording = match Recording::read(Path::new("some.csv"), bytes) {
        Ok(recording) => recording,
        Err(error) => return is_clean(&error.to_string()),
    };
    let mut end = 0;
    for segment in &recording.segments {
        assert!(segment.samples.start >= end && segment.samples.end <= recording.len());
        end = segment.samples.end;
        assert!(
            segment
                .class
                .is_none_or(|class| class < recording.classes.len())
        );
        assert!(
            segment
                .person
                .is_none_or(|person| person < recording.people.len())
        );
    }
    if let Ok(windows) = recording.windows_f32::<Motion<32, f32>, 3>() {
        for window in &windows {
            assert!(window.features.iter().all(|feature| feature.is_finite()));
        }
    }
    if let Ok(windows) = recording.windows_i16::<Vibration<64>, 1>() {
        for window in &windows {
            assert!(window.features.iter().all(|feature| feature.is_finite()));
        }
    }
}

/// A message has one line, names the file, is short, and moves no cursor.
fn is_clean(message: &str) {
    assert!(message.starts_with("some."), "{message}");
    assert!(message.len() < 500, "{} bytes", message.len());
    assert!(!message.chars().any(char::is_control), "{message:?}");
}
