//! Streams of examples: wrong labels, stuck sensors, wild readings and changes of the concept.

use super::task::{Point, Task};
use crate::data::rng::TestRng;

/// Clean examples on which an error is measured.
const TEST: usize = 4000;

/// A part of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Segment {
    /// Examples.
    pub len: u64,
    /// Percentage of wrong labels, uniform among the other classes.
    pub noise: u64,
    /// How the concept differs from that of the task.
    pub change: Change,
    /// Every reading is the last one before the segment, bit for bit; labels go on as if it were not.
    pub stuck: bool,
}

/// How a concept differs from that of the task.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Change {
    /// Not at all.
    #[default]
    None,
    /// Class `c` becomes class `c + 1`, the last one the first.
    Labels,
    /// The same where the first feature is greater than 0.4.
    SomeLabels,
    /// The first sensor reads `2 x + 0.7` instead of `x`.
    Sensor,
}

impl Change {
    /// Changes a clean example.
    fn apply(self, task: &Task, x: &mut Point, class: &mut u8) {
        let next = (*class + 1) % task.classes;
        match self {
            Change::None => {}
            Change::Labels => *class = next,
            Change::SomeLabels if x[0] > 0.4 => *class = next,
            Change::SomeLabels => {}
            Change::Sensor => x[0] = 2.0 * x[0] + 0.7,
        }
    }
}

/// One reading with the same value in all features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wild {
    /// Its number in the stream, from 0 on.
    pub position: u64,
    /// The value.
    pub value: f32,
}

/// An example as a learner gets it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example {
    x: Point,
    dim: usize,
    /// Its class, which may be wrong.
    pub class: u8,
}

impl Example {
    /// Its features.
    pub fn features(&self) -> &[f32] {
        &self.x[..self.dim]
    }
}

/// Examples without end; the caller says which segment each belongs to. Points and classes of a run do not depend on
/// the segments.
pub struct Stream {
    task: &'static Task,
    points: TestRng,
    labels: TestRng,
    last: Point,
}

impl Stream {
    /// The examples of run `run`.
    pub fn new(task: &'static Task, run: u64) -> Self {
        let [points, labels, _] = seeds(run);
        Stream {
            task,
            points: TestRng::new(points),
            labels: TestRng::new(labels),
            last: Point::default(),
        }
    }

    /// The next example.
    pub fn next_in(&mut self, segment: &Segment) -> Example {
        let (mut x, mut class) = self.task.draw(&mut self.points);
        segment.change.apply(self.task, &mut x, &mut class);
        if self.labels.below(100) < segment.noise {
            let others = u64::from(self.task.classes) - 1;
            class = (class + 1 + self.labels.below(others) as u8) % self.task.classes;
        }
        if segment.stuck {
            x = self.last;
        }
        self.last = x;
        Example {
            x,
            dim: self.task.dim,
            class,
        }
    }
}

impl Wild {
    /// The example with a wild reading in place of its own.
    pub fn replace(self, example: Example) -> Example {
        let mut x = Point::default();
        x[..example.dim].fill(self.value);
        Example { x, ..example }
    }
}

/// Clean examples of run `run` that its stream does not contain.
pub fn unseen(task: &Task, change: Change, run: u64) -> Vec<Example> {
    let [_, _, test] = seeds(run);
    let mut rng = TestRng::new(test);
    let example = |_| {
        let (mut x, mut class) = task.draw(&mut rng);
        change.apply(task, &mut x, &mut class);
        Example {
            x,
            dim: task.dim,
            class,
        }
    };
    (0..TEST).map(example).collect()
}

/// Seeds of points, of noise and of unseen examples.
fn seeds(run: u64) -> [u64; 3] {
    let mut rng = TestRng::new(run);
    [(); 3].map(|()| rng.below(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::pocketron::long_life::TASKS;

    const DRAWN: usize = 40_000;

    fn drawn(task: &'static Task, segment: Segment) -> Vec<Example> {
        let mut stream = Stream::new(task, 1);
        (0..DRAWN).map(|_| stream.next_in(&segment)).collect()
    }

    #[test]
    fn labels_are_wrong_at_the_given_rate_and_all_else_is_the_same() {
        for task in &TASKS {
            let clean = drawn(task, Segment::default());
            let noisy = drawn(
                task,
                Segment {
                    noise: 20,
                    ..Segment::default()
                },
            );
            let mut wrong = vec![0; usize::from(task.classes)];
            for (clean, noisy) in clean.iter().zip(&noisy) {
                assert_eq!(clean.x, noisy.x);
                let off = (noisy.class + task.classes - clean.class) % task.classes;
                wrong[usize::from(off)] += 1;
            }
            let others = f64::from(task.classes - 1);
            for count in &wrong[1..] {
                let percent = 100.0 * f64::from(*count) / DRAWN as f64;
                assert!((percent - 20.0 / others).abs() < 0.8, "{}", task.name);
            }
        }
    }

    #[test]
    fn a_stuck_sensor_repeats_the_last_reading_and_its_labels_go_on() {
        let task = Task::named("quad4").unwrap();
        let mut stream = Stream::new(task, 1);
        let last = stream.next_in(&Segment::default());
        let stuck = Segment {
            stuck: true,
            ..Segment::default()
        };
        let constant: Vec<_> = (0..100).map(|_| stream.next_in(&stuck)).collect();
        assert!(constant.iter().all(|example| example.x == last.x));
        for class in 0..task.classes {
            assert!(constant.iter().any(|example| example.class == class));
        }
        assert_ne!(stream.next_in(&Segment::default()).x, last.x);
    }

    #[test]
    fn a_change_reaches_the_stream_and_the_unseen_examples() {
        let task = Task::named("quad4").unwrap();
        for (change, share) in [
            (Change::None, 0.0),
            (Change::Labels, 1.0),
            (Change::SomeLabels, 0.3),
            (Change::Sensor, 0.0),
        ] {
            let both = [Change::None, change].map(|change| {
                let segment = Segment {
                    change,
                    ..Segment::default()
                };
                [drawn(task, segment), unseen(task, change, 1)]
            });
            let [before, after] = both;
            for (before, after) in before.iter().zip(&after) {
                let pairs = || before.iter().zip(after);
                let moved = pairs().filter(|(before, after)| before.class != after.class);
                let moved = moved.count() as f64 / before.len() as f64;
                assert!((moved - share).abs() < 0.03, "{change:?} {moved}");
                let sensor = |x: f32| match change {
                    Change::Sensor => 2.0 * x + 0.7,
                    _ => x,
                };
                assert!(pairs().all(|(before, after)| after.x[0] == sensor(before.x[0])));
            }
        }
    }

    #[test]
    fn unseen_examples_are_not_those_of_the_stream() {
        let task = Task::named("plane").unwrap();
        let (seen, unseen) = (
            drawn(task, Segment::default()),
            unseen(task, Change::None, 1),
        );
        assert_eq!(unseen.len(), TEST);
        assert!(unseen.iter().all(|example| seen[0].x != example.x));
        assert_ne!(Stream::new(task, 2).next_in(&Segment::default()), seen[0]);
    }
}
