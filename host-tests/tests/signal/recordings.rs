//! Files of samples.

use std::io::Write;

use pocketron_testkit::data::recording::{ColumnOptions, Fault, Recording, RecordingError};

fn read(text: &str) -> Result<Recording, RecordingError> {
    Recording::read("some.csv".as_ref(), text.as_bytes())
}

#[test]
fn columns_are_found_by_their_names_in_any_order() {
    let recording =
        read("Label,Z,x,Person,TIME\nwalk,1,2,Ann,0.00\nwalk,3,4,Ann,0.02\nrun,5,6,Bob,0.04\n");
    let recording = recording.expect("a recording");
    assert_eq!(recording.channels, ["Z", "x"]);
    assert_eq!(
        (recording.classes.join(" "), recording.people.join(" ")),
        ("walk run".into(), "Ann Bob".into())
    );
    assert_eq!(recording.sample(1), [3.0, 4.0]);
    assert_eq!(recording.samples_i16::<2>().expect("whole")[2], [5, 6]);
    let segments: Vec<_> = recording
        .segments
        .iter()
        .map(|s| (s.samples.clone(), s.class, s.person))
        .collect();
    assert_eq!(
        segments,
        [(0..2, Some(0), Some(0)), (2..3, Some(1), Some(1))]
    );
}

#[test]
fn separators_marks_blanks_comments_and_packing_make_no_difference() {
    let plain = read("time,x,label\n0,1,a\n1,2,a\n2,3,\n").expect("a recording");
    for text in [
        "\u{feff}time,x,label\n0,1,a\n1,2,a\n2,3,\n",
        "time;x;label\r\n0; 1;a\r\n1;2 ;a\r\n2;3;\r\n",
        "time\tx\tlabel\n# noise\n0\t1\ta\n1\t2\ta\n2\t3\t\n",
        "# a log, of Monday\n\ntime;x;label\n0;1;a\n1;2;a\n2;3;\n",
    ] {
        assert_eq!(read(text).expect(text), plain, "{text}");
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(text.as_bytes()).expect("memory");
        let packed = packer.finish().expect("memory");
        assert_eq!(
            Recording::read("some.csv".as_ref(), &packed[..]).expect("unpacked"),
            plain
        );
    }
    assert_eq!(plain.segments[1].class, None, "nobody knows");
}

/// Tables without names for the features still have one for the label.
#[test]
fn numbered_columns_beside_a_label_are_a_heading() {
    let classes = |text: &str, label: Option<&str>| {
        let options = ColumnOptions {
            label: label.map(String::from),
            needs_label: true,
            ..ColumnOptions::default()
        };
        let read = Recording::read_with("some.csv".as_ref(), text.as_bytes(), &options);
        read.expect(text).classes.join(",")
    };
    let rows = "1,2,up\n3,4,down\n5,7,up\n6,1,down\n";
    assert_eq!(classes(&format!("0,1,label\n{rows}"), None), "up,down");
    assert_eq!(
        classes(&format!("0,1,move\n{rows}"), Some("move")),
        "up,down"
    );
    assert_eq!(classes(rows, None), "up,down", "no heading");
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let wrong = |text: &str| read(text).expect_err(text).to_string();
    assert_eq!(
        wrong("x,y\n1,2\n1,b\n"),
        "some.csv:3: `b` in column `y` is no number: correct it, leave the column out (--drop y), or keep its rows together (--group y)"
    );
    assert_eq!(
        wrong("x,y\n1,2\n\n\n1,inf\n"),
        "some.csv:5: `inf` in column `y` is no number: leave the line out"
    );
    assert_eq!(
        wrong("x,the y\n1,2\n1,b\n"),
        "some.csv:3: `b` in column `the y` is no number: correct it, leave the column out (--drop 'the y'), or keep its rows together (--group 'the y')"
    );
    assert_eq!(
        wrong("x,y\n1,2\n1\n"),
        "some.csv:3: 1 columns instead of 2: the line is cut off, or has a separator too many or too few"
    );
    assert_eq!(
        wrong("x,x\n1,2\n"),
        "some.csv:1: there are two columns for `x`"
    );
    assert_eq!(
        wrong("time,seconds,x\n"),
        "some.csv:1: there are two columns for `seconds`"
    );
    assert_eq!(
        wrong("time,x\n1,0\n2,0\n2,0\n"),
        "some.csv:4: time goes back to 2: put the lines in order, or leave the column out with --drop"
    );
    assert_eq!(wrong("x,y\n"), "some.csv: there is no sample");
    assert!(wrong("label,time\na,1\n").contains("no column is a channel"));
    let missing = Recording::read_file("/nowhere/some.csv".as_ref()).expect_err("no file");
    assert!(matches!(missing.fault, Fault::Io(_)), "{missing}");
}

#[test]
fn a_truncated_packed_file_is_an_error_not_a_shorter_recording() {
    let path = std::path::Path::new(pocketron_testkit::FOLDER).join("data/watch.csv.gz");
    let packed = std::fs::read(path).expect("the file");
    let cut = Recording::read("cut.csv.gz".as_ref(), &packed[..packed.len() / 2]);
    assert!(cut.is_err());
}

#[test]
fn a_gap_in_time_and_another_session_begin_a_segment() {
    let recording =
        read("time,x,session\n0,1,a\n0.1,1,a\n0.2,1,a\n0.6,1,a\n0.7,1,a\n0.0,1,b\n0.1,1,b\n")
            .expect("a recording");
    let runs: Vec<_> = recording
        .segments
        .iter()
        .map(|segment| segment.samples.clone())
        .collect();
    assert_eq!(runs, [0..3, 3..5, 5..7]);
    assert!(
        recording
            .rate
            .is_some_and(|rate| (rate - 10.0).abs() < 1e-6)
    );
}

#[test]
fn numbers_that_do_not_fit_a_sensor_are_refused() {
    let recording = read("x\n1\n2.5\n").expect("a recording");
    assert_eq!(recording.samples_f32::<1>().expect("one channel")[1], [2.5]);
    assert_eq!(
        recording.samples_i16::<1>().expect_err("half").fault,
        Fault::NotWhole(2.5)
    );
    let channels = recording.samples_i16::<3>().expect_err("one channel").fault;
    assert_eq!(
        channels,
        Fault::Channels {
            found: 1,
            expected: 3
        }
    );
    assert!(
        read("x\n40000\n")
            .expect("a recording")
            .samples_i16::<1>()
            .is_err()
    );
}
