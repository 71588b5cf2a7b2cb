//! Results of one run of all benchmarks, as files of which the documents are made. The next run is held against the counts of
//! ours; cycles and peers are only kept.

use super::{
    baseline,
    counts::{OPERATIONS, Row, Subject, cell, parse_counts},
    cycles::Modelled,
    peers::Peer,
};
use crate::workspace;
use anyhow::{Context, Result, bail};
use std::{fs, path::PathBuf};

/// Modelled cycles of a subject's operations on a Cortex-M4F.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycles {
    pub subject: Subject,
    pub counts: [Option<u64>; OPERATIONS.len()],
}

/// The committed counts.
pub struct Records {
    pub ours: Vec<Row>,
    pub cycles: Vec<Cycles>,
    pub peers: Vec<Peer>,
}

const CYCLES: &str = "cycles";
const CYCLES_HEADER: &str = "format,learner,kernel,features,budget,predict,pass,store,mean,worst";

const PEERS: &str = "peers";
const PEERS_HEADER: &str = "core,peer,flags,method,features,vectors,bytes,instructions,cycles";

/// Path of the counts of that name.
pub fn path(name: &str) -> PathBuf {
    workspace::root().join(format!("host-tests/on-target/expected/{name}.csv"))
}

/// Writes the counts of that name.
pub fn write(name: &str, text: &str) -> Result<()> {
    let path = path(name);
    fs::create_dir_all(path.with_file_name(""))?;
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Reads the counts of that name.
pub fn read(name: &str) -> Result<String> {
    let path = path(name);
    fs::read_to_string(&path).with_context(|| {
        format!(
            "cannot read {}; `cargo xtask bench device --bless` records it",
            path.display()
        )
    })
}

/// Makes modelled cycles the committed ones.
pub fn write_cycles(modelled: &[Modelled]) -> Result<()> {
    let line = |Modelled { row, costs }: &Modelled| {
        let cycles = costs.map(|cost| cell(cost.map(|cost| cost.cycles)));
        format!("{},{}\n", row.subject.cells().join(","), cycles.join(","))
    };
    let lines: String = modelled.iter().map(line).collect();
    write(CYCLES, &format!("{CYCLES_HEADER}\n{lines}"))
}

/// Makes counts of the peers the committed ones.
pub fn write_peers(peers: &[Peer]) -> Result<()> {
    let lines: String = peers
        .iter()
        .map(|peer| format!("{}\n", peer.cells().join(",")))
        .collect();
    write(PEERS, &format!("{PEERS_HEADER}\n{lines}"))
}

impl Records {
    /// The committed results.
    pub fn read() -> Result<Self> {
        let (_, ours) = baseline::parse(&read("device")?)?;
        let cycles = lines(CYCLES, CYCLES_HEADER, |cells| {
            let (subject, counts) = cells.split_first_chunk().context("too few columns")?;
            Ok(Cycles {
                subject: Subject::parse(subject)?,
                counts: parse_counts(counts)?,
            })
        })?;
        let peers = lines(PEERS, PEERS_HEADER, Peer::of_cells)?;
        Ok(Records {
            ours,
            cycles,
            peers,
        })
    }
}

fn lines<T>(name: &str, header: &str, parse: impl Fn(&[&str]) -> Result<T>) -> Result<Vec<T>> {
    let text = read(name)?;
    let mut lines = text.lines();
    if lines.next() != Some(header) {
        bail!("host-tests/on-target/expected/{name}.csv does not have the columns {header}");
    }
    let item = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        parse(&cells)
            .with_context(|| format!("in host-tests/on-target/expected/{name}.csv: {line}"))
    };
    lines.map(item).collect()
}
