//! Divisions of rows into those that are learned and those that are tested.

use std::ops::Range;

/// As many folds as the paper has, for tests as well as for choosing parameters.
pub const FOLDS: usize = 10;

/// The rows of fold `fold` of [`FOLDS`]: neighbours, as the rows are in random order. Sizes differ by one at most;
/// classes are not looked at; whether they are in the paper is not told.
pub fn fold(rows: usize, fold: usize) -> Range<usize> {
    fold * rows / FOLDS..(fold + 1) * rows / FOLDS
}

/// Some positions without those of a fold, and those of the fold.
pub fn divide(positions: &[usize], number: usize) -> (Vec<usize>, Vec<usize>) {
    let tested = fold(positions.len(), number);
    let learned = [&positions[..tested.start], &positions[tested.end..]].concat();
    (learned, positions[tested].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_are_a_partition_of_about_equal_parts() {
        for rows in [10, 106, 198, 699] {
            let positions: Vec<_> = (0..rows).rev().collect();
            let mut tested = Vec::new();
            for number in 0..FOLDS {
                let (learned, own) = divide(&positions, number);
                assert_eq!(learned.len() + own.len(), rows);
                assert!(own.iter().all(|row| !learned.contains(row)));
                assert!(learned.is_sorted_by(|a, b| a > b), "the order stays");
                assert!((rows / FOLDS..=rows.div_ceil(FOLDS)).contains(&own.len()));
                tested.extend(own);
            }
            assert_eq!(tested, positions);
        }
    }
}
