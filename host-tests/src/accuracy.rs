//! How accurate the numeric functions are, as data, and what they are measured against.
//!
//! A bound stands in [`BOUNDS`] or nowhere: tests look it up by name. It must be kept, and it must not be
//! generous, see [`Bound::check`].

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the core's function of that name is measured against; shares nothing with it.
pub use crate::reference::beta::weight as probability_above_half;

/// The error allowed to one function over one range.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// Name by which a test asks for it.
    pub function: &'static str,
    /// Whether the error is divided by the exact value.
    pub relative: bool,
    /// The largest error allowed.
    pub allowed: f64,
    /// Smallest argument for which it holds.
    pub from: f32,
    /// Largest argument for which it holds.
    pub to: f32,
}

const fn relative(function: &'static str, allowed: f64, from: f32, to: f32) -> Bound {
    Bound {
        function,
        relative: true,
        allowed,
        from,
        to,
    }
}

const fn absolute(function: &'static str, allowed: f64, from: f32, to: f32) -> Bound {
    Bound {
        function,
        relative: false,
        allowed,
        from,
        to,
    }
}

/// Function, allowed error, range of its arguments.
pub const BOUNDS: &[Bound] = &[
    relative("Fast::exp", 2.0e-7, -87.3, 88.3),
    relative("Precise::exp", 8.0e-8, -87.3, 88.7),
    relative("Micro::exp", 2.5e-3, -87.3, 88.7),
    relative("Precise::sqrt", 6.0e-8, f32::MIN_POSITIVE, f32::MAX),
    relative("Micro::sqrt", 2.0e-3, f32::MIN_POSITIVE, f32::MAX),
    absolute("log2", 4.0e-6, f32::MIN_POSITIVE, f32::MAX),
    relative("log2, of more than two", 1.0e-7, 2.0, f32::MAX),
    absolute("probability_above_half", 2.0e-6, 0.0, 1e6),
    absolute("probability_above_half, complement", 1.0e-7, 0.0, 1e6),
    absolute("probability_above_half, step back", 1.0e-7, 0.0, 1e6),
    absolute("reference probability", 1.0e-8, 0.0, 1e6),
];

/// The bound of that name.
///
/// # Panics
///
/// If the table has no such entry.
#[must_use]
pub fn bound(function: &str) -> &'static Bound {
    let found = BOUNDS.iter().find(|b| b.function == function);
    found.unwrap_or_else(|| panic!("no bound for {function}"))
}

impl Bound {
    /// The error of `actual` in this bound's measure.
    #[must_use]
    pub fn error(&self, actual: f64, exact: f64) -> f64 {
        let error = (actual - exact).abs();
        if self.relative {
            error / exact.abs()
        } else {
            error
        }
    }

    /// Fails if the worst error exceeds the bound, but also if it stays so far below that the bound says nothing.
    ///
    /// # Panics
    ///
    /// In both cases, with the argument at fault.
    pub fn check(&self, worst: Worst) {
        let Self {
            function, allowed, ..
        } = self;
        let Worst { error, at } = worst;
        println!("{function}: {error:.3e} at {at:?}, allowed {allowed:.1e}");
        assert!(
            error <= *allowed,
            "{function}: {error:e} at {at:?} exceeds {allowed:e}"
        );
        assert!(
            error >= allowed / 20.0,
            "{function}: only {error:e}, tighten {allowed:e}"
        );
    }
}

/// The largest error met, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst {
    /// The error.
    pub error: f64,
    /// The argument or arguments; the second is 0 for a function of one.
    pub at: (f32, f32),
}

impl Worst {
    /// Nothing met yet.
    pub const NONE: Self = Self {
        error: 0.0,
        at: (0.0, 0.0),
    };

    /// The worse of the two. An error that is NaN is the worst of all.
    #[must_use]
    pub fn or(self, error: f64, at: (f32, f32)) -> Self {
        let error = if error.is_nan() { f64::INFINITY } else { error };
        if error > self.error {
            Self { error, at }
        } else {
            self
        }
    }
}

/// Counts the floats in ascending order: -inf gives the least number, and -0 comes just before 0.
fn rank(x: f32) -> u32 {
    let bits = x.to_bits();
    if x.is_sign_negative() {
        !bits
    } else {
        bits | 1 << 31
    }
}

fn float_of(rank: u32) -> f32 {
    f32::from_bits(if rank >> 31 == 1 {
        rank & !(1 << 31)
    } else {
        !rank
    })
}

/// The largest number of floats that [`sweep`] shows at once.
pub const BLOCK: usize = 4096;

/// Shows every `stride`-th `f32` from `from` to `to` (with a stride of 1: each one), in ascending blocks, to `look`,
/// on all cores; returns the worst that `look` found. A block begins with the last float of the one before, so no
/// pair of neighbours is missed.
pub fn sweep(from: f32, to: f32, stride: u32, look: impl Fn(&[f32]) -> Worst + Sync) -> Worst {
    const STEPS: u64 = BLOCK as u64 - 1;
    let (first, last) = (u64::from(rank(from)), u64::from(rank(to)));
    let stride = u64::from(stride);
    let next = AtomicU64::new(first);
    let worst = Mutex::new(Worst::NONE);
    let work = || {
        let mut mine = Worst::NONE;
        let mut block = [0.0; BLOCK];
        loop {
            let start = next.fetch_add(STEPS * stride, Ordering::Relaxed);
            if start > last {
                break;
            }
            let steps = STEPS.min((last - start) / stride);
            let block = &mut block[..=steps as usize];
            for (i, x) in block.iter_mut().enumerate() {
                // Wrapping, since a checked sum would keep this loop from vectorising.
                *x = float_of((start as u32).wrapping_add((i as u32).wrapping_mul(stride as u32)));
            }
            let found = look(block);
            mine = mine.or(found.error, found.at);
        }
        let mut worst = worst.lock().unwrap();
        *worst = worst.or(mine.error, mine.at);
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    worst.into_inner().unwrap()
}
