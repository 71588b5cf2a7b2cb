//! Models that are taught by hand, as bytes.

use pocketron::{
    classifier::RemoteModel as _,
    label::Class,
    persist::{BoundedImage, ImageError},
    prelude::*,
    signal::{Motion, Teachable, Teacher},
    wrap::ExemplarReplay,
};

use crate::{
    kept::{bytes_of, reseal, restore},
    streams::{C, D, H, Inner, K, Model, blocks, taught, teach},
};

type Hand = Teachable<D, 12, C>;

/// At any time, also between two rehearsals.
#[test]
fn a_restored_model_goes_on_bit_for_bit() {
    let stream = blocks(41, &[0, 1, 2, 3, 0, 2], 13);
    for cut in [0, 1, 2, 5, 8, 13, 14, 40, 78] {
        for steps in [0, 1, 7, 500] {
            let mut first = Hand::new();
            teach(&mut first, &stream[..cut]);
            first.rehearse_steps(steps).expect("it can");
            let bytes = bytes_of(&first);
            let mut second = Hand::new();
            teach(&mut second, &blocks(42, &[3, 1], 9));
            restore(&mut second, &bytes).unwrap_or_else(|error| {
                panic!("{error} after {cut} examples and {steps} rehearsals")
            });
            assert!(bytes_of(&second) == bytes);
            for model in [&mut first, &mut second] {
                model.rehearse_steps(11).expect("it can");
                teach(model, &stream[cut..]);
                while model.rehearse_steps(1) != Ok(0) {}
            }
            assert!(bytes_of(&first) == bytes_of(&second));
            for class in 0..C as u8 {
                let class = Class(class);
                assert_eq!(first.recall_of(class), second.recall_of(class));
            }
        }
    }
}

#[test]
fn cut_images_are_refused() {
    let bytes = bytes_of(&taught());
    let mut model = Model::new();
    let blank = bytes_of(&model);
    for len in 0..bytes.len() {
        assert!(restore(&mut model, &bytes[..len]).is_err());
    }
    assert!(bytes_of(&model) == blank);
}

/// The checksum holds, and still no word does harm.
#[test]
fn nonsense_is_refused_or_gives_a_model_that_works() {
    let bytes = bytes_of(&taught());
    let (mut taken, mut refused) = (0, 0);
    let numbers = [f32::NAN, f32::INFINITY, -1.0, f32::MAX, 1e-40].map(f32::to_bits);
    let words = [
        0,
        1,
        7,
        0xff,
        0xffff,
        0x1_0000,
        0x7fff_7fff,
        0x8000_8000,
        u32::MAX,
    ];
    for place in 3..bytes.len() / 4 - 1 {
        for word in words.into_iter().chain(numbers) {
            let mut changed = bytes.clone();
            changed[4 * place..4 * place + 4].copy_from_slice(&word.to_le_bytes());
            reseal(&mut changed);
            let mut model = taught();
            if restore(&mut model, &changed).is_err() {
                refused += 1;
                assert!(bytes_of(&model) == bytes, "word {place} = {word:#x}");
                continue;
            }
            taken += 1;
            assert!(bytes_of(&model) == changed, "word {place} = {word:#x}");
            let _ = model.is_known(&[1.0; D]);
            model.rehearse(40);
            teach(&mut model, &blocks(43, &[0, 3], 3));
            model.rehearse(40);
            let _ = (model.predict(&[1.0; D]), model.recall(Class(1)));
            model.forget(Class(2));
            // What it has become can be saved and loaded.
            let saved = bytes_of(&model);
            restore(&mut Model::new(), &saved)
                .unwrap_or_else(|error| panic!("{error}: word {place} = {word:#x}"));
        }
    }
    assert!(taken > 0 && refused > 0, "{taken} {refused}");
}

/// Everything would be known.
#[test]
fn a_spacing_that_nothing_has_is_refused() {
    let bytes = bytes_of(&taught());
    // Before the checksum: the spacing, its sum, and a count.
    let place = bytes.len() - 4 * 4;
    for nonsense in [f32::MAX, 1e7, -1.0, f32::NAN] {
        let mut changed = bytes.clone();
        changed[place..place + 4].copy_from_slice(&nonsense.to_le_bytes());
        reseal(&mut changed);
        let refusal = restore(&mut Model::new(), &changed);
        assert!(refusal.is_err(), "{nonsense}");
    }
}

#[test]
fn other_sizes_are_other_shapes() {
    let bytes = bytes_of(&taught());
    let other = |model: &mut dyn pocketron::persist::Persist| {
        let refusal = restore(model, &bytes).expect_err("another shape");
        assert!(matches!(refusal, ImageError::OtherShape(_)), "{refusal}");
    };
    other(&mut ExemplarReplay::<Inner, D, C, 7, H>::new());
    other(&mut ExemplarReplay::<Inner, D, C, K, 4>::new());
    other(&mut ExemplarReplay::<PocketronMulti<D, 21, C>, D, C, K, H>::new());
    other(&mut Inner::new());
}

/// A model that keeps as much as it can.
fn longest<const D: usize, const B: usize, const C: usize, const K: usize, const H: usize>() {
    type Of<const D: usize, const B: usize, const C: usize, const K: usize, const H: usize> =
        Confident<ExemplarReplay<PocketronMulti<D, B, C>, D, C, K, H>, C>;
    let mut model = Of::<D, B, C, K, H>::new();
    for n in 0..(C * 5 * (K + H + 4)) {
        let class = n % C;
        let mut x = [0.0; D];
        for (feature, x) in x.iter_mut().enumerate() {
            *x = (class * (feature + 1) + n * 7 % 11) as f32;
        }
        model.learn(&x, Class(class as u8)).expect("good");
    }
    for class in 0..C as u8 {
        assert_eq!(model.learner().exemplars(Class(class)), K);
        assert_eq!(usize::from(model.learner().recall(Class(class)).asked), H);
    }
    let (len, most) = (bytes_of(&model).len(), Of::<D, B, C, K, H>::MAX_BYTES);
    assert!(len <= most, "{len} {most}: {D} {B} {C} {K} {H}");
}

#[test]
fn no_image_is_longer_than_its_type_says() {
    longest::<12, 40, 7, 12, 4>();
    longest::<1, 4, 2, 1, 0>();
    longest::<1, 4, 2, 1, 1>();
    longest::<3, 9, 5, 5, 3>();
    longest::<2, 8, 20, 3, 2>();
    longest::<13, 10, 3, 16, 7>();
    const { assert!(Teachable::<12, 40, 7>::MAX_BYTES <= 4400) };
}

#[test]
fn a_teacher_is_saved_with_the_features_it_was_taught_with() {
    type Device<const N: usize> = Teacher<Motion<N>, Teachable<12, 8, 3>>;
    let mut device = Device::<16>::new();
    for t in 0..200_i16 {
        let class = Class((t >= 100).into());
        let sample = [t * 37 % 23, t * 11 % 17 + 40 * (t / 100), 1000];
        device.sample(&sample, Some(class)).expect("a class");
    }
    let bytes = bytes_of(&device);
    assert!(bytes.len() <= Device::<16>::MAX_BYTES);
    let mut restored = Device::<16>::new();
    restore(&mut restored, &bytes).expect("its own image");
    assert!(bytes_of(restored.model()) == bytes_of(device.model()));
    let refusal = restore(&mut Device::<32>::new(), &bytes).expect_err("other windows");
    assert!(matches!(refusal, ImageError::OtherShape(_)), "{refusal}");
}
