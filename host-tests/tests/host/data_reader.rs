//! LIBSVM text, plain and packed: what is read, and what is refused with which words.

use std::path::Path;

use pocketron_testkit::data::{Fault, Row, RowError, Rows, libsvm};
use proptest::prelude::*;

use crate::common::files::{Scratch, gzip, read};

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
        .map(|row| row.to_string())
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
        let rows = Rows::from(rows);
        prop_assert_eq!(read(text.as_bytes()), Ok(rows.clone()));
        prop_assert_eq!(read(&gzip(text.as_bytes())), Ok(rows));
    }

    #[test]
    fn no_input_makes_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes);
        let _ = read(&[&[0x1f, 0x8b][..], &bytes].concat());
    }
}
