//! What a run comes to, in 64 bits. Each example uses a part of this.
#![allow(dead_code)]

use pocketron::persist::{self, Persist};

use crate::sensor::{FEATURES, Readings, features};

/// FNV-1a with 64 bits: tiny, and every bit of the input counts.
pub struct Hash(pub u64);

impl Hash {
    /// Nothing fed yet.
    pub const START: Self = Hash(0xCBF2_9CE4_8422_2325);

    /// Takes 32 bits in.
    pub fn feed(&mut self, word: u32) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

/// All that the model knows goes into the hash: every target must write the same image.
pub fn feed_image(hash: &mut Hash, model: &dyn Persist) {
    let mut piece = [0; 256];
    for offset in (0..persist::len(model)).step_by(piece.len()) {
        piece.fill(0);
        persist::fill(model, offset, &mut piece);
        for word in piece.as_chunks().0 {
            hash.feed(u32::from_le_bytes(*word));
        }
    }
}

/// Samples that the learners have not seen, on which their histories speak.
pub fn unseen() -> impl Iterator<Item = [f32; FEATURES]> {
    let mut readings = Readings::new(99);
    core::iter::repeat_with(move || features(readings.sample())).take(200)
}
