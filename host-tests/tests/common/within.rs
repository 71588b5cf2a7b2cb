//! Figures of the papers, and how near they must be met.

/// Between two figures, which are printed with what was measured.
pub fn within(what: &str, value: f64, low: f64, high: f64) {
    println!("{what}: {value:.2} ({low} to {high})");
    assert!(
        (low..=high).contains(&value),
        "{what}: {value:.3} is not in {low}..={high}"
    );
}
