//! Damage on the line: flipped bits, missing ends, bytes too many, noise.

use pocketron::device::{
    frame,
    message::{ErrorReply, Floats, Message, Reply, Request},
};
use proptest::prelude::*;

use crate::{
    bench::{EAGER, FRAME, Flash, Host, bytes_of, fresh, image_of, learn, read, request, taught},
    messages::REQUESTS,
    wire::framed,
};

/// Runs a conversation with a device that has learned a little; whatever was sent, it must go on
/// as if nothing had happened, except for what `learned` says was learned.
fn undisturbed(conversation: impl FnOnce(&mut Host<'_>)) {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    host.learn_all(1, 20);
    let (before, next) = (host.status(), host.next);
    conversation(&mut host);
    // Whatever was begun ends here.
    host.send(&[0]);
    let after = host.status();
    assert_eq!(host.identity().next, next);
    assert_eq!(
        (after.generation, after.seen, after.refused),
        (before.generation, before.seen, before.refused),
    );
    assert_eq!(host.pull(), image_of(&taught(1, 20)));
    assert!(matches!(host.command(Request::Save), Reply::Saved { .. }));
}

fn garbled(next: u32) -> Message<Reply<'static>> {
    Message {
        number: 0,
        body: Reply::Refused(ErrorReply::BadFrame { next }),
    }
}

fn good(next: u32) -> Vec<u8> {
    request(next, learn(&bytes_of(&[0.25, -1.0]), 1))
}

#[test]
fn every_flipped_bit_is_noticed() {
    undisturbed(|host| {
        let frame = good(host.next);
        for (position, bit) in (0..frame.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut damaged = frame.clone();
            damaged[position] ^= 1 << bit;
            // A flip may have taken the end away, or made another one in the middle.
            damaged.push(0);
            let pieces = damaged.split(|byte| *byte == 0);
            let pieces = pieces.filter(|piece| !piece.is_empty()).count();
            let answers = host.send(&damaged);
            assert_eq!(answers.len(), pieces, "byte {position}, bit {bit}");
            for answer in answers {
                assert_eq!(
                    read(&answer),
                    garbled(host.next),
                    "byte {position}, bit {bit}"
                );
            }
        }
    });
}

#[test]
fn a_frame_cut_off_at_any_length_is_refused() {
    undisturbed(|host| {
        let frame = good(host.next);
        for len in 1..frame.len() - 1 {
            let cut = [&frame[..len], &[0]].concat();
            assert_eq!(host.exchange(&cut), garbled(host.next), "{len} bytes");
        }
    });
}

#[test]
fn a_frame_without_its_beginning_is_refused() {
    undisturbed(|host| {
        let frame = good(host.next);
        for start in 1..frame.len() - 1 {
            assert_eq!(
                host.exchange(&frame[start..]),
                garbled(host.next),
                "{start}"
            );
        }
    });
}

#[test]
fn zeros_between_frames_are_nothing() {
    undisturbed(|host| {
        assert_eq!(host.send(&[0; 1000]), Vec::<Vec<u8>>::new());
        let status = host.status();
        assert_eq!(status.bad_frames, 0);
    });
}

#[test]
fn half_a_frame_spoils_the_next_one_unless_a_zero_comes_between() {
    undisturbed(|host| {
        let frame = request(9, Request::SelfTest);
        for len in 1..frame.len() - 1 {
            // Then silence, and the next frame as if nothing had been.
            let both = [&frame[..len], &frame[..]].concat();
            assert_eq!(host.exchange(&both), garbled(host.next), "{len} bytes");
            // The host says it again, to somebody who listens again.
            let answer = host.exchange(&frame);
            assert!(matches!(answer.body, Reply::Tested { .. }));
            let apart = [&frame[..len], &[0], &frame[..]].concat();
            let answers = host.send(&apart);
            assert_eq!(answers.len(), 2);
            assert_eq!(read(&answers[0]), garbled(host.next));
            assert_eq!(read(&answers[1]), answer);
        }
    });
}

#[test]
fn a_frame_may_be_as_long_as_the_identity_says_and_no_longer() {
    undisturbed(|host| {
        let longest = usize::from(host.identity().frame);
        assert_eq!(longest, FRAME - 1);
        let mut lengths = Vec::new();
        for count in 0..2 * FRAME {
            let features = vec![1; count];
            let features = Floats(&features);
            let frame = request(5, Request::Predict { features });
            let length = frame.len() - 1;
            let answer = host.exchange(&frame);
            if length > longest {
                assert_eq!(answer, garbled(host.next), "{length}");
            } else if count != 8 {
                let error_reply = Reply::Refused(ErrorReply::WrongDimension);
                assert_eq!((answer.number, answer.body), (5, error_reply), "{length}");
            }
            lengths.push(length);
        }
        assert!(lengths.contains(&longest) && lengths.contains(&(longest + 1)));
    });
}

#[test]
fn an_endless_frame_is_skipped_and_refused_once() {
    undisturbed(|host| {
        for len in [FRAME, FRAME + 1, 2 * FRAME, 100_000] {
            assert!(host.send(&vec![0xA5; len]).is_empty());
            assert_eq!(host.exchange(&[0]), garbled(host.next));
        }
        // One that ends like a good frame is not one.
        let frame = good(host.next);
        let long = [&[1; FRAME][..], &frame].concat();
        assert_eq!(host.exchange(&long), garbled(host.next));
    });
}

#[test]
fn a_request_with_something_behind_it_is_no_request() {
    undisturbed(|host| {
        let unknown = Reply::Refused(ErrorReply::Unknown);
        for body in [Request::Status, Request::Save, Request::SelfTest] {
            let mut bytes = vec![0; 64];
            let frame = frame::encode(&Message { number: 3, body }, &mut bytes);
            let frame = frame.expect("fits").to_vec();
            let mut message = crate::wire::unframed(&frame).expect("intact");
            message.push(0);
            assert_eq!(host.exchange(&framed(&message)).body, unknown);
        }
    });
}

#[test]
fn a_checksum_around_nothing_is_no_request() {
    undisturbed(|host| {
        let answer = host.exchange(&framed(&[]));
        let unknown = Reply::Refused(ErrorReply::Unknown);
        assert_eq!((answer.number, answer.body), (0, unknown));
        // A number alone, and one that does not end.
        let answer = host.exchange(&framed(&[0x85, 0x01]));
        assert_eq!((answer.number, answer.body), (133, unknown));
        let answer = host.exchange(&framed(&[0xFF; 40]));
        assert_eq!((answer.number, answer.body), (0, unknown));
        assert_eq!(host.status().bad_frames, 3);
    });
}

/// Pseudo-random bytes, zeros as often as asked for.
fn noise(seed: u64, zeros: u8) -> impl Iterator<Item = u8> {
    let mut state = seed | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let [byte, chance, ..] = (state >> 20).to_le_bytes();
        if chance < zeros { 0 } else { byte }
    })
}

#[test]
fn a_million_bytes_of_noise_do_no_harm() {
    for (seed, zeros) in [(1, 0), (2, 4), (3, 40), (4, 128)] {
        undisturbed(|host| {
            let bytes: Vec<u8> = noise(seed, zeros).take(250_000).collect();
            let frames = bytes.split(|byte| *byte == 0);
            let frames = frames.filter(|frame| !frame.is_empty()).count();
            let ended = bytes.last() == Some(&0);
            let answers = host.send(&bytes);
            assert_eq!(answers.len(), frames - usize::from(!ended));
            let unmeant = answers.iter().map(|answer| read(answer));
            assert_eq!(
                unmeant
                    .filter(|answer| *answer != garbled(host.next))
                    .count(),
                0
            );
        });
    }
}

proptest! {
    /// Bytes that arrive as they were sent and mean nothing, or anything.
    #[test]
    fn any_intact_message_is_answered(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        let (flash, mut model) = (Flash::new(), fresh());
        let mut unit = flash.unit(&mut model, EAGER);
        let mut host = Host::new(&mut unit);
        let answer = host.exchange(&framed(&bytes));
        prop_assert_eq!(answer.number, frame::number(&bytes));
        if frame::parse::<Request<'_>>(&bytes).is_err() {
            prop_assert_eq!(answer.body, Reply::Refused(ErrorReply::Unknown));
            prop_assert_eq!(host.status().bad_frames, 1);
            prop_assert_eq!(host.identity().next, 0);
        }
    }

    #[test]
    fn any_bytes_leave_a_device_that_answers(bytes in prop::collection::vec(prop_oneof![4 => any::<u8>(), 1 => Just(0)], 0..2000)) {
        let (flash, mut model) = (Flash::new(), fresh());
        let mut unit = flash.unit(&mut model, EAGER);
        let mut host = Host::new(&mut unit);
        for answer in host.send(&bytes) {
            read(&answer);
        }
        host.send(&[0]);
        prop_assert_eq!(host.status().seen, 0);
    }

    /// The body of each kind of request, begun rightly and then gone astray.
    #[test]
    fn requests_that_go_astray_are_answered(tag in 0..REQUESTS as u8 + 3, rest in prop::collection::vec(any::<u8>(), 0..60)) {
        let (flash, mut model) = (Flash::new(), fresh());
        let mut unit = flash.unit(&mut model, EAGER);
        let mut host = Host::new(&mut unit);
        let bytes = [&[0, tag][..], &rest].concat();
        let answer = host.exchange(&framed(&bytes));
        prop_assert_eq!(answer.number, 0);
        if usize::from(tag) >= REQUESTS {
            prop_assert_eq!(answer.body, Reply::Refused(ErrorReply::Unknown));
        }
        host.status();
    }
}
