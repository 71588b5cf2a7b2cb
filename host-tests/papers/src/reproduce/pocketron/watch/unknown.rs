//! An exercise that nobody has taught: is it called unknown?

use anyhow::Result;
use pocketron::{label::Class, wrap::confidence::Confident};

use super::{
    BUDGET, SET, cells,
    machine::{Hand, Machine, Plain, teach},
    person::{self, CLASSES, Person, Window},
    seed, trials,
};
use crate::reproduce::{
    About, Bench, Cell, Experiment, Figures, FinishedCells, Line, Name, Scope, Watch,
};

/// Exercises left out in turn.
pub struct Unknown;

type Confidence = Confident<Plain, CLASSES>;

/// Class orders of each person.
const ORDERS: u64 = 10;

const FOUND: &str = "unknown found";
const FALSE: &str = "known called unknown";
const RIGHT: &str = "known right";
const COLUMNS: [&str; 3] = [FOUND, FALSE, RIGHT];

impl Experiment for Unknown {
    fn about(&self) -> About {
        About {
            name: "watch-unknown",
            title: "exercises that nobody has taught the smartwatch",
            remarks: "The windows of `watch-teaching`. Each exercise is left out in turn; the person teaches the six others, one block a \
         class, to a fresh model. *Unknown found*: windows of the exercise left out, of both halves, that are called unknown. \
         *Known called unknown*: windows of the second half of the six others that are. *Known right*: windows of these whose \
         class is right, called known or not. Mean in % over people, ten orders and the exercises left out; the ± is the standard deviation \
         over people and orders. The factor at which a distance is unknown is a constant of the library. It was chosen on windows of the same people, so that one known \
         window in ten is called unknown.",
            sets: &[SET],
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        Ok(cells(scope, ORDERS, 200, name, measure))
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let trials = trials(scope, ORDERS);
        let mut lines = Vec::new();
        if trials.is_empty() {
            return lines;
        }
        for machine in [Hand::NAME, Confidence::NAME] {
            for column in COLUMNS {
                let names = trials.iter().map(|(who, run)| name(*who, *run));
                let ours = kept.spread(names, &figure(machine, column));
                lines.push(Line::percent("", machine, column, ours));
            }
        }
        lines
    }
}

fn name(who: usize, run: u64) -> Name {
    let name = Name::new("watch-unknown").with("B", BUDGET);
    name.with("person", who + 1).with("run", run)
}

fn figure(machine: &str, column: &str) -> String {
    format!("{machine}; {column}")
}

fn measure(bench: &Bench, watch: &Watch<'_>, who: usize, run: u64) -> Result<Figures> {
    let people = person::people(bench)?;
    let mut figures = Figures::new();
    by_machine::<Hand>(&people[who], seed(who, run, 3), &mut figures)?;
    watch.done(1, 2);
    by_machine::<Confidence>(&people[who], seed(who, run, 3), &mut figures)?;
    Ok(figures)
}

fn by_machine<M: Machine>(person: &Person, order: u64, figures: &mut Figures) -> Result<()> {
    let mut sums = [0.0; COLUMNS.len()];
    for left_out in 0..CLASSES as u8 {
        let mut blocks = person.blocks(order + u64::from(left_out), 1);
        blocks.retain(|block| block.iter().all(|window| window.class != left_out));
        let mut machine = M::of(Plain::new());
        teach(&mut machine, &blocks)?;
        let is_unknown = |window: &Window| -> Result<bool> {
            Ok(machine.confidence(&window.features)?.known == Some(false))
        };
        let is_right = |window: &Window| -> Result<bool> {
            Ok(machine.predict(&window.features)? == Class(window.class))
        };
        let (unknown, known): (Vec<&Window>, Vec<&Window>) = person
            .test
            .iter()
            .partition(|window| window.class == left_out);
        let own = person.own.iter().filter(|window| window.class == left_out);
        let shares = [
            share(unknown.into_iter().chain(own), is_unknown)?,
            share(known.iter().copied(), is_unknown)?,
            share(known.iter().copied(), is_right)?,
        ];
        for (sum, share) in sums.iter_mut().zip(shares) {
            *sum += share / CLASSES as f64;
        }
    }
    let means = COLUMNS.into_iter().zip(sums);
    figures.extend(means.map(|(column, mean)| (figure(M::NAME, column), mean)));
    Ok(())
}

/// Percent of windows of which something is so.
fn share<'a>(
    windows: impl Iterator<Item = &'a Window>,
    is_so: impl Fn(&Window) -> Result<bool>,
) -> Result<f64> {
    let (mut so, mut all) = (0, 0);
    for window in windows {
        so += usize::from(is_so(window)?);
        all += 1;
    }
    Ok(100.0 * so as f64 / all.max(1) as f64)
}
