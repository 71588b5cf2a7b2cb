//! What is kept, held out and replayed.

use pocketron::{
    classifier::{RecallEstimate, RemoteModel as _},
    error::InputError,
    label::Class,
    prelude::*,
    signal::Teachable,
    wrap::ExemplarReplay,
};
use pocketron_testkit::data::shuffle::SplitMix64;

use crate::{
    kept::bytes_of,
    streams::{C, D, H, Inner, K, Model, blocks, example, normal, taught, teach},
};

#[test]
fn it_answers_as_the_learner_inside() {
    let model = taught();
    let mut rng = SplitMix64::new(3);
    for n in 0..200 {
        let x = example(&mut rng, n % 4, 5.0);
        assert_eq!(model.predict_scored(&x), model.learner().predict_scored(&x));
    }
}

#[test]
fn without_held_out_examples_it_learns_as_the_learner_inside() {
    let mut model = ExemplarReplay::<Inner, D, C, K, 0>::new();
    let mut plain = Inner::new();
    for (x, class) in blocks(2, &[0, 1, 2, 3, 1], 30) {
        assert_eq!(model.learn(&x, class), plain.learn(&x, class));
    }
    assert_eq!(bytes_of(model.learner()), bytes_of(&plain));
    assert_eq!(model.recall(Class(1)).asked, 0);
}

#[test]
fn it_keeps_no_more_than_its_type_says() {
    let mut model = Model::new();
    for (number, (x, class)) in blocks(4, &[0, 1, 2, 3], 60).into_iter().enumerate() {
        model.learn(&x, class).expect("a good example");
        for class in 0..C as u8 {
            assert!(model.exemplars(Class(class)) <= K, "{number}");
            assert!(usize::from(model.recall(Class(class)).asked) <= H);
        }
    }
    assert_eq!(model.exemplars(Class(2)), K);
    assert_eq!(model.recall(Class(2)).asked, H as u16);
    let own = size_of::<Model>() - size_of::<Inner>();
    assert!(own <= C * (2 * D * (K + H) + 6) + D + 24, "{own}");
    assert_eq!(size_of::<Teachable<12, 40, 7>>(), 3876);
}

#[test]
fn every_fifth_from_the_eighth_is_asked_and_not_learned() {
    let mut model = Model::new();
    teach(&mut model, &blocks(5, &[1], 10));
    let mut not_learned = Vec::new();
    for (n, (x, class)) in (1..).zip(blocks(6, &[0], 40)) {
        let (before, held_out) = (bytes_of(model.learner()), model.recall(Class(0)).asked);
        let predicted = model.predict(&x).expect("a good example");
        let outcome = model.learn(&x, class).expect("a good example");
        assert_eq!(outcome.predicted, predicted);
        assert_eq!(outcome.mistake, predicted != class);
        if bytes_of(model.learner()) == before {
            not_learned.push(n);
        } else {
            assert_eq!(model.recall(Class(0)).asked, held_out);
        }
    }
    assert_eq!(not_learned, [8, 13, 18, 23, 28, 33, 38]);
    assert_eq!(model.taught(Class(0)), 40);
    assert_eq!(model.learner().examples_of(Class(0)), Some(33));
}

#[test]
fn neighbours_of_what_is_held_out_are_learned_but_not_kept() {
    let mut model = ExemplarReplay::<Inner, D, C, 20, 2>::new();
    let mut kept = Vec::new();
    for (n, (x, class)) in (1..).zip(blocks(7, &[2], 24)) {
        let before = model.exemplars(class);
        model.learn(&x, class).expect("a good example");
        if model.exemplars(class) > before {
            kept.push(n);
        }
    }
    assert_eq!(kept, [1, 2, 3, 4, 5, 6, 10, 11, 15, 16, 20, 21]);
}

/// Windows of five hops: four on either side share samples with one that is held out.
#[test]
fn as_many_neighbours_are_left_out_as_overlap() {
    for (overlap, expected) in [
        (0, vec![1, 2, 3, 4, 5, 6, 10, 11, 15, 16, 20, 21]),
        (1, vec![1, 2, 3, 4, 5, 6, 10, 11, 15, 16, 20, 21]),
        (2, vec![1, 2, 3, 4, 5, 6, 10, 11, 15, 16, 20, 21]),
        (5, vec![1, 2, 3, 4, 5, 6, 16, 17]),
    ] {
        let mut model = ExemplarReplay::<Inner, D, C, 20, 2>::new();
        model.set_overlap(overlap);
        let (mut kept, mut held_out) = (Vec::new(), Vec::new());
        for (n, (x, class)) in (1..).zip(blocks(7, &[2], 24)) {
            let before = (model.exemplars(class), held_out_of(&model));
            model.learn(&x, class).expect("a good example");
            if model.exemplars(class) > before.0 {
                kept.push(n);
            }
            if held_out_of(&model) > before.1 {
                held_out.push(n);
            }
        }
        assert_eq!(kept, expected, "{overlap}");
        for held_out in held_out {
            let apart = |kept: &&u16| kept.abs_diff(held_out) >= overlap.max(2);
            assert_eq!(kept.iter().filter(apart).count(), kept.len());
        }
    }
}

fn held_out_of<L>(model: &L) -> u16
where
    L: pocketron::classifier::RemoteModel,
{
    let recall = model.recall_of(Class(2)).expect("it can tell");
    assert_eq!(recall.kind, RecallEstimate::HeldOut);
    recall.asked
}

/// The exemplars of the first class, out of the image: numbers of 16 bits in a word each, before seven words of state,
/// a checksum, and the empty lists of the second class and of those held out.
fn kept(model: &ExemplarReplay<PocketronMulti<1, 4, 2>, 1, 2, 6, 0>) -> Vec<u32> {
    let bytes = bytes_of(model);
    let (words, _) = bytes.as_chunks::<4>();
    let end = words.len() - 1 - 7 - 3;
    let stored = &words[end - 6..end];
    stored
        .iter()
        .map(|word| u32::from_le_bytes(*word))
        .collect()
}

/// 600 times six of 60 are kept: each of them 60 times, with a standard deviation of 7.3.
#[test]
fn exemplars_are_a_uniform_sample() {
    let mut model = ExemplarReplay::<PocketronMulti<1, 4, 2>, 1, 2, 6, 0>::new();
    let mut times = [0; 60];
    for _ in 0..600 {
        for n in 0..60_u8 {
            let x = 512.0 + 8.0 * f32::from(n);
            model.learn(&[x], Class(0)).expect("a good example");
        }
        let kept = kept(&model);
        let mut numbers: Vec<_> = kept.iter().map(|stored| (stored / 32 - 512) / 8).collect();
        for number in &numbers {
            times[*number as usize] += 1;
        }
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 6, "none is kept twice");
        model.forget(Class(0));
    }
    let bounds = 60 - 37..=60 + 37;
    assert!(
        times.iter().all(|times| bounds.contains(times)),
        "{times:?}"
    );
    // The first half and the second: a standard deviation of 28.
    let first: i32 = times[..30].iter().sum();
    assert!((1800 - 140..=1800 + 140).contains(&first), "{first}");
}

#[test]
fn replay_ends_after_five_passes_and_then_changes_nothing() {
    let mut model = Model::new();
    assert_eq!(model.rehearse(9), 0);
    teach(&mut model, &blocks(1, &[0, 1, 2], 20));
    assert_eq!(model.pending_replays(), 5 * 3 * K as u16);
    let mut at_once = model.clone();
    let mut steps = 0;
    while model.rehearse(1) > 0 {
        steps += 1;
    }
    assert_eq!((steps, model.pending_replays()), (5 * 3 * K, 0));
    let done = bytes_of(&model);
    assert_eq!(model.rehearse(100), 0);
    assert_eq!(bytes_of(&model), done);
    assert_eq!(at_once.rehearse(u16::MAX), 5 * 3 * K as u16);
    assert_eq!(bytes_of(&at_once), done, "in one go or step by step");
    // Something new: all over again.
    teach(&mut model, &blocks(9, &[3], 1));
    assert_eq!(model.pending_replays(), 5 * (3 * K as u16 + 1));
}

/// Nine classes that overlap, in few vectors, taught class after class.
#[test]
fn replay_after_each_block_is_better_than_none() {
    type Few = ExemplarReplay<PocketronMulti<4, 18, 9>, 4, 9, 12, 2>;
    let place = |class: u8| [f32::from(class % 3), f32::from(class / 3), 0.0, 0.0];
    let draw = |rng: &mut SplitMix64, class| place(class).map(|x| x + 0.3 * normal(rng));
    let (mut with, mut without) = (0, 0);
    for seed in 0..10 {
        let mut rng = SplitMix64::new(seed);
        let (mut replaying, mut plain) = (Few::new(), Few::new());
        for class in 0..9 {
            for _ in 0..60 {
                let x = draw(&mut rng, class);
                replaying.learn(&x, Class(class)).expect("good");
                plain.learn(&x, Class(class)).expect("good");
            }
            while replaying.rehearse(1) > 0 {}
        }
        for n in 0..900_u16 {
            let class = (n % 9) as u8;
            let x = draw(&mut rng, class);
            let right = |model: &Few| u32::from(model.predict(&x) == Ok(Class(class)));
            with += right(&replaying);
            without += right(&plain);
        }
    }
    // Of 9000.
    assert!(with > without + 180, "{with} {without}");
}

#[test]
fn forgetting_a_class_clears_what_is_kept_of_it() {
    let mut model = taught();
    let others = |model: &Model| {
        [0, 1, 3].map(|class| {
            let class = Class(class);
            (
                model.exemplars(class),
                model.taught(class),
                model.recall(class).asked,
            )
        })
    };
    let before = others(&model);
    model.forget(Class(2));
    assert_eq!((model.exemplars(Class(2)), model.taught(Class(2))), (0, 0));
    assert_eq!(model.recall(Class(2)).asked, 0);
    assert_eq!(others(&model), before);
    model.rehearse(u16::MAX);
    let mut rng = SplitMix64::new(8);
    for _ in 0..50 {
        let x = example(&mut rng, 2, 1.0);
        assert_ne!(model.predict(&x), Ok(Class(2)));
    }
    // And it can be taught again.
    teach(&mut model, &blocks(11, &[2], 20));
    model.rehearse(u16::MAX);
    assert_eq!(model.exemplars(Class(2)), K);
    let x = example(&mut rng, 2, 0.1);
    assert_eq!(model.predict(&x), Ok(Class(2)));
}

#[test]
fn refused_examples_change_nothing() {
    let mut model = taught();
    let before = bytes_of(&model);
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let refusal = model
            .learn(&[0.0, number, 0.0], Class(0))
            .expect_err("no number");
        assert_eq!(refusal, InputError::NonFinite);
    }
    let refusal = model.learn(&[0.0; D], Class(C as u8));
    assert_eq!(refusal.expect_err("no class"), InputError::UnknownClass);
    assert_eq!(bytes_of(&model), before);
}

#[test]
fn a_block_is_taken_back_with_its_rehearsal_bit_for_bit() {
    let mut model = Undo::<Teachable<D, 20, C>>::new();
    teach(&mut model, &blocks(1, &[0, 1], 15));
    while model.rehearse_steps(1).expect("it can") > 0 {}
    let before = bytes_of(&model);
    for rehearsals in [0, 1, 1000] {
        model.begin_block();
        teach(&mut model, &blocks(12, &[2], 25));
        model.end_block();
        model.rehearse_steps(rehearsals).expect("it can");
        assert!(bytes_of(&model) != before);
        assert!(model.undo());
        assert!(bytes_of(&model) == before, "after {rehearsals} rehearsals");
    }
    // A forgotten class comes back, with what was kept of it.
    model.forget(Class(1)).expect("it can");
    model.rehearse_steps(9).expect("it can");
    assert!(model.undo() && bytes_of(&model) == before);
}

/// Nine windows after another one is held out, one to two are kept, and the rest is not learned: the count must not end where it is held out.
#[test]
fn learning_goes_on_beyond_the_largest_count() {
    for overlap in [2, 3, 5, 6, 8] {
        let mut model = ExemplarReplay::<PocketronMulti<1, 2, 2>, 1, 2, 2, 2>::new();
        model.set_overlap(overlap);
        let teach = |model: &mut ExemplarReplay<_, 1, 2, 2, 2>, count: u32, from: f32| {
            for n in 0..count {
                let x = from + (n % 97) as f32;
                model.learn(&[x], Class(0)).expect("a good example");
            }
        };
        teach(&mut model, 65_600, 0.0);
        let learned = |model: &ExemplarReplay<PocketronMulti<1, 2, 2>, 1, 2, 2, 2>| {
            model.learner().examples_of(Class(0)).expect("it counts")
        };
        let turn = 2 * (u32::from(overlap) - 1) + 3;
        let before = (learned(&model), model.recall(Class(0)).asked);
        teach(&mut model, 10 * turn, 0.0);
        // Of each turn two are kept; with an overlap of two, all but one are learned.
        let expected = if overlap == 2 { turn - 1 } else { 2 };
        assert_eq!(learned(&model) - before.0, 10 * expected, "{overlap}");
        // New examples still take the place of old ones.
        let image = bytes_of(&model);
        teach(&mut model, 200_000, 1000.0);
        assert!(bytes_of(&model) != image);
        assert_eq!(model.is_known(&[0.0]), model.is_known(&[1000.0]));
    }
}

#[test]
fn counts_end_at_the_largest_number() {
    let mut model = ExemplarReplay::<PocketronMulti<1, 2, 2>, 1, 2, 2, 2>::new();
    for n in 0..66_000_u32 {
        let x = (n % 97) as f32;
        model.learn(&[x], Class(0)).expect("a good example");
    }
    let taught = u16::MAX as u32 - model.taught(Class(0));
    assert!(taught < 5, "{taught} fewer than can be counted");
    assert_eq!(model.exemplars(Class(0)), 2);
    model.learn(&[500.0], Class(1)).expect("a good example");
    while model.rehearse(1) > 0 {}
    assert_eq!(model.predict(&[50.0]), Ok(Class(0)));
}
