//! Counts what a sample costs, and the end of a window.
//!
//! A line for each front end: `name,features,ram,mean,worst,window,score`: mean and worst sample that ends no window, then the
//! worst that does, and the sum of all features as a check that every core computes the same.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
#[path = "../../../../examples/platform/mod.rs"]
#[macro_use]
mod platform;
#[cfg(target_os = "none")]
#[path = "counting/clock.rs"]
mod clock;
#[cfg(target_os = "none")]
#[path = "../signals/mod.rs"]
mod signals;

#[cfg(target_os = "none")]
mod run {
    use core::{
        fmt::{self, Write},
        hint::black_box,
    };

    use pocketron::signal::{FrontEnd, Motion, Vibration};

    use crate::{
        clock::Clock,
        platform::Console,
        signals::{Everything, Movement, Spectra},
    };

    pub fn count(console: &mut Console) -> fmt::Result {
        let clock = Clock::start();
        measure::<Motion<128>>(console, &clock, "Motion<128>", |sample| sample)?;
        measure::<Vibration<128>>(console, &clock, "Vibration<128>", |[x, _, _]| [x])?;
        measure::<Everything<i16>>(console, &clock, "everything in i16", |sample| sample)?;
        measure::<Everything<f32>>(console, &clock, "everything in f32", in_g)?;
        measure::<Spectra<i16>>(console, &clock, "spectrum in i16", |sample| sample)
    }

    fn in_g(sample: [i16; 3]) -> [f32; 3] {
        sample.map(|axis| f32::from(axis) / 1000.0)
    }

    fn measure<F: FrontEnd>(
        console: &mut Console,
        clock: &Clock,
        name: &str,
        convert: impl Fn([i16; 3]) -> F::Sample,
    ) -> fmt::Result {
        let mut front_end = F::BLANK;
        let (mut sum, mut samples, mut worst, mut window, mut score) = (0, 0, 0, 0, 0.0_f32);
        for milli_g in Movement::new(7).take(1024) {
            let sample = convert(milli_g);
            let (count, features) = clock.count(|| push(&mut front_end, &sample));
            match features {
                Some(features) => {
                    score = features.as_ref().iter().fold(score, |sum, x| sum + x);
                    window = count.max(window);
                }
                None => {
                    (sum, samples) = (sum + count, samples + 1);
                    worst = count.max(worst);
                }
            }
        }
        let (features, ram, mean) = (F::FEATURES, size_of::<F>(), sum / samples);
        let score = score.to_bits();
        writeln!(
            console,
            "{name},{features},{ram},{mean},{worst},{window},{score:08x}"
        )
    }

    /// A function of its own, as a firmware would have it.
    #[inline(never)]
    fn push<F: FrontEnd>(front_end: &mut F, sample: &F::Sample) -> Option<F::Features> {
        black_box(front_end).push(black_box(sample))
    }
}

#[cfg(target_os = "none")]
run_demo!(run::count);

#[cfg(not(target_os = "none"))]
fn main() {
    println!("counts instructions on an emulated board: `cargo xtask bench device`");
}
