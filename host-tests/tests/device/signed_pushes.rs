//! Images that only the holder of a key can push.

use pocketron::{
    device::{
        message::{ErrorReply, Reply, Request},
        signature::{BYTES, Signature, sign},
    },
    persist::store::WearLimit,
};
use proptest::prelude::*;

use crate::bench::{EAGER, Flash, Host, Unit, fresh, image_of, taught};

const KEY: [u8; BYTES] = *b"a key of 32 bytes, of which each";
const REFUSED: Reply<'_> = Reply::Refused(ErrorReply::NotAuthentic);

fn unit<'m>(flash: &Flash, model: &'m mut crate::bench::Model) -> Unit<'m> {
    flash.unit(model, EAGER).with_key(&KEY)
}

fn begin(host: &mut Host<'_>, len: usize, digest: &[u8], tag: &[u8]) -> Reply<'static> {
    let len = len as u32;
    host.command(Request::PushBegin { len, digest, tag })
}

/// Pushes `image` with the signature of another one, perhaps.
fn push(host: &mut Host<'_>, image: &[u8], signature: &Signature) -> Reply<'static> {
    let begun = begin(host, image.len(), &signature.digest, &signature.tag);
    if begun != Reply::Done {
        return begun;
    }
    finish(host, image)
}

/// Sends the parts of an image whose push was begun, and ends it.
fn finish(host: &mut Host<'_>, image: &[u8]) -> Reply<'static> {
    for (bytes, offset) in image.chunks(64).zip((0..).step_by(64)) {
        let part = Request::PushPart { offset, bytes };
        assert_eq!(host.command(part), Reply::Done);
    }
    host.command(Request::PushEnd)
}

fn sequence(host: &mut Host<'_>) -> u32 {
    host.identity().push_sequence.expect("it wants a signature")
}

#[test]
fn a_signed_image_comes_in_and_no_other() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = unit(&flash, &mut model);
    let mut host = Host::new(&mut unit);
    host.learn_all(3, 5);
    host.command(Request::Save);
    let (before, cells) = (host.pull(), flash.cells());
    let image = image_of(&taught(1, 20));
    let number = sequence(&mut host);
    let good = sign(&KEY, number, &image);
    let (len, digest, tag) = (image.len(), &good.digest[..], &good.tag[..]);

    let another_key = sign(&[0; BYTES], number, &image);
    let another_number = sign(&KEY, number + 1, &image);
    let mut long = tag.to_vec();
    long.push(0);
    let attempts: [(usize, &[u8], &[u8]); 10] = [
        (len, &[], &[]),
        (len, digest, &[]),
        (len, &[], tag),
        (len, digest, &another_key.tag),
        (len, digest, &another_number.tag),
        (len, digest, &tag[..31]),
        (len, digest, &tag[..16]),
        (len, digest, &long),
        (len, &digest[..31], tag),
        (len - 1, digest, tag),
    ];
    for (len, digest, tag) in attempts {
        assert_eq!(begin(&mut host, len, digest, tag), REFUSED);
        // Nothing is under way, either.
        let (offset, bytes) = (0, &image[..4]);
        let part = host.command(Request::PushPart { offset, bytes });
        assert_eq!(part, Reply::Refused(ErrorReply::NoPush));
        assert_eq!(flash.cells(), cells, "something was erased");
        assert_eq!(host.pull(), before);
    }
    for bit in 0..8 * BYTES {
        let mut bad = good;
        bad.tag[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(begin(&mut host, len, digest, &bad.tag), REFUSED);
        let mut bad = good;
        bad.digest[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(begin(&mut host, len, &bad.digest, tag), REFUSED);
    }
    assert_eq!(flash.cells(), cells, "something was erased");
    assert!(matches!(
        push(&mut host, &image, &good),
        Reply::Saved { .. }
    ));
    assert_eq!(host.pull(), image);
    assert_eq!(flash.found(), image);
}

/// The signature is of the image, not only of its length: the end of the push notices.
#[test]
fn other_bytes_than_were_signed_do_not_become_the_model() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = unit(&flash, &mut model);
    let mut host = Host::new(&mut unit);
    host.learn_all(3, 5);
    host.command(Request::Save);
    let before = host.pull();
    let image = image_of(&taught(1, 60));
    // An intact image of the same length, and every bit of the signed one flipped.
    let mut others = vec![image_of(&taught(2, 60))];
    others.extend((0..8 * image.len()).step_by(5).map(|bit| {
        let mut bytes = image.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    }));
    for other in others {
        assert_eq!(other.len(), image.len());
        let signature = sign(&KEY, sequence(&mut host), &image);
        assert_eq!(push(&mut host, &other, &signature), REFUSED);
        assert_eq!(host.pull(), before);
    }
    assert_eq!(flash.found(), before);
}

/// A second push that the limit on wear refuses does not take the place of the one under way, signed as it is.
#[test]
fn a_push_that_may_not_begin_leaves_the_one_under_way() {
    let (flash, mut model) = (Flash::new(), fresh());
    let limit = WearLimit::new(60_000, 100);
    let mut unit = flash.unit(&mut model, limit).with_key(&KEY);
    let mut host = Host::new(&mut unit);
    let number = sequence(&mut host);
    let image = image_of(&taught(1, 20));
    let other = image_of(&taught(2, 20));
    let mut begin = |image: &[u8]| {
        let Signature { digest, tag } = sign(&KEY, number, image);
        begin(&mut host, image.len(), &digest, &tag)
    };
    assert_eq!(begin(&image), Reply::Done);
    let refused = begin(&other);
    assert!(
        matches!(refused, Reply::Refused(ErrorReply::TooSoon { .. })),
        "{refused:?}"
    );
    let ended = finish(&mut host, &image);
    assert!(matches!(ended, Reply::Saved { .. }), "{ended:?}");
    assert_eq!(host.pull(), image);
}

/// A signature is good for one push, and a recorded one for none.
#[test]
fn a_recorded_push_cannot_be_replayed() {
    let flash = Flash::new();
    let mut recorded = Vec::new();
    for seed in 1..5 {
        let mut model = fresh();
        let mut unit = unit(&flash, &mut model);
        let mut host = Host::new(&mut unit);
        let image = image_of(&taught(seed, 20));
        let signature = sign(&KEY, sequence(&mut host), &image);
        assert!(matches!(
            push(&mut host, &image, &signature),
            Reply::Saved { .. }
        ));
        recorded.push((image, signature));
        let newest = host.pull();
        for (image, signature) in &recorded {
            assert_eq!(push(&mut host, image, signature), REFUSED);
            assert_eq!(host.pull(), newest);
        }
        // The device's own saves count, too: what was signed before them is old.
        let late = sign(&KEY, sequence(&mut host), &newest);
        host.learn_all(9, 3);
        host.command(Request::Save);
        assert_eq!(push(&mut host, &newest, &late), REFUSED);
        recorded.push((newest, late));
    }
}

/// The counter is that of the store: a power cut at any instant of a push takes nothing of it back, and the
/// same push may be given again if, and only if, it had not come in.
#[test]
fn a_power_cut_does_not_bring_an_old_signature_back() {
    let base = Flash::new();
    let (first, second) = (image_of(&taught(1, 20)), image_of(&taught(2, 20)));
    let mut model = fresh();
    let old = {
        let mut unit = unit(&base, &mut model);
        let mut host = Host::new(&mut unit);
        let old = sign(&KEY, sequence(&mut host), &first);
        assert!(matches!(push(&mut host, &first, &old), Reply::Saved { .. }));
        old
    };
    let steps = {
        let flash = Flash::holding(base.sim.borrow().clone());
        let mut model = fresh();
        let mut unit = unit(&flash, &mut model);
        let mut host = Host::new(&mut unit);
        let before = flash.sim.borrow().steps();
        let signature = sign(&KEY, sequence(&mut host), &second);
        assert!(matches!(
            push(&mut host, &second, &signature),
            Reply::Saved { .. }
        ));
        flash.sim.borrow().steps() - before
    };
    let mut outcomes = [0; 2];
    for (step, tear) in
        (0..steps).flat_map(|step| pocketron_testkit::flash::Tear::ALL.map(|tear| (step, tear)))
    {
        let flash = Flash::holding(base.sim.borrow().clone());
        let signature = {
            let mut model = fresh();
            let mut unit = unit(&flash, &mut model);
            let mut host = Host::new(&mut unit);
            let signature = sign(&KEY, sequence(&mut host), &second);
            flash.sim.borrow_mut().cut_after(step, tear, step);
            push_until_power_cut(&mut host, &second, &signature);
            signature
        };
        flash.sim.borrow_mut().reboot();
        let mut model = fresh();
        let mut unit = unit(&flash, &mut model);
        let mut host = Host::new(&mut unit);
        let came_in = host.pull() == second;
        assert!(came_in || host.pull() == first, "{step} {tear:?}");
        outcomes[usize::from(came_in)] += 1;
        assert_eq!(push(&mut host, &first, &old), REFUSED, "{step} {tear:?}");
        let again = push(&mut host, &second, &signature);
        if came_in {
            assert_eq!(again, REFUSED, "{step} {tear:?}");
        }
        // It may be refused where the header was written, but not its mark: then its number is used up.
        let fresh = sign(&KEY, sequence(&mut host), &second);
        assert!(matches!(
            push(&mut host, &second, &fresh),
            Reply::Saved { .. }
        ));
    }
    assert!(outcomes.iter().all(|count| *count > 0), "{outcomes:?}");
}

/// As [`push`], but the flash may fail on the way.
fn push_until_power_cut(host: &mut Host<'_>, image: &[u8], signature: &Signature) {
    let begun = begin(host, image.len(), &signature.digest, &signature.tag);
    let parts = image.chunks(64).zip((0..).step_by(64));
    let mut parts = parts.map(|(bytes, offset)| host.command(Request::PushPart { offset, bytes }));
    if begun == Reply::Done && parts.all(|taken| taken == Reply::Done) {
        host.command(Request::PushEnd);
    }
}

/// A device without a key does not pretend to check.
#[test]
fn a_device_without_a_key_refuses_signatures() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    assert_eq!(host.identity().push_sequence, None);
    let image = image_of(&taught(1, 20));
    let signature = sign(&KEY, 0, &image);
    let answer = push(&mut host, &image, &signature);
    assert_eq!(answer, Reply::Refused(ErrorReply::Unsupported));
    assert!(matches!(host.push(&image), Reply::Saved { .. }));
}

/// RFC 4231, test case 2, cannot be had: its key is shorter. So HMAC by its definition, over the documented bytes.
#[test]
fn the_tag_is_the_one_that_the_page_describes() {
    use sha2::{Digest, Sha256};
    let image = image_of(&taught(1, 20));
    let digest = Sha256::digest(&image);
    let mut text = b"pocketron push\0\0".to_vec();
    text.extend(7_u32.to_le_bytes());
    text.extend((image.len() as u32).to_le_bytes());
    text.extend(digest);
    assert_eq!(text.len(), 56);
    let padded = |pad: u8| {
        let mut block = [pad; 64];
        block
            .iter_mut()
            .zip(KEY)
            .for_each(|(byte, key)| *byte ^= key);
        block.to_vec()
    };
    let inner = Sha256::digest([padded(0x36), text].concat());
    let tag = Sha256::digest([padded(0x5c), inner.to_vec()].concat());
    let signature = sign(&KEY, 7, &image);
    assert_eq!(signature.digest[..], digest[..]);
    assert_eq!(signature.tag[..], tag[..]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    /// Whatever is sent as digest and tag, nothing is erased.
    #[test]
    fn nonsense_is_refused_before_anything_is_erased(
        len: u32,
        digest in prop::collection::vec(any::<u8>(), 0..40),
        tag in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let (flash, mut model) = (Flash::new(), fresh());
        let mut unit = unit(&flash, &mut model);
        let mut host = Host::new(&mut unit);
        let answer = begin(&mut host, len as usize % 700, &digest, &tag);
        prop_assert_eq!(answer, REFUSED);
        prop_assert_eq!(flash.sim.borrow().counts().erases, 0);
    }
}
