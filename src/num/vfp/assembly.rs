//! Assembly for the floating-point unit of Cortex-M4F, M7, M33 and their kin.
//!
//! `vmla` and `vmls` round the product and then the sum, so they are what `a + b * c` is in Rust, and the bits are those
//! of the portable loops.
//!
//! The preconditions are checked in safe code, in [`bases`] and [`exp_all`]: that every address lies inside of a slice,
//! and that no loop runs zero times, since they all test at the end.
#![allow(unsafe_code)]

use core::arch::asm;

use crate::num::{
    Base,
    exp::{CONSTANTS, exp},
};

/// Square root, rounded to the nearest: one instruction for the hundred of `libm`, which rounds as well.
#[inline(always)]
pub fn sqrt(x: f32) -> f32 {
    let mut bits = x.to_bits();
    // SAFETY: changes two registers that it says it changes.
    unsafe {
        asm!(
            "vmov s0, {bits}",
            "vsqrt.f32 s0, s0",
            "vmov {bits}, s0",
            bits = inout(reg) bits,
            out("s0") _,
            options(pure, nomem, nostack),
        );
    }
    f32::from_bits(bits)
}

/// Base numbers of `x` with the stored vectors from `first` on, as many as `out` has room for.
///
/// `columns` holds their first features, `stride` entries further their second ones, and so on. Returns how many
/// entries of `out` are done: all, or none when there are fewer than four vectors or `columns` is too short.
#[inline]
pub fn bases(
    base: Base,
    columns: &[f32],
    stride: usize,
    first: usize,
    x: &[f32],
    out: &mut [f32],
) -> usize {
    let end = first.saturating_add(out.len());
    let reach = x.len().saturating_sub(1).saturating_mul(stride);
    let inside = reach.saturating_add(end) <= columns.len();
    if !inside || x.is_empty() || end < 4 {
        return 0;
    }
    // SAFETY: there is a feature, and all entries of `first..end`, in every column, lie inside of `columns`.
    unsafe {
        match base {
            Base::Distance => distances(columns, stride, first, x, out),
            Base::Product => products(columns, stride, first, x, out),
        }
    }
    out.len()
}

/// One feature of some vectors, from their column into their sums.
macro_rules! lanes {
    (distance, $x:literal, $load:literal, $($sum:literal $operand:literal),*) => {
        concat!(
            "vldmia {column}!, {{", $load, "}}\n",
            $("vsub.f32 ", $operand, ", ", $x, ", ", $operand, "\n",)*
            $("vmla.f32 ", $sum, ", ", $operand, ", ", $operand, "\n",)*
        )
    };
    (product, $x:literal, $load:literal, $($sum:literal $operand:literal),*) => {
        concat!(
            "vldmia {column}!, {{", $load, "}}\n",
            $("vmla.f32 ", $sum, ", ", $x, ", ", $operand, "\n",)*
        )
    };
}

/// One feature of a whole block, that of `x` being in the register `$x`. Sixteen sums, eight operands and two
/// features take 26 of the 32 registers.
macro_rules! feature {
    ($base:ident, $x:literal, 16) => {
        concat!(
            lanes!($base, $x, "s16-s23", "s0" "s16", "s1" "s17", "s2" "s18", "s3" "s19",
                                         "s4" "s20", "s5" "s21", "s6" "s22", "s7" "s23"),
            lanes!($base, $x, "s16-s23", "s8" "s16", "s9" "s17", "s10" "s18", "s11" "s19",
                                         "s12" "s20", "s13" "s21", "s14" "s22", "s15" "s23"),
            "add {column}, {column}, {step}",
        )
    };
    ($base:ident, $x:literal, 4) => {
        concat!(
            lanes!($base, $x, "s16-s19", "s0" "s16", "s1" "s17", "s2" "s18", "s3" "s19"),
            "add {column}, {column}, {step}",
        )
    };
}

/// Blocks of `$lanes` neighbouring vectors, whose sums are the registers `$sums`.
macro_rules! blocks {
    ($base:ident, $lanes:tt, $sums:literal, $column:expr, $stride:expr, $x:expr, $out:expr) => {
        asm!(
            // A block: sums of zero, back to the first feature.
            "2:",
            concat!("vldmia {zeros}, {{", $sums, "}}"),
            "mov {column}, {block}",
            "mov {feature}, {x}",
            // Two features a turn. If their number is odd, the first turn has only the second.
            "lsrs {left}, {features}, #1",
            "bcc 3f",
            "add {left}, {left}, #1",
            "vldmia {feature}!, {{s25}}",
            "b 4f",
            "3:",
            "vldmia {feature}!, {{s24-s25}}",
            feature!($base, "s24", $lanes),
            "4:",
            feature!($base, "s25", $lanes),
            "subs {left}, {left}, #1",
            "bne 3b",
            concat!("vstmia {out}!, {{", $sums, "}}"),
            concat!("add {block}, {block}, #4 * ", $lanes),
            "subs {blocks}, {blocks}, #1",
            "bne 2b",
            zeros = in(reg) &ZEROS,
            block = inout(reg) $column => _,
            step = in(reg) (4 * $stride).wrapping_sub(4 * $lanes),
            x = in(reg) $x.as_ptr(),
            features = in(reg) $x.len(),
            out = inout(reg) $out.as_mut_ptr() => _,
            blocks = inout(reg) $out.len() => _,
            column = out(reg) _,
            feature = out(reg) _,
            left = out(reg) _,
            out("s0") _, out("s1") _, out("s2") _, out("s3") _,
            out("s4") _, out("s5") _, out("s6") _, out("s7") _,
            out("s8") _, out("s9") _, out("s10") _, out("s11") _,
            out("s12") _, out("s13") _, out("s14") _, out("s15") _,
            out("s16") _, out("s17") _, out("s18") _, out("s19") _,
            out("s20") _, out("s21") _, out("s22") _, out("s23") _,
            out("s24") _, out("s25") _,
            options(nostack),
        )
    };
}

/// Sums to begin with: one instruction instead of sixteen.
static ZEROS: [f32; 16] = [0.0; 16];

macro_rules! define {
    ($name:ident, $base:ident) => {
        /// Sums over the features, first to last, of sixteen vectors at a time and the rest in fours.
        ///
        /// # Safety
        ///
        /// There is at least one feature, there are at least four vectors in front of `first + out.len()`, and
        /// `stride * (x.len() - 1) + first + out.len()` is at most the length of `columns`.
        #[inline(never)]
        unsafe fn $name(columns: &[f32], stride: usize, first: usize, x: &[f32], out: &mut [f32]) {
            let end = first + out.len();
            let (sixteens, rest) = out.as_chunks_mut::<16>();
            let (fours, rest) = rest.as_chunks_mut::<4>();
            let mut slot = first;
            // SAFETY: by the contract above every load lies inside of `columns` or `x`, every store inside of
            // the blocks, of which there is at least one, and all registers that change are named.
            unsafe {
                if !sixteens.is_empty() {
                    let column = columns.as_ptr().add(slot);
                    blocks!($base, 16, "s0-s15", column, stride, x, sixteens);
                    slot += 16 * sixteens.len();
                }
                if !fours.is_empty() {
                    let column = columns.as_ptr().add(slot);
                    blocks!($base, 4, "s0-s3", column, stride, x, fours);
                }
                if !rest.is_empty() {
                    // The last four once more, of which some are new.
                    let mut four = [[0.0; 4]; 1];
                    let column = columns.as_ptr().add(end - 4);
                    blocks!($base, 4, "s0-s3", column, stride, x, four);
                    let new = four.as_flattened().iter().rev();
                    for (number, sum) in rest.iter_mut().rev().zip(new) {
                        *number = *sum;
                    }
                }
            }
        }
    };
}

define!(distances, distance);
define!(products, product);

/// Replaces every `v` by `exp(scale * v)`, whose argument must not be positive; what the portable
/// [`exp`](crate::num::math::exp()) gives, bit for bit.
#[inline(never)]
pub fn exp_all(values: &mut [f32], scale: f32) {
    let (pairs, rest) = values.as_chunks_mut::<2>();
    if !pairs.is_empty() {
        // SAFETY: there is a pair; only pairs are loaded and stored, and all registers that change are named.
        unsafe {
            asm!(
                "vldmia {constants}, {{s16-s25}}",
                "vmov s26, {scale}",
                "2:",
                "vldmia {pair}, {{s0-s1}}",
                "vmul.f32 s0, s0, s26",
                "vmul.f32 s1, s1, s26",
                // The lower limit; `mi`, not `lt`, hands NaN through.
                "vcmp.f32 s0, s16",
                "vmrs apsr_nzcv, fpscr",
                "it mi",
                "vmovmi.f32 s0, s16",
                "vcmp.f32 s1, s16",
                "vmrs apsr_nzcv, fpscr",
                "it mi",
                "vmovmi.f32 s1, s16",
                // n + 127 into the lowest byte, and n.
                "vmul.f32 s2, s0, s17",
                "vmul.f32 s3, s1, s17",
                "vadd.f32 s2, s2, s18",
                "vadd.f32 s3, s3, s18",
                "vsub.f32 s4, s2, s18",
                "vsub.f32 s5, s3, s18",
                // r = x - n ln 2
                "vmls.f32 s0, s4, s19",
                "vmls.f32 s1, s5, s19",
                "vmls.f32 s0, s4, s20",
                "vmls.f32 s1, s5, s20",
                // s = ((C5 r + C4) r + C3) r + C2
                "vmul.f32 s4, s0, s21",
                "vmul.f32 s5, s1, s21",
                "vadd.f32 s4, s4, s22",
                "vadd.f32 s5, s5, s22",
                "vmul.f32 s4, s4, s0",
                "vmul.f32 s5, s5, s1",
                "vadd.f32 s4, s4, s23",
                "vadd.f32 s5, s5, s23",
                "vmul.f32 s4, s4, s0",
                "vmul.f32 s5, s5, s1",
                "vadd.f32 s4, s4, s24",
                "vadd.f32 s5, s5, s24",
                // p = 1 + (r + r^2 s)
                "vmul.f32 s6, s0, s0",
                "vmul.f32 s7, s1, s1",
                "vmla.f32 s0, s6, s4",
                "vmla.f32 s1, s7, s5",
                "vadd.f32 s0, s0, s25",
                "vadd.f32 s1, s1, s25",
                // times 2^n
                "vmov {low}, {high}, s2, s3",
                "lsl {low}, {low}, #23",
                "lsl {high}, {high}, #23",
                "vmov s2, s3, {low}, {high}",
                "vmul.f32 s0, s0, s2",
                "vmul.f32 s1, s1, s3",
                "vstmia {pair}!, {{s0-s1}}",
                "subs {left}, {left}, #1",
                "bne 2b",
                constants = in(reg) &CONSTANTS,
                pair = inout(reg) pairs.as_mut_ptr() => _,
                left = inout(reg) pairs.len() => _,
                low = out(reg) _,
                high = out(reg) _,
                scale = in(reg) scale.to_bits(),
                out("s0") _, out("s1") _, out("s2") _, out("s3") _,
                out("s4") _, out("s5") _, out("s6") _, out("s7") _,
                out("s16") _, out("s17") _, out("s18") _, out("s19") _,
                out("s20") _, out("s21") _, out("s22") _, out("s23") _,
                out("s24") _, out("s25") _, out("s26") _,
                options(nostack),
            );
        }
    }
    for value in rest {
        *value = exp(scale * *value);
    }
}
