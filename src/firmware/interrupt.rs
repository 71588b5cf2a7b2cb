//! The one handler of all interrupts, so that no table of handlers is needed.

use super::{
    board::{Board, ThisBoard},
    fault::{self, Reason},
    rx_queue::RX_QUEUE,
};

// SAFETY: the attribute makes it the handler; it upholds no contract beyond that.
#[cortex_m_rt::exception]
unsafe fn DefaultHandler(number: i16) {
    if !ThisBoard::interrupt(number, &RX_QUEUE) {
        fault::reset(Reason::Interrupt, 0);
    }
}
