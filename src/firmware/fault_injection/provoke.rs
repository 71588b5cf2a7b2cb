//! Ways to fail.
//!
//! | frame | what happens |
//! |---|---|
//! | `h` | a hard fault: an instruction that does not exist |
//! | `o` | the stack overflows |
//! | `p` | a panic |
//! | `w` | the loop gets stuck |
//! | `d` | nothing but that two kilobytes of stack are used |
//! | `b` | nothing until a byte is lost because nobody takes it |

use core::hint::black_box;

use crate::firmware::rx_queue;

pub fn provoke(command: u8) -> Option<()> {
    match command {
        b'h' => cortex_m::asm::udf(),
        b'o' => drop(black_box(deeper(black_box(u32::MAX)))),
        b'p' => panic!(),
        b'w' => loop {
            core::hint::spin_loop();
        },
        b'd' => drop(black_box(deeper(black_box(8)))),
        b'b' => wait_for_a_lost_byte(),
        _ => (),
    }
    None
}

/// The host floods us meanwhile; if it does not, the watchdog ends it.
fn wait_for_a_lost_byte() {
    let before = rx_queue::RX_QUEUE.dropped();
    while rx_queue::RX_QUEUE.dropped() == before {}
}

/// Some 256 bytes of stack for each level.
#[inline(never)]
fn deeper(levels: u32) -> u32 {
    let frame = black_box([levels; 64]);
    let below = match levels {
        0 => 0,
        _ => deeper(levels - 1),
    };
    // Used after the call, so that the frame has to stay.
    black_box(&frame).iter().fold(below, |sum, word| sum ^ word)
}
