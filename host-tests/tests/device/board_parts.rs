//! The hardware-free parts of a board: the queue of received bytes and the clock.

use std::thread;

use pocketron::device::{Clock, RxQueue};
use proptest::prelude::*;

proptest! {
    /// Against a queue that cannot be wrong, past several turns of the indices.
    #[test]
    fn a_line_keeps_the_order_and_counts_what_it_drops(
        steps in prop::collection::vec(prop::option::of(any::<u8>()), 0..400),
    ) {
        let line = RxQueue::<8>::new();
        let (mut expected, mut dropped) = (std::collections::VecDeque::new(), 0);
        for step in steps {
            match step {
                Some(byte) if expected.len() < 8 => {
                    line.put(byte);
                    expected.push_back(byte);
                }
                Some(byte) => {
                    line.put(byte);
                    dropped += 1;
                }
                None => prop_assert_eq!(line.take(), expected.pop_front()),
            }
            prop_assert_eq!(line.is_empty(), expected.is_empty());
            prop_assert_eq!(line.dropped(), dropped);
        }
    }

    /// The counter wraps; the sum of what was read in between does not.
    #[test]
    fn a_clock_counts_the_turns_and_loses_no_fraction(
        start: u32,
        pauses in prop::collection::vec(any::<u32>(), 1..50),
    ) {
        let mut clock = Clock::<125>::starting_at(start);
        let mut ticks = 0_u64;
        for pause in pauses {
            ticks += u64::from(pause);
            let counter = start.wrapping_add(ticks as u32);
            prop_assert_eq!(clock.ms(counter), ticks / 125);
        }
    }
}

/// As on a device, where an interrupt puts while the loop takes; but this interrupt puts
/// again what was dropped, so that all of it must arrive.
#[test]
fn what_one_thread_puts_another_takes_in_order() {
    static LINE: RxQueue<16> = RxQueue::new();
    const BYTES: usize = 100_000;
    let sent = |index: usize| (index % 251) as u8;
    let sender = thread::spawn(move || {
        for index in 0..BYTES {
            let mut before = LINE.dropped();
            LINE.put(sent(index));
            while LINE.dropped() != before {
                thread::yield_now();
                before = LINE.dropped();
                LINE.put(sent(index));
            }
        }
    });
    for index in 0..BYTES {
        let byte = loop {
            match LINE.take() {
                Some(byte) => break byte,
                None => thread::yield_now(),
            }
        };
        assert_eq!(byte, sent(index), "byte {index}");
    }
    sender.join().unwrap();
    assert!(LINE.is_empty());
}
