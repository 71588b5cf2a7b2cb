//! `pocketron model export`: models for firmware, and the same answers from C.

use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use pocketron::{learners::PocketronMulti, persist::store::SlotRing};
use pocketron_cli::model::{HostModel, ModelFile, export::flash};
use pocketron_testkit::{data::shuffle::SplitMix64, flash::SimFlash};

use crate::{command::POCKETRON, common::files::Scratch};

/// Inputs for which the answers in C are compared.
const ASKED: usize = 10_000;

/// Reads examples, and writes the class and the scores of each, all in the bytes of this machine.
const PROGRAM: &str = r#"
#include <stdio.h>
#include "model.h"
int main(void)
{
    float x[MODEL_FEATURES], scores[MODEL_SCORES];
    while (fread(x, sizeof x, 1, stdin) == 1) {
        int32_t answer = model_predict(x, scores);
        fwrite(&answer, sizeof answer, 1, stdout);
        fwrite(scores, sizeof scores, 1, stdout);
    }
    return model_labels[0] == 0;
}
"#;

/// Examples near those that were learned, far from them, and with every kind of number.
fn inputs(model: &HostModel, data: &str) -> Vec<Vec<f32>> {
    let rows = pocketron_testkit::data::Places::new(None)
        .load(data)
        .expect("comes along");
    let rows = rows
        .to_dense()
        .and_then(|rows| rows.to_f32())
        .expect("numbers");
    let mut rng = SplitMix64::new(11);
    let mut draw = move || rng.next_u64();
    let odd = [
        0.0,
        -0.0,
        1e-40,
        3.0e38,
        -3.0e38,
        1.0e18,
        f32::MIN_POSITIVE,
        f32::NAN,
        f32::INFINITY,
    ];
    (0..ASKED)
        .map(|n| {
            let x = rows.row(n % rows.len());
            let change = |x: &f32| match draw() % 64 {
                0 if n % 8 == 0 => odd[draw() as usize % odd.len()],
                at => x * (1.0 + (at as f32 - 32.0) / 64.0) + (draw() % 100) as f32 * 0.01,
            };
            let x: Vec<f32> = x.iter().map(change).collect();
            assert_eq!(x.len(), model.features());
            x
        })
        .collect()
}

/// Compiles the header in `folder` with these options, and compares.
fn answers_are_those_of_the_core(model: &HostModel, folder: &Path, data: &str, options: &[&str]) {
    let program = folder.join("ask");
    let source = folder.join("ask.c");
    std::fs::write(&source, PROGRAM).expect("a file");
    let compiled = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"])
        .args(options)
        .args([&source, Path::new("-o"), &program])
        .output()
        .expect("a C compiler, which Rust links with");
    let complaint = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{complaint}");

    let inputs = inputs(model, data);
    let mut child = Command::new(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut stdin = child.stdin.take().expect("piped");
    let bytes: Vec<u8> = inputs
        .iter()
        .flatten()
        .flat_map(|x| x.to_ne_bytes())
        .collect();
    let writer = std::thread::spawn(move || stdin.write_all(&bytes));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("no panic").expect("all taken");
    let (words, _) = output.stdout.as_chunks::<4>();
    let columns = words.len() / inputs.len() - 1;
    assert_eq!(words.len(), inputs.len() * (columns + 1));
    let (mut refused, mut classes) = (0, [0; 16]);
    for (x, words) in inputs.iter().zip(words.chunks(columns + 1)) {
        let class = i32::from_ne_bytes(words[0]);
        let Ok(answer) = model.predict(x) else {
            assert_eq!(class, -1, "{x:?}");
            refused += 1;
            continue;
        };
        assert_eq!(class, i32::from(answer.class), "{x:?}");
        classes[usize::from(answer.class)] += 1;
        let scores = answer.scores.iter().map(|score| score.to_bits());
        let own = words[1..].iter().map(|word| u32::from_ne_bytes(*word));
        assert!(scores.eq(own), "{x:?}");
    }
    let all = classes.iter().filter(|count| **count > 0).count();
    assert!(
        refused > 2 && all >= model.classes(),
        "{refused} {classes:?}"
    );
}

#[test]
fn the_header_in_c_answers_as_the_core_does_bit_for_bit() {
    for (data, options) in [
        ("digits", "--budget 30"),
        ("penguins", ""),
        ("pima", "--budget 20"),
        ("wdbc", "--passes 3"),
    ] {
        let scratch = Scratch::new("export-c");
        let file = scratch.0.join("some.pktn");
        POCKETRON.printed(&format!("train {data} {options} --out {}", file.display()));
        let header = scratch.0.join("model.h");
        POCKETRON.printed(&format!(
            "model export {} --form c --out {}",
            file.display(),
            header.display()
        ));
        // Of whatever name.
        let [first, other] = ["model.h", "IMU.h"].map(|name| scratch.0.join(name));
        POCKETRON.printed(&format!(
            "model export {} --form c --out {}",
            file.display(),
            other.display()
        ));
        let [first, other] =
            [first, other].map(|file| std::fs::read_to_string(file).expect("a header"));
        let renamed = first.replace("model_", "IMU_").replace("MODEL_", "IMU_");
        let code = |text: &str| text.replace("model.h", "IMU.h");
        assert_eq!(code(&renamed), code(&other));
        let model = ModelFile::read(&file)
            .and_then(|file| file.open())
            .expect("a model");
        for options in [
            &["-O2"][..],
            &["-O0"],
            &["-O3", "-march=native", "-ffp-contract=fast"],
        ] {
            answers_are_those_of_the_core(&model, &scratch.0, data, options);
        }
    }
}

/// The first start of a device finds the model.
#[test]
fn the_region_of_a_store_holds_the_model() {
    let scratch = Scratch::new("export-flash");
    let file = scratch.0.join("some.pktn");
    POCKETRON.printed(&format!(
        "train penguins --budget 20 --out {}",
        file.display()
    ));
    let image = ModelFile::read(&file).expect("a model").image;
    let export = |form: &str, options: &str| {
        let out = scratch.0.join(format!("region.{form}"));
        let model = file.display();
        POCKETRON.printed(&format!(
            "model export {model} --form {form} --region 8192 --sector 1024 {options} --out {}",
            out.display()
        ));
        std::fs::read(out).expect("written")
    };
    let region = export("bin", "");
    let mut flash = SimFlash::<4, 4, 1024>::holding(region.clone());
    let mut model = PocketronMulti::<2, 20, 3>::new();
    let mut ring: SlotRing<_> = SlotRing::mount(&mut flash, 0..8192).expect("mounts");
    ring.load_model(&mut model).expect("it is there");
    let mut buffer = [0; PocketronMulti::<2, 20, 3>::MAX_BYTES];
    assert_eq!(model.to_bytes(&mut buffer).expect("room"), image);
    ring.save_model(&model).expect("and the device goes on");

    let hex = String::from_utf8(export("hex", "--address 0x0807e000")).expect("text");
    assert_eq!(bytes_of_hex(&hex), (0x0807_E000, region.clone()));
    let uf2 = export("uf2", "--address 0x101fe000 --family 0xe48bff56");
    assert_eq!(bytes_of_uf2(&uf2), (0x101F_E000, region));

    let complaint = POCKETRON.complaint(&format!(
        "model export {} --form hex --region 8192 --out x.hex",
        file.display()
    ));
    assert!(complaint.contains("--address says where"), "{complaint}");
    for form in ["hex", "uf2"] {
        for (address, words) in [
            (
                "0x0807e008",
                "0x807e008 is not the start of a sector of 4096 bytes",
            ),
            ("0xfffff000", "the region ends behind 0xffffffff"),
        ] {
            let complaint = POCKETRON.complaint(&format!(
                "model export {} --form {form} --region 8192 --address {address} --out x.{form}",
                file.display()
            ));
            assert!(complaint.contains(words), "{complaint}");
        }
    }
    export("hex", "--address 0xffffe000");
    for (options, words) in [
        ("--region 1000", "whole number of sectors"),
        ("--region 8192 --sector 100", "there are sectors of"),
        ("", "--region says how many"),
    ] {
        let complaint = POCKETRON.complaint(&format!(
            "model export {} --form bin {options} --out x.bin",
            file.display()
        ));
        assert!(complaint.contains(words), "{complaint}");
    }
}

#[test]
fn records_of_intel_hex_end_where_64_kilobytes_end() {
    let bytes: Vec<u8> = (0..100).collect();
    let text = flash::hex(0x0807_FFF8, &bytes);
    assert_eq!(bytes_of_hex(&text), (0x0807_FFF8, bytes));
}

/// By the description of the format: records of length, address, kind, bytes, and a sum of zero.
fn bytes_of_hex(text: &str) -> (u32, Vec<u8>) {
    let (mut upper, mut start, mut bytes) = (0, None, Vec::new());
    for line in text.lines() {
        let digits = line.strip_prefix(':').expect("a record");
        let record: Vec<u8> = (0..digits.len() / 2)
            .map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).expect("hexadecimal"))
            .collect();
        assert_eq!(
            record
                .iter()
                .fold(0_u8, |sum, byte| sum.wrapping_add(*byte)),
            0,
            "{line}"
        );
        let data = &record[4..record.len() - 1];
        assert_eq!(usize::from(record[0]), data.len());
        let begin = usize::from(record[1]) << 8 | usize::from(record[2]);
        assert!(begin + data.len() <= 0x1_0000, "{line}");
        match record[3] {
            0 => {
                let at = upper << 16 | u32::from(record[1]) << 8 | u32::from(record[2]);
                assert_eq!(at, *start.get_or_insert(at) + bytes.len() as u32);
                bytes.extend(data);
            }
            4 => upper = u32::from(data[0]) << 8 | u32::from(data[1]),
            kind => assert_eq!((kind, line), (1, ":00000001FF")),
        }
    }
    (start.expect("bytes"), bytes)
}

fn bytes_of_uf2(file: &[u8]) -> (u32, Vec<u8>) {
    let blocks: Vec<&[u8]> = file.chunks(512).collect();
    let word = |block: &[u8], at: usize| {
        u32::from_le_bytes(block[4 * at..4 * at + 4].try_into().expect("four"))
    };
    let start = word(blocks[0], 3);
    let mut bytes = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        let words = [0, 1, 2, 3, 4, 5, 6, 7, 127].map(|at| word(block, at));
        let at = start + 256 * number as u32;
        let expected = [
            0x0A32_4655,
            0x9E5D_5157,
            0x2000,
            at,
            256,
            number as u32,
            blocks.len() as u32,
            0xE48B_FF56,
            0x0AB1_6F30,
        ];
        assert_eq!(words, expected);
        bytes.extend(&block[32..32 + 256]);
    }
    (start, bytes)
}

/// The file compiles into firmware as it is: here its numbers are read back.
#[test]
fn the_constant_in_rust_is_the_image() {
    let scratch = Scratch::new("export-rust");
    let file = scratch.0.join("some.pktn");
    POCKETRON.printed(&format!("train penguins --out {}", file.display()));
    let [source, bare] = ["model.rs", "model.img"].map(|name| scratch.0.join(name));
    POCKETRON.printed(&format!(
        "model export {} --form rust --out {}",
        file.display(),
        source.display()
    ));
    POCKETRON.printed(&format!(
        "model export {} --form image --out {}",
        file.display(),
        bare.display()
    ));
    let image = ModelFile::read(&file).expect("a model").image;
    assert_eq!(std::fs::read(bare).expect("written"), image);
    let text = std::fs::read_to_string(source).expect("written");
    assert!(
        text.contains("pub type Model = PocketronMulti<2, 40, 3>;"),
        "{text}"
    );
    let numbers = text
        .split("= [")
        .nth(1)
        .and_then(|rest| rest.split(']').next());
    let numbers: Vec<u8> = numbers
        .expect("a constant")
        .split(',')
        .filter_map(|number| number.trim().parse().ok())
        .collect();
    assert_eq!(numbers, image);
}
