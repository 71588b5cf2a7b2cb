//! The public API of the library, an item a line, as rustdoc knows it.

use crate::{process, snapshot::Snapshot, workspace};
use anyhow::{Context, Result, bail};
use public_api::{Builder, PublicApi};
use std::{
    collections::{BTreeSet, HashSet},
    fs,
    path::Path,
};

const LIST: Snapshot = Snapshot {
    file: "host-tests/expected/public-api.txt",
    what: "items of the public API",
    bless: "cargo xtask api --bless",
};

/// The format of rustdoc's JSON that `public-api` reads. Rust 1.95 writes it; it is not stable yet.
const FORMAT: &str = "57";

/// Compares the list of items with the committed one, or records it.
pub fn check(bless: bool) -> Result<()> {
    // Apart: build scripts are run anew whenever this variable changes.
    let folder = workspace::target_dir().join("public-api");
    let mut rustdoc = workspace::cargo("rustdoc");
    rustdoc.env("RUSTC_BOOTSTRAP", "1").arg("--target-dir");
    rustdoc.arg(&folder).args(["--quiet", "--lib"]);
    rustdoc.args(["--package", "pocketron"]);
    rustdoc.args([
        "--features",
        "device,micromath,defmt,spectrum,hal-async",
        "--",
    ]);
    process::run(rustdoc.args(["-Zunstable-options", "--output-format=json"]))?;
    let json = folder.join("doc/pocketron.json");
    let format = format_of(&json)?;
    if format == FORMAT {
        return LIST.compare(&items(&json)?, bless);
    }
    let difference = format!(
        "this rustdoc writes JSON of format {format}, and the list is made from format {FORMAT} (Rust 1.95)"
    );
    if bless {
        bail!("{difference}");
    }
    println!("skipped: {difference}");
    Ok(())
}

fn format_of(json: &Path) -> Result<String> {
    let text =
        fs::read_to_string(json).with_context(|| format!("cannot read {}", json.display()))?;
    let (_, version) = text
        .rsplit_once("\"format_version\":")
        .context("rustdoc's JSON has no version")?;
    Ok(version.chars().take_while(char::is_ascii_digit).collect())
}

fn items(json: &Path) -> Result<Vec<String>> {
    let builder = Builder::from_rustdoc_json(json).sorted(true);
    let builder = builder.omit_blanket_impls(true).omit_auto_trait_impls(true);
    Ok(lines(&builder.build()?))
}

/// An item a line, re-exports once. What a trait asks for is listed with the trait, not with each implementation.
fn lines(api: &PublicApi) -> Vec<String> {
    let items: Vec<_> = api.items().map(|item| (item, item.to_string())).collect();
    let implementations: HashSet<_> = items
        .iter()
        .filter(|(_, text)| text.starts_with("impl") && text.contains(" for "))
        .map(|(item, _)| item.id())
        .collect();
    let mut seen = BTreeSet::new();
    items
        .into_iter()
        .filter(|(item, _)| {
            let parent = item.parent_id();
            parent.is_none_or(|parent| !implementations.contains(&parent))
        })
        .map(|(_, text)| text)
        // The compiler's note about a derived `PartialEq`.
        .filter(|text| !text.contains("::StructuralPartialEq for "))
        .filter(|text| seen.insert(text.clone()))
        .collect()
}
