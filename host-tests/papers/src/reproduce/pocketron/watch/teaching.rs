//! Recall on a person's second half, by who taught what in which order.

use anyhow::Result;

use super::{
    BUDGET, SET, cells,
    machine::{self, Hand, Machine, Plain, recall, reported, teach},
    neighbours::Neighbours,
    person::{self, Person, Window},
    seed, trials,
};
use crate::{
    data::shuffle::permutation,
    reproduce::{
        About, Bench, Cell, Demand, Experiment, Figures, FinishedCells, Line, Name, Scope, Target,
        Unit, Watch, pocketron::few_shot::calibration_error,
    },
    spread::Spread,
};

/// Who teaches what, in which order.
pub struct Teaching;

/// Class orders of each person.
const ORDERS: u64 = 10;

const OTHERS: &str = "others only";
const SHUFFLED: &str = "own, shuffled";
const BLOCKS: &str = "own, one block a class";
const ROUNDS: &str = "own, three rounds";
const FACTORY_BLOCKS: &str = "others, then own, one block a class";
const FACTORY_ROUNDS: &str = "others, then own, three rounds";
const TAUGHT: [&str; 6] = [
    OTHERS,
    SHUFFLED,
    BLOCKS,
    ROUNDS,
    FACTORY_BLOCKS,
    FACTORY_ROUNDS,
];

/// 5-NN sees all windows at once.
const NEAREST: &str = "5-NN, all windows kept";
const OWN: &str = "own";
const BOTH: &str = "others and own";

const RECALL: &str = "recall";
const REPORTED: &str = "reported recall";
const BIAS: &str = "reported minus true";
const APART: &str = "reported from true";
const GAIN: &str = "over others only";
const PREQUENTIAL: &str = "prequential accuracy";
const ERROR: &str = "calibration error";
const BYTES: &str = "bytes";
const IMAGE: &str = "longest image";
const PERCENTAGES: [&str; 7] = [RECALL, GAIN, REPORTED, BIAS, APART, PREQUENTIAL, ERROR];

/// Figures of `Teachable` taught one block a class.
fn is_by_hand(line: &Line, column: &str) -> bool {
    let is_block = line.row == BLOCKS || line.row == FACTORY_BLOCKS;
    line.block == Hand::NAME && is_block && line.column == column
}

const TARGETS: [Target; 5] = [
    Target {
        demands: "`Teachable`, taught one block a class, fresh and pretrained, recognises at least 93 %",
        about: |line| is_by_hand(line, RECALL),
        each: Demand::AtLeast(93.0),
        percent: 100,
    },
    Target {
        demands: "That is at least 10 points more than others alone have taught it",
        about: |line| is_by_hand(line, GAIN),
        each: Demand::AtLeast(10.0),
        percent: 100,
    },
    Target {
        demands: "Its reported recall is on average at most 3 points too high",
        about: |line| is_by_hand(line, BIAS),
        each: Demand::AtMost(3.0),
        percent: 100,
    },
    Target {
        demands: "And at most 3 points too low",
        about: |line| is_by_hand(line, BIAS),
        each: Demand::AtLeast(-3.0),
        percent: 100,
    },
    Target {
        demands: "It takes at most 4096 bytes",
        about: |line| is_by_hand(line, BYTES),
        each: Demand::AtMost(4096.0),
        percent: 100,
    },
];

impl Experiment for Teaching {
    fn about(&self) -> About {
        About {
            name: "watch-teaching",
            title: "a person teaches a smartwatch seven exercises",
            remarks: "Accelerometer of ten people, windows of 2.56 seconds that overlap by half, features by `Motion<128>`. Each person is \
         left out in turn. The first half of each of the 14 recordings (seven exercises, two arms) teaches, the second half \
         tests: about 170 windows each. *Recall* is the mean over the classes in %, averaged over the people and ten orders of the \
         classes; the ± is the standard deviation over both. *One block a class*: all windows of an exercise in the order of \
         time, both arms, then the next exercise. *Three rounds*: a third of each exercise in turn. *Others*: all windows of \
         the nine others, shuffled, taught to the learner inside. `Teachable` rehearses after each block until nothing is left to \
         do; *shuffled* it does so once, at the end. `PocketronMulti` only learns. *Reported recall* is what the model says of \
         itself: on windows held out from teaching (`Teachable`), or leave-one-out on stored vectors (`PocketronMulti`). \
         *Over others only* is the difference to the first row. \
         *Reported minus true* is the mean difference to the recall, *reported from true* the mean of its absolute value: how far off a single \
         person finds it. Both over persons and orders. Empty: nothing was held out to measure it on. *Prequential accuracy*: windows that were right \
         before they were taught. The calibration error has 10 bins. 5-NN keeps all windows as `f32`, standardised on them; its \
         bytes are those of the windows. The longest image is that of `BoundedImage::MAX_BYTES`. A sample of \
         `Motion<128>` takes at most 366 instructions on a Cortex-M0 and 260 on a Cortex-M4F, the end of a window 29,898 and 1,922 \
         (`docs/signal.md`).",
            sets: &[SET],
            targets: &TARGETS,
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        Ok(cells(scope, ORDERS, 300, name, measure))
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let names = || trials(scope, ORDERS).into_iter();
        let names = || names().map(|(who, run)| name(who, run));
        let mut lines = Vec::new();
        if names().next().is_none() {
            return lines;
        }
        let mut add = |block: &str, rows: &[&str], bytes: Option<[usize; 2]>| {
            for row in rows {
                for column in PERCENTAGES {
                    // Not everybody says all of it.
                    if block == NEAREST && column != RECALL
                        || *row == OTHERS && [PREQUENTIAL, GAIN].contains(&column)
                        || *row == OTHERS && block == Hand::NAME && is_reported(column)
                        || block == Plain::NAME && column == ERROR
                    {
                        continue;
                    }
                    let ours = kept.spread(names(), &figure(block, row, column));
                    lines.push(Line::percent(block, *row, column, ours));
                }
                let sizes = match bytes {
                    Some([bytes, image]) => vec![(BYTES, fixed(bytes)), (IMAGE, fixed(image))],
                    None => vec![(BYTES, kept.spread(names(), &figure(block, row, BYTES)))],
                };
                let any = kept.spread(names(), &figure(block, row, RECALL));
                for (column, size) in sizes {
                    lines.push(Line {
                        unit: Unit::Count,
                        digits: 0,
                        ..Line::percent(block, *row, column, any.and(size))
                    });
                }
            }
        };
        add(Hand::NAME, &TAUGHT, Some(Hand::bytes()));
        add(Plain::NAME, &TAUGHT, Some(Plain::bytes()));
        add(NEAREST, &[OTHERS, OWN, BOTH], None);
        lines
    }
}

/// Whether it is about the recall that a machine reports: `Teachable` has none before a window was held out.
fn is_reported(column: &str) -> bool {
    [REPORTED, BIAS, APART].contains(&column)
}

fn fixed(bytes: usize) -> Option<Spread> {
    Some(Spread::single(bytes as f64))
}

fn name(who: usize, run: u64) -> Name {
    let name = Name::new("watch").with("B", BUDGET);
    name.with("person", who + 1).with("run", run)
}

fn figure(machine: &str, row: &str, column: &str) -> String {
    format!("{machine}; {row}; {column}")
}

fn measure(bench: &Bench, watch: &Watch<'_>, who: usize, run: u64) -> Result<Figures> {
    let people = person::people(bench)?;
    let person = &people[who];
    let others = person::others(&people, who, seed(who, run, 1));
    let mut figures = Figures::new();
    let factory = machine::factory(&others)?;
    watch.done(1, 4);
    let order = seed(who, run, 2);
    by_machine::<Hand>(person, &factory, order, &mut figures)?;
    watch.done(2, 4);
    by_machine::<Plain>(person, &factory, order, &mut figures)?;
    watch.done(3, 4);
    let both = [&others[..], &person.own].concat();
    for (row, windows) in [(OTHERS, &others), (OWN, &person.own), (BOTH, &both)] {
        let neighbours = Neighbours::of(windows);
        let recall = neighbours.recall(&person.test)?;
        figures.insert(figure(NEAREST, row, RECALL), recall);
        figures.insert(figure(NEAREST, row, BYTES), neighbours.bytes() as f64);
    }
    watch.done(4, 4);
    Ok(figures)
}

fn by_machine<M: Machine>(
    person: &Person,
    factory: &Plain,
    order: u64,
    figures: &mut Figures,
) -> Result<()> {
    let shuffled = permutation(person.own.len(), order).into_iter();
    let shuffled = vec![shuffled.map(|at| person.own[at]).collect::<Vec<_>>()];
    let others = recall(&M::of(factory.clone()), &person.test)?;
    for row in TAUGHT {
        let (blocks, begin) = match row {
            OTHERS => (Vec::new(), factory.clone()),
            SHUFFLED => (shuffled.clone(), Plain::new()),
            BLOCKS => (person.blocks(order, 1), Plain::new()),
            ROUNDS => (person.blocks(order, 3), Plain::new()),
            FACTORY_BLOCKS => (person.blocks(order, 1), factory.clone()),
            _ => (person.blocks(order, 3), factory.clone()),
        };
        let mut machine = M::of(begin);
        let prequential = teach(&mut machine, &blocks)?;
        let truth = recall(&machine, &person.test)?;
        let mut add = |column, value| figures.insert(figure(M::NAME, row, column), value);
        add(RECALL, truth);
        if let Some(reported) = reported(&machine) {
            add(REPORTED, reported);
            add(BIAS, reported - truth);
            add(APART, (reported - truth).abs());
        }
        if row != OTHERS {
            add(GAIN, truth - others);
            add(PREQUENTIAL, prequential);
        }
        if let Some(error) = calibration(&machine, &person.test)? {
            add(ERROR, error);
        }
    }
    Ok(())
}

/// The calibration error in percent, if the machine has probabilities.
fn calibration<M: Machine>(machine: &M, windows: &[Window]) -> Result<Option<f64>> {
    let mut answers = Vec::new();
    for window in windows {
        let confidence = machine.confidence(&window.features)?;
        let Some(probability) = confidence.probability else {
            return Ok(None);
        };
        let (class, _) = machine.score_classes(&window.features, &mut |_| ())?;
        answers.push((class.0 == window.class, f64::from(probability)));
    }
    let answers: Vec<_> = answers.iter().collect();
    Ok(Some(100.0 * calibration_error(&answers)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All people, one order each.
    #[test]
    fn what_is_taught_one_block_a_class_is_recognised() {
        let people = person::people(&Bench::new(None)).unwrap();
        let (mut fresh, mut pretrained, mut others) = (0.0, 0.0, 0.0);
        for (who, person) in people.iter().enumerate() {
            let factory = machine::factory(&person::others(&people, who, seed(who, 0, 1))).unwrap();
            let taught = |begin| {
                let mut machine = <Hand as Machine>::of(begin);
                teach(&mut machine, &person.blocks(seed(who, 0, 2), 1)).unwrap();
                recall(&machine, &person.test).unwrap() / people.len() as f64
            };
            fresh += taught(Plain::new());
            pretrained += taught(factory.clone());
            others += recall(&factory, &person.test).unwrap() / people.len() as f64;
        }
        assert!(fresh >= 93.0 && pretrained >= 93.0, "{fresh} {pretrained}");
        assert!(fresh.min(pretrained) >= others + 10.0, "{others}");
    }
}
