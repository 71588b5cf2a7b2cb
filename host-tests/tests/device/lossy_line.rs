//! A line that loses, doubles, delays and damages frames; the model must not notice.
//!
//! The host goes back: it sends a window of commands, and begins again at the first one of which it
//! does not know that it was done.

use std::collections::VecDeque;

use pocketron::{
    device::message::{ErrorReply, Reply, Request},
    num::rng::XorShift32,
};

use crate::bench::{
    EAGER, Flash, Host, bytes_of, examples, fresh, image_of, learn, read, request, taught,
};

/// Chances in a thousand of what may happen to a frame.
#[derive(Clone, Copy)]
struct Line {
    lost: u32,
    doubled: u32,
    delayed: u32,
    damaged: u32,
}

/// One direction of the line.
struct Channel {
    line: Line,
    random: XorShift32,
    delayed: VecDeque<Vec<u8>>,
    mishaps: usize,
}

impl Channel {
    fn new(line: Line, seed: u32) -> Self {
        Channel {
            line,
            random: XorShift32::new(seed),
            delayed: VecDeque::new(),
            mishaps: 0,
        }
    }

    fn happens(&mut self, chance: u32) -> bool {
        let happens = self.random.below(1000) < chance;
        self.mishaps += usize::from(happens);
        happens
    }

    /// What of some frames arrives, and what of earlier ones.
    fn carry(&mut self, frames: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let mut arrived = Vec::new();
        for mut frame in frames {
            if self.happens(self.line.lost) {
                continue;
            }
            if self.happens(self.line.damaged) {
                let position = self.random.below(frame.len() as u32) as usize;
                frame[position] ^= 1 << self.random.below(8);
            }
            if self.happens(self.line.doubled) {
                arrived.push(frame.clone());
            }
            if self.happens(self.line.delayed) {
                self.delayed.push_back(frame);
            } else {
                arrived.push(frame);
            }
            if self.random.below(3) == 0 {
                arrived.extend(self.delayed.pop_front());
            }
        }
        arrived
    }
}

/// Whether `number` is one of the `count` from `base` on.
fn within(base: u32, number: u32, count: usize) -> bool {
    (number.wrapping_sub(base) as usize) < count
}

/// Has commands done over a bad line, and returns after how many rounds, and how often something
/// happened to a frame.
fn go_back_n(
    host: &mut Host<'_>,
    commands: &[Request<'_>],
    window: usize,
    line: Line,
    seed: u32,
) -> (usize, usize) {
    let first = host.next;
    let (mut there, mut back) = (Channel::new(line, seed), Channel::new(line, seed + 1));
    let mut done = 0;
    let mut rounds = 0;
    while done < commands.len() {
        rounds += 1;
        assert!(
            rounds < 100 * commands.len() + 1000,
            "no progress at {done}"
        );
        let base = first.wrapping_add(done as u32);
        let pending = commands[done..].iter().take(window);
        let frames = pending.zip(0..).map(|(body, ahead)| {
            // A zero in front ends what a damaged frame has left open.
            let mut frame = vec![0];
            frame.extend(request(base.wrapping_add(ahead), *body));
            frame
        });
        let arrived = there.carry(frames.collect());
        let answers = arrived.iter().flat_map(|frame| host.send(frame)).collect();
        for answer in back.carry(answers) {
            let Some(message) = crate::wire::unframed(&answer) else {
                continue; // damaged
            };
            let message = read(&crate::wire::framed(&message));
            let next = match message.body {
                Reply::Refused(ErrorReply::BadFrame { next } | ErrorReply::OutOfOrder { next }) => {
                    next
                }
                // Done, whatever came of it, and so is all that was before.
                _ => message.number.wrapping_add(1),
            };
            let base = first.wrapping_add(done as u32);
            if within(base.wrapping_add(1), next, window) {
                done += next.wrapping_sub(base) as usize;
            }
        }
    }
    (rounds, there.mishaps + back.mishaps)
}

const COUNT: usize = 150;

fn taught_over(line: Line, window: usize, seed: u32) -> (usize, usize) {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    let stream: Vec<_> = examples(seed).take(COUNT).collect();
    let stream: Vec<_> = stream
        .iter()
        .map(|(x, class)| (bytes_of(x), *class))
        .collect();
    let commands: Vec<_> = stream.iter().map(|(x, class)| learn(x, *class)).collect();
    let result = go_back_n(&mut host, &commands, window, line, seed);
    host.send(&[0]);
    let image = image_of(&taught(seed, COUNT));
    assert_eq!(host.pull(), image, "seed {seed}, window {window}");
    assert_eq!(host.status().seen, COUNT as u32);
    result
}

const GOOD: Line = Line {
    lost: 0,
    doubled: 0,
    delayed: 0,
    damaged: 0,
};

#[test]
fn a_good_line_needs_no_second_try() {
    for window in [1, 2, 5, 8] {
        let (rounds, mishaps) = taught_over(GOOD, window, 1);
        assert_eq!((rounds, mishaps), (COUNT.div_ceil(window), 0));
    }
}

#[test]
fn a_model_taught_over_a_bad_line_is_the_same_to_the_bit() {
    let lines = [
        Line { lost: 200, ..GOOD },
        Line {
            doubled: 300,
            ..GOOD
        },
        Line {
            delayed: 300,
            ..GOOD
        },
        Line {
            damaged: 200,
            ..GOOD
        },
        Line {
            lost: 150,
            doubled: 150,
            delayed: 150,
            damaged: 150,
        },
    ];
    for (line, window) in lines
        .iter()
        .flat_map(|line| [1, 2, 4, 8].map(|window| (line, window)))
    {
        for seed in 1..=10 {
            let (_, mishaps) = taught_over(*line, window, 100 * seed);
            assert!(mishaps > 20, "{mishaps}");
        }
    }
}

/// Everything that a host may want to be done, over the worst line.
#[test]
fn saves_and_pushes_over_a_bad_line_are_done_once_and_whole() {
    let worst = Line {
        lost: 150,
        doubled: 150,
        delayed: 150,
        damaged: 150,
    };
    for seed in 1..=20 {
        let (flash, mut model) = (Flash::new(), fresh());
        let mut unit = flash.unit(&mut model, EAGER);
        let mut host = Host::new(&mut unit);
        let image = image_of(&taught(seed, 40));
        let example = bytes_of(&[0.5, -0.5]);
        let mut commands = vec![learn(&example, 1), Request::Save];
        let len = image.len() as u32;
        commands.push(Request::unsigned_push(len));
        let parts = image.chunks(50).zip((0..).step_by(50));
        commands.extend(parts.map(|(bytes, offset)| Request::PushPart { offset, bytes }));
        commands.extend([Request::PushEnd, learn(&example, 0), Request::Load]);
        go_back_n(&mut host, &commands, 4, worst, 7 * seed);
        host.send(&[0]);
        assert_eq!(host.pull(), image);
        let status = host.status();
        assert_eq!((status.saved, status.seen), (Some(1), 2), "seed {seed}");
    }
}
