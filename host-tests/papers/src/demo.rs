//! The product's main job, watched from the host: a microcontroller that learns what its sensor measures, or what
//! comes over a serial line, is asked, loses its power in the middle of a save, and knows what it knew.
//!
//! `cargo xtask demo` builds the programs and calls this.

mod cost;
pub mod exercises;
mod power_cut;
mod training;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use clap::Args;

use crate::{
    device::{
        Client, Timeouts,
        qemu::{Board, Emulator, Machine},
    },
    examples::{ExampleOptions, Examples},
    plot::{Boundary, Curve, Sample},
    table::Table,
};
use training::TrainingRun;

/// Options of the command.
#[derive(Args, Debug)]
pub struct DemoOptions {
    /// Program with a recorded accelerometer
    #[arg(long, value_name = "ELF")]
    sensor: Option<PathBuf>,
    /// Whose recording it has
    #[arg(long, value_name = "PERSON", default_value = "1")]
    person: String,
    /// Program with 64 features and 10 classes
    #[arg(long, value_name = "ELF")]
    digits: Option<PathBuf>,
    /// Program with 2 features and 3 classes
    #[arg(long, value_name = "ELF")]
    penguins: Option<PathBuf>,
    /// Where the pictures go
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

const BOARD: Board = Board::Mps2An386;

/// Runs all of it.
pub fn command(options: &DemoOptions) -> Result<()> {
    fs::create_dir_all(&options.out)
        .with_context(|| format!("{} cannot be made", options.out.display()))?;
    if let Some(program) = &options.sensor {
        exercises::show(program, &options.person, &options.out)?;
    }
    let mut pictures = Vec::new();
    if let Some(program) = &options.digits {
        pictures.push(digits(program, &options.out)?);
    }
    if let Some(program) = &options.penguins {
        pictures.push(penguins(program, &options.out)?);
    }
    if !pictures.is_empty() {
        println!("\nPictures, for a browser:");
    }
    for picture in pictures {
        println!("  {}", picture.display());
    }
    Ok(())
}

/// An emulated board that has just been switched on.
fn boot(program: &Path, flash: Option<&Path>, count_instructions: bool) -> Result<Client> {
    let emulator = Emulator::start(&Machine {
        board: BOARD,
        program,
        flash,
        count_instructions,
    })?;
    Ok(Client::connect(Box::new(emulator), Timeouts::default())?)
}

fn rows(data: &str, change: impl FnOnce(&mut ExampleOptions)) -> ExampleOptions {
    let mut options = ExampleOptions::of(data);
    change(&mut options);
    options
}

/// Ten classes of 8 x 8 pixels: learned, asked, saved, cut off.
fn digits(program: &Path, out: &Path) -> Result<PathBuf> {
    const EXAMPLES: usize = 1297;
    println!("\nDIGITS: 1,797 handwritten digits of 8 x 8 pixels, ten classes.\n");
    let flash = out.join("digits.flash");
    // A new board: what an earlier demonstration has taught must not help this one.
    let _ = fs::remove_file(&flash);
    let mut client = boot(program, Some(&flash), false)?;
    introduce(&client);

    let (features, classes) = (client.identity().features, client.identity().classes);
    let training = rows("digits", |rows| {
        rows.divide = Some(16.0);
        rows.limit = Some(EXAMPLES);
    });
    let training = training.load(features, classes)?;
    let unseen = rows("digits", |rows| {
        rows.divide = Some(16.0);
        rows.skip = EXAMPLES;
    });
    let unseen = unseen.load(features, classes)?;

    println!("\nIt learns {EXAMPLES} of them over its UART, each once, predicting it first:");
    let mut run = TrainingRun::new(&mut client);
    run.train(&training, &(0..training.len()).collect::<Vec<_>>())?;
    let curve = run.curve();
    let rate = run.rate();
    let answers = run.ask(unseen.iter().map(|(_, x)| x))?;
    let right = share_right(&unseen, &answers);
    let mut results = Table::facts();
    results.fact(
        "right before learning",
        format!("{:.1} %", curve.last_all()),
    );
    results.fact(
        &format!("right on {} unseen", unseen.len()),
        format!("{right:.1} %"),
    );
    results.fact("learn exchanges", format!("{rate:.0} a second"));
    print!("{results}");

    let path = out.join("digits-curve.svg");
    Curve {
        title: "Handwritten digits, learned on an emulated Cortex-M4F",
        lines: &[
            ("the last 100 examples, before learning each", curve.recent),
            ("all examples so far", curve.all),
        ],
        level: Some((format!("unseen examples: {right:.1} %"), right)),
    }
    .write(&path)?;

    cost::show(&mut client, program, &training)?;
    power_cut::show(client, program, &flash, &training, &unseen)?;
    Ok(path)
}

/// Three species told apart by their bills: what the device makes of the whole plane.
fn penguins(program: &Path, out: &Path) -> Result<PathBuf> {
    println!("\nPENGUINS: three species by the length and depth of their bills.\n");
    let mut client = boot(program, None, false)?;
    introduce(&client);
    let (features, classes) = (client.identity().features, client.identity().classes);
    let measured = rows("penguins", |_| ()).load(features, classes)?;
    let scaled = rows("penguins", |rows| rows.standardize = Some(None));
    let scaled = scaled.load(features, classes)?;

    // Species by species in the file, so in a random order, and every third for the test.
    let order = scaled.order(Some(1));
    let (unseen, training): (Vec<_>, Vec<_>) = order
        .into_iter()
        .enumerate()
        .partition(|(at, _)| at % 3 == 0);
    let numbers = |part: Vec<(usize, usize)>| part.into_iter().map(|(_, row)| row);
    let (unseen, training): (Vec<_>, Vec<_>) =
        (numbers(unseen).collect(), numbers(training).collect());
    println!("\nIt learns {} birds, three times over:", training.len());
    let mut run = TrainingRun::new(&mut client);
    for _ in 0..3 {
        run.train(&scaled, &training)?;
    }
    let answers = run.ask(unseen.iter().map(|row| scaled.get(*row).1))?;
    let right = unseen.iter().zip(&answers);
    let right = right.filter(|(row, answer)| scaled.get(**row).0 == **answer);
    let right = 100.0 * right.count() as f64 / unseen.len() as f64;
    println!("right on {} unseen    {right:.1} %", unseen.len());

    // The axes are in millimetres, the device learned standard deviations.
    let scale = Scale::between(&measured, &scaled);
    let range = [(31.0, 61.0), (12.5, 22.5)];
    let grid = [90, 60];
    let centres: Vec<[f32; 2]> = Boundary::centres(range, grid)
        .map(|centre| scale.of(centre))
        .collect();
    let regions = run.ask(centres.iter().map(|x| &x[..]))?;
    let all = run.ask(scaled.iter().map(|(_, x)| x))?;
    let samples: Vec<Sample> = measured
        .iter()
        .zip(&all)
        .map(|((class, x), answer)| Sample {
            at: [x[0].into(), x[1].into()],
            class: class.into(),
            wrong: class != *answer,
        })
        .collect();
    println!("asked for {} points of the plane", regions.len());
    let path = out.join("penguins-boundary.svg");
    Boundary {
        title: "Penguins by their bills, learned on an emulated Cortex-M4F",
        axes: ["length of the bill (mm)", "depth of the bill (mm)"],
        classes: &["Adelie", "Chinstrap", "Gentoo"],
        range,
        grid,
        answers: &regions
            .iter()
            .map(|class| usize::from(*class))
            .collect::<Vec<_>>(),
        samples: &samples,
    }
    .write(&path)?;
    Ok(path)
}

/// Who answers, and how large it is.
fn introduce(client: &Client) {
    let identity = client.identity();
    let mut table = Table::facts();
    table.fact("firmware", &identity.firmware);
    table.fact("model", &identity.shape);
    table.fact("model in RAM", format!("{} bytes", identity.model_bytes));
    print!("{table}");
    println!(
        "The bytes are those of Undo<Confident<PocketronMulti>>: the learner, a second copy of it"
    );
    println!("that `undo` returns to, and the statistics behind probability and \"unknown\".");
}

fn share_right(examples: &Examples, answers: &[u8]) -> f64 {
    let right = examples.iter().zip(answers);
    let right = right
        .filter(|((class, _), answer)| class == *answer)
        .count();
    100.0 * right as f64 / examples.len() as f64
}

/// From millimetres to what the model was taught: a line for each feature.
struct Scale([(f64, f64); 2]);

impl Scale {
    fn between(measured: &Examples, scaled: &Examples) -> Self {
        Scale([0, 1].map(|feature| {
            let pair = |row: usize| {
                let of = |examples: &Examples| f64::from(examples.get(row).1[feature]);
                (of(measured), of(scaled))
            };
            let pairs = || (0..measured.len()).map(pair);
            let low = pairs()
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .unwrap_or_default();
            let high = pairs()
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .unwrap_or_default();
            let slope = (high.1 - low.1) / (high.0 - low.0);
            (slope, low.1 - slope * low.0)
        }))
    }

    fn of(&self, at: [f64; 2]) -> [f32; 2] {
        [0, 1].map(|feature| {
            let (slope, offset) = self.0[feature];
            (slope * at[feature] + offset) as f32
        })
    }
}
