//! Files of the recorder, also after it failed.

use std::io::{self, Write};

use pocketron_cli::live::{
    recorder::{Recorder, Sink},
    source::{Sensor, Update},
};
use pocketron_testkit::data::recording::Recording;

use crate::common::files::Scratch;

fn sensor(rate: f64) -> Sensor {
    Sensor {
        name: "made".into(),
        channels: ["x", "y", "z"].map(String::from).to_vec(),
        rate,
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
    let mut recorder = Recorder::create(&path, &sensor(50.0)).unwrap();
    recorder.add(&update(100, 2), "").unwrap();
    recorder.add(&update(102, 3), "walk").unwrap();
    // Five samples were lost.
    recorder.add(&update(110, 1), "walk").unwrap();
    assert_eq!(recorder.samples(), 6);
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "time,x,y,z,label\n\
         2.000000,0,0,1000,\n\
         2.020000,1,-1,1000,\n\
         2.040000,0,0,1000,walk\n\
         2.060000,1,-1,1000,walk\n\
         2.080000,2,-2,1000,walk\n\
         2.200000,0,0,1000,walk\n"
    );
    let recording = Recording::read_file(&path).unwrap();
    assert_eq!(recording.segments.len(), 3, "the gap ends a segment");
}

#[test]
fn the_rate_of_a_recording_is_that_of_the_sensor() {
    let scratch = Scratch::new("recorder-rate");
    let path = scratch.0.join("fast.csv");
    let mut recorder = Recorder::create(&path, &sensor(5376.0)).unwrap();
    recorder.add(&update(0, 5000), "on").unwrap();
    let recording = Recording::read_file(&path).unwrap();
    let rate = recording.rate.unwrap();
    assert!((rate / 5376.0 - 1.0).abs() < 0.01, "{rate}");
    assert_eq!(recording.segments.len(), 1);
}

#[test]
fn nothing_is_overwritten() {
    let scratch = Scratch::new("recorder-numbers");
    let path = scratch.0.join("made.csv");
    for name in ["made.csv", "made-2.csv", "made-3.csv"] {
        let recorder = Recorder::create(&path, &sensor(50.0)).unwrap();
        assert_eq!(recorder.path(), scratch.0.join(name));
    }
    let nowhere = scratch.0.join("no/folder.csv");
    let error = Recorder::create(&nowhere, &sensor(50.0)).unwrap_err();
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
        let mut recorder = Recorder::new(&mut disk, "disk.csv".into(), &sensor(50.0)).unwrap();
        for n in 0..5 {
            recorder.add(&update(2 * n, 2), "walk").unwrap();
        }
        disk.bytes
    };
    let head = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for room in head..whole.len() {
        let mut disk = Disk {
            room,
            ..Disk::default()
        };
        let mut recorder = Recorder::new(&mut disk, "disk.csv".into(), &sensor(50.0)).unwrap();
        let failed = (0..5).find_map(|n| recorder.add(&update(2 * n, 2), "walk").err());
        let error = format!("{:#}", failed.expect("no room"));
        assert!(error.starts_with("writing disk.csv: "), "{error}");
        let samples = recorder.samples();
        let text = String::from_utf8(disk.bytes).unwrap();
        assert!(whole.starts_with(text.as_bytes()) && text.ends_with('\n'));
        assert_eq!(text.lines().count() as u64, 1 + samples, "{text}");
    }
}
