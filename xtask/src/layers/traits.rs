//! Public traits: which of them a user can implement.

use super::{ModulePath, first_segment, sources};
use std::collections::{BTreeMap, BTreeSet};

/// Public traits at most that a user can implement.
const OPEN: usize = 30;

/// A public trait.
struct Trait {
    /// Supertraits, without their parameters.
    supertraits: String,
    /// Whether it takes a token of the library, or every type with its supertraits has it already.
    is_closed: bool,
}

/// A text without what stands between `<` and `>`.
fn without_parameters(text: &str) -> String {
    let mut depth = 0;
    let plain = |letter: &char| {
        depth += i32::from(*letter == '<') - i32::from(*letter == '>');
        depth == 0 && *letter != '>'
    };
    text.chars().filter(plain).collect()
}

/// Public traits of the library by name.
fn public(sources: &BTreeMap<ModulePath, String>) -> BTreeMap<String, Trait> {
    let mut found = BTreeMap::new();
    let of_library = sources.iter().filter(|(path, _)| path[0] != "firmware");
    for (_, code) in of_library {
        for text in code.split("pub trait ").skip(1) {
            let (header, rest) = text.split_once('{').expect("a body");
            let body = rest.split("\n}").next().unwrap_or_default();
            let name = first_segment(header);
            let behind_colon = |header: &str| -> String {
                header
                    .split_once(':')
                    .map_or("", |(_, traits)| traits)
                    .into()
            };
            let supertraits = behind_colon(header);
            let blanket = format!("impl<L:{supertraits}+ ?Sized> {name} for L {{");
            let found_trait = Trait {
                supertraits: behind_colon(&without_parameters(header)),
                is_closed: name == "Sealed"
                    || body.contains("sealed::Token")
                    || code.contains(&blanket),
            };
            found.insert(name, found_trait);
        }
    }
    found
}

#[test]
fn traits_that_a_user_can_implement_are_few() {
    let mut open = public(&sources());
    let mut closed = BTreeSet::new();
    // Who asks for a closed trait is closed.
    loop {
        let asks_for_closed = |found: &Trait| {
            let mut words = found
                .supertraits
                .split(|letter: char| !letter.is_alphanumeric());
            words.any(|word| closed.contains(word))
        };
        let now: BTreeSet<_> = open
            .iter()
            .filter(|(_, found)| found.is_closed || asks_for_closed(found))
            .map(|(name, _)| name.clone())
            .collect();
        if now.is_empty() {
            break;
        }
        open.retain(|name, _| !now.contains(name));
        closed.extend(now);
    }
    let open: Vec<_> = open.into_keys().collect();
    assert!(open.contains(&"Policy".to_string()) && open.contains(&"RemoteModel".to_string()));
    for name in ["Snapshots", "KernelIn", "BoundedImage", "Scorer"] {
        assert!(closed.contains(name), "{name}");
    }
    assert!(open.len() <= OPEN, "{} of {OPEN}: {open:#?}", open.len());
}
