//! The names of all sets, and the one that somebody may have meant.

use super::{catalogue::SETS, generate::Artificial};

/// Khardon and Wachman's half spaces: not one set but a family, whose features, margin and noise their tables choose.
pub const HALF_SPACES: &str = "artificial";

/// A few hundred documents that stand in for Reuters-21578 where time is short.
pub const TOPICS: &str = "drawn-topics";

/// The tables for which a set is drawn that nobody else can have.
pub fn drawn_for(name: &str) -> Option<&'static str> {
    match name {
        HALF_SPACES => Some("kw2, kw4, kw6, kw-lambda, kw-average, kw-fig4"),
        TOPICS => Some("paum2 and paum4 with --quick"),
        _ => None,
    }
}

/// Sets in files and those that are drawn.
pub fn all() -> impl Iterator<Item = &'static str> {
    let files = SETS.iter().map(|entry| entry.name);
    let drawn = Artificial::ALL.iter().map(|(name, _)| *name);
    files.chain(drawn).chain([HALF_SPACES, TOPICS])
}

/// The one that is most like a name, if any is.
pub fn nearest(name: &str) -> Option<&'static str> {
    let likeness = |other: &str| strsim::jaro_winkler(name, other);
    let best = all().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) > 0.7).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_is_not() {
        assert_eq!(nearest("bananna"), Some("banana"));
        assert_eq!(nearest("pendigit"), Some("pendigits"));
        assert_eq!(nearest("xyz"), None);
    }
}
