//! The replay buffer: who stays, in which order they come back, and what it costs.

use crate::common::streams::TestRng;
use pocketron::{
    error::InputError,
    label::Sign,
    learners::{
        batch::{Ranges, Replay, Scratch, Shuffle},
        perceptron::LinearPerceptron,
    },
    persist::Blank,
    stream::{Counters, ExampleSource, run_stream},
};

/// Offers `n` examples whose only feature is their number, positive with the given chance.
fn filled<const N: usize>(n: u32, chance: f32, seed: u64) -> Replay<1, N> {
    let mut buffer = Replay::new(seed as u32);
    let mut rng = TestRng::new(seed);
    for number in 0..n {
        let label = if rng.chance(chance) {
            Sign::Pos
        } else {
            Sign::Neg
        };
        buffer.offer(&[number as f32], label).expect("a number");
    }
    buffer
}

/// Number and label of everything held.
fn held<const N: usize>(buffer: &mut Replay<1, N>) -> Vec<(u32, Sign)> {
    let mut scratch = Scratch::BLANK;
    let samples = buffer.samples(&mut scratch);
    let pairs = samples.iter().map(|(x, label, weight)| {
        assert_eq!(weight, 1.0);
        (x[0] as u32, label)
    });
    pairs.collect()
}

#[test]
fn everything_is_kept_while_there_is_room() {
    let mut buffer = filled::<50>(50, 0.2, 3);
    let numbers: Vec<u32> = held(&mut buffer)
        .iter()
        .map(|(number, _)| *number)
        .collect();
    assert_eq!(numbers, Vec::from_iter(0..50));
    let offered = buffer.seen(Sign::Pos) + buffer.seen(Sign::Neg);
    assert_eq!(offered, 50);
    assert_eq!(
        buffer.offer(&[f32::NAN], Sign::Pos),
        Err(InputError::NonFinite)
    );
    assert_eq!(offered, buffer.seen(Sign::Pos) + buffer.seen(Sign::Neg));
}

#[test]
fn classes_share_the_slots_evenly_however_rare_one_is() {
    for (seed, chance) in (1..).zip([0.02, 0.1, 0.5, 0.9, 0.98]) {
        let buffer = filled::<100>(5000, chance, seed);
        assert_eq!(buffer.len(), 100);
        assert_eq!(buffer.count(Sign::Pos), 50, "{chance}");
        let odd = filled::<31>(5000, chance, seed);
        assert!(
            odd.count(Sign::Pos).abs_diff(odd.count(Sign::Neg)) == 1,
            "{chance}"
        );
    }
    // Less than half is there: all of it stays.
    let buffer = filled::<100>(2000, 0.01, 1);
    assert_eq!(buffer.count(Sign::Pos) as u32, buffer.seen(Sign::Pos));
    // A class alone has all slots.
    let buffer = filled::<100>(2000, -1.0, 1);
    assert_eq!((buffer.count(Sign::Pos), buffer.count(Sign::Neg)), (0, 100));
}

/// Early and late examples of a class have the same chance to be there in the end, also in a class that
/// lost slots on the way and in one that gained them.
#[test]
fn a_class_keeps_a_uniform_sample() {
    let (mut early, mut all) = ([0; 2], [0; 2]);
    for seed in 1..=400 {
        let mut buffer = filled::<21>(600, 0.2, seed);
        for (number, label) in held(&mut buffer) {
            let class = usize::from(label == Sign::Pos);
            early[class] += u32::from(number < 300);
            all[class] += 1;
        }
    }
    for class in 0..2 {
        let share = f64::from(early[class]) / f64::from(all[class]);
        // About 4200 draws a class: a deviation of 0.008.
        assert!((share - 0.5).abs() < 0.03, "{share} of {class}");
    }
}

#[test]
fn a_shuffle_is_a_permutation_of_any_length() {
    for len in (0..70).chain([100, 128, 129, 1000, 4096, 5000]) {
        for seed in 0..5 {
            let mut order: Vec<u32> = Shuffle::new(len, seed).collect();
            assert_eq!(order, Shuffle::new(len, seed).collect::<Vec<_>>());
            order.sort();
            assert_eq!(order, Vec::from_iter(0..len), "{len} {seed}");
        }
    }
}

/// Lengths that take all 32 bits: different numbers below the length, which do not run out at once.
#[test]
fn a_shuffle_may_be_as_long_as_a_number_can_say() {
    for len in [1 << 31, (1 << 31) + 1, 3_000_000_000, u32::MAX] {
        let mut order: Vec<u32> = Shuffle::new(len, 7).take(20_000).collect();
        assert!(order.iter().all(|number| *number < len), "{len}");
        assert!(order.iter().any(|number| *number > len / 2), "{len}");
        order.sort();
        order.dedup();
        assert_eq!(order.len(), 20_000, "{len}");
    }
}

#[test]
#[ignore = "goes through four thousand million numbers: half a minute"]
fn the_longest_shuffle_ends() {
    assert_eq!(Shuffle::new(u32::MAX, 7).count(), u32::MAX as usize);
}

#[test]
fn in_a_shuffle_every_number_may_come_anywhere() {
    let (len, rounds) = (10_u32, 6000);
    let mut counts = vec![0; (len * len) as usize];
    for seed in 0..rounds {
        for (place, number) in Shuffle::new(len, seed).enumerate() {
            counts[place * len as usize + number as usize] += 1;
        }
    }
    // 600 each, a deviation of 23.
    let (least, most) = (counts.iter().min(), counts.iter().max());
    assert!(
        *least.unwrap() > 420 && *most.unwrap() < 800,
        "{least:?} {most:?}"
    );
}

#[test]
fn an_epoch_shows_every_example_once_to_the_streaming_loop() {
    let mut buffer = filled::<40>(500, 0.3, 5);
    let mut expected = held(&mut buffer);
    let mut shown = Vec::new();
    let mut source = buffer.shuffled(3);
    while let Ok(Some(example)) = source.next_example() {
        let id = example.id.expect("a number") as usize;
        assert_eq!((example.x[0] as u32, example.label), expected[id]);
        shown.push((example.x[0] as u32, example.label));
    }
    assert_ne!(shown, expected);
    shown.sort_by_key(|(number, _)| *number);
    expected.sort_by_key(|(number, _)| *number);
    assert_eq!(shown, expected);

    let mut in_order = buffer.in_order();
    assert_eq!(in_order.next_example().unwrap().unwrap().id, Some(0));
    let (mut model, mut counters) = (LinearPerceptron::<1>::new(), Counters::default());
    let Ok(()) = run_stream(&mut model, &mut buffer.shuffled(1), &mut counters);
    assert_eq!(counters.seen, 40);
}

#[test]
fn ranges_become_minus_one_to_one() {
    let mut buffer = Replay::<2, 30>::new(1);
    let mut rng = TestRng::new(2);
    for _ in 0..30 {
        let x = [1e30 * rng.even(), 7.0];
        buffer.offer(&x, Sign::Pos).expect("finite");
    }
    let mut scratch = Scratch::BLANK;
    let raw: Vec<_> = buffer
        .samples(&mut scratch)
        .iter()
        .map(|(x, ..)| *x)
        .collect();
    let ranges = buffer.normalise();
    let scaled: Vec<_> = buffer
        .samples(&mut scratch)
        .iter()
        .map(|(x, ..)| *x)
        .collect();
    assert!(scaled.iter().all(|x| x[0].abs() <= 1.0 && x[1] == 0.0));
    assert!(scaled.iter().any(|x| x[0] == 1.0) && scaled.iter().any(|x| x[0] == -1.0));
    for (raw, scaled) in raw.iter().zip(&scaled) {
        assert_eq!(ranges.apply(raw), *scaled);
    }
    // The order of values is kept.
    for (i, j) in (0..30).zip(1..30) {
        assert_eq!(raw[i][0] < raw[j][0], scaled[i][0] < scaled[j][0]);
    }
    // A range that f32 cannot hold.
    let mut wide = Ranges::BLANK;
    wide.see(&[-f32::MAX]).expect("finite");
    wide.see(&[f32::MAX]).expect("finite");
    assert_eq!(
        [wide.apply(&[f32::MAX]), wide.apply(&[0.0])],
        [[1.0], [0.0]]
    );
    // And one that is too small to be divided by: as good as constant.
    let mut narrow = Ranges::BLANK;
    narrow.see(&[0.0]).expect("finite");
    narrow.see(&[f32::from_bits(1)]).expect("finite");
    assert_eq!(narrow.apply(&[f32::from_bits(1)]), [0.0]);
}

#[test]
fn ranges_refuse_what_is_not_finite() {
    let mut ranges = Ranges::BLANK;
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert_eq!(ranges.see(&[bad, 1.0]), Err(InputError::NonFinite));
        assert_eq!(ranges, Ranges::BLANK);
    }
    ranges.see(&[2.0, 1.0]).expect("finite");
    ranges.see(&[4.0, 1.0]).expect("finite");
    let before = ranges;
    assert_eq!(ranges.see(&[9.0, f32::NAN]), Err(InputError::NonFinite));
    assert_eq!(ranges, before);
}
