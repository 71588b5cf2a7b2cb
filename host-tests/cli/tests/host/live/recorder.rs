//! Files of the recorder, also after it failed.

use std::{
    io::{self, Write},
    time::Duration,
};

use pocketron_cli::live::{
    recorder::{Recorder, Sink, Timeline},
    source::{Sensor, Update},
};
use pocketron_testkit::data::recording::Recording;

use crate::common::files::Scratch;

fn sensor() -> Sensor {
    Sensor {
        name: "made".into(),
        channels: ["x", "y", "z"].map(String::from).to_vec(),
        rate: 50.0,
        window: 64,
        classes: Vec::new(),
        bytes: 0,
    }
}

fn update(first: u32, samples: usize) -> Update {
    Update {
        first,
        samples: (0..samples as i16).map(|n| vec![n, -n, 1000]).collect(),
        ..Update::default()
    }
}

#[test]
fn a_recording_has_times_channels_and_labels() {
    let scratch = Scratch::new("recorder-content");
    let path = scratch.0.join("made.csv");
    let mut recorder = Recorder::create(&path, &sensor()).unwrap();
    recorder.add(&update(100, 2), "", 0.02).unwrap();
    recorder.add(&update(102, 3), "walk", 0.02).unwrap();
    // Five samples were lost.
    recorder.add(&update(110, 1), "walk", 0.02).unwrap();
    // The device restarts, and counts from 0.
    recorder.add(&update(0, 1), "walk", 0.02).unwrap();
    assert_eq!(recorder.samples(), 7);
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "time,x,y,z,label\n\
         0.000000,0,0,1000,\n\
         0.020000,1,-1,1000,\n\
         0.040000,0,0,1000,walk\n\
         0.060000,1,-1,1000,walk\n\
         0.080000,2,-2,1000,walk\n\
         0.200000,0,0,1000,walk\n\
         0.240000,0,0,1000,walk\n"
    );
    let recording = Recording::read_file(&path).unwrap();
    assert_eq!(recording.segments.len(), 4, "a gap ends a segment");
}

/// A fast sensor whose period is no whole number of microseconds.
#[test]
fn a_fast_recording_has_the_rate_of_its_period() {
    let scratch = Scratch::new("recorder-rate");
    let path = scratch.0.join("fast.csv");
    let mut recorder = Recorder::create(&path, &sensor()).unwrap();
    recorder.add(&update(0, 5000), "on", 1.0 / 5376.0).unwrap();
    let recording = Recording::read_file(&path).unwrap();
    let rate = recording.rate.unwrap();
    assert!((rate / 5376.0 - 1.0).abs() < 0.01, "{rate}");
    assert_eq!(recording.segments.len(), 1);
}

/// Updates of a sensor that gives 46.8 samples a second, asked every 50 ms.
fn updates(seconds: u32, before: u32) -> Vec<Update> {
    let number = |poll: u32| (f64::from(poll) * 0.05 * 46.8) as u32;
    let updates = (0..20 * seconds).map(|poll| Update {
        elapsed: Duration::from_millis(50),
        ..update(
            before.wrapping_add(number(poll)),
            (number(poll + 1) - number(poll)) as usize,
        )
    });
    updates.collect()
}

#[test]
fn the_period_is_measured_and_not_the_nominal_one() {
    let period_after = |updates: &[Update]| {
        let mut timeline = Timeline::default();
        for update in updates {
            timeline.take_in(update);
        }
        timeline.period(50.0)
    };
    let is = |period: f64, rate: f64| (period * rate - 1.0).abs() < 0.01;
    // Too few to tell.
    assert!(is(period_after(&updates(4, 0)), 50.0));
    assert!(is(period_after(&updates(6, 0)), 46.8));
    // A counter that wraps.
    assert!(is(period_after(&updates(60, u32::MAX - 1000)), 46.8));
    // Lost samples have numbers, and take their time.
    let mut gap = updates(10, 0);
    for update in gap.iter_mut().skip(100).take(40) {
        update.samples.clear();
    }
    assert!(is(period_after(&gap), 46.8));
    // The device restarts after a while.
    let restarted = [updates(60, 0), updates(20, 0)].concat();
    assert!(is(period_after(&restarted), 46.8));
}

#[test]
fn nothing_is_overwritten() {
    let scratch = Scratch::new("recorder-numbers");
    let path = scratch.0.join("made.csv");
    for name in ["made.csv", "made-2.csv", "made-3.csv"] {
        let recorder = Recorder::create(&path, &sensor()).unwrap();
        assert_eq!(recorder.path(), scratch.0.join(name));
    }
    let nowhere = scratch.0.join("no/folder.csv");
    let error = Recorder::create(&nowhere, &sensor()).unwrap_err();
    assert!(
        format!("{error:#}").contains("folder.csv: No such file"),
        "{error:#}"
    );
}

/// A disk with so much room that takes a few bytes at a time.
#[derive(Debug, Default)]
struct Disk {
    bytes: Vec<u8>,
    room: usize,
}

impl Write for &mut Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(7).min(self.room - self.bytes.len());
        if taken == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.bytes.extend(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for &mut Disk {
    fn cut(&mut self, bytes: u64) -> io::Result<()> {
        self.bytes.truncate(bytes as usize);
        Ok(())
    }
}

/// However much fits: what is there is whole, and can be read.
#[test]
fn a_full_disk_ends_a_recording_behind_a_whole_line() {
    let whole = {
        let mut disk = Disk {
            room: usize::MAX,
            ..Disk::default()
        };
        let mut recorder = Recorder::new(&mut disk, "disk.csv".into(), &sensor()).unwrap();
        for n in 0..5 {
            recorder.add(&update(2 * n, 2), "walk", 0.02).unwrap();
        }
        disk.bytes
    };
    let head = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for room in head..whole.len() {
        let mut disk = Disk {
            room,
            ..Disk::default()
        };
        let mut recorder = Recorder::new(&mut disk, "disk.csv".into(), &sensor()).unwrap();
        let failed = (0..5).find_map(|n| recorder.add(&update(2 * n, 2), "walk", 0.02).err());
        let error = format!("{:#}", failed.expect("no room"));
        assert!(error.starts_with("writing disk.csv: "), "{error}");
        let samples = recorder.samples();
        let text = String::from_utf8(disk.bytes).unwrap();
        assert!(whole.starts_with(text.as_bytes()) && text.ends_with('\n'));
        assert_eq!(text.lines().count() as u64, 1 + samples, "{text}");
    }
}
