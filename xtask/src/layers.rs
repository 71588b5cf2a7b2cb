//! The layers of the library: which module of `src` imports which.

use crate::workspace;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// Public modules at most, `prelude` included.
const MODULES: usize = 16;

/// Modules and those that each of them imports.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// The code of a file: no comments, and nothing from the first unit test on.
fn code(text: &str) -> String {
    let lines = text.lines().take_while(|line| *line != "#[cfg(test)]");
    let code = lines.map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    code.collect::<Vec<_>>().join("\n")
}

/// The first segments of all paths behind `crate::`, groups in braces included.
fn imports(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in code.split("crate::").skip(1) {
        let Some(group) = path.strip_prefix('{') else {
            found.insert(first_segment(path));
            continue;
        };
        let (mut depth, mut start) = (0, 0);
        for (position, letter) in group.char_indices() {
            match letter {
                '{' => depth += 1,
                ',' | '}' if depth == 0 => {
                    found.insert(first_segment(&group[start..position]));
                    start = position + 1;
                    if letter == '}' {
                        break;
                    }
                }
                '}' => depth -= 1,
                _ => {}
            }
        }
    }
    found
}

fn first_segment(path: &str) -> String {
    let path = path.trim_start();
    let end = path.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    path[..end.unwrap_or(path.len())].to_string()
}

/// What a file, or all files of a folder, import.
fn imports_of(path: &Path) -> BTreeSet<String> {
    if !path.is_dir() {
        return fs::read_to_string(path)
            .map_or_else(|_| BTreeSet::new(), |text| imports(&code(&text)));
    }
    let entries = fs::read_dir(path).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.flat_map(|path| imports_of(&path)).collect()
}

/// The modules of the library, and how many of them are public.
fn modules(lib: &str) -> (BTreeSet<String>, usize) {
    let lib = code(lib);
    let declared = |line: &str, prefix: &str| {
        let name = line.trim().strip_prefix(prefix)?;
        Some(name.trim_end_matches([';', '{', ' ']).to_string())
    };
    let public: BTreeSet<_> = lib
        .lines()
        .filter_map(|line| declared(line, "pub mod "))
        .collect();
    let private: BTreeSet<_> = lib
        .lines()
        .filter_map(|line| declared(line, "mod "))
        .collect();
    let count = public.len();
    (public.into_iter().chain(private).collect(), count)
}

fn graph() -> Graph {
    let src = workspace::root().join("src");
    let lib = fs::read_to_string(src.join("lib.rs")).expect("the library");
    let (modules, _) = modules(&lib);
    let one = |module: &String| {
        let file = imports_of(&src.join(format!("{module}.rs")));
        let folder = src.join(module);
        let folder = if folder.is_dir() {
            imports_of(&folder)
        } else {
            BTreeSet::new()
        };
        let mut imported: BTreeSet<_> = file.union(&folder).cloned().collect();
        imported.retain(|other| modules.contains(other) && other != module);
        (module.clone(), imported)
    };
    modules.iter().map(one).collect()
}

/// Modules that are left when those whose imports are all gone are taken away, again and again.
fn in_cycles(mut graph: Graph) -> BTreeSet<String> {
    loop {
        let free = |(_, imports): &(&String, &BTreeSet<String>)| imports.is_empty();
        let free: BTreeSet<_> = graph
            .iter()
            .filter(free)
            .map(|(name, _)| name.clone())
            .collect();
        if free.is_empty() {
            return graph.into_keys().collect();
        }
        graph.retain(|name, _| !free.contains(name));
        for imports in graph.values_mut() {
            imports.retain(|name| !free.contains(name));
        }
    }
}

#[test]
fn no_module_imports_one_that_imports_it_back() {
    let graph = graph();
    // Otherwise nothing was tested.
    assert!(graph["learners"].contains("kernel") && graph["kernel"].contains("storage"));
    let cycles = in_cycles(graph.clone());
    let edges: Vec<_> = graph
        .iter()
        .filter(|(name, _)| cycles.contains(*name))
        .collect();
    assert!(
        cycles.is_empty(),
        "imports go round, or to what does: {edges:#?}"
    );
}

#[test]
fn a_cycle_is_found() {
    let edge = |from: &str, to: &[&str]| {
        (
            from.to_string(),
            to.iter().map(|to| to.to_string()).collect(),
        )
    };
    let line = [edge("a", &["b", "c"]), edge("b", &["c"]), edge("c", &[])];
    assert!(in_cycles(line.into()).is_empty());
    let circle = [
        edge("a", &["b"]),
        edge("b", &["c"]),
        edge("c", &["b"]),
        edge("d", &[]),
    ];
    assert_eq!(in_cycles(circle.into()).len(), 3);
}

#[test]
fn imports_are_found_in_groups_and_paths() {
    let code = "use crate::{a::{B, C}, d,\n e::F};\nimpl crate::g::H for crate::i::J {}";
    let found: Vec<_> = imports(code).into_iter().collect();
    assert_eq!(found, ["a", "d", "e", "g", "i"]);
}

#[test]
fn the_public_modules_are_few() {
    let lib = fs::read_to_string(workspace::root().join("src/lib.rs")).expect("the library");
    let (_, public) = modules(&lib);
    assert!((10..=MODULES).contains(&public), "{public}");
}
