//! A learner's way through a stream: segments, and when its error is measured.

use anyhow::{Context, Result};

use super::{
    compared_learner::Model,
    short,
    stream::{self, Example, Segment, Stream, Wild},
    task::Task,
};
use crate::reproduce::{Figures, Watch};

/// The figure of a schedule that says how far the error at the end is above the least one, in points.
pub const ABOVE_BEST: &str = "above best";

/// The least error counts from the first look at so many examples on.
const BEST_FROM: u64 = 3000;

/// When the error of a steady stream is measured, as far as it goes.
const LOOKS: [u64; 10] = [
    300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000,
];

/// How often the progress is told.
const TOLD: u64 = 4096;

/// A moment at which the error is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Its name in tables.
    pub name: String,
    /// Examples learned by then.
    pub at: u64,
}

/// The segments of a stream, and when the error is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// Its name in cells; it determines everything but the noise.
    pub name: String,
    /// The segments, one after the other.
    pub segments: Vec<Segment>,
    /// When the error is measured, in order.
    pub looks: Vec<Look>,
    /// A reading that is replaced by a wild one.
    pub wild: Option<Wild>,
}

impl Schedule {
    /// A stream of `len` examples with that percentage of wrong labels, in which nothing changes. The last look is at its
    /// end.
    pub fn steady(len: u64, noise: u64) -> Self {
        let mut looks: Vec<u64> = LOOKS.into_iter().filter(|look| *look < len).collect();
        looks.push(len);
        let look = |at| Look {
            name: short(at),
            at,
        };
        Schedule {
            name: format!("steady-{len}"),
            segments: vec![Segment {
                len,
                noise,
                ..Segment::default()
            }],
            looks: looks.into_iter().map(look).collect(),
            wild: None,
        }
    }

    /// Examples until the last look.
    pub fn len(&self) -> u64 {
        self.looks.last().map_or(0, |look| look.at)
    }

    /// Whether there is nothing to learn.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The segment of the example with number `position`, from 0 on: the last one goes on.
    fn segment(&self, position: u64) -> Segment {
        let mut end = 0;
        let mut segments = self.segments.iter();
        let current = segments.find(|segment| {
            end += segment.len;
            position < end
        });
        let current = current.or(self.segments.last());
        current.copied().unwrap_or_default()
    }

    /// Learns, and measures the error on clean unseen examples at every look, in percent.
    ///
    /// # Errors
    ///
    /// The learner refuses an example that is not wild.
    pub fn run(
        &self,
        task: &'static Task,
        model: &mut dyn Model,
        run: u64,
        watch: &Watch<'_>,
    ) -> Result<Figures> {
        let mut stream = Stream::new(task, run);
        let mut figures = Figures::new();
        let (mut position, mut segment) = (0, self.segment(0));
        let (mut best, mut last) = (f64::INFINITY, 0.0);
        for look in &self.looks {
            while position < look.at {
                segment = self.segment(position);
                let example = stream.next_in(&segment);
                let wild = self.wild.filter(|wild| wild.position == position);
                let example = wild.map_or(example, |wild| wild.replace(example));
                let learned = model.learn_example(&example);
                // A wild reading may be refused.
                if wild.is_none() {
                    learned.with_context(|| format!("example {position}"))?;
                }
                position += 1;
                if position.is_multiple_of(TOLD) {
                    watch.done(position as usize, self.len() as usize);
                }
            }
            last = error(model, &stream::unseen(task, segment.change, run));
            figures.insert(look.name.clone(), last);
            if look.at >= BEST_FROM {
                best = last.min(best);
            }
        }
        figures.insert(ABOVE_BEST.into(), (last - best).max(0.0));
        Ok(figures)
    }
}

/// Percentage of examples that are wrong; one that the model cannot predict is wrong.
fn error(model: &dyn Model, examples: &[Example]) -> f64 {
    let is_wrong = |example: &&Example| model.predict(example.features()) != Ok(example.class);
    let wrong = examples.iter().filter(is_wrong).count();
    100.0 * wrong as f64 / examples.len() as f64
}

#[cfg(test)]
mod tests {
    use pocketron::error::InputError;

    use super::*;

    /// Says always the same, and counts.
    #[derive(Default)]
    struct Constant {
        learned: Vec<f32>,
    }

    impl Model for Constant {
        fn learn(&mut self, x: &[f32], _: u8) -> Result<(), InputError> {
            self.learned.push(x[0]);
            match x[0] {
                1e18 => Err(InputError::NonFinite),
                _ => Ok(()),
            }
        }

        fn predict(&self, _: &[f32]) -> Result<u8, InputError> {
            Ok(0)
        }
    }

    fn schedule() -> Schedule {
        let segment = Segment {
            len: 10,
            ..Segment::default()
        };
        let look = |at| Look {
            name: format!("at {at}"),
            at,
        };
        Schedule {
            name: "test".into(),
            segments: vec![
                segment,
                Segment {
                    stuck: true,
                    ..segment
                },
            ],
            looks: vec![look(10), look(15), look(30)],
            wild: Some(Wild {
                position: 2,
                value: 1e18,
            }),
        }
    }

    #[test]
    fn a_steady_course_ends_where_it_is_told() {
        let looks = |len| {
            let looks = Schedule::steady(len, 10).looks.into_iter();
            looks.map(|look| look.name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(looks(1_000_000), "300 1k 3k 10k 30k 100k 300k 1M");
        assert_eq!(looks(4500), "300 1k 3k 4500");
    }

    #[test]
    fn a_course_ends_with_its_last_look() {
        let task = Task::named("quad4").unwrap();
        let mut model = Constant::default();
        let figures = schedule().run(task, &mut model, 1, &Watch::IDLE).unwrap();
        assert_eq!(model.learned.len(), 30);
        assert_eq!(model.learned[2], 1e18);
        let constant = &model.learned[9..];
        assert!(constant.iter().all(|x| *x == constant[0]));
        assert_ne!(model.learned[8], constant[0]);
        for look in ["at 10", "at 15", "at 30"] {
            assert!((figures[look] - 75.0).abs() < 3.0, "{figures:?}");
        }
    }

    #[test]
    fn only_a_wild_reading_may_be_refused() {
        let task = Task::named("quad4").unwrap();
        let mut schedule = schedule();
        schedule.wild = None;
        struct Refusing;
        impl Model for Refusing {
            fn learn(&mut self, _: &[f32], _: u8) -> Result<(), InputError> {
                Err(InputError::NonFinite)
            }
            fn predict(&self, _: &[f32]) -> Result<u8, InputError> {
                Err(InputError::NonFinite)
            }
        }
        let refused = schedule.run(task, &mut Refusing, 1, &Watch::IDLE);
        assert!(refused.is_err());
        let unseen = stream::unseen(task, Default::default(), 1);
        assert_eq!(error(&Refusing, &unseen), 100.0);
    }
}
