//! Bounds on the stack of an image.
//!
//! From the frames of its functions and their calls, see [`code`]: the deepest way down from the reset, and
//! on top of it those of one interrupt and of one fault, since the firmware has one priority for all interrupts. A call by
//! pointer may go to any function whose address lies in the image.
//!
//! Functions that call one another in a circle have no bound. Then each of them is counted once, and the circle is
//! reported.

use crate::{
    board::Board,
    code::{self, Callee, Code},
};
use anyhow::{Context, Result, bail, ensure};
use petgraph::{algo::tarjan_scc, graphmap::DiGraphMap};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::Path,
};

/// Bytes that the processor pushes for an exception: eight registers, and a word to align them; with a
/// floating-point unit eighteen more.
const EXCEPTION: u32 = 36;
const EXCEPTION_WITH_FLOATS: u32 = 108;

/// Depth below the bound down to which a deeper stack is looked for.
const BEYOND: u32 = 1024;

/// Stands in the graph for whatever is called by pointer; no function has an odd address.
const BY_POINTER: u32 = u32::MAX;

/// The deepest stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    pub bytes: u32,
    /// Memory in which it may be seen, with some bytes more.
    pub place: Range<u32>,
    /// Functions that call one another, counted once.
    pub circles: Vec<Vec<String>>,
}

/// Finds the bound of an image.
pub fn bound(board: &Board, path: &Path) -> Result<Bound> {
    let code = code::read(path)?;
    bound_of(&code, board.target.ends_with("hf"))
        .with_context(|| format!("the stack of {}", path.display()))
}

/// The same for code that has been read; `floats` says whether the processor saves a floating-point unit's registers for
/// an exception.
pub fn bound_of(code: &Code, floats: bool) -> Result<Bound> {
    ensure!(
        code.functions.contains_key(&code.reset),
        "there is no reset"
    );
    let exception = if floats {
        EXCEPTION_WITH_FLOATS
    } else {
        EXCEPTION
    };
    of(code, exception)
}

/// Depth of the stack below the caller of any of the functions at the entries, without exceptions. A call by pointer may go
/// to every function whose address is taken on the way.
pub fn below(code: &Code, entries: &[u64]) -> Result<u64> {
    let reached = code.reached(entries);
    let functions = reached.iter().filter_map(|at| code.functions.get(at));
    let pointed_at = functions.flat_map(|one| one.refers.clone()).collect();
    let entries: Vec<u32> = entries.iter().map(|entry| *entry as u32).collect();
    let (depths, _) = depths(code, &pointed_at, entries.clone())?;
    let deepest = entries.iter().filter_map(|entry| depths.get(entry)).max();
    Ok(deepest.copied().unwrap_or(0).into())
}

fn of(code: &Code, exception: u32) -> Result<Bound> {
    let mut entries = vec![code.reset];
    entries.extend(code.faults.iter().chain(&code.interrupts));
    let (depths, circles) = depths(code, &code.pointed_at, entries)?;
    let depth = |address: &u32| depths.get(address).copied().unwrap_or(0);
    let exceptions = [&code.interrupts, &code.faults];
    let exceptions = exceptions.map(|handlers| match handlers.iter().map(depth).max() {
        Some(deepest) => exception + deepest,
        None => 0,
    });
    let bytes = depth(&code.reset) + exceptions.iter().sum::<u32>();
    let Range { start, end } = code.stack;
    Ok(Bound {
        bytes,
        place: start.max(end.saturating_sub(bytes + BEYOND))..end,
        circles,
    })
}

/// The stack of each function that is reached, with all that it calls; and the names of those in a circle.
type Depths = (BTreeMap<u32, u32>, Vec<Vec<String>>);

fn depths(code: &Code, pointed_at: &BTreeSet<u32>, entries: Vec<u32>) -> Result<Depths> {
    let graph = calls(code, pointed_at, entries)?;
    let mut circles = Vec::new();
    let mut depths: BTreeMap<u32, u32> = BTreeMap::new();
    let frame = |address: &u32| code.functions.get(address).map_or(0, |one| one.frame);
    // Those that are called come before those that call them.
    for group in tarjan_scc(&graph) {
        let in_a_circle = group.len() > 1 || graph.contains_edge(group[0], group[0]);
        let mut depth = match in_a_circle {
            true => group.iter().map(frame).sum(),
            false => frame(&group[0]),
        };
        let around = if in_a_circle { depth } else { 0 };
        for caller in &group {
            for (_, callee, before) in graph.edges(*caller) {
                if let Some(below) = depths.get(&callee) {
                    depth = depth.max(around.max(*before) + below);
                }
            }
        }
        depths.extend(group.iter().map(|member| (*member, depth)));
        if in_a_circle {
            let names = group.iter().filter_map(|at| code.functions.get(at));
            circles.push(names.map(|one| one.name.clone()).collect());
        }
    }
    Ok((depths, circles))
}

/// Call graph, with the deepest frame of the caller at each call; as far as it is reached from the entries.
fn calls(
    code: &Code,
    pointed_at: &BTreeSet<u32>,
    mut next: Vec<u32>,
) -> Result<DiGraphMap<u32, u32>> {
    let mut graph = DiGraphMap::new();
    while let Some(caller) = next.pop() {
        let calls: Vec<(u32, u32)> = match code.functions.get(&caller) {
            Some(function) => {
                let call = |(callee, depth): &(Callee, u32)| match callee {
                    Callee::At(address) => (*address, *depth),
                    Callee::Pointer => (BY_POINTER, *depth),
                };
                function.calls.iter().map(call).collect()
            }
            None if caller == BY_POINTER => pointed_at.iter().map(|at| (*at, 0)).collect(),
            None => bail!("no function is known at {caller:#x}, which is called"),
        };
        graph.add_node(caller);
        for (callee, depth) in calls {
            if !graph.contains_node(callee) {
                next.push(callee);
            }
            let before = graph.edge_weight(caller, callee).copied();
            graph.add_edge(caller, callee, depth.max(before.unwrap_or(0)));
        }
    }
    Ok(graph)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::tests::code;

    fn at(address: u32, depth: u32) -> (Callee, u32) {
        (Callee::At(address), depth)
    }

    #[test]
    fn the_deepest_way_counts_and_not_the_longest() {
        let code = code(&[
            (0x10, 2, 8, &[at(0x20, 8), at(0x40, 8)]),
            (0x20, 2, 16, &[at(0x30, 16)]),
            (0x30, 2, 24, &[]),
            (0x40, 2, 100, &[]),
            (0x50, 2, 1000, &[]), // has no caller
        ]);
        assert_eq!(of(&code, 36).unwrap().bytes, 108);
    }

    #[test]
    fn of_several_entries_the_deepest_counts_without_what_is_above_them() {
        let mut code = code(&[
            (0x10, 2, 800, &[at(0x20, 800)]),
            (0x20, 2, 16, &[at(0x30, 16)]),
            (0x30, 2, 24, &[]),
            (0x40, 2, 32, &[]),
        ]);
        code.interrupts.insert(0x40);
        assert_eq!(below(&code, &[0x20, 0x40]).unwrap(), 40);
        assert_eq!(below(&code, &[0x30, 0x40]).unwrap(), 32);
        assert!(below(&code, &[0x50]).is_err(), "no function is there");
    }

    /// A call at the end of a function, when its frame is gone, or one before all of it is there.
    #[test]
    fn a_call_stands_on_the_frame_as_it_is_then() {
        let calls = [at(0x20, 0), at(0x30, 8)];
        let code = code(&[
            (0x10, 2, 40, &calls),
            (0x20, 2, 44, &[]),
            (0x30, 2, 30, &[]),
        ]);
        assert_eq!(of(&code, 36).unwrap().bytes, 44);
    }

    #[test]
    fn a_pointer_may_lead_to_all_whose_address_is_there() {
        let mut code = code(&[
            (0x10, 2, 8, &[(Callee::Pointer, 8)]),
            (0x20, 2, 16, &[]),
            (0x30, 2, 99, &[]),
        ]);
        code.pointed_at.insert(0x20);
        assert_eq!(of(&code, 36).unwrap().bytes, 24);
        code.pointed_at.insert(0x30);
        assert_eq!(of(&code, 36).unwrap().bytes, 107);
    }

    #[test]
    fn a_call_into_the_unknown_is_an_error() {
        let code = code(&[(0x10, 2, 8, &[at(0x20, 8)])]);
        assert!(of(&code, 36).is_err());
    }

    #[test]
    fn a_circle_is_counted_once_and_reported() {
        let code = code(&[
            (0x10, 2, 8, &[at(0x20, 8)]),
            (0x20, 2, 16, &[at(0x30, 4)]),
            (0x30, 2, 32, &[at(0x20, 32), at(0x40, 4)]),
            (0x40, 2, 64, &[]),
        ]);
        let Bound {
            bytes, mut circles, ..
        } = of(&code, 36).unwrap();
        circles[0].sort();
        assert_eq!(
            (bytes, circles),
            (120, vec![vec!["f20".to_string(), "f30".to_string()]])
        );
        let alone = crate::code::tests::code(&[(0x10, 2, 8, &[at(0x10, 8)])]);
        assert_eq!(of(&alone, 36).unwrap().circles, [["f10"]]);
    }

    #[test]
    fn one_interrupt_and_one_fault_come_on_top() {
        let mut code = code(&[
            (0x10, 2, 8, &[]),
            (0x20, 2, 16, &[]),
            (0x30, 2, 24, &[]),
            (0x40, 2, 1, &[]),
        ]);
        code.interrupts.extend([0x20, 0x30]);
        assert_eq!(of(&code, 36).unwrap().bytes, 8 + 36 + 24);
        code.faults.insert(0x40);
        assert_eq!(of(&code, 108).unwrap().bytes, 8 + 108 + 24 + 108 + 1);
    }
}
