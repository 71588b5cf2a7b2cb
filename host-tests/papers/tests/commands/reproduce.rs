//! `pocketron reproduce` as a user meets it: what is finished stays, parts add up, mistakes are explained.

use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

use crate::files::Scratch;

/// Six trainings on a set that is drawn: seconds, and no file is needed.
const FEW: &str = "ll2 --sets yinyang --quick --runs 1";

fn command(arguments: &str, results: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pocketron-papers"));
    command.arg("reproduce").args(arguments.split(' '));
    command.arg("--results").arg(results);
    command.env_remove("POCKETRON_DATA");
    command
}

fn reproduce(arguments: &str, results: &Path) -> Output {
    let output = command(arguments, results).output();
    output.expect("the command starts")
}

/// Messages of a command that succeeds.
fn told(arguments: &str, results: &Path) -> String {
    let output = reproduce(arguments, results);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments}: {text}");
    text
}

/// Message of a command that fails.
fn refused(arguments: &str) -> String {
    let scratch = Scratch::new("refused");
    let output = reproduce(arguments, &scratch.0);
    assert!(!output.status.success(), "{arguments}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn table(results: &Path) -> String {
    fs::read_to_string(results.join("ll2.csv")).expect("a table")
}

#[test]
fn shards_on_several_machines_make_the_table_of_one() {
    let scratch = Scratch::new("shards");
    let place = |name: &str| scratch.0.join(name);
    told(FEW, &place("whole"));
    for part in 1..=3 {
        let text = told(
            &format!("{FEW} --shard {part}/3"),
            &place(&part.to_string()),
        );
        assert!(
            text.contains("cells computed") || text.contains("0 cells to compute"),
            "{text}"
        );
        assert!(
            !place(&part.to_string()).join("ll2.csv").exists(),
            "a part has no report"
        );
    }
    let parts = [1, 2, 3].map(|part| place(&part.to_string()).display().to_string());
    let merged = told(
        &format!("{FEW} --merge {}", parts.join(" ")),
        &place("merged"),
    );
    assert!(
        merged.contains("0 cells to compute, 10 finished before"),
        "{merged}"
    );
    assert_eq!(table(&place("merged")), table(&place("whole")));
    // The table may also come last, and without one the cells are taken over and nothing else.
    let (name, options) = FEW.split_once(' ').expect("a table and its options");
    let last = format!("{options} --merge {} {name}", parts.join(" "));
    let merged = told(&last, &place("last"));
    assert!(
        merged.contains("0 cells to compute, 10 finished before"),
        "{merged}"
    );
    told(&format!("--merge {}", parts.join(" ")), &place("cells"));
    assert!(place("cells").join("cells/merged.jsonl").exists());
    assert!(!place("cells").join("results.md").exists());
}

#[test]
fn a_run_that_was_cut_off_computes_only_what_is_missing() {
    let scratch = Scratch::new("cut-off-run");
    let first = told(FEW, &scratch.0);
    assert!(
        first.contains("10 cells to compute, 0 finished before"),
        "{first}"
    );
    let whole = table(&scratch.0);
    // The power went off while the last cell was written.
    let cells = scratch.0.join("cells/cells.jsonl");
    let text = fs::read_to_string(&cells).expect("finished cells");
    fs::write(&cells, &text[..text.len() - 40]).expect("a shorter file");
    let second = told(FEW, &scratch.0);
    assert!(
        second.contains("1 cells to compute, 9 finished before"),
        "{second}"
    );
    assert_eq!(table(&scratch.0), whole);
    let fresh = told(&format!("{FEW} --fresh"), &scratch.0);
    assert!(
        fresh.contains("10 cells to compute, 0 finished before"),
        "{fresh}"
    );
    // Had it been interrupted after nine cells, the old one would not stand in for the tenth.
    let text = fs::read_to_string(&cells).expect("finished cells");
    let last = text.trim_end().rfind('\n').expect("several lines");
    fs::write(&cells, &text[..=last]).expect("a shorter file");
    let rest = told(FEW, &scratch.0);
    assert!(
        rest.contains("1 cells to compute, 9 finished before"),
        "{rest}"
    );
}

#[test]
fn what_cannot_be_computed_again_is_not_forgotten() {
    let scratch = Scratch::new("gone");
    let row = |row: u32| {
        let label = if row < 120 { 1 } else { -1 };
        format!("{label} 1:{} 2:{} 13:{}\n", row % 7, row % 11, row % 3)
    };
    let rows: String = (0..270).map(row).collect();
    let file = scratch.put("heart.libsvm", rows.as_bytes());
    let arguments = format!("ll2 --sets heart --runs 1 --data {}", scratch.0.display());
    told(&arguments, &scratch.0);
    let before = table(&scratch.0);
    fs::remove_file(file).expect("the file was there");
    let output = reproduce(&format!("{arguments} --fresh"), &scratch.0);
    assert!(!output.status.success(), "nothing can be computed");
    told(&format!("{arguments} --report-only"), &scratch.0);
    assert_eq!(table(&scratch.0), before);
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_others_from_being_computed() {
    let scratch = Scratch::new("unreadable");
    scratch.put("heart.libsvm", b"1 1:2\n-1 1:x\n");
    let data = scratch.0.display();
    let arguments = format!("ll2 --sets heart,yinyang --runs 1 --data {data}");
    let output = reproduce(&arguments, &scratch.0);
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr);
    for words in ["\n10 cells computed", "not everything", "heart.libsvm:2:"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(text.matches("heart.libsvm").count(), 1, "said once: {text}");
    let table = table(&scratch.0);
    let computed = |set: &str| {
        let lines = table.lines().filter(|line| line.contains(set));
        lines.filter(|line| !line.contains(",,,0,,")).count()
    };
    assert_eq!((computed("yinyang"), computed("heart")), (10, 0), "{table}");
}

#[cfg(unix)]
#[test]
fn whoever_interrupts_is_told_that_nothing_is_lost() {
    let scratch = Scratch::new("interrupted");
    let mut command = command("ll2 --sets yinyang --runs 1000", &scratch.0);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the command starts");
    let cells = scratch.0.join("cells/cells.jsonl");
    while fs::metadata(&cells).map_or(0, |file| file.len()) == 0 {
        let ended = child.try_wait().expect("a child");
        assert_eq!(ended, None, "it ends before anything is finished");
        thread::sleep(Duration::from_millis(10));
    }
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("a signal").success());
    let output = child.wait_with_output().expect("an end");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{text}");
    let told = text.split("interrupted: ").nth(1).expect("a message");
    assert!(told.contains(" of 10000 cells are finished"), "{text}");
    let count: usize = told.split(' ').next().unwrap().parse().expect("a count");
    let kept = fs::read_to_string(&cells).expect("finished cells");
    // What every thread has just written may not be counted yet.
    let threads = thread::available_parallelism().expect("processors").get();
    assert!(count <= kept.lines().count(), "{text}");
    assert!(kept.lines().count() - count <= threads, "{text}");
}

#[test]
fn a_part_is_not_held_against_the_targets_of_the_whole() {
    let scratch = Scratch::new("part");
    let output = reproduce(FEW, &scratch.0);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!text.contains("met") && !text.contains("missed"), "{text}");
    let report = fs::read_to_string(scratch.0.join("results.md")).expect("a report");
    assert!(report.contains("Targets are for the whole."), "{report}");
    assert!(!report.contains("**Target.**"), "{report}");
    assert!(!scratch.0.join("figures").exists(), "there are no pictures");

    for whole in [
        "ll2 --report-only",
        "ll2 --runs 500 --budgets 20 --report-only",
    ] {
        told(whole, &scratch.0);
        let report = fs::read_to_string(scratch.0.join("results.md")).expect("a report");
        assert!(report.contains("**Target.**"), "{report}");
        // What the part has computed of it is there.
        assert!(report.contains(", 66 not computed"), "{report}");
        assert!(!report.contains("Targets are for the whole."), "{report}");
    }
}

#[test]
fn mistakes_are_explained() {
    for (arguments, hints) in [
        ("wv3", &["similar value exists: 'wv2'"][..]),
        ("wv2 --sets bananna", &["similar value exists: 'banana'"]),
        ("wv2 --budgets 7", &["[20, 50, 100, 200, 500]"]),
        ("kw6 --sets gauss", &["kw6 has none of these sets", "sonar"]),
        (
            "pocketron --sets sonar",
            &["pocketron has none of these sets", "pendigits"],
        ),
        ("pocketron-tenn", &["similar value exists: 'pocketron-ten'"]),
        (
            "unknown --sets pendigits --quick",
            &["unknown has nothing of this that is quick"],
        ),
        (
            "fs1 --sets mnist --quick",
            &["fs1 has nothing of this that is quick"],
        ),
        (
            "paum4 --sets drawn-topics",
            &["paum4 has this only with --quick"],
        ),
        ("kw5 --quick", &["kw5 has nothing of this that is quick"]),
        ("--quick", &["which tables?", "--all"]),
        (
            "wv-fig2 --sets banana --quick",
            &["wv-fig2 has none of these sets; it has ncheckerboard"],
        ),
        (
            "--all --quick --sets covertype",
            &["--all has nothing of this that is quick"],
        ),
        (
            "unknown --sets digits",
            &["unknown has this only with --quick"],
        ),
        (
            "formats --budgets 500",
            &["formats has none of these budgets"],
        ),
        ("kw5 --runs 3", &["no repetitions in kw5", "--runs"]),
        ("ll2 --shard 5/4", &["PART/PARTS such as 3/16"]),
        (
            "ll2 --merge nowhere",
            &["--merge nowhere: no such directory"],
        ),
        ("--merge . ll3", &["no finished cells in ."]),
        ("--all --merge . ll3", &["--all has every table"]),
        (
            "wv2 --sets letter --data nowhere",
            &[
                "letter.libsvm.gz",
                "UCI Machine Learning Repository",
                "nowhere",
                "$POCKETRON_DATA",
            ],
        ),
    ] {
        let text = refused(arguments);
        for hint in hints {
            assert!(text.contains(hint), "{arguments}: {text}");
        }
    }
}

#[test]
fn a_corrupt_file_is_named_with_its_line() {
    let scratch = Scratch::new("corrupt");
    scratch.put("wpbc.libsvm", b"1 1:2 2:3\n-1 1:1 2:x\n");
    let data = scratch.0.display();
    let text = refused(&format!("kw3 --sets wpbc --runs 1 --data {data}"));
    assert!(text.contains("wpbc.libsvm:2:"), "{text}");
}

#[test]
fn a_report_says_what_it_is_and_its_pictures_are_there() {
    let scratch = Scratch::new("report");
    told(
        "ll2 wv-fig2 --quick --sets yinyang,ncheckerboard --runs 1 --report-only",
        &scratch.0,
    );
    let text = fs::read_to_string(scratch.0.join("results.md")).expect("a report");
    for wanted in ["[ll2](#ll2)", "\n## ll2\n", "Not computed.", "| 0 of 6 |"] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    assert!(
        !text.contains(&scratch.0.display().to_string()),
        "where files lie concerns nobody"
    );
    for link in text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
    {
        let known = link.starts_with('#') || scratch.0.join(link).exists();
        assert!(known, "{link}");
    }
}

#[test]
fn a_group_is_all_of_its_tables_that_have_the_sets() {
    let scratch = Scratch::new("group");
    let sections = |arguments: &str| {
        told(&format!("{arguments} --quick --report-only"), &scratch.0);
        let text = fs::read_to_string(scratch.0.join("results.md")).expect("a report");
        fs::remove_file(scratch.0.join("results.md")).expect("a file of our own");
        let headings = text.lines().filter_map(|line| line.strip_prefix("## "));
        headings.map(str::to_owned).collect::<Vec<_>>()
    };
    let whole = [
        "bytes",
        "pocketron-ten",
        "calibration",
        "unknown",
        "anomaly",
        "drift",
        "pocketron-classes",
        "rare",
    ];
    assert_eq!(sections("pocketron"), whole);
    assert_eq!(
        sections("pocketron --sets digits"),
        ["unknown", "anomaly", "pocketron-classes"]
    );
    assert_eq!(sections("pocketron-ten"), ["pocketron-ten"]);
}

#[test]
fn a_document_is_gone_on_with_from_the_cells_beside_it() {
    let scratch = Scratch::new("document");
    let document = scratch.0.join("docs/results.md");
    let command = |table: &str| {
        format!(
            "{table} --sets yinyang --quick --runs 1 --seed 7 --document {}",
            document.display()
        )
    };
    told(&command("ll2"), &scratch.0.join("mine"));
    let first = fs::read_to_string(&document).expect("a document");
    let packed = scratch.0.join("docs/cells/ll.jsonl.gz");
    let bytes = fs::read(&packed).expect("packed cells");
    let origin =
        "`cargo pocketron reproduce ll2 --sets yinyang --runs 1 --seed 7 --quick`: 10 of 10 cells";
    assert!(first.contains(origin), "{first}");

    // Somebody else, with the document and what lies beside it: test errors come of the same cells.
    let text = told(&command("ll3"), &scratch.0.join("theirs"));
    assert!(
        text.contains("0 cells to compute, 10 finished before"),
        "{text}"
    );
    let second = fs::read_to_string(&document).expect("a document");
    let section = |text: &str, name: &str| {
        let from = text.find(&format!("\n## {name}\n"))?;
        let rest = &text[from + 1..];
        Some(
            rest[..rest.find("\n## ").unwrap_or(rest.len())]
                .trim()
                .to_owned(),
        )
    };
    assert!(section(&second, "ll3").is_some());
    assert_eq!(section(&first, "ll2"), section(&second, "ll2"));
    assert!(second.contains("| [ll2](#ll2)") && second.contains("| [ll3](#ll3)"));
    assert_eq!(fs::read(&packed).expect("packed cells"), bytes);

    // A part of a table does not take the place of what another command computed, not even of another part.
    let part = format!("ll2 --runs 2 --quick --document {}", document.display());
    let output = reproduce(&part, &scratch.0.join("theirs"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("is only a part of ll2"), "{text}");
    assert_eq!(fs::read_to_string(&document).expect("a document"), second);
    told(&command("ll2"), &scratch.0.join("theirs"));
    assert_eq!(fs::read_to_string(&document).expect("a document"), second);
    let whole = format!("ll2 --report-only --document {}", document.display());
    told(&whole, &scratch.0.join("theirs"));
    let third = fs::read_to_string(&document).expect("a document");
    assert_ne!(section(&second, "ll2"), section(&third, "ll2"));
    assert_eq!(section(&second, "ll3"), section(&third, "ll3"));
}
