//! Numbers out of bytes.

/// Bytes that are taken from the front; zeros when there are none left.
pub struct Input<'a>(&'a [u8]);

/// Where arithmetic ends: the largest and the smallest numbers, those around one, and those that are none.
const EXTREMES: [f32; 16] = [
    0.0,
    -0.0,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    1e-45,
    -1e-45,
    1e-20,
    1e20,
    -1e20,
    1.8e19,
    1.0,
    f32::EPSILON,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

impl<'a> Input<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Input(bytes)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Up to so many bytes.
    pub fn take(&mut self, most: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(most.min(self.0.len()));
        self.0 = rest;
        taken
    }

    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }

    pub fn byte(&mut self) -> u8 {
        self.take(1).first().copied().unwrap_or(0)
    }

    pub fn word(&mut self) -> u32 {
        let mut word = [0; 4];
        let bytes = self.take(4);
        word[..bytes.len()].copy_from_slice(bytes);
        u32::from_le_bytes(word)
    }

    /// A number below `bound`, out of one byte.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }

    /// A number of any kind: usual, extreme, or any bits.
    pub fn number(&mut self) -> f32 {
        match self.byte() {
            kind @ 0..128 => (f32::from(kind) - 64.0) / 32.0,
            kind @ 128..192 => EXTREMES[usize::from(kind) % EXTREMES.len()],
            _ => f32::from_bits(self.word()),
        }
    }
}

/// The number is finite.
pub fn assert_finite(number: f32, what: &str) {
    assert!(number.is_finite(), "{what} is {number}");
}
