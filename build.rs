//! Puts the memory map of the chosen board where the linker finds it, tells the linker how to make
//! images of the firmware and the examples, and settles what the firmware learns with and what its line may do.
//!
//! The map arrives as `board.x`, not as `memory.x`: an application that depends
//! on this crate inherits the search path, and its own `memory.x` must win.

use std::{
    env,
    fmt::Display,
    fs,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    str::FromStr,
};

/// Memory maps.
const BOARDS: &str = "boards";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Set by `cargo xtask panic-free` to prove that the check can fail.
    println!("cargo:rustc-check-cfg=cfg(must_not_link)");
    println!("cargo:rustc-check-cfg=cfg(board, values(any()))");
    println!("cargo:rustc-check-cfg=cfg(restricted_line)");
    instructions();
    if !Path::new(BOARDS).is_dir() {
        return; // the package as published: the library, without firmware and examples
    }
    println!("cargo:rerun-if-env-changed=POCKETRON_BOARD");
    println!("cargo:rerun-if-changed={BOARDS}");
    let default_board = match env::var("TARGET").as_deref() {
        Ok("thumbv6m-none-eabi") => "microbit",
        Ok("thumbv7m-none-eabi") => "mps2-an385",
        Ok("thumbv7em-none-eabihf") => "mps2-an386",
        Ok("thumbv8m.main-none-eabihf") => "mps2-an505",
        Ok("riscv32imc-unknown-none-elf") => "virt",
        _ => return, // not one of our boards: the application brings its own memory.x
    };
    let board = match default_board {
        // The only one of its instruction set: another map would be of a board with other instructions.
        "virt" => default_board.into(),
        _ => env::var("POCKETRON_BOARD").unwrap_or_else(|_| default_board.into()),
    };
    let map = format!("{BOARDS}/{board}.x");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::copy(&map, out.join("board.x"))
        .unwrap_or_else(|error| panic!("no memory map {map} for POCKETRON_BOARD={board}: {error}"));
    println!("cargo:rustc-link-search={}", out.display());
    println!("cargo:rustc-cfg=board=\"{board}\"");
    // The linker script of cortex-m-rt or riscv-rt, of which only the former reads `memory.x` by itself, and no page
    // alignment, which would waste flash.
    let riscv = (board == "virt").then_some("-Tmemory.x");
    for argument in riscv.into_iter().chain(["-Tlink.x", "--nmagic"]) {
        println!("cargo:rustc-link-arg-bin=pocketron-firmware={argument}");
        println!("cargo:rustc-link-arg-examples={argument}");
    }
    if env::var_os("CARGO_FEATURE__DEFMT_LOG").is_some() {
        // Only then: without defmt in the image it is a link error.
        println!("cargo:rustc-link-arg-bin=pocketron-firmware=-Tdefmt.x");
    }
    if env::var_os("CARGO_FEATURE__FIRMWARE").is_some() {
        let has_sensor = env::var_os("CARGO_FEATURE__RECORDED_SENSOR").is_some();
        let learner = if has_sensor {
            recording(&out);
            sensor_learner()
        } else {
            learner(&board)
        };
        fs::write(out.join("learner.rs"), learner).expect("OUT_DIR is writable");
        fs::write(out.join("access.rs"), access()).expect("OUT_DIR is writable");
    }
}

/// What the instructions of the target can do, as far as that decides between loops with the same results.
fn instructions() {
    println!("cargo:rustc-check-cfg=cfg(dsp)");
    println!("cargo:rustc-check-cfg=cfg(short_products)");
    let target = env::var("TARGET").expect("cargo sets TARGET");
    if target.starts_with("thumbv7em") {
        println!("cargo:rustc-cfg=dsp");
    }
    if target.starts_with("thumbv6m") || target.starts_with("thumbv8m.base") {
        println!("cargo:rustc-cfg=short_products");
    }
}

/// Constants for `src/firmware/learner.rs`, which explains them.
fn learner(board: &str) -> String {
    let budget = if board == "microbit" { 32 } else { 64 };
    let features = setting("FEATURES", 2, 1..=256);
    let budget = setting("BUDGET", budget, 1..=4096);
    let classes = setting("CLASSES", 4, 2..=256);
    let learner = match setting("UNDO", 1, 0..=1) {
        0 => "Model",
        _ => "pocketron::wrap::Undo<Model>",
    };
    format!(
        "pub const FEATURES: usize = {features};\n\
         pub const BUDGET: usize = {budget};\n\
         pub const CLASSES: usize = {classes};\n\
         /// What the device teaches.\n\
         pub type Learner = {learner};\n"
    )
}

/// Constants for `src/firmware/device.rs`, which explains them.
fn access() -> String {
    println!("cargo:rerun-if-env-changed=POCKETRON_PERMISSIONS");
    let wanted = env::var("POCKETRON_PERMISSIONS").unwrap_or_else(|_| "all".into());
    let mut access = match wanted.trim() {
        "all" => String::new(),
        "ask" | "teach" => {
            println!("cargo:rustc-cfg=restricted_line");
            let preset = wanted.trim().to_uppercase();
            format!("const PERMISSIONS: Permissions = Permissions::{preset};\n")
        }
        other => {
            println!("cargo::error=POCKETRON_PERMISSIONS must be ask, teach or all, not `{other}`");
            String::new()
        }
    };
    println!("cargo:rerun-if-env-changed=POCKETRON_KEY");
    let key_file = env::var("POCKETRON_KEY").ok();
    match (env::var_os("CARGO_FEATURE_AUTH"), key_file) {
        (Some(_), Some(file)) => {
            access += &format!("static KEY: [u8; 32] = {:?};\n", key(&file));
        }
        (Some(_), None) => panic!("POCKETRON_KEY must name a file with a key"),
        // Nobody must believe that such a firmware checks signatures.
        (None, Some(_)) => println!(
            "cargo::error=POCKETRON_KEY is set, but the feature `auth` is not: the firmware would take unsigned images"
        ),
        (None, None) => {}
    }
    access
}

/// The key in the file that POCKETRON_KEY names: 64 hexadecimal digits.
fn key(file: &str) -> [u8; 32] {
    println!("cargo:rerun-if-changed={file}");
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let digits = text.trim();
    assert!(
        digits.len() == 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()),
        "{file}: a key has 64 hexadecimal digits"
    );
    std::array::from_fn(|byte| {
        let digits = &digits[2 * byte..2 * byte + 2];
        u8::from_str_radix(digits, 16).expect("two digits")
    })
}

/// The same for the firmware with a sensor.
fn sensor_learner() -> String {
    let budget = setting("BUDGET", 40, 1..=4096);
    let classes = setting("CLASSES", 7, 2..=256);
    let learner = match setting("UNDO", 1, 0..=1) {
        0 => "Model",
        _ => "pocketron::wrap::Undo<Model>",
    };
    format!(
        "pub const FEATURES: usize = 12;\n\
         pub const BUDGET: usize = {budget};\n\
         pub const CLASSES: usize = {classes};\n\
         /// What the device teaches: windows of 128 samples of a sensor that ends at 8188 milli-g.\n\
         pub type Learner = pocketron::signal::Teacher<pocketron::signal::Motion<128, i16, 8188>, {learner}>;\n"
    )
}

/// Puts the recording where `src/firmware/accelerometer.rs` finds it.
fn recording(out: &Path) {
    println!("cargo:rerun-if-env-changed=POCKETRON_RECORDING");
    let bytes = match env::var("POCKETRON_RECORDING") {
        Ok(file) => {
            println!("cargo:rerun-if-changed={file}");
            fs::read(&file).unwrap_or_else(|error| panic!("POCKETRON_RECORDING={file}: {error}"))
        }
        Err(_) => panic!("POCKETRON_RECORDING must name a recording: three i16 a sample"),
    };
    assert!(
        !bytes.is_empty() && bytes.len().is_multiple_of(6),
        "POCKETRON_RECORDING: {} bytes are no samples of three i16",
        bytes.len()
    );
    fs::write(out.join("recording.bin"), bytes).expect("OUT_DIR is writable");
}

/// What `POCKETRON_NAME` says, if it lies in `range`.
fn setting<T>(name: &str, default: T, range: RangeInclusive<T>) -> T
where
    T: FromStr + Display + PartialOrd,
{
    let name = format!("POCKETRON_{name}");
    println!("cargo:rerun-if-env-changed={name}");
    let Ok(text) = env::var(&name) else {
        return default;
    };
    match text.trim().parse() {
        Ok(value) if range.contains(&value) => value,
        _ => {
            let (from, to) = range.into_inner();
            // Ends the build once this script is through.
            println!("cargo::error={name} must be a number from {from} to {to}, not `{text}`");
            default
        }
    }
}
