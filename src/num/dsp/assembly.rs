//! Assembly for the instructions of Cortex-M4 and M7 on pairs of 16 bits.
//!
//! Four vectors at a time, so that what is loaded of `x` serves four of them, and the loop's own instructions are shared.
//! Loads of single words may be unaligned on these cores, those of two words not.
//!
//! The types determine the addresses that are read: `D` features of `x`, and four vectors of `D` features.
#![allow(unsafe_code)]

use core::{arch::asm, mem::MaybeUninit};

use crate::num::Fixed;

/// Squared distances of `x` to the vectors in `rows`, as many as `out` has room for, over the first features only:
/// returns how many, all but the last three at most; or zero, with `out` as it was, when there are too few of anything.
#[inline]
pub fn of_bytes<const D: usize>(x: &[i8; D], rows: &[[i8; D]], out: &mut [Fixed]) -> usize {
    if D < 4 || rows.len() < out.len() || out.len() < 4 {
        return 0;
    }
    let x = Halfwords::negated(x);
    in_fours(rows, out, |rows| four_of_bytes(&x, rows));
    D / 4 * 4
}

/// The same for pairs of features, whose differences must have room in 16 bits: those of vectors of
/// one feature need not.
#[inline]
pub fn of_halfwords<const D: usize>(x: &[i16; D], rows: &[[i16; D]], out: &mut [Fixed]) -> usize {
    if D < 2 || rows.len() < out.len() || out.len() < 4 {
        return 0;
    }
    in_fours(rows, out, |rows| four_of_halfwords(x, rows));
    D / 2 * 2
}

/// Four vectors at a time; the last four may have been done in part.
#[inline(always)]
fn in_fours<F, const D: usize>(
    rows: &[[F; D]],
    out: &mut [Fixed],
    four: impl Fn(&[[F; D]; 4]) -> [i32; 4],
) {
    let rows = rows.get(..out.len()).unwrap_or_default();
    let (fours, rest) = out.as_chunks_mut::<4>();
    for (sums, rows) in fours.iter_mut().zip(rows.as_chunks().0) {
        *sums = four(rows).map(Fixed::from_raw);
    }
    if !rest.is_empty()
        && let Some(rows) = rows.last_chunk()
        && let Some(sums) = out.last_chunk_mut()
    {
        *sums = four(rows).map(Fixed::from_raw);
    }
}

/// The features of `x` times -1, in 16 bits: 0 and 2, 1 and 3, 4 and 6, 5 and 7 ... without the last few.
#[repr(align(4))]
struct Halfwords<const D: usize>(MaybeUninit<[i16; D]>);

impl<const D: usize> Halfwords<D> {
    #[inline(always)]
    fn negated(x: &[i8; D]) -> Self {
        let mut words = Halfwords(MaybeUninit::uninit());
        if D >= 4 {
            // SAFETY: there are four features, in each turn four are read and four written, as often as there are
            // four; `words` is aligned.
            unsafe {
                asm!(
                    "2:",
                    "ldr {even}, [{x}], #4",
                    "sxtb16 {odd}, {even}, ror #8",
                    "sxtb16 {even}, {even}",
                    "ssub16 {odd}, {zero}, {odd}",
                    "ssub16 {even}, {zero}, {even}",
                    "strd {even}, {odd}, [{words}], #8",
                    "subs {left}, {left}, #1",
                    "bne 2b",
                    x = inout(reg) x.as_ptr() => _,
                    words = inout(reg) words.0.as_mut_ptr() => _,
                    left = inout(reg) D / 4 => _,
                    zero = in(reg) 0,
                    even = out(reg) _,
                    odd = out(reg) _,
                    options(nostack),
                );
            }
        }
        words
    }
}

/// Sums over the features of four vectors. What is done in each of the `$turns` is `$turn`, which goes on by a word in every
/// vector; vectors are `$bytes` apart.
macro_rules! four_vectors {
    ($turn:ident, $x:expr, $rows:expr, $bytes:expr, $turns:expr, $($register:ident),*) => {{
        let (a, b, c, d): (i32, i32, i32, i32);
        asm!(
            // Two turns at a time. If their number is odd, the first time has only the second.
            "lsrs {left}, {left}, #1",
            "bcc 2f",
            "add {left}, {left}, #1",
            "b 3f",
            "2:",
            $turn!(),
            "3:",
            $turn!(),
            "subs {left}, {left}, #1",
            "bne 2b",
            x = inout(reg) $x => _,
            row = inout(reg) $rows.as_ptr() => _,
            stride = in(reg) $bytes,
            thrice = in(reg) 3 * $bytes,
            left = inout(reg) $turns => _,
            a = inout(reg) 0 => a,
            b = inout(reg) 0 => b,
            c = inout(reg) 0 => c,
            d = inout(reg) 0 => d,
            $($register = out(reg) _,)*
            options(nostack, readonly),
        );
        [a, b, c, d]
    }};
}

/// Four features of one vector, at `$address`: added to those of `x` times -1, squared, added up.
macro_rules! four_features {
    ($sum:literal, $address:literal) => {
        concat!(
            "ldr {odd}, ",
            $address,
            "\n",
            "sxtab16 {even}, {x_even}, {odd}\n",
            "sxtab16 {odd}, {x_odd}, {odd}, ror #8\n",
            "smlad ",
            $sum,
            ", {even}, {even}, ",
            $sum,
            "\n",
            "smlad ",
            $sum,
            ", {odd}, {odd}, ",
            $sum,
            "\n",
        )
    };
}

/// Four features of four vectors.
macro_rules! four_of_four {
    () => {
        concat!(
            "ldrd {x_even}, {x_odd}, [{x}], #8\n",
            four_features!("{b}", "[{row}, {stride}]"),
            four_features!("{c}", "[{row}, {stride}, lsl #1]"),
            four_features!("{d}", "[{row}, {thrice}]"),
            four_features!("{a}", "[{row}], #4"),
        )
    };
}

/// Squared distances over all features but the last three at most, of at least four.
#[inline(always)]
fn four_of_bytes<const D: usize>(x: &Halfwords<D>, rows: &[[i8; D]; 4]) -> [i32; 4] {
    if D < 4 {
        return [0; 4];
    }
    // SAFETY: `x` and every row is read from its start to the last multiple of four, of which there is one,
    // and `x` is aligned.
    unsafe {
        let x = x.0.as_ptr();
        four_vectors!(four_of_four, x, rows, D, D / 4, x_even, x_odd, even, odd)
    }
}

/// Two features of one vector: those of `x` taken off, squared, added up.
macro_rules! two_features {
    ($sum:literal, $address:literal) => {
        concat!(
            "ldr {both}, ",
            $address,
            "\n",
            "ssub16 {both}, {both}, {x_both}\n",
            "smlad ",
            $sum,
            ", {both}, {both}, ",
            $sum,
            "\n",
        )
    };
}

/// Two features of four vectors.
macro_rules! two_of_four {
    () => {
        concat!(
            "ldr {x_both}, [{x}], #4\n",
            two_features!("{b}", "[{row}, {stride}]"),
            two_features!("{c}", "[{row}, {stride}, lsl #1]"),
            two_features!("{d}", "[{row}, {thrice}]"),
            two_features!("{a}", "[{row}], #4"),
        )
    };
}

/// Squared distances over all features but the last, if their number is odd, of at least two.
#[inline(always)]
fn four_of_halfwords<const D: usize>(x: &[i16; D], rows: &[[i16; D]; 4]) -> [i32; 4] {
    if D < 2 {
        return [0; 4];
    }
    // SAFETY: `x` and every row is read from its start to the last multiple of two, of which there is one.
    unsafe {
        let x = x.as_ptr();
        four_vectors!(two_of_four, x, rows, 2 * D, D / 2, x_both, both)
    }
}
