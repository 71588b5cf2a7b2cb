//! `pocketron device` as a user meets it, with a device at a pseudo-terminal.

use crate::{
    command::POCKETRON,
    common::{
        bench::{Build, PortBench, image_of, named_terminal, taught},
        files::Scratch,
    },
};

/// The value of a line `name  value`.
fn fact<'a>(text: &'a str, name: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no `{name}` in {text}"))
        .trim()
}

/// Three classes around three points, as columns with labels 10, 20 and 40.
fn columns(rows: usize) -> (String, Vec<(u8, [f32; 2])>) {
    let (mut text, mut examples) = (String::from("label,x,y\n"), Vec::new());
    for i in 0..rows {
        let class = [2, 0, 1][i % 3];
        let wobble = (i * 7 % 11) as f32 / 16.0;
        let x = [f32::from(class) + wobble, 1.0 - wobble * f32::from(class)];
        text += &format!("{},{},{}\n", [10, 20, 40][usize::from(class)], x[0], x[1]);
        examples.push((class, x));
    }
    (text, examples)
}

#[test]
fn a_device_is_taught_asked_and_kept_by_commands() {
    let device = PortBench::start(Build::default());
    let scratch = Scratch::new("device-commands");
    let (text, examples) = columns(120);
    let file = scratch.put("some.csv", text.as_bytes());
    let file = file.display();
    let run =
        |command: &str| POCKETRON.printed(&format!("device --port {} {command}", device.name));
    let expected = image_of(&taught(examples.iter().map(|(class, x)| (*class, &x[..]))));

    let identity = run("identify");
    assert_eq!(fact(&identity, "firmware"), "bench 1");
    assert!(fact(&identity, "model").starts_with("one-vs-rest(3,perceptron("));

    let lesson = run(&format!("teach {file}"));
    // Labels are classes in ascending order.
    for line in [
        "0         10    40",
        "1         20    40",
        "2         40    40",
    ] {
        assert!(lesson.contains(line), "{lesson}");
    }
    assert_eq!(fact(&lesson, "learned"), "120");
    let status = run("status");
    assert_eq!(fact(&status, "learned since then"), "120");
    let mistakes = fact(&lesson, "mistakes");
    assert!(fact(&status, "mistakes").starts_with(mistakes), "{status}");
    assert_eq!(fact(&status, "in flash"), "nothing");

    let pulled = scratch.0.join("model.image");
    let pulled = pulled.display();
    run(&format!("pull {pulled}"));
    assert_eq!(std::fs::read(pulled.to_string()).expect("a file"), expected);

    let predictions = scratch.0.join("predictions.csv");
    let answers = run(&format!("ask {file} --csv {}", predictions.display()));
    assert!(answers.contains("label \\ taken for"), "{answers}");
    let predictions = std::fs::read_to_string(predictions).expect("a file");
    let right = predictions.lines().skip(1).filter(|line| {
        let mut cells = line.split(',');
        cells.next() == cells.next()
    });
    assert!(
        answers.contains(&format!("{} of 120 right", right.count())),
        "{answers}"
    );
    assert!(predictions.starts_with("label,predicted,score,score_0,score_1,score_2\n"));

    assert!(run("save").contains("image 0 is in flash"));
    assert_eq!(fact(&run("status"), "in flash"), "image 0, as in memory");
    assert!(run("reset --yes").contains("fresh"));
    assert!(run("load").contains("image 0"));
    assert!(run(&format!("push {pulled}")).contains("image 1 is in flash"));
    let watched = run("watch --count 2 --every 0");
    assert_eq!(watched.matches("erase cycles").count(), 2);
    assert!(run("self-test").contains("the same bits"));
    assert_eq!(device.bench.finish(), expected);
}

/// From the device to the host, taught there, and back: as if the device had learned all of it.
#[test]
fn a_model_learns_on_the_host_and_returns() {
    let device = PortBench::start(Build::default());
    let scratch = Scratch::new("model-commands");
    let (text, examples) = columns(90);
    let file = scratch.put("some.csv", text.as_bytes());
    let (file, name) = (file.display(), &device.name);
    let (pulled, taught_here) = (scratch.0.join("a.pktn"), scratch.0.join("b.pktn"));
    let (pulled, taught_here) = (pulled.display(), taught_here.display());
    POCKETRON.printed(&format!("device --port {name} teach {file} --limit 30"));
    POCKETRON.printed(&format!("device --port {name} pull {pulled}"));

    let shown = POCKETRON.printed(&format!("model show {pulled}"));
    assert_eq!(fact(&shown, "gaussian(fast)"), "gamma 2");
    assert_eq!(fact(&shown, "features"), "2");
    let cells = fact(&shown, "2 ").split_whitespace();
    assert!(cells.eq(["10", "8", "8", "-"]), "{shown}");

    let lesson = POCKETRON.printed(&format!(
        "model teach {pulled} {file} --skip 30 --out {taught_here}"
    ));
    assert_eq!(fact(&lesson, "learned"), "60");
    POCKETRON.printed(&format!("device --port {name} push {taught_here}"));
    let here = POCKETRON.printed(&format!("model ask {taught_here} {file}"));
    let there = POCKETRON.printed(&format!("device --port {name} ask {file}"));
    assert!(there.starts_with(&here), "{here}{there}");
    let all = taught(examples.iter().map(|(class, x)| (*class, &x[..])));
    assert_eq!(device.bench.finish(), image_of(&all));
}

#[test]
fn several_passes_shuffled_and_saved_on_the_way() {
    let device = PortBench::start(Build {
        window: 4,
        save_interval: 1,
        ..Build::default()
    });
    let scratch = Scratch::new("device-passes");
    let file = scratch.put("some.csv", columns(60).0.as_bytes());
    let lesson = POCKETRON.printed(&format!(
        "device --port {} teach {} --epochs 2 --shuffle 3 --save-every 50 --window 2 --skip 10",
        device.name,
        file.display()
    ));
    assert_eq!(fact(&lesson, "learned"), "100");
    let status = POCKETRON.printed(&format!("device status --port {}", device.name));
    assert_eq!(fact(&status, "in flash"), "image 1, as in memory");
}

/// Examples of one class, in a file of its own.
fn of_class(class: u8) -> String {
    let (_, examples) = columns(30);
    let rows = examples.iter().filter(|(its, _)| *its == class);
    let rows = rows.map(|(_, x)| format!("{class},{},{}\n", x[0], x[1]));
    rows.collect()
}

#[test]
fn a_wrong_lesson_is_taken_back() {
    let device = PortBench::start(Build {
        correctable: true,
        ..Build::default()
    });
    let scratch = Scratch::new("device-corrections");
    let run =
        |command: &str| POCKETRON.printed(&format!("device --port {} {command}", device.name));
    let pulled = |name: &str| {
        let path = scratch.0.join(name);
        run(&format!("pull {}", path.display()));
        std::fs::read(path).expect("a file")
    };
    let file = |name: &str, text: &str| scratch.put(name, text.as_bytes()).display().to_string();
    let status = run("status");
    assert_eq!(
        fact(&status, "ready"),
        "no, 0 of 3 classes have been taught"
    );
    for class in [0, 1] {
        let file = file(&format!("{class}.csv"), &of_class(class));
        let lesson = run(&format!("teach {file} --labels 0,1,2"));
        assert!(lesson.contains("device undo"), "{lesson}");
    }
    let status = run("status");
    assert_eq!(
        fact(&status, "ready"),
        "yes, 2 of 3 classes have been taught"
    );

    // A whole file under the wrong class.
    let good = pulled("good.image");
    let wrong = file("wrong.csv", &of_class(0).replace("0,", "2,"));
    run(&format!("teach {wrong} --labels 0,1,2"));
    assert_ne!(pulled("wrong.image"), good);
    assert!(run("undo").contains("as it was before"));
    assert_eq!(pulled("undone.image"), good);
    let again = POCKETRON.complaint(&format!("device --port {} undo", device.name));
    assert!(again.contains("nothing to undo"), "{again}");

    // Mixed rows are a block if the user says so.
    let (mixed, _) = columns(30);
    let mixed = file("mixed.csv", &mixed);
    assert!(!run(&format!("teach {mixed}")).contains("device undo"));
    let before = pulled("before.image");
    assert!(run(&format!("teach {mixed} --block")).contains("device undo"));
    run("undo");
    assert_eq!(pulled("after.image"), before);

    let classes = run("classes");
    assert!(classes.contains("class  examples  vectors"), "{classes}");
    assert!(
        classes.contains("leave-one-out on stored vectors (hard ones)"),
        "{classes}"
    );
    assert!(classes.contains("prequential accuracy"), "{classes}");
    assert!(run("forget 1").contains("device undo"));
    let status = run("status");
    assert_eq!(
        fact(&status, "ready"),
        "yes, 2 of 3 classes have been taught"
    );
    run("undo");
    assert_eq!(pulled("recovered.image"), before);
    let beyond = POCKETRON.complaint(&format!("device --port {} forget 3", device.name));
    assert!(beyond.contains("classes 0 to 2"), "{beyond}");
    assert!(run("rehearse").contains("moved"));
    assert!(run("rehearse 3").contains("moved"));
    drop(device);
}

#[test]
fn a_stuck_sensor_is_warned_of_once() {
    let device = PortBench::start(Build {
        correctable: true,
        ..Build::default()
    });
    let scratch = Scratch::new("device-stuck");
    let text = "0,1,2\n1,3,4\n".to_string() + &"0,0.5,0.5\n".repeat(20);
    let file = scratch.put("stuck.csv", text.as_bytes());
    let line = format!("device --port {} teach {}", device.name, file.display());
    let output = POCKETRON.run(&line);
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{err}");
    assert_eq!(err.matches("is the sensor stuck?").count(), 1, "{err}");
    assert!(fact(&out, "warnings").starts_with("13: "), "{out}");
    let status = POCKETRON.printed(&format!("device --port {} status", device.name));
    assert!(
        fact(&status, "stuck sensor").starts_with("13 examples"),
        "{status}"
    );
}

#[test]
fn a_model_without_corrections_says_so() {
    let device = PortBench::start(Build::default());
    for command in ["undo", "classes", "rehearse", "forget 1"] {
        let said = POCKETRON.complaint(&format!("device --port {} {command}", device.name));
        assert!(said.contains("cannot do this"), "{command}: {said}");
    }
}

#[test]
fn lines_are_recorded_as_they_come() {
    let scratch = Scratch::new("record");
    let (csv, libsvm) = (scratch.0.join("a.csv"), scratch.0.join("a.libsvm"));
    let lines = "1,0.5,0\nnonsense\n\n0 0.25 -2\n1,2\n";
    for (file, kept) in [
        (&csv, "1,0.5,0\n0,0.25,-2\n"),
        (&libsvm, "1 1:0.5 2:0\n0 1:0.25 2:-2\n"),
    ] {
        let output = POCKETRON.run_with_input(&format!("device record {}", file.display()), lines);
        assert!(output.status.success());
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("2 examples kept, 2 lines left out"), "{said}");
        assert_eq!(std::fs::read_to_string(file).expect("a file"), kept);
    }
    for lines in ["", "nonsense\n\n"] {
        let output = POCKETRON.run_with_input(&format!("device record {}", csv.display()), lines);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{said}");
        assert!(said.contains("error: no example was written to"), "{said}");
    }
    // From a port that never stops talking.
    let (sensor, port) = named_terminal();
    let name = port.name.clone();
    std::thread::spawn(move || while sensor.write_all(b"1,2,3\n").is_ok() {});
    let from_port = scratch.0.join("b.csv");
    let said = POCKETRON.printed(&format!(
        "device record {} --from {name} --count 2",
        from_port.display()
    ));
    assert!(said.contains("2 examples kept, 0 lines left out"), "{said}");
    let kept = std::fs::read_to_string(from_port).expect("a file");
    assert_eq!(kept, "1,2,3\n1,2,3\n");
    drop(port);
    // Appended, under one label, and taught.
    let device = PortBench::start(Build::default());
    let line = format!(
        "device record {} --label 2 --count 1 --teach --port {}",
        csv.display(),
        device.name
    );
    let output = POCKETRON.run_with_input(&line, "0.5;1\n0.5;3\n");
    assert!(output.status.success(), "{output:?}");
    let kept = std::fs::read_to_string(&csv).expect("a file");
    assert_eq!(kept, "1,0.5,0\n0,0.25,-2\n2,0.5,1\n");
    let expected = taught([(2, &[0.5, 1.0][..])]);
    assert_eq!(device.bench.finish(), image_of(&expected));
}

#[test]
fn mistakes_of_the_user_are_explained() {
    let said = POCKETRON.complaint("device identify");
    assert!(said.contains("--port PORT[:BAUD] or --qemu"), "{said}");
    let said = POCKETRON.complaint("device --port /dev/no-such-port identify");
    assert!(said.contains("/dev/no-such-port"), "{said}");
    assert!(said.contains("serial port"), "{said}");
    let said = POCKETRON.complaint("device --qemu=no-such-file status");
    assert!(said.contains("cargo xtask firmware"), "{said}");
    let said = POCKETRON.complaint("device --port /dev/null --flash file save");
    assert!(said.contains("--flash is for --qemu"), "{said}");

    let device = PortBench::start(Build::default());
    let run =
        |command: &str| POCKETRON.complaint(&format!("device --port {} {command}", device.name));
    assert!(run("reset").contains("--yes"));
    assert!(run("load").contains("nothing was saved yet"));
    assert!(run("teach pima --data-dir data").contains("pima has 8 features, the model 2"));
    let scratch = Scratch::new("device-mistakes");
    let many = scratch.put("many.csv", b"1,0,0\n2,0,0\n3,0,0\n4,0,0\n");
    assert!(run(&format!("teach {}", many.display())).contains("--labels"));
    let other = scratch.put("other.image", b"some letters to a friend");
    assert!(run(&format!("push {}", other.display())).contains("not the image of a model"));
}
