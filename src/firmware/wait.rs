//! Waiting for hardware, but not for ever.

/// Asks until the answer is yes, or until `patience` has been used up, one per question.
pub fn until(patience: &mut u32, mut ready: impl FnMut() -> bool) -> bool {
    loop {
        if ready() {
            return true;
        }
        let Some(left) = patience.checked_sub(1) else {
            return false;
        };
        *patience = left;
    }
}
