//! Files that the screen writes.

use pocketron::{
    label::Class,
    persist,
    signal::{Motion, Teachable, Teacher},
    wrap::Undo,
};
use pocketron_cli::live::replay::Replay;
use pocketron_testkit::data::recording::Recording;

use super::Live;

#[test]
fn a_saved_model_is_in_the_file_that_is_named() {
    let mut live = Live::watch("live-save");
    live.does_not_show("not saved");
    live.teach("1", 20.0);
    live.teach("7", 20.0);
    live.wait(4.0);
    live.shows("not saved");
    live.press("s");
    live.shows("saved to ");
    live.does_not_show("not saved");
    let image = std::fs::read(live.scratch.0.join("live.pocketron")).unwrap();
    let mut model = Box::new(Teacher::<Motion<128>, Undo<Teachable<12, 40, 9>>>::new());
    persist::restore(&mut *model, &mut image.as_slice()).unwrap();
    for (class, state) in (0..).map(Class).zip(&live.state().classes) {
        assert_eq!(model.recall(class), Some(state.recall), "{class:?}");
    }
    assert!(live.state().classes[6].recall.asked > 0);
}

#[test]
fn what_is_recorded_can_be_replayed_and_evaluated() {
    let mut live = Live::watch("live-record");
    live.press("r");
    live.shows("recording to ");
    for key in ["1", "7", "1", "7"] {
        live.teach(key, 12.0);
        live.wait(1.0);
    }
    live.press("r");
    live.shows("samples are in ");
    let path = live.scratch.0.join("recording.csv");
    let recording = Recording::read_file(&path).unwrap();
    assert_eq!(recording.classes, ["PEN", "ROW"]);
    assert_eq!(recording.rate.map(f64::round), Some(50.0));
    assert_eq!(recording.channels, ["x", "y", "z"]);
    // 4 blocks of 12 seconds, and what was between them.
    assert!((2500..2900).contains(&recording.len()));
    assert!(Replay::of(&recording, None, 1.0).is_ok());
    let text = crate::command::POCKETRON.printed(&format!(
        "evaluate --data {} --window 64 --learner pocketron --budget 24 --permutations 2",
        path.display()
    ));
    assert!(
        text.contains("windows of 64 samples, one every 32"),
        "{text}"
    );
    assert!(text.contains("1 is ROW"), "{text}");
    // The next recording does not overwrite it.
    live.press("r");
    live.shows("recording-2.csv");
}

/// Whatever a channel or a class is called: what is recorded of a recording is a recording.
#[test]
fn names_with_separators_and_quotes_are_recorded() {
    let lines =
        (0..200).map(|n| format!("{};{n};{};1000;walk, \"fast\"\n", f64::from(n) / 50.0, -n));
    let text = format!(
        "time;\"x, g\";\"y;\"\"g\"\"\";z;label\n{}",
        lines.collect::<String>()
    );
    let recording = Recording::read("names.csv".as_ref(), text.as_bytes()).unwrap();
    assert_eq!(recording.channels, ["x, g", "y;\"g\"", "z"]);
    let mut live = Live::of("live-names", &recording, None);
    live.press("r");
    live.teach("1", 3.0);
    live.press("r");
    let recorded = Recording::read_file(&live.scratch.0.join("recording.csv")).unwrap();
    assert_eq!(recorded.channels, recording.channels);
    assert_eq!(recorded.classes, recording.classes);
    assert!(recorded.len() > 150);
}
