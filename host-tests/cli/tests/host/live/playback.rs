//! Recordings that are played, and those that cannot be.

use std::{path::Path, time::Duration};

use pocketron::{label::Class, signal::Event};
use pocketron_cli::live::{replay::Replay, source::Source as _};
use pocketron_testkit::data::recording::Recording;

use super::Live;
use crate::common::files::{Scratch, gzip};

/// A recording goes on by itself: a person who teaches a class must not be taught another.
#[test]
fn only_samples_of_the_class_that_is_taught_are_played() {
    let mut live = Live::watch("live-only");
    live.session.source_mut().seek(Class(1));
    live.wait(1.0);
    live.answers("(the recording says ABD)");
    live.press("4");
    // Longer than an arm, and than both.
    for _ in 0..100 {
        live.wait(1.0);
        live.answers("(the recording says IR)");
    }
    live.press("4");
    live.wait(100.0);
    assert_ne!(live.state().truth.as_deref(), Some("IR"));
}

/// Half a window of each of two classes, in turn: no window is whole unless it has samples of both.
#[test]
fn no_window_of_a_replay_has_samples_of_two_segments() {
    let lines = (0..2000).map(|n| {
        let label = ["a", "b"][n / 100 % 2];
        format!("{},{},0,1000,{label}\n", n as f64 / 50.0, n % 37)
    });
    let text = format!("time,x,y,z,label\n{}", lines.collect::<String>());
    let recording = Recording::read("turns.csv".as_ref(), text.as_bytes()).unwrap();
    assert_eq!(recording.segments.len(), 20);
    let mut replay = Replay::of(&recording, None, 1.0).unwrap();
    replay.teach(Some(Class(0))).unwrap();
    for _ in 0..1200 {
        let update = replay.poll(Duration::from_millis(50)).unwrap();
        let taught = |event: &Event| matches!(event, Event::Teaching { .. });
        assert!(!update.events.iter().any(taught));
    }
}

#[test]
fn a_recording_without_times_or_people_is_refused_with_a_way_out() {
    let text = "x,y,z\n1,2,3\n";
    let recording = Recording::read("bare.csv".as_ref(), text.as_bytes()).unwrap();
    let error = Replay::of(&recording, None, 1.0).err().unwrap();
    assert!(error.to_string().contains("--rate"), "{error}");
    let error = Replay::of(&recording.with_rate(50.0), Some("Ann"), 1.0)
        .err()
        .unwrap();
    assert!(error.to_string().contains("no person Ann"), "{error}");
}

fn open(path: &Path, rate: Option<f64>) -> anyhow::Result<Replay> {
    Replay::open(&path.display().to_string(), None, 1.0, rate)
}

#[test]
fn a_gzipped_recording_plays_as_a_plain_one() {
    let scratch = Scratch::new("live-gzip");
    let mut text = String::from("time,x,y,z,label\n");
    for n in 0..200 {
        text += &format!("{},{n},{},1000,walk\n", f64::from(n) / 50.0, -n);
    }
    let packed = gzip(text.as_bytes());
    let paths = [
        scratch.put("walk.csv", text.as_bytes()),
        scratch.put("walk.csv.gz", &packed),
    ];
    let [plain, packed_update] = paths.each_ref().map(|path| {
        let mut replay = open(path, None).unwrap();
        replay.poll(Duration::from_secs(1)).unwrap()
    });
    assert!((49..=50).contains(&plain.samples.len()));
    assert_eq!(plain, packed_update);

    let half = scratch.put("half.csv.gz", &packed[..packed.len() / 2]);
    let error = format!("{:#}", open(&half, None).err().unwrap());
    assert!(error.contains("half.csv.gz: "), "{error}");
}

#[test]
fn a_recording_that_cannot_be_played_is_named_with_the_reason() {
    let scratch = Scratch::new("live-refused");
    let refused = |name: &str, text: &str, reason: &str| {
        let path = scratch.put(name, text.as_bytes());
        let error = format!("{:#}", open(&path, None).err().unwrap());
        assert!(error.contains(name) && error.contains(reason), "{error}");
    };
    let head = "time,x,y,z\n0,1,2,3\n";
    refused(
        "word.csv",
        &format!("{head}0.1,1,two,3\n"),
        ":3: `two` in column `y`",
    );
    refused(
        "short.csv",
        &format!("{head}0.1,1\n"),
        ":3: 2 columns instead of 4",
    );
    refused(
        "back.csv",
        &format!("{head}-1,1,2,3\n"),
        ":3: time goes back to -1",
    );
    refused("empty.csv", "time,x,y,z\n", "there is no sample");
    refused(
        "two.csv",
        "time,a,b\n0,1,2\n1,1,2\n",
        "2 channels instead of 3",
    );
    refused(
        "g.csv",
        "time,x,y,z\n0,0.5,0,1\n1,0,0,1\n",
        "0.5 is no integer",
    );
    let missing = scratch.0.join("missing.csv");
    let error = format!("{:#}", open(&missing, None).err().unwrap());
    assert!(error.contains("missing.csv: No such file"), "{error}");
    let error = open(&scratch.0.join("word.csv"), Some(0.0));
    assert!(error.is_err());
}
