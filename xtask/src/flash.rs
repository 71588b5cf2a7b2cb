//! Flash of bare programs: a model, `learn` and `predict`, and nothing printed.
//!
//! The programs are those of `host-tests/on-target/src/flash`. Each is linked alone, for speed and for size, with and
//! without a floating-point unit, and the flash of the runtime alone is taken off: what is left is the cost of the learner.

use crate::{
    board::{self, Board},
    image, process,
    programs::ON_TARGET,
    row,
    sizes::drifts,
    table::Table,
    toolchain::Toolchain,
    workspace,
};
use anyhow::{Context, Result, bail, ensure};
use std::{collections::BTreeMap, fs, path::PathBuf};

/// The programs after the runtime, and what they are in tables.
static PROGRAMS: [(&str, &str); 8] = [
    ("flash_perceptron", "`LinearPerceptron<3>`"),
    ("flash_stoptron", "`Stoptron<3, 40>`, `f32`"),
    ("flash_pocketron", "`Pocketron<3, 40>`"),
    ("flash_rare", "`PocketronRare<3, 40>`"),
    ("flash_multi", "`PocketronMulti<3, 40, 4>`"),
    ("flash_normal", "`Normal<3, 40>`"),
    ("flash_two", "`PocketronMulti<3, 40, 4>` and `<5, 60, 6>`"),
    (
        "flash_gesture",
        "`PocketronMulti<12, 24, 5>`, rehearsal, store",
    ),
];
const RUNTIME: &str = "flash_runtime";

static BOARDS: [&Board; 2] = [&board::M4F, &board::M0];

/// Goals of the optimiser.
const LEVELS: [&str; 2] = ["3", "s"];

const HEADER: &str = "program,target,opt-level,flash";

/// Bytes of flash beyond the runtime, by program, target and opt-level.
type Sizes = BTreeMap<(String, String, String), u32>;

/// Measures all programs, and compares with the committed sizes or records them.
pub fn check(bless: bool) -> Result<()> {
    let toolchain = Toolchain::find()?;
    let measured = measure(toolchain)?;
    print!("{}", shown(&measured));
    let compiler = toolchain.describe()?;
    if bless {
        let lines = measured.iter().map(|((program, target, level), flash)| {
            format!("{program},{target},{level},{flash}\n")
        });
        let text = format!("# {compiler}\n{HEADER}\n{}", lines.collect::<String>());
        fs::write(path(), text).with_context(|| path().display().to_string())?;
        return document(&measured);
    }
    let text =
        fs::read_to_string(path()).context("`cargo xtask size --bless` records flash.csv")?;
    let (recorded, committed) = parse(&text)?;
    let differences = differences(&committed, &measured);
    if differences.is_empty() {
        println!("flash of {} programs as expected", measured.len());
    } else if recorded == compiler {
        let list = differences.join("\n  ");
        bail!(
            "flash differs from flash.csv:\n  {list}\nif that is meant: `cargo xtask size --bless`"
        );
    } else {
        println!("flash not judged: recorded with {recorded}, built with {compiler}");
    }
    Ok(())
}

fn path() -> PathBuf {
    ON_TARGET.expected().join("flash.csv")
}

fn measure(toolchain: Toolchain) -> Result<Sizes> {
    let names = PROGRAMS.map(|(name, _)| name);
    let mut sizes = Sizes::new();
    for level in LEVELS {
        // The folder of the proofs that nothing panics, which has the library for this level.
        let folder = match level {
            "3" => toolchain.target_dir(),
            level => toolchain.target_dir().join(format!("opt-level-{level}")),
        };
        let mut cargo = toolchain.cargo_for(&BOARDS.map(|board| board.target), &folder, "build");
        if level != "3" {
            cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level);
        }
        cargo.args(["--quiet", "--release"]);
        process::run(ON_TARGET.select(&mut cargo, &[&names[..], &[RUNTIME]].concat()))?;
        for board in BOARDS {
            let flash = |name: &str| -> Result<u32> {
                let image = folder.join(board.target).join("release").join(name);
                Ok(image::footprint(&image)?.flash)
            };
            let runtime = flash(RUNTIME)?;
            for name in names {
                let key = (name.into(), board.target.into(), level.into());
                sizes.insert(key, flash(name)?.saturating_sub(runtime));
            }
        }
    }
    Ok(sizes)
}

fn shown(sizes: &Sizes) -> String {
    let mut rows = vec![row![
        "flash beyond the runtime",
        "M4F, 3",
        "M4F, s",
        "M0, 3",
        "M0, s"
    ]];
    for (name, title) in PROGRAMS {
        rows.push([row![title.replace('`', "")], cells(sizes, name)].concat());
    }
    Table::from(rows).to_string()
}

/// Page with the table, and the comments around it.
const PAGE: &str = "docs/performance.md";
const MARKS: [&str; 2] = ["<!-- flash -->\n", "<!-- end of flash -->"];

/// Writes the table into the page.
fn document(sizes: &Sizes) -> Result<()> {
    let page = workspace::root().join(PAGE);
    let text = fs::read_to_string(&page).context(PAGE)?;
    let [start, end] = MARKS;
    let (before, rest) = text.split_once(start).context("no place for the table")?;
    let (_, after) = rest.split_once(end).context("no end of the table")?;
    let text = format!("{before}{start}{}{end}{after}", markdown(sizes));
    fs::write(&page, text).context(PAGE)
}

fn markdown(sizes: &Sizes) -> String {
    let mut text = String::from(
        "| program | M4F, `3` | M4F, `\"s\"` | M0, `3` | M0, `\"s\"` |\n|---|---|---|---|---|\n",
    );
    for (name, title) in PROGRAMS {
        let cells = cells(sizes, name).join(" | ");
        text += &format!("| {title} | {cells} |\n");
    }
    text
}

/// Sizes of a program on each board at each level.
fn cells(sizes: &Sizes, name: &str) -> Vec<String> {
    let keys = BOARDS
        .iter()
        .flat_map(|board| LEVELS.map(|level| (board.target, level)));
    let size = |(target, level): (&str, &str)| {
        let key = (name.to_string(), target.to_string(), level.to_string());
        sizes.get(&key).map_or("-".into(), u32::to_string)
    };
    keys.map(size).collect()
}

/// The compiler and the sizes.
fn parse(text: &str) -> Result<(String, Sizes)> {
    let mut lines = text.lines();
    let compiler = lines.next().and_then(|line| line.strip_prefix("# "));
    let compiler = compiler.context("flash.csv does not begin with its compiler")?;
    ensure!(
        lines.next() == Some(HEADER),
        "flash.csv has not the columns {HEADER}"
    );
    let mut sizes = Sizes::new();
    for line in lines {
        let [program, target, level, flash] = line.split(',').collect::<Vec<_>>()[..] else {
            bail!("flash.csv has a line without four columns: {line}");
        };
        let key = (program.into(), target.into(), level.into());
        sizes.insert(key, flash.parse().with_context(|| line.to_string())?);
    }
    Ok((compiler.into(), sizes))
}

/// What was not measured, was not recorded or has changed by more than noise.
fn differences(committed: &Sizes, measured: &Sizes) -> Vec<String> {
    let keys = committed
        .keys()
        .chain(measured.keys().filter(|key| !committed.contains_key(*key)));
    let different = keys.filter_map(|key| {
        let (program, target, level) = key;
        let name = format!("{program} on {target} at {level}");
        match (committed.get(key), measured.get(key)) {
            (Some(old), Some(new)) => drifts(*old, *new).then(|| format!("{name}: {old} -> {new}")),
            (Some(_), None) => Some(format!("{name}: not built")),
            (None, _) => Some(format!("{name}: not recorded")),
        }
    });
    different.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(flash: u32) -> Sizes {
        BTreeMap::from([(("a".into(), "thumbv6m".into(), "s".into()), flash)])
    }

    #[test]
    fn a_program_that_grows_shrinks_or_vanishes_is_named() {
        assert!(differences(&sizes(10_000), &sizes(10_200)).is_empty());
        for other in [10_400, 9_600] {
            let named = differences(&sizes(10_000), &sizes(other));
            assert_eq!(named, [format!("a on thumbv6m at s: 10000 -> {other}")]);
        }
        assert_eq!(differences(&sizes(1), &Sizes::new()).len(), 1);
        assert_eq!(differences(&Sizes::new(), &sizes(1)).len(), 1);
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let text = format!("# rustc\n{HEADER}\na,thumbv6m,s,12\n");
        assert_eq!(parse(&text).unwrap(), ("rustc".to_string(), sizes(12)));
        assert!(parse("# rustc\na,b,c,1\n").is_err());
    }
}
