//! Laws of the data layer: files, sets, scaling, order and look-up.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use pocketron_host::data::shuffle::{SplitMix64, permutation};
use pocketron_host::data::{
    Dataset, DatasetError, DenseData, Fault, LoadError, Places, ReadError, Row, RowError,
    catalogue, libsvm,
};
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Result<Vec<Row>, ReadError> {
    libsvm::read(Path::new("some.libsvm"), bytes)
}

fn set(text: &str) -> Dataset {
    Dataset::new("set", read(text.as_bytes()).expect("well-formed text"))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("a vector takes all bytes");
    encoder.finish().expect("a vector takes all bytes")
}

fn committed() -> Places {
    Places::only([Path::new(env!("CARGO_MANIFEST_DIR")).join("data")])
}

/// A directory of its own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("pocketron-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a scratch directory");
        Self(dir)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).expect("a scratch file");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

// Reading

#[test]
fn every_malformed_line_is_named_with_file_line_and_reason() {
    let cases: [(&[u8], &str); 22] = [
        (b"x 1:2", "`x` is not a label"),
        (b"nan 1:2", "`nan` is not a label"),
        (b"-inf 1:2", "`-inf` is not a label"),
        (b"3,,17 1:2", "`3,,17` is not a label"),
        (b"3, 1:2", "`3,` is not a label"),
        (b"1:2 2:3", "`1:2` is not a label"),
        (b"+1 7", "missing colon in `7`"),
        (b" +1 1:2", "missing colon in `+1`"),
        (b"+1 a:2", "bad index in `a:2`"),
        (b"+1 :2", "bad index in `:2`"),
        (b"+1 -3:2", "bad index in `-3:2`"),
        (b"+1 +3:2", "bad index in `+3:2`"),
        (b"+1 1.5:2", "bad index in `1.5:2`"),
        (b"+1 4294967296:2", "bad index in `4294967296:2`"),
        (b"+1 0:2", "index 0"),
        (b"+1 3:1 2:1", "index 2 follows 3"),
        (b"+1 3:1 3:1", "index 3 is repeated"),
        (b"+1 1:nan", "feature 1 is not finite: NaN"),
        (b"+1 1:1e999", "feature 1 is not finite: inf"),
        (b"+1 1:", "bad value in `1:`"),
        (b"+1 1:2:3", "bad value in `1:2:3`"),
        (b"+1 1:\xff", "not UTF-8"),
    ];
    for (line, reason) in cases {
        // The third line counts as the third although the second is only a comment.
        let text = [b"+1 1:0.5\n# comment\n", line, b"\n-1 2:1\n"].concat();
        for bytes in [gzip(&text), text] {
            let message = read(&bytes).expect_err(reason).to_string();
            let expected = format!("some.libsvm:3: {reason}");
            assert!(message.starts_with(&expected), "{message}");
        }
    }
}

#[test]
fn a_fault_keeps_its_kind_for_the_caller() {
    let fault = |text: &str| read(text.as_bytes()).expect_err("malformed").fault;
    assert_eq!(fault("1 1:2 1"), Fault::MissingColon("1".into()));
    let order = RowError::NotIncreasing {
        previous: 5,
        index: 4,
    };
    assert_eq!(fault("1 5:2 4:2"), Fault::Row(order));
}

#[test]
fn a_long_or_unprintable_token_is_quoted_short_and_on_one_line() {
    let message = read(format!("{}\u{7}", "z".repeat(5000)).as_bytes())
        .expect_err("label")
        .to_string();
    assert!(message.len() < 150, "{} bytes", message.len());
    let message = read(b"a\x07b 1:2").expect_err("label").to_string();
    assert!(message.contains(r"a\u{7}b"), "{message}");
}

#[test]
fn a_file_without_examples_is_refused_as_a_whole() {
    for text in [&b""[..], b"\n \r\n# nothing\n", &gzip(b"")] {
        let error = read(text).expect_err("no example");
        assert_eq!((error.line, &error.fault), (None, &Fault::Empty));
        assert_eq!(error.to_string(), "some.libsvm: there is no example in it");
    }
}

#[test]
fn every_truncation_of_a_gzip_file_is_noticed() {
    let whole = gzip("+1 1:0.5 2:0.25\n-1 1:0.75\n".repeat(40).as_bytes());
    assert_eq!(read(&whole).map(|rows| rows.len()), Ok(80));
    for length in 2..whole.len() {
        let error = read(&whole[..length]).expect_err("a cut file");
        assert_eq!(error.fault, Fault::TruncatedGzip, "cut to {length} bytes");
        assert!(error.line.is_some_and(|line| line <= 81), "{error}");
    }
}

#[test]
fn damaged_gzip_data_are_noticed() {
    let mut bytes = gzip(b"+1 1:0.5\n");
    let checksum = bytes.len() - 8;
    bytes[checksum] ^= 1;
    let error = read(&bytes).expect_err("wrong checksum");
    assert!(matches!(error.fault, Fault::CorruptGzip(_)), "{error}");
}

#[test]
fn a_file_that_cannot_be_opened_is_named() {
    let error = libsvm::read_file(Path::new("no/such/file")).expect_err("no such file");
    assert!(
        error
            .to_string()
            .starts_with("no/such/file: cannot be read"),
        "{error}"
    );
}

#[test]
fn comments_blank_lines_line_ends_and_labels_are_read_as_documented() {
    let text =
        "# header\r\n+1 2:1e-3 # why not\r\n\r\n   # still nothing\n3,17 5:1\n 1:-2 4:0\n-1\n2 1:7";
    let lines: Vec<String> = read(text.as_bytes())
        .expect("well-formed")
        .iter()
        .map(Row::to_string)
        .collect();
    assert_eq!(lines, ["1 2:0.001", "3,17 5:1", " 1:-2 4:0", "-1", "2 1:7"]);
}

#[test]
fn gzip_is_told_by_its_bytes_and_reads_as_plain_text_does() {
    let scratch = Scratch::new("gzip");
    let text = b"+1 1:0.1 3:2\n-1 2:5\n";
    let plain = scratch.put("plain.libsvm.gz", text);
    let packed = scratch.put("packed.libsvm", &gzip(text));
    assert_eq!(libsvm::read_file(&plain), libsvm::read_file(&packed));
    let members = [gzip(&text[..13]), gzip(&text[13..])].concat();
    assert_eq!(
        read(&members),
        read(text),
        "several gzip members are one text"
    );
}

fn any_row() -> impl Strategy<Value = Row> {
    let finite = || any::<f64>().prop_filter("finite", |value| value.is_finite());
    let features = prop::collection::btree_map(1..=u32::MAX, finite(), 0..12);
    (prop::collection::vec(finite(), 0..4), features).prop_filter_map(
        "a line",
        |(labels, features)| {
            let blank = labels.is_empty() && features.is_empty();
            let mut row = Row::new(labels);
            features
                .into_iter()
                .for_each(|(index, value)| row.push(index, value).expect("increasing"));
            (!blank).then_some(row)
        },
    )
}

proptest! {
    #[test]
    fn writing_and_reading_gives_the_same_rows(rows in prop::collection::vec(any_row(), 1..20)) {
        let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
        prop_assert_eq!(read(text.as_bytes()), Ok(rows.clone()));
        prop_assert_eq!(read(&gzip(text.as_bytes())), Ok(rows));
    }

    #[test]
    fn no_input_makes_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes);
        let _ = read(&[&[0x1f, 0x8b][..], &bytes].concat());
    }

    #[test]
    fn a_permutation_has_every_number_once(n in 0_usize..500, seed: u64) {
        let mut order = permutation(n, seed);
        order.sort_unstable();
        prop_assert!(order.into_iter().eq(0..n));
    }
}

// Sets

#[test]
fn dense_rows_have_the_zeros_written_out() {
    let data = set("1 2:5\n-1 1:3 4:7\n").with_dim(5).expect("5 covers 4");
    assert_eq!(data.dense_f64(0), [0.0, 5.0, 0.0, 0.0, 0.0]);
    let dense = data.to_dense().expect("one label each");
    assert_eq!(dense.row(1), [3.0, 0.0, 0.0, 7.0, 0.0]);
    assert_eq!(
        (dense.dim, dense.len(), &dense.labels[..]),
        (5, 2, &[1.0, -1.0][..])
    );
    assert!(
        dense
            .iter()
            .map(|(x, _)| x.to_vec())
            .eq((0..2).map(|i| data.dense_f64(i)))
    );
}

#[test]
fn the_dimension_must_cover_the_highest_index() {
    let data = set("1 2:5\n-1 1:3 4:7\n");
    assert_eq!(data.dim(), 4);
    let error = data.with_dim(3).expect_err("index 4");
    assert_eq!(
        error,
        DatasetError::DimTooSmall {
            dim: 3,
            row: 1,
            index: 4
        }
    );
    assert_eq!(
        error.to_string(),
        "example 2 has feature 4, but the set has 3 features"
    );
}

#[test]
fn a_stray_index_cannot_swallow_the_machine() {
    let error = set("1 4294967295:1\n").to_dense().expect_err("32 GiB");
    assert_eq!(
        error,
        DatasetError::TooLarge {
            rows: 1,
            dim: 4_294_967_295
        }
    );
}

#[test]
fn without_named_labels_the_sign_decides() {
    let labels = |data: Dataset| data.to_dense().expect("one label each").labels;
    assert_eq!(
        set("0 1:1\n1 1:1\n").binary(None).map(labels),
        Ok(vec![-1.0, 1.0])
    );
    assert_eq!(
        set("-1 1:1\n3 1:1\n0 1:1\n2 1:1\n")
            .binary(None)
            .map(labels),
        Ok(vec![-1.0, 1.0, -1.0, 1.0])
    );
    let error = set("1 1:1\n 1:1\n").binary(None).expect_err("no label");
    assert_eq!(error, DatasetError::LabelCount { row: 1, count: 0 });
}

#[test]
fn named_labels_are_positive_wherever_they_stand_among_several() {
    let data = set("3,17 1:1\n17 1:1\n 1:1\n4 1:1\n")
        .binary(Some(&[17.0, 4.0]))
        .expect("named");
    assert_eq!(
        data.to_dense().expect("one label each").labels,
        [1.0, 1.0, -1.0, 1.0]
    );
}

#[test]
fn several_labels_are_no_dense_label() {
    let error = set("1 1:1\n3,17 1:1\n").to_dense().expect_err("two labels");
    assert_eq!(error.to_string(), "example 2 has 2 labels instead of one");
}

#[test]
fn limit_split_and_keep_take_the_rows_they_say() {
    let data = set("3 1:1\n5 1:2\n8 1:3\n3 9:4\n");
    assert_eq!(data.classes(), [(3.0, 2), (5.0, 1), (8.0, 1)]);
    assert_eq!(data.clone().limit(2).rows(), &data.rows()[..2]);
    assert_eq!(data.clone().limit(9), data);
    let (train, test) = data.clone().split(3).expect("4 rows");
    assert_eq!((train.rows(), test.rows()), data.rows().split_at(3));
    assert_eq!((train.dim(), test.dim()), (9, 9), "both keep the dimension");
    let error = data.clone().split(5).expect_err("4 rows");
    assert_eq!(error, DatasetError::TooFewRows { rows: 4, wanted: 5 });
    let kept = data.keep_labels(&[3.0, 8.0]);
    assert_eq!(
        kept.to_dense().expect("one label each").labels,
        [3.0, 8.0, 3.0]
    );
}

// Order

#[test]
fn the_generator_is_splitmix64() {
    // The published test values for seed 1234567.
    let mut generator = SplitMix64::new(1_234_567);
    let numbers = [(); 3].map(|()| generator.next_u64());
    assert_eq!(
        numbers,
        [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423
        ]
    );
}

#[test]
fn an_order_is_named_by_its_seed_on_every_machine() {
    // Expected values from an independent implementation with unbounded integers.
    assert_eq!(permutation(10, 0), [4, 9, 2, 5, 1, 7, 6, 0, 3, 8]);
    assert_eq!(permutation(10, 42), [8, 3, 6, 5, 4, 0, 9, 2, 1, 7]);
    assert_eq!(
        permutation(1000, 1)[..8],
        [233, 421, 954, 480, 236, 701, 638, 231]
    );
}

#[test]
fn every_order_of_four_is_equally_likely() {
    let mut counts = std::collections::BTreeMap::new();
    (0..24_000).for_each(|seed| *counts.entry(permutation(4, seed)).or_insert(0_i32) += 1);
    assert_eq!(counts.len(), 24);
    // Standard deviation 31 about 1000; five of them.
    assert!(
        counts.values().all(|count| (count - 1000).abs() < 155),
        "{counts:?}"
    );
}

#[test]
fn sparse_and_dense_permutation_agree() {
    let sonar = committed().load("sonar").expect("committed");
    let sparse = sonar.clone().permuted(3).to_dense();
    assert_ne!(sparse, sonar.to_dense());
    assert_eq!(sparse, sonar.to_dense().map(|dense| dense.permuted(3)));
}

// Scaling

#[test]
fn standardised_features_have_mean_zero_and_deviation_one() {
    let wdbc = committed().load("wdbc").expect("committed").to_dense();
    let (scaled, _) = wdbc.expect("one label each").standardize().expect("finite");
    let n = scaled.len() as f64;
    for feature in 0..scaled.dim {
        let mean = scaled.iter().map(|(x, _)| x[feature]).sum::<f64>() / n;
        let square = scaled
            .iter()
            .map(|(x, _)| x[feature] * x[feature])
            .sum::<f64>()
            / n;
        assert!(mean.abs() < 1e-12, "feature {feature}: mean {mean}");
        assert!(
            (square - 1.0).abs() < 1e-12,
            "feature {feature}: mean square {square}"
        );
    }
}

#[test]
fn a_constant_feature_becomes_zero_even_if_its_mean_rounds() {
    let n = 7;
    let x: Vec<f64> = (0..n).flat_map(|i| [0.1, f64::from(i)]).collect();
    let sum: f64 = x.iter().step_by(2).sum();
    assert_ne!(sum / f64::from(n), 0.1, "the case this test is about");
    let data = DenseData {
        dim: 2,
        x,
        labels: vec![1.0; 7],
    };
    let (scaled, scale) = data.standardize().expect("finite");
    assert!(scaled.iter().all(|(x, _)| x[0] == 0.0), "{scaled:?}");
    assert_eq!(scale.sd()[1], 2.0, "population deviation of 0 to 6");
}

#[test]
fn the_test_set_is_scaled_by_training_statistics() {
    let train = DenseData {
        dim: 2,
        x: vec![0.0, 5.0, 2.0, 5.0, 4.0, 5.0],
        labels: vec![1.0; 3],
    };
    let (_, scale) = train.standardize().expect("finite");
    assert_eq!((scale.mean(), scale.sd()[1]), (&[2.0, 5.0][..], 0.0));
    let sd = (8.0_f64 / 3.0).sqrt();
    let test = DenseData {
        dim: 2,
        x: vec![10.0, 9.0],
        labels: vec![-1.0],
    };
    let scaled = scale.apply(&test).expect("same features");
    assert_eq!(
        (&scaled.x[..], &scaled.labels[..]),
        (&[8.0 / sd, 0.0][..], &[-1.0][..])
    );
    let other = DenseData {
        dim: 1,
        x: vec![1.0],
        labels: vec![1.0],
    };
    assert_eq!(
        scale.apply(&other),
        Err(DatasetError::OtherDim {
            dim: 1,
            expected: 2
        })
    );
}

#[test]
fn what_has_no_scale_or_no_f32_is_refused() {
    let column = |x: Vec<f64>| DenseData {
        dim: 1,
        labels: vec![1.0; x.len()],
        x,
    };
    assert_eq!(
        column(vec![]).standardize(),
        Err(DatasetError::NoScale { feature: 0 })
    );
    assert_eq!(
        column(vec![1e308, -1e308]).standardize(),
        Err(DatasetError::NoScale { feature: 0 })
    );
    let error = column(vec![1.0, 1e39])
        .to_f32()
        .expect_err("above the largest f32");
    assert_eq!(
        error,
        DatasetError::BeyondF32 {
            row: 1,
            feature: 0,
            value: 1e39
        }
    );
    assert_eq!(
        column(vec![0.1]).to_f32().map(|data| data.x),
        Ok(vec![0.1_f32])
    );
}

// Catalogue and look-up

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
    let readme = include_str!("../data/README.md");
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
fn the_first_rows_are_those_of_the_source() {
    let row = |name: &str, i: usize| committed().load(name).expect(name).rows()[i].to_string();
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
        "--data",
        "$POCKETRON_DATA",
    ];
    for words in wanted {
        assert!(letter.contains(words), "`{words}` is not in: {letter}");
    }
    assert!(message("usps").contains("comes in parts: usps.train, usps.test"));
    assert!(!message("usps.train").contains("comes in parts"));
    assert!(message("unheard-of").contains("the catalogue does not know it"));
    assert_eq!(
        message("no/such/file.libsvm"),
        "no file `no/such/file.libsvm`"
    );
}

#[test]
fn a_known_set_gets_its_true_dimension_and_an_impostor_is_refused() {
    let scratch = Scratch::new("dimension");
    let places = Places::only([scratch.0.clone()]);
    scratch.put("mnist.test.libsvm", b"3 778:1\n");
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
fn both_parts_come_from_two_files_or_from_the_papers_division() {
    let scratch = Scratch::new("parts");
    let places = Places::only([scratch.0.clone()]);
    scratch.put("usps.train.libsvm", b"1 1:1\n");
    scratch.put("usps.test.libsvm", b"2 1:1\n");
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
