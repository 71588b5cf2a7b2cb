//! Every message survives the wire, and fits where room was made for it.

use super::messages::{ERROR_REPLIES, EVENTS, REPLIES, REQUESTS, Stuff, stuff};
use crate::wire::{framed, unframed};
use pocketron::device::{
    buffer_for, frame,
    message::{DeviceStatus, ErrorReply, Fault, Floats, Message, Reply, Request, SensorState},
};
use proptest::prelude::*;

proptest! {
    #[test]
    fn every_request_survives_the_wire(stuff in stuff()) {
        let body = stuff.request(stuff.variant % REQUESTS);
        let sent = Message { number: stuff.number, body };
        let mut buffer = [0; 2048];
        let frame = frame::encode(&sent, &mut buffer).expect("fits").to_vec();
        prop_assert_eq!(frame.last(), Some(&0));
        let mut received = frame[..frame.len() - 1].to_vec();
        prop_assert!(!received.contains(&0));
        let message: Message<Request<'_>> = frame::decode(&mut received).expect("arrives");
        prop_assert_eq!(message, sent);
        // The same by hand, from the description.
        let bytes = unframed(&frame).expect("well framed");
        prop_assert_eq!(&framed(&bytes), &frame);
        prop_assert_eq!(frame::number(&bytes), stuff.number);
        prop_assert!(frame.len() <= frame::frame_len(bytes.len()));
    }

    #[test]
    fn every_reply_survives_the_wire(stuff in stuff()) {
        let sent = Message { number: stuff.number, body: stuff.reply(stuff.variant % REPLIES) };
        let mut buffer = [0; 1024];
        let frame = frame::encode(&sent, &mut buffer).expect("fits").to_vec();
        let mut received = frame[..frame.len() - 1].to_vec();
        let message: Message<Reply<'_>> = frame::decode(&mut received).expect("arrives");
        // Bytes instead of values: a score may be NaN, which equals nothing.
        let mut again = [0; 1024];
        let again = frame::encode(&message, &mut again).expect("fits");
        prop_assert_eq!(&*again, frame.as_slice());
    }

    /// Any bytes at all, stuffed by hand and by the device's encoder, come out the same.
    #[test]
    fn frames_made_by_hand_are_read(bytes in prop::collection::vec(prop_oneof![Just(0), any::<u8>()], 0..700)) {
        let mut frame = framed(&bytes);
        prop_assert_eq!(unframed(&frame), Some(bytes.clone()));
        frame.pop();
        prop_assert_eq!(frame::open(&mut frame), Ok(bytes.as_slice()));
    }

    #[test]
    fn a_buffer_too_short_is_not_written_beyond(stuff in stuff(), room in 0..700_usize) {
        let sent = Message { number: stuff.number, body: stuff.reply(stuff.variant % REPLIES) };
        let mut large = [0; 1024];
        let needed = frame::encode(&sent, &mut large).expect("fits").len();
        let mut buffer = vec![0; room];
        let written = frame::encode(&sent, &mut buffer).map(|frame| frame.len());
        prop_assert_eq!(written, (needed <= room).then_some(needed));
    }
}

/// Blocks of 254 bytes are where stuffing is easily off by one.
#[test]
fn long_stretches_without_a_zero_are_framed_as_described() {
    for len in 1..1100 {
        let bytes = vec![7; len];
        let body = Request::PushPart {
            offset: 0,
            bytes: &bytes,
        };
        let sent = Message { number: 1, body };
        let mut buffer = [0; 1200];
        let frame = frame::encode(&sent, &mut buffer).expect("fits").to_vec();
        let message = unframed(&frame).expect("well framed");
        assert!(frame.len() <= frame::frame_len(message.len()), "{len}");
        let mut received = frame[..frame.len() - 1].to_vec();
        assert_eq!(frame::decode(&mut received), Ok(sent), "{len}");
    }
}

fn frame_len_of(body: Reply<'_>) -> usize {
    let number = u32::MAX;
    let mut buffer = [0; 4096];
    let frame = frame::encode(&Message { number, body }, &mut buffer);
    frame.expect("fits").len()
}

#[test]
fn the_longest_status_fits_into_the_smallest_buffer() {
    let status = DeviceStatus {
        fault: Fault::HardFault { pc: u32::MAX },
        began_fresh: Some(ErrorReply::BadFrame { next: u32::MAX }),
        saved: Some(u32::MAX),
        saved_generation: Some(u32::MAX),
        ..Stuff::largest().status()
    };
    assert_eq!(frame_len_of(Reply::Status(status)), buffer_for(1, 2));
}

#[test]
fn the_longest_state_of_a_sensor_fits_into_the_smallest_buffer() {
    let stuff = Stuff::largest();
    for variant in 0..EVENTS {
        let state = SensorState {
            event: stuff.event(variant),
            ..stuff.state()
        };
        assert!(frame_len_of(Reply::State(state)) <= buffer_for(1, 2));
    }
}

#[test]
fn the_longest_examples_and_scores_fit_into_the_buffer_made_for_them() {
    for count in [1, 2, 30, 31, 32, 33, 63, 64, 100, 256, 784] {
        let numbers = vec![1; 4 * count];
        let learn = Request::Learn {
            class: 255,
            features: Floats(&numbers),
        };
        let mut buffer = vec![0; buffer_for(count, 2)];
        let message = Message {
            number: u32::MAX,
            body: learn,
        };
        assert!(frame::encode(&message, &mut buffer).is_some(), "{count}");
        let predicted = Reply::Predicted {
            class: 255,
            score: f32::MAX,
            scores: Floats(&numbers),
            probability: Some(1.0),
            known: Some(true),
        };
        assert!(frame_len_of(predicted) <= buffer_for(1, count), "{count}");
    }
}

/// The handler keeps the answer to the last command in a buffer for the longest `Learned`.
#[test]
fn no_command_is_answered_at_greater_length_than_learn() {
    let stuff = Stuff::largest();
    let longest = frame_len_of(Reply::Learned(stuff.learned()));
    assert_eq!(longest, frame::frame_len(5 + 1 + 19));
    let error_replies =
        (0..ERROR_REPLIES).map(|variant| Reply::Refused(stuff.error_reply(variant)));
    // Sensor, samples and state are answers to questions, which nobody keeps.
    let others = (6..REPLIES).filter(|variant| !(13..16).contains(variant));
    let others = others.map(|variant| stuff.reply(variant));
    for other in others.chain(error_replies) {
        assert!(frame_len_of(other) <= longest, "{other:?}");
    }
}
