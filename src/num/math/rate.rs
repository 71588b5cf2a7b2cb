//! Products of integers and a real factor, without floating point.

/// A real factor for many integers: one 32-bit product each.
///
/// The result is off by at most 2^-15 of itself plus 2^15, and saturates at `u32::MAX`. Products
/// should therefore be large: for small ones, shift the factor up first.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// Multiplier of a shifted number.
    digits: u32,
    /// Bits that a number has too many.
    shift: u32,
    /// The largest shifted number whose product has room.
    farthest: u32,
}

/// Bits of a rate.
const DIGITS: i32 = 16;

impl Rate {
    /// A positive factor. Only bits are looked at: this is done for every prediction.
    #[inline]
    pub fn new(rate: f32) -> Self {
        // `rate = mantissa * 2^(exponent - 23)`, and the mantissa has 24 digits.
        let exponent = (rate.to_bits() >> 23) as i32 - 127;
        let mantissa = (rate.to_bits() & 0x7f_ffff) | 0x80_0000;
        let (digits, shift) = match exponent {
            ..DIGITS => {
                let digits = (mantissa + 0x80) >> 8;
                (digits, (DIGITS - 1 - exponent).min(31) as u32)
            }
            DIGITS..32 => (mantissa >> 8 << (exponent - DIGITS + 1), 0),
            _ => (u32::MAX, 0),
        };
        Rate {
            digits,
            shift,
            farthest: u32::MAX / digits.max(1),
        }
    }

    /// Multiplier of a number that was shifted right by so many bits, half of what is cut off added before.
    pub fn digits_and_shift(self) -> (u32, u32) {
        (self.digits, self.shift)
    }

    /// `number * rate` for a number below 2^31; `u32::MAX` if that has no room.
    #[inline(always)]
    pub fn times(self, number: u32) -> u32 {
        let shifted = self.shifted(number);
        if shifted > self.farthest {
            u32::MAX
        } else {
            shifted * self.digits
        }
    }

    /// Whether products that have no room end in the uppermost 32nd part with [`Rate::times_or_far`].
    #[inline(always)]
    pub(crate) fn is_gentle(self) -> bool {
        self.digits <= 1 << 27
    }

    /// Like [`Rate::times`], an instruction shorter: what has no room ends less than the factor below `u32::MAX`.
    #[inline(always)]
    pub(crate) fn times_or_far(self, number: u32) -> u32 {
        self.shifted(number).min(self.farthest) * self.digits
    }

    #[inline(always)]
    fn shifted(self, number: u32) -> u32 {
        // Half of what is cut off, so that the error goes both ways.
        let half = (1_u32 << self.shift) >> 1;
        number.wrapping_add(half) >> self.shift
    }
}

#[cfg(test)]
mod tests {
    use super::Rate;

    #[test]
    fn products_are_scaled_and_saturate() {
        let rate = Rate::new(0.75 * (1 << 16) as f32);
        assert_eq!(rate.times(1000) >> 16, 750);
        assert_eq!(Rate::new(1e6).times(1_000_000), u32::MAX);
    }
}
