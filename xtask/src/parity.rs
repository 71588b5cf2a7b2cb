//! The same bits on the host, on every board and in WebAssembly.
//!
//! The programs `parity`, `parity_family`, `parity_formats`, `parity_default`, `parity_wrapped`, `parity_classes`,
//! `parity_batch`, `parity_shapes` and `parity_signal` print one line per learner or front end: its name and a hash over every bit that it computes in a run.

use crate::{
    board, examples, parallel, process, programs::ON_TARGET, qemu, row, table::Table,
    toolchain::Toolchain, wasm,
};
use anyhow::{Context, Result, bail};

/// Several programs, since one with everything is too large for the smallest board.
pub const EXAMPLES: [&str; 9] = [
    "parity",
    "parity_family",
    "parity_formats",
    "parity_default",
    "parity_wrapped",
    "parity_classes",
    "parity_batch",
    "parity_shapes",
    "parity_signal",
];

/// Compares all platforms with the committed hashes, or records those of the host.
pub fn check(bless: bool) -> Result<()> {
    let toolchain = Toolchain::find()?;
    let texts = examples::on_host(&EXAMPLES)?;
    let mut columns = vec![Column::new(host(), &texts.concat())?];
    columns.extend(parallel::each(&board::ALL, |board| {
        qemu::build(toolchain, board, &EXAMPLES)?;
        let mut text = String::new();
        for name in EXAMPLES {
            text += &qemu::output(board, &toolchain.image(name, board))?;
        }
        Column::new(board.core, &text)
    })?);
    columns.push(checked(toolchain)?);
    columns.push(web_assembly(toolchain)?);
    let mut committed = Hashes::new();
    for (name, text) in EXAMPLES.iter().zip(&texts) {
        committed.extend(if bless {
            hashes(text)?
        } else {
            hashes(&examples::expected(name)?)?
        });
    }
    let parity = Parity { committed, columns };
    print!("{}", parity.table());
    let differing = parity.differing();
    if !differing.is_empty() {
        bail!("the bits differ on {}", differing.join(", "));
    }
    if bless {
        for (name, text) in EXAMPLES.iter().zip(&texts) {
            examples::record(name, text)?;
        }
    }
    Ok(())
}

/// All of it once more on one board, with overflow checks and debug assertions: what would wrap silently in a release panics there.
///
/// It says what the release build leaves open: that none of these runs relies on wrapping, in the library or in `core`'s
/// generic code. Built for a short build, not for speed.
fn checked(toolchain: Toolchain) -> Result<Column> {
    let board = &board::M4F;
    let folder = toolchain.target_dir().join("checked");
    let mut cargo = toolchain.cargo_for(&[board.target], &folder, "build");
    cargo
        .args(["--quiet", "--release"])
        .env("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true")
        .env("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "true")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0");
    process::run(ON_TARGET.select(&mut cargo, &EXAMPLES))?;
    let mut text = String::new();
    for name in EXAMPLES {
        let image = folder.join(format!("{}/release/{name}", board.target));
        text += &qemu::output(board, &image).context("with overflow checks")?;
    }
    Column::new("M4F, checked", &text)
}

fn web_assembly(toolchain: Toolchain) -> Result<Column> {
    wasm::build(toolchain, &EXAMPLES)?;
    let texts = EXAMPLES.map(|name| wasm::output(toolchain, name));
    let texts: Vec<String> = texts.into_iter().collect::<Result<_>>()?;
    Column::new(wasm::NAME, &texts.concat())
}

/// The host's column heading, in the spelling of the documentation.
fn host() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "x86-64",
        other => other,
    }
}

/// Policy and hash, in the order printed.
type Hashes = Vec<(String, String)>;

/// Output of one platform.
struct Column {
    platform: &'static str,
    hashes: Hashes,
}

impl Column {
    fn new(platform: &'static str, text: &str) -> Result<Self> {
        let hashes = hashes(text).with_context(|| format!("on {platform}"))?;
        Ok(Column { platform, hashes })
    }
}

fn hashes(text: &str) -> Result<Hashes> {
    let hash = |line: &str| {
        let (policy, hash) = line.rsplit_once(' ').unwrap_or_default();
        let sound = hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        if policy.is_empty() || !sound {
            bail!("not a policy and a hash of 16 hexadecimal digits: {line:?}");
        }
        Ok((policy.trim_end().to_string(), hash.to_string()))
    };
    let hashes: Hashes = text.lines().map(hash).collect::<Result<_>>()?;
    if hashes.is_empty() {
        bail!("there is no hash at all");
    }
    Ok(hashes)
}

struct Parity {
    committed: Hashes,
    columns: Vec<Column>,
}

impl Parity {
    /// Platforms that do not print exactly the committed lines.
    fn differing(&self) -> Vec<&'static str> {
        let differing = self
            .columns
            .iter()
            .filter(|column| column.hashes != self.committed);
        differing.map(|column| column.platform).collect()
    }

    /// The committed hash once, then a tick or the differing hash per platform.
    fn table(&self) -> String {
        let mut heading = row!["policy", "committed"];
        heading.extend(
            self.columns
                .iter()
                .map(|column| column.platform.to_string()),
        );
        let mut rows = vec![heading];
        for policy in self.policies() {
            let committed = find(&self.committed, policy);
            let mut row = row![policy, committed.unwrap_or("-")];
            for column in &self.columns {
                row.push(match find(&column.hashes, policy) {
                    same if same == committed => "✓".into(),
                    Some(hash) => format!("✗ {hash}"),
                    None => "✗ missing".into(),
                });
            }
            rows.push(row);
        }
        Table::from(rows).to_string()
    }

    /// The committed ones, then those that only some platform knows.
    fn policies(&self) -> Vec<&str> {
        let mut policies: Vec<&str> = Vec::new();
        let lists = self.columns.iter().map(|column| &column.hashes);
        for (policy, _) in std::iter::once(&self.committed).chain(lists).flatten() {
            if !policies.contains(&policy.as_str()) {
                policies.push(policy);
            }
        }
        policies
    }
}

fn find<'a>(hashes: &'a Hashes, policy: &str) -> Option<&'a str> {
    let entry = hashes.iter().find(|(name, _)| name == policy);
    entry.map(|(_, hash)| hash.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMITTED: &str = "stop 0000000000000001\noldest 00000000000000ff\n";

    fn parity(host: &str, m0: &str) -> Parity {
        Parity {
            committed: hashes(COMMITTED).unwrap(),
            columns: vec![
                Column::new("x86-64", host).unwrap(),
                Column::new("M0", m0).unwrap(),
            ],
        }
    }

    #[test]
    fn agreement_is_all_ticks() {
        let parity = parity(COMMITTED, COMMITTED);
        assert!(parity.differing().is_empty());
        assert_eq!(
            parity.table(),
            "policy  committed         x86-64  M0\n\
             stop    0000000000000001  ✓       ✓\n\
             oldest  00000000000000ff  ✓       ✓\n"
        );
    }

    #[test]
    fn one_other_bit_is_found_and_shown_where_it_is() {
        let other = COMMITTED.replace("ff", "fe");
        let parity = parity(COMMITTED, &other);
        assert_eq!(parity.differing(), ["M0"]);
        let table = parity.table();
        assert!(table.contains("oldest  00000000000000ff  ✓       ✗ 00000000000000fe"));
    }

    #[test]
    fn a_missing_or_surplus_policy_differs() {
        let parity = parity(
            "stop 0000000000000001\n",
            &format!("{COMMITTED}new 00000000000000aa\n"),
        );
        assert_eq!(parity.differing(), ["x86-64", "M0"]);
        assert!(parity.table().contains("✗ missing"));
        assert!(parity.table().contains("✗ 00000000000000aa"));
    }

    #[test]
    fn anything_but_name_and_hash_is_refused() {
        for text in [
            "",
            "stop",
            "stop 12",
            "panicked at src/lib.rs",
            "stop 000000000000000g",
        ] {
            assert!(hashes(text).is_err(), "{text}");
        }
    }
}
