//! The windows of a person, and the orders in which they are taught.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use pocketron::{
    persist::Blank as _,
    signal::{FrontEnd, Motion},
};

use crate::{
    data::{recording, shuffle::permutation},
    reproduce::bench::Bench,
};

/// Features of a window.
pub const DIM: usize = 12;
/// Exercises.
pub const CLASSES: usize = 7;
/// People in the recording.
pub const PEOPLE: usize = 10;

/// Windows of 2.56 seconds, a new one every 1.28 seconds.
type Frontend = Motion<128>;

/// A window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    pub features: [f32; DIM],
    pub class: u8,
    /// Which of the two recordings of the exercise it is from: another arm.
    pub arm: u8,
}

/// The windows of a person, in the order of time.
#[derive(Clone, Debug, Default)]
pub struct Person {
    /// Of the first half of each recording.
    pub own: Vec<Window>,
    /// Of the second half.
    pub test: Vec<Window>,
}

/// All people.
pub fn people(bench: &Bench) -> Result<Arc<Vec<Person>>> {
    bench.prepared("watch", || {
        let recording = recording::watch()?;
        let samples = recording.samples_i16::<3>()?;
        let mut people = vec![Person::default(); PEOPLE];
        let mut arms = [[0; CLASSES]; PEOPLE];
        for segment in &recording.segments {
            let (who, class) = segment.person.zip(segment.class).context("no label")?;
            ensure!(who < PEOPLE && class < CLASSES, "another recording");
            let arm = arms[who][class];
            arms[who][class] += 1;
            let middle = segment.samples.start + segment.samples.len() / 2;
            let windows = |samples: &[[i16; 3]]| {
                let mut front_end = Frontend::BLANK;
                let push = |sample| front_end.push(sample);
                let features: Vec<_> = samples.iter().filter_map(push).collect();
                features.into_iter().map(move |features| Window {
                    features,
                    class: class as u8,
                    arm,
                })
            };
            let person = &mut people[who];
            let first = &samples[segment.samples.start..middle];
            person.own.extend(windows(first));
            person
                .test
                .extend(windows(&samples[middle..segment.samples.end]));
        }
        Ok(people)
    })
}

/// All windows of everybody else, shuffled.
pub fn others(people: &[Person], person: usize, seed: u64) -> Vec<Window> {
    let others = people.iter().enumerate();
    let others = others.filter(|(who, _)| *who != person);
    let windows: Vec<_> = others
        .flat_map(|(_, other)| other.own.iter().chain(&other.test))
        .copied()
        .collect();
    let order = permutation(windows.len(), seed).into_iter();
    order.map(|at| windows[at]).collect()
}

impl Person {
    /// The first windows of an exercise, as many of either arm, and how many seconds they take.
    pub fn first(&self, class: u8, windows: usize) -> (Vec<Window>, f64) {
        let mut taken = Vec::new();
        let mut samples = 0;
        for (arm, count) in [windows.div_ceil(2), windows / 2].into_iter().enumerate() {
            let of = |window: &&Window| window.class == class && usize::from(window.arm) == arm;
            let before = taken.len();
            taken.extend(self.own.iter().filter(of).take(count));
            if taken.len() > before {
                samples += Frontend::WINDOW + (taken.len() - before - 1) * Frontend::HOP;
            }
        }
        (taken, samples as f64 / 50.0)
    }

    /// Blocks of one exercise each: `rounds` times all exercises, each time the next part of both arms.
    pub fn blocks(&self, seed: u64, rounds: usize) -> Vec<Vec<Window>> {
        let mut blocks = Vec::new();
        for round in 0..rounds {
            for class in permutation(CLASSES, seed) {
                let mut block = Vec::new();
                for arm in 0..2 {
                    let of =
                        |window: &&Window| usize::from(window.class) == class && window.arm == arm;
                    let windows: Vec<_> = self.own.iter().filter(of).copied().collect();
                    let part = |round: usize| windows.len() * round / rounds;
                    block.extend_from_slice(&windows[part(round)..part(round + 1)]);
                }
                blocks.push(block);
            }
        }
        blocks
    }
}

/// The mean recall of the classes in percent; `known` says whether a window is recognised.
pub fn mean_recall<'a>(
    windows: impl IntoIterator<Item = &'a Window>,
    mut is_right: impl FnMut(&Window) -> Result<bool>,
) -> Result<f64> {
    let mut counts = [(0_u32, 0_u32); CLASSES];
    for window in windows {
        let (right, all) = &mut counts[usize::from(window.class)];
        *right += u32::from(is_right(window)?);
        *all += 1;
    }
    let present = counts.iter().filter(|(_, all)| *all > 0);
    let shares: Vec<f64> = present
        .map(|(right, all)| f64::from(*right) / f64::from(*all))
        .collect();
    ensure!(!shares.is_empty(), "no windows");
    Ok(100.0 * shares.iter().sum::<f64>() / shares.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_person_has_two_halves_of_every_exercise_with_both_arms() {
        let people = people(&Bench::new(None)).unwrap();
        for person in people.iter() {
            for (half, least) in [(&person.own, 6), (&person.test, 6)] {
                for class in 0..CLASSES as u8 {
                    for arm in 0..2 {
                        let of = |window: &&Window| window.class == class && window.arm == arm;
                        let count = half.iter().filter(of).count();
                        assert!((least..20).contains(&count), "{count}");
                    }
                }
                assert!(half.iter().all(|window| window.arm < 2));
            }
        }
    }

    #[test]
    fn rounds_teach_every_window_once_and_a_block_has_one_exercise() {
        let people = people(&Bench::new(None)).unwrap();
        for rounds in [1, 3] {
            let blocks = people[3].blocks(5, rounds);
            assert_eq!(blocks.len(), CLASSES * rounds);
            for block in &blocks {
                assert!(block.iter().all(|window| window.class == block[0].class));
                assert!(block.iter().any(|window| window.arm == 1));
            }
            let all = blocks.concat();
            assert_eq!(all.len(), people[3].own.len());
            assert!(all.iter().all(|window| people[3].own.contains(window)));
        }
        assert_ne!(people[3].blocks(5, 1)[0], people[3].blocks(6, 1)[0]);
    }

    #[test]
    fn seconds_are_those_of_the_samples_behind_the_windows() {
        let people = people(&Bench::new(None)).unwrap();
        let (windows, seconds) = people[0].first(2, 1);
        assert_eq!((windows.len(), seconds), (1, 2.56));
        // Two windows of either arm.
        let (windows, seconds) = people[0].first(2, 4);
        assert_eq!((windows.len(), seconds), (4, 2.0 * 3.84));
        assert!(windows.iter().filter(|window| window.arm == 0).count() == 2);
    }

    #[test]
    fn recall_weighs_classes_alike() {
        let window = |class| Window {
            features: [0.0; DIM],
            class,
            arm: 0,
        };
        let windows = [window(0), window(0), window(0), window(5)];
        let recall = mean_recall(&windows, |window| Ok(window.class == 5)).unwrap();
        assert_eq!(recall, 50.0);
        assert!(mean_recall(&[], |_| Ok(true)).is_err());
    }
}
