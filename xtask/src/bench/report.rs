//! The counts as tables and as JSON.

use super::{
    counts::{OPERATIONS, Row, Subject, cell},
    cycles::{Cost, Modelled},
    peers::Peer,
};
use crate::{row, table::Table};

/// Instructions of every subject on every core.
pub fn table(rows: &[Row]) -> String {
    let mut heading = row!["core"];
    heading.extend(Subject::COLUMNS.map(str::to_string));
    heading.extend(row!["RAM", "flash", "stack"]);
    heading.extend(OPERATIONS.map(str::to_string));
    let mut lines = vec![heading];
    for row in rows {
        let mut line = row![row.core];
        line.extend(row.subject.cells());
        line.extend(row![row.ram, row.flash, row.stack]);
        line.extend(row.counts.map(cell));
        lines.push(line);
    }
    format!("instructions\n{}", Table::from(lines))
}

/// Cycles of a Cortex-M4F by the model.
pub fn cycles(modelled: &[Modelled]) -> String {
    let mut lines = vec![
        [Subject::COLUMNS, OPERATIONS]
            .concat()
            .iter()
            .map(|name| name.to_string())
            .collect(),
    ];
    for Modelled { row, costs } in modelled {
        let cycles = costs.map(|cost| cell(cost.map(|cost| cost.cycles)));
        lines.push([row.subject.cells(), cycles].concat());
    }
    format!("\nmodelled cycles of a Cortex-M4F\n{}", Table::from(lines))
}

/// Predictions beside those of the peers of the same kernel and size; 1 is the peer.
pub fn ratios(ours: &[Row], modelled: &[Modelled], theirs: &[Peer]) -> String {
    let heading = row![
        "core",
        "kernel",
        "D",
        "B",
        "format",
        "ours",
        "peer",
        "theirs",
        "ratio",
        "of cycles"
    ];
    let mut lines = vec![heading];
    for (row, peer, ratio) in pairs(ours, theirs) {
        let subject = &row.subject;
        let cost = modelled
            .iter()
            .find(|cost| cost.row.subject == *subject && row.core == cost.row.core);
        let cycles = cost.and_then(|cost| cost.costs[0]).zip(peer.cycles);
        let cycles = cycles.map_or("-".into(), |(Cost { cycles, .. }, theirs)| {
            format!("{:.3}", cycles as f64 / theirs as f64)
        });
        lines.push(row![
            row.core,
            subject.kernel,
            subject.features,
            subject.budget,
            subject.format,
            cell(row.counts[0]),
            format!("{} {}", peer.name, peer.flags),
            peer.instructions,
            format!("{ratio:.3}"),
            cycles,
        ]);
    }
    let mut text = format!("\npredictions beside CMSIS-DSP\n{}", Table::from(lines));
    let mut others = vec![row![
        "core",
        "peer",
        "method",
        "D",
        "items",
        "bytes",
        "instructions"
    ]];
    for peer in theirs.iter().filter(|peer| peer.name != CMSIS) {
        let Peer {
            core,
            flags,
            name,
            kernel,
            features,
            vectors,
            ram,
            instructions,
            ..
        } = peer;
        others.push(row![
            core,
            format!("{name} {flags}"),
            kernel,
            features,
            vectors,
            ram,
            instructions
        ]);
    }
    text += &format!("\nother methods\n{}", Table::from(others));
    text
}

/// The peer whose method is ours.
pub const CMSIS: &str = "cmsis-dsp";

/// Our cheapest learner and each build of the peer; a prediction costs the same for all policies.
fn pairs<'a>(
    ours: &'a [Row],
    theirs: &'a [Peer],
) -> impl Iterator<Item = (&'a Row, &'a Peer, f64)> {
    let peers = theirs.iter().filter(|peer| peer.name == CMSIS);
    peers.flat_map(move |peer| {
        let fits = move |row: &&Row| {
            let subject = &row.subject;
            row.core == peer.core
                && subject.learner == "stoptron"
                && subject.kernel == peer.kernel
                && (subject.features, subject.budget) == (peer.features, peer.vectors)
        };
        let with_ratio = move |row: &'a Row| {
            let ours = row.counts[0]?;
            Some((row, peer, ours as f64 / peer.instructions as f64))
        };
        ours.iter().filter(fits).filter_map(with_ratio)
    })
}

/// Everything, for programs.
pub fn json(ours: &[Row], modelled: &[Modelled], theirs: &[Peer]) -> String {
    let ours = ours.iter().map(|row| {
        let cost = modelled.iter().find(|cost| cost.row.subject == row.subject && cost.row.core == row.core);
        let counts = OPERATIONS.iter().zip(row.counts).map(|(name, count)| field(name, count));
        let cycles = OPERATIONS.iter().zip(cost.map(|cost| cost.costs).unwrap_or_default());
        let cycles = cycles.map(|(name, cost)| field(name, cost.map(|cost| cost.cycles)));
        let subject = &row.subject;
        format!(
            "{{\"core\":\"{}\",\"format\":\"{}\",\"learner\":\"{}\",\"kernel\":\"{}\",\"features\":{},\"budget\":{},\"ram\":{},\"flash\":{},\"stack\":{},\"instructions\":{{{}}},\"cycles\":{{{}}}}}",
            row.core,
            subject.format,
            subject.learner,
            subject.kernel,
            subject.features,
            subject.budget,
            row.ram,
            row.flash,
            row.stack,
            counts.collect::<Vec<_>>().join(","),
            cycles.collect::<Vec<_>>().join(","),
        )
    });
    let theirs = theirs.iter().map(|peer| {
        format!(
            "{{\"core\":\"{}\",\"peer\":\"{}\",\"flags\":\"{}\",\"kernel\":\"{}\",\"features\":{},\"vectors\":{},\"bytes\":{},{},{}}}",
            peer.core,
            peer.name,
            peer.flags,
            peer.kernel,
            peer.features,
            peer.vectors,
            peer.ram,
            field("instructions", Some(peer.instructions)),
            field("cycles", peer.cycles),
        )
    });
    let list = |items: Vec<String>| items.join(",\n");
    format!(
        "{{\"ours\":[\n{}\n],\"peers\":[\n{}\n]}}\n",
        list(ours.collect()),
        list(theirs.collect())
    )
}

fn field(name: &str, number: Option<u64>) -> String {
    format!(
        "\"{name}\":{}",
        number.map_or("null".into(), |number| number.to_string())
    )
}
