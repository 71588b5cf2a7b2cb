//! How long a person has to teach.

use anyhow::Result;

use super::{
    BUDGET, SET, cells,
    machine::{self, Hand, Machine, Plain, recall, teach},
    neighbours::Neighbours,
    person::{self, CLASSES, Person, Window},
    seed, trials,
};
use crate::{
    data::shuffle::permutation,
    plot::{Axis, Trend},
    reproduce::{
        About, Bench, Cell, Experiment, Figures, FinishedCells, Line, Name, Pictures, Scope, Unit,
        Watch,
    },
};

/// Recall against seconds of teaching.
pub struct Minutes;

/// Class orders of each person.
const ORDERS: u64 = 10;

/// Windows of a class that are taught at most.
const WINDOWS: [usize; 7] = [1, 2, 4, 8, 14, 20, 28];

const NEAREST: &str = "5-NN, all windows kept";
const METHODS: [&str; 3] = [Hand::NAME, Plain::NAME, NEAREST];
const FRESH: &str = "fresh";
const FACTORY: &str = "pretrained";
const SECONDS: &str = "seconds an exercise";

impl Experiment for Minutes {
    fn about(&self) -> About {
        About {
            name: "watch-minutes",
            title: "how long a person has to teach a smartwatch",
            remarks: "As `watch-teaching`, one block a class, but of each exercise only the first windows are taught, half of them of either \
         arm. *Seconds an exercise*: the samples behind them; seven exercises take seven times that. People did an exercise for 9 to 26 \
         seconds with each arm in the first half, so the last columns have fewer windows than they say. *Pretrained*: \
         the nine others have taught the learner all their windows before; 5-NN keeps them all.",
            sets: &[SET],
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        Ok(cells(scope, ORDERS, 300, name, measure))
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let trials = trials(scope, ORDERS);
        let mut lines = Vec::new();
        if trials.is_empty() {
            return lines;
        }
        let mut add = |block: &str, row: &str, unit| {
            for windows in WINDOWS {
                let names = trials.iter().map(|(who, run)| name(*who, *run));
                let ours = kept.spread(names, &figure(block, row, windows));
                let column = format!("{windows} windows");
                lines.push(Line {
                    unit,
                    ..Line::percent(block, row, column, ours)
                });
            }
        };
        add("", SECONDS, Unit::Value);
        for begin in [FRESH, FACTORY] {
            for method in METHODS {
                add(begin, method, Unit::Percent);
            }
        }
        lines
    }

    fn pictures(&self, scope: &Scope, kept: &FinishedCells, to: &mut Pictures<'_>) -> Result<()> {
        let trials = trials(scope, ORDERS);
        let mean = |block: &str, row: &str, windows| {
            let names = trials.iter().map(|(who, run)| name(*who, *run));
            Some(kept.spread(names, &figure(block, row, windows))?.mean)
        };
        let mut drawn = Vec::new();
        for (colour, method) in METHODS.into_iter().enumerate() {
            for (begin, dashed) in [(FRESH, false), (FACTORY, true)] {
                let point = |windows| {
                    let seconds = mean("", SECONDS, windows)?;
                    Some((seconds, mean(begin, method, windows)?, 0.0))
                };
                let method = method.split(['<', ',']).next().unwrap_or(method);
                drawn.push(Trend {
                    name: format!("{method}, {begin}"),
                    colour,
                    dashed,
                    points: WINDOWS.into_iter().filter_map(point).collect(),
                });
            }
        }
        if drawn.iter().any(|trend| trend.points.is_empty()) {
            return Ok(());
        }
        let axes = [
            Axis::logarithmic("seconds of teaching an exercise"),
            Axis::even("mean recall (%)"),
        ];
        let title = "Smartwatch: seven exercises, taught in one block each";
        to.lines(
            "watch-minutes",
            "recall by seconds of teaching: ",
            title,
            axes,
            &drawn,
        )
    }
}

fn name(who: usize, run: u64) -> Name {
    let name = Name::new("watch-minutes").with("B", BUDGET);
    name.with("person", who + 1).with("run", run)
}

fn figure(begin: &str, row: &str, windows: usize) -> String {
    format!("{begin}; {row}; {windows}")
}

fn measure(bench: &Bench, watch: &Watch<'_>, who: usize, run: u64) -> Result<Figures> {
    let people = person::people(bench)?;
    let person = &people[who];
    let others = person::others(&people, who, seed(who, run, 1));
    let factory = machine::factory(&others)?;
    let mut figures = Figures::new();
    for (number, windows) in WINDOWS.into_iter().enumerate() {
        let order = permutation(CLASSES, seed(who, run, 2)).into_iter();
        let (blocks, seconds): (Vec<_>, Vec<_>) = order
            .map(|class| person.first(class as u8, windows))
            .unzip();
        let seconds = seconds.iter().sum::<f64>() / CLASSES as f64;
        figures.insert(figure("", SECONDS, windows), seconds);
        let own = blocks.concat();
        let both = [&others[..], &own].concat();
        let begins = [
            (FRESH, Plain::new(), &own),
            (FACTORY, factory.clone(), &both),
        ];
        for (begin, model, kept) in begins {
            let recalls = [
                taught::<Hand>(model.clone(), &blocks, person)?,
                taught::<Plain>(model, &blocks, person)?,
                Neighbours::of(kept).recall(&person.test)?,
            ];
            let recalls = METHODS.into_iter().zip(recalls);
            figures
                .extend(recalls.map(|(method, recall)| (figure(begin, method, windows), recall)));
        }
        watch.done(number + 1, WINDOWS.len());
    }
    Ok(figures)
}

/// Recall of a machine that was taught blocks.
fn taught<M: Machine>(begin: Plain, blocks: &[Vec<Window>], person: &Person) -> Result<f64> {
    let mut machine = M::of(begin);
    teach(&mut machine, blocks)?;
    recall(&machine, &person.test)
}
