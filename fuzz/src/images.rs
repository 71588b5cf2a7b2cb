//! Images of every learner: its own with changes, or any words behind its shape; the checksum is right.

use pocketron::{
    classifier::OnlineClassifier,
    persist::{self, Persist},
};
use pocketron_cli::model::image_of;

use crate::{
    Input,
    input::assert_finite,
    sensor::FEATURES,
    visit::{self, Task},
};

pub fn run(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let number = usize::from(input.byte());
    visit::one(number, &mut Loaded(input));
}

/// The length and the checksum that an image of these bytes has.
pub fn seal(image: &mut [u8]) {
    let len = image.len() as u32;
    if let Some(field) = image.get_mut(8..12) {
        field.copy_from_slice(&len.to_le_bytes());
    }
    let Some(body) = image.len().checked_sub(4) else {
        return;
    };
    let crc = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);
    let sum = crc.checksum(&image[..body]);
    image[body..].copy_from_slice(&sum.to_le_bytes());
}

struct Loaded<'a>(Input<'a>);

impl Task for Loaded<'_> {
    fn with<C>(&mut self, mut learner: C, label: fn(u8) -> C::Label)
    where
        C: OnlineClassifier<Input = [f32; FEATURES]> + Persist + Clone,
    {
        let input = &mut self.0;
        let fresh = learner.clone();
        for _ in 0..input.byte() {
            let x = [0; FEATURES].map(|_| f32::from(input.byte() as i8) / 32.0);
            // A refused one is as good.
            let _ = learner.learn(&x, label(input.byte()));
        }
        let mut image = image_of(&learner);
        change(&mut image, input);
        seal(&mut image);
        // Into a fresh one, and over one that has learned.
        for mut other in [fresh, learner] {
            let before = image_of(&other);
            match persist::restore(&mut other, &mut &*image) {
                Ok(()) => {
                    // An image of another budget is loaded, too; it is saved as one of this.
                    if shape(&image) == shape(&before) {
                        assert_eq!(image_of(&other), image, "loads and saves other bytes");
                    }
                    learn_on(&mut other, label);
                }
                Err(error) => assert_eq!(image_of(&other), before, "changed by {error}"),
            }
        }
    }
}

/// The text behind magic, version and length.
fn shape(image: &[u8]) -> Option<&[u8]> {
    let len: &[u8; 4] = image.get(12..)?.first_chunk()?;
    image.get(16..)?.get(..u32::from_le_bytes(*len) as usize)
}

/// Words are replaced, added to or cut off.
fn change(image: &mut Vec<u8>, input: &mut Input<'_>) {
    // Behind magic, version, length and shape, most of the time.
    let text = shape(image).map_or(0, <[u8]>::len);
    let body = 16 + text.next_multiple_of(4);
    while !input.is_empty() {
        let how = input.byte();
        let words = (image.len().saturating_sub(body + 4) / 4).max(1);
        let word = usize::from(input.byte()) | usize::from(input.byte()) << 8;
        let at = body + 4 * (word % words);
        match how {
            0..=127 => put(image, at, &input.number().to_le_bytes()),
            128..=207 => put(image, at, &input.word().to_le_bytes()),
            208..=239 => {
                let at = at + usize::from(how % 4);
                let byte = image.get(at).copied().unwrap_or(0) ^ input.byte();
                put(image, at, &[byte]);
            }
            240..=245 => image.truncate(at),
            246..=250 => image.extend(input.word().to_le_bytes()),
            _ => {
                let at = word % image.len().max(1);
                put(image, at, &[input.byte()]);
            }
        }
    }
}

fn put(image: &mut [u8], at: usize, bytes: &[u8]) {
    for (to, from) in image.iter_mut().skip(at).zip(bytes) {
        *to = *from;
    }
}

/// What was loaded is a learner: examples of usual sizes are learned or refused, and it can be saved.
fn learn_on<C>(learner: &mut C, label: fn(u8) -> C::Label)
where
    C: OnlineClassifier<Input = [f32; FEATURES]> + Persist + Clone,
{
    for step in 0..24_u8 {
        let part = |shift: u8| f32::from((step.wrapping_mul(37) >> shift) & 7) / 4.0 - 1.0;
        let x = [part(0), part(1), part(3), part(5)];
        if let Ok((_, score)) = learner.predict_scored(&x) {
            assert_finite(score, "the score of a loaded learner");
        }
        let before = learner.clone();
        if let Err(error) = learner.learn(&x, label(step)) {
            assert_eq!(image_of(&before), image_of(learner), "changed by {error}");
        }
    }
    let image = image_of(learner);
    let mut other = learner.clone();
    assert_eq!(
        persist::restore(&mut other, &mut &*image),
        Ok(()),
        "its own image"
    );
}
