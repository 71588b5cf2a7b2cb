//! A model that was saved and restored goes on bit for bit, in the memory of a device and on the host.

use pocketron::{
    label::{Class, Label as _},
    learners::continual::{AllViolating, AnnealedSteps},
    persist::{BufferTooSmall, Persist},
    prelude::*,
    rule::F1,
};
use pocketron_cli::model::HostModel;

use crate::{
    kept::{bytes_of, restore},
    streams::{CLASSES, D, Examples, blocks, mixed, quadrants},
};

const B: usize = 20;

/// Class after class, then mixed with wrong labels, then class after class.
fn classes() -> Examples {
    let order: Vec<usize> = (0..CLASSES).collect();
    let parts = [
        blocks(1, &order, 8),
        mixed(2, 300, 0.2),
        blocks(3, &order, 30),
    ];
    parts.concat()
}

/// The same for two classes.
fn signs() -> Vec<([f32; D], Sign)> {
    let side = |(x, class): ([f32; D], Class)| (x, Sign::of(f32::from(class.0) - 1.5));
    let taught = classes().into_iter().map(side);
    quadrants(5, 200, 0.1).into_iter().chain(taught).collect()
}

fn goes_on<L>(fresh: &L, stream: &[([f32; D], L::Label)])
where
    L: OnlineClassifier<Input = [f32; D]> + Persist + Clone,
    L::Label: std::fmt::Debug + PartialEq,
{
    let mut uninterrupted = fresh.clone();
    let outcomes: Vec<_> = stream
        .iter()
        .map(|(x, label)| uninterrupted.learn(x, *label))
        .collect();
    // Somebody with another past: none of it may shine through.
    let mut used = fresh.clone();
    for (x, label) in &stream[100..300] {
        used.learn(&x.map(|x| 3.0 * x), *label).expect("good");
    }
    for cut in [0, 1, 2, 3, 7, 19, 47, 48, 130, 333, 400] {
        let mut first = fresh.clone();
        for (x, label) in &stream[..cut] {
            first.learn(x, *label).expect("good");
        }
        let bytes = bytes_of(&first);
        let mut second = used.clone();
        restore(&mut second, &bytes).expect("its own image");
        assert!(bytes_of(&second) == bytes, "after {cut}");
        let mut host = HostModel::open(&bytes).expect("a known kind");
        for ((x, label), outcome) in stream.iter().zip(&outcomes).skip(cut) {
            assert_eq!(second.learn(x, *label), *outcome, "after {cut}");
            let there = host.learn(x, label.index() as u8).expect("good");
            let here = (*outcome).expect("good");
            assert_eq!(there.score.to_bits(), here.score.to_bits(), "after {cut}");
            assert_eq!((there.mistake, there.warning), (here.mistake, here.warning));
            assert_eq!(there.admission, here.admission);
        }
        assert!(bytes_of(&second) == bytes_of(&uninterrupted), "after {cut}");
        assert!(host.image() == bytes_of(&uninterrupted), "after {cut}");
    }
}

#[test]
fn two_classes_go_on_after_a_restart() {
    goes_on(&Pocketron::<D, B>::new(), &signs());
    let narrow = Pocketron::<D, B>::with_gamma(2.5).expect("a width");
    goes_on(&narrow, &signs());
}

#[test]
fn rare_classes_go_on_after_a_restart() {
    goes_on(&PocketronRare::<D, B>::new(), &signs());
    goes_on(&PocketronRare::<D, B, F1>::new(), &signs());
}

#[test]
fn several_classes_go_on_after_a_restart() {
    goes_on(&PocketronMulti::<D, B, CLASSES>::new(), &classes());
    type ByClass = PocketronMulti<D, B, CLASSES, AllViolating<AnnealedSteps<35, 3>, CLASSES>>;
    goes_on(&ByClass::new(), &classes());
}

#[test]
fn the_number_of_rehearsals_is_part_of_an_image() {
    for count in [0, 1, 2, 7, 255] {
        let mut model = Pocketron::<D, B>::new();
        model.set_rehearsals(count);
        let mut other = Pocketron::<D, B>::new();
        restore(&mut other, &bytes_of(&model)).expect("its own image");
        assert_eq!(other.rehearsals(), count);
    }
}

/// Bytes of the longest image, of a full model that becomes bytes and a model again, and what is free beyond them.
macro_rules! fits {
    ($model:ty, $stream:expr) => {{
        let mut model = <$model>::new();
        for (x, label) in $stream {
            model.learn(&x, label).expect("good");
        }
        assert_eq!(model.len(), model.capacity());
        let mut buffer = [0xff; <$model>::MAX_BYTES];
        let image = model.to_bytes(&mut buffer).expect("enough").to_vec();
        assert!(image == bytes_of(&model) && buffer.len() - image.len() < 64);
        let again = <$model>::from_bytes(&image).expect("its own image");
        assert!(bytes_of(&again) == image);
        let short = &mut buffer[..image.len() - 1];
        let needed = BufferTooSmall(image.len() as u32);
        assert_eq!(model.to_bytes(short), Err(needed));
        assert!(<$model>::from_bytes(short).is_err());
    }};
}

#[test]
fn no_image_is_longer_than_the_longest() {
    fits!(Pocketron<D, B>, signs());
    fits!(Pocketron<D, 17>, signs());
    fits!(PocketronRare<D, 3>, signs());
    fits!(PocketronRare<D, B, F1>, signs());
    fits!(PocketronMulti<D, B, CLASSES>, classes());
    fits!(PocketronMulti<D, 18, 7, AllViolating<AnnealedSteps<35, 3>, 7>>, classes());
}
