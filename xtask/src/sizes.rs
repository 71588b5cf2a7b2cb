//! Sizes of the examples and the firmware, held against the committed ones.

use crate::{
    board::Board,
    examples,
    image::{self, Footprint},
    programs::ON_TARGET,
    row,
    stack::{self, Bound},
    table::Table,
    toolchain::Toolchain,
};
use anyhow::{Context, Result, bail};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Below this a change is noise: an alignment, a longer path in a message.
const SLACK_BYTES: u32 = 64;
const SLACK_PERCENT: u32 = 3;

const HEADER: &str = "example,target,flash,ram,stack";

/// Size of one example on one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    pub example: String,
    pub target: String,
    pub footprint: Footprint,
    /// The deepest stack.
    pub stack: Bound,
}

impl Size {
    /// Measures an image.
    pub fn of(example: &str, board: &Board, image: &Path) -> Result<Self> {
        let size = || -> Result<Self> {
            Ok(Size {
                example: example.into(),
                target: board.target.into(),
                footprint: image::footprint(image)?,
                stack: stack::bound(board, image)?,
            })
        };
        size().with_context(|| format!("size of {}", image.display()))
    }
}

/// Contents of `sizes.csv`.
///
/// The compiler belongs to it: another one makes other code, and `core` built
/// from source is optimised together with the program (12 % less flash).
#[derive(Debug, PartialEq, Eq)]
struct Record {
    compiler: String,
    sizes: Vec<Size>,
}

/// Prints the present sizes beside the committed ones, and on demand the functions that leave a stack open.
pub fn print(circles: bool) -> Result<()> {
    let toolchain = Toolchain::find()?;
    println!(
        "building every example for every board, and the firmware: minutes the first time ..."
    );
    let measured = examples::measure(toolchain)?;
    let committed = match fs::read_to_string(path()) {
        Ok(text) => parse(&text)?.sizes,
        Err(_) => Vec::new(),
    };
    println!("bytes; {}", toolchain.describe()?);
    print!("{}", compare(&committed, &measured).table());
    println!("\n{}", explained(&measured, circles));
    Ok(())
}

/// Explanation of the columns, and the programs of which the stack is a bound.
fn explained(measured: &[Size], circles: bool) -> String {
    let mut open: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut bounded = BTreeSet::new();
    for size in measured {
        let names = size.stack.circles.iter().flatten().map(String::as_str);
        let mut names = names.peekable();
        if names.peek().is_some() {
            open.entry(&size.example).or_default().extend(names);
        } else {
            bounded.insert(size.example.as_str());
        }
    }
    bounded.retain(|example| !open.contains_key(example));
    let bounded: Vec<_> = bounded.into_iter().collect();
    let mut text = String::from(
        "RAM is that of statics; a model that `main` owns, as in most examples, lies in the stack.\n",
    );
    if !bounded.is_empty() {
        text += &format!("The stack is a strict bound in {}.\n", bounded.join(", "));
    }
    if open.is_empty() {
        return text;
    }
    text += "Others call by pointer, mostly to print: what may so call itself again counts once, and the stack may in \
             theory be deeper. Functions of that kind";
    text += if circles {
        ":\n"
    } else {
        " (--circles names them):\n"
    };
    for (example, names) in open {
        text += &format!("  {example}: {}\n", names.len());
        for name in names.into_iter().filter(|_| circles) {
            text += &format!("    {name}\n");
        }
    }
    text
}

/// Makes the present sizes the committed ones.
pub fn record(toolchain: Toolchain, measured: &[Size]) -> Result<()> {
    let record = Record {
        compiler: toolchain.describe()?,
        sizes: measured.to_vec(),
    };
    fs::write(path(), record.text()).with_context(|| format!("cannot write {}", path().display()))
}

/// Fails if an example is not recorded or a recorded one is gone, and on a drift, unless another
/// compiler explains it.
pub fn judge(toolchain: Toolchain, measured: &[Size]) -> Result<()> {
    let text = fs::read_to_string(path()).with_context(|| {
        let path = path().display().to_string();
        format!("cannot read {path}; `cargo xtask examples --bless` records it")
    })?;
    let record = parse(&text)?;
    let comparison = compare(&record.sizes, measured);
    if !comparison.holds() {
        print!("{}", comparison.table());
    }
    let verdict = comparison.judge(&record.compiler, &toolchain.describe()?)?;
    println!("{verdict}");
    Ok(())
}

fn path() -> PathBuf {
    ON_TARGET.expected().join("sizes.csv")
}

impl Record {
    fn text(&self) -> String {
        let mut text = format!("# {}\n{HEADER}\n", self.compiler);
        for size in &self.sizes {
            let Footprint { flash, ram } = size.footprint;
            let Bound { bytes, .. } = size.stack;
            text += &format!("{},{},{flash},{ram},{bytes}\n", size.example, size.target);
        }
        text
    }
}

fn parse(text: &str) -> Result<Record> {
    let mut lines = text.lines();
    let compiler = lines.next().and_then(|line| line.strip_prefix("# "));
    let compiler = compiler.context("sizes.csv does not begin with its compiler")?;
    if lines.next() != Some(HEADER) {
        bail!("sizes.csv does not have the columns {HEADER}");
    }
    let size = |line: &str| {
        let [example, target, flash, ram, stack] = line.split(',').collect::<Vec<_>>()[..] else {
            bail!("sizes.csv has a line without five columns: {line}");
        };
        let number = |text: &str| {
            text.parse()
                .with_context(|| format!("in sizes.csv: {line}"))
        };
        Ok(Size {
            example: example.into(),
            target: target.into(),
            footprint: Footprint {
                flash: number(flash)?,
                ram: number(ram)?,
            },
            stack: Bound {
                bytes: number(stack)?,
                ..Bound::default()
            },
        })
    };
    Ok(Record {
        compiler: compiler.into(),
        sizes: lines.map(size).collect::<Result<_>>()?,
    })
}

/// Committed and measured size of each example and target that either knows.
struct Comparison<'a> {
    pairs: Vec<(Option<&'a Size>, Option<&'a Size>)>,
}

fn compare<'a>(committed: &'a [Size], measured: &'a [Size]) -> Comparison<'a> {
    let same = |a: &Size, b: &Size| a.example == b.example && a.target == b.target;
    let now = measured.iter().map(|new| {
        let old = committed.iter().find(|old| same(old, new));
        (old, Some(new))
    });
    let gone = committed
        .iter()
        .filter(|old| !measured.iter().any(|new| same(old, new)));
    let pairs = now.chain(gone.map(|old| (Some(old), None))).collect();
    Comparison { pairs }
}

impl Comparison<'_> {
    /// Message about sizes that pass.
    fn judge(&self, recorded: &str, compiler: &str) -> Result<String> {
        let bless = "if the change is meant: `cargo xtask examples --bless`";
        if !self.complete() {
            bail!("the recorded sizes belong to other examples; {bless}");
        }
        if self.holds() {
            return Ok(format!("sizes: {} as expected", self.pairs.len()));
        }
        if compiler == recorded {
            bail!("sizes drift by more than {SLACK_PERCENT} % and {SLACK_BYTES} bytes; {bless}");
        }
        Ok(format!(
            "drift not judged: recorded with {recorded}, built with {compiler}"
        ))
    }

    /// Whether everything measured is recorded and everything recorded was measured.
    fn complete(&self) -> bool {
        self.pairs
            .iter()
            .all(|(old, new)| old.is_some() && new.is_some())
    }

    fn holds(&self) -> bool {
        self.pairs
            .iter()
            .all(|(old, new)| verdict(*old, *new).is_none())
    }

    fn table(&self) -> String {
        let mut rows = vec![row![
            "example", "target", "flash", "was", "RAM", "was", "stack", "was", ""
        ]];
        for (old, new) in &self.pairs {
            let Some(named) = new.or(*old) else { continue };
            let cell = |size: &Option<&Size>, part: fn(&Size) -> u32| {
                size.map_or("-".into(), |size| part(size).to_string())
            };
            rows.push(row![
                named.example,
                named.target,
                cell(new, |size| size.footprint.flash),
                cell(old, |size| size.footprint.flash),
                cell(new, |size| size.footprint.ram),
                cell(old, |size| size.footprint.ram),
                cell(new, |size| size.stack.bytes),
                cell(old, |size| size.stack.bytes),
                verdict(*old, *new).unwrap_or_default(),
            ]);
        }
        Table::from(rows).to_string()
    }
}

/// Difference of a pair, if any.
fn verdict(old: Option<&Size>, new: Option<&Size>) -> Option<String> {
    match (old, new) {
        (Some(old), Some(new)) => {
            let parts = [
                ("flash", old.footprint.flash, new.footprint.flash),
                ("RAM", old.footprint.ram, new.footprint.ram),
                ("stack", old.stack.bytes, new.stack.bytes),
            ];
            let parts = parts.iter().filter(|(_, old, new)| drifts(*old, *new));
            let parts: Vec<_> = parts
                .map(|(what, old, new)| percent(what, *old, *new))
                .collect();
            (!parts.is_empty()).then(|| format!("✗ {}", parts.join(", ")))
        }
        (None, Some(_)) => Some("✗ not recorded".into()),
        (Some(_), None) => Some("✗ recorded but not built".into()),
        (None, None) => None,
    }
}

/// Whether a size has changed by more than noise.
pub fn drifts(old: u32, new: u32) -> bool {
    // In u64: a percentage of 4 GiB does not fit u32.
    let share = u64::from(old) * u64::from(SLACK_PERCENT) / 100;
    u64::from(old.abs_diff(new)) > share.max(u64::from(SLACK_BYTES))
}

fn percent(what: &str, old: u32, new: u32) -> String {
    let change = 100.0 * (f64::from(new) / f64::from(old.max(1)) - 1.0);
    format!("{what} {change:+.1} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(example: &str, flash: u32, ram: u32) -> Size {
        Size {
            example: example.into(),
            target: "thumbv6m-none-eabi".into(),
            footprint: Footprint { flash, ram },
            stack: Bound::default(),
        }
    }

    #[test]
    fn drift_beyond_three_per_cent_is_seen_in_both_directions() {
        assert!(!drifts(10_000, 10_300));
        assert!(drifts(10_000, 10_301));
        assert!(!drifts(10_000, 9_700));
        assert!(drifts(10_000, 9_699));
    }

    #[test]
    fn tiny_images_may_move_by_sixty_four_bytes() {
        assert!(!drifts(0, 64));
        assert!(drifts(0, 65));
        assert!(!drifts(100, 36));
    }

    #[test]
    fn the_largest_sizes_do_not_overflow() {
        assert!(drifts(u32::MAX, 0));
        assert!(!drifts(u32::MAX, u32::MAX));
    }

    #[test]
    fn ram_alone_can_fail_the_comparison() {
        let (old, new) = ([size("a", 9000, 100)], [size("a", 9000, 200)]);
        let comparison = compare(&old, &new);
        assert!(!comparison.holds());
        assert!(comparison.table().contains("✗ RAM +100.0 %"));
    }

    #[test]
    fn only_programs_without_circles_have_a_bound() {
        let mut sizes = [size("a", 1, 1), size("b", 1, 1), size("b", 2, 1)];
        sizes[2].stack.circles = vec![vec!["f".into(), "g".into()]];
        let text = explained(&sizes, false);
        assert!(text.contains("a strict bound in a.\n"), "{text}");
        assert!(text.ends_with("  b: 2\n"), "{text}");
        assert!(explained(&sizes, true).ends_with("  b: 2\n    f\n    g\n"));
        assert!(!explained(&sizes[1..], false).contains("strict bound"));
        assert!(!explained(&sizes[..2], false).contains("by pointer"));
    }

    #[test]
    fn a_deeper_stack_fails_the_comparison() {
        let old = [size("a", 9000, 100)];
        let mut new = old.clone();
        new[0].stack.bytes = 65;
        let table = compare(&old, &new).table();
        assert!(table.contains("✗ stack"), "{table}");
    }

    #[test]
    fn examples_that_appear_or_vanish_fail_the_comparison() {
        assert!(!compare(&[], &[size("a", 1, 1)]).holds());
        assert!(!compare(&[size("a", 1, 1)], &[]).holds());
        assert!(compare(&[size("a", 1, 1)], &[size("a", 1, 1)]).holds());
    }

    #[test]
    fn another_compiler_explains_a_drift_but_no_missing_example() {
        let (small, large) = ([size("a", 9000, 100)], [size("a", 9900, 100)]);
        let both = [size("a", 9000, 100), size("b", 9000, 100)];
        let judge =
            |old: &[Size], new: &[Size], compiler| compare(old, new).judge("ours", compiler);
        assert!(
            judge(&small, &small, "ours")
                .unwrap()
                .contains("1 as expected")
        );
        assert!(judge(&small, &large, "ours").is_err());
        assert!(
            judge(&small, &large, "other")
                .unwrap()
                .contains("not judged")
        );
        for compiler in ["ours", "other"] {
            assert!(judge(&small, &both, compiler).is_err(), "not recorded");
            assert!(judge(&both, &small, compiler).is_err(), "not built");
            assert!(judge(&[], &[], compiler).is_ok());
        }
    }

    #[test]
    fn a_record_survives_being_written_and_read() {
        let record = Record {
            compiler: "rustc 1.95.0, prebuilt core".into(),
            sizes: vec![size("a", 12_345, 678), size("b", 9, 0)],
        };
        assert_eq!(parse(&record.text()).unwrap(), record);
        assert!(parse("# rustc\nexample,target,flash,ram,stack\na,b,1\n").is_err());
    }
}
