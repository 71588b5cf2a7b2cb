//! The firmware at work on an emulated microcontroller, driven from this computer.

use crate::{
    board,
    firmware::{self, Learner, Options},
    image::{self, Footprint},
    process, setup, workspace,
};
use anyhow::Result;
use std::path::PathBuf;

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

/// Sets up, builds, and hands over to the host's program.
pub fn run() -> Result<()> {
    setup::run()?;
    let digits = build(DIGITS)?;
    let penguins = build(PENGUINS)?;
    println!("building the host's end of the line: minutes the first time, nothing afterwards");
    process::run(workspace::cargo("build").args([
        "--profile",
        "host",
        "--package",
        "pocketron-papers",
        "--bin",
        "pocketron-papers",
    ]))?;
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
        .arg("--digits")
        .arg(digits)
        .arg("--penguins")
        .arg(penguins)
        .arg("--out")
        .arg(workspace::target_dir().join("demo"));
    process::run(&mut host)
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
