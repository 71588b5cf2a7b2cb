//! The platform of a bare program: nothing but a model, and the runtime that every program has.
//!
//! `cargo xtask size` measures the flash of these programs, and that of the runtime alone is taken off. Samples come from
//! [`black_box`], which stands for a sensor: the optimiser knows neither them nor whether anybody reads the answers.

use core::hint::black_box;

#[cfg(target_os = "none")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// A sample that the optimiser does not know.
#[allow(dead_code, reason = "the runtime alone has no sensor")]
pub fn sample<const D: usize>() -> [f32; D] {
    black_box([0.5; D])
}

/// Declares the entry point: a model in a `static`, where it is built in place, and what is done with it over and over.
macro_rules! bare {
    ($model:ty, $new:expr, $step:path) => {
        #[cfg(not(target_os = "none"))]
        fn main() {
            let mut model: $model = $new;
            $step(&mut model);
        }

        #[cfg(target_os = "none")]
        #[cortex_m_rt::entry]
        fn main() -> ! {
            static mut MODEL: $model = $new;
            loop {
                $step(MODEL);
            }
        }
    };
}
