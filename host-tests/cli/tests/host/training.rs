//! `pocketron train`: files as people have them become models.

use std::fmt::Write as _;

use pocketron_cli::model::ModelFile;

use crate::{
    command::POCKETRON,
    common::files::{Scratch, gzip},
};

/// What a logger of an accelerometer writes: three movements, each of them twice.
fn logger() -> String {
    let mut text = String::from("timestamp,ax,ay,az,label\n");
    let movements = [("rest", 20, 1), ("walk", 400, 2), ("shake", 1500, 5)];
    let mut noise = 1_u32;
    let mut draw = || {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (noise >> 24) as i32 - 128
    };
    for (n, (label, strength, hertz)) in movements.into_iter().cycle().take(6).enumerate() {
        for sample in 0..800 {
            let at = n * 800 + sample;
            let time = at as f64 / 50.0;
            let turn = (std::f64::consts::TAU * f64::from(hertz) * time).sin();
            let x = (f64::from(strength) * turn) as i32 + draw();
            let (y, z) = (draw() * strength / 400, 1000 + draw());
            writeln!(text, "{time:.2},{x},{y},{z},{label}").expect("memory");
        }
    }
    text
}

/// A table of two machines, with everything that comes along in one.
fn machines(separator: char) -> String {
    let mut text = format!("serial{0}heat{0}noise{0}state{0}machine\n", separator);
    for n in 0..80 {
        let (state, machine) = (["good", "worn"][n % 2], ["press", "saw"][n / 40]);
        let (heat, noise) = (
            20.0 + (n % 7) as f64 * 0.1,
            3.0 * (n % 2) as f64 + (n % 5) as f64 * 0.1,
        );
        let row = [
            n.to_string(),
            heat.to_string(),
            noise.to_string(),
            state.into(),
            machine.into(),
        ];
        text += &(row.join(&separator.to_string()) + "\n");
    }
    text
}

#[test]
fn a_loggers_file_becomes_a_model_that_names_what_it_sees() {
    let scratch = Scratch::new("train-logger");
    let file = scratch.put("logger.csv", logger().as_bytes());
    let (file, model) = (file.display(), scratch.0.join("movements.pktn"));
    let path = model.display();
    let printed = POCKETRON.printed(&format!(
        "train {file} --front motion --budget 24 --out {path}"
    ));
    assert!(
        printed.contains("66 windows of 128 samples, one every 64, 12 features, 3 classes"),
        "{printed}"
    );
    assert!(printed.contains("6 runs of one label"), "{printed}");
    assert!(
        printed.contains("type Model = PocketronMulti<12, 24, 3>;"),
        "{printed}"
    );
    assert!(
        printed.contains("Windowed<i16, pocketron::signal::MotionFeatures, 3, 128, 2, 12>"),
        "{printed}"
    );
    assert!(accuracy(&printed) > 90.0, "{printed}");

    let asked = POCKETRON.printed(&format!("model ask {path} {file} --rows"));
    assert!(
        asked.contains("label \\ taken for  rest  shake  walk"),
        "{asked}"
    );
    assert!(accuracy(&asked) > 95.0, "{asked}");
    let shown = POCKETRON.printed(&format!("model show {path}"));
    assert!(
        shown.contains("x step level") && shown.contains('█') && shown.contains("shake"),
        "{shown}"
    );

    // The image in front is that of a device, and the names stay behind it.
    let read = ModelFile::read(&model).expect("a model");
    assert_eq!(read.description.labels, ["rest", "shake", "walk"]);
    let smaller = scratch.0.join("smaller.pktn");
    let converted = POCKETRON.printed(&format!(
        "model convert {path} --budget 12 --classes 5 --out {}",
        smaller.display()
    ));
    assert!(
        converted.contains("PocketronMulti<12, 12, 5>")
            && converted.contains("12 vectors were merged into others"),
        "{converted}"
    );
    let asked = POCKETRON.printed(&format!("model ask {} {file}", smaller.display()));
    assert!(
        accuracy(&asked) > 90.0 && asked.contains("shake"),
        "{asked}"
    );
    let taught = scratch.0.join("taught.pktn");
    let taught = taught.display();
    POCKETRON.printed(&format!(
        "model teach {} {file} --out {taught}",
        smaller.display()
    ));
    assert!(
        POCKETRON
            .printed(&format!("model show {taught}"))
            .contains("shake")
    );
}

/// The same rows, however they are written, are the same model.
#[test]
fn separators_marks_packing_and_order_of_columns_make_no_difference() {
    let scratch = Scratch::new("train-forms");
    let options = "--label state --group machine --drop serial --budget 8";
    let plain = machines(',');
    let first = plain.lines().map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        format!(
            "{},{},{},{},{}\n",
            cells[3], cells[0], cells[1], cells[2], cells[4]
        )
    });
    let forms = [
        ("comma.csv", plain.clone().into_bytes()),
        ("semicolon.csv", machines(';').into_bytes()),
        ("tab.tsv", machines('\t').into_bytes()),
        ("mark.csv", format!("\u{feff}{plain}").into_bytes()),
        ("packed.csv.gz", gzip(plain.as_bytes())),
        ("windows.csv", plain.replace('\n', "\r\n").into_bytes()),
        ("first.csv", first.collect::<String>().into_bytes()),
    ];
    let mut models = Vec::new();
    for (name, bytes) in forms {
        let file = scratch.put(name, &bytes);
        let out = scratch.0.join(format!("{name}.pktn"));
        let printed = POCKETRON.printed(&format!(
            "train {} {options} --out {}",
            file.display(),
            out.display()
        ));
        assert!(
            printed.contains("80 rows, 2 features, 2 classes, 2 groups"),
            "{name}: {printed}"
        );
        assert!(printed.contains("press    40"), "{name}: {printed}");
        assert!(printed.contains("Sign::Neg is good"), "{name}: {printed}");
        models.push(ModelFile::read(&out).expect("a model"));
    }
    assert!(models.iter().all(|model| *model == models[0]));
}

/// Without a hint, the choice is printed; what looks like no measurement is pointed out.
#[test]
fn columns_are_recognised_and_strange_ones_are_named() {
    let scratch = Scratch::new("train-columns");
    let out = scratch.0.join("any.pktn");
    let train = |name: &str, text: &str| {
        let file = scratch.put(name, text.as_bytes());
        POCKETRON.printed(&format!("train {} --out {}", file.display(), out.display()))
    };
    let rows = |row: fn(usize) -> String| (0..40).map(row).collect::<String>();
    let named = "n,x,gesture\n".to_string()
        + &rows(|n| format!("{n},{}.5,{}\n", n % 3, ["up", "down"][n % 2]));
    let printed = train("named.csv", &named);
    assert!(
        printed.contains("the label is column `gesture`: the only one with names"),
        "{printed}"
    );
    assert!(
        printed.contains("column `n` grows in every row") && printed.contains("--drop n"),
        "{printed}"
    );
    let bare = rows(|n| format!("{}.5,{}.25,{}\n", n % 3, n % 5, n % 2));
    let printed = train("bare.csv", &bare);
    assert!(
        printed.contains("the label is column `column 3`: the last"),
        "{printed}"
    );
    assert!(
        printed.contains("40 rows, 2 features, 2 classes"),
        "no line is lost: {printed}"
    );
    let first = rows(|n| format!("{},{}.5,{}.25\n", n % 2, n % 3, n % 5));
    let printed = train("first.csv", &first);
    assert!(
        printed.contains("the label is column `column 1`: the first"),
        "{printed}"
    );
    // A time is no feature, and never the label.
    let timed =
        "timestamp,x,label\n".to_string() + &rows(|n| format!("{n},{}.5,{}\n", n % 2, n % 2));
    let printed = train("timed.csv", &timed);
    assert!(
        printed.contains("40 rows, 1 features, 2 classes"),
        "{printed}"
    );
}

/// Each with its file, its line, and what to do.
#[test]
fn every_bad_file_is_refused_with_a_reason() {
    let scratch = Scratch::new("train-bad");
    let packed = gzip(logger().as_bytes());
    let files: [(&str, &[u8], &str); 15] = [
        (
            "name.csv",
            b"x,y,label\n1,2,a\n1,b,a\n",
            "name.csv:3: `b` in column `y` is no number: correct it",
        ),
        (
            "nan.csv",
            b"x,y,label\n1,2,a\n1,NaN,b\n",
            "nan.csv:3: `NaN` in column `y` is no number",
        ),
        (
            "ragged.csv",
            b"x,y,label\n1,2,a\n1,2\n",
            "ragged.csv:3: 2 columns instead of 3: the line is cut off",
        ),
        (
            "blanks.csv",
            b"x y label\n1 2 a\n",
            "blanks.csv:1: there is one column only: separate columns by",
        ),
        (
            "decimal.csv",
            b"x;y;label\n1,5;2;a\n",
            "decimal.csv:2: `1,5` in column `x` is no number: write decimals with a point",
        ),
        (
            "none.csv",
            b"x,y\n1.5,2.25\n1.25,2.5\n",
            "none.csv:1: which column is the label?",
        ),
        (
            "two.csv",
            b"x,a,b\n1,u,v\n1,u,w\n1,t,v\n",
            "`a`, `b` all hold names; --label COLUMN says it",
        ),
        (
            "one.csv",
            b"x,label\n1,a\n2,a\n",
            "one.csv: all rows have the label `a`",
        ),
        (
            "cut.csv.gz",
            &packed[..packed.len() / 2],
            "cut.csv.gz: the gzip file ends too early",
        ),
        (
            "date.csv",
            b"date,x,label\n2026-01-01,1,a\n2026-01-02,2,b\n",
            "`2026-01-01` in column `date` is no number: correct it, leave the column out (--drop date)",
        ),
        (
            "order.csv",
            b"time,x,label\n3,1,a\n2,1,a\n",
            "order.csv:3: time goes back to 2",
        ),
        ("empty.csv", b"", "empty.csv:1: the file is empty"),
        (
            "heading.csv",
            b"x,y,label\n",
            "heading.csv: there is no sample",
        ),
        ("latin.csv", b"x,y,label\n1,2,\xe9\n", "this is not UTF-8"),
        (
            "twice.csv",
            b"x,x,label\n1,2,a\n",
            "twice.csv:1: there are two columns for `x`",
        ),
    ];
    let out = scratch.0.join("never.pktn");
    let refused = |path: &std::path::Path| {
        let complaint =
            POCKETRON.complaint(&format!("train {} --out {}", path.display(), out.display()));
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        complaint
    };
    for (name, bytes, words) in files {
        let complaint = refused(&scratch.put(name, bytes));
        assert!(complaint.contains(words), "{complaint}");
    }
    assert!(refused(&scratch.0).contains("this is a directory"));
    assert!(refused(&scratch.0.join("missing.csv")).contains("missing.csv: No such file"));
    let file = scratch.put("good.csv", machines(',').as_bytes());
    for (options, words) in [
        (
            "--label nothing",
            "no column is called `nothing`; there are `serial`, `heat`",
        ),
        (
            "--label state --drop machine --front vibration",
            "--drop COLUMN,... leaves others out",
        ),
        ("--label state --drop machine --bytes 20", "the least is"),
        ("--label state --drop machine --classes 1", "has 2 labels"),
        (
            "--label state --drop machine --passes 0",
            "a number from 1, or `auto`",
        ),
    ] {
        let complaint = POCKETRON.complaint(&format!(
            "train {} {options} --out {}",
            file.display(),
            out.display()
        ));
        assert!(complaint.contains(words), "{options}: {complaint}");
    }
    assert!(!out.exists());
}

/// The rows of a group are all in the test or all in the training part: here each group has labels of its own.
#[test]
fn groups_are_never_split() {
    let scratch = Scratch::new("train-groups");
    let mut text = String::from("x,y,label,person\n");
    for n in 0..120 {
        let person = n / 30;
        // What a person does depends on who it is: nobody who has not seen the person can know.
        let label = if (n + person) % 2 == 0 { "a" } else { "b" };
        text += &format!("{person},{},{label},{person}\n", n % 2);
    }
    let file = scratch.put("people.csv", text.as_bytes());
    let out = scratch.0.join("any.pktn");
    let train = |options: &str| {
        let arguments = format!("train {} {options} --out {}", file.display(), out.display());
        accuracy(&POCKETRON.printed(&arguments))
    };
    let (mixed, by_person) = (train("--drop person"), train(""));
    assert!(mixed > 90.0 && by_person < 60.0, "{mixed} {by_person}");
}

#[test]
fn passes_are_chosen_inside_the_training_part() {
    let scratch = Scratch::new("train-passes");
    let out = scratch.0.join("any.pktn");
    let once = POCKETRON.printed(&format!("train digits --budget 20 --out {}", out.display()));
    let best = POCKETRON.printed(&format!(
        "train digits --budget 20 --passes auto --out {}",
        out.display()
    ));
    assert!(
        once.contains("all 1797 rows, once") && best.contains(" times"),
        "{best}"
    );
    assert!(accuracy(&best) > accuracy(&once) - 1.0, "{once}{best}");
}

/// So many rows of each of these labels.
fn recorded(blocks: &[(&str, usize)]) -> String {
    let mut text = String::from("x,y,z,label\n");
    for (class, (label, rows)) in blocks.iter().enumerate() {
        for row in 0..*rows {
            let x = (row * 37 % 11) * (1 + 9 * class);
            writeln!(text, "{x},{},1000,{label}", row % 5).expect("memory");
        }
    }
    text
}

#[test]
fn a_class_without_a_window_is_not_counted_as_learned() {
    let scratch = Scratch::new("train-short");
    let out = scratch.0.join("any.pktn");
    let command = |name: &str, blocks: &[(&str, usize)]| {
        let file = scratch.put(name, recorded(blocks).as_bytes());
        let (file, out) = (file.display(), out.display());
        format!("train {file} --front motion --window 64 --out {out}")
    };
    let complaint = POCKETRON.complaint(&command("few.csv", &[("rest", 500), ("walk", 40)]));
    assert!(
        complaint.contains("`walk` has no window: 40 rows, 64 needed; there is nothing"),
        "{complaint}"
    );
    assert!(!out.exists());

    let blocks = [("rest", 500), ("walk", 500), ("jump", 40), ("jog", 70)];
    let printed = POCKETRON.printed(&command("enough.csv", &blocks));
    assert!(
        printed.contains("note: `jump` has no window: 40 rows, 64 needed\n"),
        "{printed}"
    );
    // The only window of `jog` is learned, and none is left to be tested.
    for label in ["jump", "jog"] {
        let row = printed
            .lines()
            .find(|line| line.starts_with(label))
            .expect("a row");
        assert!(row.trim_end().ends_with(" -"), "{printed}");
    }
}

#[test]
fn a_sample_beyond_the_numbers_of_a_front_end_is_refused() {
    let scratch = Scratch::new("train-large");
    let text = recorded(&[("rest", 300), ("walk", 300)]).replacen("1000", "1e40", 1);
    let file = scratch.put("large.csv", text.as_bytes());
    let complaint = POCKETRON.complaint(&format!(
        "train {} --front motion --window 64 --out never.pktn",
        file.display()
    ));
    assert!(
        complaint.contains("large.csv: sample 1, channel `z`: 1e40 does not fit a 32-bit number"),
        "{complaint}"
    );
}

#[test]
fn a_new_label_takes_the_next_free_class() {
    let scratch = Scratch::new("teach-new");
    let [model, more, full] =
        ["some.pktn", "more.pktn", "full.pktn"].map(|name| scratch.0.join(name));
    let [model, more, full] = [&model, &more, &full].map(|path| path.display());
    let table = |name: &str, label: &str, at: usize| {
        let mut text = String::from("x,y,label\n");
        for row in 0..40 {
            writeln!(text, "{}.{},{},{label}", at, row % 10, row % 7).expect("memory");
            if name == "two.csv" {
                writeln!(text, "9.{},{},far", row % 10, row % 7).expect("memory");
            }
        }
        scratch.put(name, text.as_bytes())
    };
    let two = table("two.csv", "near", 0);
    POCKETRON.printed(&format!(
        "train {} --classes 3 --out {model}",
        two.display()
    ));
    let new = table("new.csv", "middle", 4);
    let new = new.display();
    let complaint = POCKETRON.complaint(&format!("model ask {model} {new}"));
    assert!(
        complaint.contains("`middle` was not learned"),
        "{complaint}"
    );
    let printed = POCKETRON.printed(&format!("model teach {model} {new} --out {more}"));
    assert!(printed.contains("class 2 is new: `middle`\n"), "{printed}");
    let asked = POCKETRON.printed(&format!("model ask {more} {new}"));
    assert!(asked.contains("40 of 40 right"), "{asked}");
    let other = table("other.csv", "another", 4);
    let complaint = POCKETRON.complaint(&format!(
        "model teach {more} {} --out {full}",
        other.display()
    ));
    assert!(
        complaint.contains("`another` was not learned, only `far`, `near`, `middle`"),
        "{complaint}"
    );
}

#[test]
fn an_empty_model_is_of_the_type_it_names() {
    let scratch = Scratch::new("model-new");
    let out = scratch.0.join("empty.pktn");
    let printed = POCKETRON.printed(&format!(
        "model new {} --features 3 --labels a,b,c --bytes 500",
        out.display()
    ));
    assert!(
        printed.contains("PocketronMulti<3, 50, 3> of 496 bytes"),
        "{printed}"
    );
    let file = ModelFile::read(&out).expect("a model");
    let device = pocketron::learners::PocketronMulti::<3, 50, 3>::from_bytes(&file.image);
    assert!(device.expect("its own image").is_empty());
    assert_eq!(
        size_of::<pocketron::learners::PocketronMulti<3, 50, 3>>(),
        496
    );
}

/// The share of rows that were right.
fn accuracy(printed: &str) -> f64 {
    let line = printed.lines().find(|line| line.contains(" right: "));
    let line = line.unwrap_or_else(|| panic!("{printed}"));
    let share = line
        .split("right: ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next());
    share
        .and_then(|share| share.parse().ok())
        .expect("a number")
}
