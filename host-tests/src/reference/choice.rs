//! Who is chosen when several are equally good: the oldest.

/// Two losses closer than this are a tie.
pub const TIE: f64 = 1e-9;

/// The place of the least loss. With the losses listed oldest first, a later one wins only if it is
/// less by at least [`TIE`].
///
/// # Panics
///
/// If there is no loss.
pub fn least(losses: &[f64]) -> usize {
    assert!(!losses.is_empty(), "nothing to choose from");
    let mut best = 0;
    for (i, loss) in losses.iter().enumerate() {
        if *loss <= losses[best] - TIE {
            best = i;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_wins_a_tie_and_only_a_tie() {
        assert_eq!(least(&[3.0, 1.0, 1.0, 2.0]), 1);
        assert_eq!(least(&[1.0, 1.0 - 1e-10, 1.0]), 0);
        assert_eq!(least(&[1.0, 1.0 - 1e-8, 1.0]), 1);
    }
}
