//! Models from outside: taken whole and good, or not at all.

use pocketron::{
    device::message::{ErrorReply, ImageErrorCode, Reply, Request, StoreErrorCode},
    persist::store::WearLimit,
    prelude::*,
};
use proptest::prelude::*;

use crate::{
    bench::{EAGER, Flash, Host, KERNEL, bytes_of, examples, fresh, image_of, learn, taught},
    wire::crc,
};

const NO_PUSH: Reply<'_> = Reply::Refused(ErrorReply::NoPush);

fn refused(reason: ImageErrorCode) -> Reply<'static> {
    Reply::Refused(ErrorReply::Image(reason))
}

/// Talks to a device that has a saved model, and has learned more since. Nothing of both may change.
fn in_vain(conversation: impl FnOnce(&mut Host<'_>)) {
    let flash = Flash::new();
    let saved = taught(1, 30);
    flash
        .mount()
        .expect("mounts")
        .save_model(&saved)
        .expect("saves");
    let mut model = fresh();
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    host.learn_all(2, 5);
    let (before, status) = (host.pull(), host.status());
    conversation(&mut host);
    assert_eq!(host.pull(), before);
    let after = host.status();
    assert_eq!(after.generation, status.generation);
    assert_eq!(after.saved, status.saved);
    assert_eq!(flash.found(), image_of(&saved));
    assert_eq!(host.command(Request::Load), Reply::Loaded { sequence: 0 });
    assert_eq!(host.pull(), image_of(&saved));
}

#[test]
fn a_pushed_model_is_taken_and_kept() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    host.learn_all(9, 12);
    for (seed, sequence) in (1..6).zip(0..) {
        let image = image_of(&taught(seed, 30));
        let saved = host.push(&image);
        assert!(
            matches!(saved, Reply::Saved { sequence: it, .. } if it == sequence),
            "{saved:?}"
        );
        assert_eq!(host.pull(), image);
        assert_eq!(flash.found(), image);
        let status = host.status();
        assert_eq!(status.saved_generation, Some(status.generation));
        assert_eq!(host.command(Request::Save), saved, "it is there already");
        // It goes on learning from there.
        host.learn_all(seed, 1);
        assert_ne!(host.pull(), image);
    }
}

#[test]
fn parts_may_have_any_length() {
    let image = image_of(&taught(1, 30));
    for size in [1, 3, 31, 32, 33, 64, 100] {
        let (flash, mut model) = (Flash::new(), fresh());
        let mut unit = flash.unit(&mut model, EAGER);
        let mut host = Host::new(&mut unit);
        let len = image.len() as u32;
        assert_eq!(host.command(Request::unsigned_push(len)), Reply::Done);
        for (bytes, offset) in image.chunks(size).zip((0..).step_by(size)) {
            let part = Request::PushPart { offset, bytes };
            assert_eq!(host.command(part), Reply::Done);
            // Of no length, too.
            let offset = offset + bytes.len() as u32;
            let nothing = Request::PushPart { offset, bytes: &[] };
            assert_eq!(host.command(nothing), Reply::Done);
        }
        assert!(matches!(
            host.command(Request::PushEnd),
            Reply::Saved { .. }
        ));
        assert_eq!(host.pull(), image);
    }
}

#[test]
fn an_image_with_any_byte_changed_is_refused() {
    let image = image_of(&taught(3, 30));
    in_vain(|host| {
        for position in (0..image.len())
            .step_by(7)
            .chain([0, 4, 8, image.len() - 1])
        {
            let mut bad = image.clone();
            bad[position] ^= 0x10;
            let wanted = match position {
                0..4 => ImageErrorCode::NotAnImage,
                4..8 => ImageErrorCode::Version,
                _ => ImageErrorCode::Damaged,
            };
            assert_eq!(host.push(&bad), refused(wanted), "byte {position}");
        }
    });
}

#[test]
fn an_image_cut_short_or_too_long_is_refused() {
    let image = image_of(&taught(3, 30));
    in_vain(|host| {
        for len in (4..image.len()).step_by(13).chain([image.len() - 1]) {
            let answer = host.push(&image[..len]);
            assert!(
                matches!(answer, Reply::Refused(ErrorReply::Image(_))),
                "{len}: {answer:?}"
            );
        }
        for len in 0..4 {
            assert_eq!(
                host.push(&image[..len]),
                refused(ImageErrorCode::NotAnImage)
            );
        }
        let longer = [&image[..], &[0; 4]].concat();
        assert_eq!(host.push(&longer), refused(ImageErrorCode::Damaged));
    });
}

#[test]
fn an_image_of_another_kind_of_model_is_refused() {
    let mut wider = Tightest::<2, 9>::new(KERNEL);
    wider.learn(&[1.0, 0.0], Sign::Pos).expect("a good example");
    let others = [
        image_of(&wider),
        image_of(&Tightest::<3, 8>::new(KERNEL)),
        image_of(&Stoptron::<2, 8>::new(KERNEL)),
    ];
    in_vain(|host| {
        for other in &others {
            assert_eq!(host.push(other), refused(ImageErrorCode::OtherShape));
        }
    });
}

/// Whoever can compute a checksum can send any numbers. They are refused, or taken as they are; the
/// device answers in any case, and a reset mends it.
#[test]
fn a_forged_image_does_not_silence_a_device() {
    let image = image_of(&taught(3, 30));
    let body = image.len() - 4;
    let (mut refused, mut taken) = (0, 0);
    // As a number: not one, and a huge one.
    let words = (12..body)
        .step_by(4)
        .flat_map(|word| [(word, 0xFF), (word, 0x7E)]);
    for (position, byte) in words {
        let (flash, mut model) = (Flash::new(), fresh());
        let mut unit = flash.unit(&mut model, EAGER);
        let mut host = Host::new(&mut unit);
        host.learn_all(2, 5);
        let before = host.pull();
        let mut forged = image.clone();
        forged[position..position + 4].fill(byte);
        let sum = crc(&forged[..body]);
        forged[body..].copy_from_slice(&sum.to_le_bytes());
        match host.push(&forged) {
            Reply::Refused(ErrorReply::Image(_)) => {
                assert_eq!(host.pull(), before);
                refused += 1;
            }
            Reply::Saved { .. } => {
                assert_eq!(host.pull(), forged);
                taken += 1;
            }
            other => panic!("word {position}: {other:?}"),
        }
        for (x, class) in examples(4).take(20) {
            host.command(learn(&bytes_of(&x), class));
        }
        let Reply::Armed { token } = host.command(Request::Arm) else {
            panic!("not armed")
        };
        host.command(Request::Reset { token });
        host.learn_all(2, 5);
        assert_eq!(host.pull(), before);
    }
    assert!(refused > 80 && taken > 40, "{refused} {taken}");
}

#[test]
fn parts_must_follow_one_another() {
    let image = image_of(&taught(3, 30));
    let part = |offset: u32| Request::PushPart {
        offset,
        bytes: &image[offset as usize..][..40],
    };
    in_vain(|host| {
        assert_eq!(host.command(part(0)), NO_PUSH, "not begun");
        assert_eq!(host.command(Request::PushEnd), NO_PUSH);
        let len = image.len() as u32;
        assert_eq!(host.command(Request::unsigned_push(len)), Reply::Done);
        assert_eq!(host.command(part(40)), NO_PUSH, "a gap");
        assert_eq!(host.command(part(0)), Reply::Done);
        assert_eq!(host.command(part(0)), NO_PUSH, "twice");
        assert_eq!(host.command(part(80)), NO_PUSH, "a gap");
        assert_eq!(host.command(part(40)), Reply::Done, "on it goes");
        assert_eq!(host.command(Request::PushEnd), NO_PUSH, "incomplete");
        assert_eq!(host.command(part(80)), NO_PUSH, "the end was the end");
        // More than was announced.
        assert_eq!(host.command(Request::unsigned_push(50)), Reply::Done);
        assert_eq!(host.command(part(0)), Reply::Done);
        let too_long = Reply::Refused(ErrorReply::Store(StoreErrorCode::TooLong));
        assert_eq!(host.command(part(40)), too_long);
        let bytes = &image[40..50];
        let rest = Request::PushPart { offset: 40, bytes };
        assert_eq!(host.command(rest), NO_PUSH, "it has ended");
        assert_eq!(host.command(Request::PushEnd), NO_PUSH);
    });
}

#[test]
fn a_save_ends_a_push() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    let image = image_of(&taught(3, 30));
    let len = image.len() as u32;
    let bytes = &image[..50];
    host.learn_all(1, 30);
    host.command(Request::unsigned_push(len));
    assert_eq!(
        host.command(Request::PushPart { offset: 0, bytes }),
        Reply::Done
    );
    assert!(matches!(host.command(Request::Save), Reply::Saved { .. }));
    let offset = 50;
    assert_eq!(host.command(Request::PushPart { offset, bytes }), NO_PUSH);
    assert_eq!(host.command(Request::PushEnd), NO_PUSH);
    assert_eq!(flash.found(), image_of(&taught(1, 30)));
}

#[test]
fn learning_does_not_end_a_push_and_the_pushed_model_wins() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    let image = image_of(&taught(3, 30));
    let len = image.len() as u32;
    host.command(Request::unsigned_push(len));
    for (bytes, offset) in image.chunks(64).zip((0..).step_by(64)) {
        assert_eq!(
            host.command(Request::PushPart { offset, bytes }),
            Reply::Done
        );
        host.learn_all(5, 1);
    }
    assert!(matches!(
        host.command(Request::PushEnd),
        Reply::Saved { .. }
    ));
    assert_eq!(host.pull(), image);
}

#[test]
fn a_push_that_is_refused_for_wear_leaves_the_one_under_way() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, WearLimit::new(1000, 100));
    let mut host = Host::new(&mut unit);
    let image = image_of(&taught(3, 30));
    let len = image.len() as u32;
    assert_eq!(host.command(Request::unsigned_push(len)), Reply::Done);
    let again = host.command(Request::unsigned_push(len));
    assert_eq!(again, Reply::Refused(ErrorReply::TooSoon { wait_ms: 1000 }));
    for (bytes, offset) in image.chunks(64).zip((0..).step_by(64)) {
        assert_eq!(
            host.command(Request::PushPart { offset, bytes }),
            Reply::Done
        );
    }
    assert!(matches!(
        host.command(Request::PushEnd),
        Reply::Saved { .. }
    ));
    assert_eq!(host.pull(), image);
}

#[test]
fn a_flash_that_breaks_ends_the_push() {
    for broken in [0, 256, 512] {
        let (flash, mut model) = (Flash::new(), fresh());
        let mut unit = flash.unit(&mut model, EAGER);
        let mut host = Host::new(&mut unit);
        host.learn_all(1, 10);
        flash.sim.borrow_mut().break_sector(broken);
        let answer = host.push(&image_of(&taught(3, 30)));
        let failed = Reply::Refused(ErrorReply::Store(StoreErrorCode::Flash));
        assert_eq!(answer, failed);
        assert_eq!(host.command(Request::PushEnd), NO_PUSH);
        assert_eq!(host.pull(), image_of(&taught(1, 10)));
    }
}

/// Whichever read fails, the answer is true: refused and nothing has changed, or saved for certain.
#[test]
fn a_flash_that_cannot_be_read_leaves_no_doubt_what_became_of_a_push() {
    let pushed = image_of(&taught(3, 30));
    let (mut refused, mut committed) = (0, 0);
    for reads in 0.. {
        let (flash, mut model) = (Flash::new(), fresh());
        let before = taught(1, 20);
        let mut ring = flash.mount().expect("mounts");
        ring.save_model(&before).expect("saves");
        let mut unit = flash.unit(&mut model, EAGER);
        let mut host = Host::new(&mut unit);
        let len = pushed.len() as u32;
        host.command(Request::unsigned_push(len));
        for (bytes, offset) in pushed.chunks(64).zip((0..).step_by(64)) {
            host.command(Request::PushPart { offset, bytes });
        }
        *flash.reads_left.borrow_mut() = Some(reads);
        let answer = host.command(Request::PushEnd);
        *flash.reads_left.borrow_mut() = None;
        let in_memory = host.pull();
        match answer {
            Reply::Saved { .. } => {
                assert_eq!((in_memory, flash.found()), (pushed.clone(), pushed));
                break;
            }
            Reply::Refused(ErrorReply::Committed { sequence }) => {
                assert_eq!(flash.found(), pushed, "read {reads}");
                assert!(in_memory == image_of(&before) || in_memory == image_of(&fresh()));
                let answer = host.command(Request::Load);
                assert_eq!(answer, Reply::Loaded { sequence });
                assert_eq!(host.pull(), pushed);
                committed += 1;
            }
            // The driver failed at the last step: the old image, or the new one.
            Reply::Refused(ErrorReply::Store(StoreErrorCode::Flash)) => {
                assert_eq!(in_memory, image_of(&before), "read {reads}");
                assert!([image_of(&before), pushed.clone()].contains(&flash.found()));
                refused += 1;
            }
            Reply::Refused(ErrorReply::Image(ImageErrorCode::Unreadable)) => {
                assert_eq!(
                    (in_memory, flash.found()),
                    (image_of(&before), image_of(&before))
                );
                refused += 1;
            }
            other => panic!("read {reads}: {other:?}"),
        }
    }
    assert!(refused > 10 && committed > 10, "{refused} {committed}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any bytes instead of an image: refused, and nothing else has changed.
    #[test]
    fn bytes_that_are_no_image_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..704)) {
        in_vain(|host| {
            assert!(matches!(host.push(&bytes), Reply::Refused(ErrorReply::Image(_))));
        });
    }
}
