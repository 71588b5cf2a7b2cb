//! Ctrl-C ends what is under way in good order.

use std::{
    sync::{
        Once,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

static WANTED: AtomicBool = AtomicBool::new(false);
static GENTLE: AtomicBool = AtomicBool::new(false);

/// From here on Ctrl-C does not leave an emulator behind.
pub fn cleanly() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without a handler Ctrl-C still ends the program, only less cleanly.
        let _ = ctrlc::set_handler(|| {
            let again = WANTED.swap(true, Ordering::Relaxed);
            if again || !GENTLE.load(Ordering::Relaxed) {
                crate::device::qemu::end_all();
                std::process::exit(130);
            }
        });
    });
}

/// From here on Ctrl-C only asks to stop; a second one ends the program at once.
pub fn on_request() {
    GENTLE.store(true, Ordering::Relaxed);
}

/// Whether the user wants to stop.
pub fn is_wanted() -> bool {
    WANTED.load(Ordering::Relaxed)
}

/// Sleeps, unless the user wants to stop.
pub fn or_sleep(time: Duration) {
    let end = Instant::now() + time;
    while !is_wanted() && Instant::now() < end {
        let rest = end.saturating_duration_since(Instant::now());
        std::thread::sleep(rest.min(Duration::from_millis(50)));
    }
}
