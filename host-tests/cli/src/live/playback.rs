//! A recording that is played by the clock: which samples are due, and what is going on in them.

use std::{ops::Range, time::Duration};

use pocketron::label::Class;
use pocketron_testkit::data::recording::{self, Recording};

/// A recording goes on where it was if it was not polled for longer.
const LONGEST: Duration = Duration::from_secs(1);

/// Plays a recording from the beginning, and again.
///
/// While a class is taught, only samples of this class are played: a recording does not wait for anybody.
pub struct Playback {
    segments: Vec<Segment>,
    /// The segment that is played, and its next sample.
    current: usize,
    next: u32,
    /// Class that is taught.
    taught: Option<usize>,
    /// Samples a second.
    rate: f64,
    speed: f64,
    /// Samples that the clock has not reached yet, as a part of one.
    rest: f64,
}

/// Samples in a row with one label.
struct Segment {
    samples: Range<u32>,
    /// Position of its class.
    class: Option<usize>,
}

/// Samples to be played, all of one segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Their positions.
    pub samples: Range<u32>,
    /// Nothing was measured just before the first: no window has samples of both.
    pub is_first: bool,
}

impl Playback {
    /// Plays all of a recording, or one person of it. Samples are numbered from 0, those of others left out.
    pub fn of(recording: &Recording, person: Option<usize>, rate: f64, speed: f64) -> Self {
        let mut begin = 0;
        let is_played =
            |segment: &&recording::Segment| person.is_none() || segment.person == person;
        let segments = recording.segments.iter().filter(is_played).map(|segment| {
            let samples = begin..begin + segment.samples.len() as u32;
            begin = samples.end;
            Segment {
                samples,
                class: segment.class,
            }
        });
        Self::new(segments.collect(), rate, speed)
    }

    /// Plays this many samples that have no labels.
    pub fn unlabelled(samples: u32, rate: f64, speed: f64) -> Self {
        let segment = Segment {
            samples: 0..samples,
            class: None,
        };
        Self::new(vec![segment], rate, speed)
    }

    fn new(segments: Vec<Segment>, rate: f64, speed: f64) -> Self {
        let next = segments.first().map_or(0, |segment| segment.samples.start);
        Playback {
            segments,
            current: 0,
            next,
            taught: None,
            rate,
            speed,
            rest: 0.0,
        }
    }

    /// Samples that are due after this time, and the time of the recording that they take.
    pub fn due(&mut self, elapsed: Duration) -> (u32, Duration) {
        let elapsed = elapsed.min(LONGEST);
        let due = elapsed.as_secs_f64() * self.rate * self.speed + self.rest;
        self.rest = due.fract();
        (due as u32, elapsed.mul_f64(self.speed))
    }

    /// The next samples, at most this many and none of another segment.
    pub fn run(&mut self, samples: u32) -> Run {
        if self.is_at_end() {
            let behind = (self.current + 1) % self.segments.len().max(1);
            self.go_to(self.with_class(behind, self.taught).unwrap_or(behind));
        }
        let begin = self.next;
        let segment = self.segments.get(self.current).map(|one| &one.samples);
        let end = segment.map_or(begin, |segment| {
            segment.end.min(begin.saturating_add(samples))
        });
        self.next = end;
        Run {
            samples: begin..end,
            is_first: segment.is_some_and(|segment| segment.start == begin),
        }
    }

    /// Whether the next sample is one of another segment.
    pub fn is_at_end(&self) -> bool {
        let segment = self.segments.get(self.current);
        segment.is_none_or(|segment| self.next >= segment.samples.end)
    }

    /// Plays this class from now on, if the recording has it; everything for `None`. Whether it jumped to another sample.
    pub fn teach(&mut self, class: Option<Class>) -> bool {
        self.taught = class.map(|class| usize::from(class.0));
        class.is_some_and(|class| self.seek(class))
    }

    /// Jumps to the next samples of a class, unless they are being played. Whether it did.
    pub fn seek(&mut self, class: Class) -> bool {
        let wanted = Some(usize::from(class.0));
        match self.with_class(self.current, wanted) {
            Some(found) if found != self.current => {
                self.go_to(found);
                true
            }
            _ => false,
        }
    }

    /// Position of the class that is being played.
    pub fn class(&self) -> Option<usize> {
        self.segments.get(self.current)?.class
    }

    /// The next sample.
    pub fn next(&self) -> u32 {
        self.next
    }

    fn go_to(&mut self, segment: usize) {
        self.current = segment;
        self.next = self
            .segments
            .get(segment)
            .map_or(0, |one| one.samples.start);
    }

    /// The first segment of a class from here on, and round.
    fn with_class(&self, from: usize, class: Option<usize>) -> Option<usize> {
        let wanted = class?;
        let count = self.segments.len();
        let round = (from..count).chain(0..from.min(count));
        round
            .into_iter()
            .find(|at| self.segments[*at].class == Some(wanted))
    }
}
