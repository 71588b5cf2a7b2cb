//! Every example prints the same text on the host and on all boards.

use crate::{
    board::{self, Board},
    firmware, image,
    painted::{self, Run},
    panic_free, parallel, parity, process,
    programs::{self, HOMES, Home},
    qemu,
    sizes::{self, Size},
    toolchain::Toolchain,
    workspace,
};
use anyhow::{Context, Result, bail, ensure};
use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

/// Checks outputs and sizes, or records them.
pub fn check(bless: bool) -> Result<()> {
    let toolchain = Toolchain::find()?;
    let names = names()?;
    if !bless {
        no_stale_outputs(&names)?;
    }
    let printed = on_host(&shown(&names))?;
    for (name, text) in shown(&names).iter().zip(&printed) {
        settle(name, text, bless)?;
    }
    let verdict = if bless { "recorded" } else { "as expected" };
    println!("host: {} examples {verdict}", printed.len());
    let measured = parallel::each(&board::CORTEX_M, |board| {
        let sizes = on_board(toolchain, board, &names, &printed)?;
        println!("{}: the same text", board.core_name);
        Ok(sizes)
    })?;
    same_text_on_riscv(toolchain, &shown(&names), &printed)?;
    let mut measured = measured.concat();
    by_example(&mut measured);
    measured.extend(firmware::sizes()?);
    if bless {
        sizes::record(toolchain, &measured)
    } else {
        sizes::judge(toolchain, &measured)
    }
}

/// Sizes of every example on every board, and of the firmware.
pub fn measure(toolchain: Toolchain) -> Result<Vec<Size>> {
    let names = names()?;
    let mut measured = Vec::new();
    for board in board::CORTEX_M {
        measured.extend(build(toolchain, board, &names)?);
    }
    by_example(&mut measured);
    measured.extend(firmware::sizes()?);
    Ok(measured)
}

/// The sort is stable: within an example the boards keep their order.
fn by_example(sizes: &mut [Size]) {
    sizes.sort_by(|a, b| a.example.cmp(&b.example));
}

/// Those whose text is compared here; the others print hashes, which `cargo xtask parity` compares.
fn shown(names: &[String]) -> Vec<&str> {
    let names = names.iter().map(String::as_str);
    names
        .filter(|name| !parity::EXAMPLES.contains(name))
        .collect()
}

/// Outputs of programs on the host, as optimised as on the device.
pub fn on_host(names: &[&str]) -> Result<Vec<String>> {
    let cargo = |subcommand: &str| {
        let mut cargo = workspace::cargo(subcommand);
        cargo.args(["--quiet", "--profile", "host"]);
        cargo
    };
    for (home, names) in programs::by_home(names) {
        process::run(home.select(&mut cargo("build"), &names))?;
    }
    let text = |name: &&str| process::capture(Home::of(name).select(&mut cargo("run"), &[name]));
    names.iter().map(text).collect()
}

fn output(name: &str) -> PathBuf {
    let folder = Home::of(name).expected();
    folder.join(name).with_extension("out")
}

/// The committed output of a program.
pub fn expected(name: &str) -> Result<String> {
    let path = output(name);
    let text = fs::read_to_string(&path).with_context(|| {
        let path = path.display();
        format!("cannot read {path}; `cargo xtask examples --bless` records it")
    })?;
    Ok(text.replace("\r\n", "\n"))
}

/// Makes `text` the committed output of a program.
pub fn record(name: &str, text: &str) -> Result<()> {
    let path = output(name);
    fs::create_dir_all(path.with_file_name(""))?;
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn settle(name: &str, text: &str, bless: bool) -> Result<()> {
    if bless {
        return record(name, text);
    }
    match first_difference(&expected(name)?, text) {
        None => Ok(()),
        Some(difference) => bail!(
            "example {name} on the host differs from the committed {name}.out\n{difference}\n\
             if the change is meant: `cargo xtask examples --bless`"
        ),
    }
}

fn on_board(
    toolchain: Toolchain,
    board: &'static Board,
    names: &[String],
    on_host: &[String],
) -> Result<Vec<Size>> {
    let sizes = build(toolchain, board, names)?;
    for name in names {
        let image = toolchain.image(name, board);
        nothing_initialised(name, board, image::initialised(&image)?)?;
    }
    for (name, on_host) in shown(names).iter().zip(on_host) {
        let size = sizes.iter().find(|size| size.example == *name);
        let bound = &size.context("an example without a size")?.stack;
        let Run { text, stack } =
            painted::run(board, &toolchain.image(name, board), bound.place.clone())
                .with_context(|| format!("example {name} on the {}", board.core_name))?;
        within(name, board, stack, bound.bytes)?;
        same_text(name, board, on_host, &text)?;
    }
    Ok(sizes)
}

/// The core whose sizes and depths of stack are not measured.
fn same_text_on_riscv(toolchain: Toolchain, names: &[&str], on_host: &[String]) -> Result<()> {
    let board = &board::RV32;
    qemu::build(toolchain, board, names)?;
    for (name, on_host) in names.iter().zip(on_host) {
        let text = qemu::output(board, &toolchain.image(name, board))?;
        same_text(name, board, on_host, &text)?;
    }
    println!("{}: the same text", board.core_name);
    Ok(())
}

fn same_text(name: &str, board: &Board, on_host: &str, text: &str) -> Result<()> {
    if let Some(difference) = first_difference(on_host, text) {
        let core = board.core_name;
        bail!("example {name} prints something else on the {core} than on the host\n{difference}");
    }
    Ok(())
}

/// The code says how deep the stack can be: if it was deeper, the code was read wrongly.
fn within(name: &str, board: &Board, measured: u32, bound: u32) -> Result<()> {
    let core = board.core_name;
    println!("{core}: {name} used {measured} bytes of stack, of at most {bound}");
    ensure!(
        measured <= bound,
        "example {name} used {measured} bytes of stack on the {core}, but its code says at most {bound}"
    );
    Ok(())
}

/// A blank model in a static is all zeros and costs no flash; one byte of it that is not would
/// move all of it to `.data`, whose initial values lie in flash as well.
fn nothing_initialised(name: &str, board: &Board, bytes: u32) -> Result<()> {
    if bytes > 0 {
        let target = board.target;
        bail!(
            "example {name} has {bytes} bytes of variables with an initial value on {target}: \
             .data must be empty, so a static has to begin as all zeros (`BLANK`)"
        );
    }
    Ok(())
}

fn build(toolchain: Toolchain, board: &'static Board, names: &[String]) -> Result<Vec<Size>> {
    let examples: Vec<&str> = names.iter().map(String::as_str).collect();
    qemu::build(toolchain, board, &examples)?;
    let size = |name: &&str| Size::of(name, board, &toolchain.image(name, board));
    examples.iter().map(size).collect()
}

/// Programs that run everywhere, in alphabetical order.
fn names() -> Result<Vec<String>> {
    let mut names = BTreeSet::new();
    for home in HOMES {
        names.extend(stems(&home.sources(), "rs")?);
    }
    for name in panic_free::examples() {
        names.remove(name);
    }
    if names.is_empty() {
        bail!("there is no example to check");
    }
    Ok(names.into_iter().collect())
}

/// An output without its program would look checked and be nothing.
fn no_stale_outputs(names: &[String]) -> Result<()> {
    for home in HOMES {
        let folder = home.expected();
        let outputs = stems(&folder, "out")?;
        let of_home =
            |name: &String| names.contains(name) && Home::of(name).package == home.package;
        let stale: Vec<_> = outputs
            .into_iter()
            .filter(|output| !of_home(output))
            .collect();
        if !stale.is_empty() {
            let (stale, folder) = (stale.join(", "), folder.display());
            bail!("{folder} holds outputs of programs that do not exist: {stale}");
        }
    }
    Ok(())
}

fn stems(folder: &Path, extension: &str) -> Result<BTreeSet<String>> {
    let mut stems = BTreeSet::new();
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.extension() == Some(OsStr::new(extension)) {
            stems.extend(path.file_stem().map(|stem| stem.to_string_lossy().into()));
        }
    }
    Ok(stems)
}

/// The first line in which two texts differ, both versions.
fn first_difference(expected: &str, actual: &str) -> Option<String> {
    if expected == actual {
        return None;
    }
    let (mut left, mut right) = (expected.split('\n'), actual.split('\n'));
    let mut number = 1;
    loop {
        let (l, r) = (left.next(), right.next());
        if l != r || l.is_none() {
            let side = |line: Option<&str>| line.map_or("(no such line)".into(), str::to_string);
            let (l, r) = (side(l), side(r));
            return Some(format!("line {number}\n  expected  {l}\n  printed   {r}"));
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_do_not_differ() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
    }

    #[test]
    fn the_first_differing_line_is_shown_with_its_number() {
        let difference = first_difference("a\nb\nc\n", "a\nx\ny\n").unwrap();
        assert_eq!(difference, "line 2\n  expected  b\n  printed   x");
    }

    #[test]
    fn a_single_initialised_byte_is_refused_by_name() {
        assert!(nothing_initialised("static", &board::M0, 0).is_ok());
        let error = nothing_initialised("static", &board::M0, 1).unwrap_err();
        let error = error.to_string();
        let named = error.contains("example static") && error.contains(board::M0.target);
        assert!(named, "{error}");
    }

    #[test]
    fn a_missing_end_is_a_difference() {
        assert!(first_difference("a\nb\n", "a\n").is_some());
        assert!(first_difference("a\n", "a").is_some());
        assert!(first_difference("", "a").is_some());
    }
}
