//! The tables of `docs/performance.md` and of the readme: each stands between two marks and is made of the committed
//! counts.

mod goals;
mod steps;

use super::{
    counts::{Row, Subject},
    peers::Peer,
    records::Records,
    report::CMSIS,
};
use crate::{row, table::Table, workspace};
use anyhow::{Context, Result};
use std::fs;

const PAGES: [(&str, &[(&str, Content)]); 2] =
    [("docs/performance.md", &TABLES), ("README.md", &[TIMES])];
const END: &str = "<!-- end of counts -->";

const CORES: [&str; 3] = ["M4F", "M3", "M0"];
const FEATURES: [usize; 4] = [4, 16, 64, 256];

/// Puts the committed counts into the pages.
pub fn write() -> Result<()> {
    let records = Records::read()?;
    for (name, tables) in PAGES {
        let path = workspace::root().join(name);
        let page = fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
        let page = records
            .put_into(&page, tables)
            .with_context(|| format!("in {name}"))?;
        fs::write(&path, page).with_context(|| format!("cannot write {name}"))?;
    }
    Ok(())
}

type Lines = Vec<Vec<String>>;
/// Made of the counts, and of what else is on the page.
type Content = fn(&Records, &str) -> Lines;

/// Tables by the names in their marks.
const COSTS: (&str, Content) = ("costs", |records, _| records.costs());
const TIMES: (&str, Content) = ("times", |records, _| records.times());
const TABLES: [(&str, Content); 9] = [
    COSTS,
    ("goals", Records::goals),
    ("floating point", |records, _| records.floating_point()),
    ("fixed point", |records, _| records.fixed_point()),
    ("learning", |records, _| records.learning()),
    ("beside AIfES", |records, _| records.beside_aifes()),
    ("raw features", |records, _| records.raw_features()),
    ("default learner", |records, _| records.default_learner()),
    ("default learner by size", |records, _| {
        records.default_by_size()
    }),
];

impl Records {
    fn put_into(&self, page: &str, tables: &[(&str, Content)]) -> Result<String> {
        let mut page = page.to_string();
        for (name, content) in tables {
            let mark = format!("<!-- counts: {name} -->\n");
            let missing = || format!("there is no table between `{}` and `{END}`", mark.trim());
            let start = page.find(&mark).with_context(missing)? + mark.len();
            let length = page[start..].find(END).with_context(missing)?;
            let table = Table::from(content(self, &page)).markdown();
            page.replace_range(start..start + length, &table);
        }
        Ok(page)
    }

    fn row(
        &self,
        core: &str,
        format: &str,
        learner: &str,
        features: usize,
        budget: usize,
    ) -> Option<&Row> {
        self.ours.iter().find(|row| {
            let Subject { kernel, .. } = &row.subject;
            row.core == core
                && row.subject.format == format
                && row.subject.learner == learner
                && ["gaussian", "relevance", "primal"].contains(&kernel.as_str())
                && (row.subject.features, row.subject.budget) == (features, budget)
        })
    }

    /// Instructions of a prediction with 100 vectors; all policies predict alike.
    fn predict(&self, core: &str, format: &str, features: usize) -> Option<u64> {
        self.row(core, format, "stoptron", features, 100)?.counts[0]
    }

    /// Modelled cycles of the same on a Cortex-M4F.
    fn predict_cycles(&self, format: &str, features: usize) -> Option<u64> {
        let wanted = &self.row("M4F", format, "stoptron", features, 100)?.subject;
        let found = self.cycles.iter().find(|cycles| cycles.subject == *wanted);
        found?.counts[0]
    }

    fn cmsis(&self, core: &str, flags: &str, features: usize) -> Option<&Peer> {
        self.peers.iter().find(|peer| {
            (peer.core.as_str(), peer.name.as_str(), peer.flags.as_str()) == (core, CMSIS, flags)
                && peer.kernel == "gaussian"
                && (peer.features, peer.vectors) == (features, 100)
        })
    }

    fn floating_point(&self) -> Lines {
        let ours = |d| self.predict("M4F", "f32", d);
        let cycles = |d| self.predict_cycles("f32", d);
        let line = |name: &str, cell: &dyn Fn(usize) -> String| line(name, FEATURES.map(cell));
        let mut lines = vec![line("", &|d| format!("D={d}"))];
        lines.push(line("instructions", &|d| count(ours(d))));
        for (flags, in_bold) in [("-O3", true), ("-O3 -funroll-loops", false)] {
            let peer = |d| self.cmsis("M4F", flags, d);
            let instructions = |d| peer(d).map(|peer| peer.instructions);
            lines.push(line(&format!("CMSIS-DSP `{flags}`"), &|d| {
                count(instructions(d))
            }));
            let name = if in_bold { "**ratio**" } else { "ratio" };
            lines.push(line(name, &|d| {
                let ratio = ratio(ours(d), instructions(d));
                if in_bold { bold(&ratio) } else { ratio }
            }));
        }
        lines.push(line("modelled cycles", &|d| count(cycles(d))));
        for flags in ["-O3", "-O3 -funroll-loops"] {
            let theirs = |d| self.cmsis("M4F", flags, d)?.cycles;
            lines.push(line(&format!("ratio of cycles, `{flags}`"), &|d| {
                ratio(cycles(d), theirs(d))
            }));
        }
        lines
    }

    fn fixed_point(&self) -> Lines {
        let mut lines = vec![row!["", "", "D=4", "D=16", "D=64", "D=256"]];
        for core in CORES {
            for format in ["i8", "i16"] {
                let ours = |d| self.predict(core, format, d);
                let peer = |d| self.cmsis(core, "-O3", d);
                let theirs = |d| peer(d).map(|peer| peer.instructions);
                let own = [core.to_string(), format!("`{format}`")];
                lines.push([&own[..], &FEATURES.map(|d| count(ours(d)))].concat());
                let share = |d| match core {
                    "M4F" => ratio(ours(d), theirs(d)),
                    _ => fraction(ours(d), theirs(d)),
                };
                let of = row!["", "of CMSIS-DSP `-O3`"];
                lines.push([&of[..], &FEATURES.map(share)].concat());
                if core == "M4F" {
                    let share = |d| {
                        ratio(
                            self.predict_cycles(format, d),
                            peer(d).and_then(|peer| peer.cycles),
                        )
                    };
                    let of = row!["", "of its modelled cycles"];
                    lines.push([&of[..], &FEATURES.map(share)].concat());
                }
            }
        }
        lines
    }

    fn learning(&self) -> Lines {
        let mut lines = vec![row![
            "learner, Gaussian",
            "RAM",
            "flash M4F",
            "",
            "stack",
            "predict",
            "pass",
            "store",
            "update when full: mean",
            "worst"
        ]];
        for (name, learner, budget) in [
            ("Stoptron", "stoptron", 20),
            ("Forgetron", "forgetron", 20),
            ("Tightest", "tightest", 20),
            ("Tightest with a Gram cache", "tightest-cached", 20),
            ("merging", "merging", 20),
            ("primal perceptron", "perceptron", 0),
        ] {
            lines.extend(self.on_each_core(name, learner, budget));
        }
        lines
    }

    fn on_each_core(&self, name: &str, learner: &str, budget: usize) -> Lines {
        let line = |core: &str| {
            let row = self.row(core, "f32", learner, 16, budget)?;
            let mut line = match core {
                "M4F" => row![name, count(Some(row.ram)), count(Some(row.flash))],
                _ => row!["", "", ""],
            };
            line.extend(row![core, count(Some(row.stack))]);
            line.extend(row.counts.map(count));
            Some(line)
        };
        CORES.into_iter().filter_map(line).collect()
    }

    /// Costs of the default learners on a fast core and on a slow one: bytes, instructions and milliseconds.
    fn costs(&self) -> Lines {
        let mut lines = vec![row![
            "learner",
            "RAM in bytes",
            "flash, M4F / M0",
            "stack, M4F / M0",
            "instructions to predict, M4F / M0",
            "to learn: mean, M4F / M0",
            "predict, M4F at 64 MHz",
            "learn: mean, worst",
            "predict, M0 at 16 MHz",
            "learn: mean, worst"
        ]];
        for (code, learner, features, budget) in DEFAULTS {
            let cores = [("M4F", 64), ("M0", 16)].map(|(core, clock)| {
                self.row(core, "i8", learner, features, budget)
                    .map(|row| (row, clock))
            });
            let [Some(fast), Some(slow)] = cores else {
                continue;
            };
            let on_both = |of: fn(&Row) -> Option<u64>| {
                let [fast, slow] = [fast, slow].map(|(row, _)| count(of(row)));
                format!("{fast} / {slow}")
            };
            let mut line = row![
                format!("`{code}`"),
                count(Some(fast.0.ram)),
                on_both(|row| Some(row.flash)),
                on_both(|row| Some(row.stack)),
                on_both(|row| row.counts[0]),
                on_both(|row| row.counts[3])
            ];
            for (row, clock) in [fast, slow] {
                let [predict, _, store, mean, worst] = row.counts;
                // The example that takes the last slot may cost more than one for which there is none.
                let [predict, mean, worst] =
                    [predict, mean, store.max(worst)].map(|count| milliseconds(count, clock));
                line.extend([predict, format!("{mean}, {worst}")]);
            }
            lines.push(line);
        }
        lines
    }

    /// The same in short.
    fn times(&self) -> Lines {
        let mut lines = vec![row![
            "learner",
            "bytes",
            "predict, M4F / M0",
            "learn, M4F / M0"
        ]];
        for (code, learner, features, budget) in DEFAULTS {
            let row = |core| self.row(core, "i8", learner, features, budget);
            if let (Some(fast), Some(slow)) = (row("M4F"), row("M0")) {
                let times = [0, 3].map(|place| {
                    let [fast, slow] = [(fast, 64), (slow, 16)]
                        .map(|(row, clock)| milliseconds(row.counts[place], clock));
                    format!("{fast}/{slow}").replace(' ', "\u{a0}")
                });
                let [predict, learn] = times;
                lines.push(row![
                    format!("`{code}`"),
                    count(Some(fast.ram)),
                    predict,
                    learn
                ]);
            }
        }
        lines
    }

    fn default_learner(&self) -> Lines {
        let mut lines = vec![row![
            "",
            "RAM",
            "accuracy, Letter",
            "Pendigits",
            "",
            "predict",
            "pass",
            "store",
            "update: mean",
            "worst",
            "an example of Letter",
            "of Pendigits",
            "flash",
            "stack"
        ]];
        for Seen {
            budget,
            accuracies,
            updates,
        } in SEEN
        {
            for core in CORES {
                let Some(row) = self.row(core, "i8", "pocketron", 16, budget) else {
                    continue;
                };
                let mut line = match core {
                    "M4F" => row![
                        format!("`Pocketron<16, {budget}>`"),
                        count(Some(row.ram)),
                        format!("{:.1} %", accuracies[0]),
                        format!("{:.1} %", accuracies[1])
                    ],
                    _ => row!["", "", "", ""],
                };
                let [predict, pass, store, mean, worst] = row.counts;
                line.push(core.into());
                line.extend([predict, pass, store, mean, worst].map(count));
                for updates in updates {
                    let example = pass.zip(mean).map(|(pass, mean)| {
                        (pass as f64 + updates / 100.0 * (mean as f64 - pass as f64)).round() as u64
                    });
                    line.push(count(example));
                }
                line.extend([row.flash, row.stack].map(|size| count(Some(size))));
                lines.push(line);
            }
        }
        lines
    }

    fn default_by_size(&self) -> Lines {
        let mut lines = vec![row![
            "predict / update: mean",
            "D=4",
            "D=16",
            "D=64",
            "D=256"
        ]];
        for core in CORES {
            for budget in [20, 100] {
                let cell = |features| match self.row(core, "i8", "pocketron", features, budget) {
                    Some(row) => format!("{} / {}", count(row.counts[0]), count(row.counts[3])),
                    None => count(None),
                };
                lines.push(line(
                    &format!("{core}, {budget} vectors"),
                    FEATURES.map(cell),
                ));
            }
        }
        lines
    }
}

/// Default learners as a program writes them, and as the counts name them.
const DEFAULTS: [(&str, &str, usize, usize); 5] = [
    ("Pocketron<4, 20>", "pocketron", 4, 20),
    ("Pocketron<16, 100>", "pocketron", 16, 100),
    ("PocketronRare<16, 100>", "pocketron-rare", 16, 100),
    ("PocketronMulti<12, 24, 5>", "pocketron-5", 12, 24),
    ("PocketronMulti<16, 100, 10>", "pocketron-10", 16, 100),
];

/// Milliseconds at this many megahertz, one instruction a cycle.
fn milliseconds(instructions: Option<u64>, megahertz: u64) -> String {
    instructions.map_or("-".into(), |instructions| {
        let milliseconds = instructions as f64 / (1000 * megahertz) as f64;
        format!("{milliseconds:.2} ms")
    })
}

/// Results of the default learner on Letter and Pendigits.
struct Seen {
    budget: usize,
    /// `cargo pocketron evaluate --learner pocketron --budget B` with `--data letter --train 16000`, the last thirteen
    /// letters positive, and with both parts of Pendigits, 3, 6, 8, 9 and 0 positive; mean of ten orders.
    accuracies: [f64; 2],
    /// Examples of a pass that are updates, in per cent: `cargo pocketron trace` on the training part.
    updates: [f64; 2],
}

const SEEN: [Seen; 2] = [
    Seen {
        budget: 20,
        accuracies: [82.1, 98.9],
        updates: [43.1, 10.7],
    },
    Seen {
        budget: 100,
        accuracies: [91.0, 99.2],
        updates: [30.2, 6.2],
    },
];

fn line(name: &str, cells: [String; FEATURES.len()]) -> Vec<String> {
    [&[name.to_string()][..], &cells].concat()
}

/// With a comma before every third digit from the right.
fn count(count: Option<u64>) -> String {
    let Some(count) = count else {
        return "-".into();
    };
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn ratio(ours: Option<u64>, theirs: Option<u64>) -> String {
    let ratio = ours
        .zip(theirs)
        .map(|(ours, theirs)| ours as f64 / theirs as f64);
    ratio.map_or("-".into(), |ratio| format!("{ratio:.3}"))
}

/// For what is far below one.
fn fraction(ours: Option<u64>, theirs: Option<u64>) -> String {
    let times = ours
        .zip(theirs)
        .map(|(ours, theirs)| theirs as f64 / ours as f64);
    times.map_or("-".into(), |times| format!("1/{times:.1}"))
}

fn bold(text: &str) -> String {
    format!("**{text}**")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_show_the_committed_counts() {
        let records = Records::read().unwrap();
        for (name, tables) in PAGES {
            let page = fs::read_to_string(workspace::root().join(name)).unwrap();
            assert!(
                records.put_into(&page, tables).unwrap() == page,
                "`cargo xtask bench device --bless` writes the tables of {name} anew"
            );
            assert!(records.put_into("no tables", tables).is_err());
        }
    }

    #[test]
    fn large_counts_can_be_read() {
        let shown = [7, 123, 1234, 123_456, 1_234_567].map(|it| count(Some(it)));
        assert_eq!(shown, ["7", "123", "1,234", "123,456", "1,234,567"]);
        assert_eq!(fraction(Some(10), Some(361)), "1/36.1");
    }
}
