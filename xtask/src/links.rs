//! Links between the pages lead somewhere.

use crate::workspace;
use std::{fs, path::Path, process::Command};

/// Targets of Markdown links, and of `src="..."`.
fn targets(page: &str) -> impl Iterator<Item = &str> {
    let behind = |mark: &'static str, end: char| {
        let pieces = page.split(mark).skip(1);
        pieces.filter_map(move |piece| piece.split(end).next())
    };
    behind("](", ')').chain(behind("src=\"", '"'))
}

#[test]
fn links_of_all_pages_lead_to_files() {
    let list = Command::new("git")
        .args(["ls-files", "*.md"])
        .current_dir(workspace::root())
        .output();
    let list = String::from_utf8(list.expect("git").stdout).expect("UTF-8");
    let mut dead = Vec::new();
    let mut checked = 0;
    for name in list.lines() {
        let path = workspace::root().join(name);
        let page = fs::read_to_string(&path).expect("a page");
        let folder = path.parent().unwrap_or(Path::new("."));
        for target in targets(&page) {
            let file = target.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") {
                continue;
            }
            checked += 1;
            if !folder.join(file).exists() {
                dead.push(format!("{name}: {target}"));
            }
        }
    }
    assert!(checked > 50, "only {checked} links were found");
    assert!(dead.is_empty(), "{dead:#?}");
}
