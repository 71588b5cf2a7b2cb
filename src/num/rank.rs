//! Comparison of two losses.

/// A number that can be ranked: a loss, a size.
pub trait Rank: Copy + crate::sealed::Sealed {
    /// Whether this one is smaller, and not by rounding only.
    fn is_less(self, than: Self) -> bool;
}

/// Losses closer than this share of themselves are a tie: their order is noise.
const TIE: f32 = 1e-6;

impl Rank for f32 {
    #[inline]
    fn is_less(self, than: f32) -> bool {
        self < than - TIE * than.abs()
    }
}

/// Integers are exact.
impl Rank for u32 {
    #[inline]
    fn is_less(self, than: u32) -> bool {
        self < than
    }
}
