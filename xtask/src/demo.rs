//! The firmware at work on an emulated microcontroller, driven from this computer.

use crate::{
    board,
    firmware::{self, Learner, Options},
    image::{self, Footprint},
    process, recording, setup, workspace,
};
use anyhow::Result;
use std::{ffi::OsString, path::PathBuf};

/// 8 x 8 pixels, a hundred vectors for ten digits.
const DIGITS: Learner = Learner {
    name: "digits",
    features: 64,
    budget: 100,
    classes: 10,
};

/// Two measurements, twenty vectors for three species.
const PENGUINS: Learner = Learner {
    name: "penguins",
    features: 2,
    budget: 20,
    classes: 3,
};

/// Sets up, builds, and hands over to the host's program: with a sensor, or with examples over the wire.
pub fn run(digits: bool) -> Result<()> {
    setup::run()?;
    let mut programs: Vec<OsString> = Vec::new();
    if digits {
        programs.extend(["--digits".into(), build(DIGITS)?.into()]);
        programs.extend(["--penguins".into(), build(PENGUINS)?.into()]);
    } else {
        programs.extend(["--sensor".into(), build_sensor()?.into()]);
        programs.extend(["--person".into(), recording::PERSON.into()]);
    }
    println!("building the host's end of the line: minutes the first time, nothing afterwards");
    process::run(workspace::cargo("build").args([
        "--profile",
        "host",
        "--package",
        "pocketron-papers",
        "--bin",
        "pocketron-papers",
    ]))?;
    println!();
    let mut host = workspace::cargo("run");
    host.args(["--quiet", "--profile", "host"])
        .args([
            "--package",
            "pocketron-papers",
            "--bin",
            "pocketron-papers",
            "--",
            "demo",
        ])
        .args(programs)
        .arg("--out")
        .arg(workspace::target_dir().join("demo"));
    process::run(&mut host)?;
    if !digits {
        println!(
            "\n`cargo xtask demo --digits` shows examples over the wire: handwritten digits and penguins."
        );
    }
    Ok(())
}

fn build_sensor() -> Result<PathBuf> {
    let board = &board::M4F;
    println!(
        "building the firmware with a recorded accelerometer for the {}",
        board.core_name
    );
    let options = Options {
        sensor: true,
        ..Options::default()
    };
    let image = firmware::build(board, options)?;
    let Footprint { flash, ram } = image::footprint(&image)?;
    let samples = recording::write()?.metadata()?.len();
    println!(
        "  {} bytes of flash for the program, {samples} for the recording, {ram} of static RAM, model included",
        u64::from(flash).saturating_sub(samples)
    );
    Ok(image)
}

fn build(learner: Learner) -> Result<PathBuf> {
    let board = &board::M4F;
    let Learner {
        name,
        features,
        budget,
        classes,
        ..
    } = learner;
    println!(
        "building the firmware for {name} ({features} features, {classes} classes, {budget} vectors) \
         for the {}",
        board.core_name
    );
    let options = Options {
        learner: Some(learner),
        ..Options::default()
    };
    let image = firmware::build(board, options)?;
    let Footprint { flash, ram } = image::footprint(&image)?;
    println!("  {flash} bytes of flash, {ram} of static RAM, model included");
    Ok(image)
}
