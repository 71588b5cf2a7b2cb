//! Files made to harm: each is refused with its name and the reason, in memory that is in proportion to it.

use std::{
    path::Path,
    process::{Command, Output},
};

use pocketron::{persist::Persist, prelude::*};
use pocketron_cli::model::image_of;

use crate::{
    command::POCKETRON,
    common::files::{Scratch, gzip},
};

/// Memory of the command without any file: its code, its stacks, a buffer or two.
const ANYWAY: u64 = 64 << 20;

/// Runs the command in at most so many bytes of address space, its own needs aside.
fn run_within(bytes: u64, arguments: &[&str]) -> Output {
    let kilobytes = (ANYWAY + bytes) / 1024;
    let mut command = limited(&format!("ulimit -v {kilobytes}"));
    // An arena for each thread would be address space that nobody uses.
    command.args(arguments).env("MALLOC_ARENA_MAX", "1");
    command.env("RAYON_NUM_THREADS", "1");
    command.output().expect("the command starts")
}

/// The command, started by a shell after that.
fn limited(limit: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limit} && exec \"$0\" \"$@\""), POCKETRON.0]);
    command
}

/// The line in which it says why it fails; a memory that does not suffice, or a panic, has other words.
fn complaint(bytes: u64, arguments: &[&str]) -> String {
    let output = run_within(bytes, arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {stderr}");
    let last = stderr.lines().next_back().unwrap_or_default();
    assert!(last.starts_with("error: "), "{arguments:?}: {stderr}");
    last.to_owned()
}

fn size(path: &Path) -> u64 {
    path.metadata().expect("a file").len()
}

/// A learner in fixed point has sums that hold so many features; more of them were a panic.
#[test]
fn more_features_than_a_learner_can_have_are_refused_by_name() {
    let scratch = Scratch::new("wide");
    let path = scratch.put("wide.libsvm", b"1 1:1 33026:1\n-1 2:1\n1 3:1\n-1 4:1\n");
    let path = path.display().to_string();
    for learner in [
        "--learner pocketron",
        "--learner tightest --format i8 --kernel rbf:1",
        "--learner merge --format i16 --kernel rbf:1",
    ] {
        for command in ["trace", "evaluate --train 2"] {
            let stderr = POCKETRON.complaint(&format!("{command} --data {path} {learner}"));
            let expected = format!(
                "error: {path}: 33026 features, learners in fixed point have 33025 at most\n"
            );
            assert_eq!(stderr, expected, "{command} {learner}");
        }
    }
    let several = format!("evaluate --train 2 --multiclass --learner pocketron --data {path}");
    assert!(POCKETRON.complaint(&several).contains("33025 at most"));
    POCKETRON.printed(&format!("trace --learner tightest --data {path}"));
}

/// A stray index asks for gigabytes.
#[test]
fn an_index_out_of_proportion_is_refused() {
    let scratch = Scratch::new("stray");
    let path = scratch.put("stray.libsvm", b"1 200000000:1\n");
    let arguments = [
        "--learner",
        "perceptron",
        "--data",
        path.to_str().expect("text"),
    ];
    let trace = [&["trace"], &arguments[..]].concat();
    let stderr = complaint(64 << 20, &trace);
    assert!(
        stderr.contains("error: stray: ") && stderr.contains("1 examples of 200000000 features"),
        "{stderr}"
    );
}

#[test]
fn a_packed_file_out_of_proportion_is_refused() {
    let scratch = Scratch::new("bomb");
    // One line without an end, and many short ones: 100 MB in 100 KB.
    let endless = gzip(&vec![b'1'; 100_000_000]);
    let short = gzip(&b"1 1:1\n".repeat(17_000_000));
    for (name, command, bombs) in [
        ("bomb.libsvm.gz", "trace", vec![&endless, &short]),
        ("bomb.csv", "trace", vec![&endless]),
        ("bomb.csv", "features", vec![&endless, &short]),
    ] {
        for bomb in bombs {
            let path = scratch.put(name, bomb);
            let path_text = path.to_str().expect("text");
            let arguments: &[&str] = match command {
                "trace" => &["trace", "--learner", "perceptron", "--data", path_text],
                _ => &["features", path_text],
            };
            // The text may be 64 times the file, and its rows 12 times the text.
            let stderr = complaint(64 * 12 * size(&path), arguments);
            assert!(
                stderr.contains(name) && stderr.contains("64 times the packed file"),
                "{stderr}"
            );
        }
    }
}

/// Of rows as short as they can be, all but a few bytes are overhead; of wide ones, numbers.
#[test]
fn a_file_takes_memory_in_proportion_to_its_size() {
    let scratch = Scratch::new("proportion");
    let wide = [b"1".as_slice(), &b",0".repeat(999), b"\n"].concat();
    for (name, text, factor) in [
        ("short.csv", b"1,2\n".repeat(1 << 20), 16),
        ("wide.csv", wide.repeat(2200), 16),
        ("short.libsvm", b"1 1:2\n".repeat(1 << 20), 16),
    ] {
        let path = scratch.put(name, &text);
        let words = "trace --learner stoptron --budget 1 --data";
        let mut words: Vec<&str> = words.split(' ').collect();
        words.push(path.to_str().expect("text"));
        let output = run_within(factor * size(&path), &words);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {stderr}");
    }
}

/// An image with a right checksum around any shape and any words.
fn image(shape: &str, words: &[u32]) -> Vec<u8> {
    let mut bytes = b"PKTN".to_vec();
    bytes.extend(1_u32.to_le_bytes());
    let text = shape.len().next_multiple_of(4);
    let len = 16 + text + 4 * words.len() + 4;
    bytes.extend((len as u32).to_le_bytes());
    bytes.extend((shape.len() as u32).to_le_bytes());
    bytes.extend(shape.as_bytes());
    bytes.resize(16 + text, 0);
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let crc = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);
    let sum = crc.checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

#[test]
fn the_made_images_are_images() {
    let model = Stoptron::<3, 5>::new(Gaussian::constant(1.0));
    let whole = image_of(&model);
    let mut shape = String::new();
    pocketron::persist::describe(&model as &dyn Persist, &mut |text| shape.push_str(text));
    let body = &whole[16 + shape.len().next_multiple_of(4)..whole.len() - 4];
    let words = body.as_chunks::<4>().0;
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    assert_eq!(image(&shape, &words), whole);
}

#[test]
fn images_of_absurd_sizes_take_no_more_memory_than_their_bytes() {
    let scratch = Scratch::new("absurd");
    let rest = "gaussian(fast),stop),margin,last(raw))";
    let claimed = [1 << 28, 30, 1, 0];
    let mut shapes = vec![
        "perceptron(linear(1000000000000000000),margin,last(raw))".to_owned(),
        "perceptron(linear(268435456),margin,last(raw))".to_owned(),
        "one-vs-rest(32,perceptron(linear(268435456),margin,last(raw)))".to_owned(),
        "standardized(20,recent-scale(268435456),perceptron(linear(268435456),margin,last(raw)))"
            .to_owned(),
        "continual(2,i8(40000,10),1,coarse-scale,relevance,binary(settling(30,4)))".to_owned(),
        format!("a{}", "(a".repeat(1 << 20)),
        "a,".repeat(1 << 20),
        format!("perceptron({})", "x".repeat(4 << 20)),
    ];
    for set in [
        "i8(40000,10)",
        "i8(33025,268435456)",
        "f32(1,268435456)",
        "f32(268435456,1)",
        "f32(16384,16384)",
        "f32(18446744073709551615,2)",
    ] {
        shapes.push(format!("perceptron(expansion({set},{rest}"));
        for policy in ["least-loss(cached,cached)", "projecting(stop)", "merging"] {
            let rest = format!("gaussian(fast),{policy}),margin,last(raw))");
            shapes.push(format!("perceptron(expansion({set},{rest}"));
        }
    }
    for shape in &shapes {
        for claim in claimed {
            let words = [[claim; 8], [claim, 0, 0, 0, 0, 0, 0, 0]].concat();
            let path = scratch.put("crafted.pktn", &image(shape, &words));
            let arguments = ["model", "show", path.to_str().expect("text")];
            let output = run_within(64 * size(&path), &arguments);
            let stderr = String::from_utf8_lossy(&output.stderr);
            let stdout = String::from_utf8_lossy(&output.stdout);
            assert!(
                matches!(output.status.code(), Some(0 | 1)) && !stderr.contains("panicked"),
                "{}: {stderr}",
                &shape[..shape.len().min(90)]
            );
            assert!(
                stderr.len() + stdout.len() < 10_000,
                "megabytes are not printed"
            );
            if output.status.code() == Some(1) {
                assert!(stderr.contains("crafted.pktn: "), "{stderr}");
            }
        }
    }
}

/// A title of the terminal, a cleared screen, a line written over: whatever a file says is shown, not obeyed.
#[test]
fn what_a_file_says_is_no_command_to_the_terminal() {
    let scratch = Scratch::new("escapes");
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\r";
    let csv = format!("\u{1b}[2Jlabel{evil},x\n1,{evil}\n");
    let recording: String = std::iter::once(format!("x{evil},label\n"))
        .chain((0..300).map(|n| format!("{},walk{evil}\n", n % 7)))
        .collect();
    let bad_recording = format!("x{evil},label\n1{evil},walk\n");
    let files = [
        scratch.put("evil.csv", csv.as_bytes()),
        scratch.put("evil.libsvm", format!("1 1:{evil}\n").as_bytes()),
        scratch.put("recording.csv", recording.as_bytes()),
        scratch.put("bad.csv", bad_recording.as_bytes()),
        scratch.put("evil.pktn", &image(&format!("perceptron({evil})"), &[])),
    ];
    let [csv, libsvm, recording, bad, model] = files.map(|path| path.display().to_string());
    for arguments in [
        format!("trace --learner perceptron --data {csv}"),
        format!("trace --learner perceptron --data {libsvm}"),
        format!("features {recording}"),
        format!("features {bad}"),
        format!("features {recording} --person nobody"),
        format!("evaluate --learner pocketron --window 64 --permutations 1 --data {recording}"),
        format!("model show {model}"),
        format!("model ask {model} {csv}"),
    ] {
        let output = POCKETRON.run(&arguments);
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8(printed).expect("text");
        let obeyed = |one: &char| one.is_control() && *one != '\n';
        assert_eq!(
            printed.chars().find(obeyed),
            None,
            "{arguments}: {printed:?}"
        );
        assert!(!printed.is_empty(), "{arguments}");
    }
}

/// Nothing that was there is lost before all of the new file is there.
#[test]
fn a_file_that_cannot_be_written_leaves_the_old_one() {
    let scratch = Scratch::new("atomic");
    let model = Stoptron::<1, 5>::new(Gaussian::constant(1.0));
    let image = scratch.put("a.pktn", &image_of(&model));
    let rows = scratch.put("rows.csv", b"0,1\n1,2\n");
    let new = scratch.put("new.pktn", b"what was there");
    let arguments = [&image, &rows, &new].map(|path| path.to_str().expect("text"));
    let [image, rows, out] = arguments;
    let teach = ["model", "teach", image, rows, "--out", out];
    // Writing a file ends with its first byte.
    let mut command = limited("trap '' XFSZ && ulimit -f 0");
    let output = command.args(teach).output().expect("the command starts");
    assert!(!output.status.success());
    assert_eq!(std::fs::read(&new).expect("there"), b"what was there");
    let output = POCKETRON.run(&teach.join(" "));
    assert!(output.status.success());
    assert_ne!(std::fs::read(&new).expect("there"), b"what was there");
    let entries = std::fs::read_dir(&scratch.0).expect("a folder");
    assert_eq!(entries.count(), 3, "nothing is left beside it");
}
