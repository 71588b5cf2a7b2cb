//! From a name to a set: look-up, what the catalogue knows, what comes along.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use pocketron_testkit::data::{LoadError, Places, catalogue};

use crate::common::{
    at_hand::{self, REQUIRE, SKIPPED, at_hand},
    files::{Scratch, committed, gzip, set},
};

#[test]
fn the_committed_sets_are_as_documented() {
    // Rows, features, positives.
    let documented = [
        ("sonar", 208, 60, 111),
        ("ionosphere", 351, 34, 225),
        ("pima", 768, 8, 268),
        ("wdbc", 569, 30, 212),
        ("votes84", 435, 16, 168),
        ("breast-cancer-wisconsin", 699, 9, 241),
    ];
    let readme = include_str!("../../data/README.md");
    for (name, rows, features, positives) in documented {
        let data = committed().load(name).expect(name);
        assert_eq!(
            data.classes(),
            [(-1.0, rows - positives), (1.0, positives)],
            "{name}"
        );
        assert_eq!(
            (data.name(), data.len(), data.dim()),
            (name, rows, features)
        );
        let entry = catalogue::lookup(name).expect(name);
        assert_eq!(
            (entry.parts[0].rows, entry.features),
            (rows, features),
            "{name}"
        );
        assert_eq!(entry.parts[0].positives, Some(positives), "{name}");
        let line = format!("| {name} | {rows} | {features} | {positives} ");
        assert!(readme.contains(&line), "the README has no line `{line}...`");
    }
}

#[test]
fn the_committed_sets_of_several_classes_are_as_documented() {
    let readme = include_str!("../../data/README.md");
    for (name, rows, features, classes) in [("digits", 1797, 64, 10), ("penguins", 342, 2, 3)] {
        let data = committed().load(name).expect(name);
        assert_eq!((data.len(), data.dim()), (rows, features), "{name}");
        let labels: Vec<f64> = data.classes().iter().map(|(label, _)| *label).collect();
        assert!(
            labels.iter().copied().eq((0..classes).map(f64::from)),
            "{name}: {labels:?}"
        );
        let entry = catalogue::lookup(name).expect(name);
        assert_eq!(
            (entry.parts[0].rows, entry.features),
            (rows, features),
            "{name}"
        );
        let line = format!("| {name} | {rows} | {features} | {classes} ");
        assert!(readme.contains(&line), "the README has no line `{line}...`");
    }
}

#[test]
fn the_first_rows_are_those_of_the_source() {
    let row = |name: &str, i: usize| {
        committed()
            .load(name)
            .expect(name)
            .rows()
            .get(i)
            .to_string()
    };
    assert_eq!(row("pima", 0), "1 1:6 2:148 3:72 4:35 6:33.6 7:0.627 8:50");
    assert_eq!(
        row("breast-cancer-wisconsin", 23),
        "1 1:8 2:4 3:5 4:1 5:2 6:3.54466 7:7 8:3 9:1"
    );
    assert_eq!(
        row("votes84", 248),
        "1",
        "a member of the house without a vote"
    );
}

#[test]
#[ignore = "slow with all sets at hand; run it after filling data/"]
fn every_set_at_hand_is_as_the_catalogue_says() {
    let places = Places::new(None);
    let at_hand = catalogue::SETS
        .iter()
        .flat_map(|set| set.parts.iter().map(move |part| (set, part)));
    for (set, part) in at_hand.filter(|(_, part)| places.find(part.file).is_ok()) {
        let data = places
            .load(part.file)
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            (data.len(), data.dim()),
            (part.rows, set.features),
            "{}",
            part.file
        );
        if let Some(positives) = part.positives {
            let classes = [(-1.0, part.rows - positives), (1.0, positives)];
            assert_eq!(data.classes(), classes, "{}", part.file);
        }
    }
}

#[test]
fn the_catalogue_is_consistent() {
    for (i, set) in catalogue::SETS.iter().enumerate() {
        assert!(
            catalogue::SETS[..i]
                .iter()
                .all(|other| other.name != set.name),
            "{}",
            set.name
        );
        let files: Vec<_> = set.parts.iter().map(|part| part.file.to_owned()).collect();
        let pair = vec![format!("{}.train", set.name), format!("{}.test", set.name)];
        assert!(files == [set.name] || files == pair, "{files:?}");
        assert!(
            files
                .iter()
                .all(|file| catalogue::lookup(file).is_some_and(|s| s.name == set.name))
        );
        assert!(
            set.train_rows
                .is_none_or(|rows| set.parts.len() == 1 && rows < set.parts[0].rows)
        );
    }
    assert_eq!(
        catalogue::task("letter").map(|task| task.positive.len()),
        Some(13)
    );
    for task in catalogue::WANG_VUCETIC {
        let set = catalogue::lookup(task.set).expect(task.set);
        assert!(
            set.papers.contains(&catalogue::Paper::WangVucetic),
            "{}",
            task.set
        );
    }
}

#[test]
fn tasks_of_the_paper_pick_the_classes_it_names() {
    let digits: String = (0..10).map(|digit| format!("{digit} 1:1\n")).collect();
    let labels = |name: &str| {
        let task = catalogue::task(name).expect(name);
        task.apply(set(&digits))
            .to_dense()
            .expect("one label each")
            .labels
    };
    assert_eq!(
        labels("usps.train"),
        [1., -1., -1., 1., -1., -1., 1., -1., 1., 1.]
    );
    assert_eq!(labels("pendigits"), labels("usps"));
    assert_eq!(labels("mnist"), [-1.0, 1.0], "3 and 8 only");
    assert_eq!(
        labels("covertype").iter().position(|&label| label > 0.0),
        Some(2)
    );
}

#[test]
fn the_first_place_that_has_a_set_wins() {
    let (first, second) = (Scratch::new("first"), Scratch::new("second"));
    let packed = first.put("own.libsvm.gz", &gzip(b"1 1:1\n"));
    let plain = first.put("own.libsvm", b"2 1:1\n");
    let later = second.put("own.libsvm.gz", b"3 1:1\n");
    let places = Places::only([first.0.clone(), second.0.clone()]);
    for expected in [&packed, &plain, &later] {
        assert_eq!(places.find("own").as_ref(), Ok(expected));
        std::fs::remove_file(expected).expect("it was just found");
    }
    assert!(places.find("own").is_err());
}

#[test]
fn an_existing_path_is_taken_as_it_is() {
    let scratch = Scratch::new("path");
    let path = scratch.put("mine.txt", b"1 7:1\n");
    let data = Places::only([])
        .load(path.to_str().expect("UTF-8"))
        .expect("it exists");
    assert_eq!((data.name(), data.dim()), ("mine.txt", 7));
}

#[test]
fn a_path_may_go_without_its_ending() {
    let scratch = Scratch::new("ending");
    let (plain, packed) = ("2 1:1\n", gzip(b"1 3:1\n"));
    let plain = scratch.put("banana.libsvm", plain.as_bytes());
    let name = scratch.0.join("banana");
    let name = name.to_str().expect("UTF-8");
    assert_eq!(Places::only([]).find(name), Ok(plain));
    let packed = scratch.put("banana.libsvm.gz", &packed);
    assert_eq!(Places::only([]).find(name), Ok(packed));
    let dim = Places::only([]).load(name).map(|data| data.dim());
    assert_eq!(dim, Ok(3), "a path speaks for itself, not the catalogue");
}

#[test]
fn a_missing_set_is_skipped_unless_it_is_required() {
    let missing = || Places::only([]).load("banana");
    assert_eq!(at_hand(missing(), false), None);
    let required = std::panic::catch_unwind(|| at_hand(missing(), true));
    let message = required.expect_err("a failure");
    let message = message.downcast_ref::<String>().expect("a message");
    assert!(
        message.contains("banana") && message.contains(REQUIRE),
        "{message}"
    );
    let there = committed().load("sonar");
    assert_eq!(at_hand(there, true).map(|data| data.len()), Some(208));
}

/// Runs itself with the variable set, since a test must not set it for its neighbours.
#[test]
fn a_skipped_test_is_listed() {
    let name = "data_finder::a_skipped_test_is_listed";
    if std::env::var_os("POCKETRON_TEST_SKIPS").is_some() {
        assert_eq!(at_hand::data("no-such-set"), None);
        return;
    }
    let scratch = Scratch::new("skipped");
    let list = scratch.0.join("list");
    let mut again = Command::new(std::env::current_exe().expect("this program"));
    again.args(["--exact", name]).env_remove(REQUIRE);
    again.env(SKIPPED, &list).env("POCKETRON_TEST_SKIPS", "1");
    let output = again.output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let listed = std::fs::read_to_string(&list).expect("a list");
    assert_eq!(listed, format!("no-such-set\t{name}\n"));
}

#[test]
fn places_are_the_explicit_one_the_variable_the_repository_and_the_small_sets() {
    let places = Places::with_variable(Some(Path::new("explicit")), Some(OsStr::new("variable")));
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let repository = package.parent().expect("the package is in a repository");
    let expected = [
        Path::new("explicit"),
        Path::new("variable"),
        &repository.join("data"),
        &package.join("data"),
    ];
    assert_eq!(places.dirs(), expected);
    assert_eq!(
        Places::with_variable(None, Some(OsStr::new(""))).dirs(),
        &expected[2..]
    );
}

#[test]
fn a_missing_set_is_reported_with_all_places_and_its_origin() {
    let scratch = Scratch::new("missing");
    let dirs = [scratch.0.clone(), scratch.0.join("absent")];
    let message = |name: &str| {
        Places::only(dirs.clone())
            .load(name)
            .expect_err(name)
            .to_string()
    };

    let letter = message("letter");
    for dir in &dirs {
        assert!(letter.contains(&dir.display().to_string()), "{letter}");
    }
    let wanted = [
        "no data set `letter`",
        "letter.libsvm.gz",
        "absent (no such directory)",
        "UCI",
        "r-cran-mlbench",
        "--data-dir",
        "$POCKETRON_DATA",
    ];
    for words in wanted {
        assert!(letter.contains(words), "`{words}` is not in: {letter}");
    }
    assert!(message("usps").contains("comes in parts: usps.train, usps.test"));
    assert!(!message("usps.train").contains("comes in parts"));
    assert!(message("xyz").contains("`cargo pocketron data` lists what is known"));
    assert!(message("pimma").contains("is it `pima`?"));
    assert!(message("artificial").contains("drawn by `reproduce` alone"));
    assert!(message("drawn-topics").contains("alone: paum2 and paum4 with --quick"));
    assert_eq!(
        message("no/such/file.libsvm"),
        "no file `no/such/file.libsvm`, nor `no/such/file.libsvm.gz`"
    );
    assert_eq!(
        message("no/such/file"),
        "no file `no/such/file`, nor `no/such/file.libsvm.gz`, nor `no/such/file.libsvm`"
    );
}

#[test]
fn a_known_set_gets_its_true_dimension_and_an_impostor_is_refused() {
    let scratch = Scratch::new("dimension");
    let places = Places::only([scratch.0.clone()]);
    scratch.put("mnist.test.libsvm", "3 778:1\n".repeat(10_000).as_bytes());
    assert_eq!(places.load("mnist.test").map(|data| data.dim()), Ok(784));
    let path = scratch.put("banana.libsvm", b"1 3:1\n");
    let error = places.load("banana").expect_err("banana has two features");
    assert!(matches!(error, LoadError::Unlike { .. }), "{error}");
    assert!(
        error.to_string().contains("feature 3, but the set has 2"),
        "{error}"
    );
    let own = places.load(path.to_str().expect("UTF-8"));
    assert_eq!(
        own.map(|data| data.dim()),
        Ok(3),
        "a path speaks for itself"
    );
}

#[test]
fn a_part_of_a_known_set_is_not_taken_for_the_whole() {
    let scratch = Scratch::new("whole");
    let places = Places::only([scratch.0.clone()]);
    let said = |rows: [(&str, usize); 2]| {
        let text: String = rows.map(|(row, count)| row.repeat(count)).concat();
        scratch.put("sonar.libsvm", text.as_bytes());
        places.load("sonar").map_err(|error| error.to_string())
    };
    let whole = [("-1 1:1\n", 97), ("1 1:1\n", 111)];
    assert_eq!(said(whole).map(|data| data.len()), Ok(208));
    let part = said([whole[0], ("1 1:1\n", 110)]).expect_err("a row is missing");
    assert!(part.contains("207 examples, the set has 208"), "{part}");
    let other = said([whole[0], ("2 1:1\n", 111)]).expect_err("a third label");
    let words = "97 examples labelled -1 and 0 labelled +1, the set has 97 and 111";
    assert!(other.contains(words), "{other}");
}

#[test]
fn both_parts_come_from_two_files_or_from_the_papers_division() {
    let scratch = Scratch::new("parts");
    let places = Places::only([scratch.0.clone()]);
    scratch.put("usps.train.libsvm", "1 1:1\n".repeat(7291).as_bytes());
    scratch.put("usps.test.libsvm", "2 1:1\n".repeat(2007).as_bytes());
    let (train, test) = places.load_split("usps").expect("both parts");
    assert_eq!((train.name(), test.name()), ("usps.train", "usps.test"));
    scratch.put("letter.libsvm", "1 1:1\n".repeat(20_000).as_bytes());
    let (train, test) = places.load_split("letter").expect("divided");
    assert_eq!((train.len(), test.len()), (16_000, 4_000));
    assert_eq!(
        committed().load_split("sonar"),
        Err(LoadError::NoSplit("sonar".into()))
    );
}

#[test]
fn a_drawn_set_has_as_many_rows_as_its_name_says() {
    let places = Places::only([]);
    let drawn = |name: &str| places.load(name).map(|data| (data.len(), data.dim()));
    assert_eq!(drawn("gauss:300"), Ok((300, 2)));
    assert_eq!(drawn("waveform:20:7"), Ok((20, 21)));
    assert_eq!(
        places.load("gauss:9").unwrap().rows(),
        places.load("gauss:9:1").unwrap().rows()
    );
    assert_ne!(
        places.load("gauss:9").unwrap().rows(),
        places.load("gauss:9:2").unwrap().rows()
    );
    for name in [
        "gauss",
        "gauss:",
        "gauss:0",
        "gauss:many",
        "gauss:5:1:2",
        "gauss:9999999",
    ] {
        let message = drawn(name).expect_err(name).to_string();
        assert!(
            message.contains("`gauss:5000` are 5000 rows of it"),
            "{message}"
        );
    }
}
