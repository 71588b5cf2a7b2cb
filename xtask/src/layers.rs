//! The layers of the library and its firmware: which module of `src` imports which.

mod traits;

use crate::workspace;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// Public modules at most, `prelude` included.
const MODULES: usize = 17;

/// Modules and those that each of them imports.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// The code of a file: no comments, and nothing from the first unit test on.
fn code(text: &str) -> String {
    let lines = text.lines().take_while(|line| *line != "#[cfg(test)]");
    let code = lines.map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    code.collect::<Vec<_>>().join("\n")
}

/// A path of modules, from the root of the library on.
type ModulePath = Vec<String>;

/// All paths behind `crate::`, `pocketron::` (the firmware is another crate) and `super::` in a module, from the root on, groups in braces taken apart.
fn imports(code: &str, module: &[String]) -> BTreeSet<ModulePath> {
    let mut found = BTreeSet::new();
    for root in ["crate::", "pocketron::"] {
        for (start, _) in code.match_indices(root) {
            take_apart(&code[start + root.len()..], &[], &mut found);
        }
    }
    for (start, _) in code.match_indices("super::") {
        // The first of several says how many there are.
        if code[..start].ends_with("super::") {
            continue;
        }
        let (mut rest, mut parent) = (&code[start..], module);
        while let Some(behind) = rest.strip_prefix("super::") {
            rest = behind;
            parent = parent.split_last().map_or(&[][..], |(_, parent)| parent);
        }
        take_apart(rest, parent, &mut found);
    }
    found
}

/// Adds the path that a text begins with, or all paths of a group, and says where it ends.
fn take_apart(text: &str, prefix: &[String], found: &mut BTreeSet<ModulePath>) -> usize {
    let begin = text.len() - text.trim_start().len();
    if !text[begin..].starts_with('{') {
        let name = first_segment(&text[begin..]);
        let end = begin + name.len();
        let path = [prefix, &[name]].concat();
        return match text[end..].strip_prefix("::") {
            Some(rest) => end + 2 + take_apart(rest, &path, found),
            None => {
                found.insert(path);
                // Behind another name for it, if it has one.
                end + text[end..].find([',', '}']).unwrap_or(0)
            }
        };
    }
    let mut position = begin + 1;
    while let Some(next) = text[position..].find(|letter: char| !letter.is_whitespace()) {
        position += next;
        match text[position..].chars().next() {
            Some('}') => return position + 1,
            Some(letter) if letter.is_alphanumeric() || "_{".contains(letter) => {
                position += take_apart(&text[position..], prefix, found).max(1);
            }
            _ => position += 1,
        }
    }
    position
}

fn first_segment(path: &str) -> String {
    let end = path.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    path[..end.unwrap_or(path.len())].to_string()
}

/// The files of the library and of the firmware as modules: their paths, and their code.
fn sources() -> BTreeMap<ModulePath, String> {
    fn walk(folder: &Path, module: &[String], found: &mut BTreeMap<ModulePath, String>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy();
            let module = [module, &[name.into_owned()]].concat();
            if path.is_dir() {
                walk(&path, &module, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).expect("a source");
                found.insert(module, code(&text));
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(&workspace::root().join("src"), &[], &mut found);
    let declared = |root: &str| modules(&found[&[root.to_string()][..]]).0;
    let modules = &declared("lib") | &declared("main");
    found.retain(|path, _| path.first().is_some_and(|top| modules.contains(top)));
    found
}

/// The modules that the root of a crate declares, and how many of them are public.
fn modules(root: &str) -> (BTreeSet<String>, usize) {
    let root = code(root);
    let declared = |line: &str, prefix: &str| {
        let name = line.trim().strip_prefix(prefix)?;
        Some(name.trim_end_matches([';', '{', ' ']).to_string())
    };
    let public: BTreeSet<_> = root
        .lines()
        .filter_map(|line| declared(line, "pub mod "))
        .collect();
    let private: BTreeSet<_> = root
        .lines()
        .filter_map(|line| declared(line, "mod "))
        .collect();
    let count = public.len();
    (public.into_iter().chain(private).collect(), count)
}

/// Imports among the children of a module. A name that the parent has from a child counts as that child.
fn graph(sources: &BTreeMap<ModulePath, String>, parent: &[String]) -> Graph {
    let child = |path: &[String]| Some(path.strip_prefix(parent)?.first()?.clone());
    let mut graph: Graph = sources
        .keys()
        .filter_map(|path| Some((child(path)?, BTreeSet::new())))
        .collect();
    let handed_on = sources
        .get(parent)
        .map_or_else(BTreeMap::new, |code| handed_on(code, &graph));
    for (path, code) in sources {
        let Some(own) = child(path) else { continue };
        for name in imports(code, path).iter().filter_map(|path| child(path)) {
            let sibling = handed_on.get(&name).unwrap_or(&name);
            if graph.contains_key(sibling) && *sibling != own {
                graph
                    .get_mut(&own)
                    .expect("a child")
                    .insert(sibling.clone());
            }
        }
    }
    graph
}

/// Names that a parent has from its children by `use child::Name`.
fn handed_on(code: &str, children: &Graph) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (start, _) in code.match_indices("use ") {
        let path = &code[start + "use ".len()..];
        let child = first_segment(path);
        if children.contains_key(&child) {
            let mut names = BTreeSet::new();
            take_apart(path, &[], &mut names);
            let names = names.into_iter().filter_map(|mut path| path.pop());
            found.extend(names.map(|name| (name, child.clone())));
        }
    }
    found
}

/// Modules that import themselves by way of others.
fn in_cycles(graph: &Graph) -> BTreeSet<String> {
    let comes_back = |start: &String| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![start]);
        while let Some(module) = next.pop() {
            for imported in graph.get(module).into_iter().flatten() {
                if seen.insert(imported) {
                    next.push(imported);
                }
            }
        }
        seen.contains(start)
    };
    graph
        .keys()
        .filter(|module| comes_back(module))
        .cloned()
        .collect()
}

#[test]
fn no_module_imports_one_that_imports_it_back() {
    let sources = sources();
    let top = graph(&sources, &[]);
    // Otherwise nothing was tested.
    assert!(top["learners"].contains("kernel") && top["kernel"].contains("storage"));
    assert!(top["firmware"].contains("device"));
    let firmware = graph(&sources, &["firmware".to_string()]);
    assert!(firmware["interrupt"].contains("rx_queue") && firmware["rx_queue"].contains("board"));
    let budget = graph(&sources, &["budget".to_string()]);
    assert!(
        budget["projecting_margins"].contains("projecting") && budget["forget"].contains("oldest")
    );
    let parents = sources.keys().map(Vec::as_slice).chain([&[][..]]);
    let mut found = Vec::new();
    for parent in parents {
        let graph = graph(&sources, parent);
        let cycles = in_cycles(&graph);
        let edges = graph.into_iter().filter(|(name, _)| cycles.contains(name));
        found.extend(edges.map(|(name, imports)| (parent.join("::"), name, imports)));
    }
    assert!(found.is_empty(), "imports go round: {found:#?}");
}

/// The layers as the picture in `lib.rs` has them, lowest first: the modules of each line.
fn pictured(lib: &str) -> Vec<Vec<String>> {
    let (_, picture) = lib.split_once("//! ```text\n").expect("a picture");
    let (picture, _) = picture.split_once("//! ```").expect("its end");
    let names = |line: &str| {
        // Two blanks separate modules, and the last of them from the description.
        let (modules, _) = line.split_at(line.len().min(DESCRIPTION));
        let words = modules.split([' ', ',']).filter(|word| !word.is_empty());
        words
            .map(|word| word.trim_end_matches(".rs").to_string())
            .collect()
    };
    let lines = picture.lines().rev();
    lines
        .map(|line| names(line.trim_start_matches("//! ")))
        .collect()
}

/// Column of the picture at which the descriptions begin.
const DESCRIPTION: usize = 23;

#[test]
fn modules_import_only_lower_layers_of_the_picture() {
    let lib = fs::read_to_string(workspace::root().join("src/lib.rs")).expect("the library");
    let layers = pictured(&lib);
    let layer_of = |module: &String| layers.iter().position(|layer| layer.contains(module));
    let mut edges = graph(&sources(), &[]);
    // A leaf without contents that a reader could look for.
    edges.remove("sealed");
    let missing: Vec<_> = edges.keys().filter(|it| layer_of(it).is_none()).collect();
    assert!(missing.is_empty(), "not in the picture: {missing:?}");
    for (module, imports) in &edges {
        let upward = imports.iter().filter(|import| *import != "sealed");
        let upward: Vec<_> = upward
            .filter(|import| layer_of(import) >= layer_of(module))
            .collect();
        assert!(upward.is_empty(), "{module} imports {upward:?}");
    }
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
    assert!(in_cycles(&line.into()).is_empty());
    let circle = [
        edge("a", &["b"]),
        edge("b", &["c"]),
        edge("c", &["b"]),
        edge("d", &[]),
    ];
    assert_eq!(in_cycles(&circle.into()).len(), 2);
}

#[test]
fn imports_are_found_in_groups_and_paths() {
    let code = "use crate::{a::{B, C as D}, d,\n e::F};\nimpl crate::g::H for super::J<super::super::k::L> {}";
    let module = ["m", "n"].map(str::to_string);
    let found = imports(code, &module);
    let found: Vec<_> = found.iter().map(|path| path.join("::")).collect();
    assert_eq!(found, ["a::B", "a::C", "d", "e::F", "g::H", "k::L", "m::J"]);
}

#[test]
fn names_that_a_parent_hands_on_belong_to_the_child() {
    let children = [("a".to_string(), BTreeSet::new())].into();
    let found = handed_on("pub use a::{B, c::D};\nuse core::E;", &children);
    let found: Vec<_> = found
        .iter()
        .map(|(name, child)| format!("{name} of {child}"))
        .collect();
    assert_eq!(found, ["B of a", "D of a"]);
}

#[test]
fn the_public_modules_are_few() {
    let lib = fs::read_to_string(workspace::root().join("src/lib.rs")).expect("the library");
    let (_, public) = modules(&lib);
    assert!((10..=MODULES).contains(&public), "{public}");
}
