//! An exercise that nobody has taught: is it called unknown?

use anyhow::Result;
use pocketron::{label::Class, wrap::confidence::Confident};

use super::{
    BUDGET, SET, cells,
    machine::{Hand, Machine, Plain, teach},
    person::{self, CLASSES, Person, Window},
    seed, trials,
};
use crate::{
    reproduce::{
        About, Bench, Cell, Demand, Experiment, Figures, FinishedCells, Line, Name, Scope, Target,
        Watch,
    },
    spread::Spread,
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

/// Factors beside that of the library, 1.95, in hundredths.
const FACTORS: [u16; 17] = [
    155, 160, 165, 170, 175, 180, 185, 190, 195, 200, 205, 210, 215, 220, 225, 230, 235,
];
/// Those of them that stand in the table.
const SHOWN: [u16; 5] = [175, 185, 195, 205, 215];
const BY_FACTOR: &str = "by the factor";
const BY_OTHERS: &str = "chosen on the nine others";
/// Known windows that may be called unknown, in percent.
const MOST_FALSE: f64 = 10.0;

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
         window in ten is called unknown; *by the factor* shows its neighbours. *Chosen on the nine others*: of 17 factors from 1.55 to 2.35 the \
         smallest with which the other people have at most 10 % of their known windows called unknown.",
            sets: &[SET],
            targets: &[
                Target {
                    demands: "`Teachable` calls at least 80 % of the windows of an unknown exercise unknown",
                    about: |line| {
                        line.block.is_empty() && line.row == Hand::NAME && line.column == FOUND
                    },
                    each: Demand::AtLeast(80.0),
                    percent: 100,
                },
                Target {
                    demands: "And at most 10 % of those that it knows",
                    about: |line| {
                        line.block.is_empty() && line.row == Hand::NAME && line.column == FALSE
                    },
                    each: Demand::AtMost(MOST_FALSE),
                    percent: 100,
                },
            ],
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
        for factor in SHOWN {
            for column in [FOUND, FALSE] {
                let names = trials.iter().map(|(who, run)| name(*who, *run));
                let ours = kept.spread(names, &by_factor(factor, column));
                lines.push(Line::percent(BY_FACTOR, in_words(factor), column, ours));
            }
        }
        for column in [FOUND, FALSE] {
            let ours = chosen_on_others(&trials, kept, column);
            lines.push(Line::percent(BY_FACTOR, BY_OTHERS, column, ours));
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

fn by_factor(factor: u16, column: &str) -> String {
    format!("factor {}; {column}", in_words(factor))
}

fn in_words(factor: u16) -> String {
    format!("{:.2}", f64::from(factor) / 100.0)
}

/// A figure of each person with the factor that the others would have chosen; nothing while cells are missing.
fn chosen_on_others(trials: &[(usize, u64)], kept: &FinishedCells, column: &str) -> Option<Spread> {
    let mut figures = Vec::new();
    for (who, run) in trials {
        let others = || trials.iter().filter(|(other, _)| other != who);
        let is_enough = |factor: &u16| {
            let names = others().map(|(other, run)| name(*other, *run));
            let called = kept.spread(names, &by_factor(*factor, FALSE));
            called.is_some_and(|called| called.mean <= MOST_FALSE)
        };
        let factor = FACTORS.into_iter().find(is_enough)?;
        figures.push(kept.figure(&name(*who, *run), &by_factor(factor, column))?);
    }
    Spread::over(figures.into_iter())
}

fn measure(bench: &Bench, watch: &Watch<'_>, who: usize, run: u64) -> Result<Figures> {
    let people = person::people(bench)?;
    let mut figures = Figures::new();
    by_machine::<Hand>(&people[who], seed(who, run, 3), &mut figures)?;
    watch.done(1, 3);
    with_factors(&people[who], seed(who, run, 3), &mut figures)?;
    watch.done(2, 3);
    by_machine::<Confidence>(&people[who], seed(who, run, 3), &mut figures)?;
    Ok(figures)
}

fn by_machine<M: Machine>(person: &Person, order: u64, figures: &mut Figures) -> Result<()> {
    let mut sums = [0.0; COLUMNS.len()];
    for left_out in 0..CLASSES as u8 {
        let machine: M = taught_without(left_out, person, order)?;
        let is_unknown = |window: &Window| -> Result<bool> {
            Ok(machine.confidence(&window.features)?.known == Some(false))
        };
        let is_right = |window: &Window| -> Result<bool> {
            Ok(machine.predict(&window.features)? == Class(window.class))
        };
        let shares = [
            share(unknown(left_out, person), is_unknown)?,
            share(known(left_out, person), is_unknown)?,
            share(known(left_out, person), is_right)?,
        ];
        for (sum, share) in sums.iter_mut().zip(shares) {
            *sum += share / CLASSES as f64;
        }
    }
    let means = COLUMNS.into_iter().zip(sums);
    figures.extend(means.map(|(column, mean)| (figure(M::NAME, column), mean)));
    Ok(())
}

/// The same for `Teachable` with each of the factors.
fn with_factors(person: &Person, order: u64, figures: &mut Figures) -> Result<()> {
    for left_out in 0..CLASSES as u8 {
        let machine: Hand = taught_without(left_out, person, order)?;
        for factor in FACTORS {
            let limit = f32::from(factor) / 100.0;
            let is_unknown = |window: &Window| -> Result<bool> {
                let distance = machine.learner().distance(&window.features)?;
                Ok(distance.is_some_and(|distance| distance > limit))
            };
            let shares = [
                (FOUND, share(unknown(left_out, person), is_unknown)?),
                (FALSE, share(known(left_out, person), is_unknown)?),
            ];
            for (column, share) in shares {
                let sum = figures.entry(by_factor(factor, column)).or_default();
                *sum += share / CLASSES as f64;
            }
        }
    }
    Ok(())
}

/// A machine that was taught all exercises but one.
fn taught_without<M: Machine>(left_out: u8, person: &Person, order: u64) -> Result<M> {
    let mut blocks = person.blocks(order + u64::from(left_out), 1);
    blocks.retain(|block| block.iter().all(|window| window.class != left_out));
    let mut machine = M::of(Plain::new());
    teach(&mut machine, &blocks)?;
    Ok(machine)
}

/// Windows of the exercise left out.
fn unknown(left_out: u8, person: &Person) -> impl Iterator<Item = &Window> {
    let windows = person.test.iter().chain(&person.own);
    windows.filter(move |window| window.class == left_out)
}

/// Windows of the second half of the others.
fn known(left_out: u8, person: &Person) -> impl Iterator<Item = &Window> {
    let windows = person.test.iter();
    windows.filter(move |window| window.class != left_out)
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
