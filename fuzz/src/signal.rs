//! Front ends, and samples with arbitrary bits.

use pocketron::{
    persist::{self, Blank},
    signal::{FrontEnd, Motion, Vibration},
};
use pocketron_cli::model::image_of;

use crate::Input;

pub fn run(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let whole = |input: &mut Input<'_>| input.word() as i16;
    match input.below(6) {
        0 => drive::<Motion<32>, i16, 3>(&mut input, whole),
        1 => drive::<Motion<128>, i16, 3>(&mut input, whole),
        2 => drive::<Motion<32, f32>, f32, 3>(&mut input, |input| input.number()),
        3 => drive::<Vibration<64>, i16, 1>(&mut input, whole),
        4 => drive::<Vibration<64, f32>, f32, 1>(&mut input, |input| input.number()),
        _ => drive::<Motion<32, i16, 2047>, i16, 3>(&mut input, whole),
    }
}

/// Samples, gaps, restarts and restored images, as the bytes say.
fn drive<E, S: Copy, const C: usize>(input: &mut Input<'_>, number: fn(&mut Input<'_>) -> S)
where
    E: FrontEnd<Sample = [S; C]> + Blank,
{
    let mut front_end = E::BLANK;
    // Restored from an image at some time: an unfinished window is not in it, so the other one begins anew, too.
    let mut twin: Option<E> = None;
    let mut sample = [number(input); C];
    let mut pushed = 0;
    while !input.is_empty() && pushed < 3000 {
        match input.byte() {
            how @ 0..=199 => {
                if how & 1 == 0 {
                    sample = [0; C].map(|_| number(input));
                }
                // The same one again, as of a stuck sensor, or a run of them.
                for _ in 0..=(how >> 4) {
                    pushed += 1;
                    let features = push(&mut front_end, &sample);
                    if let Some(twin) = &mut twin {
                        assert_eq!(push(twin, &sample), features, "after its image");
                    }
                }
            }
            200..=219 => {
                let lost = input.word() % 300;
                front_end.skip(lost);
                // A short gap is bridged with the sample before it, which only one of them knows.
                twin = None;
            }
            220..=229 => {
                front_end.restart();
                twin.iter_mut().for_each(E::restart);
            }
            _ => {
                let image = image_of(&front_end);
                let mut other = E::BLANK;
                let restored = persist::restore(&mut other, &mut &*image);
                assert_eq!(restored, Ok(()), "its own image");
                assert_eq!(image_of(&other), image);
                front_end.restart();
                twin = Some(other);
            }
        }
    }
    front_end.quality();
}

/// The bits of the features, which are finite.
fn push<E: FrontEnd>(front_end: &mut E, sample: &E::Sample) -> Option<Vec<u32>> {
    let features = front_end.push(sample)?;
    let features = features.as_ref();
    assert_eq!(features.len(), E::FEATURES);
    assert!(
        features.iter().all(|feature| feature.is_finite()),
        "{features:?}"
    );
    Some(features.iter().map(|feature| feature.to_bits()).collect())
}
