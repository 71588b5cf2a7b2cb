//! The cost of a sample in the front ends, on all cores, and the page that says so.

use super::{CORES, LIMIT, baseline, counting, machine, records};
use crate::{process, programs::ON_TARGET, row, table::Table, toolchain::Toolchain, workspace};
use anyhow::{Context, Result, bail};
use std::fs;

const PROGRAM: &str = "bench_signal";
const NAME: &str = "signal";
const HEADER: &str = "core,front end,features,ram,mean,worst,window,score";
/// The columns behind core, name, features and RAM that may move a little.
const COUNTS: [&str; 3] = ["sample: mean", "sample: worst", "window"];

/// The most that a sample may cost the front end for motion on a Cortex-M0, unless it ends a window.
const MOST: u64 = 800;
const MOTION: &str = "Motion<128>";

const PAGE: &str = "docs/signal.md";
const MARKS: [&str; 2] = ["<!-- counts: signal -->\n", "<!-- end of counts -->"];

/// A front end on a core.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    core: String,
    name: String,
    /// Features and bytes.
    size: [u64; 2],
    counts: [u64; COUNTS.len()],
    /// Bits of the sum of all features.
    score: String,
}

impl Line {
    fn parse(text: &str) -> Result<Self> {
        let cells: Vec<&str> = text.split(',').collect();
        let [core, name, features, ram, mean, worst, window, score] = cells[..] else {
            bail!("not the columns {HEADER}: {text}");
        };
        let number = |cell: &str| cell.parse().with_context(|| format!("no number in {text}"));
        Ok(Line {
            core: core.into(),
            name: name.into(),
            size: [number(features)?, number(ram)?],
            counts: [number(mean)?, number(worst)?, number(window)?],
            score: score.into(),
        })
    }

    fn text(&self) -> String {
        let ([features, ram], [mean, worst, window]) = (self.size, self.counts);
        let Line {
            core, name, score, ..
        } = self;
        format!("{core},{name},{features},{ram},{mean},{worst},{window},{score}\n")
    }
}

/// Counts, and compares with what is committed, or makes it the committed.
pub fn check(toolchain: Toolchain, bless: bool) -> Result<()> {
    let measured = count(toolchain)?;
    bounded(&measured)?;
    let compiler = toolchain.describe()?;
    if bless {
        let lines: String = measured.iter().map(Line::text).collect();
        records::write(NAME, &format!("# {compiler}\n{HEADER}\n{lines}"))?;
        return write_page(&measured);
    }
    let text = records::read(NAME)?;
    let (recorded, committed) = parse(&text)?;
    let differences = differences(&committed, &measured);
    let found = differences.len();
    print!("{}", Table::from(differences));
    match found {
        0 => println!("{NAME}: {} counts as expected", measured.len()),
        _ if recorded != compiler => {
            println!("not judged: recorded with {recorded}, built with {compiler}");
        }
        many => bail!(
            "{many} counts of front ends differ; if that is meant: `cargo xtask bench signal --bless`"
        ),
    }
    Ok(())
}

fn count(toolchain: Toolchain) -> Result<Vec<Line>> {
    let mut lines: Vec<Line> = Vec::new();
    for core in CORES {
        let mut cargo = toolchain.cargo("build", core);
        cargo.env("POCKETRON_BOARD", machine(core));
        cargo.args(["--quiet", "--release"]);
        process::run(ON_TARGET.select(&mut cargo, &[PROGRAM]))?;
        let image = toolchain.image(PROGRAM, core);
        let text = process::capture_within(&mut counting(core, &image), LIMIT)?;
        for line in text.lines() {
            lines.push(Line::parse(&format!("{},{line}", core.core))?);
        }
    }
    Ok(lines)
}

/// Every core computes the same bits, and a sample costs no more than was promised.
fn bounded(lines: &[Line]) -> Result<()> {
    for line in lines {
        let twin = lines.iter().find(|other| other.name == line.name);
        if twin.is_some_and(|twin| twin.score != line.score) {
            bail!("{}: other bits on {}", line.name, line.core);
        }
    }
    let motion = lines
        .iter()
        .find(|line| line.core == "M0" && line.name == MOTION);
    let [_, worst, _] = motion.context("no count of motion on an M0")?.counts;
    if worst > MOST {
        bail!("a sample of {MOTION} costs up to {worst} instructions on an M0, more than {MOST}");
    }
    Ok(())
}

fn parse(text: &str) -> Result<(&str, Vec<Line>)> {
    let mut lines = text.lines();
    let compiler = lines.next().and_then(|line| line.strip_prefix("# "));
    let compiler = compiler.context("the counts do not begin with their compiler")?;
    if lines.next() != Some(HEADER) {
        bail!("the counts do not have the columns {HEADER}");
    }
    Ok((compiler, lines.map(Line::parse).collect::<Result<_>>()?))
}

fn differences(committed: &[Line], measured: &[Line]) -> Vec<Vec<String>> {
    let same = |a: &Line, b: &Line| (&a.core, &a.name) == (&b.core, &b.name);
    let mut rows = Vec::new();
    for new in measured {
        let Some(old) = committed.iter().find(|old| same(old, new)) else {
            rows.push(row!["✗", new.core, new.name, "is not recorded"]);
            continue;
        };
        if (old.size, &old.score) != (new.size, &new.score) {
            rows.push(row!["✗", new.core, new.name, "another size, or other bits"]);
        }
        for (column, (old, count)) in COUNTS.iter().zip(old.counts.iter().zip(new.counts)) {
            if baseline::drifts(Some(*old), Some(count)) {
                let change = format!("{column} {old} -> {count}");
                rows.push(row!["✗", new.core, new.name, change]);
            }
        }
    }
    let gone = committed
        .iter()
        .filter(|old| !measured.iter().any(|new| same(old, new)));
    rows.extend(gone.map(|old| row!["✗", old.core, old.name, "was not counted"]));
    rows
}

/// Puts the table into the page.
fn write_page(lines: &[Line]) -> Result<()> {
    let mut rows = vec![row![
        "front end",
        "features",
        "RAM on an M4F",
        "a sample on average, M0 / M4F",
        "at most, M0 / M4F",
        "the end of a window, M0 / M4F",
    ]];
    let of = |core: &str, name: &str| {
        let line = lines
            .iter()
            .find(|line| line.core == core && line.name == name);
        line.with_context(|| format!("no count of {name} on {core}"))
    };
    for line in lines.iter().filter(|line| line.core == "M4F") {
        let (name, [features, ram]) = (&line.name, line.size);
        let small = of("M0", name)?;
        let name = if name.contains('<') {
            format!("`{name}`")
        } else {
            name.clone()
        };
        let mut row = row![name, features, thousands(ram)];
        let counts = small.counts.iter().zip(line.counts);
        row.extend(counts.map(|(m0, m4f)| format!("{} / {}", thousands(*m0), thousands(m4f))));
        rows.push(row);
    }
    let path = workspace::root().join(PAGE);
    let mut page = fs::read_to_string(&path).with_context(|| format!("cannot read {PAGE}"))?;
    let start = page
        .find(MARKS[0])
        .context("the page has no place for the table")?
        + MARKS[0].len();
    let length = page[start..]
        .find(MARKS[1])
        .context("the table of the page has no end")?;
    page.replace_range(start..start + length, &Table::from(rows).markdown());
    fs::write(&path, page).with_context(|| format!("cannot write {PAGE}"))
}

fn thousands(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        1000..1_000_000 => format!("{},{:03}", number / 1000, number % 1000),
        _ => format!(
            "{},{:03},{:03}",
            number / 1_000_000,
            number / 1000 % 1000,
            number % 1000
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> Vec<Line> {
        let text = [
            "M4F,Motion<128>,27,528,150,300,4000,476eefd5",
            "M0,Motion<128>,27,528,322,521,47996,476eefd5",
        ];
        text.map(|text| Line::parse(text).unwrap()).into()
    }

    #[test]
    fn counts_that_move_are_found() {
        let committed = lines();
        let mut measured = lines();
        measured[1].counts[1] += 16;
        assert!(differences(&committed, &measured).is_empty());
        measured[1].counts[1] += 1;
        measured[0].score = "0".into();
        assert_eq!(differences(&committed, &measured).len(), 2);
        assert_eq!(differences(&committed, &measured[..1]).len(), 2);
        assert!(bounded(&measured).is_err(), "other bits");
    }

    #[test]
    fn a_sample_has_a_limit() {
        let mut measured = lines();
        assert!(bounded(&measured).is_ok());
        measured[1].counts[1] = MOST + 1;
        assert!(bounded(&measured).is_err());
    }
}
